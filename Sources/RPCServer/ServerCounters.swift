import Synchronization

/// What all event loops of a server count together.
final class ServerCounters: Sendable {
    private let runningCalls = Atomic<Int>(0)
    private let connections = Mutex<[Principal: Int]>([:])

    /// Takes a place for a running call, unless `limit` are taken.
    func takeCall(limit: Int) -> Bool {
        if runningCalls.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
        releaseCall()
        return false
    }

    func releaseCall() { runningCalls.wrappingSubtract(1, ordering: .relaxed) }

    var runningCallCount: Int { runningCalls.load(ordering: .relaxed) }

    /// Takes a place for a connection of `principal`, unless `limit` are taken.
    func takeConnection(of principal: Principal, limit: Int) -> Bool {
        connections.withLock { connections in
            let count = connections[principal, default: 0]
            guard count < limit else { return false }
            connections[principal] = count + 1
            return true
        }
    }

    func releaseConnection(of principal: Principal) {
        connections.withLock { connections in
            let count = connections[principal, default: 1] - 1
            connections[principal] = count == 0 ? nil : count
        }
    }

    var connectionCount: Int { connections.withLock { $0.values.reduce(0, +) } }
}
