import GRPC

/// What a server gives its peers at most. Each default is generous for local services and far below what a peer could hurt with.
public struct ServerLimits: Sendable, Hashable {
    /// One message, bytes, both ways: the data of a ttrpc frame, a gRPC message after decompression. Default 4 MiB; also the most for ttrpc, whose own
    /// limit it is. Over it: the call ends with `RESOURCE_EXHAUSTED`.
    public var maximumMessageByteCount = 4 << 20
    /// Calls of one connection whose handlers are running. Default 1,024. Over it: the call ends with `RESOURCE_EXHAUSTED`; a gRPC client is told
    /// and holds calls back.
    public var maximumConcurrentCallsPerConnection = 1024
    /// Calls of all connections whose handlers are running. Default 65,536. Over it: the call ends with `RESOURCE_EXHAUSTED`. Synchronous handlers and
    /// answers from memory, here and above, do not count: they have ended when the next call is looked at.
    public var maximumConcurrentCalls = 65_536
    /// Answers of one connection that its client has not read yet, bytes. Default 32 MiB. Over it: a new call is not
    /// started and an answer not kept, both end with `RESOURCE_EXHAUSTED`, so that neither a burst of requests nor one of answers takes
    /// more memory than there is. At 64 MiB of unread answers the connection is given up, whatever this says.
    public var maximumUnreadByteCount = 32 << 20
    /// For how long a client may take nothing of the output that waits for it. Default 60 s. Over it: the connection is closed.
    public var unreadOutputTimeout = Duration.seconds(60)
    /// Requests of one stream that its handler has not read yet, bytes, decompressed, 64 more for each message. Default 8 MiB. Our own client and gRPC's are
    /// told to wait long before (at 256 KiB, compressed); over it, the call ends with `RESOURCE_EXHAUSTED`.
    public var maximumQueuedByteCountPerStream = 8 << 20
    /// The same for all streams of one connection, beyond the first 64 KiB of each. Default 64 MiB. Over it: the call whose message it is ends with `RESOURCE_EXHAUSTED`.
    public var maximumQueuedByteCountPerConnection = 64 << 20
    /// For how long a client that was told of a drain, and so closes its connection itself, may keep it once none of its calls is running.
    /// Default 1 s. Over it: the connection is closed.
    public var drainedConnectionTimeout = Duration.seconds(1)
    /// Open connections of one uid. Default 1,024; never more than a quarter of the descriptors that connections may take
    /// (``SocketTransport/DescriptorLimit``). Over it: a new connection is closed unread.
    public var maximumConnectionsPerUID = 1024
    /// Open connections of one listener for a gateway (``ListenerRole/remote``), of all who come by it together: a gateway such as nginx makes one for
    /// each call that is under way. Default 16,384; never more than half of the descriptors that connections may take. Over it: a new connection is
    /// closed unread.
    public var maximumConnectionsPerRemoteListener = 16_384

    public init() {}
}

extension ServerLimits {
    /// Open connections that may count for one principal, so that it leaves some to the others.
    /// - Parameter descriptors: how many all connections may take.
    func maximumConnections(of principal: Principal, descriptors: Int) -> Int {
        switch principal {
        case .uid: min(maximumConnectionsPerUID, max(1, descriptors / 4))
        case .listener: min(maximumConnectionsPerRemoteListener, max(1, descriptors / 2))
        }
    }

    /// The same for one gRPC connection.
    var grpc: SessionLimits {
        var limits = SessionLimits()
        limits.maximumMessageByteCount = maximumMessageByteCount
        limits.maximumConcurrentStreams = maximumConcurrentCallsPerConnection
        limits.maximumBufferedByteCount = maximumUnreadByteCount
        limits.maximumUnfinishedByteCount = maximumQueuedByteCountPerConnection
        return limits
    }
}
