import Synchronization

/// The present limits of a server. ``Server/setLimits(_:)`` changes them while it serves.
///
/// Calls read their limits without a lock. A connection or a stream reads the others once, under the lock. Any thread may use it.
final class CurrentLimits: Sendable {
    private let limits: Mutex<ServerLimits>
    let callsPerConnection: Atomic<Int>
    let unreadByteCount: Atomic<Int>
    /// The running calls of one user.
    let callsPerUser: Atomic<Int>
    /// The calls that are reserved for some methods (``ServerLimits/reservedCallCount``), as far as they are used.
    let reserve: Atomic<Int>
    /// The running calls of all users together.
    let calls: Atomic<Int>
    let heldByteCountPerUser: Atomic<Int>
    let heldByteCount: Atomic<Int>

    init(_ limits: ServerLimits) {
        let limits = limits.bounded
        self.limits = Mutex(limits)
        callsPerConnection = Atomic(limits.maximumConcurrentCallsPerConnection)
        unreadByteCount = Atomic(limits.maximumUnreadByteCount)
        callsPerUser = Atomic(limits.maximumConcurrentCallsPerUser)
        reserve = Atomic(limits.usedReserve)
        calls = Atomic(limits.maximumConcurrentCalls)
        heldByteCountPerUser = Atomic(limits.maximumHeldByteCountPerUser)
        heldByteCount = Atomic(limits.maximumHeldByteCount)
    }

    /// All limits together, for code that reads them once for a connection.
    var all: ServerLimits { limits.withLock { $0 } }

    /// Replaces the limits. A call that is admitted at the same time may see some old and some new limits.
    func set(_ new: ServerLimits) {
        let new = new.bounded
        limits.withLock { limits in
            limits = new
            callsPerConnection.store(new.maximumConcurrentCallsPerConnection, ordering: .relaxed)
            unreadByteCount.store(new.maximumUnreadByteCount, ordering: .relaxed)
            callsPerUser.store(new.maximumConcurrentCallsPerUser, ordering: .relaxed)
            reserve.store(new.usedReserve, ordering: .relaxed)
            calls.store(new.maximumConcurrentCalls, ordering: .relaxed)
            heldByteCountPerUser.store(new.maximumHeldByteCountPerUser, ordering: .relaxed)
            heldByteCount.store(new.maximumHeldByteCount, ordering: .relaxed)
        }
    }
}

extension ServerLimits {
    /// The number of reserved calls that is used: at most a 64th of all calls.
    fileprivate var usedReserve: Int { min(reservedCallCount, maximumConcurrentCalls / 64) }
}
