import Synchronization

/// What a caller may say about one call.
///
///     let options = CallOptions(timeout: .seconds(2), metadata: ["authorization": "Bearer \(token)"])
///     print(try await greeter.sayHello(HelloRequest(name: "world"), options: options).text)
public struct CallOptions: Sendable {
    /// How long the call may take from now, connecting and retries included; nil means without end. A timeout ≤ 0 has already passed. A call
    /// made while another one is being answered (``Deadline/current``) never outlives that one, whatever this says.
    public var timeout: Duration?
    /// Pairs sent beside the request, for example `authorization`.
    public var metadata: Metadata
    /// Wait for a server rather than fail with `UNAVAILABLE` when none answers. Only until the timeout, if there is one. Default: fail.
    public var waitForReady: Bool
    /// Has the requests compressed (gRPC only). Default: not, as on a local socket compressing takes longer than sending.
    public var requestCompression: RequestCompression?
    /// Whether and how the call is made again when it fails. Nil, the default, for what the channel's configuration says of its method; without
    /// that a call is made once.
    public var executionPolicy: ExecutionPolicy?
    /// Where the response's metadata is put.
    package var responseMetadata: ResponseMetadata?

    public init(
        timeout: Duration? = nil, metadata: Metadata = Metadata(), waitForReady: Bool = false,
        requestCompression: RequestCompression? = nil, executionPolicy: ExecutionPolicy? = nil
    ) {
        self.timeout = timeout
        self.metadata = metadata
        self.waitForReady = waitForReady
        self.requestCompression = requestCompression
        self.executionPolicy = executionPolicy
    }

    /// The options of a call whose response's metadata somebody waits for.
    package init(metadata: Metadata = Metadata(), responseMetadata: ResponseMetadata) {
        self.init(metadata: metadata)
        self.responseMetadata = responseMetadata
    }
}

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
