import RPCCore
import Synchronization

/// A limit that can refuse a call or a connection. The raw value is its name in metrics and logs.
public enum RefusingLimit: String, Sendable, Hashable, CaseIterable {
    /// ``ServerLimits/maximumConcurrentCalls``.
    case calls
    /// ``ServerLimits/maximumConcurrentCallsPerUser``, or a limit of an interceptor with the same reason.
    case callsPerUser = "calls-per-user"
    /// ``ServerLimits/maximumConcurrentCallsPerConnection``.
    case callsPerConnection = "calls-per-connection"
    /// A method's own limit (``RPCCore/HandlerLimit``).
    case handlers
    /// ``ServerLimits/maximumHeldByteCount``.
    case memory
    /// ``ServerLimits/maximumHeldByteCountPerUser``.
    case memoryPerUser = "memory-per-user"
    /// ``ServerLimits/maximumUnreadByteCount``: a call was refused or ended, or a connection with 64 MiB of unread answers was closed.
    case unreadPerConnection = "unread-per-connection"
    /// ``ServerLimits/maximumQueuedByteCountPerStream``: a call was ended.
    case queuedPerStream = "queued-per-stream"
    /// ``ServerLimits/maximumQueuedByteCountPerConnection``, of messages that handlers have not read or that have arrived in part: a call was ended.
    case queuedPerConnection = "queued-per-connection"
    /// ``ServerLimits/unfinishedTimeout``, or the deadline of a call whose request had not arrived: a call was ended, or a connection closed.
    case unfinishedSeconds = "unfinished-seconds"
    /// Too much input without use (glitches): a connection was closed.
    case glitches
    /// ``ServerLimits/unreadOutputTimeout``: a connection was closed, or streams of it ended.
    case unreadSeconds = "unread-seconds"
    /// ``ServerLimits/firstByteTimeout``: a connection that had not sent ten bytes was closed.
    case firstByteSeconds = "first-byte-seconds"
    /// ``ServerLimits/maximumConnectionsPerUID``: a connection was refused.
    case connectionsPerUID = "connections-per-uid"
    /// ``ServerLimits/maximumConnectionsPerGateway``: a connection was refused.
    case connectionsPerGateway = "connections-per-gateway"
}

extension RefusingLimit {
    /// The limit by which a running call was ended. Nil for limits that are counted where a call is refused. Nil also for limits of one message:
    /// those are the caller's mistakes.
    init?(endingCalls reason: LimitReason) {
        switch reason {
        case .connectionUnread: self = .unreadPerConnection
        case .streamQueue: self = .queuedPerStream
        case .connectionQueue: self = .queuedPerConnection
        // Counted by the session's report.
        case .connectionUnfinished: return nil
        case .connectionCalls, .userCalls, .serverCalls, .handlers, .userMemory, .serverMemory: return nil
        case .outOfMemory, .messageSize, .compressionRatio, .metadataSize: return nil
        }
    }
}

/// How often each limit has refused something, by class of user. Any thread.
final class RefusalCounts: Sendable {
    private struct Refused: Hashable {
        let limit: RefusingLimit
        let userClass: UserClass
    }

    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    private let counters: [Refused: Counter] = {
        let all = RefusingLimit.allCases.flatMap { limit in UserClass.allCases.map { Refused(limit: limit, userClass: $0) } }
        return Dictionary(uniqueKeysWithValues: all.map { ($0, Counter()) })
    }()

    func count(_ limit: RefusingLimit, _ userClass: UserClass) {
        counters[Refused(limit: limit, userClass: userClass)]?.value.wrappingAdd(1, ordering: .relaxed)
    }

    /// The counts that are not zero.
    var current: [LimitRefusals] {
        var all: [LimitRefusals] = []
        for limit in RefusingLimit.allCases {
            for userClass in UserClass.allCases {
                let count = counters[Refused(limit: limit, userClass: userClass)]?.value.load(ordering: .relaxed) ?? 0
                if count > 0 { all.append(LimitRefusals(limit: limit, userClass: userClass, count: count)) }
            }
        }
        return all
    }
}

/// How often one limit has refused users of one class.
public struct LimitRefusals: Sendable, Hashable {
    /// The limit that refused.
    public let limit: RefusingLimit
    /// Who was refused.
    public let userClass: UserClass
    /// Since the start.
    public let count: Int

    public init(limit: RefusingLimit, userClass: UserClass, count: Int) {
        self.limit = limit
        self.userClass = userClass
        self.count = count
    }
}

extension Principal {
    /// The limit of its connections.
    var refusingLimit: RefusingLimit {
        switch self {
        case .uid: .connectionsPerUID
        case .listener: .connectionsPerGateway
        }
    }
}
