import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("AuthService") struct AuthServiceTests {
    let bench: Bench
    var auth: AuthService { bench.services.auth }

    init() async throws { bench = try await Bench() }

    @Test("a peer signs in to the account of its own uid, always the same user")
    func ownAccount() async throws {
        let first = try await auth.signIn(peerUID: 1000)
        let second = try await auth.signIn(peerUID: 1000)
        let other = try await auth.signIn(peerUID: 1001)
        #expect(first.session.account == .unix(uid: 1000))
        #expect(first.session.userID == second.session.userID)
        #expect(first.session.userID != other.session.userID)
        #expect(first.token != second.token)
        #expect(first.token.utf8.count == 43)
    }

    @Test("a named account is granted to a trusted uid only")
    func namedAccount() async throws {
        let signedIn = try await auth.signIn(peerUID: Bench.trustedUID, account: "kim")
        #expect(signedIn.session.account.description == "account:kim")
        await #expect(throws: RepositoryError.accountNotPermitted) {
            try await auth.signIn(peerUID: 1000, account: "kim")
        }
        // The refusal does not reveal which names are well-formed.
        await #expect(throws: RepositoryError.accountNotPermitted) {
            try await auth.signIn(peerUID: 1000, account: "a b")
        }
        await #expect(throws: RepositoryError.invalid(ValidationError(field: "account", reason: .accountNameInvalid, limit: 64))) {
            try await auth.signIn(peerUID: Bench.trustedUID, account: "a b")
        }
    }

    @Test("a named account cannot pass for a Unix account")
    func namespaces() async throws {
        let unix = try await auth.signIn(peerUID: 1000)
        let named = try await auth.signIn(peerUID: Bench.trustedUID, account: "1000")
        #expect(unix.session.userID != named.session.userID)
    }

    @Test("a session from the future is not taken from memory, so that the end counts which the store gives it")
    func sessionOfTheFuture() async throws {
        let century = Timestamp.Interval.days(36_500)
        bench.clock.advance(century)
        let signedIn = try await auth.signIn(peerUID: 1000)
        _ = try await auth.authenticate(signedIn.token)
        #expect(try auth.knownCaller(Array(signedIn.token.utf8).span) != nil)
        bench.clock.advance(Timestamp.Interval(microseconds: -century.microseconds))
        #expect(try auth.knownCaller(Array(signedIn.token.utf8).span) == nil)
        // A write brings the housekeeping, which gives the session its end.
        _ = try await auth.signIn(peerUID: 1001)
        let caller = try await auth.authenticate(signedIn.token)
        let listed = try await auth.listSessions(PageRequest(size: 10, token: ""), caller).items
        #expect(listed.count == 1)
        #expect(listed.allSatisfy { $0.expireTime <= bench.clock.now().advanced(by: .days(30)) })
        bench.clock.advance(.days(31))
        await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(signedIn.token) }
    }

    @Test("X21: no token, a malformed one and an unknown one are notAuthenticated")
    func notAuthenticated() async throws {
        let unknown = String(repeating: "A", count: 43)
        bench.counted.resetCalls()
        for token in [nil, "", "short", String(repeating: "!", count: 43), unknown] {
            await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(token) }
            #expect(try await auth.authState(token) == .signedOut)
        }
        // Only a text that could be a token is looked up: once for authentication and once for the state.
        #expect(bench.counted.calls() == 2)
    }

    @Test("a session in memory is found without asking the store")
    func sessionCache() async throws {
        let token = try await auth.signIn(peerUID: 1000).token
        bench.counted.resetCalls()
        for _ in 1...5 { _ = try await auth.authenticate(token) }
        #expect(bench.counted.calls() == 1)
    }

    @Test("a session ends after 30 days, in memory as in the store")
    func expiry() async throws {
        let token = try await auth.signIn(peerUID: 1000).token
        let caller = try await auth.authenticate(token)
        bench.clock.advance(.days(29))
        _ = try await auth.authenticate(token)
        #expect(try await auth.listSessions(PageRequest(), caller).items.count == 1)
        bench.clock.advance(.days(1))
        await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(token) }
        #expect(try await auth.listSessions(PageRequest(), caller).items == [])
        #expect(try await auth.authState(token) == .signedOut)
    }

    @Test("signing out ends this session and no other")
    func signOut() async throws {
        let first = try await auth.signIn(peerUID: 1000).token
        let second = try await auth.signIn(peerUID: 1000).token
        try await auth.signOut(try await auth.authenticate(first))
        await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(first) }
        _ = try await auth.authenticate(second)
    }

    @Test("signing out of all sessions ends them all")
    func signOutEverywhere() async throws {
        let first = try await auth.signIn(peerUID: 1000).token
        let second = try await auth.signIn(peerUID: 1000).token
        _ = try await auth.authenticate(second)
        try await auth.signOut(try await auth.authenticate(first), allSessions: true)
        for token in [first, second] {
            await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(token) }
        }
    }

    @Test("a session that ends while it is being read is not kept in memory")
    func signOutDuringLookup() async throws {
        let signedIn = try await auth.signIn(peerUID: 1000)
        let other = try await auth.signIn(peerUID: 1000)
        let closer = try await auth.authenticate(other.token)
        let auth = auth
        let revoked = signedIn.session.id
        bench.counted.pause("session") { try? await auth.revokeSession(revoked, closer) }
        // The read began before the session ended, so this one call may still succeed.
        _ = try await auth.authenticate(signedIn.token)
        bench.counted.pause("session", nil)
        await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(signedIn.token) }
    }

    @Test("sessions are listed newest first and revoked by their own user only")
    func revoke() async throws {
        let first = try await auth.signIn(peerUID: 1000)
        let second = try await auth.signIn(peerUID: 1000)
        let caller = try await auth.authenticate(second.token)
        _ = try await auth.authenticate(first.token)
        #expect(try await auth.listSessions(PageRequest(), caller).items == [second.session, first.session])
        // In pages of one. The page tokens are valid for this user only.
        let page = try await auth.listSessions(PageRequest(size: 1), caller)
        #expect(page.items == [second.session])
        let token = try #require(page.nextToken).text
        let rest = try await auth.listSessions(PageRequest(size: 1, token: token), caller)
        #expect(rest.items == [first.session])
        #expect(rest.nextToken == nil)
        let stranger = try await bench.caller(1001)
        await #expect(throws: RepositoryError.invalidPageToken) {
            try await auth.listSessions(PageRequest(token: token), stranger)
        }
        await #expect(throws: RepositoryError.sessionNotFound) {
            try await auth.revokeSession(first.session.id, stranger)
        }
        _ = try await auth.authenticate(first.token)
        try await auth.revokeSession(first.session.id, caller)
        await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(first.token) }
        await #expect(throws: RepositoryError.sessionNotFound) {
            try await auth.revokeSession(first.session.id, caller)
        }
    }

    @Test("signing in beyond the limit ends the oldest session, in memory too")
    func sessionLimit() async throws {
        let oldest = try await auth.signIn(peerUID: 1000).token
        _ = try await auth.authenticate(oldest)
        for _ in 1...3 { _ = try await auth.signIn(peerUID: 1000) }
        await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(oldest) }
    }

    @Test("B15, B16, B17, B20: signed out, then needing a profile, then ready; asking is told a state and changes nothing")
    func states() async throws {
        #expect(try await auth.authState(nil) == .signedOut)
        let signedIn = try await auth.signIn(peerUID: 1000)
        let user = signedIn.session.userID
        #expect(signedIn.state == .needsProfile(user))
        let before = try await auth.authState(signedIn.token)
        #expect(before == .needsProfile(user))
        #expect(try await auth.authState(signedIn.token) == before)

        let caller = try await auth.authenticate(signedIn.token)
        _ = try await bench.services.profiles.createProfile(username: "name", caller)
        let after = try await auth.authState(signedIn.token)
        #expect(after == .ready(user))
        #expect(try await auth.signIn(peerUID: 1000).state == .ready(user))
    }

    @Test("B31, X13: a failing store is told, not taken for being signed out")
    func storeFailure() async throws {
        let token = try await auth.signIn(peerUID: 1000).token
        let failure = RepositoryError.storeUnavailable(detail: "test")
        bench.counted.fail("session", with: failure)
        await #expect(throws: failure) { try await auth.authState(token) }
        await #expect(throws: failure) { try await auth.authenticate(token) }
    }

    @Test("the store never sees a token, only its SHA-256")
    func tokenHash() throws {
        // SHA-256 of 32 zero bytes.
        let hash = try #require(SessionToken.hash(of: String(repeating: "A", count: 43)))
        #expect(hash.bytes.prefix(4) == [0x66, 0x68, 0x7A, 0xAD])
        #expect(SessionToken.hash(of: String(repeating: "A", count: 42) + "B") == nil)
    }

    @Test("a session says on which device it was opened, and one that did not say has none")
    func devices() async throws {
        let device = try Device(id: "7c1f", name: "민지의 노트북", platform: "linux")
        let caller = try await auth.authenticate(try await auth.signIn(peerUID: 1000, device: device).token)
        _ = try await auth.signIn(peerUID: 1000)
        #expect(try await auth.listSessions(PageRequest(), caller).items.map(\.device) == [nil, device])
    }

    @Test(
        "every malformed field of a device is named",
        arguments: [
            ("", "", "", ["device.id"]), ("a b", "n\u{7}", "", ["device.id", "device.name"]), ("é", "", "", ["device.id"]),
            (String(repeating: "x", count: 65), String(repeating: "가", count: 65), String(repeating: "x", count: 33),
                ["device.id", "device.name", "device.platform"]),
            ("x", "e" + String(repeating: "\u{301}", count: 200_000), "", ["device.name"]),
        ])
    func malformedDevices(id: String, name: String, platform: String, fields: [String]) {
        let error = #expect(throws: ValidationError.self) { try Device(id: id, name: name, platform: platform) }
        #expect(error?.violations.map(\.field) == fields)
        #expect(error?.violations.allSatisfy { $0.reason == .deviceInvalid } == true)
    }
}
