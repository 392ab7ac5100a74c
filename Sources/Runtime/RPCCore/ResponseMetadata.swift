import Synchronization

/// What travels from server to client beside a call's messages: metadata before the first of them, and after the last.
///
/// gRPC carries both; ttrpc carries neither, so there a server's are dropped and a client's stay empty. A handler finds one in its
/// ``CallContext``; a caller puts its own into ``CallOptions`` and reads it when the call has ended.
public final class ResponseMetadata: Sendable {
    private let state = Mutex((initial: Metadata(), trailing: Metadata(), compressesMessages: false, receivedCompressedCount: 0))

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

    /// Whether the responses that a server's handler sends from now on are compressed, where the client says that it can read that. Default: not,
    /// as on a local socket compressing takes longer than sending. Set before the first response, it may be changed between them.
    public var compressesMessages: Bool {
        get { state.withLock { $0.compressesMessages } }
        set { state.withLock { $0.compressesMessages = newValue } }
    }

    /// How many of the call's messages have arrived compressed so far: at a handler requests, at a caller responses.
    public var receivedCompressedCount: Int { state.withLock { $0.receivedCompressedCount } }

    /// Counts messages that have arrived compressed.
    package func receivedCompressed(_ count: Int = 1) { state.withLock { $0.receivedCompressedCount += count } }
}
