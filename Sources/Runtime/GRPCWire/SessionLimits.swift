/// The limits of one HTTP/2 connection.
public struct SessionLimits: Sendable, Hashable {
    /// Bytes that a peer may be ahead of a stream's reader: 256 KiB.
    static let streamWindow = 256 << 10
    /// Bytes that a peer may be ahead of this side on all streams together: 4 MiB. This window opens at once, because each stream has its own window.
    static let connectionWindow: Int32 = 4 << 20
    /// Bytes of a stream that its reader may have taken without reporting them yet, see `StreamBudgets`.
    static let unreportedSlack = 64 << 10

    /// One message, bytes, both ways, after decompression. Default 4 MiB, the default of gRPC everywhere.
    public var maximumMessageByteCount = 4 << 20
    /// The most open calls of a client on a connection; further calls wait. Default 1,024.
    public var maximumConcurrentStreams = 1024
    /// Messages of all streams of a connection that wait for the peer's flow control, bytes. Default 32 MiB. Over it: streams wait, and
    /// a call with a single answer ends with `RESOURCE_EXHAUSTED`.
    public var maximumBufferedByteCount = 32 << 20
    /// Incomplete messages of all streams of a connection, and single messages that wait for their sender's half-close,
    /// decompressed, bytes. A client counts only the latter. Default 64 MiB. Over it: the call of the message ends with
    /// `RESOURCE_EXHAUSTED`.
    public var maximumUnfinishedByteCount = 64 << 20
    /// Headers of one call, names and values with 32 bytes more for each, as HTTP/2 counts them. Default 16 KiB. Over it: `RESOURCE_EXHAUSTED`.
    public var maximumHeaderListByteCount = 16 << 10
    /// How long half a frame, an incomplete message, or the single request of a call may take to arrive. Default 10 s. Over it: the
    /// call ends with `DEADLINE_EXCEEDED`; for half a frame the connection ends.
    public var unfinishedTimeout = Duration.seconds(10)

    public init() {}
}
