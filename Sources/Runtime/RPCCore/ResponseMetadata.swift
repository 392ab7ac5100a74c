import Synchronization

/// What travels from server to client beside a call's messages: metadata before the first of them, and after the last.
///
/// gRPC carries both; ttrpc carries neither, so there a server's are dropped. A handler finds one in its ``CallContext``:
///
///     context.responseMetadata?.initial.append("seoul-1", for: "x-served-by")
///
/// A caller gets both with the answer: ``CallResponse``.
public final class ResponseMetadata: Sendable {
    private let state = Mutex(State())

    private struct State {
        var initial = Metadata()
        var trailing = Metadata()
        var compressesMessages = false
        var receivedCompressedCount = 0
        var hasBegun = false
    }

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

    /// Whether the server has begun to answer the call: its metadata has come. At a caller only.
    package var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Notes the metadata with which a server begins its answer.
    package func begin(_ metadata: Metadata) {
        state.withLock {
            $0.initial = metadata
            $0.hasBegun = true
        }
    }

    /// Becomes what another one is: of the attempts at a call the last one counts.
    package func take(_ other: ResponseMetadata) {
        let taken = other.state.withLock { $0 }
        state.withLock { $0 = taken }
    }

    /// How many of the call's messages have arrived compressed so far: at a handler requests, at a caller responses.
    public var receivedCompressedCount: Int { state.withLock { $0.receivedCompressedCount } }

    /// Counts messages that have arrived compressed.
    package func receivedCompressed(_ count: Int = 1) { state.withLock { $0.receivedCompressedCount += count } }
}
