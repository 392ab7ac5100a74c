import PulseBoardDomain
import Synchronization

/// Items whose removal has failed. They are skipped until only such items are left, so that they do not stop the removal of others.
final class FailedRemovals<Item: Hashable & Sendable>: Sendable {
    private let most: Int
    private let items = Mutex<Set<Item>>([])

    /// - Parameter most: maximum items in memory, because the store is asked for as many more. Before another one is noted, all are forgotten and
    ///   tried again.
    init(most: Int = .max) { self.most = most }

    /// Chooses the items to remove now.
    /// - Parameters:
    ///   - limit: maximum items.
    ///   - find: returns the first items that are due, at most as many as it is asked for.
    func next(_ limit: Int, _ find: (Int) async throws(RepositoryError) -> [Item]) async throws(RepositoryError) -> [Item] {
        let skipped = items.withLock { $0 }
        let all = try await find(limit + skipped.count)
        let due = all.filter { !skipped.contains($0) }
        guard due.isEmpty else { return Array(due.prefix(limit)) }
        // Only those are left, so they are tried again.
        items.withLock { $0.removeAll() }
        return Array(all.prefix(limit))
    }

    /// Notes an item whose removal has failed.
    func note(_ item: Item) {
        items.withLock { items in
            if items.count >= most { items.removeAll() }
            items.insert(item)
        }
    }
}
