import PulseBoardDomain

extension ContractCase {
    static let profiles = [
        ContractCase("B1, B11: a created profile is read back as it was given") { store in
            let created = try await store.createProfile(
                try draft("탐험가", "밤새는 탐험가", "안녕\n하세요"), for: user(1), at: at(1), idempotency: nil)
            try expectEqual(created.id, user(1))
            try expectEqual(created.username.text, "탐험가")
            try expectEqual(created.displayName.text, "밤새는 탐험가")
            try expectEqual(created.texts[.statusMessage], "안녕\n하세요")
            try expectEqual(created.createTime, at(1))
            try expectEqual(created.updateTime, at(1))
            try expectEqual(try await store.profile(of: user(1)), created)
            try expectEqual(try await store.profile(usernameKey: "탐험가"), created)
        },
        ContractCase("B4, B8: a user without a profile is userNotFound") { store in
            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.profile(of: user(1))
            }
            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.profile(usernameKey: "nobody")
            }
        },
        ContractCase("X4: creating never overwrites a profile") { store in
            let first = try await store.createProfile(try draft("first"), for: user(1), at: at(1), idempotency: nil)
            let second = try draft("second")
            try await expectError(.profileExists) { () async throws(RepositoryError) in
                try await store.createProfile(second, for: user(1), at: at(2), idempotency: nil)
            }
            try expectEqual(try await store.profile(of: user(1)), first)
            // The refused profile did not take its name.
            try expectEqual(try await store.owner(ofKey: "second"), nil)
        },
        ContractCase("B5: an update changes the named fields and no others") { store in
            let created = try await store.createProfile(
                try draft("name", "Shown", "message"), for: user(1), at: at(1), idempotency: nil)
            let change = ProfileChange(texts: [.statusMessage: "new"])
            let updated = try await store.updateProfile(
                of: user(1), change, ifMatches: nil, at: at(2), idempotency: nil)
            try expectEqual(updated.texts[.statusMessage], "new")
            try expectEqual(updated.displayName, created.displayName)
            try expectEqual(updated.username, created.username)
            try expectEqual(updated.createTime, at(1))
            try expectEqual(updated.updateTime, at(2))
            try expect(updated.etag != created.etag, "a write changes the etag")
            try expectEqual(try await store.profile(of: user(1)), updated)
        },
        ContractCase("X5: an update clears a field when told to, and creates no missing user") { store in
            _ = try await store.createProfile(
                try draft("name", "Shown", "message"), for: user(1), at: at(1), idempotency: nil)
            let cleared = try await store.updateProfile(
                of: user(1), ProfileChange(texts: [.displayName: ""]), ifMatches: nil, at: at(2), idempotency: nil)
            try expectEqual(cleared.displayName.text, "")
            try expectEqual(cleared.texts[.statusMessage], "message")
            try await expectError(.profileRequired) { () async throws(RepositoryError) in
                try await store.updateProfile(
                    of: user(2), ProfileChange(texts: [.displayName: ""]), ifMatches: nil, at: at(2), idempotency: nil)
            }
            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.profile(of: user(2))
            }
        },
        ContractCase("X6: of two updates from the same state, the second is etagMismatch") { store in
            let created = try await store.createProfile(try draft("name"), for: user(1), at: at(1), idempotency: nil)
            let first = ProfileChange(texts: [.statusMessage: "first"])
            let second = ProfileChange(texts: [.statusMessage: "second"])
            let updated = try await store.updateProfile(
                of: user(1), first, ifMatches: created.etag, at: at(2), idempotency: nil)
            try await expectError(.etagMismatch) { () async throws(RepositoryError) in
                try await store.updateProfile(of: user(1), second, ifMatches: created.etag, at: at(3), idempotency: nil)
            }
            try expectEqual(try await store.profile(of: user(1)), updated)
            _ = try await store.updateProfile(of: user(1), second, ifMatches: updated.etag, at: at(3), idempotency: nil)
        },
        ContractCase("X6: a profile made again does not match its predecessor's etag") { store in
            let before = try await store.createProfile(try draft("name"), for: user(1), at: at(1), idempotency: nil)
            try await store.deleteProfile(of: user(1), at: at(2), idempotency: nil)
            let after = try await store.createProfile(try draft("name"), for: user(1), at: at(3), idempotency: nil)
            try expect(before.etag != after.etag, "the etags differ")
        },
        ContractCase("profiles are read together, and those missing are left out") { store in
            try await store.addUsers(2)
            let found = try await store.profiles(of: [user(2), user(9), user(1), user(2)])
            try expectEqual(Set(found.keys), [user(1), user(2)])
            try expectEqual(found[user(2)]?.username.text, "user2")
            try expectEqual(try await store.profiles(of: [user(9), user(9)]), [:])
        },
        ContractCase("X7: withdrawal removes profile, name, sessions, follows both ways and counts") { store in
            try await store.addUsers(3)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            _ = try await store.follow(user(3), by: user(2), at: at(11), idempotency: nil)
            _ = try await store.follow(user(2), by: user(3), at: at(12), idempotency: nil)
            _ = try await store.follow(user(3), by: user(1), at: at(13), idempotency: nil)
            _ = try await store.openSession(1, account: .unix(uid: 2), user: user(2))
            try await store.deleteProfile(of: user(2), at: at(20), idempotency: nil)

            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.profile(of: user(2))
            }
            try expectEqual(try await store.owner(ofKey: "user2"), nil)
            try expectEqual(try await store.session(tokenHash: try tokenHash(1), for: .inProcess), nil)
            try expectEqual(try await store.sessions(of: user(2), endingAfter: epoch), [])
            try expectEqual(try await store.counts(of: user(1)), FollowCounts(followers: 0, following: 1))
            try expectEqual(try await store.counts(of: user(3)), FollowCounts(followers: 1, following: 0))
            try expectEqual(try await store.followers(of: user(3), after: nil, limit: 9).map(\.user.id), [user(1)])
            try expectEqual(try await store.following(of: user(3), after: nil, limit: 9), [])
            try expectEqual(try await store.following(of: user(1), after: nil, limit: 9).map(\.user.id), [user(3)])
            try expectEqual(try await store.searchProfiles(NameSearch("user2"), after: nil, limit: 9), [])
        },
        ContractCase("X7: withdrawing without a profile is profileRequired and ends no session") { store in
            _ = try await store.openSession(1, user: user(1))
            try await expectError(.profileRequired) { () async throws(RepositoryError) in
                try await store.deleteProfile(of: user(1), at: at(1), idempotency: nil)
            }
            try expect(try await store.session(tokenHash: try tokenHash(1), for: .inProcess) != nil, "the session is still there")
        },
        ContractCase("B6: withdrawal keeps the account: signing in again gives the same user") { store in
            let first = try await store.openSession(1, user: user(1))
            _ = try await store.createProfile(try draft("name"), for: user(1), at: at(1), idempotency: nil)
            try await store.deleteProfile(of: user(1), at: at(2), idempotency: nil)
            let second = try await store.openSession(2, user: user(2))
            try expectEqual(second.session.userID, first.session.userID)
            try expectEqual(second.hasProfile, false)
        },
        ContractCase("a search finds each profile once, by either name, page by page") { store in
            let names = [("anna", "Zed"), ("annie", "Annie B"), ("bob", "Anna K"), ("carl", ""), ("an_x", "an_x")]
            for (number, name) in names.enumerated() {
                _ = try await store.createProfile(
                    try draft(name.0, name.1), for: user(UInt64(number + 1)), at: at(1), idempotency: nil)
            }
            var found: [String] = []
            var cursor: SearchCursor?
            repeat {
                let page = try await store.searchProfiles(NameSearch("an"), after: cursor, limit: 1)
                found += page.map(\.profile.username.text)
                cursor = page.last?.cursor
            } while cursor != nil
            try expectEqual(found, ["an_x", "anna", "bob", "annie"])
        },
        ContractCase("a search finds names of any scalars, the last of all included") { store in
            let names = ["a\u{10FFFF}", "a\u{10FFFF}\u{10FFFF}b", "\u{10FFFF}", "\u{D7FF}x", "\u{E000}", "b"]
            for (number, name) in names.enumerated() {
                _ = try await store.createProfile(
                    try draft("user\(number)", name), for: user(UInt64(number + 1)), at: at(1), idempotency: nil)
            }
            for (prefix, numbers) in [
                ("a", [0, 1]), ("a\u{10FFFF}", [0, 1]), ("a\u{10FFFF}\u{10FFFF}", [1]), ("\u{10FFFF}", [2]), ("\u{D7FF}", [3]), ("\u{E000}", [4]),
                ("b", [5]), ("\u{10FFFF}\u{10FFFF}", []),
            ] as [(String, [Int])] {
                let found = try await store.searchProfiles(NameSearch(prefix), after: nil, limit: 9)
                try expectEqual(found.map(\.profile.displayName.text), numbers.map { names[$0] })
            }
        },
        ContractCase("a search follows changed names") { store in
            _ = try await store.createProfile(try draft("before", "Old"), for: user(1), at: at(1), idempotency: nil)
            let change = ProfileChange(
                username: try draft("after").username, texts: [.displayName: "새 이름"])
            _ = try await store.updateProfile(of: user(1), change, ifMatches: nil, at: at(2), idempotency: nil)
            for prefix in ["before", "old"] {
                try expectEqual(try await store.searchProfiles(NameSearch(prefix), after: nil, limit: 9), [])
            }
            for prefix in ["after", "새"] {
                let found = try await store.searchProfiles(NameSearch(prefix), after: nil, limit: 9)
                try expectEqual(found.map(\.profile.id), [user(1)])
            }
        },
    ]
}
