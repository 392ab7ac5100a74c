import PulseBoardDomain

extension ContractCase {
    static let idempotency = [
        ContractCase("X13: a retried creation is given the first result") { store in
            let draft = try draft("name")
            let key = try key("r1")
            let first = try await store.createProfile(draft, for: user(1), at: at(1), idempotency: key)
            let retry = try await store.createProfile(draft, for: user(1), at: at(2), idempotency: key)
            try expectEqual(retry, first)
        },
        ContractCase("X13: a retried update is given the first result, whatever happened since") { store in
            try await store.addUsers(1)
            let change = ProfileChange(texts: [.statusMessage: "한 번"])
            let key = try key("r1")
            let first = try await store.updateProfile(
                of: user(1), change, ifMatches: nil, at: at(2), idempotency: key)
            let other = try await store.updateProfile(
                of: user(1), ProfileChange(texts: [.statusMessage: ""]), ifMatches: nil, at: at(3), idempotency: nil)
            let retry = try await store.updateProfile(
                of: user(1), change, ifMatches: nil, at: at(4), idempotency: key)
            try expectEqual(retry, first)
            try expectEqual(try await store.profile(of: user(1)), other)
        },
        ContractCase("X13: a retried follow does not follow again after an unfollow") { store in
            try await store.addUsers(2)
            let key = try key("r1")
            let first = try await store.follow(user(2), by: user(1), at: at(10), idempotency: key)
            _ = try await store.unfollow(user(2), by: user(1), at: at(11), idempotency: nil)
            try expectEqual(try await store.follow(user(2), by: user(1), at: at(12), idempotency: key), first)
            try expectEqual(try await store.counts(of: user(2)), FollowCounts(followers: 0, following: 0))
        },
        ContractCase("a request id used for another request is requestIDReused and writes nothing") { store in
            try await store.addUsers(3)
            let asked = try key("r1", asking: 1)
            let other = try key("r1", asking: 2)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: asked)
            try await expectError(.requestIDReused) { () async throws(RepositoryError) in
                try await store.follow(user(3), by: user(1), at: at(11), idempotency: other)
            }
            try expectEqual(try await store.counts(of: user(1)), FollowCounts(followers: 0, following: 1))
        },
        ContractCase("request ids are each user's own") { store in
            try await store.addUsers(3)
            _ = try await store.follow(user(3), by: user(1), at: at(10), idempotency: try key("r1", asking: 1))
            _ = try await store.follow(user(3), by: user(2), at: at(11), idempotency: try key("r1", asking: 2))
            try expectEqual(try await store.counts(of: user(3)), FollowCounts(followers: 2, following: 0))
        },
        ContractCase("a failed write is not remembered: its retry is a first attempt") { store in
            try await store.addUsers(1)
            let key = try key("r1")
            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.follow(user(2), by: user(1), at: at(10), idempotency: key)
            }
            _ = try await store.createProfile(try draft("user2"), for: user(2), at: at(11), idempotency: nil)
            let retry = try await store.follow(user(2), by: user(1), at: at(12), idempotency: key)
            try expectEqual(retry.state, .followed(since: at(12)))
        },
        ContractCase("a request is forgotten after 24 hours") { store, clock in
            try await store.addUsers(2)
            let key = try key("r1")
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: key)
            _ = try await store.unfollow(user(2), by: user(1), at: at(11), idempotency: nil)
            let later = at(10).advanced(by: IdempotencyKey.retention)
            clock.pass(to: later)
            let again = try await store.follow(user(2), by: user(1), at: later, idempotency: key)
            try expectEqual(again.state, .followed(since: later))
        },
        ContractCase("X13: a retried withdrawal succeeds, and earlier requests of the user are forgotten") { store in
            let draft = try draft("name")
            _ = try await store.createProfile(draft, for: user(1), at: at(1), idempotency: try key("r1"))
            try await store.deleteProfile(of: user(1), at: at(2), idempotency: try key("r2"))
            try await store.deleteProfile(of: user(1), at: at(3), idempotency: try key("r2"))
            let again = try await store.createProfile(draft, for: user(1), at: at(4), idempotency: try key("r1"))
            try expectEqual(again.createTime, at(4))
        },
    ]
}
