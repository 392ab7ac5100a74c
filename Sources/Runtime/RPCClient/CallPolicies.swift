import RPCCore
import Synchronization

/// The policies of a channel's methods, from its configuration, and the tokens for its retries.
struct CallPolicies: Sendable {
    private let configurations: [MethodConfiguration.Name: MethodConfiguration]
    let tokens: RetryTokens?

    /// Nil if nothing is configured.
    init?(_ methods: [MethodConfiguration], _ throttling: RetryThrottling?) {
        guard !methods.isEmpty || throttling != nil else { return nil }
        var configurations: [MethodConfiguration.Name: MethodConfiguration] = [:]
        for method in methods {
            for name in method.names where configurations[name] == nil { configurations[name] = method }
        }
        self.configurations = configurations
        tokens = throttling.map(RetryTokens.init)
    }

    /// A call's options, completed by the configuration.
    func applied(to options: CallOptions, service: String, path: String) -> CallOptions {
        guard let found = configurations[.method(path)] ?? configurations[.service(service)] ?? configurations[.all] else { return options }
        var options = options
        if let timeout = found.timeout { options.timeout = min(timeout, options.timeout ?? timeout) }
        if let waits = found.waitForReady { options.waitForReady = waits || options.waitForReady }
        if options.executionPolicy == nil { options.executionPolicy = found.executionPolicy }
        return options
    }
}

/// A channel's tokens. Failures take tokens, and while few are left no call is made again (gRFC A6).
final class RetryTokens: Sendable {
    /// In thousandths of a token.
    private let maximum: Int
    private let gain: Int
    private let left: Mutex<Int>

    init(_ throttling: RetryThrottling) {
        maximum = throttling.maximumTokens * 1000
        // More than all tokens cannot be given back.
        gain = Int((min(throttling.tokenRatio, Double(throttling.maximumTokens)) * 1000).rounded())
        left = Mutex(maximum)
    }

    /// Whether calls may be made again.
    var allowRetries: Bool { left.withLock { $0 > maximum / 2 } }

    func attemptFailed() { left.withLock { $0 = max(0, $0 - 1000) } }

    func callSucceeded() { left.withLock { $0 = min(maximum, $0 + gain) } }
}

/// The clock and the randomness of the pauses between attempts.
struct AttemptTiming: Sendable {
    /// Returns after a number of nanoseconds, or earlier when the task is cancelled.
    var pause: @Sendable (Int64) async -> Void = { try? await Task.sleep(for: .nanoseconds($0)) }
    /// A random factor for a pause: 0.8…1.2.
    var jitter: @Sendable () -> Double = { Double.random(in: 0.8...1.2) }
}

/// A server's instruction for the next attempt, sent with a status (gRFC A6).
enum Pushback: Equatable {
    /// The server said nothing.
    case none
    /// Try again after this number of nanoseconds.
    case after(Int64)
    /// Do not try again.
    case never

    static let metadataKey = "grpc-retry-pushback-ms"

    init(_ error: RPCError) {
        let values = error.trailingMetadata.values(for: Self.metadataKey)
        guard let text = values.first else {
            self = .none
            return
        }
        // A value that cannot be read forbids the retry.
        guard values.count == 1, let milliseconds = Int32(text), milliseconds >= 0 else {
            self = .never
            return
        }
        self = .after(Int64(milliseconds) * 1_000_000)
    }
}

/// Whether a failed call is made again, and after which pause.
struct RetryState {
    private let policy: RetryPolicy
    /// The number of attempts so far.
    private(set) var attempts = 1
    /// Pauses since the last instruction of the server.
    private var growth = 0

    init(_ policy: RetryPolicy) { self.policy = policy }

    /// The pause before the next attempt, nanoseconds; nil if there is no next one.
    /// - Parameter answerHasBegun: whether a part of an answer has come.
    mutating func pause(after error: RPCError, answerHasBegun: Bool, _ tokens: RetryTokens?, _ timing: AttemptTiming) -> Int64? {
        guard !answerHasBegun, error.mayBeMadeAgain else { return nil }
        let pushback = Pushback(error)
        guard pushback != .never, policy.retryableStatusCodes.contains(error.code) else {
            if pushback == .never { tokens?.attemptFailed() }
            return nil
        }
        tokens?.attemptFailed()
        guard tokens?.allowRetries ?? true, attempts < policy.maximumAttempts else { return nil }
        attempts += 1
        if case .after(let nanoseconds) = pushback {
            growth = 0
            return nanoseconds
        }
        var mean = Double(policy.initialBackoff.wholeNanoseconds)
        let longest = Double(policy.maximumBackoff.wholeNanoseconds)
        for _ in 0..<growth where mean < longest { mean *= policy.backoffMultiplier }
        growth += 1
        // Durations of centuries are more than an `Int64` has, but no error.
        return Int64(exactly: (min(mean, longest) * timing.jitter()).rounded()) ?? .max
    }
}

extension RPCError {
    /// Whether another attempt may succeed. An invalid request or answer, found by this side, stays invalid.
    var mayBeMadeAgain: Bool { origin == .peer || code == .unavailable && self != .channelClosed }
}

extension CallOptions {
    /// The options of an attempt after `previous` others.
    func forAttempt(after previous: Int, _ responseMetadata: ResponseMetadata) -> CallOptions {
        var options = self
        options.responseMetadata = responseMetadata
        if previous > 0 { options.metadata.set("\(previous)", for: "grpc-previous-rpc-attempts") }
        return options
    }
}
