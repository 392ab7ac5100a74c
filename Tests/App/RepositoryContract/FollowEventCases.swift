import PulseBoardDomain

extension ContractCase {
    static let followEvents = [
        ContractCase("events: either side is told, in its own order, with the instant of the write") { store in
            try await store.addUsers(3)
            _ = try await store.keepEvents(3)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            _ = try await store.follow(user(1), by: user(3), at: at(11), idempotency: nil)
            _ = try await store.unfollow(user(2), by: user(1), at: at(12), idempotency: nil)
            _ = try await store.removeFollower(user(3), of: user(1), at: at(13), idempotency: nil)
            try expectEqual(
                try await store.told(user(1), after: at(9)),
                [
                    Told(.followed, .follower, user(2), at(10)), Told(.followerGained, .follower, user(3), at(11)),
                    Told(.unfollowed, .follower, user(2), at(12)), Told(.followerLost, .followee, user(3), at(13)),
                ])
            try expectEqual(
                try await store.told(user(2), after: at(9)),
                [Told(.followerGained, .follower, user(1), at(10)), Told(.followerLost, .follower, user(1), at(12))])
            try expectEqual(
                try await store.told(user(3), after: at(9)),
                [Told(.followed, .follower, user(1), at(11)), Told(.unfollowed, .followee, user(1), at(13))])
        },
        ContractCase("events: a replay goes on from any position without gap or repetition, page by page") { store in
            try await store.addUsers(3)
            let start = try await store.keepEvents(1)
            for second in 10..<20 as Range<Int64> {
                let other = user(second % 2 == 0 ? 2 : 3)
                _ = try await store.follow(other, by: user(1), at: at(second), idempotency: nil)
                _ = try await store.unfollow(other, by: user(1), at: at(second), idempotency: nil)
            }
            let all = try await store.followEvents(of: user(1), after: start, at: at(20), limit: 99)
            try expectEqual(all.count, 20)
            try expectEqual(try await store.keepFollowEvents(of: user(1), at: at(20)), all[19].position)
            for limit in 1...21 {
                var seen: [FollowEvent] = []
                var page: [FollowEvent] = []
                repeat {
                    page = try await store.followEvents(
                        of: user(1), after: seen.last?.position ?? start, at: at(20), limit: limit)
                    try expect(page.count <= limit, "at most \(limit) events, got \(page.count)")
                    seen += page
                } while !page.isEmpty
                try expectEqual(seen, all)
            }
        },
        ContractCase("events: of one instant, or of a clock set back, each has a position of its own, in order") { store in
            try await store.addUsers(4)
            let start = try await store.keepEvents(1)
            for (follower, second) in [(2, 30), (3, 30), (4, 10)] as [(UInt64, Int64)] {
                _ = try await store.follow(user(1), by: user(follower), at: at(second), idempotency: nil)
            }
            let found = try await store.followEvents(of: user(1), after: start, at: at(40), limit: 9)
            try expectEqual(found.map(\.userID), [user(2), user(3), user(4)])
            try expectEqual(
                found.map(\.time.microseconds), (0...2).map { at(30).microseconds + $0 })
            try expectEqual(Set(found.map(\.position)).count, 3)
        },
        ContractCase("events: many writers leave no gap and no two events in one place") { store in
            try await store.addUsers(8)
            let start = try await store.keepEvents(1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for follower in 2...8 as ClosedRange<UInt64> {
                    group.addTask {
                        for _ in 1...4 {
                            _ = try await store.follow(user(1), by: user(follower), at: at(10), idempotency: nil)
                            _ = try await store.unfollow(user(1), by: user(follower), at: at(10), idempotency: nil)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let found = try await store.followEvents(of: user(1), after: start, at: at(20), limit: 999)
            try expectEqual(found.count, 7 * 4 * 2)
            for follower in 2...8 as ClosedRange<UInt64> {
                let changes = found.filter { $0.userID == user(follower) }.map(\.change)
                try expectEqual(changes, (1...4).flatMap { _ in [.followerGained, .followerLost] })
            }
        },
        ContractCase("events: a write that changes nothing tells nobody") { store in
            try await store.addUsers(2)
            _ = try await store.keepEvents(2)
            for second in 10...11 as ClosedRange<Int64> {
                _ = try await store.follow(user(2), by: user(1), at: at(second), idempotency: nil)
            }
            for second in 12...13 as ClosedRange<Int64> {
                _ = try await store.unfollow(user(2), by: user(1), at: at(second), idempotency: nil)
                _ = try await store.removeFollower(user(1), of: user(2), at: at(second), idempotency: nil)
            }
            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.follow(user(9), by: user(1), at: at(14), idempotency: nil)
            }
            try expectEqual(try await store.told(user(1), after: at(9)).map(\.time), [at(10), at(12)])
            try expectEqual(try await store.told(user(2), after: at(9)).map(\.time), [at(10), at(12)])
        },
        ContractCase("X13, events: a retried write tells nobody a second time") { store in
            try await store.addUsers(2)
            _ = try await store.keepEvents(2)
            let (follow, unfollow) = (try key("r1", asking: 1), try key("r2", asking: 2))
            for second in 10...12 as ClosedRange<Int64> {
                _ = try await store.follow(user(2), by: user(1), at: at(second), idempotency: follow)
            }
            for second in 13...15 as ClosedRange<Int64> {
                _ = try await store.unfollow(user(2), by: user(1), at: at(second), idempotency: unfollow)
                _ = try await store.follow(user(2), by: user(1), at: at(second), idempotency: follow)
            }
            for number in 1...2 as ClosedRange<UInt64> {
                try expectEqual(try await store.told(user(number), after: at(9)).map(\.time), [at(10), at(13)])
            }
        },
        ContractCase("X7, events: withdrawal tells the other side of every edge, and nobody else") { store in
            try await store.addUsers(4)
            _ = try await store.keepEvents(4)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            _ = try await store.follow(user(1), by: user(2), at: at(11), idempotency: nil)
            _ = try await store.follow(user(2), by: user(3), at: at(12), idempotency: nil)
            _ = try await store.follow(user(1), by: user(4), at: at(13), idempotency: nil)
            try await store.deleteProfile(of: user(2), at: at(20), idempotency: nil)
            let one = try await store.followEvents(
                of: user(1), after: FollowEventPosition(time: at(13)), at: at(30), limit: 9)
            try expectEqual(Set(one.map(\.change)), [.unfollowed, .followerLost])
            try expectEqual(one.map(\.userID), [user(2), user(2)])
            try expectEqual(one.map(\.cause), [.withdrawal, .withdrawal])
            // The user's names are gone with the profile, but the event stays.
            try expectEqual(one.map(\.summary), [nil, nil])
            try expectEqual(
                try await store.told(user(3), after: at(12)), [Told(.unfollowed, .withdrawal, user(2), at(20))])
            try expectEqual(try await store.told(user(4), after: at(13)), [])
        },
        ContractCase("X7, events: a withdrawn user's events are gone, and coming back does not bring them") { store in
            try await store.addUsers(2)
            let before = try await store.keepEvents(2)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            try await store.deleteProfile(of: user(1), at: at(11), idempotency: nil)
            try await expectError(.profileRequired) { () async throws(RepositoryError) in
                try await store.keepFollowEvents(of: user(1), at: at(12))
            }
            try await expectError(.profileRequired) { () async throws(RepositoryError) in
                try await store.followEvents(of: user(1), after: before, at: at(12), limit: 9)
            }
            _ = try await store.createProfile(try draft("user1"), for: user(1), at: at(12), idempotency: nil)
            let again = try await store.keepFollowEvents(of: user(1), at: at(13))
            try await expectError(.eventsForgotten) { () async throws(RepositoryError) in
                try await store.followEvents(of: user(1), after: before, at: at(13), limit: 9)
            }
            try expectEqual(try await store.followEvents(of: user(1), after: again, at: at(13), limit: 9), [])
            _ = try await store.follow(user(2), by: user(1), at: at(14), idempotency: nil)
            try expectEqual(try await store.told(user(1), after: again).map(\.time), [at(14)])
        },
        ContractCase("events: one names the other side as it is called now") { store in
            try await store.addUsers(2)
            let start = try await store.keepEvents(1)
            _ = try await store.follow(user(1), by: user(2), at: at(10), idempotency: nil)
            let change = ProfileChange(texts: [.displayName: "둘"])
            let profile = try await store.updateProfile(
                of: user(2), change, ifMatches: nil, at: at(11), idempotency: nil)
            let found = try await store.followEvents(of: user(1), after: start, at: at(12), limit: 9)
            try expectEqual(found.first?.summary, profile.summary)
        },
        ContractCase("events: older than 7 days are forgotten, and a position before them is told so, not given a gap") {
            store, clock in
            try await store.addUsers(2)
            let start = try await store.keepEvents(1)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            _ = try await store.unfollow(user(2), by: user(1), at: at(20), idempotency: nil)
            let day8 = at(10).advanced(by: FollowEventRetention.standard.age)
            clock.pass(to: day8)
            try await expectError(.eventsForgotten) { () async throws(RepositoryError) in
                try await store.followEvents(of: user(1), after: start, at: day8, limit: 9)
            }
            let seen = FollowEventPosition(time: at(10))
            let rest = try await store.followEvents(of: user(1), after: seen, at: day8, limit: 9)
            try expectEqual(rest.map(\.time), [at(20)])
        },
        ContractCase("events: are kept only as long as somebody asks, and a position from before a gap is told so") { store, clock in
            try await store.addUsers(2)
            let start = try await store.keepEvents(1)
            // Nobody has asked for user 2's events, so they begin only with the first request.
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            let two = try await store.keepFollowEvents(of: user(2), at: at(11))
            try expectEqual(try await store.followEvents(of: user(2), after: two, at: at(11), limit: 9), [])

            // A request in time extends the lease of user 1's events. Without one they end, and the gap is reported.
            let end = at(9).advanced(by: FollowEventRetention.standard.lease)
            let renewed = end.advanced(by: .seconds(-1))
            clock.pass(to: renewed)
            let seen = try await store.keepFollowEvents(of: user(1), at: renewed)
            try expectEqual(seen, FollowEventPosition(time: at(10)))
            _ = try await store.unfollow(user(2), by: user(1), at: end, idempotency: nil)
            let kept = try await store.followEvents(of: user(1), after: seen, at: end, limit: 9)
            try expectEqual(kept.map(\.time), [end])
            let later = renewed.advanced(by: FollowEventRetention.standard.lease)
            clock.pass(to: later)
            try await expectError(.eventsForgotten) { () async throws(RepositoryError) in
                try await store.followEvents(of: user(1), after: kept[0].position, at: later, limit: 9)
            }
            _ = try await store.follow(user(2), by: user(1), at: later, idempotency: nil)
            let again = try await store.keepFollowEvents(of: user(1), at: later)
            for position in [start, seen, kept[0].position] {
                try await expectError(.eventsForgotten) { () async throws(RepositoryError) in
                    try await store.followEvents(of: user(1), after: position, at: later, limit: 9)
                }
            }
            try expectEqual(try await store.followEvents(of: user(1), after: again, at: later, limit: 9), [])
        },
        ContractCase("events: a position that no event has reached is refused") { store in
            try await store.addUsers(1)
            _ = try await store.keepEvents(1)
            let beyond = FollowEventPosition(time: at(1_000))
            try await expectError(.eventsForgotten) { () async throws(RepositoryError) in
                try await store.followEvents(of: user(1), after: beyond, at: at(2), limit: 9)
            }
        },
    ]
}

/// The parts of an event that the cases compare.
private struct Told: Equatable, Sendable {
    let change: FollowEvent.Change
    let cause: FollowEvent.Cause
    let userID: UserID
    let time: Timestamp

    init(_ change: FollowEvent.Change, _ cause: FollowEvent.Cause, _ userID: UserID, _ time: Timestamp) {
        self.change = change
        self.cause = cause
        self.userID = userID
        self.time = time
    }
}

extension PulseBoardStore {
    /// Asks for the events of users 1…count from `at(9)` on. - Returns: the first user's position.
    func keepEvents(_ count: UInt64) async throws -> FollowEventPosition {
        for number in (1...count).reversed() {
            let position = try await keepFollowEvents(of: user(number), at: at(9))
            if number == 1 { return position }
        }
        throw ContractFailure(description: "there is a first user")
    }

    fileprivate func told(_ owner: UserID, after position: FollowEventPosition) async throws -> [Told] {
        try await told(owner, after: position.time)
    }

    fileprivate func told(_ owner: UserID, after time: Timestamp) async throws -> [Told] {
        let found = try await followEvents(
            of: owner, after: FollowEventPosition(time: time), at: at(100), limit: 99)
        return found.map { Told($0.change, $0.cause, $0.userID, $0.time) }
    }
}
