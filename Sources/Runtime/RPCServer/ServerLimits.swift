import GRPCWire

/// What a server gives its peers at most. Each default is generous for local services and far below what a peer could hurt with.
public struct ServerLimits: Sendable, Hashable {
    /// One message, bytes, both ways: the data of a ttrpc frame, a gRPC message after decompression. Default 4 MiB; also the most for ttrpc, whose own
    /// limit it is. Over it: the call ends with `RESOURCE_EXHAUSTED`.
    public var maximumMessageByteCount = 4 << 20
    /// Calls of one connection whose handlers are running. Default 1,024. Over it: the call ends with `RESOURCE_EXHAUSTED`; a gRPC client is told
    /// and holds calls back.
    public var maximumConcurrentCallsPerConnection = 1024
    /// Calls of all connections whose handlers are running. Default 65,536. Over it: the call ends with `RESOURCE_EXHAUSTED`, reason `SERVER_CALLS`.
    /// Synchronous handlers and answers from memory, here, above and below, do not count: they have ended when the next call is looked at.
    public var maximumConcurrentCalls = 65_536
    /// The same for all connections of one user. Default 16,384, a quarter of all. Over it: the call ends with `RESOURCE_EXHAUSTED`, reason `USER_CALLS`.
    public var maximumConcurrentCallsPerUser = 16_384
    /// Places among ``maximumConcurrentCalls`` that only methods get for which the router keeps some (`Router.keepPlaces(for:)`). Default 1,024; a 64th
    /// of all places where that is less. A sixteenth as many are beyond each user's own limit.
    public var reservedCallCount = 1024
    /// Bytes of memory that the server holds for all connections of one user: what has begun to arrive, requests and metadata of running calls, queued
    /// messages, answers that are not read. Default 256 MiB. Over it, calls end with `RESOURCE_EXHAUSTED`, reason `USER_MEMORY`, and what has begun to
    /// arrive is dropped; a quarter above it, the connection that goes on taking is closed.
    public var maximumHeldByteCountPerUser = 256 << 20
    /// The same for all users. Default 1 GiB. Over it, whoever holds more than an even part of it is refused, reason `SERVER_MEMORY`.
    public var maximumHeldByteCount = 1 << 30
    /// Answers of one connection that its client has not read yet, bytes. Default 32 MiB. Over it: a new call is not
    /// started and an answer not kept, both end with `RESOURCE_EXHAUSTED`, so that neither a burst of requests nor one of answers takes
    /// more memory than there is. At 64 MiB of unread answers the connection is given up, whatever this says.
    public var maximumUnreadByteCount = 32 << 20
    /// In how long a client must take 64 KiB of the output that waits for it, or all where it is less. Default 60 s. Over it: the connection is closed.
    public var unreadOutputTimeout = Duration.seconds(60)
    /// How long after connecting a client's first byte may come. Default 5 s. Over it: the connection is closed.
    public var firstByteTimeout = Duration.seconds(5)
    /// Requests of one stream that its handler has not read yet, bytes, decompressed, 64 more for each message. Default 8 MiB. Our own client and gRPC's are
    /// told to wait long before (at 256 KiB, compressed); over it, the call ends with `RESOURCE_EXHAUSTED`.
    public var maximumQueuedByteCountPerStream = 8 << 20
    /// The same for all streams of one connection, beyond the first 64 KiB of each. Default 64 MiB. Over it: the call whose message it is ends with `RESOURCE_EXHAUSTED`.
    public var maximumQueuedByteCountPerConnection = 64 << 20
    /// For how long a client that was told of a drain, and so closes its connection itself, may keep it once none of its calls is running.
    /// Default 1 s. Over it: the connection is closed.
    public var drainedConnectionTimeout = Duration.seconds(1)
    /// How long a drain waits for what has begun to arrive and is not whole. Default 1 s. Over it: its call ends with `UNAVAILABLE`.
    public var halfSentDrainTimeout = Duration.seconds(1)
    /// Open connections of one uid. Default 1,024; never more than a quarter of the descriptors that connections may take
    /// (``SocketTransport/DescriptorLimit``). Over it: a new connection is closed unread.
    public var maximumConnectionsPerUID = 1024
    /// Open connections of one listener for a gateway (``ListenerRole/remote``), of all who come by it together: a gateway such as nginx makes one for
    /// each call that is under way. Default 16,384; never more than half of the descriptors that connections may take. Over it: a new connection is
    /// closed unread.
    public var maximumConnectionsPerRemoteListener = 16_384
    /// For how long half a frame, a message that is not whole, or the request of a call that takes one may take to arrive. Default 10 s. Over it: the
    /// call ends with `DEADLINE_EXCEEDED`; for half a frame the connection is closed.
    public var unfinishedTimeout = Duration.seconds(10)

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
        limits.unfinishedTimeout = unfinishedTimeout
        return limits
    }
}
