import GRPCWire

/// What a server gives its peers at most. Each default is generous for local services and far below what a peer could hurt with.
public struct ServerLimits: Sendable, Hashable {
    /// One message, bytes, both ways: the data of a ttrpc frame, a gRPC message after decompression. Default 4 MiB; also the most for ttrpc, whose own
    /// limit it is. Over it: the call ends with `RESOURCE_EXHAUSTED`.
    public var maximumMessageByteCount = 4 << 20
    /// Running calls of one connection. Default 1,024. Over it: the call ends with `RESOURCE_EXHAUSTED`. A gRPC client knows the limit and waits.
    public var maximumConcurrentCallsPerConnection = 1024
    /// Running calls of all connections. Default 65,536. Over it: the call ends with `RESOURCE_EXHAUSTED`, reason `SERVER_CALLS`. Synchronous
    /// handlers and answers from memory do not count, here, above and below: they end before the next call begins.
    public var maximumConcurrentCalls = 65_536
    /// The same for all connections of one user. Default 16,384, a quarter of all. Over it: the call ends with `RESOURCE_EXHAUSTED`, reason `USER_CALLS`.
    public var maximumConcurrentCallsPerUser = 16_384
    /// Places among ``maximumConcurrentCalls`` that are kept for some methods (`Router.keepPlaces(for:)`). Default 1,024, or a 64th of all places if
    /// that is less. A sixteenth as many are beyond each user's own limit.
    public var reservedCallCount = 1024
    /// Bytes of memory that the server holds for all connections of one user: half-received requests, requests and metadata of running calls, queued
    /// messages, unread answers. Default 256 MiB. Over it: calls end with `RESOURCE_EXHAUSTED`, reason `USER_MEMORY`, and half-received requests are
    /// dropped. A quarter above it, a connection that takes more is closed.
    public var maximumHeldByteCountPerUser = 256 << 20
    /// The same for all users. Default 1 GiB. Over it: a user who holds more than an even share is refused, reason `SERVER_MEMORY`.
    public var maximumHeldByteCount = 1 << 30
    /// Answers of one connection that its client has not read, bytes. Default 32 MiB. Over it: a new call does not start and an answer is not kept;
    /// both end with `RESOURCE_EXHAUSTED`. So neither a burst of requests nor one of answers takes more memory than this. At 64 MiB of unread answers
    /// the connection is closed, whatever this says.
    public var maximumUnreadByteCount = 32 << 20
    /// The time in which a client must take 64 KiB of its waiting output, or all if it is less. Output also waits for the windows of HTTP/2. Default 60 s.
    /// Over it: the connection is closed.
    public var unreadOutputTimeout = Duration.seconds(60)
    /// How long after connecting a client's first byte may come. Default 5 s. Over it: the connection is closed.
    public var firstByteTimeout = Duration.seconds(5)
    /// Requests of one stream that its handler has not read, bytes, decompressed, with 64 more for each message. Default 8 MiB. Over it: the call
    /// ends with `RESOURCE_EXHAUSTED`. PulseBoard's client and gRPC clients are told to wait long before, at 256 KiB (compressed).
    public var maximumQueuedByteCountPerStream = 8 << 20
    /// The same for all streams of one connection, beyond the first 64 KiB of each. Default 64 MiB. Over it: the call whose message it is ends with `RESOURCE_EXHAUSTED`.
    public var maximumQueuedByteCountPerConnection = 64 << 20
    /// How long a client that was told of a drain may keep its connection after the last of its calls. Default 1 s. Over it: the connection is
    /// closed.
    public var drainedConnectionTimeout = Duration.seconds(1)
    /// How long a drain waits for half-received requests. Default 1 s. Over it: the call ends with `UNAVAILABLE`.
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
