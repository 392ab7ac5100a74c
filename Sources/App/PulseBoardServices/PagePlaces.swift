import PulseBoardDomain
import Synchronization

/// Limits the pages of a diary that are in memory for one user at once. A page has up to ``DiaryLimits/maximumPageBytes``, and exists as rows, as a
/// message and as bytes. Without this limit, a user with many connections could fill the memory and the queue of the store's reads.
///
/// More reads of the user wait in their order. Reads of other users do not wait for them.
final class PagePlaces: Sendable {
    /// Pages of one user in memory at once.
    static let limit = 8
    /// A stream keeps its place while it sends a page with more bytes of text than this.
    static let smallPageBytes = 64 << 10

    /// One page's place. It is free again when this is released.
    final class Place: Sendable {
        private let places: PagePlaces
        private let user: UserID

        fileprivate init(_ places: PagePlaces, _ user: UserID) {
            self.places = places
            self.user = user
        }

        deinit { places.giveBack(user) }
    }

    private struct Line {
        var taken = 0
        /// In the order of their numbers.
        var waiting: [(number: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private struct State {
        /// Only users with a place taken.
        var lines: [UserID: Line] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Takes a place, as soon as there is one. - Throws: `cancelled` when the task is cancelled first.
    func take(_ user: UserID) async throws(RepositoryError) -> Place {
        let number = state.withLock { state -> UInt64? in
            if state.lines[user, default: Line()].taken < Self.limit {
                state.lines[user, default: Line()].taken += 1
                return nil
            }
            state.lastNumber += 1
            return state.lastNumber
        }
        if let number, await !wait(user, number) { throw .cancelled }
        return Place(self, user)
    }

    /// - Returns: `false` when the task was cancelled.
    private func wait(_ user: UserID, _ number: UInt64) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> Bool? in
                    // A place may have become free, and the cancellation may have come, since the first look.
                    guard !Task.isCancelled else { return false }
                    guard state.lines[user, default: Line()].taken >= Self.limit else {
                        state.lines[user, default: Line()].taken += 1
                        return true
                    }
                    state.lines[user]?.waiting.append((number, continuation))
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard let index = state.lines[user]?.waiting.firstIndex(where: { $0.number == number }) else { return nil }
                return state.lines[user]?.waiting.remove(at: index).continuation
            }
            waiter?.resume(returning: false)
        }
    }

    private func giveBack(_ user: UserID) {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard var line = state.lines[user] else { return nil }
            let next = line.waiting.isEmpty ? nil : line.waiting.removeFirst().continuation
            if next == nil { line.taken -= 1 }
            state.lines[user] = line.taken == 0 ? nil : line
            return next
        }
        next?.resume(returning: true)
    }

    /// Users with a place taken.
    var userCount: Int { state.withLock { $0.lines.count } }
}
