import Glibc
import RPCCore
import SocketTransport
import TestHarness
import Testing

@testable import RPCClient

/// Calls over gRPC that are made again without a policy, because no handler can have seen them (gRFC A6, “transparent retries”).
@Suite struct TransparentRetryTests {
    /// Accepts a connection and loses it, before the client knows that it may send calls.
    private static func lose(_ server: RawServer) async throws {
        let lost = try await server.accept()
        lost.shutDown(Int32(SHUT_RDWR))
    }

    @Test("a call that never leaves is made again until it is answered; the pauses grow until a server answers")
    func neverLeaves() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        let loop = try EventLoop(label: "test")
        let connection = LoopBound(ChannelConnection(channelConfiguration(directory.socketPath, .grpc), loop), to: loop)
        @Sendable func meanPause() async -> Double {
            await withCheckedContinuation { continuation in
                loop.execute { continuation.resume(returning: connection.value.backoff.mean) }
            }
        }
        let serving = Task {
            var pauses: [Double] = []
            for _ in 0..<4 {
                let lost = try await server.accept()
                pauses.append(await meanPause())
                lost.shutDown(Int32(SHUT_RDWR))
            }
            let peer = try await server.accept()
            await peer.beginHTTP2()
            await peer.send(RawHTTP2.answer(try #require(await peer.readHTTP2Call())))
            return (pauses, peer)
        }
        let answer: Result<Text, RPCError> = await withCheckedContinuation { continuation in
            loop.execute {
                let call = OutboundCall(
                    continuation, TestMethods.echo.responseCodec, loop: loop, responseMetadata: nil, whenBegun: nil)
                connection.value.start(call, deadline: .never, waitForReady: true) { (wire, timeout) throws(RPCError) in
                    try wire.send(text("x"), to: TestMethods.echo, timeout: timeout, options: CallOptions())
                }
            }
        }
        // If the call has failed, nobody connects again.
        #expect(throws: Never.self) { try answer.get() }
        if case .success = answer {
            let (pauses, _) = try await serving.value
            let first = Double(Backoff.first)
            // The second attempt waits for nothing.
            #expect(pauses == [first, first, first * Backoff.growth, first * Backoff.growth * Backoff.growth])
            #expect(await meanPause() == first)
        }
        loop.execute { connection.value.close() }
        await loop.stop()
    }

    @Test(
        "a call that waits for no server fails when a second server says nothing before it closes; one that was greeted is made again each time",
        arguments: [false, true])
    func silentServers(saysSo: Bool) async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        try await withChannel(to: directory.socketPath, .grpc) { channel in
            let call = Task { await code { try await channel.call(TestMethods.echo, "x") } }
            for _ in 0..<2 { try await Self.lose(server) }
            #expect(await call.value == .unavailable)
            let patient = Task { await code { try await channel.call(TestMethods.echo, "x") } }
            for _ in 0..<3 {
                let full = try await server.accept()
                // The server takes no calls, and goes. It may say both at once.
                await full.beginHTTP2(RawHTTP2.settings(streams: 0) + (saysSo ? RawHTTP2.goAway(last: 0) : []))
                full.shutDown(Int32(SHUT_RDWR))
            }
            let peer = try await server.accept()
            await peer.beginHTTP2()
            await peer.send(RawHTTP2.answer(try #require(await peer.readHTTP2Call())))
            #expect(await patient.value == nil)
        }
    }

    @Test("a few bytes that are no HTTP/2 are no greeting")
    func fewBytes() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        try await withChannel(to: directory.socketPath, .grpc) { channel in
            let call = Task { await code { try await channel.call(TestMethods.echo, "x") } }
            for _ in 0..<2 {
                let peer = try await server.accept()
                await peer.send(Array("ERROR\r\n".utf8))
                peer.shutDown(Int32(SHUT_RDWR))
            }
            #expect(await call.value == .unavailable)
        }
    }

    @Test("a call that never left is still made again once when its server refuses it")
    func refusedLater() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        try await withChannel(to: directory.socketPath, .grpc) { channel in
            let serving = Task {
                try await Self.lose(server)
                let peer = try await server.accept()
                await peer.beginHTTP2()
                #expect(await peer.readHTTP2Call() == 1)
                await peer.send(RawHTTP2.refuse(1))
                #expect(await peer.readHTTP2Call() == 3)
                await peer.send(RawHTTP2.answer(3))
                return peer
            }
            let end = await code { try await channel.call(TestMethods.echo, "x") }
            #expect(end == nil)
            if end == nil { _ = try await serving.value }
        }
    }

    @Test("a call that never leaves fails when nobody listens any more, and waits for a server if it shall", arguments: [true, false])
    func nobodyListens(_ waits: Bool) async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        try await withChannel(to: directory.socketPath, .grpc) { channel in
            let options = CallOptions(waitForReady: waits)
            let call = Task { await code { try await channel.unary(TestMethods.echo, text("x"), options: options) } }
            let lost = try await server.accept()
            // The next attempts find no socket.
            unlink(directory.socketPath)
            lost.shutDown(Int32(SHUT_RDWR))
            guard waits else {
                #expect(await call.value == .unavailable)
                return
            }
            let next = try RawServer(directory.socketPath)
            let peer = try await next.accept()
            await peer.beginHTTP2()
            await peer.send(RawHTTP2.answer(try #require(await peer.readHTTP2Call())))
            #expect(await call.value == nil)
        }
    }
}
