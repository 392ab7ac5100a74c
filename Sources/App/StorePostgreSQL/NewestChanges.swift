import PulseBoardDomain
import StoreSQL
import Synchronization

/// The newest numbers of buckets that this process has made: what the answer to a write has to name, so that other servers can tell whether they know of it.
final class NewestChanges: Sendable {
    private let numbers = Mutex([Int64](repeating: 0, count: UserBucket.count))

    /// Before the write is acknowledged.
    func note(_ raised: [Int: Int64]) {
        guard !raised.isEmpty else { return }
        numbers.withLock { numbers in
            for (bucket, number) in raised { numbers[bucket] = max(numbers[bucket], number) }
        }
    }

    /// 0 before the first.
    subscript(bucket: Int) -> Int64 { numbers.withLock { $0[bucket] } }

    private static let present = Query("SELECT number FROM generation WHERE bucket = ?")

    /// The numbers as a session sees them: not less than what a transaction that is done has made of them.
    static func numbers(of buckets: Set<Int>, _ session: PostgreSQLSession) -> [Int: Int64] {
        var numbers: [Int: Int64] = [:]
        for bucket in buckets {
            let cursor = session.statement(present)
            defer { cursor.reset() }
            cursor.bind(Int64(bucket))
            // What fails here, the session keeps.
            do throws(RepositoryError) {
                if try cursor.step() { numbers[bucket] = cursor.integer(0) }
            } catch {}
        }
        return numbers
    }
}
