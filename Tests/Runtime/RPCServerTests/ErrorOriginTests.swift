import Glibc
import ProtobufWellKnownTypes
import RPCClient
import RPCCore
import RPCServer
import TestHarness
import Testing

/// Which side has ended a call, for each way in which a call can end.
@Suite struct ErrorOriginTests {
    private func failure(_ call: () async throws -> some Any) async -> RPCError? {
        await #expect(throws: RPCError.self) { _ = try await call() }
    }

    private func expect(
        _ code: StatusCode, _ origin: RPCError.Origin, _ error: RPCError?, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.origin == origin, "\(String(describing: error))", sourceLocation: sourceLocation)
    }

    @Test("what the server answers is the peer's", arguments: WireProtocol.allCases)
    func answered(_ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.register(TestMethods.echo) { _, _ in throw RPCError(.aborted, "no") }
            router.register(TestMethods.fail) { _, _ in throw CancellationError() }
            router.registerServerStreaming(StreamTests.watch) { request, responses, _ in
                try await responses.write(request)
                throw RPCError(.dataLoss, "no more")
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                expect(.aborted, .peer, await failure { try await channel.call(TestMethods.echo, "") })
                expect(.cancelled, .peer, await failure { try await channel.call(TestMethods.fail, "") })
                expect(.unimplemented, .peer, await failure { try await channel.call(TestMethods.wait, "") })
                expect(
                    .dataLoss, .peer,
                    await failure { for try await _ in channel.serverStream(StreamTests.watch, text("x"), options: CallOptions()) {} })
            }
        }
    }

    @Test("what this side finds wrong with a request is local, and so is an answer that it cannot take", arguments: WireProtocol.allCases)
    func messages(_ wireProtocol: WireProtocol) async throws {
        let other = MethodDescriptor<Bytes, Text>(service: TestMethods.service, method: "EchoBytes", shape: .unary)
        try await withServer { router in
            router.registerSynchronous(TestMethods.echoBytes) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol, maximumMessageByteCount: 10_000) { channel in
                expect(
                    .resourceExhausted, .local,
                    await failure { try await channel.unary(TestMethods.echoBytes, bytes(20_000), options: CallOptions()) })
                var notText = Bytes()
                notText.value = [0xFF]
                expect(.internal, .local, await failure { try await channel.unary(other, notText, options: CallOptions()) })
            }
        }
    }

    @Test("no server, a lost connection, a deadline, a cancelled task and a closed channel are local", arguments: WireProtocol.allCases)
    func thisSide(_ wireProtocol: WireProtocol) async throws {
        let directory = TestDirectory()
        let channel = try Channel(channelConfiguration(directory.socketPath, wireProtocol))
        expect(.unavailable, .local, await failure { try await channel.call(TestMethods.echo, "") })
        let server = try RawServer(directory.socketPath)
        // Nobody answers, so the deadline is local.
        expect(.deadlineExceeded, .local, await failure { try await channel.call(TestMethods.echo, "", timeout: .milliseconds(5)) })
        expect(.deadlineExceeded, .local, await failure { try await channel.call(TestMethods.echo, "", timeout: .zero) })
        let cancelled = Task.immediate { await failure { try await channel.call(TestMethods.echo, "") } }
        cancelled.cancel()
        expect(.cancelled, .local, await cancelled.value)
        // Over gRPC, an unsent call of a lost connection is retried, and nobody accepts the next connection (`RetryTests`).
        if wireProtocol == .ttrpc { try await expectLoss(of: channel, server) }
        await channel.close()
        expect(.unavailable, .local, await failure { try await channel.call(TestMethods.echo, "") })
    }

    /// A unary call and a stream whose connection is lost while they wait.
    private func expectLoss(of channel: Channel, _ server: RawServer) async throws {
        let lost = Task.immediate { await failure { try await channel.call(TestMethods.echo, "") } }
        let stream = Task.immediate {
            await failure { for try await _ in channel.serverStream(StreamTests.watch, text("x"), options: CallOptions()) {} }
        }
        do {
            let peer = try await server.accept()
            // Everything sent so far has arrived: the two calls wait.
            _ = await peer.read(10)
            peer.shutDown(Int32(SHUT_RDWR))
        }
        expect(.unavailable, .local, await lost.value)
        expect(.unavailable, .local, await stream.value)
    }

    @Test("over gRPC a reset is the peer's, metadata that cannot be sent is local")
    func overGRPC() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        let channel = try Channel(channelConfiguration(directory.socketPath, .grpc))
        expect(.invalidArgument, .local, await failure { try await channel.call(TestMethods.echo, "", metadata: ["grpc-x": "1"]) })
        let call = Task.immediate { await failure { try await channel.call(TestMethods.echo, "") } }
        let peer = try await server.accept()
        await peer.beginHTTP2()
        let first = try #require(await peer.readHTTP2Call())
        // Refused twice, because a call that was not begun is retried once.
        await peer.send(RawHTTP2.refuse(first))
        let second = try #require(await peer.readHTTP2Call())
        await peer.send(RawHTTP2.refuse(second))
        expect(.unavailable, .peer, await call.value)
        await channel.close()
    }

    @Test("over ttrpc an envelope that cannot be read, and an answer that is too long, are local")
    func overTTRPC() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        let channel = try Channel(channelConfiguration(directory.socketPath, .ttrpc))
        let malformed = Task.immediate { await failure { try await channel.call(TestMethods.echo, "") } }
        let peer = try await server.accept()
        let first = try #require(await peer.readFrame())
        await peer.send(RawFrame(streamID: first.streamID, kind: 2, flags: 0, data: [0xFF]).bytes)
        expect(.internal, .local, await malformed.value)
        let long = Task.immediate { await failure { try await channel.call(TestMethods.echo, "") } }
        let second = try #require(await peer.readFrame())
        // A header alone, which announces 16 MiB.
        let id = (0..<4).map { UInt8(truncatingIfNeeded: second.streamID >> (24 - 8 * $0)) }
        await peer.send([1, 0, 0, 0] + id + [2, 0])
        expect(.resourceExhausted, .local, await long.value)
        await channel.close()
    }

    @Test("errors are equal by what they say")
    func equality() {
        #expect(RPCError(.aborted, "x", origin: .peer) == RPCError(.aborted, "x"))
        #expect(RPCError(.aborted, "x", origin: .peer, trailingMetadata: ["a": "b"]) == RPCError(.aborted, "x"))
        #expect(RPCError(.aborted, "x") != RPCError(.aborted, "y"))
        var error = RPCError(.aborted, "x", trailingMetadata: ["a": "b"])
        error.details = [StatusDetail(typeURL: "t", value: [1])]
        #expect(error.trailingMetadata == ["a": "b"])
        #expect(error != RPCError(.aborted, "x"))
        #expect(MemoryLayout<RPCError>.size <= 4 * MemoryLayout<Int>.size)
    }
}
