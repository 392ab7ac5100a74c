import RPCCore
import Synchronization

/// The usage of a server by one user, now and since the start.
///
/// The ten users for whom the server holds the most memory:
///
///     for user in server.users.sorted(by: { $0.heldByteCount > $1.heldByteCount }).prefix(10) {
///         let name = user.principal.map { "\($0)" } ?? "former users"     // for example `uid(1000)`
///         print(name, user.heldByteCount, user.connections, user.runningCalls, user.failedCalls)
///     }
///
/// Calls and their bytes are counted for observers (``RPCCore/CallObserver``). A server without observers does not count them.
public struct UserUsage: Sendable, Hashable {
    /// The user; `nil` for the sum of users who left long ago.
    public var principal: Principal?
    /// Open connections.
    public var connections = 0
    /// Calls whose handlers are running.
    public var runningCalls = 0
    /// Bytes that the server holds for the user.
    public var heldByteCount = 0
    /// Calls that have ended.
    public var calls = 0
    /// Those of them that ended with another code than `OK`.
    public var failedCalls = 0
    /// Bytes of the requests of ended calls.
    public var requestByteCount = 0
    /// Bytes of their responses.
    public var responseByteCount = 0

    public init(principal: Principal? = nil) { self.principal = principal }

    /// Adds the usage of another value since the start.
    mutating func addPast(_ other: UserUsage) {
        calls += other.calls
        failedCalls += other.failedCalls
        requestByteCount += other.requestByteCount
        responseByteCount += other.responseByteCount
    }
}

/// The class of a ``Principal``, for metrics whose number must not grow with the number of users.
public enum UserClass: String, Sendable, Hashable, CaseIterable {
    /// Root and the server's own uid.
    case server
    /// Other uids of this machine.
    case local
    /// Callers through a gateway.
    case gateway
}

extension Principal {
    /// Its class, for a server that runs as `own`.
    public func userClass(own: UInt32) -> UserClass {
        switch self {
        case .uid(let uid): uid == 0 || uid == own ? .server : .local
        case .listener: .gateway
        }
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

/// A limit that can refuse a call or a connection. The raw value is its name in metrics and logs.
public enum RefusingLimit: String, Sendable, Hashable, CaseIterable {
    /// ``ServerLimits/maximumConcurrentCalls``.
    case calls
    /// ``ServerLimits/maximumConcurrentCallsPerUser``.
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
    /// ``ServerLimits/unreadOutputTimeout``: a connection was closed.
    case unreadSeconds = "unread-seconds"
    /// ``ServerLimits/firstByteTimeout``: a connection that had not sent ten bytes was closed.
    case firstByteSeconds = "first-byte-seconds"
    /// ``ServerLimits/maximumConnectionsPerUID``: a connection was refused.
    case connectionsPerUID = "connections-per-uid"
    /// ``ServerLimits/maximumConnectionsPerGateway``: a connection was refused.
    case connectionsPerGateway = "connections-per-gateway"
}

extension RefusingLimit {
    /// The limit that a call has reached while it was running; nil for those that are counted where a call is refused, and for limits of one
    /// message, which are the caller's mistakes.
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

/// The counts of one user's calls on one event loop, which alone changes them. Any thread may read.
final class UserCalls: Sendable {
    private let calls = Atomic(0)
    private let failed = Atomic(0)
    private let requestBytes = Atomic(0)
    private let responseBytes = Atomic(0)

    @inline(__always)
    func add(calls count: Int, failed failures: Int, requestBytes requests: Int, responseBytes responses: Int) {
        calls.store(calls.load(ordering: .relaxed) &+ count, ordering: .relaxed)
        if failures > 0 { failed.store(failed.load(ordering: .relaxed) &+ failures, ordering: .relaxed) }
        requestBytes.store(requestBytes.load(ordering: .relaxed) &+ requests, ordering: .relaxed)
        responseBytes.store(responseBytes.load(ordering: .relaxed) &+ responses, ordering: .relaxed)
    }

    func add(to usage: inout UserUsage) {
        usage.calls += calls.load(ordering: .relaxed)
        usage.failedCalls += failed.load(ordering: .relaxed)
        usage.requestByteCount += requestBytes.load(ordering: .relaxed)
        usage.responseByteCount += responseBytes.load(ordering: .relaxed)
    }
}

/// The usage of users without an account, because they have no connection. Above ``capacity``, the user who left first is added to the sum of all
/// others.
struct PastUsers {
    static let capacity = 1_024

    private var users: [Principal: (usage: UserUsage, order: Int)] = [:]
    private var order = 0
    private(set) var others = UserUsage()

    /// Adds the usage of a user whose account is removed.
    mutating func add(_ usage: UserUsage) {
        guard let principal = usage.principal, usage.calls > 0 else { return }
        order += 1
        var known = users[principal]?.usage ?? UserUsage(principal: principal)
        known.addPast(usage)
        users[principal] = (known, order)
        guard users.count > Self.capacity, let first = users.min(by: { $0.value.order < $1.value.order }) else { return }
        others.addPast(first.value.usage)
        users[first.key] = nil
    }

    /// The past usage by user.
    var all: [Principal: UserUsage] { users.mapValues(\.usage) }
}
