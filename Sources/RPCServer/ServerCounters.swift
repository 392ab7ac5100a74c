import Synchronization

/// What all event loops of a server count together.
final class ServerCounters: Sendable {
    private let runningCalls = Atomic<Int>(0)
    private let connections = Mutex<[UInt32: Int]>([:])

    /// Takes a place for a running call, unless `limit` are taken.
    func takeCall(limit: Int) -> Bool {
        if runningCalls.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
        releaseCall()
        return false
    }

    func releaseCall() { runningCalls.wrappingSubtract(1, ordering: .relaxed) }

    var runningCallCount: Int { runningCalls.load(ordering: .relaxed) }

    /// Takes a place for a connection of `uid`, unless `limit` are taken.
    func takeConnection(uid: UInt32, limit: Int) -> Bool {
        connections.withLock { connections in
            let count = connections[uid, default: 0]
            guard count < limit else { return false }
            connections[uid] = count + 1
            return true
        }
    }

    func releaseConnection(uid: UInt32) {
        connections.withLock { connections in
            let count = connections[uid, default: 1] - 1
            connections[uid] = count == 0 ? nil : count
        }
    }

    var connectionCount: Int { connections.withLock { $0.values.reduce(0, +) } }
}
