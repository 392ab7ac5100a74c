/// What a caller may say about one call.
public struct CallOptions: Sendable {
    /// How long the call may take from now, connecting included; nil means without end. A timeout ≤ 0 has already passed. A call made while
    /// another one is being answered (``Deadline/current``) never outlives that one, whatever this says.
    public var timeout: Duration?
    /// Pairs sent beside the request, for example `authorization`.
    public var metadata: Metadata
    /// Wait for a server rather than fail with `UNAVAILABLE` when none answers. Only until the timeout, if there is one. Default: fail.
    public var waitForReady: Bool
    /// Where the response's metadata is put, for callers that want it (gRPC only).
    public var responseMetadata: ResponseMetadata?
    /// Has the requests compressed (gRPC only). Default: not, as on a local socket compressing takes longer than sending.
    public var requestCompression: RequestCompression?

    public init(
        timeout: Duration? = nil, metadata: Metadata = Metadata(), waitForReady: Bool = false,
        responseMetadata: ResponseMetadata? = nil, requestCompression: RequestCompression? = nil
    ) {
        self.timeout = timeout
        self.metadata = metadata
        self.waitForReady = waitForReady
        self.responseMetadata = responseMetadata
        self.requestCompression = requestCompression
    }
}
