import Logging

/// What a handler may know of the call it answers, besides the request.
///
/// Cancellation is the task's: when the caller gives up, goes away, or its deadline passes, the handler's task is cancelled
/// (`Task.isCancelled`, `withTaskCancellationHandler`).
public struct CallContext: Sendable {
    /// What all calls of a connection share. One object, because each copy of a context counts its references.
    package final class Origin: Sendable {
        let peer: PeerCredentials?
        let logger: Logger?

        package init(peer: PeerCredentials?, logger: Logger?) {
            self.peer = peer
            self.logger = logger
        }
    }

    /// What all calls of a method share.
    package final class Target: Sendable {
        let method: String
        let shape: CallShape

        init(method: String, shape: CallShape) {
            self.method = method
            self.shape = shape
        }
    }

    private let origin: Origin
    private let target: Target
    private var values: [ObjectIdentifier: any Sendable]?

    /// The request's metadata. An interceptor may change it for those behind it.
    public var metadata: Metadata
    /// When the caller stops waiting. Passing it ends the call with `DEADLINE_EXCEEDED` and cancels the handler's task.
    public let deadline: Deadline
    /// Where the response's own metadata is put; nil where the protocol carries none (ttrpc, in-process).
    public let responseMetadata: ResponseMetadata?

    /// A context for calling a handler in-process.
    /// - Parameter logger: what ``logger`` is made from; nil for one that drops everything.
    public init(
        peer: PeerCredentials?, metadata: Metadata, deadline: Deadline, method: String, shape: CallShape = .unary,
        responseMetadata: ResponseMetadata? = nil, logger: Logger? = nil
    ) {
        self.init(
            Origin(peer: peer, logger: logger), Target(method: method, shape: shape), metadata: metadata, deadline: deadline,
            responseMetadata: responseMetadata)
    }

    package init(
        _ origin: Origin, _ target: Target, metadata: Metadata, deadline: Deadline, responseMetadata: ResponseMetadata?
    ) {
        self.origin = origin
        self.target = target
        self.metadata = metadata
        self.deadline = deadline
        self.responseMetadata = responseMetadata
    }

    /// The kernel's word on who calls; nil for an in-process call.
    public var peer: PeerCredentials? { origin.peer }

    /// `service/method`.
    public var method: String { target.method }

    /// How many messages travel each way.
    public var shape: CallShape { target.shape }

    /// The server's logger with the call's fields: `rpc.method`, `peer.pid`, `peer.uid`. Made when asked for.
    public var logger: Logger {
        var logger = origin.logger ?? Logger(label: "rpc", factory: { _ in SwiftLogNoOpLogHandler() })
        logger[metadataKey: "rpc.method"] = "\(method)"
        if let peer {
            logger[metadataKey: "peer.pid"] = "\(peer.pid)"
            logger[metadataKey: "peer.uid"] = "\(peer.uid)"
        }
        return logger
    }

    /// What an interceptor has found out about the call and leaves for those behind it, for example the caller's account.
    public subscript<Key: CallContextKey>(key: Key.Type) -> Key.Value? {
        get { values?[ObjectIdentifier(key)] as? Key.Value }
        set {
            var values = values ?? [:]
            values[ObjectIdentifier(key)] = newValue
            self.values = values
        }
    }
}

/// Names a value in a ``CallContext`` and gives its type.
public protocol CallContextKey {
    associatedtype Value: Sendable
}
