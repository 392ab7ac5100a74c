import Logging
import RPCClient
import RPCCore
import TestHarness
import Testing

@testable import RPCServer

/// Compressed requests of streams wait as they came, and are decompressed for their handler.
@Suite struct CompressedRequestTests {
    private static let compressed = CallOptions(requestCompression: RequestCompression())
    private static let upload = MethodDescriptor<Bytes, Text>(service: TestMethods.service, method: "UploadBytes", shape: .clientStreaming)

    /// 40,000 bytes for each of `count`, which shrink to half. They are the same, but farther apart than DEFLATE looks.
    private static func chunks(_ count: Int) -> Bytes {
        var random = SeededRandom(seed: 7), value: [UInt8] = []
        let chunk = (0..<40_000).map { _ in UInt8.random(in: 0..<16, using: &random) }
        for _ in 0..<count { value += chunk }
        var bytes = Bytes()
        bytes.value = value
        return bytes
    }

    private func withUpload(
        limits: ServerLimits = ServerLimits(), observers: [any CallObserver] = [],
        _ handler: @escaping @Sendable (MessageStream<Bytes>) async throws -> Int,
        _ body: (TestServer, Channel) async throws -> Void
    ) async throws {
        try await withServer(limits: limits, loopCount: 1, observers: observers) { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.registerClientStreaming(Self.upload) { requests, _ in text("\(try await handler(requests))") }
        } _: { server in
            try await withChannel(to: server.path, .grpc) { channel in try await body(server, channel) }
        }
    }

    @Test("requests whose handler is slow wait, however large they become, and are read in the end")
    func slowHandler() async throws {
        let begins = Gate()
        try await withUpload { requests in
            await begins.wait()
            var byteCount = 0
            for try await request in requests { byteCount += request.value.count }
            return byteCount
        } _: { server, channel in
            // Also if something fails, so that the handler ends.
            defer { begins.open() }
            let stream = channel.clientStream(Self.upload, options: Self.compressed)
            // Together they become more than a stream may queue.
            for _ in 0..<16 { try await stream.write(bytes(1_000_000)) }
            // An answer after them proves that they have arrived.
            _ = try await channel.call(TestMethods.echo, "")
            #expect(server.server.heldByteCount < 1 << 20)
            begins.open()
            #expect(try await stream.finish().value == "16000000")
        }
    }

    @Test("what a handler has in its hands counts for its user: a message that is too much ends its call, and others go on")
    func memory() async throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCountPerUser = 11 << 20
        let taken = Counter(), ends = Gate()
        try await withUpload(limits: limits) { requests in
            var byteCount = 0
            for try await request in requests {
                byteCount += request.value.count
                taken.increment()
                await ends.wait()
            }
            return byteCount
        } _: { server, channel in
            // Also if something fails, so that the handlers end.
            defer { ends.open() }
            let holding = [channel.clientStream(Self.upload, options: Self.compressed), channel.clientStream(Self.upload, options: Self.compressed)]
            for (index, stream) in holding.enumerated() {
                try await stream.write(Self.chunks(100))
                await taken.reaches(index + 1)
                // With the next input the connection counts its part: the compressed message.
                _ = try await channel.call(TestMethods.echo, "")
                #expect(server.server.heldByteCount >= (index + 1) * 4_000_000)
            }
            let late = channel.clientStream(Self.upload, options: Self.compressed)
            try await late.write(Self.chunks(100))
            await #expect { try await late.finish() } throws: { ($0 as? RPCError)?.limitReason == .userMemory }
            #expect(server.server.refusals.map(\.limit) == [.memoryPerUser])
            ends.open()
            for stream in holding { #expect(try await stream.finish().value == "4000000") }
            await until { server.server.heldByteCount < 100_000 }
        }
    }

    @Test("a request that becomes too large ends its call", arguments: [LimitReason.messageSize, .compressionRatio])
    func limits(_ reason: LimitReason) async throws {
        var limits = ServerLimits()
        limits.maximumMessageByteCount = 3_000_000
        try await withUpload(limits: limits) { requests in
            for try await _ in requests {}
            return 0
        } _: { _, channel in
            let stream = channel.clientStream(Self.upload, options: Self.compressed)
            // Equal bytes shrink to a thousandth.
            try await stream.write(reason == .compressionRatio ? bytes(2_500_000) : Self.chunks(80))
            await #expect { try await stream.finish() } throws: { ($0 as? RPCError)?.limitReason == reason }
        }
    }

    @Test("a request that cannot be decompressed ends its call with INTERNAL, which observers see as the client's fault")
    func damaged() async throws {
        let codes = EndedCodes(), taken = Counter()
        try await withUpload(observers: [codes]) { requests in
            for try await _ in requests { taken.increment() }
            return 0
        } _: { server, _ in
            let peer = try RawPeer(server.path)
            let small: [UInt8] = [1, 0, 0, 0, 2, 7, 7]
            let large: [UInt8] = [1, 0, 0, 8, 0] + [UInt8](repeating: 7, count: 2048)
            await peer.send(RawHTTP2.preface)
            for (index, message) in [small, large].enumerated() {
                let id = UInt32(2 * index + 1)
                await peer.send(RawHTTP2.open(id, "/" + Self.upload.path, encoding: "gzip") + RawHTTP2.data(id, message))
                #expect(await peer.readHTTP2Call() == id)
                await codes.count.reaches(index + 1)
            }
            #expect(codes.codes.value == [.invalidArgument, .invalidArgument] && taken.value == 0)
        }
    }

    @Test("a call whose handler ignores a damaged request does not end with OK, whether it is decompressed on the loop or not", arguments: [2, 2048])
    func ignored(_ byteCount: Int) async throws {
        let codes = EndedCodes()
        try await withUpload(observers: [codes]) { requests in
            do { for try await _ in requests {} } catch {}
            return 1
        } _: { server, _ in
            let peer = try RawPeer(server.path)
            let message: [UInt8] = [1, 0, 0, UInt8(byteCount >> 8), UInt8(byteCount & 255)] + [UInt8](repeating: 7, count: byteCount)
            await peer.send(RawHTTP2.preface + RawHTTP2.open(1, "/" + Self.upload.path, encoding: "gzip") + RawHTTP2.data(1, message))
            #expect(await peer.readHTTP2Call() == 1)
            await codes.count.reaches(1)
            #expect(codes.codes.value == [.invalidArgument])
        }
    }

    @Test("during a drain, a connection closes after a call of which a request could not be read", .timeLimit(.minutes(5)))
    func drained() async throws {
        var limits = ServerLimits()
        limits.drainedConnectionTimeout = .milliseconds(10)
        // So only the end of the call can close the connection.
        limits.halfSentDrainTimeout = .seconds(3_600)
        let begun = Counter(), codes = EndedCodes()
        try await withUpload(limits: limits, observers: [codes]) { requests in
            begun.increment()
            for try await _ in requests {}
            return 0
        } _: { server, _ in
            let peer = try RawPeer(server.path)
            await peer.send(RawHTTP2.preface + RawHTTP2.open(1, "/" + Self.upload.path, encoding: "gzip"))
            await begun.reaches(1)
            async let isDown: Void = server.server.shutdown(gracePeriod: .seconds(3_600))
            // The first GOAWAY of a drain permits all calls.
            #expect(await peer.readGoAway() == UInt32(Int32.max))
            await peer.send(RawHTTP2.data(1, [1, 0, 0, 8, 0] + [UInt8](repeating: 7, count: 2048)))
            await isDown
            #expect(codes.codes.value == [.invalidArgument])
        }
    }

    @Test("observers see the bytes of requests as they are decompressed")
    func observedBytes() async throws {
        let codes = EndedCodes()
        try await withUpload(observers: [codes]) { requests in
            var count = 0
            for try await _ in requests { count += 1 }
            return count
        } _: { _, channel in
            let stream = channel.clientStream(Self.upload, options: Self.compressed)
            for _ in 0..<3 { try await stream.write(bytes(100_000)) }
            #expect(try await stream.finish().value == "3")
            await codes.count.reaches(1)
            // Each has a tag of one byte, and a length of three.
            #expect(codes.requestByteCount.value == 300_012)
        }
    }

    /// The codes and the bytes of ended calls.
    private final class EndedCodes: CallObserver, MethodObserver {
        let codes = SharedValue<[StatusCode]>([]), requestByteCount = SharedValue(0), count = Counter()

        func observer(of method: RegisteredMethod, loopCount: Int, logger: Logger) -> (any MethodObserver)? { self }

        func callsEnded(_ calls: Span<EndedCall>, from origin: CallOrigin, onLoop loop: Int) {
            for index in calls.indices {
                let call = calls[index]
                codes.change { $0.append(call.code) }
                requestByteCount.change { $0 += call.requestByteCount }
                count.increment()
            }
        }
    }
}
