import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("Leaving, with time to come back") struct WithdrawalServiceTests {
    let bench: Bench
    var services: Services { bench.services }

    init() async throws { bench = try await Bench() }

    @Test("sessions end, memory shows nobody the profile any more, and the state says until when it can be taken back")
    func request() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        _ = try await services.follows.follow(one.userID, two)
        _ = try await services.profiles.profile(of: one.userID, two)
        let token = try await services.auth.signIn(peerUID: 1000).token
        let watch = Recording(services.auth.watchAuthState(token))
        let looking = Recording(services.profiles.watchProfile(of: one.userID, two))
        let own = Recording(services.profiles.watchProfile(of: one.userID, one))
        #expect(await watch.next()?.state == .ready(one.userID))
        #expect(await looking.next()?.profile != nil)
        #expect(await own.next()?.profile != nil)

        let purgeTime = try await services.withdrawals.request(one)
        #expect(await watch.next() == .state(.signedOut))
        #expect(await looking.next() == .withdrawn(one.userID))
        #expect(await own.next() == .withdrawn(one.userID))
        await #expect(throws: RepositoryError.notAuthenticated) { try await services.auth.authenticate(token) }
        await #expect(throws: RepositoryError.userNotFound) { try await services.profiles.profile(of: one.userID, two) }
        #expect(services.profiles.cachedProfile(of: one.userID, two) == nil)
        #expect(try await services.follows.counts(of: two.userID, two).following == 1)

        let back = try await services.auth.signIn(peerUID: 1000)
        #expect(back.state == .withdrawing(one.userID, purgeTime: purgeTime))
        #expect(try await services.auth.authState(back.token) == back.state)
        let caller = try await services.auth.authenticate(back.token)
        let state = RepositoryError.withdrawing(purgeTime: purgeTime)
        await #expect(throws: state) { try await services.profiles.fetchCurrentUser(caller) }
        await #expect(throws: state) { try await services.profiles.createProfile(username: "other", caller) }
        await #expect(throws: state) { try await services.follows.counts(of: caller.userID, caller) }
        await #expect(throws: state) { try await services.follows.follow(two.userID, caller) }
        #expect(await Recording(services.follows.watchFollows(caller)).ending() == state)

        let states = Recording(services.auth.watchAuthState(back.token))
        #expect(await states.next()?.state == back.state)
        try await services.withdrawals.cancel(caller)
        #expect(await states.next()?.state == .ready(one.userID))
        #expect(try await services.profiles.profile(of: one.userID, two).username.text == "one")
        await #expect(throws: RepositoryError.notWithdrawing) { try await services.withdrawals.cancel(caller) }
        states.cancel()
    }

    @Test("the purge comes when the time is over, ends sessions that look at the state, and takes the account")
    func purge() async throws {
        let one = try await bench.member(1000, "one")
        _ = try await services.withdrawals.request(one)
        let token = try await services.auth.signIn(peerUID: 1000).token
        _ = try await services.auth.authenticate(token)
        #expect(try await services.withdrawals.purgeDue() == 0)
        bench.clock.advance(.days(29))
        #expect(try await services.withdrawals.purgeDue() == 0)
        bench.clock.advance(.days(1))
        #expect(try await services.withdrawals.purgeDue() == 1)
        await #expect(throws: RepositoryError.notAuthenticated) { try await services.auth.authenticate(token) }
        // The name stays held for a while, for nobody.
        let newcomer = try await bench.member(1000, "again")
        #expect(newcomer.userID != one.userID)
        #expect(try await services.withdrawals.purgeDue() == 0)
    }

    @Test("a purge that is cancelled leaves the other users to the next one")
    func cancelledPurge() async throws {
        for (uid, name) in [(1000, "one"), (1001, "two"), (1002, "three")] as [(UInt32, String)] {
            _ = try await services.withdrawals.request(try await bench.member(uid, name))
        }
        bench.clock.advance(.days(30))
        // The server stops while the first user is purged.
        bench.counted.pause("purge") { cancelPresentTask() }
        let withdrawals = services.withdrawals
        let purge = Task { try await withdrawals.purgeDue() }
        #expect(try await purge.value == 1)
        bench.counted.pause("purge", nil)
        #expect(try await withdrawals.purgeDue() == 2)
    }

    @Test("a user who cannot be purged because of damage keeps no other; a store that fails is not asked further")
    func damagedPurge() async throws {
        for (uid, name) in [(1000, "one"), (1001, "two")] as [(UInt32, String)] {
            _ = try await services.withdrawals.request(try await bench.member(uid, name))
        }
        bench.clock.advance(.days(30))
        let damage = RepositoryError.corruptRow(table: "pending_withdrawal", key: "one")
        let failures = [(damage, 2), (.storeUnavailable(detail: "closed"), 1)] as [(RepositoryError, Int)]
        for (failure, calls) in failures {
            bench.counted.fail("purge", with: failure)
            bench.counted.resetCalls()
            await #expect(throws: failure) { try await services.withdrawals.purgeDue() }
            #expect(bench.counted.calls("purge") == calls)
        }
        bench.counted.fail("purge", with: nil)
        #expect(try await services.withdrawals.purgeDue() == 2)
    }
}
