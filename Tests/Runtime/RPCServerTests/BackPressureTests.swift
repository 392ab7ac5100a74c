import Glibc
import RPCClient
import RPCCore
import SocketTransport
import TestHarness
import Testing

@testable import RPCServer

/// A slow reader blocks only what is sent to it. Budgets limit what peers without windows may leave unread.
@Suite struct BackPressureTests {
    private static let long = text(String(repeating: "x", count: 100_000))

    @Test("a handler that writes to a client of another make waits while that does not read; everything arrives in order")
    func writerToForeignClient() async throws {
        let written = Counter()
        try await withServer { router in
            router.registerServerStreaming(StreamTests.watch) { _, responses, _ in
                for number in 0..<300 {
                    try await responses.write(text("\(number) " + Self.long.value))
                    written.increment()
                }
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Watch").bytes)
            for number in 0..<300 {
                let frame = await peer.readFrame()
                // At any time at most the sockets' buffers and half a MiB before them are filled, far less than all 30
                // MB.
                #expect(written.value - number < 100)
                #expect(frame == .data(1, "\(number) " + Self.long.value))
            }
            #expect(await peer.readFrame() == .close(1))
        }
    }

    @Test("a client that takes nothing of its output for the timeout is closed on, and its handlers are cancelled")
    func unreadOutputTimeout() async throws {
        var limits = ServerLimits()
        limits.unreadOutputTimeout = .milliseconds(20)
        let cancelled = Gate()
        try await withServer(limits: limits) { router in
            router.registerServerStreaming(StreamTests.watch) { _, responses, _ in
                do { while true { try await responses.write(Self.long) } } catch {
                    cancelled.open()
                    throw error
                }
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Watch").bytes)
            await cancelled.wait()
            while await peer.readFrame() != nil {}
        }
    }

    @Test("a stream that ends while it waits for output to be read waits no longer")
    func endedStreams() async throws {
        let ended = Counter()
        try await withServer(loopCount: 1) { router in
            router.registerServerStreaming(StreamTests.watch) { request, responses, _ in
                while request.value == "fill" { try await responses.write(Self.long) }
                defer { ended.increment() }
                try await responses.write(text("x"))
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Watch", text: "fill").bytes)
            let loop = server.server.loops[0]
            @Sendable func waiting() async -> Int {
                await withCheckedContinuation { continuation in
                    loop.execute {
                        let connections = server.server.shared.connections(of: loop).compactMap { $0 as? ServerConnection }
                        continuation.resume(returning: connections.reduce(0) { $0 + $1.waitingForOutput.count })
                    }
                }
            }
            while await waiting() == 0 { try Task.checkCancellation() }
            // Long enough for all handlers to begin.
            for id in 1...100 { await peer.send(RawFrame.request(UInt32(2 * id + 1), "Watch", timeout: 500_000_000).bytes) }
            await until { ended.value == 100 }
            #expect(await waiting() == 1)
        }
    }

    @Test("a gRPC client whose unread answers close its connection is told so, if its socket has room")
    func unreadAnswersReason() async throws {
        var limits = ServerLimits()
        limits.unreadOutputTimeout = .milliseconds(20)
        try await withServer(limits: limits) { router in
            router.registerSynchronous(TestMethods.echo) { _, _ in text("never read") }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawHTTP2.closedPreface + RawHTTP2.call(1, "/test.v1.TestService/Echo"))
            #expect(await peer.readGoAwayReasons() == ["unread_answers"])
        }
    }

    @Test("a stream that its client does not read is ended for itself, while the others of the connection go on")
    func unreadStream() async throws {
        let started = Counter(), release = Gate(), cancelled = Gate()
        var limits = ServerLimits()
        limits.unreadOutputTimeout = .milliseconds(20)
        try await withServer(limits: limits) { router in
            router.registerServerStreaming(StreamTests.watch) { _, responses, _ in
                do { while true { try await responses.write(Self.long) } } catch {
                    cancelled.open()
                    throw error
                }
            }
            router.registerWait(until: release, started)
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(
                RawHTTP2.closedPreface + RawHTTP2.call(1, "/\(TestMethods.service)/Wait") + RawHTTP2.call(3, "/\(TestMethods.service)/Watch"))
            await cancelled.wait()
            while let frame = await peer.readHTTP2Frame(), frame.kind != 3 || frame.id != 3 {}
            await peer.send(RawHTTP2.window(1, 1_000))
            release.open()
            #expect(await peer.readHTTP2Call() == 1)
        }
    }

    @Test("such a stream ends also while its client takes much of others")
    func neglectedStream() async throws {
        let cancelled = Gate(), started = Counter(), release = Gate()
        var limits = ServerLimits()
        // The client must read what the socket holds within this time, also on a busy machine.
        limits.unreadOutputTimeout = .milliseconds(200)
        try await withServer(limits: limits) { router in
            router.registerServerStreaming(StreamTests.watch) { _, responses, _ in
                do { while true { try await responses.write(Self.long) } } catch {
                    cancelled.open()
                    throw error
                }
            }
            router.registerWait(until: release, started)
            router.registerSynchronous(TestMethods.echo) { _, _ in text(String(repeating: "x", count: 2 * UnreadOutputWatch.progressByteCount)) }
        } _: { server in
            let peer = try RawPeer(server.path)
            // With a call that waits, the connection stays, however slow this client is.
            await peer.send(
                RawHTTP2.closedPreface + RawHTTP2.window(0, 1 << 30) + RawHTTP2.call(1, "/\(TestMethods.service)/Watch")
                    + RawHTTP2.call(3, "/\(TestMethods.service)/Wait"))
            var isReset = false
            for id in sequence(first: 5 as UInt32, next: { $0 + 2 }) where !isReset {
                await peer.send(RawHTTP2.call(id, "/\(TestMethods.service)/Echo") + RawHTTP2.window(id, 1 << 20))
                while true {
                    let frame = try #require(await peer.readHTTP2Frame())
                    if frame.kind == 3, frame.id == 1 { isReset = true }
                    if isReset || frame.id == id && frame.endsStream { break }
                }
                if isReset { break }
            }
            await cancelled.wait()
            release.open()
        }
    }

    @Test("a request whose rest could not come while the client read nothing is not late when the server reads again")
    func lateAfterPause() async throws {
        var limits = ServerLimits()
        limits.unfinishedTimeout = .seconds(6)
        try await withServer(limits: limits) { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in
                request.value.isEmpty ? text(String(repeating: "x", count: 3 << 20)) : text("whole")
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            let long = RawFrame.request(9, "Echo", text: String(repeating: "y", count: 2 << 20)).bytes
            // The answers are more than a client may leave unread before the server stops reading.
            let requests = (0..<4).flatMap { RawFrame.request(1 + 2 * $0, "Echo").bytes }
            await peer.send(requests + long.prefix(64))
            let rest = Task { await peer.send(Array(long.dropFirst(64))) }
            // The pause is longer than a request may be unfinished: another client is late meanwhile.
            let late = try RawPeer(server.path)
            await late.send(Array(long.prefix(64)))
            #expect(await late.readFrame() == nil)
            for _ in 0..<4 { #expect(await peer.readFrame()?.statusCode == 0) }
            #expect(await rest.value)
            #expect(await peer.readFrame()?.statusCode == 0)
        }
    }

    @Test("what a handler keeps until its answer was sent is there until the client opens its window")
    func keptUntilSent() async throws {
        final class Place: Sendable {
            let end: Gate
            init(_ end: Gate) { self.end = end }
            deinit { end.open() }
        }
        let answered = Gate(), freed = Gate()
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { _, context in
                context.keepUntilSent(Place(freed))
                answered.open()
                return text("kept")
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawHTTP2.closedPreface + RawHTTP2.call(1, "/\(TestMethods.service)/Echo"))
            await answered.wait()
            for _ in 0..<4 { await server.server.takeTurns() }
            #expect(!freed.isOpen)
            await peer.send(RawHTTP2.window(1, 1_000))
            #expect(await peer.readHTTP2Call() == 1)
            await freed.wait()
        }
    }

    @Test("a gRPC client whose user holds too much memory is told so, if its socket has room")
    func memoryReason() async throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCountPerUser = 64 << 10
        try await withServer(limits: limits) { router in
            router.registerClientStreaming(StreamTests.upload) { _, _ in
                try await waitForCancellation()
                return text("")
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            let message = [0, 0, 0, 0x30, 0x03, 0x0A, 0x80, 0x60] + [UInt8](repeating: 0x61, count: 12_288)
            // A call whose message has arrived in part is ended first. The others keep what they have.
            let calls = (0..<30).map { UInt32(2 * $0 + 1) }.flatMap { RawHTTP2.open($0, "/test.v1.TestService/Upload") + RawHTTP2.data($0, message) }
            await peer.send(RawHTTP2.preface + calls)
            #expect(await peer.readGoAwayReasons() == ["memory_of_user"])
        }
    }

    @Test("a client that has ended its own half gets the answers that are ready, however long they are")
    func halfClosedClient() async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { _, _ in text(String(repeating: "x", count: 4_000_000)) }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Echo").bytes)
            peer.shutDown(Int32(SHUT_WR))
            // The server reads the end of the input while most of the answer waits.
            for _ in 0..<4 { await server.server.takeTurns() }
            #expect(await peer.readFrame()?.data.count ?? 0 > 4_000_000)
            #expect(await peer.readFrame() == nil)
        }
    }

    @Test("a client that lets a byte at a time come is closed on; one for which nothing waits is not")
    func narrowWindow() async throws {
        let started = Counter(), release = Gate()
        var limits = ServerLimits()
        limits.unreadOutputTimeout = .milliseconds(20)
        try await withServer(limits: limits) { router in
            router.registerServerStreaming(StreamTests.watch) { _, responses, _ in
                while true { try await responses.write(Self.long) }
            }
            router.registerWait(until: release, started)
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            let idle = try RawPeer(server.path), narrow = try RawPeer(server.path)
            await idle.send(RawHTTP2.preface + RawHTTP2.call(1, "/\(TestMethods.service)/Wait"))
            await narrow.send(RawHTTP2.closedPreface + RawHTTP2.call(1, "/\(TestMethods.service)/Watch") + RawHTTP2.window(1, 1))
            while true {
                let header = await narrow.read(9)
                guard header.count == 9 else { break }
                let count = Int(header[1]) << 8 | Int(header[2])
                #expect(header[3] != 0 || count == 1)
                _ = await narrow.read(count)
                if header[3] == 0 { await narrow.send(RawHTTP2.window(1, 1)) }
            }
            // Its first call has sent nothing all the time.
            await idle.send(RawHTTP2.call(3, "/\(TestMethods.service)/Echo"))
            #expect(await idle.readHTTP2Call() == 3)
            release.open()
        }
    }

    @Test("a writer is ready while there is room; without room, what is handed over waits, and its writer goes on", arguments: [true, false])
    func readiness(_ isOnLoop: Bool) async throws {
        let seen = SharedValue<[Bool]>([]), stopped = Gate()
        try await withServer { router in
            router.registerServerStreaming(StreamTests.watch) { _, responses, _ in
                // Also if the handler fails.
                defer { stopped.open() }
                try await withTaskExecutorPreference(isOnLoop ? nil : globalConcurrentExecutor) {
                    try await responses.waitUntilReady()
                    var states = [await responses.isReady]
                    try await responses.handOver(Self.long)
                    states.append(await responses.isReady)
                    // The client's window is closed, and an earlier message waits for it.
                    try await responses.handOver(Self.long)
                    states.append(await responses.isReady)
                    seen.set(states)
                    stopped.open()
                    try await responses.waitUntilReady()
                    seen.set(seen.value + [await responses.isReady])
                }
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawHTTP2.closedPreface + RawHTTP2.call(1, "/\(TestMethods.service)/Watch"))
            await stopped.wait()
            #expect(seen.value == [true, false, false])
            await peer.send(RawHTTP2.window(1, 1 << 20) + RawHTTP2.window(0, 1 << 20))
            #expect(await peer.readHTTP2Call() == 1)
            #expect(seen.value == [true, false, false, true])
        }
    }

    @Test("output that begins to wait has the whole timeout, however long ago the watch began")
    func unreadOutputWatch() async throws {
        let loop = try EventLoop(label: "test")
        let timeout: Int64 = 60_000_000
        let waited = await withCheckedContinuation { (continuation: CheckedContinuation<Int64, Never>) in
            loop.execute {
                let watch = UnreadOutputWatch(timeout: timeout)
                let begun = SharedValue<Int64>(.max)
                func giveUp() { continuation.resume(returning: MonotonicClock.now() - begun.value) }
                // Output waits and then is written: the timer stays.
                watch.wrote(0, waiting: 1, on: ConnectionExecutor(on: loop), giveUp: giveUp)
                watch.wrote(1, waiting: 0, on: ConnectionExecutor(on: loop), giveUp: giveUp)
                _ = loop.schedule(at: MonotonicClock.now() + timeout * 2 / 3) {
                    begun.set(MonotonicClock.now())
                    watch.wrote(0, waiting: 1, on: ConnectionExecutor(on: loop), giveUp: giveUp)
                }
                // Holds the watch until then.
                _ = loop.schedule(at: MonotonicClock.now() + 3_600_000_000_000) { withExtendedLifetime(watch) {} }
            }
        }
        #expect(waited >= timeout, "given up too early")
        await loop.stop()
    }

    @Test("half-received requests do not make their user full: from half of the memory on they are dropped, and whole requests are answered")
    func halfReceivedRequests() async throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCountPerUser = 4 << 20
        try await withServer(limits: limits) { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peers = try (0..<6).map { _ in try RawPeer(server.path) }
            // A frame of 1 MiB without its last byte, on each connection.
            let frame = [0, 0x10, 0, 0, 0, 0, 0, 1, 1, 0] + [UInt8](repeating: 0x0A, count: (1 << 20) - 1)
            for peer in peers { await peer.send(frame) }
            // The first of them fill half of the memory, so the last one is refused.
            #expect(await peers[5].readFrame()?.statusCode == 8)
            let other = try RawPeer(server.path)
            await other.send(RawFrame.request(1, "Echo").bytes)
            #expect(await other.readFrame()?.statusCode == 0)
            #expect(server.server.users.map(\.heldByteCount).max() ?? 0 < 3 << 20)
        }
    }

    @Test("what still waits after a give-up has the whole timeout again")
    func unreadAfterGiveUp() async throws {
        let loop = try EventLoop(label: "test")
        let timeout: Int64 = 50_000_000
        let last = LoopBound(UnreadOutputWatch(timeout: timeout), to: loop)
        let times = SharedValue<[Int64]>([]), second = Gate()
        @Sendable func giveUp() {
            times.set(times.value + [MonotonicClock.now()])
            guard times.value.count == 1 else { return second.open() }
            last.value.wrote(0, waiting: 100_000, on: ConnectionExecutor(on: loop), giveUp: giveUp)
        }
        loop.execute { last.value.wrote(0, waiting: 100_000, on: ConnectionExecutor(on: loop), giveUp: giveUp) }
        await second.wait()
        #expect(times.value[1] - times.value[0] >= timeout)
        await loop.stop()
    }

    @Test("the streams of a connection share a budget: the message that does not fit ends its own call; a call that ends gives its part back")
    func connectionBudget() async throws {
        var limits = ServerLimits()
        limits.maximumQueuedByteCountPerConnection = 100_000
        let started = Counter()
        try await withServer(limits: limits) { router in
            router.registerClientStreaming(StreamTests.upload) { _, _ in
                started.increment()
                try await waitForCancellation()
                return text("")
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            // More than each stream's own budget; two of them are more than the shared budget.
            let message = String(repeating: "x", count: 150_000)
            await peer.send(RawFrame.open(1, "Upload").bytes + RawFrame.open(3, "Upload").bytes)
            await peer.send(RawFrame.data(1, message).bytes + RawFrame.data(3, message).bytes)
            let refusal = await peer.readFrame()
            #expect(refusal?.streamID == 3 && refusal?.statusCode == 8)
            #expect(server.server.refusals.map(\.limit) == [.queuedPerConnection])
            await peer.send(RawFrame.cancel(1).bytes + RawFrame.open(5, "Upload").bytes)
            await peer.send(RawFrame.data(5, message).bytes + RawFrame.request(7, "Echo", text: "y").bytes)
            #expect(await peer.readFrame() == .response(7, "y"), "stream 5 has room again")
        }
    }

    @Test("a caller's requests wait while its handler does not read; a stream beside it runs at full speed", arguments: WireProtocol.allCases)
    func oneStreamWaits(_ wireProtocol: WireProtocol) async throws {
        let read = Gate()
        try await withServer { router in
            router.registerClientStreaming(StreamTests.upload) { requests, _ in
                await read.wait()
                var count = 0
                for try await _ in requests { count += 1 }
                return text("\(count)")
            }
            router.registerBidirectionalStreaming(StreamTests.chat) { requests, responses, _ in
                for try await request in requests { try await responses.write(request) }
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let upload = channel.clientStream(StreamTests.upload, options: CallOptions())
                async let answer: Text = {
                    for _ in 0..<100 { try await upload.write(Self.long) }
                    return try await upload.finish()
                }()
                let chat = channel.bidirectionalStream(StreamTests.chat, options: CallOptions())
                var answers = chat.responses.makeAsyncIterator()
                // Ten times its window.
                for _ in 0..<30 {
                    try await chat.write(Self.long)
                    #expect(try await answers.next()?.value.utf8.count == 100_000)
                }
                chat.finishWriting()
                #expect(try await answers.next() == nil)
                read.open()
                #expect(try await answer.value == "100")
            }
        }
    }

    @Test("at the limit of memory, a stream ends whose handler is far behind; one that keeps up goes on, and memory stays near the limit")
    func streamsAtTheLimit() async throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCountPerUser = 4 << 20
        let begins = Gate(), message = text(String(repeating: "x", count: 10_000))
        try await withServer(limits: limits, loopCount: 1) { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.registerClientStreaming(StreamTests.upload) { requests, context in
                if context.metadata["waits"] != nil { await begins.wait() }
                var count = 0
                for try await _ in requests { count += 1 }
                return text("\(count)")
            }
        } _: { server in
            // Also if something fails, so that the handlers end.
            defer { begins.open() }
            try await withChannel(to: server.path, .grpc) { channel in
                let prompt = channel.clientStream(StreamTests.upload, options: CallOptions())
                let waits = CallOptions(metadata: ["waits": "1"])
                let short = (0..<5).map { _ in channel.clientStream(StreamTests.upload, options: waits) }
                let long = (0..<40).map { _ in channel.clientStream(StreamTests.upload, options: waits) }
                try await prompt.write(message)
                for _ in 0..<5 {
                    for stream in short { try await stream.write(message) }
                }
                // They must have come whole. Half of a message is dropped at the limit.
                await until { server.server.heldByteCount > 25 * 10_000 }
                _ = try await channel.call(TestMethods.echo, "")
                // Forty streams of 200 KB are twice the limit.
                for _ in 0..<20 {
                    for stream in long { try? await stream.write(message) }
                }
                #expect(try await prompt.finish().value == "1")
                await until { server.server.refusals.map(\.limit).contains(.memoryPerUser) }
                #expect(server.server.heldByteCount < 5 << 20)
                begins.open()
                for stream in short { #expect(try await stream.finish().value == "5") }
                var ended = 0
                for stream in long {
                    do { #expect(try await stream.finish().value == "20") } catch {
                        #expect((error as? RPCError)?.limitReason == .userMemory)
                        ended += 1
                    }
                }
                #expect(ended > 0)
            }
        }
    }
}
