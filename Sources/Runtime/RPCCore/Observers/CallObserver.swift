import Logging

/// Something that hears of a server's calls, or limits them: metrics, a log, a limit.
///
/// A server asks it once for each method, so what it does for a method is decided before the first call. Methods that nobody observes pay nothing.
/// Unlike an interceptor it stands in nobody's way: synchronous handlers stay synchronous, and answers come from memory.
///
///     let metrics = CallMetrics()
///     let server = try Server(services: [Greeter()], observers: [metrics, CallLog()])
public protocol CallObserver: Sendable {
    /// What hears of one method's calls. Default: nil, for nobody.
    /// - Parameters:
    ///   - loopCount: how many event loops the server has. An observer that keeps figures keeps them once for each, and needs no lock.
    ///   - logger: what to log to, with the method's name among its fields.
    func observer(of method: RegisteredMethod, loopCount: Int, logger: Logger) -> (any MethodObserver)?

    /// What limits one method's handlers. Default: nil, for nothing.
    func limit(of method: RegisteredMethod) -> (any HandlerLimit)?
}

extension CallObserver {
    public func observer(of method: RegisteredMethod, loopCount: Int, logger: Logger) -> (any MethodObserver)? { nil }
    public func limit(of method: RegisteredMethod) -> (any HandlerLimit)? { nil }
}

/// What hears of the calls of one method.
///
/// Everything is called on event loops, each of which is one thread at a time. It must neither wait nor block, and returns soon: whatever it takes, all
/// calls of the loop wait for.
public protocol MethodObserver: AnyObject, Sendable {
    /// Calls have ended: each is told of once, however it ended, and whether it had a handler or was refused before. Those of one burst come together.
    /// - Parameters:
    ///   - calls: at least one, in the order of their ends.
    ///   - origin: where they came from.
    ///   - loop: the number of the event loop, from 0.
    func callsEnded(_ calls: Span<EndedCall>, from origin: CallOrigin, onLoop loop: Int)

    /// A handler did not end at once, and waits for something. Default: nothing.
    func handlerWaits(onLoop loop: Int)

    /// A handler that waited has ended. This may be later than the end of its call: a handler need not hear its cancellation. Default: nothing.
    func waitingHandlerEnded(onLoop loop: Int)
}

extension MethodObserver {
    public func handlerWaits(onLoop loop: Int) {}
    public func waitingHandlerEnded(onLoop loop: Int) {}
}

/// What limits the handlers of methods. Called on event loops, as a ``MethodObserver`` is.
public protocol HandlerLimit: AnyObject, Sendable {
    /// Takes a place for a handler that may wait and is about to run. Synchronous handlers and answers from memory need none: they end before the next
    /// call begins.
    /// - Throws: ``RPCError`` where there is none. The call ends with it, and its handler is not run.
    func takePlace() throws(RPCError)

    /// Gives the place of a handler back that has ended.
    func returnPlace()
}

/// A call that has ended.
public struct EndedCall: Sendable, Hashable {
    /// How it ended, as its client was told, or would have been.
    public let code: StatusCode
    /// Bytes of its request, or of all its requests so far: messages as they are encoded, before compression, without frames and metadata.
    public let requestByteCount: Int
    /// The same for its responses.
    public let responseByteCount: Int
    /// Since its request was read, or its stream opened, nanoseconds. A call that is answered at once ends with the burst that it came in: its answer
    /// is written then.
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
