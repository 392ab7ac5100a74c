import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("Watching follows") struct FollowWatchTests {
    let bench: Bench
    var follows: FollowService { bench.services.follows }

    init() async throws { bench = try await Bench() }

    /// All events after a token, up to the newest one.
    private func replay(_ token: ResumeToken, _ caller: Caller, count: Int) async throws -> [FollowEvent] {
        var updates = follows.watchFollows(resumeToken: token.text, caller).makeAsyncIterator()
        var events: [FollowEvent] = []
        while events.count < count, let update = try await updates.next(isolation: nil) {
            if let event = update.event { events.append(event) }
        }
        return events
    }

    @Test("B25: a watch begins with a position and tells both directions, each event with its names and cause")
    func live() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        let updates = Recording(follows.watchFollows(one))
        let first = try #require(await updates.next())
        #expect(first.event == nil)
        let followed = try await follows.follow(two.userID, one)
        _ = try await follows.follow(one.userID, two)
        _ = try await follows.removeFollower(one.userID, two)
        _ = try await follows.unfollow(one.userID, two)
        var events: [FollowEvent] = []
        for _ in 1...4 { events.append(try #require(await updates.event())) }
        #expect(events.map(\.change) == [.followed, .followerGained, .unfollowed, .followerLost])
        #expect(events.map(\.cause) == [.follower, .follower, .followee, .follower])
        #expect(events.allSatisfy { $0.userID == two.userID && $0.summary?.username.text == "two" })
        #expect(events[0].time == followed.followTime)
        #expect(try await replay(first.resumeToken, one, count: 4) == events)
        updates.cancel()
        #expect(await updates.next() == nil)
        #expect(await updates.ending() == nil)
    }

    @Test("every kind of write wakes the watchers of both sides by itself")
    func wakes() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        let (ones, twos) = (Recording(follows.watchFollows(one)), Recording(follows.watchFollows(two)))
        #expect(await ones.next() != nil)
        #expect(await twos.next() != nil)
        let writes: [(FollowEvent.Change, FollowEvent.Change, () async throws -> Void)] = [
            (.followed, .followerGained, { _ = try await follows.follow(two.userID, one) }),
            (.unfollowed, .followerLost, { _ = try await follows.unfollow(two.userID, one) }),
            (.followerGained, .followed, { _ = try await follows.follow(one.userID, two) }),
            (.followerLost, .unfollowed, { _ = try await follows.removeFollower(two.userID, one) }),
        ]
        for (own, other, write) in writes {
            try await write()
            #expect(await ones.event()?.change == own)
            #expect(await twos.event()?.change == other)
        }
        ones.cancel()
        twos.cancel()
    }

    @Test("each token resumes after its own event, also at a server that was started again")
    func resume() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        var updates = follows.watchFollows(one).makeAsyncIterator()
        var seen = [try #require(try await updates.next(isolation: nil))]
        for _ in 1...3 {
            _ = try await follows.follow(two.userID, one)
            _ = try await follows.unfollow(two.userID, one)
        }
        for _ in 1...6 { seen.append(try #require(try await updates.next(isolation: nil))) }
        let events = seen.compactMap(\.event)
        for (index, update) in seen.dropLast().enumerated() {
            #expect(try await replay(update.resumeToken, one, count: 6 - index) == Array(events[index...]))
        }
        try bench.store.close()
        let second = try await Bench(directory: bench.directory)
        let caller = try await second.caller(1000)
        var resumed = second.services.follows.watchFollows(
            resumeToken: seen[3].resumeToken.text, caller).makeAsyncIterator()
        #expect(try #require(try await resumed.next(isolation: nil)).resumeToken == seen[3].resumeToken)
        #expect(try #require(try await resumed.next(isolation: nil)).event == events[3])
        try second.store.close()
    }

    @Test("between what is replayed and what happens meanwhile nothing is lost and nothing is told twice")
    func seam() async throws {
        let star = try await bench.member(1, "star")
        var fans: [Caller] = []
        for number in 0..<8 as Range<UInt32> { fans.append(try await bench.member(1000 + number, "fan\(number)")) }
        let follows = follows
        var updates = follows.watchFollows(star).makeAsyncIterator()
        let start = try #require(try await updates.next(isolation: nil)).resumeToken
        let turns = 20
        let total = fans.count * turns * 2
        let (reader, seen) = try await withThrowingTaskGroup(of: Void.self) { group in
            for fan in fans {
                group.addTask {
                    for _ in 0..<turns {
                        _ = try await follows.follow(star.userID, fan)
                        _ = try await follows.unfollow(star.userID, fan)
                    }
                }
            }
            // One reader stays. Another loses its stream after every seventh event and resumes.
            async let resumer = Self.readResuming(follows, star, from: start, count: total)
            var stayed: [FollowEvent] = []
            while stayed.count < total, let update = try await updates.next(isolation: nil) {
                if let event = update.event { stayed.append(event) }
            }
            try await group.waitForAll()
            return (try await resumer, stayed)
        }
        #expect(seen.count == total)
        #expect(reader == seen)
        #expect(Set(seen.map(\.position)).count == total)
        #expect(seen.map(\.position) == seen.map(\.position).sorted())
        for fan in fans {
            let changes = seen.filter { $0.userID == fan.userID }.map(\.change)
            #expect(changes == (0..<turns).flatMap { _ in [FollowEvent.Change.followerGained, .followerLost] })
        }
    }

    private static func readResuming(
        _ follows: FollowService, _ caller: Caller, from token: ResumeToken, count: Int
    ) async throws -> [FollowEvent] {
        var token = token
        var events: [FollowEvent] = []
        while events.count < count {
            var updates = follows.watchFollows(resumeToken: token.text, caller).makeAsyncIterator()
            for _ in 0...7 {
                guard events.count < count, let update = try await updates.next(isolation: nil) else { break }
                token = update.resumeToken
                if let event = update.event { events.append(event) }
            }
        }
        return events
    }

    @Test("X13: a retried write is told once, and one that changes nothing not at all")
    func retries() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        let updates = Recording(follows.watchFollows(two))
        #expect(await updates.next() != nil)
        for _ in 1...3 { _ = try await follows.follow(two.userID, requestID: "r1", one) }
        for _ in 1...3 { _ = try await follows.follow(two.userID, one) }
        _ = try await follows.unfollow(two.userID, one)
        #expect(await updates.event()?.change == .followerGained)
        #expect(await updates.event()?.change == .followerLost)
        updates.cancel()
    }

    @Test("a forged, damaged or borrowed token is invalidResumeToken, and has nothing kept")
    func tokens() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        for caller in [one, two] { _ = try await follows.follow((caller == one ? two : one).userID, caller) }
        var updates = follows.watchFollows(one).makeAsyncIterator()
        let token = try #require(try await updates.next(isolation: nil)).resumeToken.text
        bench.counted.resetCalls()
        let last = try #require(token.last)
        let damaged = token.dropLast() + (last == "A" ? "B" : "A")
        for text in [String(damaged), "x", token + "A", "AQ"] {
            #expect(await Recording(follows.watchFollows(resumeToken: text, one)).ending() == .invalidResumeToken)
        }
        #expect(await Recording(follows.watchFollows(resumeToken: token, two)).ending() == .invalidResumeToken)
        #expect(bench.counted.calls("keepFollowEvents") == 0)
        // A resume token is not a page token, and a page token is not a resume token.
        await #expect(throws: RepositoryError.invalidPageToken) {
            try await follows.followers(of: one.userID, PageRequest(token: token), one)
        }
    }

    @Test("a token whose events have been forgotten begins with a resync, and what happens from then on follows")
    func tooOld() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        var updates = follows.watchFollows(one).makeAsyncIterator()
        let token = try #require(try await updates.next(isolation: nil)).resumeToken
        _ = try await follows.follow(two.userID, one)
        bench.clock.advance(.days(6))
        #expect(try await replay(token, one, count: 1).map(\.change) == [.followed])
        bench.clock.advance(.days(2))
        let late = Recording(follows.watchFollows(resumeToken: token.text, one))
        let resync = try #require(await late.next())
        #expect(resync.content == .resync)
        #expect(resync.resumeToken != token)
        _ = try await follows.unfollow(two.userID, one)
        #expect(await late.event()?.change == .unfollowed)
        late.cancel()
        // The token of the resync resumes without a gap.
        #expect(try await replay(resync.resumeToken, one, count: 1).map(\.change) == [.unfollowed])
    }

    @Test("X7: withdrawal tells whom it concerns, and ends the watch of who withdraws")
    func withdrawal() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        _ = try await follows.follow(two.userID, one)
        let own = Recording(follows.watchFollows(two))
        let others = Recording(follows.watchFollows(one))
        #expect(await own.next() != nil)
        #expect(await others.next() != nil)
        try await bench.services.profiles.deleteProfile(two)
        let event = try #require(await others.next()?.event)
        #expect(event.change == .unfollowed)
        #expect(event.cause == .withdrawal)
        #expect(event.userID == two.userID)
        #expect(event.summary == nil)
        #expect(await own.ending() == .notAuthenticated)
        others.cancel()
    }

    @Test("a withdrawal wakes the watches of those whom it concerns, and nobody else's")
    func strangers() async throws {
        // Its time stands still. On a slow machine, heartbeats would read events too.
        let bench = try await Bench(timer: TestTimer())
        let follows = bench.services.follows
        let one = try await bench.member(1000, "one"), two = try await bench.member(1001, "two"), five = try await bench.member(1002, "five")
        _ = try await follows.follow(one.userID, two)
        let concerned = Recording(follows.watchFollows(one))
        #expect(await concerned.next() != nil)
        var strangers: [(caller: Caller, updates: Recording<FollowUpdate>)] = []
        for number in 0..<20 {
            let stranger = try await bench.member(UInt32(2000 + number), "new\(number)")
            strangers.append((stranger, Recording(follows.watchFollows(stranger))))
            #expect(await strangers[number].updates.next() != nil)
        }
        bench.counted.resetCalls()
        try await bench.services.profiles.deleteProfile(two)
        #expect(await concerned.event()?.change == .followerLost)
        for stranger in strangers {
            _ = try await follows.follow(stranger.caller.userID, five)
            #expect(await stranger.updates.event()?.change == .followerGained)
        }
        // Each has read its own event. If the withdrawal had woken all, there would be 41. The rest is for watchers that were woken by two steps.
        #expect(bench.counted.calls("followEvents") <= 35)
        concerned.cancel()
        for stranger in strangers { stranger.updates.cancel() }
    }

    @Test("X21: a slow reader gets nothing that was read before its session ended")
    func slowReader() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        var beginning = follows.watchFollows(one).makeAsyncIterator()
        let first = try #require(try await beginning.next(isolation: nil))
        _ = try await follows.follow(two.userID, one)
        _ = try await follows.unfollow(two.userID, one)
        _ = try await follows.follow(two.userID, one)
        var updates = follows.watchFollows(resumeToken: first.resumeToken.text, one).makeAsyncIterator()
        #expect(try await updates.next(isolation: nil)?.event == nil)
        #expect(try await updates.next(isolation: nil)?.event?.change == .followed)
        try await bench.services.auth.signOut(one)
        do {
            let update = try await updates.next(isolation: nil)
            Issue.record("\(String(describing: update))")
        } catch {
            #expect(error == .notAuthenticated)
        }
    }

    @Test("X21, B15: it ends with the session, and does not begin without a profile")
    func ends() async throws {
        let one = try await bench.member(1000, "one")
        let guest = try await bench.caller(1001)
        #expect(await Recording(follows.watchFollows(guest)).ending() == .profileRequired)
        let updates = Recording(follows.watchFollows(one))
        #expect(await updates.next() != nil)
        try await bench.services.auth.signOut(one)
        #expect(await updates.ending() == .notAuthenticated)
    }

    @Test("shutting down ends every watch at once, and the token resumes elsewhere")
    func shutdown() async throws {
        let one = try await bench.member(1000, "one")
        let token = try await bench.services.auth.signIn(peerUID: 1000).token
        let updates = Recording(follows.watchFollows(one))
        let states = Recording(bench.services.auth.watchAuthState(token))
        let profiles = Recording(bench.services.profiles.watchProfile(of: one.userID, one))
        let checks = Recording(bench.services.profiles.checkUsernames(Keyboard(), one))
        #expect(await updates.next() != nil)
        #expect(await states.next() != nil)
        #expect(await profiles.next() != nil)
        bench.services.finishWatches()
        #expect(await updates.ending() == .shuttingDown)
        #expect(await states.ending() == .shuttingDown)
        #expect(await profiles.ending() == .shuttingDown)
        #expect(await checks.ending() == .shuttingDown)
        #expect(await Recording(follows.watchFollows(one)).ending() == .shuttingDown)
    }

    @Test("a watch that lasts has its events kept again every day, also when nothing happens")
    func renewal() async throws {
        let timer = TestTimer()
        let bench = try await Bench(timer: timer)
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        let updates = Recording(bench.services.follows.watchFollows(one))
        #expect(await updates.next() != nil)
        for _ in 1...9 {
            await timer.somebodySleeps(for: .seconds(25))
            bench.clock.advance(.days(1))
            let renewed = AsyncStream<Void>.makeStream()
            bench.counted.pause("keepFollowEvents") { renewed.continuation.finish() }
            timer.advance(by: .seconds(25))
            for await _ in renewed.stream {}
        }
        _ = try await bench.services.follows.follow(two.userID, one)
        #expect(await updates.event()?.change == .followed)
        updates.cancel()
    }
}
