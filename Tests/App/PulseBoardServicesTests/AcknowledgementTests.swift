import PulseBoardDomain
import Testing

@testable import PulseBoardServices

/// A write is durable, and its caller has no answer yet.
@Suite("Between a COMMIT and its acknowledgement nobody is told the old state") struct AcknowledgementTests {
    let bench: Bench
    var auth: AuthService { bench.services.auth }
    var profiles: ProfileService { bench.services.profiles }

    init() async throws { bench = try await Bench() }

    /// Runs a write, holds its answer back in the store, runs `look`, and then lets the write end.
    private func holding(
        _ method: String, _ write: @escaping @Sendable () async throws -> Void, _ look: () async throws -> Void
    ) async throws {
        let (held, holder) = AsyncStream.makeStream(of: Void.self)
        let (durable, notice) = AsyncStream.makeStream(of: Void.self)
        bench.counted.pause(method) {
            notice.finish()
            for await _ in held {}
        }
        let writing = Task { try await write() }
        for await _ in durable {}
        let looked: Result<Void, any Error>
        do { looked = .success(try await look()) } catch { looked = .failure(error) }
        bench.counted.pause(method, nil)
        holder.finish()
        try await writing.value
        try looked.get()
    }

    @Test("an updated profile is new by its name and by its id")
    func update() async throws {
        let caller = try await bench.member(1000, "name")
        let reader = try await bench.caller(1001)
        let profiles = profiles
        _ = try await profiles.profile(of: caller.userID, reader)
        #expect(profiles.cachedProfile(of: caller.userID, reader) != nil)
        try await holding("updateProfile") {
            _ = try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "new"]), caller)
        } _: { () async throws in
            for _ in 1...2 {
                #expect(profiles.cachedProfile(username: "name") == nil)
                #expect(try await profiles.profile(username: "name", reader).texts[.statusMessage] == "new")
                #expect(profiles.cachedProfile(of: caller.userID, reader) == nil)
                #expect(try await profiles.profile(of: caller.userID, reader).texts[.statusMessage] == "new")
            }
        }
        #expect(profiles.cachedProfile(of: caller.userID, reader) == nil)
        _ = try await profiles.profile(username: "name", reader)
        #expect(profiles.cachedProfile(of: caller.userID, reader)?.profile.texts[.statusMessage] == "new")
        #expect(profiles.cachedProfile(username: "Name")?.profile.texts[.statusMessage] == "new")
    }

    @Test("a name that its owner has given up leads to nobody, and then to the next who takes it")
    func rename() async throws {
        let owner = try await bench.member(1000, "name")
        let next = try await bench.member(1001, "other")
        let profiles = profiles
        _ = try await profiles.profile(username: "name", next)
        #expect(profiles.cachedProfile(username: "name") != nil)
        try await holding("updateProfile") {
            _ = try await profiles.updateProfile(ProfileUpdate(paths: ["username"], username: "fresh"), owner)
        } _: { () async throws in
            await #expect(throws: RepositoryError.userNotFound) { try await profiles.profile(username: "name", next) }
            #expect(try await profiles.profile(username: "fresh", next).id == owner.userID)
            #expect(profiles.cachedProfile(username: "fresh") == nil)
        }
        #expect(try await profiles.profile(of: owner.userID, next).username.text == "fresh")
        #expect(profiles.cachedProfile(username: "name") == nil)
        _ = try await profiles.updateProfile(ProfileUpdate(paths: ["username"], username: "name"), next)
        for _ in 1...2 { #expect(try await profiles.profile(username: "name", owner).id == next.userID) }
        #expect(profiles.cachedProfile(username: "name")?.profile.id == next.userID)
        #expect(profiles.cachedProfile(username: "other") == nil)
    }

    @Test("a read that is answered with the old state before the COMMIT is not kept after it")
    func readBefore() async throws {
        let caller = try await bench.member(1000, "name")
        let profiles = profiles
        let (old, oldRead) = AsyncStream.makeStream(of: Void.self)
        let (held, holder) = AsyncStream.makeStream(of: Void.self)
        bench.counted.pause("profile") {
            oldRead.finish()
            for await _ in held {}
        }
        let reading = Task { try await profiles.profile(of: caller.userID, caller) }
        for await _ in old {}
        bench.counted.pause("profile", nil)
        try await holding("updateProfile") {
            _ = try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "new"]), caller)
        } _: { () async throws in
            holder.finish()
            #expect(try await reading.value.texts[.statusMessage] == "")
            #expect(try await profiles.profile(of: caller.userID, caller).texts[.statusMessage] == "new")
        }
    }

    @Test("a withdrawn user is gone by name and by id, and so are the sessions")
    func withdrawal() async throws {
        let signedIn = try await auth.signIn(peerUID: 1000)
        let caller = try await auth.authenticate(signedIn.token)
        let reader = try await bench.caller(1001)
        let (auth, profiles) = (auth, profiles)
        _ = try await profiles.createProfile(username: "name", caller)
        _ = try await profiles.profile(of: caller.userID, reader)
        try await holding("deleteProfile") {
            try await profiles.deleteProfile(caller)
        } _: { () async throws in
            await #expect(throws: RepositoryError.userNotFound) { try await profiles.profile(username: "name", reader) }
            await #expect(throws: RepositoryError.userNotFound) { try await profiles.profile(of: caller.userID, reader) }
            #expect(profiles.cachedProfile(of: caller.userID, reader) == nil)
            #expect(profiles.cachedProfile(username: "name") == nil)
            await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(signedIn.token) }
            #expect(try await auth.authState(signedIn.token) == .signedOut)
        }
    }

    @Test("a revoked session proves nobody", arguments: ["closeSession", "closeSessions"])
    func revocation(_ method: String) async throws {
        let first = try await auth.signIn(peerUID: 1000)
        let second = try await bench.caller(1000)
        let stranger = try await auth.signIn(peerUID: 1001).token
        let auth = auth
        _ = try await auth.authenticate(first.token)
        _ = try await auth.authenticate(stranger)
        try await holding(method) {
            if method == "closeSession" {
                try await auth.revokeSession(first.session.id, second)
            } else {
                try await auth.signOut(second, allSessions: true)
            }
        } _: { () async throws in
            for _ in 1...2 {
                await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(first.token) }
            }
            // Meanwhile other users are answered from memory.
            bench.counted.resetCalls()
            _ = try await auth.authenticate(stranger)
            #expect(bench.counted.calls() == 0)
        }
    }

    @Test("a session that a sign-in has displaced proves nobody")
    func displacement() async throws {
        let oldest = try await auth.signIn(peerUID: 1000).token
        let others = [try await auth.signIn(peerUID: 1000).token, try await auth.signIn(peerUID: 1000).token]
        let auth = auth
        for token in others + [oldest] { _ = try await auth.authenticate(token) }
        try await holding("openSession") {
            _ = try await auth.signIn(peerUID: 1000)
        } _: { () async throws in
            await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(oldest) }
            bench.counted.resetCalls()
            for token in others { _ = try await auth.authenticate(token) }
            #expect(bench.counted.calls() == 0)
        }
    }

    @Test("one user's writes keep nobody else's profile out of memory")
    func steadyWrites() async throws {
        let writer = try await bench.member(1000, "writer")
        let (profiles, counted) = (profiles, bench.counted)
        var kept = 0
        let readers = 8
        for number in 0..<UInt32(readers) {
            let reader = try await bench.member(2000 + number, "r\(number)x")
            // The store has answered the read. Before the caller gets the answer, another profile is written.
            counted.pause("profile") {
                counted.pause("profile", nil)
                _ = try? await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "\(number)"]), writer)
            }
            _ = try await profiles.profile(of: reader.userID, reader)
            if profiles.cachedProfile(of: reader.userID, reader) != nil { kept += 1 }
        }
        // About one user in a thousand shares the writer's bucket.
        #expect(kept >= readers - 2)
    }
}
