import Logging
import ProtobufC

/// Everything that a handler knows of its call, besides the request.
///
///     func sayHello(_ request: HelloRequest, context: CallContext) async throws -> HelloReply {
///         context.logger.info("greeting", metadata: ["language": "\(context.metadata["accept-language"] ?? "en")"])
///         return HelloReply(text: "Hello, \(request.name)!")
///     }
///
/// When the caller cancels the call, disconnects, or its deadline passes, the handler's task is cancelled
/// (`Task.isCancelled`, `withTaskCancellationHandler`).
public struct CallContext: Sendable {
    /// The values that all calls of a method share. They are one object, because each copy of a context counts its references.
    @usableFromInline
    package final class Target: Sendable {
        @usableFromInline let method: String
        let shape: CallShape
        /// The server's logger; nil for one that drops everything.
        let logger: Logger?
        /// The observer of the method's calls; nil for none.
        package let observer: (any MethodObserver)?
        /// The limit of the method's handlers; nil for none.
        package let limit: (any HandlerLimit)?
        /// The descriptors of the method's messages; nil in a context for calling a handler in-process.
        @usableFromInline let types: MessageTypes?

        init(
            method: String, shape: CallShape, logger: Logger?, types: MessageTypes? = nil, observer: (any MethodObserver)? = nil,
            limit: (any HandlerLimit)? = nil
        ) {
            self.method = method
            self.shape = shape
            self.logger = logger
            self.types = types
            self.observer = observer
            self.limit = limit
        }
    }

    /// The descriptors of a method's messages. (Swift looks up a static constant, such as ``Message/descriptor``, with a call into its runtime.)
    @usableFromInline
    struct MessageTypes: Sendable {
        @usableFromInline let request: MessageDescriptor
        @usableFromInline let response: MessageDescriptor

        @inlinable
        init(request: MessageDescriptor, response: MessageDescriptor) {
            self.request = request
            self.response = response
        }
    }

    @usableFromInline package let target: Target
    /// Where the call comes from.
    public let origin: CallOrigin
    /// The newest value that an interceptor has set; it is the head of a linked list of the values.
    @usableFromInline var newestValue: ContextValue?

    /// The request's metadata. An interceptor may change it for later interceptors and the handler.
    public var metadata: Metadata
    /// When the caller stops waiting. Then the call ends with `DEADLINE_EXCEEDED`, and the handler's task is cancelled.
    public let deadline: Deadline
    /// The metadata of the response; nil with ttrpc, which has none, and in a context made without it.
    public let responseMetadata: ResponseMetadata?

    /// Keeps an object until the answer was sent, or nobody waits for it any more. Over gRPC, an answer may wait long for its client's windows. So a
    /// handler keeps here what its answer occupies, such as a place in a limit. With ttrpc, where answers wait only for the socket, nothing is kept.
    public func keepUntilSent(_ object: any AnyObject & Sendable) { responseMetadata?.keep(object) }

    /// A context for calling a handler in-process.
    /// - Parameters:
    ///   - peer: the credentials of the caller; nil for none.
    ///   - logger: the base of ``logger``; nil for one that drops everything.
    public init(
        peer: PeerCredentials?, metadata: Metadata, deadline: Deadline, method: String, shape: CallShape = .unary,
        responseMetadata: ResponseMetadata? = nil, logger: Logger? = nil
    ) {
        self.init(
            origin: peer.map(CallOrigin.local) ?? .inProcess, metadata: metadata, deadline: deadline, method: method, shape: shape,
            responseMetadata: responseMetadata, logger: logger)
    }

    /// A context for calling a handler in-process, as if the call came from `origin`.
    public init(
        origin: CallOrigin, metadata: Metadata, deadline: Deadline, method: String, shape: CallShape = .unary,
        responseMetadata: ResponseMetadata? = nil, logger: Logger? = nil
    ) {
        self.init(
            Target(method: method, shape: shape, logger: logger), origin: origin, metadata: metadata, deadline: deadline,
            responseMetadata: responseMetadata)
    }

    /// Inlinable, because one is made for each call.
    @inlinable
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

    /// The credentials of the caller, from the kernel. Nil for a handler that the program calls directly, for a call through a gateway, and for a
    /// call from a uid without a number here (``CallOrigin``).
    @inlinable public var peer: PeerCredentials? { origin.credentials }

    /// The server's logger with the call's fields: `rpc.method`, and `peer.pid` and `peer.uid`, or `peer` if the connection
    /// does not prove them. If the request has a valid `traceparent`, also `trace.id` and `trace.span`. It is made at each access.
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

    /// A value that an interceptor has set for later interceptors and the handler, for example the caller's account.
    ///
    /// A value costs one allocation. Inlinable, because looking up the types of a key at run time is slow.
    @inlinable
    public subscript<Key: CallContextKey>(key: Key.Type) -> Key.Value? {
        get {
            var left = newestValue
            while let value = left {
                if value.key == ObjectIdentifier(key) { return (value as? TypedContextValue<Key.Value>)?.value }
                left = value.earlier
            }
            return nil
        }
        set {
            let key = ObjectIdentifier(key)
            newestValue =
                if let newValue { TypedContextValue(newValue, for: key, earlier: newestValue) }
                else { ContextValue(for: key, earlier: newestValue) }
        }
    }
}

extension Logger {
    /// One that drops everything.
    static var dropping: Logger { Logger(label: "rpc", factory: { _ in SwiftLogNoOpLogHandler() }) }
}

/// Names a value in a ``CallContext`` and gives its type.
///
///     enum Account: CallContextKey { typealias Value = String }
///
///     struct FindAccount: ContextInterceptor {
///         func prepare(_ context: inout CallContext) throws -> Bool {
///             context[Account.self] = context.metadata["account"]
///             return true
///         }
///     }
///
/// A handler reads `context[Account.self]`.
public protocol CallContextKey {
    associatedtype Value: Sendable
}

/// A value in a context, with its type erased. The base class itself stands for a value that was removed.
///
/// The values are an immutable linked list, so that copies of a context share it. The newest value is found first and hides older ones
/// with the same key. A call has one or two values, so a list is the fastest structure. Public only so that other modules know that a context holds a
/// reference here, because copying a value of an unknown type is slow.
///
/// `@unchecked Sendable` is sound: all stored properties, here and in `TypedContextValue`, the one subclass, are constants of a `Sendable` type. The
/// compiler cannot see that through a class that is not final. Nobody outside this module can subclass it.
@_documentation(visibility: internal)
public class ContextValue: @unchecked Sendable {
    /// The key's type.
    @usableFromInline let key: ObjectIdentifier
    /// The value that was set before it.
    @usableFromInline let earlier: ContextValue?

    @inlinable
    init(for key: ObjectIdentifier, earlier: ContextValue?) {
        self.key = key
        self.earlier = earlier
    }
}

/// A value in a context.
///
/// `@unchecked Sendable` is sound for the reason that `ContextValue` gives: it adds one constant of a `Sendable` type.
@usableFromInline
final class TypedContextValue<Value: Sendable>: ContextValue, @unchecked Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value, for key: ObjectIdentifier, earlier: ContextValue?) {
        self.value = value
        super.init(for: key, earlier: earlier)
    }
}
