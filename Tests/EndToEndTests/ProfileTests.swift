import Foundation
import Testing

/// A profile after onboarding, with the built programs.
@Suite("Profiles, end to end", .serialized, .timeLimit(.minutes(2)))
struct ProfileTests {
    @Test("B4, B5: what was created is what is shown, to its owner and to others, by name and by id")
    func show() async throws {
        try await Household.withServer { house, _ in
            let minji = try await house.enter(as: "minji", username: "minji", displayName: "김민지")
            #expect(minji["username"] == "minji")
            #expect(minji["displayName"] == "김민지")
            let id = try #require(minji["userId"].text)
            _ = try await house.enter(as: "junho", username: "junho")
            #expect(try await house.answer("profile", "show", as: "minji") == minji)
            #expect(try await house.answer("profile", "show", "@minji", as: "junho") == minji)
            #expect(try await house.answer("profile", "show", "MINJI", as: "junho") == minji)
            #expect(try await house.answer("profile", "show", id, as: "junho") == minji)
            let card = try await house.pulseboard("profile", "show", "@minji", as: "junho")
            #expect(card.exit == .success)
            #expect(card.output.contains("@minji") && card.output.contains("김민지"))
            #expect(try await house.pulseboard("profile", "show", "@nobody", as: "junho").exit == .notFound)
        }
    }

    @Test("X1: two accounts on one machine each see their own profile")
    func ownProfiles() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "one", username: "first")
            _ = try await house.enter(as: "two", username: "second")
            for _ in 0..<3 {
                #expect(try await house.answer("profile", "show", as: "one")["username"] == "first")
                #expect(try await house.answer("profile", "show", as: "two")["username"] == "second")
            }
        }
    }

    @Test("X4: a second create does not overwrite the profile")
    func secondCreate() async throws {
        try await Household.withServer { house, _ in
            let made = try await house.enter(as: "one", username: "first", displayName: "First")
            let again = try await house.pulseboard("profile", "create", "--username", "other", "--json", as: "one")
            #expect(again.exit == .alreadyExists)
            #expect(try again.failure()["reason"] == "PROFILE_EXISTS")
            #expect(try await house.answer("profile", "show", as: "one") == made)
        }
    }

    @Test("X5: an edit changes the named fields and no others, and can clear one")
    func edit() async throws {
        try await Household.withServer { house, _ in
            let made = try await house.enter(as: "one", username: "first", displayName: "First")
            let edited = try await house.answer("profile", "edit", "--status", "잘 지내요 👋🏽", as: "one")
            #expect(edited["statusMessage"] == "잘 지내요 👋🏽")
            #expect(edited["displayName"] == "First")
            #expect(edited["username"] == "first")
            #expect(edited["createTime"] == made["createTime"])
            #expect(edited["etag"] != made["etag"])
            let cleared = try await house.answer("profile", "edit", "--status", "", as: "one")
            #expect(cleared["statusMessage"] == "")
            #expect(cleared["displayName"] == "First")
            #expect(try await house.answer("profile", "show", as: "one") == cleared)
        }
    }

    @Test("X6: an edit with a stale etag is refused, and the newer one stays")
    func staleEdit() async throws {
        try await Household.withServer { house, _ in
            let made = try await house.enter(as: "one", username: "first")
            let etag = try #require(made["etag"].text)
            let newer = try await house.answer("profile", "edit", "--status", "newer", "--etag", etag, as: "one")
            let stale = try await house.pulseboard(
                "profile", "edit", "--status", "stale", "--etag", etag, "--json", as: "one")
            #expect(stale.exit == .aborted)
            #expect(try stale.failure()["reason"] == "ETAG_MISMATCH")
            #expect(try await house.answer("profile", "show", as: "one") == newer)
        }
    }

    @Test("B13, X10: 140 graphemes fit a status message and 141 do not")
    func statusLength() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "one", username: "first")
            let longest = String(repeating: "글", count: 140)
            #expect(try await house.answer("profile", "edit", "--status", longest, as: "one")["statusMessage"].text == longest)
            let refused = try await house.pulseboard("profile", "edit", "--status", longest + "자", "--json", as: "one")
            #expect(refused.exit == .invalidArgument)
            #expect(try refused.failure()["reason"] == "STATUS_MESSAGE_TOO_LONG")
        }
    }

    @Test("X11: a rename frees the old name for others, and only then")
    func rename() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "one", username: "first")
            _ = try await house.enter(as: "two", username: "second")
            #expect(try await house.pulseboard("profile", "edit", "--username", "first", as: "two").exit == .alreadyExists)
            _ = try await house.answer("profile", "edit", "--username", "renamed", as: "one")
            #expect(try await house.pulseboard("profile", "show", "@first", as: "two").exit == .notFound)
            #expect(try await house.answer("profile", "edit", "--username", "first", as: "two")["username"] == "first")
        }
    }

    @Test("Search finds by the start of username and display name, whatever the case")
    func search() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "a", username: "Haneul", displayName: "김하늘")
            _ = try await house.enter(as: "b", username: "hana", displayName: "Other")
            _ = try await house.enter(as: "c", username: "zoe", displayName: "HANA Kim")
            _ = try await house.enter(as: "d", username: "minji", displayName: "Minji")
            let found = try await house.answer("profile", "search", "han", as: "d")
            #expect(Set(found["users"].elements.compactMap { $0["username"].text }) == ["Haneul", "hana", "zoe"])
            let korean = try await house.answer("profile", "search", "김", as: "d")
            #expect(korean["users"].elements.map { $0["username"] } == ["Haneul"])
        }
    }

    @Test("B6: signing out ends the session and keeps the profile")
    func signOut() async throws {
        try await Household.withServer { house, _ in
            let made = try await house.enter(as: "one", username: "first")
            #expect(try await house.answer("auth", "sessions", as: "one")["sessions"].elements.count == 1)
            _ = try await house.answer("auth", "logout", as: "one")
            #expect(try await house.pulseboard("profile", "show", as: "one").exit == .unauthenticated)
            _ = try await house.answer("auth", "login", as: "one")
            #expect(try await house.answer("profile", "show", as: "one") == made)
        }
    }

    @Test("B6, X7: deleting asks for consent, then removes profile, follows and sessions, and frees the name")
    func delete() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "one", username: "first")
            _ = try await house.enter(as: "two", username: "second")
            _ = try await house.answer("follow", "add", "@second", as: "one")
            _ = try await house.answer("follow", "add", "@first", as: "two")

            let silent = try await house.pulseboard("profile", "delete", as: "one")
            #expect(silent.exit == .failedPrecondition)
            #expect(silent.errors.contains("--yes"))
            #expect(try await house.answer("profile", "show", as: "one")["username"] == "first")

            _ = try await house.answer("profile", "delete", "--yes", as: "one")
            #expect(try await house.pulseboard("profile", "show", as: "one").exit == .unauthenticated)
            #expect(try await house.pulseboard("profile", "show", "@first", as: "two").exit == .notFound)
            let counts = try await house.answer("follow", "counts", as: "two")
            #expect(counts["followers"].integer == 0)
            #expect(counts["following"].integer == 0)
            #expect(try await house.answer("profile", "edit", "--username", "first", as: "two")["username"] == "first")
            #expect(try await house.answer("auth", "login", as: "one")["state"] == "STATE_NEEDS_PROFILE")
        }
    }
}
