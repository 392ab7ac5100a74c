import Glibc
import RPCCore
import RPCServer
import RPCTesting
import SocketTransport
import Synchronization
import TestHarness
import Testing

@testable import RPCClient

/// Retries and hedges (gRFC A6), with the tests' own clock and random numbers.
@Suite struct RetryTests {
    /// Records the pauses in nanoseconds, without waiting.
    private final class Pauses: Sendable {
        let all = Mutex<[Int64]>([])

        var timing: AttemptTiming {
            AttemptTiming(pause: { pause in self.all.withLock { $0.append(pause) } }, jitter: { 1 })
        }
    }

    /// Answers each call by its number, from 0, according to a script. Records the number of earlier attempts in the metadata.
    private struct Scripted: RPCService {
        let calls: SharedValue<[String]>
        let answer: @Sendable (Int, CallContext) async throws -> Void

        func register(on router: inout Router) {
            router.register(TestMethods.echo) { [self] request, context in
                try await take(context)
                return request
            }
            router.registerServerStreaming(StreamTests.watch) { [self] request, responses, context in
                let number = try await take(context)
                try await responses.write(text("\(number)"))
                if request.value == "break" { throw RPCError(.unavailable, "in the middle") }
            }
        }

        @discardableResult
        private func take(_ context: CallContext) async throws -> Int {
            calls.change { $0.append(context.metadata["grpc-previous-rpc-attempts"] ?? "-") }
            let number = calls.value.count - 1
            try await answer(number, context)
            return number
        }
    }

    private static let milliseconds: Int64 = 1_000_000
    private static let retry = ExecutionPolicy.retry(
        RetryPolicy(
            maximumAttempts: 4, initialBackoff: .milliseconds(10), maximumBackoff: .milliseconds(35), backoffMultiplier: 2,
            retryableStatusCodes: [.unavailable]))

    /// Runs `body` with a server that answers according to a script.
    private func with(
        _ wireProtocol: WireProtocol = .grpc, timing: AttemptTiming, throttling: RetryThrottling? = nil, methods: [MethodConfiguration] = [],
        answer: @escaping @Sendable (Int, CallContext) async throws -> Void, _ body: (Channel, SharedValue<[String]>) async throws -> Void
    ) async throws {
        let calls = SharedValue<[String]>([])
        let server = try Server(services: [Scripted(calls: calls, answer: answer)], logger: silentLogger)
        let socket = InProcessSocket()
        server.start(on: socket)
        var configuration = Channel.Configuration(target: .inProcess(socket))
        configuration.wireProtocol = wireProtocol
        configuration.attemptTiming = timing
        configuration.retryThrottling = throttling
        configuration.methods = methods
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await withChannel(configuration) { try await body($0, calls) })
        } catch {
            outcome = .failure(error)
        }
        await server.shutdown(gracePeriod: .zero)
        try outcome.get()
    }

    private func options(_ policy: ExecutionPolicy = retry, timeout: Duration? = nil) -> CallOptions {
        CallOptions(timeout: timeout, executionPolicy: policy)
    }

    private func unavailable(_ pushback: String? = nil, _ context: CallContext) -> RPCError {
        if let pushback { context.responseMetadata?.trailing.append(pushback, for: "grpc-retry-pushback-ms") }
        return RPCError(.unavailable, "not now")
    }

    // MARK: Retries

    @Test("a call is made again after pauses that grow, and says how often it was made before", arguments: WireProtocol.allCases)
    func retries(_ wireProtocol: WireProtocol) async throws {
        let pauses = Pauses()
        try await with(wireProtocol, timing: pauses.timing) { number, context in
            if number < 3 { throw unavailable(context) }
        } _: { channel, calls in
            let answer = try await channel.unary(TestMethods.echo, text("x"), options: options()).value
            #expect(answer == "x")
            #expect(calls.value == ["-", "1", "2", "3"])
        }
        #expect(pauses.all.withLock { $0 } == [10, 20, 35].map { $0 * Self.milliseconds })
    }

    private func unavailable(_ context: CallContext) -> RPCError { unavailable(nil, context) }

    @Test("the last failure is the caller's, and another code is at once")
    func failures() async throws {
        try await with(timing: Pauses().timing) { number, context in
            throw number < 4 ? unavailable(context) : RPCError(.aborted, "no")
        } _: { channel, calls in
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: options()) } == .unavailable)
            #expect(calls.value.count == 4)
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: options()) } == .aborted)
            #expect(calls.value.count == 5)
        }
    }

    @Test("without a policy, and with `once`, a call is made once")
    func once() async throws {
        let all = MethodConfiguration(for: [.all], executionPolicy: Self.retry)
        try await with(timing: Pauses().timing, methods: [all]) { _, context in
            throw unavailable(context)
        } _: { channel, calls in
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: options(.once)) } == .unavailable)
            #expect(calls.value.count == 1)
            // The configuration for all methods.
            #expect(await code { try await channel.call(TestMethods.echo, "x") } == .unavailable)
            #expect(calls.value.count == 5)
        }
    }

    @Test("an answer that has begun is not asked for again")
    func begun() async throws {
        try await with(timing: Pauses().timing) { _, context in
            context.responseMetadata?.initial.append("1", for: "x-begun")
            throw unavailable(context)
        } _: { channel, calls in
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: options()) } == .unavailable)
            #expect(calls.value.count == 1)
        }
    }

    @Test("the server says when, and the pauses begin from the first one again")
    func pushback() async throws {
        let pauses = Pauses()
        try await with(timing: pauses.timing) { number, context in
            if number < 3 { throw number == 1 ? unavailable("7", context) : unavailable(context) }
        } _: { channel, _ in
            _ = try await channel.unary(TestMethods.echo, text("x"), options: options())
        }
        #expect(pauses.all.withLock { $0 } == [10, 7, 10].map { $0 * Self.milliseconds })
    }

    @Test("the server says no", arguments: ["-1", "soon", ""])
    func pushbackNo(_ value: String) async throws {
        try await with(timing: Pauses().timing) { _, context in
            throw unavailable(value, context)
        } _: { channel, calls in
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: options()) } == .unavailable)
            #expect(calls.value.count == 1)
        }
    }

    @Test("while half of the tokens or less are left nothing is made again; successes give some back")
    func throttling() async throws {
        let fails = SharedValue(true)
        try await with(timing: Pauses().timing, throttling: RetryThrottling(maximumTokens: 4, tokenRatio: 0.5)) { _, context in
            if fails.value { throw unavailable(context) }
        } _: { channel, calls in
            func attempts() async -> Int {
                let before = calls.value.count
                _ = await code { try await channel.unary(TestMethods.echo, text("x"), options: options()) }
                return calls.value.count - before
            }
            // 4 → 3, again → 2: half.
            #expect(await attempts() == 2)
            #expect(await attempts() == 1)
            fails.set(false)
            for _ in 0..<5 { #expect(await attempts() == 1) }
            fails.set(true)
            // 1 + 2.5 − 1 = 2.5, again → 1.5.
            #expect(await attempts() == 2)
        }
    }

    @Test("any ratio of tokens is possible: more than all tokens are never given back")
    func largestRatio() async throws {
        let fails = SharedValue(true)
        try await with(timing: Pauses().timing, throttling: RetryThrottling(maximumTokens: 4, tokenRatio: .infinity)) { _, context in
            if fails.value { throw unavailable(context) }
        } _: { channel, calls in
            _ = await code { try await channel.unary(TestMethods.echo, text("x"), options: options()) }
            #expect(calls.value.count == 2)
            fails.set(false)
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: options()) } == nil)
            fails.set(true)
            _ = await code { try await channel.unary(TestMethods.echo, text("x"), options: options()) }
            #expect(calls.value.count == 5)
        }
    }

    @Test("no pause outlasts the call's time, or its task")
    func endsInPause() async throws {
        let hour = ExecutionPolicy.retry(
            RetryPolicy(initialBackoff: .seconds(3600), maximumBackoff: .seconds(3600), retryableStatusCodes: [.unavailable]))
        let longest = SharedValue<Int64>(0)
        let pausing = Gate()
        let timing = AttemptTiming(
            pause: { pause in
                longest.set(pause)
                guard pause > 900 * 1_000 * Self.milliseconds else { return }
                pausing.open()
                try? await waitForCancellation()
            }, jitter: { 1 })
        try await with(timing: timing) { _, context in
            throw unavailable(context)
        } _: { channel, calls in
            #expect(
                await code { try await channel.unary(TestMethods.echo, text("x"), options: options(hour, timeout: .seconds(900))) }
                    == .deadlineExceeded)
            #expect(longest.value <= 900 * 1_000 * Self.milliseconds)
            let call = Task { await code { try await channel.unary(TestMethods.echo, text("x"), options: options(hour)) } }
            await pausing.wait()
            call.cancel()
            #expect(await call.value == .cancelled)
            #expect(calls.value.count == 2)
        }
    }

    @Test("a channel without a server is tried again, and what this side finds wrong is not")
    func local() async throws {
        let pauses = Pauses()
        var configuration = Channel.Configuration(socketPath: TestDirectory().socketPath)
        configuration.attemptTiming = pauses.timing
        try await withChannel(configuration) { channel in
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: options()) } == .unavailable)
            #expect(pauses.all.withLock { $0.count } == 3)
        }
        try await with(timing: pauses.timing) { _, _ in } _: { channel, _ in
            let large = ExecutionPolicy.retry(RetryPolicy(retryableStatusCodes: [.resourceExhausted]))
            #expect(await code { try await channel.unary(TestMethods.echoBytes, bytes(5 << 20), options: options(large)) } == .resourceExhausted)
            #expect(pauses.all.withLock { $0.count } == 3)
        }
    }

    @Test("a stream is made again until its first response", arguments: WireProtocol.allCases)
    func streams(_ wireProtocol: WireProtocol) async throws {
        try await with(wireProtocol, timing: Pauses().timing) { number, context in
            if number < 2 { throw unavailable(context) }
        } _: { channel, calls in
            var values: [String] = []
            for try await response in channel.serverStream(StreamTests.watch, text("x"), options: options()) { values.append(response.value) }
            #expect(values == ["2"])
            #expect(calls.value == ["-", "1", "2"])
            let end = await code {
                for try await response in channel.serverStream(StreamTests.watch, text("break"), options: options()) {
                    values.append(response.value)
                }
            }
            #expect(end == .unavailable)
            #expect(values == ["2", "3"])
            #expect(calls.value.count == 4)
        }
    }

    @Test("a stream is not made again after a response that came before its connection was lost, and is read afterwards")
    func unreadResponse() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        let pauses = Pauses()
        var configuration = channelConfiguration(directory.socketPath, .ttrpc)
        configuration.attemptTiming = pauses.timing
        try await withChannel(configuration) { channel in
            let stream = channel.serverStream(StreamTests.watch, text("x"), options: options())
            do {
                let peer = try await server.accept()
                let id = try #require(await peer.readFrame()).streamID
                await peer.send(RawFrame.data(id, "1").bytes)
                peer.shutDown(Int32(SHUT_RDWR))
                // Nothing but the loss ends a connection that is read to its end.
                #expect(await peer.readFrame() == nil)
            }
            var read: [String] = []
            let end = await code { for try await message in stream { read.append(message.value) } }
            // It is read first, as before a failure that the server sends.
            #expect(end == .unavailable && read == ["1"])
            #expect(pauses.all.withLock { $0.isEmpty })
        }
    }

    @Test("a stream that is cancelled does not wait for its next attempt")
    func streamCancelledInPause() async throws {
        let pausing = Gate()
        let timing = AttemptTiming(pause: { _ in
            pausing.open()
            try? await waitForCancellation()
        })
        try await with(timing: timing) { _, context in
            throw unavailable("2147483647", context)
        } _: { channel, calls in
            let stream = channel.serverStream(StreamTests.watch, text("x"), options: options())
            let reading = Task { await code { for try await _ in stream {} } }
            await pausing.wait()
            stream.cancel()
            #expect(await reading.value == .cancelled)
            #expect(calls.value.count == 1)
        }
    }

    @Test("over gRPC a call that never left a lost connection is made again without a policy")
    func neverLeft() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        let channel = try Channel(channelConfiguration(directory.socketPath, .grpc))
        let first = Task.immediate { try await channel.call(TestMethods.echo, "") }
        let lost = try await server.accept()
        await lost.beginHTTP2()
        await lost.send(RawHTTP2.answer(try #require(await lost.readHTTP2Call())))
        _ = try await first.value
        // In one turn of the loop, so the call is sent before the loop reads its socket.
        let call = Task(executorPreference: channel.executor) {
            lost.shutDown(Int32(SHUT_RDWR))
            return try await channel.call(TestMethods.echo, "")
        }
        let fresh = try await server.accept()
        await fresh.beginHTTP2()
        await fresh.send(RawHTTP2.answer(try #require(await fresh.readHTTP2Call())))
        _ = try await call.value
        await channel.close()
    }

    @Test("over gRPC a call that waits for its turn is made again when its connection is lost, although others were sent there")
    func neverLeftTheQueue() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        try await withChannel(to: directory.socketPath, .grpc) { channel in
            let running = Task.immediate { await code { try await channel.call(TestMethods.echo, "") } }
            let lost = try await server.accept()
            await lost.beginHTTP2(RawHTTP2.settings(streams: 1))
            #expect(await lost.readHTTP2Call() == 1)
            let waiting = Task.immediate { try await channel.call(TestMethods.echo, "") }
            // An answer to the ping, so something is written after the second call.
            await lost.send(RawHTTP2.ping)
            await lost.readPingAnswer()
            lost.shutDown(Int32(SHUT_RDWR))
            let fresh = try await server.accept()
            await fresh.beginHTTP2()
            await fresh.send(RawHTTP2.answer(try #require(await fresh.readHTTP2Call())))
            #expect(try await waiting.value == "")
            #expect(await running.value == .unavailable, "it was sent")
        }
    }

    // MARK: Hedges

    private static func hedge(_ count: Int = 3, delay: Duration = .milliseconds(50)) -> ExecutionPolicy {
        .hedge(HedgingPolicy(maximumAttempts: count, hedgingDelay: delay, nonFatalStatusCodes: [.unavailable]))
    }

    @Test("a deadline that passed long ago ends a hedged call at once")
    func longAgo() async throws {
        try await with(timing: Pauses().timing) { _, _ in } _: { channel, _ in
            let past = options(Self.hedge(), timeout: .seconds(-63_000_000_000))
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: past) } == .deadlineExceeded)
        }
    }

    @Test("the first answer counts, and the other attempts are cancelled", arguments: WireProtocol.allCases)
    func hedges(_ wireProtocol: WireProtocol) async throws {
        let heard = Gate()
        try await with(wireProtocol, timing: Pauses().timing) { number, _ in
            if number == 0 { try await waitForCancellation(heard: heard) }
        } _: { channel, calls in
            let answer = try await channel.unary(TestMethods.echo, text("x"), options: options(Self.hedge(2))).value
            #expect(answer == "x")
            await heard.wait()
            #expect(calls.value.count == 2)
        }
    }

    @Test("an attempt that fails harmlessly starts the next one at once; a fatal failure is the call's")
    func hedgeFailures() async throws {
        // No delay ends by itself.
        let timing = AttemptTiming(pause: { _ in try? await waitForCancellation() })
        try await with(timing: timing) { number, context in
            if number % 3 < 2 { throw number < 3 ? unavailable(context) : RPCError(.aborted, "no") }
        } _: { channel, calls in
            _ = try await channel.unary(TestMethods.echo, text("x"), options: options(Self.hedge()))
            #expect(calls.value == ["-", "1", "2"])
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: options(Self.hedge())) } == .aborted)
            #expect(calls.value.count == 4)
        }
    }

    @Test("when all attempts fail, the last failure is the call's", arguments: [Duration.zero, .milliseconds(50)])
    func allHedgesFail(_ delay: Duration) async throws {
        try await with(timing: Pauses().timing) { _, context in
            throw unavailable(context)
        } _: { channel, calls in
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: options(Self.hedge(delay: delay))) } == .unavailable)
            #expect(calls.value.count == 3)
        }
    }

    @Test("a server that says no gets no more hedges")
    func hedgePushback() async throws {
        let timing = AttemptTiming(pause: { _ in try? await waitForCancellation() })
        try await with(timing: timing) { _, context in
            throw unavailable("-1", context)
        } _: { channel, calls in
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: options(Self.hedge())) } == .unavailable)
            #expect(calls.value.count == 1)
        }
    }

    @Test("a hedged call ends at its deadline, however long the server wants it to wait")
    func hedgeDeadline() async throws {
        let pauses = Pauses()
        try await with(timing: pauses.timing) { _, context in
            throw unavailable("\(Int32.max)", context)
        } _: { channel, calls in
            let limited = options(Self.hedge(delay: .seconds(3600)), timeout: .seconds(900))
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: limited) } == .deadlineExceeded)
            #expect(calls.value.count == 1)
        }
        #expect(pauses.all.withLock { $0.allSatisfy { $0 <= 900 * 1_000 * Self.milliseconds } })
    }

    @Test("a hedged call that waits as the server wants ends with its task")
    func hedgeCancelledInPause() async throws {
        let pausing = Gate()
        let timing = AttemptTiming(pause: { pause in
            if pause == Int64(Int32.max) * Self.milliseconds { pausing.open() }
            try? await waitForCancellation()
        })
        try await with(timing: timing) { _, context in
            throw unavailable("\(Int32.max)", context)
        } _: { channel, calls in
            let call = Task { await code { try await channel.unary(TestMethods.echo, text("x"), options: options(Self.hedge())) } }
            await pausing.wait()
            call.cancel()
            #expect(await call.value == .cancelled)
            #expect(calls.value.count == 1)
        }
    }

    @Test("if throttling forbids the next attempt while it is waited for, the last failure is the call's")
    func hedgeThrottledMeanwhile() async throws {
        let channel = SharedValue<Channel?>(nil)
        let timing = AttemptTiming(pause: { pause in
            // The pause that the server has asked for: another call fails meanwhile, and uses a token.
            guard pause == 500 * Self.milliseconds else { return _ = try? await waitForCancellation() }
            _ = try? await channel.value?.unary(TestMethods.echo, text("x"), options: CallOptions(executionPolicy: Self.retry))
        })
        try await with(timing: timing, throttling: RetryThrottling(maximumTokens: 4)) { number, context in
            throw unavailable(number == 0 ? "500" : "-1", context)
        } _: { hedged, calls in
            channel.set(hedged)
            #expect(await code { try await hedged.unary(TestMethods.echo, text("x"), options: options(Self.hedge())) } == .unavailable)
            #expect(calls.value.count == 2)
            channel.set(nil)
        }
    }

    // MARK: Policies

    @Test("a method's own configuration goes before its service's, and that before the one for all")
    func names() {
        let policies = CallPolicies(
            [
                MethodConfiguration(for: [.all], timeout: .seconds(3)), MethodConfiguration(for: [.service("a.B")], timeout: .seconds(2)),
                MethodConfiguration(for: [.method("a.B/C")], timeout: .seconds(1), waitForReady: true),
            ], nil)
        func timeout(_ service: String, _ method: String, _ own: Duration? = nil) -> Duration? {
            policies?.applied(to: CallOptions(timeout: own), service: service, path: service + "/" + method).timeout
        }
        #expect(timeout("a.B", "C") == .seconds(1))
        #expect(timeout("a.B", "D") == .seconds(2))
        #expect(timeout("a.X", "C") == .seconds(3))
        #expect(timeout("a.B", "C", .milliseconds(5)) == .milliseconds(5))
        #expect(timeout("a.B", "C", .seconds(9)) == .seconds(1))
        #expect(CallPolicies([], nil) == nil)
    }

    @Test("attempts are two to five")
    func limits() {
        #expect(RetryPolicy(maximumAttempts: 9, retryableStatusCodes: []).maximumAttempts == 5)
        #expect(RetryPolicy(maximumAttempts: 0, retryableStatusCodes: []).maximumAttempts == 2)
        #expect(HedgingPolicy(maximumAttempts: 9).maximumAttempts == 5)
        var retry = RetryPolicy(retryableStatusCodes: [])
        retry.maximumAttempts = 100
        #expect(retry.maximumAttempts == 5)
        var hedge = HedgingPolicy()
        hedge.maximumAttempts = 1
        #expect(hedge.maximumAttempts == 2)
    }
}
