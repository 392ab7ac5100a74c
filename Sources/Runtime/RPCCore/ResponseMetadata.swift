import Synchronization

/// The metadata of a response: before the first message, and after the last.
///
/// gRPC has both. ttrpc has neither, so a handler's context has no `ResponseMetadata` there. A handler finds it in its ``CallContext``:
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

    /// Sent before the first response. Values that are set later are not sent.
    public var initial: Metadata {
        get { state.withLock { $0.initial } }
        set { state.withLock { $0.initial = newValue } }
    }

    /// Sent with the status, after the last response.
    public var trailing: Metadata {
        get { state.withLock { $0.trailing } }
        set { state.withLock { $0.trailing = newValue } }
    }

    /// Whether responses of a handler are compressed from now on, if the client accepts compression. Default: false,
    /// because on a local socket compressing takes longer than sending. To use it, set it before the first response. It may be changed between
    /// responses.
    public var compressesMessages: Bool {
        get { state.withLock { $0.compressesMessages } }
        set { state.withLock { $0.compressesMessages = newValue } }
    }

    /// Whether the server has begun to answer, so that its metadata has come. For callers only.
    package var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Notes the metadata with which a server begins its answer.
    package func begin(_ metadata: Metadata) {
        state.withLock {
            $0.initial = metadata
            $0.hasBegun = true
        }
    }

    /// Takes the values of another one. If a call has several attempts, the metadata of the last one counts.
    package func take(_ other: ResponseMetadata) {
        let taken = other.state.withLock { $0 }
        state.withLock { $0 = taken }
    }

    /// How many compressed messages have arrived so far: requests for a handler, responses for a caller.
    public var receivedCompressedCount: Int { state.withLock { $0.receivedCompressedCount } }

    /// Counts messages that have arrived compressed.
    package func receivedCompressed(_ count: Int = 1) { state.withLock { $0.receivedCompressedCount += count } }
}
