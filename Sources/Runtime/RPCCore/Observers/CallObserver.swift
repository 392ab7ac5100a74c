import Logging
import Synchronization

/// An observer of a server's calls, or a limit of its handlers: metrics, a log, a limit.
///
/// A server asks it once for each method, before the first call. Methods without an observer pay nothing.
/// Unlike an interceptor it does not change how calls run: synchronous handlers stay synchronous, and answers come from memory.
///
///     let metrics = CallMetrics()
///     let server = try Server(services: [GreeterService()], observers: [metrics, CallLog()])
///
/// One of your own makes a ``MethodObserver`` for each method:
///
///     struct WarnOfSlowCalls: CallObserver {
///         func observer(of method: RegisteredMethod, loopCount: Int, logger: Logger) -> (any MethodObserver)? {
///             method.shape == .unary ? SlowCalls(logger) : nil
///         }
///     }
public protocol CallObserver: Sendable {
    /// The observer of one method's calls. Default: nil, for none.
    /// - Parameters:
    ///   - loopCount: how many event loops the server has. An observer that keeps figures keeps them once for each, and needs no lock.
    ///   - logger: what to log to, with the method's name among its fields.
    func observer(of method: RegisteredMethod, loopCount: Int, logger: Logger) -> (any MethodObserver)?

    /// The limit of one method's handlers. Default: nil, for none.
    func limit(of method: RegisteredMethod) -> (any HandlerLimit)?
}

extension CallObserver {
    public func observer(of method: RegisteredMethod, loopCount: Int, logger: Logger) -> (any MethodObserver)? { nil }
    public func limit(of method: RegisteredMethod) -> (any HandlerLimit)? { nil }
}

/// An observer of the calls of one method.
///
///     final class SlowCalls: MethodObserver {
///         private let logger: Logger
///         init(_ logger: Logger) { self.logger = logger }
///
///         func callsEnded(_ calls: Span<EndedCall>, from origin: CallOrigin, onLoop loop: Int) {
///             for index in calls.indices where calls[index].duration > .seconds(1) { logger.warning("a slow call") }
///         }
///     }
///
/// Its functions are called on event loops, each of which is one thread at a time. They must neither wait nor block, and must return soon, because
/// all calls of the loop wait meanwhile.
public protocol MethodObserver: AnyObject, Sendable {
    /// Calls have ended. Each call is reported once, whether its handler ran or it was refused before. The calls of one burst are reported together.
    /// - Parameters:
    ///   - calls: at least one, in the order of their ends.
    ///   - origin: where they came from.
    ///   - loop: the number of the event loop, from 0.
    func callsEnded(_ calls: Span<EndedCall>, from origin: CallOrigin, onLoop loop: Int)

    /// A handler did not end at once. A stream, and a call that is handled off the loop, is reported when it begins. Default: nothing.
    func handlerWaits(onLoop loop: Int)

    /// A handler that waited has ended. This may be later than the end of its call, because a handler may ignore its cancellation. Default: nothing.
    func waitingHandlerEnded(onLoop loop: Int)
}

extension MethodObserver {
    public func handlerWaits(onLoop loop: Int) {}
    public func waitingHandlerEnded(onLoop loop: Int) {}
}

/// A limit of the handlers of methods. Called on event loops, as a ``MethodObserver`` is.
///
///     final class Pause: CallObserver, HandlerLimit {
///         let isOn = Atomic<Bool>(false)
///         func limit(of method: RegisteredMethod) -> (any HandlerLimit)? { self }
///         func takePlace() throws(RPCError) {
///             if isOn.load(ordering: .relaxed) { throw RPCError(.unavailable, "paused for maintenance") }
///         }
///         func returnPlace() {}
///     }
public protocol HandlerLimit: AnyObject, Sendable {
    /// Takes a place for a handler that may wait and is about to run. Calls that are answered at once need none. (Memory answers them,
    /// or a synchronous handler on the event loop.)
    /// - Throws: ``RPCError`` if there is none. The call ends with it, and its handler is not run.
    func takePlace() throws(RPCError)

    /// Gives back the place of a handler that has ended.
    func returnPlace()
}

/// A call that has ended.
public struct EndedCall: Sendable, Hashable {
    /// The code that the client got, or would have got.
    public let code: StatusCode
    /// Bytes of its request, or of all its requests so far: messages as they are encoded, before compression, without frames and metadata.
    public let requestByteCount: Int
    /// The same for its responses.
    public let responseByteCount: Int
    /// The time since its request was read, or its stream was opened, nanoseconds. For a call that is answered at once, it ends with the part of the
    /// burst, because the answer is written then.
    public var nanoseconds: Int64

    @inlinable
    public init(code: StatusCode, requestByteCount: Int, responseByteCount: Int, nanoseconds: Int64) {
        self.code = code
        self.requestByteCount = requestByteCount
        self.responseByteCount = responseByteCount
        self.nanoseconds = nanoseconds
    }

    /// ``nanoseconds`` as a duration.
    public var duration: Duration { .nanoseconds(nanoseconds) }
}

extension [any CallObserver] {
    /// All observers of a method as one; nil when nobody observes it.
    func observer(of method: RegisteredMethod, loopCount: Int, logger: Logger) -> (any MethodObserver)? {
        guard !isEmpty else { return nil }
        var logger = logger
        logger[metadataKey: "rpc.method"] = "\(method.path)"
        let observers = compactMap { $0.observer(of: method, loopCount: loopCount, logger: logger) }
        return observers.count > 1 ? ObserverGroup(observers) : observers.first
    }

    /// All limits of a method as one; nil when nothing limits it.
    func limit(of method: RegisteredMethod) -> (any HandlerLimit)? {
        let limits = compactMap { $0.limit(of: method) }
        return limits.count > 1 ? LimitGroup(limits) : limits.first
    }
}

/// Several observers of a method.
private final class ObserverGroup: MethodObserver {
    private let observers: [any MethodObserver]

    init(_ observers: [any MethodObserver]) { self.observers = observers }

    func callsEnded(_ calls: Span<EndedCall>, from origin: CallOrigin, onLoop loop: Int) {
        for observer in observers { observer.callsEnded(calls, from: origin, onLoop: loop) }
    }

    func handlerWaits(onLoop loop: Int) {
        for observer in observers { observer.handlerWaits(onLoop: loop) }
    }

    func waitingHandlerEnded(onLoop loop: Int) {
        for observer in observers { observer.waitingHandlerEnded(onLoop: loop) }
    }
}

/// Several limits of a method: a handler has a place of each.
private final class LimitGroup: HandlerLimit {
    private let limits: [any HandlerLimit]

    init(_ limits: [any HandlerLimit]) { self.limits = limits }

    func takePlace() throws(RPCError) {
        for (index, limit) in limits.enumerated() {
            do throws(RPCError) {
                try limit.takePlace()
            } catch {
                for limit in limits[..<index] { limit.returnPlace() }
                throw error
            }
        }
    }

    func returnPlace() {
        for limit in limits { limit.returnPlace() }
    }
}

/// Limits how many handlers run at the same time. Over it: `RESOURCE_EXHAUSTED`. Use it if a handler needs something limited, such as a database.
///
///     let database = ConcurrencyLimit(limit: 20) { $0.hasPrefix("greeter.v1.Greeter/") }
///     let server = try Server(services: [GreeterService()], observers: [database])
///
/// It counts handlers that may wait, of all its methods together. Calls that are answered at once never count. The server's own limits
/// (``RPCServer/ServerLimits`` in `RPCServer`) also hold without it.
public final class ConcurrencyLimit: CallObserver, HandlerLimit {
    private let limit: Int
    private let includes: @Sendable (String) -> Bool
    private let running = Atomic<Int>(0)
    private let refusal: RPCError

    /// - Parameters:
    ///   - limit: the most handlers at the same time.
    ///   - includes: which methods (`service/method`) count. Default: all.
    public init(limit: Int, includes: @escaping @Sendable (String) -> Bool = { _ in true }) {
        self.limit = limit
        self.includes = includes
        refusal = .limitReached(.handlers, "\(limit) calls are already running")
    }

    /// Itself for a method that counts.
    public func limit(of method: RegisteredMethod) -> (any HandlerLimit)? { includes(method.path) ? self : nil }

    public func takePlace() throws(RPCError) {
        guard running.wrappingAdd(1, ordering: .relaxed).newValue > limit else { return }
        running.wrappingSubtract(1, ordering: .relaxed)
        throw refusal
    }

    public func returnPlace() { running.wrappingSubtract(1, ordering: .relaxed) }
}
