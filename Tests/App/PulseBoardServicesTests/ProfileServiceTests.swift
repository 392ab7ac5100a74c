import PulseBoardDomain
import PulseBoardVocabulary
import Testing

@testable import PulseBoardServices

@Suite("ProfileService") struct ProfileServiceTests {
    /// The most characters of a display name, a status message and a search.
    private static let longestName = ProfileTextField.displayName.facts.maximumCharacters
    private static let longestStatus = ProfileTextField.statusMessage.facts.maximumCharacters
    private static let longestQuery = ProfileService.maximumQueryCharacters

    let bench: Bench
    var profiles: ProfileService { bench.services.profiles }

    init() async throws { bench = try await Bench() }

    @Test("B4: the current user is read from the store once, then from memory")
    func currentUser() async throws {
        let caller = try await bench.member(1000, "name")
        bench.counted.resetCalls()
        for _ in 1...5 { #expect(try await profiles.fetchCurrentUser(caller).username.text == "name") }
        #expect(bench.counted.calls() == 1)
    }

    @Test("B4, B8: without a profile it is userNotFound, and a profile made afterwards is seen")
    func userNotFound() async throws {
        let caller = try await bench.caller(1000)
        await #expect(throws: RepositoryError.userNotFound) { try await profiles.fetchCurrentUser(caller) }
        _ = try await profiles.createProfile(username: "name", caller)
        #expect(try await profiles.fetchCurrentUser(caller).username.text == "name")
    }

    @Test("B4: an error of the store reaches the caller")
    func storeError() async throws {
        let caller = try await bench.member(1000, "name")
        bench.counted.fail("profile", with: .storeUnavailable(detail: "test"))
        await #expect(throws: RepositoryError.storeUnavailable(detail: "test")) {
            try await profiles.fetchCurrentUser(caller)
        }
    }

    @Test("X1: after signing out, the next account is not shown the previous one's profile")
    func nextAccount() async throws {
        let auth = bench.services.auth
        let token = try await auth.signIn(peerUID: 1000).token
        let first = try await auth.authenticate(token)
        _ = try await profiles.createProfile(username: "first", first)
        _ = try await profiles.fetchCurrentUser(first)
        try await auth.signOut(first)
        let second = try await bench.caller(1001)
        await #expect(throws: RepositoryError.userNotFound) { try await profiles.fetchCurrentUser(second) }
        await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(token) }
    }

    @Test("X2: what one user does leaves the other users' cached profiles alone")
    func keyedCache() async throws {
        let first = try await bench.member(1000, "first")
        let second = try await bench.member(1001, "second")
        _ = try await profiles.fetchCurrentUser(first)
        try await profiles.deleteProfile(second)
        bench.counted.resetCalls()
        #expect(try await profiles.fetchCurrentUser(first).username.text == "first")
        #expect(bench.counted.calls() == 0)
        await #expect(throws: RepositoryError.userNotFound) { try await profiles.fetchCurrentUser(second) }
    }

    @Test("X3, B5: a write the store refused changes neither memory nor what is read, and its error is thrown")
    func refusedWrite() async throws {
        let caller = try await bench.member(1000, "name")
        let before = try await profiles.fetchCurrentUser(caller)
        let failure = RepositoryError.storeUnavailable(detail: "disk full")
        bench.counted.fail("updateProfile", with: failure)
        await #expect(throws: failure) {
            try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "lost"]), caller)
        }
        #expect(try await profiles.fetchCurrentUser(caller) == before)
    }

    @Test("X3: a write is seen by the next read")
    func writeIsSeen() async throws {
        let caller = try await bench.member(1000, "name")
        _ = try await profiles.fetchCurrentUser(caller)
        let updated = try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "new"]), caller)
        #expect(try await profiles.fetchCurrentUser(caller) == updated)
    }

    @Test("X3: a read that began before a write does not put the old profile into memory")
    func staleFill() async throws {
        let caller = try await bench.member(1000, "name")
        let profiles = profiles
        let counted = bench.counted
        counted.pause("profile") {
            counted.pause("profile", nil)
            _ = try? await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "new"]), caller)
        }
        #expect(try await profiles.fetchCurrentUser(caller).texts[.statusMessage] == "")
        #expect(try await profiles.fetchCurrentUser(caller).texts[.statusMessage] == "new")
    }

    @Test("X13: every violated field is named at once")
    func allViolations() async throws {
        let caller = try await bench.caller(1000)
        let expected = ValidationError([
            FieldViolation(field: "username", reason: .usernameTooShort, limit: 2),
            FieldViolation(field: "username", reason: .usernameInvalidCharacters),
            FieldViolation(field: "display_name", reason: .displayNameTooLong, limit: Self.longestName),
            FieldViolation(field: "status_message", reason: .statusMessageTooLong, limit: Self.longestStatus),
            FieldViolation(field: "request_id", reason: .requestIDInvalid, limit: 64),
        ])
        let name = String(repeating: "a", count: Self.longestName + 1), status = String(repeating: "a", count: Self.longestStatus + 1)
        await #expect(throws: RepositoryError.invalid(expected)) {
            try await profiles.createProfile(
                username: "!", texts: [.displayName: name, .statusMessage: status], requestID: "a b", caller)
        }
        #expect(bench.counted.calls("createProfile") == 0)
    }

    @Test("B13: a status message that is too long is refused before the write")
    func statusMessage() async throws {
        let caller = try await bench.member(1000, "name")
        let status = String(repeating: "가", count: Self.longestStatus + 1)
        await #expect(
            throws: RepositoryError.invalid(
                ValidationError(field: "status_message", reason: .statusMessageTooLong, limit: Self.longestStatus))
        ) {
            try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: status]), caller)
        }
        #expect(bench.counted.calls("updateProfile") == 0)
    }

    @Test("X4, X13: submitting twice makes one profile; with a request id the retry is given it")
    func doubleSubmit() async throws {
        let caller = try await bench.caller(1000)
        let first = try await profiles.createProfile(username: "name", requestID: "r1", caller)
        #expect(try await profiles.createProfile(username: "name", requestID: "r1", caller) == first)
        await #expect(throws: RepositoryError.profileExists) {
            try await profiles.createProfile(username: "name", caller)
        }
        await #expect(throws: RepositoryError.requestIDReused) {
            try await profiles.createProfile(username: "other", requestID: "r1", caller)
        }
    }

    @Test("X13: a retry after a restart is given the first result")
    func retryAfterRestart() async throws {
        let caller = try await bench.caller(1000)
        let first = try await profiles.createProfile(username: "name", requestID: "r1", caller)
        try bench.store.close()
        let second = try await Bench(directory: bench.directory)
        let again = try await second.caller(1000)
        #expect(try await second.services.profiles.createProfile(username: "name", requestID: "r1", again) == first)
        try second.store.close()
    }

    @Test("X5, X6, X8: an update creates nothing, honours the etag and refuses what is not writable")
    func updates() async throws {
        let stranger = try await bench.caller(1001)
        await #expect(throws: RepositoryError.profileRequired) {
            try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "new"]), stranger)
        }
        let caller = try await bench.member(1000, "name")
        let stale = try await profiles.fetchCurrentUser(caller).etag.text
        _ = try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "one"], etag: stale), caller)
        await #expect(throws: RepositoryError.etagMismatch) {
            try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "two"], etag: stale), caller)
        }
        await #expect(
            throws: RepositoryError.invalid(ValidationError(field: "createdAt", reason: .fieldUnknown))
        ) {
            try await profiles.updateProfile(ProfileUpdate(paths: ["createdAt"]), caller)
        }
        await #expect(throws: RepositoryError.notOwner) {
            try await profiles.updateProfile(ProfileUpdate(userID: stranger.userID, texts: [.statusMessage: "x"]), caller)
        }
        #expect(try await profiles.fetchCurrentUser(caller).texts[.statusMessage] == "one")
    }

    @Test("B6, X7: withdrawal ends the sessions in memory too, and the account can begin again")
    func withdrawal() async throws {
        let auth = bench.services.auth
        let token = try await auth.signIn(peerUID: 1000).token
        let caller = try await auth.authenticate(token)
        _ = try await profiles.createProfile(username: "name", caller)
        _ = try await profiles.fetchCurrentUser(caller)
        try await profiles.deleteProfile(requestID: "r9", caller)
        await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(token) }
        let other = try await bench.caller(1001)
        await #expect(throws: RepositoryError.userNotFound) { try await profiles.profile(of: caller.userID, other) }
        let again = try await auth.signIn(peerUID: 1000)
        #expect(again.state == .needsProfile(caller.userID))
    }

    @Test("B6: signing out keeps what is stored")
    func signOutKeeps() async throws {
        let caller = try await bench.member(1000, "name")
        try await bench.services.auth.signOut(caller)
        let again = try await bench.caller(1000)
        #expect(try await profiles.fetchCurrentUser(again).username.text == "name")
    }

    @Test("B19: availability is asked of the store only for a well-formed name")
    func availability() async throws {
        let caller = try await bench.member(1000, "Taken")
        let other = try await bench.caller(1001)
        bench.counted.resetCalls()
        let malformed = try await profiles.checkUsername("a!", other)
        #expect(malformed.violations.map(\.reason) == [.usernameInvalidCharacters])
        #expect(!malformed.isAvailable)
        #expect(bench.counted.calls() == 0)
        #expect(try await profiles.checkUsername("tAKEN", other).isAvailable == false)
        #expect(try await profiles.checkUsername("free", other).isAvailable)
        #expect(try await profiles.checkUsername("taken", caller).isAvailable)
        #expect(bench.counted.calls() == 3)
    }

    @Test("X12: an answer names its text, and creating judges again whatever was answered")
    func staleAvailability() async throws {
        let first = try await bench.caller(1000)
        let second = try await bench.caller(1001)
        let decomposed = "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"
        let check = try await profiles.checkUsername(decomposed, second)
        #expect(Array(check.text.utf8) == Array(decomposed.utf8))
        #expect(Array(check.normalized.utf8) == Array("한글".utf8))
        #expect(check.isAvailable)
        _ = try await profiles.createProfile(username: "한글", first)
        await #expect(throws: RepositoryError.usernameDuplicated) {
            try await profiles.createProfile(username: decomposed, second)
        }
    }

    @Test("B10: profiles are found by id and by name, however it is spelt, and together")
    func lookups() async throws {
        let first = try await bench.member(1000, "Name")
        let second = try await bench.member(1001, "other")
        #expect(try await profiles.profile(of: first.userID, second).username.text == "Name")
        #expect(try await profiles.profile(username: "nAME", second).id == first.userID)
        await #expect(throws: RepositoryError.userNotFound) { try await profiles.profile(username: "x!", second) }
        let nobody = UserID(bits: UUIDBits(high: 9, low: 9))
        let batch = try await profiles.profiles(of: [second.userID, nobody, first.userID, second.userID], first)
        #expect(batch.profiles.map(\.username.text) == ["other", "Name", "other"])
        #expect(batch.missing == [nobody])
        #expect(bench.counted.askedIDs == [second.userID, nobody, first.userID])
        let unknown = try await profiles.profiles(of: [nobody, nobody], first)
        #expect(unknown.profiles.isEmpty && unknown.missing == [nobody, nobody])
        #expect(bench.counted.askedIDs == [nobody])
        await #expect(
            throws: RepositoryError.invalid(ValidationError(field: "user_ids", reason: .tooManyItems, limit: 100))
        ) {
            try await profiles.profiles(of: [UserID](repeating: nobody, count: 101), first)
        }
    }

    @Test("texts with too many bytes are refused by their number, before the store is asked")
    func longTexts() async throws {
        let caller = try await bench.member(1000, "name")
        bench.counted.resetCalls()
        // Half a million marks: if they were composed or folded first, this test would take an hour.
        let hostile = "a" + String(repeating: "\u{0301}\u{0323}", count: 250_000)
        await #expect(throws: RepositoryError.userNotFound) { try await profiles.profile(username: hostile, caller) }
        let prefix = RepositoryError.invalid(ValidationError(field: "query", reason: .queryInvalid, limit: Self.longestQuery))
        await #expect(throws: prefix) { try await profiles.search(hostile, PageRequest(), caller) }
        await #expect(throws: RepositoryError.invalidPageToken) {
            try await profiles.search("an", PageRequest(token: hostile), caller)
        }
        let check = try await profiles.checkUsername(hostile, caller)
        #expect(check.violations.map(\.reason) == [.usernameTooLong])
        #expect(check.normalized == "")
        await #expect(throws: RepositoryError.etagMismatch) {
            try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "x"], etag: hostile), caller)
        }
        let long = String(repeating: "x", count: 500_000)
        await #expect(throws: RepositoryError.invalid(ValidationError(field: "request_id", reason: .requestIDInvalid, limit: 64))) {
            try await profiles.deleteProfile(requestID: long, caller)
        }
        #expect(bench.counted.calls() == 0)
    }

    @Test("B37: the limit of a search counts what was typed, not its folded form, so the longest display name is found by itself")
    func longestSearch() async throws {
        // Folded, it has twice as many letters.
        let name = String(repeating: "ß", count: Self.longestName)
        let caller = try await bench.member(1000, "ann")
        _ = try await profiles.updateProfile(ProfileUpdate(texts: [.displayName: name]), caller)
        #expect(try await profiles.search(name, PageRequest(), caller).items.map(\.username.text) == ["ann"])
        // Decomposed, it has more letters than characters.
        let hangul = String(repeating: "\u{1112}\u{1161}\u{11AB}", count: Self.longestQuery)
        #expect(try await profiles.search(hangul, PageRequest(), caller).items.isEmpty)
    }

    @Test("B37: a search is paged, and its tokens fit no other search")
    func search() async throws {
        let caller = try await bench.member(1000, "ann")
        _ = try await bench.member(1001, "Anna")
        _ = try await bench.member(1002, "annie")
        let first = try await profiles.search("AN", PageRequest(size: 2), caller)
        #expect(first.items.map(\.username.text) == ["ann", "Anna"])
        let token = try #require(first.nextToken).text
        let second = try await profiles.search("an", PageRequest(size: 2, token: token), caller)
        #expect(second.items.map(\.username.text) == ["annie"])
        #expect(second.nextToken == nil)
        await #expect(throws: RepositoryError.invalidPageToken) {
            try await profiles.search("ann", PageRequest(token: token), caller)
        }
        for prefix in ["", "an\0"] + ["a", "ß"].map({ String(repeating: $0, count: Self.longestQuery + 1) }) {
            await #expect(
                throws: RepositoryError.invalid(ValidationError(field: "query", reason: .queryInvalid, limit: Self.longestQuery))
            ) {
                try await profiles.search(prefix, PageRequest(), caller)
            }
        }
    }
}
