import RPCCore
import RPCServer
import Testing

@testable import RPCClient

/// The tokens that successful calls give back to a channel's retries (gRFC A6).
@Suite struct RetryTokenTests {
    @Test(
        "a call that succeeds gives tokens back once, whatever its shape and its policy",
        arguments: [CallShape.unary, .clientStreaming, .serverStreaming, .bidirectionalStreaming], [true, false])
    func successes(_ shape: CallShape, _ isRetried: Bool) async throws {
        let fails = SharedValue(true), calls = Counter()
        try await withServer { router in
            ShapeMethods.register(in: &router) { request, _ in
                calls.increment()
                if fails.value { throw RPCError(.unavailable, "not now") }
                return request
            }
        } _: { server in
            var configuration = channelConfiguration(server.path, .grpc)
            configuration.retryThrottling = RetryThrottling(maximumTokens: 6, tokenRatio: 1)
            configuration.attemptTiming = AttemptTiming(pause: { _ in })
            try await withChannel(configuration) { channel in
                let policy = RetryPolicy(maximumAttempts: 5, retryableStatusCodes: [.unavailable])
                let retried = CallOptions(executionPolicy: .retry(policy))
                func attempts() async -> Int {
                    let before = calls.value
                    #expect(await code { try await channel.call(.unary, "x", options: retried) } == .unavailable)
                    return calls.value - before
                }
                // 6 → 5, again → 4, again → 3: half.
                #expect(await attempts() == 3)
                fails.set(false)
                for _ in 0..<2 {
                    let answer = try await channel.call(shape, "x", options: isRetried ? retried : CallOptions())
                    #expect(answer == "x")
                }
                fails.set(true)
                // 3 + 2 = 5 → 4, again → 3.
                #expect(await attempts() == 2)
            }
        }
    }
}
