/// What a caller may say about one call.
public struct CallOptions: Sendable {
    /// How long the call may take from now, connecting included; nil means without end. A timeout ≤ 0 has already passed.
    public var timeout: Duration?
    /// Pairs sent beside the request, for example `authorization`.
    public var metadata: Metadata

    public init(timeout: Duration? = nil, metadata: Metadata = Metadata()) {
        self.timeout = timeout
        self.metadata = metadata
    }
}
