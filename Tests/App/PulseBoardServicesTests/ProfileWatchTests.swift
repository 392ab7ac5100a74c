import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("Watching a profile") struct ProfileWatchTests {
    let bench: Bench
    var profiles: ProfileService { bench.services.profiles }

    init() async throws { bench = try await Bench() }

    @Test("anyone's profile is told at once and after each change")
    func changes() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        let states = Recording(profiles.watchProfile(of: two.userID, one))
        #expect(await states.next()?.profile?.username.text == "two")
        for text in ["a", "b"] {
            let updated = try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: text]), two)
            #expect(await states.next() == .profile(updated))
        }
        // A change of another profile is not reported.
        _ = try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "x"]), one)
        let last = try await profiles.updateProfile(ProfileUpdate(username: "zwei"), two)
        #expect(await states.next() == .profile(last))
        states.cancel()
        #expect(await states.next() == nil)
        #expect(await states.ending() == nil)
    }

    @Test("many watchers of a profile cost one look at the store for each change")
    func manyWatchers() async throws {
        let one = try await bench.member(1000, "one"), two = try await bench.member(1001, "two")
        let watchers = (0..<ChangeHub.wokenAtOnce + 40).map { _ in Recording(profiles.watchProfile(of: two.userID, one)) }
        for watcher in watchers { #expect(await watcher.next() != nil) }
        for text in ["a", "b", "c"] {
            bench.counted.resetCalls()
            let updated = try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: text]), two)
            for watcher in watchers { #expect(await watcher.next() == .profile(updated)) }
            #expect(bench.counted.calls("profile") == 1)
        }
        for watcher in watchers { watcher.cancel() }
    }

    @Test("a user has at most so many watches; one that ends makes room, and other users have their own")
    func watchesOfUser() async throws {
        let one = try await bench.member(1000, "one"), two = try await bench.member(1001, "two")
        let watches = (0..<WatchCounts.limit).map { _ in Recording(profiles.watchProfile(of: two.userID, one)) }
        for watch in watches { #expect(await watch.next() != nil) }
        let refused = Recording(bench.services.follows.watchFollows(one))
        #expect(await refused.next() == nil)
        #expect(await refused.ending() == .watchLimit(maximum: WatchCounts.limit))
        let others = Recording(profiles.watchProfile(of: one.userID, two))
        #expect(await others.next() != nil)
        watches[0].cancel()
        #expect(await watches[0].next() == nil)
        let next = Recording(profiles.watchProfile(of: two.userID, one))
        #expect(await next.next() != nil)
        for watch in watches + [others, next] { watch.cancel() }
    }

    @Test("a reader that is slow gets the newest state and no queue of old ones")
    func coalescing() async throws {
        let one = try await bench.member(1000, "one")
        var states = profiles.watchProfile(of: one.userID, one).makeAsyncIterator()
        _ = try await states.next(isolation: nil)
        var last: Profile?
        for number in 1...20 {
            last = try await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "\(number)"]), one)
        }
        let next = try await states.next(isolation: nil)
        #expect(next?.profile == last)
        bench.services.finishWatches()
        await #expect(throws: RepositoryError.shuttingDown) { try await states.next(isolation: nil) }
    }

    @Test("X3: a change between the look at the store and the wait is not missed")
    func race() async throws {
        let one = try await bench.member(1000, "one")
        let profiles = profiles
        bench.counted.pause("profile") { [counted = bench.counted] in
            counted.pause("profile", nil)
            _ = try? await profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "new"]), one)
        }
        let states = Recording(profiles.watchProfile(of: one.userID, one))
        #expect(await states.next()?.profile?.texts[.statusMessage] == "")
        #expect(await states.next()?.profile?.texts[.statusMessage] == "new")
        states.cancel()
    }

    @Test("B8, X7: without a profile it is userNotFound, and withdrawal is told and is the end")
    func withdrawal() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        let guest = try await bench.caller(1002)
        #expect(await Recording(profiles.watchProfile(of: guest.userID, one)).ending() == .userNotFound)
        let own = Recording(profiles.watchProfile(of: two.userID, two))
        let others = Recording(profiles.watchProfile(of: two.userID, one))
        #expect(await own.next() != nil)
        #expect(await others.next() != nil)
        try await profiles.deleteProfile(two)
        for states in [own, others] {
            #expect(await states.next() == .withdrawn(two.userID))
            #expect(await states.next() == nil)
            #expect(await states.ending() == nil)
        }
    }

    @Test("a profile that was withdrawn and made again in between is not taken for the one that was watched")
    func madeAgain() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        var states = profiles.watchProfile(of: two.userID, one).makeAsyncIterator()
        _ = try await states.next(isolation: nil)
        try await profiles.deleteProfile(two)
        let again = try await bench.member(1001, "two")
        #expect(again.userID == two.userID)
        #expect(try await states.next(isolation: nil) == .withdrawn(two.userID))
        #expect(try await states.next(isolation: nil) == nil)
    }

    @Test("X21: the end of the caller's session ends the watch")
    func signOut() async throws {
        let one = try await bench.member(1000, "one")
        let states = Recording(profiles.watchProfile(of: one.userID, one))
        #expect(await states.next() != nil)
        try await bench.services.auth.signOut(one)
        #expect(await states.ending() == .notAuthenticated)
        // No watch begins for a caller whose session has ended.
        #expect(await Recording(profiles.watchProfile(of: one.userID, one)).ending() == .notAuthenticated)
    }

    @Test("a watch that nobody reads any more leaves nothing behind")
    func release() async throws {
        let one = try await bench.member(1000, "one")
        do {
            var states = profiles.watchProfile(of: one.userID, one).makeAsyncIterator()
            _ = try await states.next(isolation: nil)
            #expect(bench.services.hub.topicCount == 3)
        }
        #expect(bench.services.hub.topicCount == 0)
    }
}
