import PulseBoardDomain

@testable import StoreSQLite

let userOne = UserID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0001))
let userTwo = UserID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0002))

struct EmptyRequestID: Error {}

func requestKey(_ text: String) throws -> IdempotencyKey {
    guard let id = try RequestID.parse(text) else { throw EmptyRequestID() }
    return IdempotencyKey(requestID: id, fingerprint: [UInt8](repeating: 7, count: 32))
}

/// The first column of the first row.
func integer(_ sql: String, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Int64? {
    let statement = try connection.statement(sql)
    return try statement.step() ? statement.integer(0) : nil
}

extension SQLiteStore {
    func addUser(_ id: UserID, _ name: String) async throws {
        let draft = try ProfileDraft(username: name, displayName: "", statusMessage: "", rules: UsernameRules())
        _ = try await createProfile(draft, for: id, at: Timestamp(microseconds: 1), idempotency: nil)
    }

    /// Changes rows behind the repositories' back.
    func tamper(_ sql: String) async throws {
        try await write { connection throws(RepositoryError) in try connection.run(sql) }
    }
}
