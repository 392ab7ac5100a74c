import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("Watching the auth state") struct AuthWatchTests {
    let bench: Bench
    var auth: AuthService { bench.services.auth }

    init() async throws { bench = try await Bench() }

    @Test("B15, B16: the state is told at once and after every change, and withdrawal is its end")
    func life() async throws {
        let token = try await auth.signIn(peerUID: 1000).token
        let caller = try await auth.authenticate(token)
        let states = Recording(auth.watchAuthState(token))
        #expect(await states.next() == .state(.needsProfile(caller.userID)))
        _ = try await bench.services.profiles.createProfile(username: "name", caller)
        #expect(await states.next() == .state(.ready(caller.userID)))
        // A change that does not change the state sends no update.
        _ = try await bench.services.profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "new"]), caller)
        try await bench.services.profiles.deleteProfile(caller)
        #expect(await states.next() == .state(.signedOut))
        #expect(await states.next() == nil)
        #expect(await states.ending() == nil)
    }

    @Test("the end of a session is the last state, however it ends", arguments: SessionEnd.allCases)
    func end(_ end: SessionEnd) async throws {
        let token = try await auth.signIn(peerUID: 1000).token
        let other = try await auth.signIn(peerUID: 1000).token
        let states = Recording(auth.watchAuthState(token))
        let others = Recording(auth.watchAuthState(other))
        let user = try #require(await states.next()?.state?.userID)
        #expect(await others.next() == .state(.needsProfile(user)))
        let caller = try await auth.authenticate(token)
        try await end.happens(to: caller, bench)
        #expect(await states.next() == .state(.signedOut))
        #expect(await states.next() == nil)
        if end.isOfOneSession {
            // The user's other session continues.
            _ = try await bench.services.profiles.createProfile(username: "name", try await auth.authenticate(other))
            #expect(await others.next() == .state(.ready(user)))
            others.cancel()
            #expect(await others.next() == nil)
        } else {
            #expect(await others.next() == .state(.signedOut))
        }
    }

    @Test("a session that expires while it is watched is told so at that moment")
    func expiry() async throws {
        let timer = TestTimer()
        let bench = try await Bench(timer: timer)
        let token = try await bench.services.auth.signIn(peerUID: 1000).token
        let states = Recording(bench.services.auth.watchAuthState(token))
        #expect(await states.next() != nil)
        await timer.somebodySleeps(for: .seconds(25))
        bench.clock.advance(.days(30))
        timer.advance(by: .seconds(25))
        #expect(await states.next() == .state(.signedOut))
        #expect(await states.next() == nil)
    }

    @Test("without a session the answer is signed out and the end: no session can come to that token")
    func signedOut() async throws {
        for token in [nil, "", String(repeating: "A", count: 43)] {
            let states = Recording(auth.watchAuthState(token))
            #expect(await states.next() == .state(.signedOut))
            #expect(await states.next() == nil)
            #expect(await states.ending() == nil)
        }
    }

    @Test("a sign-out between the first look and the watch is not missed")
    func race() async throws {
        let signedIn = try await auth.signIn(peerUID: 1000)
        let services = bench.services
        let caller = try await auth.authenticate(signedIn.token)
        _ = try await services.profiles.createProfile(username: "name", caller)
        // The session ends after it was found and while the store is asked for the profile.
        bench.counted.pause("profile") { [counted = bench.counted] in
            counted.pause("profile", nil)
            try? await services.auth.signOut(caller)
        }
        let states = Recording(auth.watchAuthState(signedIn.token))
        var last: AuthStateUpdate?
        while let state = await states.next() { last = state }
        #expect(last == .state(.signedOut))
    }

    @Test("B4: a state that the store cannot tell is said once, a heartbeat looks again, and the state follows when it is known")
    func unchecked() async throws {
        let timer = TestTimer()
        let bench = try await Bench(timer: timer)
        let auth = bench.services.auth
        let token = try await auth.signIn(peerUID: 1000).token
        let damage = RepositoryError.corruptRow(table: "profile", key: "x")
        bench.counted.fail("profile", with: damage)
        let states = Recording(auth.watchAuthState(token))
        #expect(await states.next() == .unchecked(damage))
        await timer.somebodySleeps(for: .seconds(25))
        timer.advance(by: .seconds(25))
        #expect(await states.next() == .heartbeat)
        bench.counted.fail("profile", with: nil)
        await timer.somebodySleeps(for: .seconds(25))
        timer.advance(by: .seconds(25))
        #expect(await states.next()?.state != nil)
        // A single call throws an error, because a damaged profile must not look like a missing one.
        bench.counted.fail("profile", with: damage)
        await #expect(throws: damage) { try await auth.authState(token) }
        states.cancel()
    }

    @Test("a watch says every 25 s that it lives")
    func heartbeat() async throws {
        let timer = TestTimer()
        let bench = try await Bench(timer: timer)
        let one = try await bench.member(1000, "one")
        let token = try await bench.services.auth.signIn(peerUID: 1000).token
        let states = Recording(bench.services.auth.watchAuthState(token))
        let profiles = Recording(bench.services.profiles.watchProfile(of: one.userID, one))
        let follows = Recording(bench.services.follows.watchFollows(one))
        #expect(await states.next()?.state == .ready(one.userID))
        #expect(await profiles.next()?.profile != nil)
        let start = try #require(await follows.next())
        #expect(start.content == .position)
        await timer.sleepers(3, for: .seconds(25))
        timer.advance(by: .seconds(25))
        #expect(await states.next() == .heartbeat)
        #expect(await profiles.next() == .heartbeat)
        #expect(await follows.next() == start)
        states.cancel()
        profiles.cancel()
        follows.cancel()
    }
}

/// The ways in which a session ends.
enum SessionEnd: CaseIterable {
    case signOut, signOutOfAll, revocation, tooManySessions

    var isOfOneSession: Bool { self != .signOutOfAll }

    func happens(to caller: Caller, _ bench: Bench) async throws {
        let auth = bench.services.auth
        switch self {
        case .signOut: try await auth.signOut(caller)
        case .signOutOfAll: try await auth.signOut(caller, allSessions: true)
        case .revocation:
            let other = try await auth.authenticate(try await auth.signIn(peerUID: 1000).token)
            try await auth.revokeSession(caller.sessionID, other)
        case .tooManySessions:
            // The bench permits three sessions a user, and two are open.
            for _ in 1...2 { _ = try await auth.signIn(peerUID: 1000) }
        }
    }
}
