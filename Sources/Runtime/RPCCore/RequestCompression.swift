import Synchronization

/// Has a call's requests compressed, over gRPC; ttrpc has no compression, and there it does nothing. Put one into ``CallOptions``.
///
/// Worth its time where messages are large and travel further than a socket of this machine. A server that cannot read it answers
/// `UNIMPLEMENTED`.
public final class RequestCompression: Sendable {
    /// What the server must be able to read.
    public enum Method: Sendable, Hashable, CaseIterable {
        case gzip, deflate
    }

    public let method: Method
    private let state = Atomic<Bool>(true)

    public init(_ method: Method = .gzip) { self.method = method }

    /// Whether the requests that are sent from now on are compressed. Default: they are. A task on the channel's executor has sent a
    /// request when its `write` returns; for others it may wait behind the socket and be compressed as this says then.
    public var isOn: Bool {
        get { state.load(ordering: .relaxed) }
        set { state.store(newValue, ordering: .relaxed) }
    }
}
