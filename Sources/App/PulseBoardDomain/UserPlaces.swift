import Synchronization

/// Places whose holders are users, which is usual.
package typealias UserPlaces = Places<UserID>

/// Limits what one user, or another holder, has under way of some work that costs memory or occupies a thread. More of the user's work waits in its
/// order. Work of other users does not wait for it.
///
/// The limits of calls permit thousands of calls of a user at once. They are fair to others only if the work behind a call is short.
package final class Places<Holder: Hashable & Sendable>: Sendable {
    /// One place. It is free again when this is released.
    package final class Place: Sendable {
        private let places: Places
        private let holder: Holder

        fileprivate init(_ places: Places, _ holder: Holder) {
            self.places = places
            self.holder = holder
        }

        deinit { places.giveBack(holder) }
    }

    private struct Line {
        var taken = 0
        private var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        /// The numbers of the calls that wait, in their order. Some of them do not wait any more: the first ``passed``, and others.
        private var order: [UInt64] = []
        private var passed = 0

        mutating func wait(_ number: UInt64, _ continuation: CheckedContinuation<Bool, Never>) {
            waiting[number] = continuation
            order.append(number)
        }

        /// How many numbers ``order`` has, in all.
        var length: Int { order.count }

        mutating func leave(_ number: UInt64) -> CheckedContinuation<Bool, Never>? {
            let left = waiting.removeValue(forKey: number)
            // Calls may wait and leave again and again while all places are taken. Their numbers must not fill the line.
            if order.count - passed > 2 * waiting.count + 64 {
                order = order[passed...].filter { waiting[$0] != nil }
                passed = 0
            }
            return left
        }

        /// The next call that waits. Thousands may wait, so none of them is moved.
        mutating func next() -> CheckedContinuation<Bool, Never>? {
            var next: CheckedContinuation<Bool, Never>?
            while next == nil, passed < order.count {
                next = waiting.removeValue(forKey: order[passed])
                passed += 1
            }
            if passed > order.count / 2 {
                order.removeFirst(passed)
                passed = 0
            }
            return next
        }
    }

    private struct State {
        /// Only holders with a place taken.
        var lines: [Holder: Line] = [:]
        var lastNumber: UInt64 = 0

        /// Takes a place if there is one.
        mutating func take(_ holder: Holder, limit: Int) -> Bool {
            guard lines[holder, default: Line()].taken < limit else { return false }
            lines[holder, default: Line()].taken += 1
            return true
        }
    }

    /// Places of each holder.
    package let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: the places of each holder.
    package init(limit: Int) { self.limit = limit }

    /// Takes a place, as soon as there is one.
    /// - Throws: `cancelled` when the task is cancelled first.
    package func take(_ holder: Holder) async throws(RepositoryError) -> Place {
        let number = state.withLock { state -> UInt64? in
            guard !state.take(holder, limit: limit) else { return nil }
            state.lastNumber += 1
            return state.lastNumber
        }
        if let number, await !wait(holder, number) { throw .cancelled }
        return Place(self, holder)
    }

    /// Takes a place if there is one now.
    package func takeNow(_ holder: Holder) -> Place? {
        state.withLock { $0.take(holder, limit: limit) } ? Place(self, holder) : nil
    }

    /// - Returns: `false` when the task was cancelled.
    private func wait(_ holder: Holder, _ number: UInt64) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> Bool? in
                    // A place may have become free, and the cancellation may have come, since the first look.
                    guard !Task.isCancelled else { return false }
                    guard !state.take(holder, limit: limit) else { return true }
                    state.lines[holder]?.wait(number, continuation)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.lines[holder]?.leave(number) }
            waiter?.resume(returning: false)
        }
    }

    private func giveBack(_ holder: Holder) {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if let next = state.lines[holder]?.next() { return next }
            state.lines[holder]?.taken -= 1
            if state.lines[holder]?.taken == 0 { state.lines[holder] = nil }
            return nil
        }
        next?.resume(returning: true)
    }

    /// Numbers in a holder's line, those of calls that have left included.
    func lineLength(of holder: Holder) -> Int { state.withLock { $0.lines[holder]?.length ?? 0 } }

    /// Users with a place taken.
    package var userCount: Int { state.withLock { $0.lines.count } }
}
