import RPCCore
import TestHarness
import Testing

@testable import RPCClient

/// From the first response headers on, a hedged call is that attempt (gRFC A6).
@Suite struct HedgeCommitmentTests {
    /// Runs `body` with a hedged call and its server, when two attempts have arrived. Their calls have the ids 1 and 3.
    private func withTwoAttempts(
        _ body: (_ call: Task<String, any Error>, _ peer: RawPeer, _ channel: Channel, _ third: Gate) async throws -> Void
    ) async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        let pauses = Counter(), second = Gate(), third = Gate()
        var configuration = channelConfiguration(directory.socketPath, .grpc)
        configuration.attemptTiming = AttemptTiming(pause: { _ in
            pauses.increment()
            await (pauses.value == 1 ? second : third).wait()
        })
        try await withChannel(configuration) { channel in
            let policy = HedgingPolicy(maximumAttempts: 3, hedgingDelay: .seconds(1), nonFatalStatusCodes: [.unavailable])
            let options = CallOptions(timeout: .seconds(60), executionPolicy: .hedge(policy))
            let call = Task { try await channel.unary(TestMethods.echo, text("x"), options: options).value }
            // The pauses do not end by cancellation.
            defer {
                second.open()
                third.open()
            }
            let peer = try await server.accept()
            await peer.beginHTTP2()
            #expect(await peer.readHTTP2Call() == 1)
            second.open()
            #expect(await peer.readHTTP2Call() == 3)
            try await body(call, peer, channel, third)
        }
    }

    @Test("the other attempts are cancelled at once, and no more follow")
    func others() async throws {
        try await withTwoAttempts { call, peer, channel, third in
            await peer.send(RawHTTP2.begin(3))
            #expect(await peer.readHTTP2End() == .reset(1, code: 8))
            third.open()
            await peer.send(RawHTTP2.finish(3, "first"))
            let first = try await call.value
            #expect(first == "first")
            async let next = channel.call(TestMethods.echo, "x")
            #expect(await peer.readHTTP2Call() == 5)
            await peer.send(RawHTTP2.answer(5))
            let answer = try await next
            #expect(answer == "")
        }
    }

    @Test("an answer that another attempt gets afterwards does not count, and a failure of the attempt is the call's", arguments: [true, false])
    func result(_ succeeds: Bool) async throws {
        try await withTwoAttempts { call, peer, _, third in
            await peer.send(RawHTTP2.begin(3) + RawHTTP2.answer(1))
            third.open()
            await peer.send(succeeds ? RawHTTP2.finish(3, "first") : RawHTTP2.refuse(3))
            let result = await call.result
            #expect((try? result.get()) == (succeeds ? "first" : nil))
            #expect(await code { try result.get() } == (succeeds ? nil : .unavailable))
        }
    }
}
