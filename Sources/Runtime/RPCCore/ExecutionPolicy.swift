/// Whether and how a failed call is made again, in gRPC's terms (gRFC A6).
///
///     var options = CallOptions(timeout: .seconds(2))
///     options.executionPolicy = .retry(RetryPolicy(retryableStatusCodes: [.unavailable]))
///
/// A call is made again only as long as nothing of an answer was seen. The server finds the number of earlier attempts in the request's metadata
/// (`grpc-previous-rpc-attempts`), and may say with its status when the next one is welcome (`grpc-retry-pushback-ms`, over gRPC). All attempts
/// share the call's timeout. Client interceptors see one call, however many attempts it takes.
///
/// Calls whose requests are written one by one are made once: what was written is not kept.
public indirect enum ExecutionPolicy: Sendable, Hashable {
    /// The call is made once, whatever the channel's configuration says.
    case once
    /// A call that fails is made again after a pause. For unary and server-streaming calls.
    case retry(RetryPolicy)
    /// Several attempts run at the same time, and the first answer counts. For unary calls; other shapes are made once.
    case hedge(HedgingPolicy)
}

/// How a failed call is made again (gRFC A6, `retryPolicy`).
public struct RetryPolicy: Sendable, Hashable {
    /// Attempts in all, the first included: 2…5. Less counts as 2, more as 5.
    public var maximumAttempts: Int
    /// The mean pause before the second attempt. Each pause is drawn from 0.8 to 1.2 times its mean.
    public var initialBackoff: Duration
    /// The longest mean pause.
    public var maximumBackoff: Duration
    /// How much longer each mean pause is than the one before.
    public var backoffMultiplier: Double
    /// The codes with which a call has to fail in order to be made again. An answer with another code is the caller's.
    public var retryableStatusCodes: Set<StatusCode>

    /// - Precondition: both pauses and the multiplier are greater than 0.
    public init(
        maximumAttempts: Int = 3, initialBackoff: Duration = .milliseconds(50), maximumBackoff: Duration = .seconds(1),
        backoffMultiplier: Double = 2, retryableStatusCodes: Set<StatusCode>
    ) {
        precondition(initialBackoff > .zero && maximumBackoff > .zero && backoffMultiplier > 0, "a back-off is greater than 0")
        self.maximumAttempts = min(max(maximumAttempts, 2), ExecutionPolicy.attemptLimit)
        self.initialBackoff = initialBackoff
        self.maximumBackoff = maximumBackoff
        self.backoffMultiplier = backoffMultiplier
        self.retryableStatusCodes = retryableStatusCodes
    }
}

/// How a call is made several times at once (gRFC A6, `hedgingPolicy`). Only for methods that may be carried out more than once.
public struct HedgingPolicy: Sendable, Hashable {
    /// Attempts in all, the first included: 2…5. Less counts as 2, more as 5.
    public var maximumAttempts: Int
    /// How long after one attempt the next one starts, if none has been answered. Zero: all start at once.
    public var hedgingDelay: Duration
    /// The codes with which an attempt may fail without ending the call. After one of them the next attempt starts at once.
    public var nonFatalStatusCodes: Set<StatusCode>

    public init(maximumAttempts: Int = 3, hedgingDelay: Duration = .zero, nonFatalStatusCodes: Set<StatusCode> = []) {
        self.maximumAttempts = min(max(maximumAttempts, 2), ExecutionPolicy.attemptLimit)
        self.hedgingDelay = hedgingDelay
        self.nonFatalStatusCodes = nonFatalStatusCodes
    }
}

extension ExecutionPolicy {
    /// The most attempts of one call (gRFC A6).
    public static let attemptLimit = 5
}

/// When a channel stops to retry and to hedge because too much fails (gRFC A6, `retryThrottling`).
///
/// A channel has a number of tokens. Each attempt that fails with a retryable code takes one, each call that succeeds gives some back. While half of the
/// tokens or less are left, no call is made again.
public struct RetryThrottling: Sendable, Hashable {
    /// The tokens that a channel has at first, and at most: 1…1000.
    public var maximumTokens: Int
    /// What a success gives back, to three decimals.
    public var tokenRatio: Double

    /// - Precondition: `maximumTokens` is 1…1000, `tokenRatio` greater than 0.
    public init(maximumTokens: Int = 10, tokenRatio: Double = 0.1) {
        precondition((1...1000).contains(maximumTokens) && tokenRatio > 0, "tokens are 1 to 1000, their ratio is greater than 0")
        self.maximumTokens = maximumTokens
        self.tokenRatio = tokenRatio
    }
}

/// What the calls of some methods are made with where their options say nothing else (gRPC's service config).
///
///     var configuration = Channel.Configuration(socketPath: "/run/greeter.sock")
///     configuration.methods = [
///         MethodConfiguration(
///             for: [.service("greeter.v1.Greeter")], timeout: .seconds(5),
///             executionPolicy: .retry(RetryPolicy(retryableStatusCodes: [.unavailable])))
///     ]
public struct MethodConfiguration: Sendable {
    /// Which methods are meant. A method's own entry goes before its service's, and that before the one for all.
    public enum Name: Sendable, Hashable {
        /// Every method.
        case all
        /// Every method of a service, by its full name, for example `greeter.v1.Greeter`.
        case service(String)
        /// One method: `service/method`, as in ``MethodDescriptor/path``.
        case method(String)
    }

    /// Which methods are meant.
    public var names: [Name]
    /// The longest that a call may take. Of this and the call's own timeout the shorter one counts.
    public var timeout: Duration?
    /// Whether calls wait for a server. Nil for what the call says.
    public var waitForReady: Bool?
    /// Whether and how a failed call is made again.
    public var executionPolicy: ExecutionPolicy?

    public init(for names: [Name], timeout: Duration? = nil, waitForReady: Bool? = nil, executionPolicy: ExecutionPolicy? = nil) {
        self.names = names
        self.timeout = timeout
        self.waitForReady = waitForReady
        self.executionPolicy = executionPolicy
    }
}
