import PulseBoardDomain

extension ContractCase {
    static let usernames = [
        ContractCase("X11: of many racing for one name, exactly one wins") { store in
            let outcomes = try await withThrowingTaskGroup(of: Result<Profile, RepositoryError>.self) { group in
                for number in 1...32 as ClosedRange<UInt64> {
                    let draft = try draft(number.isMultiple(of: 2) ? "WANTED" : "wanted")
                    group.addTask {
                        do throws(RepositoryError) {
                            return .success(
                                try await store.createProfile(draft, for: user(number), at: at(1), idempotency: nil))
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let winners = outcomes.compactMap { try? $0.get() }
            try expectEqual(winners.count, 1)
            let losers = outcomes.filter { $0 == .failure(.usernameDuplicated) }
            try expectEqual(losers.count, 31)
            try expectEqual(try await store.owner(ofKey: "wanted"), winners.first?.id)
            // A loser has nothing: neither a profile nor part of one.
            for number in 1...32 as ClosedRange<UInt64> where user(number) != winners.first?.id {
                try await expectError(.userNotFound) { () async throws(RepositoryError) in
                    try await store.counts(of: user(number))
                }
            }
        },
        ContractCase("a text with U+0000 is nobody's name, and finds nobody") { store in
            try await store.addUsers(1)
            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.profile(usernameKey: "user1\0", viewer: user(1))
            }
            for text in ["\0", "user\0", "\0user"] {
                try expectEqual(try await store.searchProfiles(NameSearch(text), after: nil, limit: 9).count, 0)
            }
            try expectEqual(try await store.diaryEntries(of: user(1), DiaryFilter(text: "\0"), after: nil, limit: 9).entries, [])
        },
        ContractCase("X15: names differing only in case are one name") { store in
            _ = try await store.createProfile(try draft("Name"), for: user(1), at: at(1), idempotency: nil)
            let other = try draft("nAME")
            try await expectError(.usernameDuplicated) { () async throws(RepositoryError) in
                try await store.createProfile(other, for: user(2), at: at(1), idempotency: nil)
            }
        },
        ContractCase("a user may recase their own name, and a given-up name is free") { store in
            _ = try await store.createProfile(try draft("name"), for: user(1), at: at(1), idempotency: nil)
            let recased = try await store.updateProfile(
                of: user(1), ProfileChange(username: try draft("NAME").username), ifMatches: nil, at: at(2),
                idempotency: nil)
            try expectEqual(recased.username.text, "NAME")
            _ = try await store.updateProfile(
                of: user(1), ProfileChange(username: try draft("other").username), ifMatches: nil, at: at(3),
                idempotency: nil)
            _ = try await store.createProfile(try draft("name"), for: user(2), at: at(4), idempotency: nil)
            try expectEqual(try await store.owner(ofKey: "name"), user(2))
            try expectEqual(try await store.owner(ofKey: "other"), user(1))
        },
        ContractCase("X11: changing to a taken name is usernameDuplicated and changes nothing") { store in
            try await store.addUsers(2)
            let before = try await store.profile(of: user(2))
            let change = ProfileChange(
                username: try draft("user1").username, texts: [.statusMessage: "lost"])
            try await expectError(.usernameDuplicated) { () async throws(RepositoryError) in
                try await store.updateProfile(of: user(2), change, ifMatches: nil, at: at(9), idempotency: nil)
            }
            try expectEqual(try await store.profile(of: user(2)), before)
            try expectEqual(try await store.owner(ofKey: "user2"), user(2))
        },
    ]
}
