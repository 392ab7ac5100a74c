import Synchronization

/// The owners who have too many events. Only a process's memory knows them: after a restart, the next event of an owner notes the owner again.
final class SurplusOwners: Sendable {
    /// Maximum owners. Another one is noted with a later event.
    static let most = 1_024

    private struct State {
        var order: [UserNumber] = []
        var members: Set<UserNumber> = []
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock(\.order.isEmpty) }

    func note(_ owner: UserNumber) {
        state.withLock { state in
            guard state.order.count < Self.most, state.members.insert(owner).inserted else { return }
            state.order.append(owner)
        }
    }

    /// Removes and returns the owner who was noted first.
    func takeFirst() -> UserNumber? {
        state.withLock { state in
            guard !state.order.isEmpty else { return nil }
            let first = state.order.removeFirst()
            state.members.remove(first)
            return first
        }
    }

    func forget() { state.withLock { $0 = State() } }
}
