import PulseBoardDomain

@testable import StorePostgreSQL

func testUser(_ number: UInt64) -> UserID { UserID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0000 | number)) }

func testTime(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: 1_767_484_800_000_000).advanced(by: .seconds(seconds)) }

extension PostgreSQLStore {
    /// Makes a profile for a user, named by the number.
    func addUser(_ number: UInt64) async throws {
        let draft = try ProfileDraft(username: "user\(number)", texts: ProfileTexts(), rules: UsernameRules())
        _ = try await createProfile(draft, for: testUser(number), at: testTime(0), idempotency: nil)
    }
}

extension PostgreSQLStore.Connections {
    /// One of each.
    static var one: Self {
        var connections = Self()
        (connections.writing, connections.reading, connections.readingLong) = (1, 1, 1)
        return connections
    }
}
