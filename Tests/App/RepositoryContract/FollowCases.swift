import PulseBoardDomain

extension ContractCase {
    static let follows = [
        ContractCase("B25, X18: following twice makes one edge and keeps its time") { store in
            try await store.addUsers(2)
            let first = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            let second = try await store.follow(user(2), by: user(1), at: at(11), idempotency: nil)
            try expectEqual(first, Relationship(userID: user(2), state: .followed(since: at(10)), isFollowedBy: false))
            try expectEqual(second, first)
            try expectEqual(try await store.counts(of: user(1)), FollowCounts(followers: 0, following: 1))
            try expectEqual(try await store.counts(of: user(2)), FollowCounts(followers: 1, following: 0))
            try expectEqual(try await store.followers(of: user(2), after: nil, limit: 9).count, 1)
        },
        ContractCase("X18: racing to make one edge makes one edge") { store in
            try await store.addUsers(2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for second in 10..<42 as Range<Int64> {
                    group.addTask {
                        _ = try await store.follow(user(2), by: user(1), at: at(second), idempotency: nil)
                    }
                }
                try await group.waitForAll()
            }
            try expectEqual(try await store.counts(of: user(2)), FollowCounts(followers: 1, following: 0))
            try expectEqual(try await store.following(of: user(1), after: nil, limit: 9).count, 1)
        },
        ContractCase("B25, X18: unfollowing removes the edge whole, and again changes nothing") { store in
            try await store.addUsers(2)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            _ = try await store.follow(user(1), by: user(2), at: at(11), idempotency: nil)
            for second in 12...13 as ClosedRange<Int64> {
                let ended = try await store.unfollow(user(2), by: user(1), at: at(second), idempotency: nil)
                try expectEqual(ended, Relationship(userID: user(2), state: .unfollowed, isFollowedBy: true))
                try expectEqual(try await store.counts(of: user(1)), FollowCounts(followers: 1, following: 0))
                try expectEqual(try await store.counts(of: user(2)), FollowCounts(followers: 0, following: 1))
                try expectEqual(try await store.followers(of: user(2), after: nil, limit: 9), [])
                try expectEqual(try await store.following(of: user(1), after: nil, limit: 9), [])
            }
        },
        ContractCase("X19: nobody follows themself") { store in
            try await store.addUsers(1)
            try await expectError(.selfFollow) { () async throws(RepositoryError) in
                try await store.follow(user(1), by: user(1), at: at(10), idempotency: nil)
            }
        },
        ContractCase("X19, B15: following needs a profile on both ends, and leaves nothing behind without") { store in
            try await store.addUsers(1)
            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            }
            try await expectError(.profileRequired) { () async throws(RepositoryError) in
                try await store.follow(user(1), by: user(2), at: at(10), idempotency: nil)
            }
            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.unfollow(user(2), by: user(1), at: at(10), idempotency: nil)
            }
            try expectEqual(try await store.counts(of: user(1)), FollowCounts(followers: 0, following: 0))
            try expectEqual(try await store.followers(of: user(1), after: nil, limit: 9), [])
            try expectEqual(try await store.following(of: user(1), after: nil, limit: 9), [])
        },
        ContractCase("B15: who has no profile follows nobody and is followed by nobody, and has nobody to remove") { store in
            try await store.addUsers(1)
            let none = Relationship(userID: user(1), state: .unfollowed, isFollowedBy: false)
            try expectEqual(try await store.unfollow(user(1), by: user(9), at: at(10), idempotency: nil), none)
            try expectEqual(try await store.removeFollower(user(1), of: user(9), at: at(10), idempotency: nil), none)
            try expectEqual(try await store.relationships(of: user(9), to: [user(1)]), [user(1): none])
            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.removeFollower(user(9), of: user(1), at: at(10), idempotency: nil)
            }
        },
        ContractCase("an owner removes a follower, and again changes nothing") { store in
            try await store.addUsers(2)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            _ = try await store.follow(user(1), by: user(2), at: at(11), idempotency: nil)
            for _ in 1...2 {
                let left = try await store.removeFollower(user(1), of: user(2), at: at(12), idempotency: nil)
                try expectEqual(
                    left, Relationship(userID: user(1), state: .followed(since: at(11)), isFollowedBy: false))
            }
            try expectEqual(try await store.counts(of: user(2)), FollowCounts(followers: 0, following: 1))
        },
        ContractCase("B26: relationships tell both sides, and users without a profile are left out") { store in
            try await store.addUsers(4)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            _ = try await store.follow(user(1), by: user(3), at: at(11), idempotency: nil)
            let found = try await store.relationships(of: user(1), to: [user(2), user(3), user(4), user(9), user(1)])
            try expectEqual(
                found,
                [
                    user(2): Relationship(userID: user(2), state: .followed(since: at(10)), isFollowedBy: false),
                    user(3): Relationship(userID: user(3), state: .unfollowed, isFollowedBy: true),
                    user(4): Relationship(userID: user(4), state: .unfollowed, isFollowedBy: false),
                    user(1): .personal(user(1)),
                ])
        },
        ContractCase("B26: the relationships to many users, some of them named again, are those to each") { store in
            try await store.addUsers(30)
            for number in 2...9 as ClosedRange<UInt64> {
                _ = try await store.follow(user(number * 3), by: user(1), at: at(Int64(number)), idempotency: nil)
                _ = try await store.follow(user(1), by: user(number * 2), at: at(Int64(number)), idempotency: nil)
            }
            let numbers = Array(1...33 as ClosedRange<UInt64>) + [6, 33, 1]
            for viewer in [user(1), user(33)] {
                let found = try await store.relationships(of: viewer, to: numbers.map { user($0) })
                try expectEqual(found.count, 30)
                for number in numbers {
                    let alone = try await store.relationships(of: viewer, to: [user(number)])
                    try expectEqual(found[user(number)], alone[user(number)])
                }
            }
        },
        ContractCase("counts stay right under many writers") { store in
            try await store.addUsers(8)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for follower in 1...8 as ClosedRange<UInt64> {
                    group.addTask {
                        for target in 1...8 as ClosedRange<UInt64> where target != follower {
                            _ = try await store.follow(user(target), by: user(follower), at: at(10), idempotency: nil)
                        }
                        let dropped = user(follower % 8 + 1)
                        _ = try await store.unfollow(dropped, by: user(follower), at: at(11), idempotency: nil)
                    }
                }
                try await group.waitForAll()
            }
            for number in 1...8 as ClosedRange<UInt64> {
                let counts = try await store.counts(of: user(number))
                try expectEqual(counts, FollowCounts(followers: 6, following: 6))
                try expectEqual(try await store.followers(of: user(number), after: nil, limit: 99).count, 6)
                try expectEqual(try await store.following(of: user(number), after: nil, limit: 99).count, 6)
            }
        },
    ]

    static let followLists = [
        ContractCase("X19: lists run newest first, page by page, and ties are kept apart") { store in
            try await store.addUsers(7)
            // Users 3, 4 and 5 follow within one microsecond.
            for (follower, second) in [(2, 10), (3, 11), (4, 11), (5, 11), (6, 12), (7, 9)] as [(UInt64, Int64)] {
                _ = try await store.follow(user(1), by: user(follower), at: at(second), idempotency: nil)
            }
            for limit in 1...7 {
                var listed: [UserID] = []
                var cursor: FollowCursor?
                repeat {
                    let page = try await store.followers(of: user(1), after: cursor, limit: limit)
                    listed += page.map(\.user.id)
                    cursor = page.last?.cursor
                } while cursor != nil
                try expectEqual(listed, [6, 5, 4, 3, 2, 7].map(user))
            }
        },
        ContractCase("X19: ties are in the order of the ids, whoever came first, and stay so when one of them has gone") { store in
            for number in [1, 6, 2, 5, 3, 4] as [UInt64] { try await store.addUser(number) }
            for follower in [3, 5, 2, 6, 4] as [UInt64] {
                _ = try await store.follow(user(1), by: user(follower), at: at(10), idempotency: nil)
                _ = try await store.follow(user(follower), by: user(1), at: at(10), idempotency: nil)
            }
            try expectEqual(try await store.followers(of: user(1), after: nil, limit: 3).map(\.user.id), [6, 5, 4].map(user))
            let first = try await store.following(of: user(1), after: nil, limit: 2)
            try expectEqual(first.map(\.user.id), [6, 5].map(user))
            try await store.deleteProfile(of: user(5), at: at(11), idempotency: nil)
            let second = try await store.following(of: user(1), after: first.last?.cursor, limit: 2)
            try expectEqual(second.map(\.user.id), [4, 3].map(user))
        },
        ContractCase("X19: a list of many who followed at one instant is whole, however short its pages are") { store in
            // Many times what a store reads ahead.
            let followers = 2...60 as ClosedRange<UInt64>
            try await store.addUsers(60)
            for follower in followers { _ = try await store.follow(user(1), by: user(follower), at: at(10), idempotency: nil) }
            for limit in [1, 7, 30] {
                var listed: [UserID] = []
                var cursor: FollowCursor?
                repeat {
                    let page = try await store.followers(of: user(1), after: cursor, limit: limit)
                    listed += page.map(\.user.id)
                    cursor = page.last?.cursor
                } while cursor != nil
                try expectEqual(listed, followers.reversed().map(user))
            }
        },
        ContractCase("a list read page by page is stable under writes") { store in
            try await store.addUsers(6)
            for target in 2...5 as ClosedRange<UInt64> {
                _ = try await store.follow(user(target), by: user(1), at: at(Int64(target)), idempotency: nil)
            }
            let first = try await store.following(of: user(1), after: nil, limit: 2)
            try expectEqual(first.map(\.user.id), [user(5), user(4)])
            _ = try await store.follow(user(6), by: user(1), at: at(99), idempotency: nil)
            _ = try await store.unfollow(user(4), by: user(1), at: at(100), idempotency: nil)
            let second = try await store.following(of: user(1), after: first.last?.cursor, limit: 2)
            try expectEqual(second.map(\.user.id), [user(3), user(2)])
        },
        ContractCase("lists show names and times, and a user without a profile has none") { store in
            _ = try await store.createProfile(try draft("owner"), for: user(1), at: at(1), idempotency: nil)
            _ = try await store.createProfile(try draft("fan", "팬"), for: user(2), at: at(1), idempotency: nil)
            _ = try await store.follow(user(1), by: user(2), at: at(10), idempotency: nil)
            let entry = try await store.followers(of: user(1), after: nil, limit: 9).first
            try expectEqual(entry?.user.username.text, "fan")
            try expectEqual(entry?.user.displayName.text, "팬")
            try expectEqual(entry?.user.image, nil)
            try expectEqual(entry?.followTime, at(10))
            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.followers(of: user(9), after: nil, limit: 9)
            }
            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.following(of: user(9), after: nil, limit: 9)
            }
        },
    ]
}
