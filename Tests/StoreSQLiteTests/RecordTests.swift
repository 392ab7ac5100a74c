import PulseBoardDomain
import Testing

@testable import StoreSQLite

@Suite("Records") struct RecordTests {
    @Test("B14: an instant is stored as its UTC microseconds, unchanged")
    func instants() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path)
        let draft = try ProfileDraft(username: "name", displayName: "", statusMessage: "", rules: UsernameRules())
        let time = Timestamp(microseconds: 1_767_484_800_123_456)
        let profile = try await store.createProfile(draft, for: userOne, at: time, idempotency: nil)
        let stored = try await store.read { connection throws(RepositoryError) in
            try integer("SELECT create_time FROM profile", connection)
        }
        #expect(stored == 1_767_484_800_123_456)
        #expect(profile.createTime == time)
        try store.close()
    }

    @Test("B11: a record and its model carry the same, and a remembered record is read back whole or not at all")
    func remembered() throws {
        let draft = try ProfileDraft(
            username: "이름", displayName: "Shown 😀", statusMessage: "a\nb", rules: UsernameRules())
        let record = ProfileRecord(
            draft, userID: userOne, version: 3, createTime: Timestamp(microseconds: -5),
            updateTime: Timestamp(microseconds: .max))
        let model = try #require(record.model())
        #expect(ProfileDraft(username: model.username, displayName: model.displayName, statusMessage: model.statusMessage) == draft)
        var writer = RecordBytesWriter()
        record.encode(into: &writer)
        var reader = RecordBytesReader(writer.bytes)
        #expect(ProfileRecord(from: &reader) == record)
        #expect(reader.isAtEnd)
        for count in 0..<writer.bytes.count {
            var cut = RecordBytesReader(Array(writer.bytes.prefix(count)))
            #expect(ProfileRecord(from: &cut) == nil)
        }
    }

    @Test("B26: every relationship that can be remembered is read back as it was")
    func relationships() {
        for time in [nil, Timestamp(microseconds: 7)] {
            for isFollowedBy in [false, true] {
                let record = RelationshipRecord(userID: userTwo, followTime: time, isFollowedBy: isFollowedBy)
                var writer = RecordBytesWriter()
                record.encode(into: &writer)
                var reader = RecordBytesReader(writer.bytes)
                #expect(RelationshipRecord(from: &reader) == record)
                #expect(reader.isAtEnd)
            }
        }
    }
}
