import Synchronization

/// The limits of a server as they are now: ``Server/setLimits(_:)`` changes them while it serves.
///
/// What a call asks for is read here without a lock, which costs as much as reading a constant. The rest is read once for a connection or a stream.
/// Any thread.
final class CurrentLimits: Sendable {
    private let limits: Mutex<ServerLimits>
    let callsPerConnection: Atomic<Int>
    let unreadByteCount: Atomic<Int>
    /// Places of one user, and those that ``ServerLimits/reservedCallCount`` keeps for some methods.
    let callsPerUser: Atomic<Int>
    let reserve: Atomic<Int>
    let calls: Atomic<Int>
    let heldByteCountPerUser: Atomic<Int>
    let heldByteCount: Atomic<Int>

    init(_ limits: ServerLimits) {
        self.limits = Mutex(limits)
        callsPerConnection = Atomic(limits.maximumConcurrentCallsPerConnection)
        unreadByteCount = Atomic(limits.maximumUnreadByteCount)
        callsPerUser = Atomic(limits.maximumConcurrentCallsPerUser)
        reserve = Atomic(limits.usedReserve)
        calls = Atomic(limits.maximumConcurrentCalls)
        heldByteCountPerUser = Atomic(limits.maximumHeldByteCountPerUser)
        heldByteCount = Atomic(limits.maximumHeldByteCount)
    }

    /// All of them at once: for what is asked once for a connection.
    var all: ServerLimits { limits.withLock { $0 } }

    /// Replaces them. A call that is being admitted meanwhile may see some of the old ones and some of the new.
    func set(_ new: ServerLimits) {
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
    /// The reserve that is kept: at most a 64th of all places.
    fileprivate var usedReserve: Int { min(reservedCallCount, maximumConcurrentCalls / 64) }
}
