import Dispatch
import Glibc
import RPCClient
import RPCCore
import RPCServer
import Testing

/// How the cancellation of a call reaches the other side and all work for the call.
@Suite struct CancellationTests {
    /// How a caller cancels a stream.
    enum Way: CaseIterable {
        case taskCancelled, streamCancelled, deadline, connectionLost
    }

    /// Registers handlers that report when they have started, and how their reading ends.
    private static func register(_ router: inout Router, started: Gate, ended: Gate, code: SharedValue<StatusCode?>) {
        @Sendable func read(_ requests: MessageStream<Text>) async throws {
            started.open()
            do { for try await _ in requests {} } catch {
                code.set(error.code)
                ended.open()
                throw error
            }
        }
        router.registerServerStreaming(StreamTests.watch) { _, responses, _ in
            started.open()
            do {
                while true {
                    try await responses.write(text("x"))
                    await Task.yield()
                }
            } catch let error as RPCError {
                code.set(error.code)
                ended.open()
                throw error
            }
        }
        router.registerClientStreaming(StreamTests.upload) { requests, _ in
            try await read(requests)
            return text("")
        }
        router.registerBidirectionalStreaming(StreamTests.chat) { requests, _, _ in try await read(requests) }
    }

    @Test("whatever a caller waits for, giving it up ends the call on both sides: the handler's next read or write throws",
        arguments: [CallShape.serverStreaming, .clientStreaming, .bidirectionalStreaming], Way.allCases)
    func givingUp(_ shape: CallShape, _ way: Way) async throws {
        let started = Gate(), ended = Gate(), serverCode = SharedValue<StatusCode?>(nil)
        try await withServer { router in
            Self.register(&router, started: started, ended: ended, code: serverCode)
        } _: { server in
            try await withChannel(to: server.path) { channel in
                let options = CallOptions(timeout: way == .deadline ? .milliseconds(30) : nil)
                let (wait, cancel) = Self.call(shape, channel, options)
                let caller = Task { await code { try await wait() } }
                if way != .deadline { await started.wait() }
                switch way {
                case .taskCancelled: caller.cancel()
                case .streamCancelled: cancel()
                case .connectionLost: await channel.close()
                case .deadline: break
                }
                let expected: StatusCode = switch way {
                case .taskCancelled, .streamCancelled: .cancelled
                case .deadline: .deadlineExceeded
                case .connectionLost: .unavailable
                }
                #expect(await caller.value == expected)
                // On a busy machine the deadline may pass before the server has read the request: then no handler starts.
                if way != .deadline {
                    await ended.wait()
                    #expect(serverCode.value == .cancelled)
                }
            }
        }
    }

    /// A call that never ends by itself.
    private static func call(
        _ shape: CallShape, _ channel: Channel, _ options: CallOptions
    ) -> (wait: @Sendable () async throws -> Void, cancel: @Sendable () -> Void) {
        switch shape {
        case .clientStreaming:
            let stream = channel.clientStream(StreamTests.upload, options: options)
            return ({ for index in 0... { try await stream.write(text("\(index)")) } }, { stream.cancel() })
        case .serverStreaming:
            let stream = channel.serverStream(StreamTests.watch, text("x"), options: options)
            return ({ for try await _ in stream {} }, { stream.cancel() })
        default:
            let stream = channel.bidirectionalStream(StreamTests.chat, options: options)
            return ({ for try await _ in stream.responses {} }, { stream.cancel() })
        }
    }

    @Test("a deadline that passes while a stream's handler reads ends the call on both sides, from the server alone too")
    func deadlineAtServer() async throws {
        let started = Gate(), ended = Gate(), serverCode = SharedValue<StatusCode?>(nil)
        try await withServer { router in
            Self.register(&router, started: started, ended: ended, code: serverCode)
        } _: { server in
            let peer = try RawPeer(server.path)
            _ = try await peer.letExpire(onceStarted: started) { RawFrame.open($0, "Chat", timeout: 20_000_000) }
            await ended.wait()
            #expect(serverCode.value == .deadlineExceeded)
        }
    }

    @Test("a connection that closes cancels its own calls alone, also when their tasks run calls of others by now")
    func tasksOfOthers() async throws {
        let count = 40
        let own = Counter(), freed = Gate(), others = Counter(), cancelled = Counter(), end = Gate()
        let blocked = Gate(), unblock = DispatchSemaphore(value: 0)
        try await withServer(loopCount: 1) { router in
            // The first cancellation frees all of them, so that their tasks are free for other calls.
            router.register(TestMethods.text("Own")) { request, _ in
                own.increment()
                await withTaskCancellationHandler { await freed.wait() } onCancel: { freed.open() }
                return request
            }
            router.register(TestMethods.text("Other")) { request, _ in
                others.increment()
                await withTaskCancellationHandler { await end.wait() } onCancel: { cancelled.increment() }
                return request
            }
            router.registerSynchronous(TestMethods.text("Block")) { request, _ in
                blocked.open()
                unblock.wait()
                return request
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            func requests(_ method: String) -> [UInt8] { (1...count).flatMap { RawFrame.request(UInt32($0 * 2 + 1), method, text: "x").bytes } }
            let closing = try RawPeer(server.path), other = try RawPeer(server.path), third = try RawPeer(server.path)
            for peer in [other, third] {
                await peer.send(RawFrame.request(1, "Echo", text: "x").bytes)
                #expect(await peer.readFrame() == .response(1, "x"))
            }
            await closing.send(requests("Own"))
            await own.reaches(count)
            // While the loop is busy, one connection closes and another one calls. The loop sees both in one turn.
            await third.send(RawFrame.request(3, "Block", text: "x").bytes)
            await blocked.wait()
            closing.shutDown(Int32(SHUT_RDWR))
            await other.send(requests("Other"))
            unblock.signal()
            #expect(await third.readFrame() == .response(3, "x"))
            await others.reaches(count)
            for id in (0..<UInt32(2 * count)).map({ 5 + 2 * $0 }) {
                await third.send(RawFrame.request(id, "Echo", text: "x").bytes)
                #expect(await third.readFrame() == .response(id, "x"))
            }
            #expect(cancelled.value == 0)
            end.open()
            for _ in 0..<count { #expect(await other.readFrame()?.statusCode == 0) }
        }
    }

    @Test("Cancel ends a call without an answer; the id stays used up and the connection serves on")
    func cancelFrame() async throws {
        let started = Gate(), ended = Gate()
        try await withServer { router in
            Self.register(&router, started: started, ended: ended, code: SharedValue<StatusCode?>(nil))
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.open(1, "Chat").bytes)
            await started.wait()
            await peer.send(RawFrame.cancel(1).bytes + RawFrame.request(3, "Echo", text: "x").bytes)
            #expect(await peer.readFrame() == .response(3, "x"))
            await ended.wait()
        }
    }

    @Test("what a handler's own tasks still read and write when it has ended is told so, and waits for nothing", arguments: WireProtocol.allCases)
    func outlivedHandler(_ wireProtocol: WireProtocol) async throws {
        let release = Gate(), done = Counter(), failed = Counter()
        try await withServer { router in
            router.registerBidirectionalStreaming(StreamTests.chat) { requests, responses, _ in
                Task {
                    do { for try await _ in requests {} } catch { failed.increment() }
                    done.increment()
                }
                Task {
                    await release.wait()
                    do { while true { try await responses.write(text("late")) } } catch { failed.increment() }
                    done.increment()
                }
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let chat = channel.bidirectionalStream(StreamTests.chat, options: CallOptions())
                for try await _ in chat.responses {}
                release.open()
                await done.reaches(2)
                #expect(failed.value == 2)
            }
        }
    }

    @Test("a stream that is dropped on the loop before the loop has seen it is never called", arguments: WireProtocol.allCases)
    func droppedUnseen(_ wireProtocol: WireProtocol) async throws {
        let called = Counter()
        try await withServer { router in
            router.registerServerStreaming(StreamTests.watch) { _, _, _ in called.increment() }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                await Task(executorPreference: channel.executor) {
                    // The stream is opened on another thread while this one, the loop's, is blocked, and dropped here.
                    let stream = SharedValue<ServerStream<Text>?>(nil)
                    OtherThread.run { stream.set(channel.serverStream(StreamTests.watch, text("x"), options: CallOptions())) }
                    stream.set(nil)
                }.value
                let answer = try await channel.call(TestMethods.echo, "x")
                #expect(answer == "x")
                #expect(called.value == 0)
            }
        }
    }
}
