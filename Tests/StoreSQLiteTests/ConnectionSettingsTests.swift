import GRDB
import Testing

@testable import StoreSQLite

@Suite("Connection settings") struct ConnectionSettingsTests {
    @Test("A connection waits for a lock of ours: a reader takes the write lock for an instant to read a torn WAL index again")
    func waitsForLocks() throws {
        let directory = try TemporaryDirectory()
        let queue = try DatabaseQueue(
            path: directory.path + "/lock.sqlite", configuration: ConnectionSettings.writer)
        let timeout = try queue.read { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") }
        #expect(timeout == 5_000)
    }
}
