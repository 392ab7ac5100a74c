import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("Composition") struct CompositionTests {
    @Test("B2: signing in and out touches no profile, and profile calls touch no session")
    func separation() async throws {
        let bench = try await Bench()
        let caller = try await bench.member(1000, "name")
        bench.counted.resetCalls()
        _ = try await bench.services.profiles.fetchCurrentUser(caller)
        _ = try await bench.services.profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "new"]), caller)
        #expect(bench.counted.calls() == bench.counted.calls("profile") + bench.counted.calls("updateProfile"))
        bench.counted.resetCalls()
        let again = try await bench.caller(1000)
        try await bench.services.auth.signOut(again)
        let sessionCalls = ["openSession", "session", "closeSession"].map { bench.counted.calls($0) }
        #expect(sessionCalls == [1, 1, 1])
        #expect(bench.counted.calls() == 3)
    }

    @Test("B3, B9: everything is injected, so two suites in one process share nothing")
    func nothingShared() async throws {
        let first = try await Bench()
        let second = try await Bench()
        let caller = try await first.member(1000, "name")
        _ = try await first.services.profiles.fetchCurrentUser(caller)
        // The same user in the other services: neither their store nor their memory knows the profile of the first.
        let stranger = try await second.caller(1000)
        await #expect(throws: RepositoryError.userNotFound) {
            try await second.services.profiles.profile(of: caller.userID, stranger)
        }
    }

    @Test("B21, B7: one suite serves many tasks at once, as the compiler has checked")
    func manyTasks() async throws {
        let bench = try await Bench()
        let services = bench.services
        let star = try await bench.member(1, "star")
        let counts = try await withThrowingTaskGroup(of: Void.self) { group in
            for uid in 1000..<1032 as Range<UInt32> {
                group.addTask {
                    let token = try await services.auth.signIn(peerUID: uid).token
                    let caller = try await services.auth.authenticate(token)
                    _ = try await services.profiles.createProfile(username: "u\(uid)", caller)
                    _ = try await services.follows.follow(star.userID, caller)
                    guard try await services.profiles.fetchCurrentUser(caller).id == caller.userID else {
                        throw RepositoryError.notOwner
                    }
                }
            }
            try await group.waitForAll()
            return try await services.follows.counts(of: star.userID, star)
        }
        #expect(counts == FollowCounts(followers: 32, following: 0))
    }
}
