import GRPCWire

/// The limits of a server for its peers. The defaults are generous for local services, and far below what could harm the server.
///
///     var limits = ServerLimits()
///     limits.maximumMessageByteCount = 64 << 10
///     limits.maximumConcurrentCallsPerUser = 100
///     let server = try Server(Server.Configuration(limits: limits), services: [GreeterService()])
///
///     limits.maximumConcurrentCallsPerUser = 200
///     server.setLimits(limits)        // while it serves
///
/// A number that is negative counts as 0. One over 2,147,483,647, or over 2^48 for bytes in memory, counts as that number. So `.max` is permitted.
/// Some limits have others beside them, as their comments say.
public struct ServerLimits: Sendable, Hashable {
    /// One message, bytes, both ways: the data of a ttrpc frame, a gRPC message after decompression. Default 4 MiB. ttrpc does not permit more. Over
    /// it: the call ends with `RESOURCE_EXHAUSTED`.
    public var maximumMessageByteCount = 4 << 20
    /// Running calls of one connection. Default 1,024. Over it: the call ends with `RESOURCE_EXHAUSTED`. A gRPC client knows the limit and waits.
    /// Handlers of ended calls may need a moment to end. With them, there may be twice as many handlers. Over that: the call is not started. A gRPC
    /// client gets REFUSED_STREAM and sends it again; over ttrpc, the call ends with `RESOURCE_EXHAUSTED`.
    public var maximumConcurrentCallsPerConnection = 1024
    /// Running calls of all connections. Default 65,536. Over it: the call ends with `RESOURCE_EXHAUSTED`, reason `SERVER_CALLS`. Calls
    /// that are answered at once never count. (Memory answers them, or a synchronous handler on the event loop.)
    public var maximumConcurrentCalls = 65_536
    /// The same for all connections of one user. Default 16,384. It does not follow ``maximumConcurrentCalls``, so set both. Over it: the call ends
    /// with `RESOURCE_EXHAUSTED`, reason `USER_CALLS`. On a listener for a gateway, once three quarters are taken, a connection is refused that has
    /// more calls than are left. So the calls of one connection leave room for those of others.
    ///
    /// Calls with large requests, and those of `Router.handleApart`, are handled outside of the event loop. Up to a quarter of this
    /// number may be such calls, and one is always permitted. A user has one thread at a time for those with 4 KiB or more, and one for the others.
    public var maximumConcurrentCallsPerUser = 16_384
    /// Calls among ``maximumConcurrentCalls`` that are reserved for some methods (`Router.reserveCalls(for:)`). Default 1,024. At most a 64th of
    /// ``maximumConcurrentCalls`` is used, whatever the value. For these methods, each user's own limit is higher by a sixteenth of this number.
    public var reservedCallCount = 1024
    /// Bytes of memory that the server holds for all connections of one user: half-received requests, requests and metadata of running calls,
    /// queued messages, unread answers. Default 256 MiB. It does not follow ``maximumHeldByteCount``, so set both. Over it: calls end with
    /// `RESOURCE_EXHAUSTED`, reason `USER_MEMORY`, and half-received requests are dropped. A quarter above it, a connection that takes more is
    /// closed. Half-received requests may take half of it. So may large requests that run or wait, and one of these is always permitted. Together
    /// they get three quarters.
    ///
    /// On a listener for a gateway, once three quarters are taken, a connection for which more is held than is left is refused requests and answers
    /// of 4 KiB or more. One for which at most 64 KiB are held, or a 64th of the limit if that is less, is refused only a quarter above the limit.
    public var maximumHeldByteCountPerUser = 256 << 20
    /// The same for all users. Default 1 GiB. Over it: a user who holds more than an even share is refused, reason `SERVER_MEMORY`.
    public var maximumHeldByteCount = 1 << 30
    /// Answers of one connection that its client has not read, bytes. Default 32 MiB. Over it: a new call does not start and an answer is not kept;
    /// both end with `RESOURCE_EXHAUSTED`. So a burst of requests or answers takes at most this memory. At 64 MiB of unread answers
    /// the connection is closed, also if this limit is higher.
    public var maximumUnreadByteCount = 32 << 20
    /// The time in which a client must take 64 KiB of its waiting output, or all if it is less. Output also waits for the windows of HTTP/2. Default
    /// 60 s. Over it: the connection is closed. If only some of its streams wait for their windows, these are ended, and the others go on.
    public var unreadOutputTimeout = Duration.seconds(60)
    /// How long after connecting a client's first ten bytes may take. They show the protocol. Default 5 s. Over it: the connection is closed.
    /// If unread bytes are waiting then, it gets one more second.
    public var firstByteTimeout = Duration.seconds(5)
    /// Requests of one stream that its handler has not read, bytes on the wire, with 128 more for each message. Default 8 MiB. Over it: the call ends
    /// with `RESOURCE_EXHAUSTED`. PulseBoard's client and gRPC clients already wait at 256 KiB.
    public var maximumQueuedByteCountPerStream = 8 << 20
    /// Unread requests of all streams of one connection, bytes. The first 64 KiB of each stream do not count. Default 64 MiB. Over it: the call of
    /// the message ends with `RESOURCE_EXHAUSTED`.
    public var maximumQueuedByteCountPerConnection = 64 << 20
    /// Glitches of one connection that may come at once: frames without use, such as those for calls that are over (docs/wire-protocols.md).
    /// 200 more may come each second. Default 4,000. Over it: the connection is closed.
    public var maximumGlitchCount = SessionLimits().maximumGlitchCount
    /// How long a client that knows of a drain may keep its connection after its last call. Default 1 s. Over it: the connection is
    /// closed.
    public var drainedConnectionTimeout = Duration.seconds(1)
    /// How long a drain waits for half-received requests. Default 1 s. Over it: the call ends with `UNAVAILABLE`.
    public var halfSentDrainTimeout = Duration.seconds(1)
    /// Open connections of one uid. Default 1,024; never more than a quarter of the descriptors that connections may take
    /// (``SocketTransport/DescriptorLimit``). Over it: a new connection is closed unread.
    public var maximumConnectionsPerUID = 1024
    /// Open connections of one uid on a listener for a gateway (``ListenerRole/remote``). A gateway such as nginx makes one for
    /// each running call. Default 16,384. Over it: a new connection is closed unread.
    ///
    /// Descriptors limit them too. All uids of the listener together have at most half of the descriptors that connections may take. Of that half,
    /// one uid gets at most three quarters of what other uids have not taken.
    public var maximumConnectionsPerGateway = 16_384
    /// How long half a frame, an incomplete message, or the single request of a call may take to arrive. Default 10 s. Over it: the
    /// call ends with `DEADLINE_EXCEEDED`; for half a frame the connection is closed.
    public var unfinishedTimeout = Duration.seconds(10)

    public init() {}
}

extension ServerLimits {
    /// The limits in ranges in which sums of them cannot overflow. A message has less than 2 GiB, and HTTP/2 knows no more streams.
    var bounded: ServerLimits {
        var bounded = self
        for limit in [
            \.maximumMessageByteCount, \.maximumConcurrentCallsPerConnection, \.maximumConcurrentCalls, \.maximumConcurrentCallsPerUser,
            \.reservedCallCount, \.maximumGlitchCount, \.maximumConnectionsPerUID, \.maximumConnectionsPerGateway,
        ] as [WritableKeyPath<ServerLimits, Int>] {
            bounded[keyPath: limit] = min(max(0, self[keyPath: limit]), Int(Int32.max))
        }
        for limit in [
            \.maximumHeldByteCountPerUser, \.maximumHeldByteCount, \.maximumUnreadByteCount, \.maximumQueuedByteCountPerStream,
            \.maximumQueuedByteCountPerConnection,
        ] as [WritableKeyPath<ServerLimits, Int>] {
            bounded[keyPath: limit] = min(max(0, self[keyPath: limit]), 1 << 48)
        }
        return bounded
    }

    /// How many handlers a connection may have for each permitted call, those of ended calls included.
    static let handlersEachCall = 2
    /// For how many calls that a user may have, one may be handled outside of the event loop.
    static let callsEachLargeCall = 4

    /// The limit of open connections of one principal.
    /// - Parameter descriptors: how many all connections may take.
    func connectionLimit(of principal: Principal, descriptors: Int) -> ConnectionLimit {
        switch principal {
        case .uid: ConnectionLimit(own: min(maximumConnectionsPerUID, max(1, descriptors / 4)))
        case .listener: ConnectionLimit(own: maximumConnectionsPerGateway, ofListener: max(1, descriptors / 2))
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
        limits.maximumGlitchCount = maximumGlitchCount
        return limits
    }
}

/// How many connections one account may have, and the accounts of one listener together.
struct ConnectionLimit {
    /// Of the account.
    let own: Int
    /// Of all accounts of the listener; nil if the listener's accounts share nothing.
    var ofListener: Int?

    /// Whether an account may open one more connection.
    ///
    /// An account of a shared listener may have at most three quarters of what the others leave. So whoever comes first cannot take everything, and
    /// a gateway that is alone there keeps most of it.
    /// - Parameters:
    ///   - count: what the account has.
    ///   - all: what all accounts of the listener have.
    func permits(_ count: Int, ofAll all: Int) -> Bool {
        guard count < own else { return false }
        guard let ofListener else { return true }
        return all < ofListener && count < max(1, (ofListener - (all - count)) * 3 / 4)
    }
}
