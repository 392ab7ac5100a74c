import Foundation
import GRDB
import PulseBoardDomain
import RepositoryContract
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// The export and the purge know all data about a user (C21, C24).
@Suite("What is kept about a user") struct UserDataTests {
    @Test("C21: every table either holds no user's data, or is named with what exports and what purges it")
    func tables() throws {
        let database = try DatabaseQueue()
        try SQLiteSchema.migrator.migrate(database)
        let names = try database.read { database in
            try String.fetchSet(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        let listed = Set(UserData.tables.map(\.name))
        #expect(names.subtracting(listed).subtracting(UserData.others) == [], "tables that neither an export nor a purge knows")
        #expect(listed.subtracting(names) == [], "tables that are not there")
        #expect(listed.isDisjoint(with: UserData.others))
    }

    @Test("C24: after the purge no row but those of others' events holds the user's id")
    func purge() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path)
        let now = Timestamp(microseconds: 1_767_484_800_000_000)
        for (id, name) in [(userOne, "one"), (userTwo, "two")] {
            _ = try await store.createProfile(
                try ProfileDraft(username: name, texts: [.displayName: name], rules: UsernameRules()), for: id, at: now,
                idempotency: try requestKey("r1"))
        }
        _ = try await store.keepFollowEvents(of: userTwo, at: now)
        _ = try await store.keepFollowEvents(of: userOne, at: now)
        _ = try await store.follow(userTwo, by: userOne, at: now, idempotency: try requestKey("r2"))
        _ = try await store.follow(userOne, by: userTwo, at: now, idempotency: nil)
        guard let hash = TokenHash(bytes: [UInt8](repeating: 1, count: 32)) else { return }
        let session = SessionID(bits: UUIDBits(high: 5, low: 5))
        _ = try await store.openSession(
            SessionOpening(
                id: session, account: .unix(uid: 1), device: try Device(id: "d"), tokenHash: hash, createTime: now,
                expireTime: now.advanced(by: .days(1))), newUserID: userOne, limit: 9)
        _ = try await store.requestWithdrawal(of: userOne, at: now, purging: now)
        try await store.purge(userOne, at: now)
        // The follows are removed in steps, each in its own transaction.
        while try await store.read({ connection throws(RepositoryError) in try integer("SELECT count(*) FROM withdrawal", connection) }) != 0 {
            _ = try await store.keepFollowEvents(of: userTwo, at: now)
        }
        try store.close()

        let database = try DatabaseQueue(path: store.path)
        let bytes = Data(userOne.bits.bytes)
        let found: Set<String> = try await database.read { database in
            var found: Set<String> = []
            for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL") {
                for column in try database.columns(in: table).map(\.name) {
                    let count = try Int.fetchOne(
                        database, sql: "SELECT count(*) FROM \(table) WHERE instr(CAST(\(column) AS BLOB), ?) > 0", arguments: [bytes])
                    if count != 0 { found.insert("\(table).\(column)") }
                }
            }
            return found
        }
        // For a day, only the other user's events and remembered results remain.
        #expect(found.subtracting(["follow_event.other", "request.result"]) == [])
        #expect(found.contains("follow_event.other"))
    }
}
