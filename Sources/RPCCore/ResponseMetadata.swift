import Synchronization

/// The metadata that travels from server to client beside a call's messages: before the first of them, and after the last.
///
/// gRPC carries both; ttrpc carries neither, so there a server's are dropped and a client's stay empty. A handler finds one in its
/// ``CallContext``; a caller puts its own into ``CallOptions`` and reads it when the call has ended.
public final class ResponseMetadata: Sendable {
    private let state = Mutex((initial: Metadata(), trailing: Metadata()))

    public init() {}

    /// Sent before the first response; what is set later is not sent.
    public var initial: Metadata {
        get { state.withLock { $0.initial } }
        set { state.withLock { $0.initial = newValue } }
    }

    /// Sent with the status, after the last response.
    public var trailing: Metadata {
        get { state.withLock { $0.trailing } }
        set { state.withLock { $0.trailing = newValue } }
    }
}
