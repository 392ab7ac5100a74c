import Logging

/// What a handler may know of the call it answers, besides the request.
///
///     func sayHello(_ request: HelloRequest, context: CallContext) async throws -> HelloReply {
///         context.logger.info("greeting", metadata: ["language": "\(context.metadata["accept-language"] ?? "en")"])
///         return HelloReply(text: "Hello, \(request.name)!")
///     }
///
/// Cancellation is the task's: when the caller gives up, goes away, or its deadline passes, the handler's task is cancelled
/// (`Task.isCancelled`, `withTaskCancellationHandler`).
public struct CallContext: Sendable {
    /// What all calls of a method share. One object, because each copy of a context counts its references.
    @usableFromInline
    package final class Target: Sendable {
        @usableFromInline let method: String
        let shape: CallShape
        /// The server's; nil for one that drops everything.
        let logger: Logger?
        /// Who hears of the method's calls; nil for nobody.
        package let observer: (any MethodObserver)?
        /// What limits the method's handlers; nil for nothing.
        package let limit: (any HandlerLimit)?

        init(
            method: String, shape: CallShape, logger: Logger?, observer: (any MethodObserver)? = nil, limit: (any HandlerLimit)? = nil
        ) {
            self.method = method
            self.shape = shape
            self.logger = logger
            self.observer = observer
            self.limit = limit
        }
    }

    @usableFromInline package let target: Target
    /// Where the call comes from.
    public let origin: CallOrigin
    /// The value that was left last; it leads to the earlier ones.
    @usableFromInline var newestValue: LeftValue?

    /// The request's metadata. An interceptor may change it for those behind it.
    public var metadata: Metadata
    /// When the caller stops waiting. Passing it ends the call with `DEADLINE_EXCEEDED` and cancels the handler's task.
    public let deadline: Deadline
    /// Where the response's own metadata is put; nil where the protocol carries none (ttrpc, in-process).
    public let responseMetadata: ResponseMetadata?

    /// A context for calling a handler in-process.
    /// - Parameters:
    ///   - peer: on whose behalf; nil for no credentials.
    ///   - logger: what ``logger`` is made from; nil for one that drops everything.
    public init(
        peer: PeerCredentials?, metadata: Metadata, deadline: Deadline, method: String, shape: CallShape = .unary,
        responseMetadata: ResponseMetadata? = nil, logger: Logger? = nil
    ) {
        self.init(
            origin: peer.map(CallOrigin.local) ?? .inProcess, metadata: metadata, deadline: deadline, method: method, shape: shape,
            responseMetadata: responseMetadata, logger: logger)
    }

    /// The same as if the call came from somewhere else.
    public init(
        origin: CallOrigin, metadata: Metadata, deadline: Deadline, method: String, shape: CallShape = .unary,
        responseMetadata: ResponseMetadata? = nil, logger: Logger? = nil
    ) {
        self.init(
            Target(method: method, shape: shape, logger: logger), origin: origin, metadata: metadata, deadline: deadline,
            responseMetadata: responseMetadata)
    }

    package init(
        _ target: Target, origin: CallOrigin, metadata: Metadata, deadline: Deadline, responseMetadata: ResponseMetadata?
    ) {
        self.target = target
        self.origin = origin
        self.metadata = metadata
        self.deadline = deadline
        self.responseMetadata = responseMetadata
    }

    /// `service/method`.
    @inlinable public var method: String { target.method }

    /// How many messages travel each way.
    public var shape: CallShape { target.shape }

    /// The kernel's word on who calls; nil where there is none: for an in-process call, for one that came through a gateway, and for one
    /// from a uid that has no number here (``CallOrigin``).
    @inlinable public var peer: PeerCredentials? { origin.credentials }

    /// The server's logger with the call's fields: `rpc.method`, and `peer.pid` and `peer.uid`, or `peer` for a call whose connection
    /// proves neither. Made when asked for.
    public var logger: Logger {
        var logger = target.logger ?? .dropping
        logger[metadataKey: "rpc.method"] = "\(method)"
        for (key, value) in origin.logMetadata { logger[metadataKey: key] = value }
        if let trace = TraceParent(metadata["traceparent"]) {
            logger[metadataKey: "trace.id"] = "\(trace.traceID)"
            logger[metadataKey: "trace.span"] = "\(trace.parentID)"
        }
        return logger
    }

    /// What an interceptor has found out about the call and leaves for those behind it, for example the caller's account.
    ///
    /// A value costs one allocation. Inlinable, because the types of a key that is not known cost more than all else here.
    @inlinable
    public subscript<Key: CallContextKey>(key: Key.Type) -> Key.Value? {
        get {
            var left = newestValue
            while let value = left {
                if value.key == ObjectIdentifier(key) { return (value as? TypedLeftValue<Key.Value>)?.value }
                left = value.earlier
            }
            return nil
        }
        set {
            let key = ObjectIdentifier(key)
            newestValue =
                if let newValue { TypedLeftValue(newValue, for: key, earlier: newestValue) }
                else { LeftValue(for: key, earlier: newestValue) }
        }
    }
}

extension Logger {
    /// One that drops everything.
    static var dropping: Logger { Logger(label: "rpc", factory: { _ in SwiftLogNoOpLogHandler() }) }
}

/// Names a value in a ``CallContext`` and gives its type.
public protocol CallContextKey {
    associatedtype Value: Sendable
}

/// A value in a context, with its type erased. The base class itself stands for a value that was removed.
///
/// Values are a list that is never changed, so that copies of a context share it; the newest is found first and hides the older ones
/// of its key. A call carries one or two, which a look along the list finds soonest. Public only so that a module that copies a context knows it
/// for a reference: a copy by the witnesses of a type it does not see costs 80 instructions.
public class LeftValue: @unchecked Sendable {
    // Sendable: all stored properties, here and in `TypedLeftValue`, the one subclass, are constants of Sendable type. The compiler
    // cannot see that through a class that is not final, hence `@unchecked`; nobody outside this module can subclass it.
    /// The key's type.
    @usableFromInline let key: ObjectIdentifier
    /// What was left before it.
    @usableFromInline let earlier: LeftValue?

    @inlinable
    init(for key: ObjectIdentifier, earlier: LeftValue?) {
        self.key = key
        self.earlier = earlier
    }
}

/// A value in a context.
@usableFromInline
final class TypedLeftValue<Value: Sendable>: LeftValue, @unchecked Sendable {
    // Sendable: as what it inherits, a constant of Sendable type.
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value, for key: ObjectIdentifier, earlier: LeftValue?) {
        self.value = value
        super.init(for: key, earlier: earlier)
    }
}
