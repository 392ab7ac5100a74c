import Glibc
import RPCCore
import SocketTransport
import Synchronization

/// Counts the connections, running calls and memory of each user, and of all users together.
///
/// A limit for one connection is not enough, because a user may open many. So there is an account for each ``AccountHolder`` and one for the process.
/// A user who reaches a limit is refused, and other users are not affected. Any thread.
///
/// Behind a gateway all people are one user. There, a connection that has much gets no more before the limit is reached (`UserAccount.permits`).
final class Accountant: Sendable {
    let limits: CurrentLimits
    private let accounts = Mutex(Accounts())
    fileprivate let heldMemory = HeldMemory()
    fileprivate let runningCalls = Atomic<Int>(0)
    /// Whether all users together are over the limit of bytes.
    fileprivate let isOverLimit = Atomic<Bool>(false)
    /// How many accounts there are.
    fileprivate let accountCount = Atomic<Int>(0)
    fileprivate let refusals = RefusalCounts()
    private let past = Mutex(PastUsers())
    fileprivate let loopCount: Int
    /// Decodes and handles large requests of all users.
    fileprivate let largeRequests: FairTaskPool
    private let own = geteuid()

    private struct Entry {
        let account: UserAccount
        var connectionCount: Int
    }

    private struct Accounts {
        var entries: [AccountHolder: Entry] = [:]
        /// Open connections by principal, of those who have any. The uids of one listener share a limit.
        var connectionCounts: [Principal: Int] = [:]
    }

    /// - Parameter loopsAreBusy: whether all event loops have work. Large requests leave them some time then.
    init(_ limits: CurrentLimits, loopCount: Int, loopsAreBusy: @escaping @Sendable () -> Bool) {
        self.limits = limits
        self.loopCount = loopCount
        largeRequests = FairTaskPool(
            label: "rpc.large-requests", threads: max(2, EventLoop.processorCount), isBusyOtherwise: loopsAreBusy)
    }

    /// The present and past usage of each user. The last element, if there are any, is the sum of users who left long ago.
    var usage: [UserUsage] {
        // Both at the same instant: an account that is forgotten in between would be in neither.
        let (entries, past) = accounts.withLock { accounts in (Array(accounts.entries.values), self.past.withLock { $0 }) }
        var users = past.all
        // The uids of one listener are one user here.
        for entry in entries {
            let principal = entry.account.holder.principal
            var usage = users[principal] ?? UserUsage(principal: principal)
            usage.connections += entry.connectionCount
            entry.account.add(to: &usage)
            users[principal] = usage
        }
        return Array(users.values) + (past.others.calls > 0 ? [past.others] : [])
    }

    /// How often each limit has refused each class of users.
    var refusalCounts: [LimitRefusals] { refusals.current }

    /// Counts a refusal by a limit for a user.
    func count(_ limit: RefusingLimit, of principal: Principal) { refusals.count(limit, principal.userClass(own: own)) }

    /// Compares the memory of every user with the new limits.
    func limitsHaveChanged() {
        for entry in accounts.withLock({ Array($0.entries.values) }) { entry.account.hold(0) }
    }

    /// Calls whose handlers are running, of all users.
    var runningCallCount: Int { runningCalls.load(ordering: .relaxed) }

    /// Bytes that the server holds for all users.
    var totalHeldByteCount: Int { heldMemory.byteCount }

    /// Open connections of all users.
    var connectionCount: Int { accounts.withLock { $0.connectionCounts.values.reduce(0, +) } }

    /// Those who have an even share of all connections, or more.
    var holdersOfManyConnections: Set<AccountHolder> {
        accounts.withLock { accounts in
            let entries = accounts.entries, all = accounts.connectionCounts.values.reduce(0, +)
            return Set(entries.filter { $0.value.connectionCount * entries.count >= all }.keys)
        }
    }

    /// Counts a new connection, and returns its holder's account; nil if the limit permits no more.
    func openConnection(of holder: AccountHolder, _ limit: ConnectionLimit) -> UserAccount? {
        accounts.withLock { accounts in
            var entry = accounts.entries[holder] ?? Entry(account: UserAccount(holder, self), connectionCount: 0)
            let all = accounts.connectionCounts[holder.principal] ?? 0
            guard limit.permits(entry.connectionCount, ofAll: all) else { return nil }
            entry.connectionCount += 1
            accounts.entries[holder] = entry
            accounts.connectionCounts[holder.principal] = all + 1
            accountCount.store(accounts.entries.count, ordering: .relaxed)
            return entry.account
        }
    }

    /// Stops counting a connection.
    func closeConnection(of account: UserAccount) {
        accounts.withLock { accounts in
            accounts.entries[account.holder]?.connectionCount -= 1
            let left = (accounts.connectionCounts[account.holder.principal] ?? 0) - 1
            accounts.connectionCounts[account.holder.principal] = left > 0 ? left : nil
            forgetIfUnused(account, &accounts)
        }
    }

    /// Forgets an account that counts nothing any more. If a handler ignores its cancellation, its call outlives the connection and still counts,
    /// even when the user connects again.
    fileprivate func forgetIfUnused(_ account: UserAccount) {
        accounts.withLock { forgetIfUnused(account, &$0) }
    }

    private func forgetIfUnused(_ account: UserAccount, _ accounts: inout Accounts) {
        guard let entry = accounts.entries[account.holder], entry.account === account, entry.connectionCount == 0, account.isUnused else { return }
        accounts.entries[account.holder] = nil
        past.withLock { $0.add(account.pastUsage) }
        accountCount.store(accounts.entries.count, ordering: .relaxed)
    }
}

/// The usage of a server by one user, on all of the user's connections. Any thread.
final class UserAccount: Sendable {
    let holder: AccountHolder
    private let accountant: Accountant
    private let heldBytes = Atomic<Int>(0)
    private let unfinishedBytes = Atomic<Int>(0)
    private let calls = Atomic<Int>(0)
    /// The calls among them that are handled outside of the event loop.
    private let callsApart = Atomic<Int>(0)
    /// The bytes of the large requests of running calls, with their growth.
    private let largeRequestBytes = Atomic<Int>(0)
    /// Whether the user may be at the limit of bytes, or one of its connections. It is stored, because every call reads it.
    private let mayBeFull = Atomic<Bool>(false)
    /// Whether the connections are those of many people.
    private let isGateway: Bool
    /// The counts of the user's calls, by event loop.
    let loopCalls: [UserCalls]
    private let limits: CurrentLimits
    private var userCallLimit: Int { limits.callsPerUser.load(ordering: .relaxed) }
    private var processCallLimit: Int { limits.calls.load(ordering: .relaxed) }
    private var reserve: Int { limits.reserve.load(ordering: .relaxed) }
    private var userByteLimit: Int { limits.heldByteCountPerUser.load(ordering: .relaxed) }
    /// What half-received requests may take, and what large requests may take.
    private var halfOfLimit: Int { userByteLimit / 2 }
    /// What both may take together. The rest is for small requests.
    private var threeQuartersOfLimit: Int { userByteLimit / 4 * 3 }
    private var processByteLimit: Int { limits.heldByteCount.load(ordering: .relaxed) }

    fileprivate init(_ holder: AccountHolder, _ accountant: Accountant) {
        self.holder = holder
        if case .listener = holder.principal { isGateway = true } else { isGateway = false }
        self.accountant = accountant
        limits = accountant.limits
        loopCalls = (0..<accountant.loopCount).map { _ in UserCalls() }
        largeRequests = accountant.largeRequests.makeUser()
        smallRequestsApart = accountant.largeRequests.makeUser()
    }

    fileprivate var isUnused: Bool { calls.load(ordering: .relaxed) == 0 && heldBytes.load(ordering: .relaxed) == 0 }

    /// Decodes and handles the user's large requests, one at a time. The user's connections take turns, because all people behind a gateway are one
    /// user.
    let largeRequests: FairTaskPool.User
    /// Handles the user's other calls that are handled outside of the event loop, one at a time. They do not wait behind the large ones.
    let smallRequestsApart: FairTaskPool.User

    /// Whether the user's connections together may have `all` of something.
    ///
    /// Once the connections of a gateway have three quarters of a limit, one that has more than what is left of it gets no more. So each connection
    /// that takes what it can leaves about half of what it has found. A few cannot take all; very many can.
    /// - Parameter own: what the connection in question had before.
    @inline(__always)
    private func permits(_ all: Int, of limit: Int, toConnectionWith own: Int) -> Bool {
        all <= limit && (!isGateway || all <= limit - limit / 4 || own <= limit - all)
    }

    // MARK: Places

    /// Takes a place for a running call.
    /// - Parameter own: the running calls of its connection.
    /// - Returns: false if there is none.
    @inline(__always)
    func takeCall(besides own: Int) -> Bool { takeCall(besides: own, of: userCallLimit, all: processCallLimit - reserve) }

    /// The same for a call of a method with reserved places, see `Router.reserveCalls(for:)`.
    func takeReservedCall(besides own: Int) -> Bool { takeCall(besides: own, of: userCallLimit + reserve / 16, all: processCallLimit) }

    @inline(__always)
    private func takeCall(besides own: Int, of userLimit: Int, all allLimit: Int) -> Bool {
        let count = calls.wrappingAdd(1, ordering: .relaxed).newValue
        let all = accountant.runningCalls.wrappingAdd(1, ordering: .relaxed).newValue
        if permits(count, of: userLimit, toConnectionWith: own), all <= allLimit { return true }
        releaseCall()
        return false
    }

    /// Takes a place for a running call that is handled outside of the event loop, or whose request is large, besides its place as a call.
    ///
    /// A user's calls outside of the loop wait for one thread, or two at most. So the last of many would wait for seconds. When their client leaves,
    /// ending all of them takes time too.
    ///
    /// Large requests may take half of the user's memory, or three quarters together with half-received ones. One is always permitted. So they do not
    /// keep small ones from being answered: those of other people behind the same gateway, for example.
    /// - Parameters:
    ///   - isApart: whether the call is handled outside of the event loop (``ServerCall/isLarge``).
    ///   - byteCount: the memory of its request if that is large, or else 0.
    ///   - own: the other calls of its connection that are handled outside of the event loop, and the bytes of its other requests, whole or not.
    /// - Returns: nil, or the error for the client if there is no place. A refusal is counted.
    func takeLargeCall(isApart: Bool, holding byteCount: Int, besides own: (callsApart: Int, byteCount: Int)) -> RPCError? {
        let calls = callsApart.wrappingAdd(isApart ? 1 : 0, ordering: .relaxed).newValue
        let bytes = largeRequestBytes.wrappingAdd(byteCount, ordering: .relaxed).newValue
        let limit = max(1, userCallLimit / ServerLimits.callsEachLargeCall)
        let hasPlace = !isApart || permits(calls, of: limit, toConnectionWith: own.callsApart)
        if hasPlace, byteCount == 0 || hasRoom(bytes, besides: bytes - byteCount, toConnectionWith: own.byteCount) { return nil }
        releaseLargeCall(isApart: isApart, holding: byteCount)
        count(hasPlace ? .memoryPerUser : .callsPerUser)
        return hasPlace ? .tooManyBytesOfLargeRequests : .tooManyLargeCallsOfUser
    }

    /// Whether large requests may take so many bytes.
    /// - Parameters:
    ///   - others: the bytes without those of the request in question. While it arrived, it was counted as half-received.
    ///   - own: the bytes of the other requests of its connection.
    private func hasRoom(_ bytes: Int, besides others: Int, toConnectionWith own: Int) -> Bool {
        others == 0
            || (permits(bytes, of: halfOfLimit, toConnectionWith: own)
                && permits(others + unfinishedBytes.load(ordering: .relaxed), of: threeQuartersOfLimit, toConnectionWith: own))
    }

    /// Frees such a place.
    func releaseLargeCall(isApart: Bool, holding byteCount: Int) {
        if isApart { callsApart.wrappingSubtract(1, ordering: .relaxed) }
        largeRequestBytes.wrappingSubtract(byteCount, ordering: .relaxed)
    }

    /// Counts how much a large request has grown when it was decoded.
    /// - Parameters:
    ///   - taken: what it has taken with its place.
    ///   - own: by how much all messages of its connection have grown, with this one.
    /// - Returns: nil, or the error for the client if there is no memory for that. A refusal is counted. In both cases it is held until
    ///   ``releaseGrowth(_:)``.
    func holdGrowth(_ byteCount: Int, of taken: Int, toConnectionWith own: Int) -> RPCError? {
        hold(byteCount)
        let bytes = largeRequestBytes.wrappingAdd(byteCount, ordering: .relaxed).newValue
        if isFull(forConnectionWith: own) { return memoryRefusal(ofConnectionWith: own) }
        if hasRoom(bytes, besides: bytes - byteCount - taken, toConnectionWith: own - byteCount) { return nil }
        count(.memoryPerUser)
        return .tooManyBytesOfLargeRequests
    }

    /// Stops counting it.
    func releaseGrowth(_ byteCount: Int) {
        hold(-byteCount)
        largeRequestBytes.wrappingSubtract(byteCount, ordering: .relaxed)
    }

    /// Counts a refusal by the limit of running calls that was reached. Returns the error for the client.
    /// - Parameter own: the running calls of the connection.
    func callRefusal(besides own: Int) -> RPCError {
        let isOwn = !permits(calls.load(ordering: .relaxed) + 1, of: userCallLimit, toConnectionWith: own)
        count(isOwn ? .callsPerUser : .calls)
        return isOwn ? .tooManyCallsOfUser : .tooManyCalls
    }

    /// Counts a refusal by a limit. Each refused call, ended call and closed connection is counted once, where it is refused.
    func count(_ limit: RefusingLimit) { accountant.count(limit, of: holder.principal) }

    /// Adds the user's present usage, and its usage since the account was made.
    fileprivate func add(to usage: inout UserUsage) {
        usage.runningCalls += calls.load(ordering: .relaxed)
        usage.heldByteCount += heldBytes.load(ordering: .relaxed)
        for loop in loopCalls { loop.add(to: &usage) }
    }

    fileprivate var pastUsage: UserUsage {
        var usage = UserUsage(principal: holder.principal)
        for loop in loopCalls { loop.add(to: &usage) }
        return usage
    }

    /// Frees the place of a call.
    @inline(__always)
    func releaseCall() {
        accountant.runningCalls.wrappingSubtract(1, ordering: .relaxed)
        calls.wrappingSubtract(1, ordering: .relaxed)
    }

    // MARK: Bytes

    /// Adds to the bytes that are held for the user; negative numbers subtract.
    func hold(_ byteCount: Int) {
        let own = heldBytes.wrappingAdd(byteCount, ordering: .relaxed).newValue
        let all = accountant.heldMemory.add(byteCount)
        mayBeFull.store(own > fullestByteCount, ordering: .relaxed)
        accountant.isOverLimit.store(all > processByteLimit, ordering: .relaxed)
    }

    /// Below this no connection of the user is full, unless the process is.
    private var fullestByteCount: Int { isGateway ? threeQuartersOfLimit : userByteLimit }

    /// Whether nothing more may be held for the user. Either the user is at the user's limit, or the process is at its own and the user holds more
    /// than an even share of it.
    @inline(__always)
    var isFull: Bool { isFull(forConnectionWith: .max, isSmall: true) }

    /// Whether nothing more may be held for one of the user's connections.
    ///
    /// This differs from ``isFull`` behind a gateway. For a connection with more than what is left, the limit is reached earlier, but not for small
    /// things. For a connection with little, it is reached a quarter later. So a person who has nothing yet can call, although others hold all.
    /// - Parameters:
    ///   - own: what is held for the connection.
    ///   - isSmall: whether less than 4 KiB are to be held.
    @inline(__always)
    func isFull(forConnectionWith own: @autoclosure () -> Int, isSmall: Bool = false) -> Bool {
        guard mayBeFull.load(ordering: .relaxed) || accountant.isOverLimit.load(ordering: .relaxed) else { return false }
        return isStillFull(forConnectionWith: own(), isSmall: isSmall)
    }

    /// The flags may be late if two loops count at the same moment. The bytes decide.
    private func isStillFull(forConnectionWith own: Int, isSmall: Bool) -> Bool {
        let held = heldBytes.load(ordering: .relaxed)
        return isOverOwnLimit(held, own, isSmall) || (accountant.totalHeldByteCount > processByteLimit && held > evenPart)
    }

    private func isOverOwnLimit(_ held: Int, _ own: Int, _ isSmall: Bool) -> Bool {
        guard isGateway else { return held > userByteLimit }
        if own <= min(Self.littleByteCount, userByteLimit / 64) { return held > overfullByteCount }
        return isSmall ? held > userByteLimit : !permits(held, of: userByteLimit, toConnectionWith: own)
    }

    /// A connection with so many bytes has little.
    private static let littleByteCount = 64 << 10

    /// Adds to the bytes of half-received requests, which ``hold(_:)`` counts too.
    func holdUnfinished(_ byteCount: Int) { unfinishedBytes.wrappingAdd(byteCount, ordering: .relaxed) }

    /// Whether half-received requests have half of what may be held for the user, or three quarters together with large requests. They get little
    /// more, so that they do not keep small requests from being answered: those of other people behind the same gateway, for example.
    /// - Parameter own: the bytes of the requests of the connection in question, whole or not.
    func hasTooMuchUnfinished(ofConnectionWith own: Int) -> Bool {
        let unfinished = unfinishedBytes.load(ordering: .relaxed)
        return !permits(unfinished, of: halfOfLimit, toConnectionWith: own)
            || !permits(unfinished + largeRequestBytes.load(ordering: .relaxed), of: threeQuartersOfLimit, toConnectionWith: own)
    }

    /// Whether the user is at least a quarter over the limit of ``isFull``, so that refusing calls was not enough.
    var isOverfull: Bool {
        let held = heldBytes.load(ordering: .relaxed)
        if held > overfullByteCount { return true }
        return accountant.totalHeldByteCount > processByteLimit + processByteLimit / 4 && held > evenPart
    }

    private var overfullByteCount: Int { userByteLimit + userByteLimit / 4 }
    private var evenPart: Int { processByteLimit / max(1, accountant.accountCount.load(ordering: .relaxed)) }

    /// The limit of memory that was reached, while a connection is full, and the error for the client.
    func fullLimit(ofConnectionWith own: Int, isSmall: Bool = false) -> (limit: RefusingLimit, error: RPCError) {
        isOverOwnLimit(heldBytes.load(ordering: .relaxed), own, isSmall) ? (.memoryPerUser, .tooManyBytesOfUser) : (.memory, .tooManyBytes)
    }

    /// The same while ``isFull``.
    var fullLimit: (limit: RefusingLimit, error: RPCError) { fullLimit(ofConnectionWith: .max, isSmall: true) }

    /// Counts a refusal by the limit of memory that was reached, while a connection is full. Returns the error for the client.
    func memoryRefusal(ofConnectionWith own: Int, isSmall: Bool = false) -> RPCError {
        let full = fullLimit(ofConnectionWith: own, isSmall: isSmall)
        count(full.limit)
        return full.error
    }

    /// The same while ``isFull``.
    func memoryRefusal() -> RPCError { memoryRefusal(ofConnectionWith: .max, isSmall: true) }

    /// Forgets the account if the user has no connection, no call and no memory any more.
    func forgetIfUnused() { if isUnused { accountant.forgetIfUnused(self) } }
}

extension RPCError {
    static let tooManyCalls = limitReached(.serverCalls, "the server is running all the calls that it may")
    static let tooManyCallsOfUser = limitReached(.userCalls, "all the calls that one user may have are running")
    static let tooManyLargeCallsOfUser = limitReached(
        .userCalls, "all the calls with large requests or long answers that one user may have are running")
    static let tooManyBytesOfLargeRequests = limitReached(
        .userMemory, "the server holds all the memory for large requests of this user that one user may have")
    static let tooManyBytes = limitReached(.serverMemory, "the server holds all the memory that it may for its clients")
    static let tooManyBytesOfUser = limitReached(.userMemory, "the server holds all the memory for this user that one user may have")

    static func tooManyCallsOfConnection(_ count: Int) -> RPCError {
        limitReached(.connectionCalls, "\(count) calls of this connection are already running")
    }

    static func tooManyEndedHandlers(_ count: Int) -> RPCError {
        limitReached(.connectionCalls, "\(count) handlers of ended calls of this connection have not ended yet")
    }

    static func tooManyUnreadBytes(_ count: Int) -> RPCError {
        limitReached(.connectionUnread, "\(count) bytes of answers on this connection are unread")
    }
}
