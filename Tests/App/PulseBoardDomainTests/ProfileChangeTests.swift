import PulseBoardVocabulary
import Testing

@testable import PulseBoardDomain

@Suite("Profile changes") struct ProfileChangeTests {
    private func change(
        _ paths: [String], username: String = "", texts: ProfileTexts = [:]
    ) throws(ValidationError) -> ProfileChange {
        try ProfileChange(paths: paths, username: username, texts: texts, rules: UsernameRules())
    }

    @Test("X5: a selected field is set, or cleared when empty; the others are kept")
    func selected() throws {
        let change = try change(["display_name", "status_message"], username: "ignored!", texts: [.displayName: "New"])
        #expect(change == ProfileChange(texts: [.displayName: "New", .statusMessage: ""]))
    }

    @Test("an empty mask selects the fields that have a value, and * is refused: it would mean more with every field to come")
    func impliedMasks() throws {
        #expect(try change([], texts: [.displayName: "New"]) == ProfileChange(texts: [.displayName: "New"]))
        #expect(throws: ValidationError(field: "*", reason: .fieldUnknown)) { try change(["*"], username: "name") }
    }

    @Test("X8: unknown and read-only paths are refused together with every violated field")
    func refusedPaths() {
        let expected = ValidationError([
            FieldViolation(field: "password", reason: .fieldUnknown),
            FieldViolation(field: "user_id", reason: .fieldReadOnly),
            FieldViolation(field: "image.path", reason: .fieldUnknown),
            FieldViolation(field: "username", reason: .usernameEmpty),
        ])
        #expect(throws: expected) { try change(["password", "user_id", "image.path", "username"]) }
    }

    @Test("a username cannot be cleared")
    func usernameStays() {
        #expect(throws: ValidationError(field: "username", reason: .usernameEmpty)) { try change(["username"]) }
    }
}
