import PulseBoardDomain
import StoreSQL
import Synchronization

/// The newest bucket numbers that this process has made. The answer to a write contains its number, so that another server can tell whether it knows
/// the write.
final class NewestChanges: Sendable {
    private let numbers = Mutex([Int64](repeating: 0, count: UserBucket.count))

    /// Records numbers. Call it before the write is acknowledged.
    func note(_ raised: [Int: Int64]) {
        guard !raised.isEmpty else { return }
        numbers.withLock { numbers in
            for (bucket, number) in raised { numbers[bucket] = max(numbers[bucket], number) }
        }
    }

    /// The newest number of a bucket; 0 before the first.
    subscript(bucket: Int) -> Int64 { numbers.withLock { $0[bucket] } }

    private static let present = Query("SELECT number FROM generation WHERE bucket = ?")

    /// The numbers as a session sees them. They include those of every committed transaction.
    static func numbers(of buckets: Set<Int>, _ session: PostgreSQLSession) -> [Int: Int64] {
        var numbers: [Int: Int64] = [:]
        for bucket in buckets {
            let cursor = session.statement(present)
            defer { cursor.reset() }
            cursor.bind(Int64(bucket))
            // The session keeps the failure.
            do throws(RepositoryError) {
                if try cursor.step() { numbers[bucket] = cursor.integer(0) }
            } catch {}
        }
        return numbers
    }
}
