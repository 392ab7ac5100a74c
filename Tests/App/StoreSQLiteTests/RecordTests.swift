import PulseBoardDomain
import PulseBoardVocabulary
import Testing

@testable import StoreSQL
@testable import StoreSQLite

@Suite("Records") struct RecordTests {
    @Test("B14: an instant is stored as its UTC microseconds, unchanged")
    func instants() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path)
        let draft = try ProfileDraft(username: "name", texts: [.displayName: "", .statusMessage: ""], rules: UsernameRules())
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
        // Every text is there, so a tag that another field has would be found.
        let texts = ProfileTexts { field in field.facts.mayHaveLineBreaks ? "a\nb" : "Shown \(field.rawValue) 😀" }
        let draft = ProfileDraft(username: try ProfileDraft(username: "이름", texts: ProfileTexts(), rules: UsernameRules()).username, texts: texts)
        let record = ProfileRecord(
            draft, userID: userOne, version: 3, createTime: Timestamp(microseconds: -5),
            updateTime: Timestamp(microseconds: .max))
        let model = try #require(record.model())
        #expect(ProfileDraft(username: model.username, texts: model.texts) == draft)
        var writer = RecordFieldsWriter()
        record.encode(into: &writer)
        #expect(RecordFields(writer.bytes).flatMap(ProfileRecord.init) == record)
        for count in 0..<writer.bytes.count {
            #expect(RecordFields(Array(writer.bytes.prefix(count))).flatMap(ProfileRecord.init) == nil)
        }
    }

    @Test("a remembered record is read by a version that knows more fields, and by one that knows fewer")
    func otherVersions() throws {
        let record = RelationshipRecord(userID: userTwo, followTime: nil, isFollowedBy: true)
        var writer = RecordFieldsWriter()
        record.encode(into: &writer)
        // A field of a later version.
        writer.put("later", as: 200)
        let fields = try #require(RecordFields(writer.bytes))
        #expect(RelationshipRecord(fields) == record)
        // A missing field has no value, and is not damage.
        #expect(!fields.has(201))
        #expect(fields.text(201) == nil)
        #expect(fields.text(200) == "later")
    }

    @Test("bytes that are no fields, and fields that hold something else, are no record")
    func malformedFields() {
        for bytes in [[1], [1, 0], [1, 0, 2, 7], [1, 0, 0, 1, 0, 0], [1, 255, 255]] as [[UInt8]] { #expect(RecordFields(bytes) == nil) }
        #expect(RecordFields([]) != nil)
        var writer = RecordFieldsWriter()
        writer.put(userTwo, as: 1)
        let id = writer.bytes
        #expect(RecordFields(id).flatMap(RelationshipRecord.init) != nil)
        for wrong in [[2, 0, 1, 9], [3, 0, 0], [3, 0, 8, 0, 0, 0, 0, 0, 0, 0, 2]] as [[UInt8]] {
            #expect(RecordFields(id + wrong).flatMap(RelationshipRecord.init) == nil)
        }
    }

    @Test("B26: every relationship that can be remembered is read back as it was")
    func relationships() {
        for time in [nil, Timestamp(microseconds: 7)] {
            for isFollowedBy in [false, true] {
                let record = RelationshipRecord(userID: userTwo, followTime: time, isFollowedBy: isFollowedBy)
                var writer = RecordFieldsWriter()
                record.encode(into: &writer)
                #expect(RecordFields(writer.bytes).flatMap(RelationshipRecord.init) == record)
            }
        }
    }
}
