import Synchronization

/// The options of one call.
///
///     let options = CallOptions(timeout: .seconds(2), metadata: ["authorization": "Bearer \(token)"])
///     print(try await greeter.sayHello(HelloRequest(name: "world"), options: options).text)
public struct CallOptions: Sendable {
    /// How long the call may take, from when it is made, connecting and retries included; nil means no limit. A timeout ≤ 0 has already passed. A
    /// call that a handler makes also ends with the deadline of the handler's own call (``Deadline/current``). If the channel's
    /// ``MethodConfiguration`` has a timeout for the method too, the shorter one counts.
    public var timeout: Duration?
    /// Pairs sent beside the request, for example `authorization`.
    public var metadata: Metadata
    /// If true, a call waits for a server instead of failing with `UNAVAILABLE` when none answers. It waits until the timeout, if there is one. If
    /// the server's queue of new connections is full, every call waits. No call waits for a server that is not trusted, at a path that is too
    /// long, or of this process after its shutdown. Default: false.
    public var waitForReady: Bool
    /// Compresses the requests (gRPC only). Default: no compression, because on a local socket compressing takes longer than sending.
    public var requestCompression: RequestCompression?
    /// Whether and how the call is made again when it fails. Nil, the default, means the policy of its method in the channel's configuration. Without
    /// a policy, a call is made once.
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

    /// The options of a call whose caller wants the response's metadata.
    package init(metadata: Metadata = Metadata(), responseMetadata: ResponseMetadata) {
        self.init(metadata: metadata)
        self.responseMetadata = responseMetadata
    }
}

/// Compresses a call's requests over gRPC. It has no effect on ttrpc, which has no compression. Put one into ``CallOptions``.
///
///     let options = CallOptions(requestCompression: RequestCompression(.gzip))
///     print(try await greeter.sayHello(HelloRequest(name: longName), options: options).text)
///
/// It is useful if messages are large and leave this machine. A server that does not support the compression answers
/// `UNIMPLEMENTED`.
public final class RequestCompression: Sendable {
    /// The algorithm, which the server must support.
    public enum Method: Sendable, Hashable, CaseIterable {
        case gzip, deflate
    }

    /// How requests are compressed.
    public let method: Method
    private let state = Atomic<Bool>(true)

    /// Compresses requests with this method until it is turned off.
    public init(_ method: Method = .gzip) { self.method = method }

    /// Whether requests are compressed from now on. Default: true. A request is compressed when it is sent. A task on the channel's executor has sent
    /// a request when its `write` returns; other tasks' requests may be sent later.
    public var isOn: Bool {
        get { state.load(ordering: .relaxed) }
        set { state.store(newValue, ordering: .relaxed) }
    }
}
