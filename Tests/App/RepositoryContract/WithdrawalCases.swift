import PulseBoardDomain

extension ContractCase {
    static let withdrawals = [
        ContractCase("B6: who asks to leave is gone for everybody, and sees the state of it") { store in
            try await store.addUsers(3)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            _ = try await store.follow(user(3), by: user(2), at: at(11), idempotency: nil)
            _ = try await store.openSession(1, account: .unix(uid: 2), user: user(2))
            let purge = at(1_000)
            try expectEqual(try await store.requestWithdrawal(of: user(2), at: at(20), purging: purge), purge)
            // After a second request, the first one's times stay. The sessions that were opened since end.
            _ = try await store.openSession(2, account: .unix(uid: 2), user: user(2))
            try expectEqual(try await store.requestWithdrawal(of: user(2), at: at(30), purging: at(2_000)), purge)

            try await expectError(.userNotFound) { () async throws(RepositoryError) in try await store.profile(of: user(2)) }
            try await expectError(.userNotFound) { () async throws(RepositoryError) in try await store.profile(usernameKey: "user2") }
            try expectEqual(try await store.profiles(of: [user(1), user(2)]).count, 1)
            try expectEqual(try await store.following(of: user(1), after: nil, limit: 9), [])
            try expectEqual(try await store.followers(of: user(3), after: nil, limit: 9), [])
            try await expectError(.userNotFound) { () async throws(RepositoryError) in try await store.counts(of: user(2)) }
            try expectEqual(try await store.relationships(of: user(1), to: [user(2)]), [:])
            try expectEqual(try await store.sessions(of: user(2), endingAfter: epoch), [])
            // The counts of others stay, and so does the name.
            try expectEqual(try await store.counts(of: user(1)), FollowCounts(followers: 0, following: 1))
            try await expectError(.usernameDuplicated) { () async throws(RepositoryError) in
                try await store.createProfile(draftOrNil("user2"), for: user(9), at: at(40), idempotency: nil)
            }
            // The error of calls that need the user's own profile.
            let state = RepositoryError.withdrawing(purgeTime: purge)
            try await expectError(state) { () async throws(RepositoryError) in try await store.profile(of: user(2), viewer: user(2)) }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.createProfile(draftOrNil("other"), for: user(2), at: at(40), idempotency: nil)
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.follow(user(1), by: user(2), at: at(40), idempotency: nil)
            }
            // Coming back restores the follows, so an end of one of them must not be acknowledged.
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.unfollow(user(3), by: user(2), at: at(40), idempotency: nil)
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.removeFollower(user(1), of: user(2), at: at(40), idempotency: nil)
            }
            // Their follows are hidden, so "not followed" would be false.
            for targets in [[user(3)], [user(1), user(3)], [user(9)]] {
                try await expectError(state) { () async throws(RepositoryError) in try await store.relationships(of: user(2), to: targets) }
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.updateProfile(of: user(2), ProfileChange(), ifMatches: nil, at: at(40), idempotency: nil)
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.deleteProfile(of: user(2), at: at(40), idempotency: nil)
            }
            try await expectError(.userNotFound) { () async throws(RepositoryError) in
                try await store.follow(user(2), by: user(3), at: at(40), idempotency: nil)
            }
            let opened = try await store.openSession(2, account: .unix(uid: 2), user: user(7))
            try expectEqual(opened.purgeTime, purge)
            try expectEqual(opened.session.userID, user(2))
        },
        ContractCase("C9, C23: the diary of a user who asks to leave is neither shown nor written until they come back") { store in
            try await store.addUsers(1)
            let device = DiaryDeviceID(bits: UUIDBits(high: 0xD, low: 1)), id = DiaryEntryID(bits: UUIDBits(high: 0xE, low: 1))
            let content = try DiaryContent(entryTime: at(5), emotion: "calm", text: "kept")
            _ = try await store.registerDiaryDevice(device, name: "phone", of: user(1), at: at(1))
            let made = try await store.createDiaryEntry(id, content, of: user(1), at: at(2))
            _ = try await store.requestWithdrawal(of: user(1), at: at(20), purging: at(1_000))
            let state = RepositoryError.withdrawing(purgeTime: at(1_000)), other = DiaryEntryID(bits: UUIDBits(high: 0xE, low: 2))
            let change = try DiaryChange(text: "changed")
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.diaryEntry(id, of: user(1))
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.diaryEntries(of: user(1), .all, after: nil, limit: 9)
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.createDiaryEntry(other, content, of: user(1), at: at(30))
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.updateDiaryEntry(id, change, ifMatches: nil, of: user(1), at: at(30))
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.deleteDiaryEntry(id, of: user(1), at: at(30))
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.registerDiaryDevice(device, name: "", of: user(1), at: at(30))
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.diaryDevices(of: user(1))
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.deleteDiaryDevice(device, of: user(1))
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.pushDiary(DiaryPush(device: device, items: [], confirmed: 0), of: user(1), at: at(30))
            }
            try await expectError(state) { () async throws(RepositoryError) in
                try await store.diaryChanges(of: user(1), for: device, after: nil, limit: 9)
            }
            try await store.cancelWithdrawal(of: user(1))
            try expectEqual(try await store.diaryEntry(id, of: user(1)), made)
            try expectEqual(try await store.diaryDevices(of: user(1)).map(\.name), ["phone"])
        },
        ContractCase("C23: who comes back is as they were, with every follow and its time") { store in
            try await store.addUsers(3)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            _ = try await store.follow(user(3), by: user(2), at: at(11), idempotency: nil)
            let profile = try await store.profile(of: user(2))
            let followers = try await store.followers(of: user(2), after: nil, limit: 9)
            let following = try await store.following(of: user(1), after: nil, limit: 9)
            _ = try await store.requestWithdrawal(of: user(2), at: at(20), purging: at(1_000))
            // Other users change their follows meanwhile.
            _ = try await store.unfollow(user(3), by: user(1), at: at(21), idempotency: nil)
            try await store.cancelWithdrawal(of: user(2))
            try expectEqual(try await store.profile(of: user(2)), profile)
            try expectEqual(try await store.profile(usernameKey: "user2"), profile)
            try expectEqual(try await store.searchProfiles(NameSearch("user2"), after: nil, limit: 9).map(\.profile), [profile])
            try expectEqual(try await store.followers(of: user(2), after: nil, limit: 9), followers)
            try expectEqual(try await store.following(of: user(1), after: nil, limit: 9), following)
            try expectEqual(try await store.counts(of: user(2)), FollowCounts(followers: 1, following: 1))
            try await expectError(.notWithdrawing) { () async throws(RepositoryError) in try await store.cancelWithdrawal(of: user(2)) }
            try await expectError(.notWithdrawing) { () async throws(RepositoryError) in try await store.purge(user(2), at: at(30)) }
        },
        ContractCase("B6, C24: the purge takes everything and the account too; only others' events know the user's id") { store in
            try await store.addUsers(2)
            _ = try await store.openSession(1, account: .unix(uid: 2), user: user(2))
            let start = try await store.keepEvents(1)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            _ = try await store.requestWithdrawal(of: user(2), at: at(20), purging: at(100))
            try expectEqual(try await store.dueWithdrawals(at: at(99), limit: 9), [])
            try expectEqual(try await store.dueWithdrawals(at: at(100), limit: 9), [user(2)])
            try await store.purge(user(2), at: at(100))
            try expectEqual(try await store.dueWithdrawals(at: at(101), limit: 9), [])
            try expectEqual(try await store.counts(of: user(1)), FollowCounts(followers: 0, following: 0))
            _ = try await store.createProfile(draftOrNil("user2"), for: user(9), at: at(110), idempotency: nil)
            let again = try await store.openSession(2, account: .unix(uid: 2), user: user(8))
            try expectEqual(again.session.userID, user(8))
            try expectEqual(again.purgeTime, nil)
            try expectEqual(try await store.keptFollowEvents(of: user(1), after: start, limit: 9).map(\.userID).allSatisfy { $0 == user(2) }, true)
        },
        ContractCase("who has no profile may leave too, and the account goes") { store in
            _ = try await store.openSession(1, account: .unix(uid: 1), user: user(1))
            _ = try await store.requestWithdrawal(of: user(1), at: at(10), purging: at(10))
            try expectEqual(try await store.openSession(2, account: .unix(uid: 1), user: user(5)).purgeTime, at(10))
            try await store.purge(user(1), at: at(10))
            try expectEqual(try await store.openSession(3, account: .unix(uid: 1), user: user(5)).session.userID, user(5))
        },
        ContractCase("a write of a session that waited behind the purge of its user makes nothing that would belong to nobody") { store in
            _ = try await store.openSession(1, account: .unix(uid: 1), user: user(1))
            _ = try await store.requestWithdrawal(of: user(1), at: at(10), purging: at(10))
            _ = try await store.openSession(2, account: .unix(uid: 1), user: user(5))
            try await store.purge(user(1), at: at(10))
            let draft = try draft("left")
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                try await store.createProfile(draft, for: user(1), in: sessionID(2), at: at(11), idempotency: nil)
            }
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                try await store.reserveUsername(draft.username, for: user(1), in: sessionID(2), at: at(11))
            }
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                try await store.linkIdentity(google("a"), to: user(1), in: nil, provedBy: try use(1), at: at(11), idempotency: nil)
            }
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                try await store.requestWithdrawal(of: user(1), in: sessionID(2), at: at(11), purging: at(11))
            }
            try expectEqual(try await store.dueWithdrawals(at: at(11), limit: 9), [])
            _ = try await store.openSession(3, account: .unix(uid: 2), user: user(2))
            _ = try await store.createProfile(draft, for: user(2), in: sessionID(3), at: at(12), idempotency: nil)
        },
        ContractCase("asking to leave again changes nothing, and a session that has ended sends away no user who has come back") { store in
            _ = try await store.openSession(1, account: .unix(uid: 1), user: user(1))
            for second in [10, 11] as [Int64] {
                let purge = try await store.requestWithdrawal(of: user(1), in: sessionID(1), at: at(second), purging: at(second + 1_000))
                try expectEqual(purge, at(1_010))
            }
            _ = try await store.openSession(2, account: .unix(uid: 1), user: user(5))
            try await store.cancelWithdrawal(of: user(1))
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                try await store.requestWithdrawal(of: user(1), in: sessionID(1), at: at(12), purging: at(1_012))
            }
            try expectEqual(try await store.sessions(of: user(1), endingAfter: epoch).map(\.id), [sessionID(2)])
        },
        ContractCase("a write that waited until its session had ended changes nothing; a repeated request has its result in each") { store in
            for number in [1, 2] as [UInt64] {
                _ = try await store.openSession(number, account: .unix(uid: UInt32(number)), user: user(number))
                _ = try await store.createProfile(try draft("user\(number)"), for: user(number), in: nil, at: at(1), idempotency: nil)
            }
            let entry = DiaryEntryID(bits: UUIDBits(high: 0xE, low: 1)), other = DiaryEntryID(bits: UUIDBits(high: 0xE, low: 2))
            let change = try DiaryChange(text: "after")
            let asked = try key("r1"), content = try DiaryContent(entryTime: at(1), emotion: "calm", text: "before")
            _ = try await store.follow(user(2), by: user(1), in: sessionID(1), at: at(2), idempotency: asked)
            _ = try await store.createDiaryEntry(entry, content, of: user(1), in: sessionID(1), at: at(2))
            _ = try await store.closeSession(sessionID(1), of: user(1), at: at(3))
            let push = DiaryPush(device: DiaryDeviceID(bits: UUIDBits(high: 0xD, low: 1)), items: [], confirmed: 0)
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                _ = try await store.follow(user(2), by: user(1), in: sessionID(1), at: at(4), idempotency: nil)
            }
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                _ = try await store.unfollow(user(2), by: user(1), in: sessionID(1), at: at(4), idempotency: nil)
            }
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                _ = try await store.removeFollower(user(2), of: user(1), in: sessionID(1), at: at(4), idempotency: nil)
            }
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                _ = try await store.updateProfile(of: user(1), ProfileChange(), ifMatches: nil, in: sessionID(1), at: at(4), idempotency: nil)
            }
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                _ = try await store.createDiaryEntry(other, content, of: user(1), in: sessionID(1), at: at(4))
            }
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                _ = try await store.updateDiaryEntry(entry, change, ifMatches: nil, of: user(1), in: sessionID(1), at: at(4))
            }
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                try await store.deleteDiaryEntry(entry, of: user(1), in: sessionID(1), at: at(4))
            }
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                _ = try await store.pushDiary(push, of: user(1), in: sessionID(1), at: at(4))
            }
            try expectEqual(try await store.counts(of: user(1)).following, 1)
            try expectEqual(try await store.diaryEntry(entry, of: user(1)).content, content)
            _ = try await store.follow(user(2), by: user(1), in: sessionID(1), at: at(5), idempotency: asked)
        },
        ContractCase("a session that has ended deletes no profile and brings nobody back; a repeated deletion has its result in each") { store in
            _ = try await store.openSession(1, account: .unix(uid: 1), user: user(1))
            _ = try await store.createProfile(try draft("one"), for: user(1), in: sessionID(1), at: at(1), idempotency: nil)
            _ = try await store.openSession(2, account: .unix(uid: 1), user: user(5))
            _ = try await store.closeSession(sessionID(1), of: user(1), at: at(2))
            let asked = try key("r1")
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                try await store.deleteProfile(of: user(1), in: sessionID(1), at: at(3), idempotency: asked)
            }
            try expectEqual(try await store.profile(of: user(1)).username.text, "one")
            _ = try await store.requestWithdrawal(of: user(1), in: sessionID(2), at: at(4), purging: at(1_004))
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                try await store.cancelWithdrawal(of: user(1), in: sessionID(2))
            }
            _ = try await store.openSession(3, account: .unix(uid: 1), user: user(5))
            try await store.cancelWithdrawal(of: user(1), in: sessionID(3))
            try await store.deleteProfile(of: user(1), in: sessionID(3), at: at(5), idempotency: asked)
            try await store.deleteProfile(of: user(1), in: sessionID(3), at: at(6), idempotency: asked)
        },
        ContractCase("who comes back after their time, but before the purge, is not purged") { store in
            try await store.addUsers(1)
            _ = try await store.requestWithdrawal(of: user(1), at: at(10), purging: at(100))
            try expectEqual(try await store.dueWithdrawals(at: at(100), limit: 9), [user(1)])
            try await store.cancelWithdrawal(of: user(1))
            try await expectError(.notWithdrawing) { () async throws(RepositoryError) in try await store.purge(user(1), at: at(101)) }
            try expectEqual(try await store.profile(of: user(1)).username.text, "user1")
        },
        ContractCase("kept events are copied page by page, oldest first") { store in
            try await store.addUsers(2)
            _ = try await store.keepEvents(1)
            for second in 10..<15 as Range<Int64> {
                _ = try await store.follow(user(2), by: user(1), at: at(second), idempotency: nil)
                _ = try await store.unfollow(user(2), by: user(1), at: at(second), idempotency: nil)
            }
            let all = try await store.keptFollowEvents(of: user(1), after: nil, limit: 99)
            try expectEqual(all.count, 10)
            let first = try await store.keptFollowEvents(of: user(1), after: nil, limit: 4)
            let rest = try await store.keptFollowEvents(of: user(1), after: first.last?.position, limit: 99)
            try expectEqual(first + rest, all)
        },
    ]
}

/// A draft that is known to be well-formed.
private func draftOrNil(_ username: String) throws(RepositoryError) -> ProfileDraft {
    do {
        return try draft(username)
    } catch {
        throw .emptyValue(table: "draft", key: username)
    }
}
