import Glibc
import ProtobufWellKnownTypes
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import Synchronization
import Testing

/// Calls and how they end, over a real socket.
@Suite struct CallTests {
    private struct Unforeseen: Error { let text = "secret" }

    @Test("ttrpc #51: synchronous and asynchronous handlers answer; empty requests and answers are messages too", arguments: WireProtocol.allCases)
    func answers(_ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.register(TestMethods.wait) { request, _ in
                await Task.yield()
                return request
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                for method in [TestMethods.echo, TestMethods.wait] {
                    for value in ["", "x", "안녕하세요", String(repeating: "z", count: 1_000_000)] {
                        let answer = try await channel.call(method, value)
                        #expect(answer == value)
                    }
                }
            }
        }
    }

    @Test("a handler knows who calls, with what metadata, by when, and what", arguments: [true, false], WireProtocol.allCases)
    func context(_ isSynchronous: Bool, _ wireProtocol: WireProtocol) async throws {
        let seen = Mutex<CallContext?>(nil)
        try await withServer { router in
            if isSynchronous {
                router.registerSynchronous(TestMethods.echo) { request, context in
                    seen.withLock { $0 = context }
                    return request
                }
            } else {
                router.register(TestMethods.echo) { request, context in
                    seen.withLock { $0 = context }
                    return request
                }
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                _ = try await channel.call(TestMethods.echo, "", metadata: ["authorization": "Bearer x", "a": "1", "a": "2"])
                let context = try #require(seen.withLock { $0 })
                #expect(context.peer == PeerCredentials(pid: getpid(), uid: getuid(), gid: getgid()))
                #expect(context.metadata["authorization"] == "Bearer x")
                #expect(context.metadata.values(for: "a") == ["1", "2"])
                #expect(context.deadline == .never)
                #expect(context.method == "test.v1.TestService/Echo")
                _ = try await channel.call(TestMethods.echo, "", timeout: .seconds(3600))
                let deadline = try #require(seen.withLock { $0 }).deadline
                #expect(deadline != .never)
                #expect(!deadline.hasPassed(at: MonotonicClock.now()))
            }
        }
    }

    @Test("an unforeseen error becomes INTERNAL without its text", arguments: [TestMethods.fail, TestMethods.wait], WireProtocol.allCases)
    func unforeseen(_ method: MethodDescriptor<Text, Text>, _ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.fail) { _, _ in throw Unforeseen() }
            router.register(TestMethods.wait) { _, _ in throw Unforeseen() }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                do {
                    _ = try await channel.call(method, "")
                    Issue.record("the call succeeded")
                } catch let error as RPCError {
                    #expect(error.code == .internal)
                    #expect(!error.message.contains("secret") && !error.message.contains("Unforeseen"))
                    #expect(error.details.isEmpty)
                }
            }
        }
    }

    @Test("an RPCError passes as it is: code, text and details", arguments: [TestMethods.fail, TestMethods.wait], WireProtocol.allCases)
    func richError(_ method: MethodDescriptor<Text, Text>, _ wireProtocol: WireProtocol) async throws {
        let error = RPCError(
            .alreadyExists, "이미 있음",
            details: [StatusDetail(typeURL: "type.googleapis.com/a.B", value: [1, 2, 0]), StatusDetail(typeURL: "b", value: [])])
        try await withServer { router in
            router.registerSynchronous(TestMethods.fail) { _, _ in throw error }
            router.register(TestMethods.wait) { _, _ in throw error }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                await #expect(throws: error) { try await channel.call(method, "") }
            }
        }
    }

    @Test("ttrpc #212: what is not served is UNIMPLEMENTED; what does not decode is INVALID_ARGUMENT; the connection serves on")
    func refusedRequests() async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Echo", service: "no.Such").bytes)
            #expect(await peer.readFrame()?.statusCode == 12)
            await peer.send(RawFrame.request(3, "None").bytes)
            #expect(await peer.readFrame()?.statusCode == 12)
            // Field 1 as a string that is not UTF-8.
            let envelope = RawFrame.field(1, Array(TestMethods.service.utf8)) + RawFrame.field(2, Array("Echo".utf8))
                + RawFrame.field(3, RawFrame.field(1, [0xFF]))
            await peer.send(RawFrame(streamID: 5, kind: 1, data: envelope).bytes)
            #expect(await peer.readFrame()?.statusCode == 3)
            await peer.send(RawFrame.request(7, "Echo", text: "x").bytes)
            #expect(await peer.readFrame()?.statusCode == 0)
        }
    }

    @Test("a request that arrives byte by byte is served like any other")
    func byteByByte() async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            for byte in RawFrame.request(1, "Echo", text: "slow").bytes { await peer.send([byte]) }
            let answer = await peer.readFrame()
            #expect(answer?.data == RawFrame.field(2, RawFrame.field(1, Array("slow".utf8))))
        }
    }

    @Test("ttrpc #72, #94, #168: 10,000 calls at once are each answered with their own answer", arguments: [1, 4], WireProtocol.allCases)
    func manyCalls(channelCount: Int, _ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.register(TestMethods.wait) { request, _ in
                await Task.yield()
                return request
            }
        } _: { server in
            let channels = try (0..<channelCount).map { _ in try Channel(channelConfiguration(server.path, wireProtocol)) }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<10_000 {
                    let channel = channels[number % channelCount]
                    // At most as many waiting calls as a connection may run at once.
                    let method = number % 16 == 0 ? TestMethods.wait : TestMethods.echo
                    group.addTask { try await channel.call(method, "\(number)") == "\(number)" }
                }
                var right = 0
                for try await isRight in group where isRight { right += 1 }
                #expect(right == 10_000)
            }
            for channel in channels { await channel.close() }
        }
    }

    @Test("ttrpc #37, #61, #123, #141: a thousand clients that come and go leave no descriptor behind")
    func noDescriptorLeaks() async throws {
        // Counted in a separate process, because other tests open and close descriptors meanwhile.
        await #expect(processExitsWith: .success) {
            func openDescriptors() -> Int {
                guard let directory = opendir("/proc/self/fd") else { return -1 }
                defer { closedir(directory) }
                var count = 0
                while readdir(directory) != nil { count += 1 }
                return count
            }
            let begun = Counter(), ended = Counter()
            try await withServer(limits: ServerLimits()) { router in
                router.registerSynchronous(TestMethods.echo) { request, _ in request }
                router.register(TestMethods.wait) { request, _ in
                    begun.increment()
                    defer { ended.increment() }
                    try await waitForCancellation()
                    return request
                }
            } _: { server in
                func comeAndGo(_ count: Int) async throws {
                    for number in 0..<count {
                        let peer = try RawPeer(server.path)
                        await peer.send(RawFrame.request(1, "Echo").bytes)
                        guard await peer.readFrame() != nil else { exit(3) }
                        guard number % 4 == 0 else { continue }
                        // The server drops a call that it has not read when the client goes.
                        let waiting = begun.value + 1
                        await peer.send(RawFrame.request(3, "Wait").bytes)
                        await begun.reaches(waiting)
                    }
                    for number in 0..<(count / 10) {
                        try await withChannel(to: server.path, number % 2 == 0 ? .ttrpc : .grpc) { channel in
                            _ = try await channel.call(TestMethods.echo, "x")
                        }
                    }
                }
                try await comeAndGo(20)
                await ended.reaches(5)
                let before = openDescriptors()
                try await comeAndGo(1_000)
                await ended.reaches(255)
                // The last descriptors are closed on the loops, and by Dispatch after them, so the test checks repeatedly.
                var rounds = 0
                while openDescriptors() > before + 8, rounds < 1_000 {
                    rounds += 1
                    try await comeAndGo(4)
                    await ended.reaches(255 + rounds)
                }
                if openDescriptors() > before + 8 { exit(4) }
            }
        }
    }

    @Test("an answer that cannot be encoded is the service's failure, told without the encoder's words", arguments: ["Async", "Sync", "Gather"])
    func unencodableAnswer(_ name: String) async throws {
        try await withServer { router in
            router.register(TestMethods.text("Async")) { _, _ in text("a\0b") }
            router.registerSynchronous(TestMethods.text("Sync")) { _, _ in text("a\0b") }
            router.registerClientStreaming(
                MethodDescriptor<Text, Text>(service: TestMethods.service, method: "Gather", shape: .clientStreaming)
            ) { _, _ in text("a\0b") }
        } _: { server in
            try await withChannel(to: server.path) { channel in
                let expected = RPCError(.internal, "the answer could not be encoded")
                if name == "Gather" {
                    let method = MethodDescriptor<Text, Text>(service: TestMethods.service, method: name, shape: .clientStreaming)
                    let stream = channel.clientStream(method, options: CallOptions())
                    await #expect(throws: expected) { try await stream.finish() }
                } else {
                    await #expect(throws: expected) { try await channel.call(TestMethods.text(name), "") }
                }
            }
        }
    }
}
