import Testing

@testable import PulseBoardDomain

@Suite("Profile changes") struct ProfileChangeTests {
    private func change(
        _ paths: [String], username: String = "", displayName: String = "", statusMessage: String = ""
    ) throws(ValidationError) -> ProfileChange {
        try ProfileChange(
            paths: paths, username: username, displayName: displayName, statusMessage: statusMessage,
            rules: UsernameRules())
    }

    @Test("X5: a selected field is set, or cleared when empty; the others are kept")
    func selected() throws {
        let change = try change(["display_name", "status_message"], username: "ignored!", displayName: "New")
        #expect(change == ProfileChange(displayName: .set(try DisplayName("New")), statusMessage: .clear))
    }

    @Test("an empty mask selects the fields that have a value, and * selects all")
    func impliedMasks() throws {
        #expect(try change([], displayName: "New") == ProfileChange(displayName: .set(try DisplayName("New"))))
        let all = try change(["*"], username: "name")
        #expect(all.username?.text == "name")
        #expect(all.displayName == .clear)
        #expect(all.statusMessage == .clear)
    }

    @Test("X8: unknown and read-only paths are refused together with every violated field")
    func refusedPaths() {
        let expected = ValidationError([
            FieldViolation(field: "password", reason: .fieldUnknown),
            FieldViolation(field: "user_id", reason: .fieldReadOnly),
            FieldViolation(field: "image.path", reason: .fieldReadOnly),
            FieldViolation(field: "username", reason: .usernameEmpty),
        ])
        #expect(throws: expected) { try change(["password", "user_id", "image.path", "username"]) }
    }

    @Test("a username cannot be cleared")
    func usernameStays() {
        #expect(throws: ValidationError(field: "username", reason: .usernameEmpty)) { try change(["username"]) }
    }
}
