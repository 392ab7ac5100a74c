import Foundation
import GRDB
import PulseBoardDomain
import Testing

@testable import StoreSQL
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

    @Test("X7: what a withdrawn user wrote is nowhere in the file")
    func deletedTextIsOverwritten() async throws {
        let directory = try TemporaryDirectory()
        let time = Timestamp(microseconds: 1)
        let secret = "of whom nothing is to stay"
        let draft = try ProfileDraft(username: "gone", texts: [.displayName: "Somebody", .statusMessage: secret], rules: UsernameRules())
        for withdraws in [false, true] {
            let store = try SQLiteStore(directory: directory.path)
            if withdraws {
                try await store.deleteProfile(of: userOne, at: time, idempotency: nil)
            } else {
                _ = try await store.createProfile(draft, for: userOne, at: time, idempotency: try requestKey("r1"))
            }
            try store.close()
            let file = try Data(contentsOf: URL(filePath: directory.path + "/" + SQLiteStore.fileName))
            for text in [secret, "Somebody", "gone"] {
                #expect((file.range(of: Data(text.utf8)) == nil) == withdraws, "\(text)")
            }
        }
    }
}
