import Glibc
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import Synchronization
import Testing

/// Rules for calls of every shape in every protocol: each test runs for every combination.
@Suite struct ShapeTests {
    private static let shapes: [CallShape] = [.unary, .serverStreaming, .clientStreaming, .bidirectionalStreaming]

    /// Runs `body` with a channel to a server whose methods all call `handle`.
    private func with(
        _ wireProtocol: WireProtocol, limits: ServerLimits = ServerLimits(),
        _ handle: @escaping @Sendable (String, CallContext) async throws -> String, _ body: (Channel, TestServer) async throws -> Void
    ) async throws {
        try await withServer(limits: limits) { router in
            ShapeMethods.register(in: &router, handle)
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in try await body(channel, server) }
        }
    }

    @Test("a request is answered, the empty one too", arguments: shapes, WireProtocol.allCases)
    func answer(_ shape: CallShape, _ wireProtocol: WireProtocol) async throws {
        try await with(wireProtocol, { request, _ in "re: \(request)" }) { channel, _ in
            for request in ["", "안녕", String(repeating: "z", count: 1_000_000)] {
                let answer = try await channel.call(shape, request)
                #expect(answer == "re: \(request)")
            }
        }
    }

    @Test("the handler sees its caller, metadata, deadline and method", arguments: shapes, WireProtocol.allCases)
    func context(_ shape: CallShape, _ wireProtocol: WireProtocol) async throws {
        let seen = Mutex<CallContext?>(nil)
        try await with(wireProtocol, { request, context in
            seen.withLock { $0 = context }
            return request
        }) { channel, _ in
            let options = CallOptions(timeout: .seconds(3600), metadata: ["a": "1", "a": "2", "raw-bin": "AAEC"])
            _ = try await channel.call(shape, "", options: options)
            let context = try #require(seen.withLock { $0 })
            #expect(context.peer == PeerCredentials(pid: getpid(), uid: getuid(), gid: getgid()))
            #expect(context.metadata.values(for: "a") == ["1", "2"])
            #expect(context.metadata["raw-bin"] == "AAEC")
            #expect(context.deadline != .never && !context.deadline.hasPassed(at: MonotonicClock.now()))
            #expect(context.method == ShapeMethods.method(shape).path)
        }
    }

    @Test("a failure arrives as it is: code, text and details", arguments: shapes, WireProtocol.allCases)
    func failure(_ shape: CallShape, _ wireProtocol: WireProtocol) async throws {
        let error = RPCError(.alreadyExists, "이미 있음 100%\n", details: [StatusDetail(typeURL: "type.googleapis.com/a.B", value: [1, 0, 255])])
        try await with(wireProtocol, { _, _ in throw error }) { channel, _ in
            await #expect(throws: error) { try await channel.call(shape, "x") }
        }
    }

    @Test("a method that is not served is UNIMPLEMENTED, and the connection lives", arguments: shapes, WireProtocol.allCases)
    func unimplemented(_ shape: CallShape, _ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                #expect(await code { try await channel.call(shape, "x") } == .unimplemented)
                let answer = try await channel.call(TestMethods.echo, "on")
                #expect(answer == "on")
            }
        }
    }

    @Test("a deadline that passes ends the call and cancels its handler", arguments: shapes, WireProtocol.allCases)
    func deadline(_ shape: CallShape, _ wireProtocol: WireProtocol) async throws {
        let started = Gate(), cancelled = Gate()
        try await with(wireProtocol, { request, _ in
            try await waitForCancellation(started: started, heard: cancelled)
            return request
        }) { channel, _ in
            // Usually long enough for the handler to start. On a very busy machine the call may end without it.
            let end = await code { try await channel.call(shape, "x", options: CallOptions(timeout: .milliseconds(100))) }
            #expect(end == .deadlineExceeded)
            let second = Task { await code { try await channel.call(shape, "x", options: CallOptions(timeout: .seconds(3600))) } }
            await started.wait()
            second.cancel()
            #expect(await second.value == .cancelled)
            await cancelled.wait()
        }
    }

    @Test("a cancelled caller cancels its handler, and the connection lives", arguments: shapes, WireProtocol.allCases)
    func cancellation(_ shape: CallShape, _ wireProtocol: WireProtocol) async throws {
        let started = Gate(), cancelled = Gate()
        try await with(wireProtocol, { request, _ in
            guard request == "wait" else { return request }
            try await waitForCancellation(started: started, heard: cancelled)
            return request
        }) { channel, _ in
            let call = Task { await code { try await channel.call(shape, "wait") } }
            await started.wait()
            call.cancel()
            #expect(await call.value == .cancelled)
            await cancelled.wait()
            let answer = try await channel.call(shape, "on")
            #expect(answer == "on")
        }
    }

    @Test("a connection that is lost ends the call with UNAVAILABLE", arguments: shapes, WireProtocol.allCases)
    func lostConnection(_ shape: CallShape, _ wireProtocol: WireProtocol) async throws {
        let started = Gate()
        try await with(wireProtocol, { request, _ in
            try await waitForCancellation(started: started)
            return request
        }) { channel, server in
            async let end = code { try await channel.call(shape, "x") }
            await started.wait()
            await server.server.shutdown(gracePeriod: .zero)
            #expect(await end == .unavailable)
        }
    }

    @Test("a request over the server's limit, and an answer over its own, fail their call alone", arguments: shapes, WireProtocol.allCases)
    func limits(_ shape: CallShape, _ wireProtocol: WireProtocol) async throws {
        var limits = ServerLimits()
        limits.maximumMessageByteCount = 1000
        try await with(wireProtocol, limits: limits, { request, _ in
            request == "grow" ? String(repeating: "z", count: 2000) : request
        }) { channel, _ in
            #expect(await code { try await channel.call(shape, String(repeating: "z", count: 2000)) } == .resourceExhausted)
            #expect(await code { try await channel.call(shape, "grow") } == .resourceExhausted)
            let answer = try await channel.call(shape, "on")
            #expect(answer == "on")
        }
    }

    @Test("a drained server finishes what runs", arguments: shapes, WireProtocol.allCases)
    func drain(_ shape: CallShape, _ wireProtocol: WireProtocol) async throws {
        let started = Gate(), release = Gate()
        try await with(wireProtocol, { request, _ in
            started.open()
            await release.wait()
            return request
        }) { channel, server in
            let idle = try RawPeer(server.path)
            await idle.send(RawFrame.request(1, "None").bytes)
            _ = await idle.readFrame()
            async let answer = channel.call(shape, "last")
            await started.wait()
            async let shutdown: Void = server.server.shutdown(gracePeriod: .seconds(1 << 40))
            // The end of an idle connection shows that the drain has begun.
            #expect(await idle.readFrame() == nil)
            release.open()
            let last = try await answer
            #expect(last == "last")
            await shutdown
        }
    }
}
