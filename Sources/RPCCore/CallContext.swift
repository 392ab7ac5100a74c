import Logging

/// What a handler may know of the call it answers, besides the request.
///
/// Cancellation is the task's: when the caller gives up, goes away, or its deadline passes, the handler's task is cancelled
/// (`Task.isCancelled`, `withTaskCancellationHandler`).
public struct CallContext: Sendable {
    /// The kernel's word on who calls; nil for an in-process call.
    public let peer: PeerCredentials?
    /// The request's metadata. An interceptor may change it for those behind it.
    public var metadata: Metadata
    /// When the caller stops waiting. Passing it ends the call with `DEADLINE_EXCEEDED` and cancels the handler's task.
    public let deadline: Deadline
    /// `service/method`.
    public let method: String
    public let shape: CallShape
    /// Where the response's own metadata is put; nil where the protocol carries none (ttrpc, in-process).
    public let responseMetadata: ResponseMetadata?
    private let serverLogger: Logger?
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// - Parameter logger: what ``logger`` is made from; nil for one that drops everything.
    public init(
        peer: PeerCredentials?, metadata: Metadata, deadline: Deadline, method: String, shape: CallShape = .unary,
        responseMetadata: ResponseMetadata? = nil, logger: Logger? = nil
    ) {
        self.peer = peer
        self.metadata = metadata
        self.deadline = deadline
        self.method = method
        self.shape = shape
        self.responseMetadata = responseMetadata
        serverLogger = logger
    }

    /// The server's logger with the call's fields: `rpc.method`, `peer.pid`, `peer.uid`. Made when asked for.
    public var logger: Logger {
        var logger = serverLogger ?? Logger(label: "rpc", factory: { _ in SwiftLogNoOpLogHandler() })
        logger[metadataKey: "rpc.method"] = "\(method)"
        if let peer {
            logger[metadataKey: "peer.pid"] = "\(peer.pid)"
            logger[metadataKey: "peer.uid"] = "\(peer.uid)"
        }
        return logger
    }

    /// What an interceptor has found out about the call and leaves for those behind it, for example the caller's account.
    public subscript<Key: CallContextKey>(key: Key.Type) -> Key.Value? {
        get { values.isEmpty ? nil : values[ObjectIdentifier(key)] as? Key.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// Names a value in a ``CallContext`` and gives its type.
public protocol CallContextKey {
    associatedtype Value: Sendable
}
