import PulseBoardDomain

private func day(_ count: Int64) -> Timestamp { epoch.advanced(by: .days(count)) }
/// A time in the year 2105, which a wrong clock shows.
private let ahead = day(29_000)

extension PulseBoardStore {
    /// Changes the username of a user.
    fileprivate func rename(_ number: UInt64, to text: String, at time: Timestamp) async throws {
        let change = ProfileChange(username: try draft(text).username)
        _ = try await updateProfile(of: user(number), change, ifMatches: nil, at: time, idempotency: nil)
    }

    /// Tries every way in which a user can take a name.
    fileprivate func expectRefusal(
        _ expected: RepositoryError, of text: String, to number: UInt64, at time: Timestamp, line: UInt = #line
    ) async throws {
        let draft = try draft(text)
        try await expectError(expected, line: line) { () async throws(RepositoryError) in
            try await checkUsername(draft.username, for: user(number), at: time)
        }
        try await expectError(expected, line: line) { () async throws(RepositoryError) in
            try await reserveUsername(draft.username, for: user(number), at: time)
        }
        try await expectError(expected, line: line) { () async throws(RepositoryError) in
            try await createProfile(draft, for: user(number), at: time, idempotency: nil)
        }
    }
}

extension ContractCase {
    /// A clock that is wrong for a while, then right again. It must not end anything for good.
    static let wrongClocks = [
        ContractCase("a clock that is ahead gives nobody a name that is held for its former owner") { store, clock in
            _ = try await store.createProfile(try draft("former"), for: user(1), at: day(0), idempotency: nil)
            _ = try await store.createProfile(try draft("third"), for: user(3), at: day(0), idempotency: nil)
            clock.pass(to: day(2))
            try await store.rename(1, to: "present", at: day(2))
            clock.set(to: ahead)
            try await store.expectRefusal(.usernameDuplicated, of: "FORMER", to: 2, at: ahead)
            try await store.expectRefusal(.usernameConfusable, of: "f0rmer", to: 2, at: ahead)
            let change = ProfileChange(username: try draft("former").username)
            try await expectError(.usernameDuplicated) { () async throws(RepositoryError) in
                try await store.updateProfile(of: user(3), change, ifMatches: nil, at: ahead, idempotency: nil)
            }
            // Nor does the owner's own time until the next change end.
            try await expectError(.usernameChangedRecently(availableTime: day(32))) { () async throws(RepositoryError) in
                try await store.updateProfile(of: user(1), change, ifMatches: nil, at: ahead, idempotency: nil)
            }
            // The clock is right again, and everything goes on: the owner takes the name back, and the other one ends after its sixty days.
            clock.set(to: day(2))
            try await store.expectRefusal(.usernameDuplicated, of: "former", to: 2, at: day(2))
            clock.pass(to: day(33))
            try await store.rename(1, to: "former", at: day(33))
            try expectEqual(try await store.owner(ofKey: "former"), user(1))
            clock.pass(to: day(92))
            try await store.expectRefusal(.usernameDuplicated, of: "present", to: 2, at: day(92))
            clock.pass(to: day(93))
            _ = try await store.createProfile(try draft("present"), for: user(2), at: day(93), idempotency: nil)
        },
        ContractCase("a clock that is ahead gives nobody a name that another user has reserved") { store, clock in
            let wanted = try draft("wanted")
            _ = try await store.reserveUsername(wanted.username, for: user(1), at: at(0))
            clock.set(to: ahead)
            try await store.expectRefusal(.usernameDuplicated, of: "WANTED", to: 2, at: ahead)
            clock.set(to: at(1))
            _ = try await store.createProfile(wanted, for: user(1), at: at(300), idempotency: nil)
            // A reserved name still ends by a clock that is right.
            _ = try await store.reserveUsername(try draft("other").username, for: user(3), at: at(300))
            clock.pass(to: at(900))
            _ = try await store.createProfile(try draft("other"), for: user(2), at: at(900), idempotency: nil)
        },
        ContractCase("a clock that is ahead performs no remembered write again") { store, clock in
            try await store.addUsers(2)
            let asked = try key("r1"), withdrawal = try key("r2")
            let first = try await store.follow(user(2), by: user(1), at: at(10), idempotency: asked)
            _ = try await store.unfollow(user(2), by: user(1), at: at(11), idempotency: nil)
            try await store.deleteProfile(of: user(2), at: at(12), idempotency: withdrawal)
            try await store.addUser(2)
            clock.set(to: ahead)
            try expectEqual(try await store.follow(user(2), by: user(1), at: ahead, idempotency: asked), first)
            try await store.deleteProfile(of: user(2), at: ahead, idempotency: withdrawal)
            clock.set(to: at(13))
            try expectEqual(try await store.follow(user(2), by: user(1), at: at(13), idempotency: asked), first)
            try expectEqual(try await store.counts(of: user(2)), FollowCounts(followers: 0, following: 0))
            // By a clock that is right, the request is forgotten after 24 hours.
            let later = at(10).advanced(by: IdempotencyKey.retention)
            clock.pass(to: later)
            let again = try await store.follow(user(2), by: user(1), at: later, idempotency: asked)
            try expectEqual(again.state, .followed(since: later))
        },
        ContractCase("what is remembered or reserved while the clock is behind is still there once it is right") { store, clock in
            try await store.addUsers(2)
            let asked = try key("r1"), behind = day(-40)
            clock.set(to: behind)
            let first = try await store.follow(user(2), by: user(1), at: behind, idempotency: asked)
            _ = try await store.reserveUsername(try draft("wanted").username, for: user(3), at: behind)
            clock.set(to: at(20))
            _ = try await store.unfollow(user(2), by: user(1), at: at(20), idempotency: nil)
            try expectEqual(try await store.follow(user(2), by: user(1), at: at(21), idempotency: asked), first)
            try expectEqual(try await store.counts(of: user(2)), FollowCounts(followers: 0, following: 0))
            try await store.expectRefusal(.usernameDuplicated, of: "wanted", to: 4, at: at(22))
        },
        ContractCase("a clock that keeps its new time for an hour is right, and names and requests end by it") { store, clock in
            let asked = try key("r1"), begin = day(2)
            try await store.addUsers(2)
            clock.pass(to: begin)
            try await store.rename(2, to: "present", at: begin)
            let first = try await store.follow(user(2), by: user(1), at: begin, idempotency: asked)
            _ = try await store.unfollow(user(2), by: user(1), at: begin, idempotency: nil)
            clock.set(to: ahead)
            let hour = ahead.advanced(by: .hours(1))
            for time in [ahead, hour.advanced(by: .seconds(-60))] {
                clock.pass(to: time)
                try await store.expectRefusal(.usernameDuplicated, of: "user2", to: 3, at: time)
                try expectEqual(try await store.follow(user(2), by: user(1), at: time, idempotency: asked), first)
            }
            clock.pass(to: hour)
            _ = try await store.createProfile(try draft("user2"), for: user(3), at: hour, idempotency: nil)
            let again = try await store.follow(user(2), by: user(1), at: hour, idempotency: asked)
            try expectEqual(again.state, .followed(since: hour))
        },
        ContractCase("a time that was read while the clock was ahead ends nothing, although the clock is right now") { store, _ in
            try await store.addUsers(2)
            let picture = ImageID(bits: UUIDBits(high: 0xAAAA_0000_0000_4000, low: 0x8000_0000_0000_0001))
            try await store.beginImage(picture, of: user(1), expiring: at(600))
            _ = try await store.reserveUsername(try draft("wanted").username, for: user(1), at: at(10))
            _ = try await store.requestWithdrawal(of: user(2), at: at(20), purging: day(30))
            try await store.expectRefusal(.usernameDuplicated, of: "wanted", to: 3, at: ahead)
            try expectEqual(try await store.discardedImages(at: ahead, limit: 9), [])
            try expectEqual(try await store.dueWithdrawals(at: ahead, limit: 9), [])
            try await expectError(.notWithdrawing) { () async throws(RepositoryError) in try await store.purge(user(2), at: ahead) }
            try await store.cancelWithdrawal(of: user(2))
        },
        ContractCase("a picture can be attached while the clock is behind or ahead") { store, clock in
            try await store.addUser(1)
            clock.pass(to: at(10))
            try await store.addUser(2)
            for (number, time) in [day(-40), ahead].enumerated() {
                clock.set(to: time)
                let picture = ImageID(bits: UUIDBits(high: 0xAAAA_0000_0000_4000, low: 0x8000_0000_0000_0100 + UInt64(number)))
                try await store.beginImage(picture, of: user(1), expiring: time.advanced(by: .hours(1)))
                try await store.stageImage(picture, of: user(1), at: time, expiring: time.advanced(by: .hours(1)))
                let changed = try await store.updateProfile(
                    of: user(1), ProfileChange(image: .attach(picture)), ifMatches: nil, at: time, idempotency: nil)
                try expectEqual(changed.image, picture)
            }
        },
        ContractCase("a clock that is ahead stamps no profile, account, entry of a diary or follow with its time") { store, clock in
            try await store.addUsers(2)
            clock.pass(to: at(10))
            try await store.addUser(3)
            clock.set(to: ahead)
            let profile = try await store.createProfile(try draft("user4"), for: user(4), at: ahead, idempotency: nil)
            try expect(profile.createTime < day(1) && profile.updateTime < day(1), "\(profile.createTime)")
            let text = ProfileChange(texts: [.statusMessage: "x"])
            let updated = try await store.updateProfile(of: user(1), text, ifMatches: nil, at: ahead, idempotency: nil)
            try expect(updated.updateTime < day(1), "\(updated.updateTime)")
            _ = try await store.openSession(9, user: user(9), from: ahead, until: ahead.advanced(by: .days(1)))
            let accounts = try await store.identities(of: user(9))
            try expect(accounts.allSatisfy { $0.createTime < day(1) } && !accounts.isEmpty, "\(accounts)")
            let content = try DiaryContent(entryTime: at(5), emotion: "calm", text: "맑음")
            let entry = DiaryEntryID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0077))
            let made = try await store.createDiaryEntry(entry, content, of: user(1), at: ahead)
            try expect(made.createTime < day(1), "\(made.createTime)")
            guard case .followed(let since) = try await store.follow(user(2), by: user(1), at: ahead, idempotency: nil).state else {
                return try expect(false, "no follow")
            }
            try expect(since < day(1), "\(since)")
            clock.set(to: at(20))
            // A later edit is not behind the stamps of that time.
            let changed = try await store.createDiaryEntry(
                DiaryEntryID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0078)), content, of: user(1), at: at(20))
            try expect(changed.createTime < day(1), "\(changed.createTime)")
        },
        ContractCase("a time that was read while the clock was ahead is not stored, if the clock is right now") { store, clock in
            try await store.addUsers(2)
            clock.pass(to: at(30))
            let followed = try await store.follow(user(2), by: user(1), at: ahead, idempotency: nil)
            try expectEqual(followed.state, .followed(since: at(30)))
            try expectEqual(try await store.relationships(of: user(1), to: [user(2)])[user(2)]?.followTime, at(30))
            let made = try await store.createProfile(try draft("late"), for: user(3), at: ahead, idempotency: nil)
            try expectEqual([made.createTime, made.updateTime], [at(30), at(30)])
            let changed = try await store.updateProfile(
                of: user(1), ProfileChange(texts: [.statusMessage: "x"]), ifMatches: nil, at: ahead, idempotency: nil)
            try expectEqual(changed.updateTime, at(30))
            // A session that has not expired by the right time is there.
            _ = try await store.openSession(1, user: user(1), from: at(1), until: at(1_000))
            try expectEqual(try await store.closeSession(sessionID(1), of: user(1), at: ahead), true)
        },
        ContractCase("a clock that is ahead forgets no event of follows and leaves no gap between them") { store, clock in
            try await store.addUsers(4)
            let start = try await store.keepEvents(1)
            _ = try await store.follow(user(2), by: user(1), at: at(10), idempotency: nil)
            _ = try await store.follow(user(3), by: user(1), at: at(11), idempotency: nil)
            clock.set(to: ahead)
            _ = try await store.follow(user(4), by: user(1), at: ahead, idempotency: nil)
            _ = try await store.unfollow(user(2), by: user(1), at: ahead, idempotency: nil)
            try await store.deleteProfile(of: user(3), at: ahead, idempotency: nil)
            let told = try await store.followEvents(of: user(1), after: start, at: ahead, limit: 9)
            try expectEqual(told.map(\.change), [.followed, .followed, .followed, .unfollowed, .unfollowed])
            try expectEqual(told.map(\.userID), [2, 3, 4, 2, 3].map(user))
            try expectEqual(try await store.keepFollowEvents(of: user(1), at: ahead), told.last?.position)
            clock.set(to: at(20))
            _ = try await store.unfollow(user(4), by: user(1), at: at(20), idempotency: nil)
            let after = try await store.followEvents(of: user(1), after: start, at: at(21), limit: 9)
            try expectEqual(after.count, 6)
            try expectEqual(Array(after.prefix(5)), told)
            // They are forgotten after their time, by a clock that is right.
            let day8 = at(20).advanced(by: FollowEventRetention.standard.age)
            clock.pass(to: day8)
            try await expectError(.eventsForgotten) { () async throws(RepositoryError) in
                try await store.followEvents(of: user(1), after: start, at: day8, limit: 9)
            }
        },
        ContractCase("a profile that was made while the clock was ahead keeps its name for its owner too") { store, clock in
            try await store.addUser(1)
            clock.set(to: ahead)
            _ = try await store.createProfile(try draft("mine"), for: user(2), at: ahead, idempotency: nil)
            clock.set(to: at(10))
            clock.pass(to: day(2))
            try await store.rename(2, to: "other", at: day(2))
            try await store.expectRefusal(.usernameDuplicated, of: "mine", to: 3, at: day(2))
        },
    ]
}
