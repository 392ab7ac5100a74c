/// Whether and how a failed call is made again, in gRPC's terms (gRFC A6).
///
///     var options = CallOptions(timeout: .seconds(2))
///     options.executionPolicy = .retry(RetryPolicy(retryableStatusCodes: [.unavailable]))
///
/// A call is made again only if no part of an answer has come. The server finds the number of earlier attempts in the request's metadata
/// (`grpc-previous-rpc-attempts`), and may say with its status how long to wait before the next one (`grpc-retry-pushback-ms`, over gRPC). All
/// attempts share the call's timeout. Client interceptors see one call, however many attempts it takes.
///
/// Client-streaming and bidirectional calls are made once, because their requests are not kept.
public indirect enum ExecutionPolicy: Sendable, Hashable {
    /// The call is made once, whatever the channel's configuration says.
    case once
    /// A call that fails is made again after a pause. For unary and server-streaming calls.
    case retry(RetryPolicy)
    /// Several attempts run at the same time, and the first answer counts. Over gRPC, an attempt whose response headers come first is the only one
    /// from then on. For unary calls; other shapes are made once.
    case hedge(HedgingPolicy)
}

/// How a failed call is made again (gRFC A6, `retryPolicy`).
///
///     let policy = RetryPolicy(maximumAttempts: 4, initialBackoff: .milliseconds(100), retryableStatusCodes: [.unavailable])
///     let options = CallOptions(timeout: .seconds(2), executionPolicy: .retry(policy))
///     print(try await greeter.sayHello(HelloRequest(name: "world"), options: options).text)
public struct RetryPolicy: Sendable, Hashable {
    /// The number of attempts, the first included: 2…5. Less counts as 2, more as 5.
    public var maximumAttempts: Int { didSet { maximumAttempts = ExecutionPolicy.attempts(maximumAttempts) } }
    /// The mean pause before the second attempt, greater than 0. Each pause is drawn from 0.8 to 1.2 times its mean.
    public var initialBackoff: Duration { didSet { checkBackoff() } }
    /// The longest mean pause, greater than 0.
    public var maximumBackoff: Duration { didSet { checkBackoff() } }
    /// The ratio of a mean pause to the one before, greater than 0.
    public var backoffMultiplier: Double { didSet { checkBackoff() } }
    /// The codes of failures after which a call is made again. A failure with another code ends the call.
    public var retryableStatusCodes: Set<StatusCode>

    /// - Precondition: both pauses and the multiplier are greater than 0.
    public init(
        maximumAttempts: Int = 3, initialBackoff: Duration = .milliseconds(50), maximumBackoff: Duration = .seconds(1),
        backoffMultiplier: Double = 2, retryableStatusCodes: Set<StatusCode>
    ) {
        self.maximumAttempts = ExecutionPolicy.attempts(maximumAttempts)
        self.initialBackoff = initialBackoff
        self.maximumBackoff = maximumBackoff
        self.backoffMultiplier = backoffMultiplier
        self.retryableStatusCodes = retryableStatusCodes
        checkBackoff()
    }

    private func checkBackoff() {
        precondition(initialBackoff > .zero && maximumBackoff > .zero && backoffMultiplier > 0, "a back-off is greater than 0")
    }
}

/// How a call is made several times at once (gRFC A6, `hedgingPolicy`). Only for methods that may be carried out more than once.
///
///     let policy = HedgingPolicy(maximumAttempts: 2, hedgingDelay: .milliseconds(20), nonFatalStatusCodes: [.unavailable])
///     let options = CallOptions(timeout: .seconds(2), executionPolicy: .hedge(policy))
///     print(try await greeter.sayHello(HelloRequest(name: "world"), options: options).text)
public struct HedgingPolicy: Sendable, Hashable {
    /// The number of attempts, the first included: 2…5. Less counts as 2, more as 5.
    public var maximumAttempts: Int { didSet { maximumAttempts = ExecutionPolicy.attempts(maximumAttempts) } }
    /// How long after one attempt the next one starts, if none has been answered or got response headers. Zero: all start at once.
    public var hedgingDelay: Duration
    /// The codes with which an attempt may fail without ending the call. After one of them the next attempt starts at once.
    public var nonFatalStatusCodes: Set<StatusCode>

    /// A policy. Its properties say what the arguments mean, and their limits.
    public init(maximumAttempts: Int = 3, hedgingDelay: Duration = .zero, nonFatalStatusCodes: Set<StatusCode> = []) {
        self.maximumAttempts = ExecutionPolicy.attempts(maximumAttempts)
        self.hedgingDelay = hedgingDelay
        self.nonFatalStatusCodes = nonFatalStatusCodes
    }
}

extension ExecutionPolicy {
    /// The most attempts of one call (gRFC A6).
    public static let attemptLimit = 5

    /// The permitted number of attempts that is nearest to a wanted one.
    fileprivate static func attempts(_ wanted: Int) -> Int { min(max(wanted, 2), attemptLimit) }
}

/// When a channel stops retrying and hedging because too many calls fail (gRFC A6, `retryThrottling`).
///
///     var configuration = Channel.Configuration(socketPath: "/run/greeter.sock")
///     configuration.retryThrottling = RetryThrottling(maximumTokens: 20, tokenRatio: 0.2)
///
/// A channel has a number of tokens. Each attempt that fails with a retryable code takes one, and each successful call gives some back. While half of
/// the tokens or less are left, no call is made again.
public struct RetryThrottling: Sendable, Hashable {
    /// The number of tokens at the start, and the most: 1…1000.
    public var maximumTokens: Int { didSet { checkTokens() } }
    /// The tokens that a success gives back, greater than 0, rounded to three decimals.
    public var tokenRatio: Double { didSet { checkTokens() } }

    /// - Precondition: `maximumTokens` is 1…1000, `tokenRatio` greater than 0.
    public init(maximumTokens: Int = 10, tokenRatio: Double = 0.1) {
        self.maximumTokens = maximumTokens
        self.tokenRatio = tokenRatio
        checkTokens()
    }

    private func checkTokens() {
        precondition((1...1000).contains(maximumTokens) && tokenRatio > 0, "tokens are 1 to 1000, their ratio is greater than 0")
    }
}

/// The default options for the calls of some methods (gRPC's service config).
///
///     var configuration = Channel.Configuration(socketPath: "/run/greeter.sock")
///     configuration.methods = [
///         MethodConfiguration(
///             for: [.service("greeter.v1.Greeter")], timeout: .seconds(5),
///             executionPolicy: .retry(RetryPolicy(retryableStatusCodes: [.unavailable])))
///     ]
public struct MethodConfiguration: Sendable {
    /// The name of one or more methods. A method's own entry has priority over its service's, and that over the one for all.
    public enum Name: Sendable, Hashable {
        /// Every method.
        case all
        /// Every method of a service, by its full name, for example `greeter.v1.Greeter`.
        case service(String)
        /// One method: `service/method`, as in ``MethodDescriptor/path``.
        case method(String)
    }

    /// The methods that this configuration is for. Of two configurations with the same name, the first one in the channel's list counts.
    public var names: [Name]
    /// How long a call may take. If the call has a timeout too, the shorter one counts.
    public var timeout: Duration?
    /// True: calls wait for a server. False and nil change nothing: the call's own option counts.
    public var waitForReady: Bool?
    /// Whether and how a failed call is made again.
    public var executionPolicy: ExecutionPolicy?

    /// What holds for these methods. The properties say what the arguments mean.
    public init(for names: [Name], timeout: Duration? = nil, waitForReady: Bool? = nil, executionPolicy: ExecutionPolicy? = nil) {
        self.names = names
        self.timeout = timeout
        self.waitForReady = waitForReady
        self.executionPolicy = executionPolicy
    }
}
