import Glibc
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

/// The usage of users without an account, because they have no connection. Above ``capacity``, the local user who left first is added to the sum of
/// all others. The server's own users and gateways are few, and stay.
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
        guard users.count > Self.capacity else { return }
        let own = geteuid()
        let local = users.lazy.filter { $0.key.userClass(own: own) == .local }
        guard let first = local.min(by: { $0.value.order < $1.value.order }) else { return }
        others.addPast(first.value.usage)
        users[first.key] = nil
    }

    /// The past usage by user.
    var all: [Principal: UserUsage] { users.mapValues(\.usage) }
}
