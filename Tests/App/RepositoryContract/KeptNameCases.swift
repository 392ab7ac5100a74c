import PulseBoardDomain

/// The `count`-th hour after `epoch`.
private func hour(_ count: Int64) -> Timestamp { epoch.advanced(by: .hours(count)) }
private func day(_ count: Int64) -> Timestamp { epoch.advanced(by: .days(count)) }

private func username(_ text: String) throws -> Username { try draft(text).username }

extension PulseBoardStore {
    fileprivate func create(_ text: String, _ number: UInt64, at time: Timestamp = epoch) async throws {
        _ = try await createProfile(try draft(text), for: user(number), at: time, idempotency: nil)
    }

    fileprivate func rename(_ number: UInt64, to text: String, at time: Timestamp) async throws {
        let change = ProfileChange(username: try username(text))
        _ = try await updateProfile(of: user(number), change, ifMatches: nil, at: time, idempotency: nil)
    }

    /// Claims a name in a way that depends on the number: the first two hundred users rename, the next four hundred create, the
    /// others reserve.
    fileprivate func race(_ number: UInt64, for draft: ProfileDraft) async -> Result<UInt64, RepositoryError> {
        do throws(RepositoryError) {
            if number <= 200 {
                let change = ProfileChange(username: draft.username)
                _ = try await updateProfile(of: user(number), change, ifMatches: nil, at: at(1), idempotency: nil)
            } else if number <= 600 {
                _ = try await createProfile(draft, for: user(number), at: at(1), idempotency: nil)
            } else {
                _ = try await reserveUsername(draft.username, for: user(number), at: at(1))
            }
            return .success(number)
        } catch {
            return .failure(error)
        }
    }

    /// Why a user cannot take a name; `nil` if they can.
    fileprivate func obstacle(_ text: String, _ number: UInt64, at time: Timestamp) async throws -> RepositoryError? {
        let name = try username(text)
        do throws(RepositoryError) {
            try await checkUsername(name, for: user(number), at: time)
            return nil
        } catch {
            return error
        }
    }
}

extension ContractCase {
    /// Names that are held or reserved, and look-alikes. The stores have the standard policy.
    static let keptNames = [
        ContractCase("C11: of many racing claims, leases and renames of one skeleton, one wins") { store in
            let spellings = ["minji1", "minjil", "MINJII", "m1nj1l"]
            for number in 1...200 as ClosedRange<UInt64> { try await store.create("u\(number)", number) }
            let outcomes = try await withThrowingTaskGroup(of: Result<UInt64, RepositoryError>.self) { group in
                for number in (1...1_000 as ClosedRange<UInt64>).shuffled() {
                    let draft = try draft(spellings[Int(number % 4)])
                    group.addTask { await store.race(number, for: draft) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let winners = outcomes.compactMap { try? $0.get() }
            try expectEqual(winners.count, 1)
            try expectEqual(outcomes.count { $0 == .failure(.usernameDuplicated) || $0 == .failure(.usernameConfusable) }, 999)
            // Only the winner may use the name.
            for spelling in spellings {
                try expectEqual(try await store.obstacle(spelling, winners[0], at: at(2)), nil)
                try expect(try await store.obstacle(spelling, 5_000, at: at(2)) != nil, "\(spelling) is taken")
            }
        },
        ContractCase("C21: a user's names are told for an export: the present one, held ones and the reserved one") { store in
            // A name that is reserved more than a day ahead of the store's clock would be corrected.
            try await store.create("first", 1, at: day(-33))
            try await store.create("other", 2)
            try await store.rename(1, to: "Second", at: day(-31))
            _ = try await store.reserveUsername(try username("Third"), for: user(1), at: day(0))
            _ = try await store.reserveUsername(try username("fourth"), for: user(3), at: day(0))
            try expectEqual(
                try await store.usernames(of: user(1)),
                [
                    ClaimedUsername(key: "second", kind: .owned, takeTime: day(-31), expireTime: nil),
                    ClaimedUsername(key: "first", kind: .held, takeTime: day(-33), expireTime: day(29)),
                    ClaimedUsername(key: "third", kind: .leased, takeTime: day(0), expireTime: day(0).advanced(by: .seconds(600))),
                ])
            try expectEqual(try await store.usernames(of: user(2)).map(\.key), ["other"])
            try expectEqual(try await store.usernames(of: user(3)).map(\.kind), [.leased])
            try expectEqual(try await store.usernames(of: user(4)), [])
        },
        ContractCase("C13: a name that looks like somebody else's is confusable; the owner may take it") { store in
            try await store.create("minjil", 1)
            let lookAlike = try draft("MINJI1")
            try await expectError(.usernameConfusable) { () async throws(RepositoryError) in
                try await store.reserveUsername(lookAlike.username, for: user(2), at: at(1))
            }
            try await expectError(.usernameConfusable) { () async throws(RepositoryError) in
                try await store.createProfile(lookAlike, for: user(2), at: at(1), idempotency: nil)
            }
            try await store.create("국가", 2)
            try await store.create("구까", 3)
            try await store.rename(1, to: "minji1", at: at(2))
            try expectEqual(try await store.owner(ofKey: "minji1"), user(1))
            try expectEqual(try await store.obstacle("minjil", 4, at: at(3)), .usernameConfusable)
            // Both are given up, and both are free.
            try await store.rename(1, to: "other", at: at(4))
            try expectEqual(try await store.obstacle("minjil", 4, at: at(5)), nil)
            try expectEqual(try await store.obstacle("minji1", 4, at: at(5)), nil)
        },
        ContractCase("a username changes freely for a day, then once in thirty days") { store, clock in
            try await store.create("first", 1)
            for number in 1...5 as ClosedRange<Int64> { try await store.rename(1, to: "early\(number)", at: hour(number)) }
            // The names of the first day are free at once.
            for text in ["first", "early1", "early4"] { try expectEqual(try await store.obstacle(text, 2, at: hour(6)), nil) }
            try await store.rename(1, to: "second", at: hour(24))
            let availableTime = hour(24).advanced(by: .days(30))
            let change = ProfileChange(username: try username("third"))
            for time in [hour(24), day(2), availableTime.advanced(by: Timestamp.Interval(microseconds: -1))] {
                clock.pass(to: time)
                try await expectError(.usernameChangedRecently(availableTime: availableTime)) { () async throws(RepositoryError) in
                    try await store.updateProfile(of: user(1), change, ifMatches: nil, at: time, idempotency: nil)
                }
            }
            try expectEqual(
                try await store.obstacle("third", 1, at: day(3)), .usernameChangedRecently(availableTime: availableTime))
            // A change of case does not count as a change of the name, and the rest of the profile may change.
            try await store.rename(1, to: "SECOND", at: day(3))
            try expectEqual(try await store.obstacle("second", 1, at: day(3)), nil)
            _ = try await store.updateProfile(
                of: user(1), ProfileChange(texts: [.displayName: "Somebody"]), ifMatches: nil, at: day(3), idempotency: nil)
            try await store.rename(1, to: "third", at: availableTime)
            try expectEqual(try await store.owner(ofKey: "third"), user(1))
        },
        ContractCase("C12: a name that was given up is its owner's for sixty days, then anybody's") { store, clock in
            try await store.create("former", 1)
            clock.pass(to: day(2))
            try await store.rename(1, to: "present", at: day(2))
            // It shows no profile.
            try expectEqual(try await store.owner(ofKey: "former"), nil)
            let end = day(62)
            for time in [day(2), day(61), end.advanced(by: Timestamp.Interval(microseconds: -1))] {
                clock.pass(to: time)
                try expectEqual(try await store.obstacle("former", 2, at: time), .usernameDuplicated)
                try expectEqual(try await store.obstacle("f0rmer", 2, at: time), .usernameConfusable)
            }
            let wanted = try draft("FORMER")
            try await expectError(.usernameDuplicated) { () async throws(RepositoryError) in
                try await store.createProfile(wanted, for: user(2), at: day(10), idempotency: nil)
            }
            // The user takes the name back, and gives it up again: it is held for sixty days more.
            try await store.rename(1, to: "former", at: day(33))
            try expectEqual(try await store.obstacle("present", 2, at: day(34)), .usernameDuplicated)
            clock.pass(to: day(63))
            try await store.rename(1, to: "third", at: day(63))
            clock.pass(to: day(122))
            try expectEqual(try await store.obstacle("former", 2, at: day(122)), .usernameDuplicated)
            clock.pass(to: day(123))
            _ = try await store.createProfile(wanted, for: user(2), at: day(123), idempotency: nil)
            try expectEqual(try await store.owner(ofKey: "former"), user(2))
            try expectEqual(try await store.obstacle("former", 1, at: day(124)), .usernameDuplicated)
        },
        ContractCase("C12: a withdrawn user's name is held for that user; one of the first day is free") { store, clock in
            try await store.create("stays", 1)
            clock.pass(to: day(2))
            try await store.deleteProfile(of: user(1), at: day(2), idempotency: nil)
            try await expectError(.userNotFound) { () async throws(RepositoryError) in try await store.profile(usernameKey: "stays") }
            try expectEqual(try await store.searchProfiles(NameSearch("sta"), after: nil, limit: 9), [])
            clock.pass(to: day(3))
            try expectEqual(try await store.obstacle("stays", 2, at: day(3)), .usernameDuplicated)
            try await store.create("stays", 1, at: day(3))
            try expectEqual(try await store.owner(ofKey: "stays"), user(1))
            try await store.deleteProfile(of: user(1), at: day(3), idempotency: nil)
            try await store.create("stays", 2, at: day(3))
        },
        ContractCase("C12: the name of an account that is gone is held for nobody") { store, clock in
            _ = try await store.openSession(1, account: .unix(uid: 1), user: user(1))
            // A withdrawal that is asked for more than a day ahead of the store's clock would be corrected.
            try await store.create("former", 1, at: day(-2))
            _ = try await store.requestWithdrawal(of: user(1), at: day(0), purging: day(1))
            try expectEqual(try await store.obstacle("former", 2, at: day(0)), .usernameDuplicated)
            let other = try username("other")
            try await expectError(.withdrawing(purgeTime: day(1))) { () async throws(RepositoryError) in
                try await store.reserveUsername(other, for: user(1), at: day(0))
            }
            try await store.purge(user(1), at: day(1))
            for (time, obstacle) in [(day(60), .usernameDuplicated), (day(61), nil)] as [(Timestamp, RepositoryError?)] {
                clock.pass(to: time)
                for number in [1, 2] as [UInt64] { try expectEqual(try await store.obstacle("former", number, at: time), obstacle) }
            }
        },
        ContractCase("at most ten names are held for a user; one more frees the oldest") { store, clock in
            for number in 0...10 as ClosedRange<Int64> {
                clock.pass(to: day(2 * number + 1))
                try await store.create("name_\(number)", 1, at: day(2 * number))
                try await store.deleteProfile(of: user(1), at: day(2 * number + 1), idempotency: nil)
            }
            try expectEqual(try await store.obstacle("name_0", 2, at: day(22)), nil)
            for number in 1...10 { try expectEqual(try await store.obstacle("name_\(number)", 2, at: day(22)), .usernameDuplicated) }
        },
        ContractCase("a reserved name waits ten minutes for its user, who has one such name") { store in
            let lease = try await store.reserveUsername(try username("wanted"), for: user(1), at: at(0))
            try expectEqual(lease.username.text, "wanted")
            try expectEqual(lease.expireTime, at(600))
            try expectEqual(try await store.owner(ofKey: "wanted"), nil)
            try expectEqual(try await store.obstacle("wanted", 1, at: at(1)), nil)
            try expectEqual(try await store.obstacle("wanted", 2, at: at(599)), .usernameDuplicated)
            try expectEqual(try await store.obstacle("want3d", 2, at: at(599)), nil)
            try expectEqual(try await store.obstacle("wanted", 2, at: at(600)), nil)
            // Reserving again extends the time. Reserving another name frees the first.
            let again = try await store.reserveUsername(try username("WANTED"), for: user(1), at: at(300))
            try expectEqual(again.expireTime, at(900))
            _ = try await store.reserveUsername(try username("better"), for: user(1), at: at(301))
            try expectEqual(try await store.obstacle("wanted", 2, at: at(302)), nil)
            try await store.create("wanted", 2, at: at(303))
            // The profile takes another name. Then the reserved one is free.
            try await store.create("best", 1, at: at(304))
            try expectEqual(try await store.obstacle("better", 3, at: at(305)), nil)
        },
        ContractCase("a reserved name becomes the profile's; the own name and a held one need no lease") { store in
            // The case ends half a day after the time of the store's clock. Then the housekeeping takes no hold of the case for expired, and no name
            // that is reserved for one from the future.
            func day(_ count: Int64) -> Timestamp { epoch.advanced(by: .days(count - 62)).advanced(by: .hours(12)) }
            _ = try await store.reserveUsername(try username("wanted"), for: user(1), at: day(0))
            try await store.create("Wanted", 1, at: day(0).advanced(by: .seconds(1)))
            try expectEqual(try await store.owner(ofKey: "wanted"), user(1))
            try expectEqual(try await store.obstacle("wanted", 2, at: day(1)), .usernameDuplicated)
            let own = try await store.reserveUsername(try username("wanted"), for: user(1), at: day(1))
            try expectEqual(own.expireTime, nil)
            try await store.rename(1, to: "second", at: day(2))
            let refused = RepositoryError.usernameChangedRecently(availableTime: day(32))
            for text in ["wanted", "third"] {
                let other = try username(text)
                try await expectError(refused) { () async throws(RepositoryError) in
                    try await store.reserveUsername(other, for: user(1), at: day(3))
                }
            }
            let held = try await store.reserveUsername(try username("wanted"), for: user(1), at: day(32))
            try expectEqual(held.expireTime, day(62))
            _ = try await store.reserveUsername(try username("third"), for: user(1), at: day(33))
            try expectEqual(try await store.obstacle("wanted", 2, at: day(33)), .usernameDuplicated)
            // In the last minutes of its time, a held name becomes the one reserved name.
            let end = day(62), late = end.advanced(by: .seconds(-60))
            let lease = try await store.reserveUsername(try username("wanted"), for: user(1), at: late)
            try expectEqual(lease.expireTime, late.advanced(by: .seconds(600)))
            try expectEqual(try await store.obstacle("wanted", 2, at: end), .usernameDuplicated)
            _ = try await store.reserveUsername(try username("fourth"), for: user(1), at: end)
            try expectEqual(try await store.obstacle("wanted", 2, at: end), nil)
        },
        ContractCase("an expired lease or hold keeps nobody from a name that looks like it") { store in
            _ = try await store.reserveUsername(try username("minji1"), for: user(1), at: at(0))
            try await store.create("minjil", 2, at: at(600))
            try expectEqual(try await store.owner(ofKey: "minjil"), user(2))
            try expectEqual(try await store.obstacle("minji1", 1, at: at(601)), .usernameConfusable)
        },
    ]

    static let searches = [
        ContractCase("B37: a search finds Hangul that is being composed, and by initial consonants") { store in
            let people = [("민지", ""), ("minji", "문정"), ("하나", ""), ("한결", "학생"), ("mj_kim", "김민지"), ("민지2", "민지")]
            for (number, person) in people.enumerated() {
                _ = try await store.createProfile(
                    try draft(person.0, person.1), for: user(UInt64(number + 1)), at: at(1), idempotency: nil)
            }
            for (text, numbers) in [
                ("하", [3, 4]), ("한", [4, 3]), ("학", [4]), ("ㅁㅈ", [1, 2, 6]), ("ㅎ", [4, 3]), ("민ㅈ", [1, 6]), ("무", [2]), ("ㄱㅁ", [5]),
                ("김ㅁ", [5]), ("ㅈㅁ", []), ("민지", [1, 6]), ("ㅁ지", [1, 6]), ("ㄱㅁ지", [5]), ("김ㅁㅈ", [5]), ("ㄱ민ㅈ", [5]), ("ㅁ지2", [6]),
                ("ㅎ나", [3]), ("ㅎㄱ", [4]), ("ㅁ하", []), ("한ㄱ", [4]),
            ] as [(String, [UInt64])] {
                for limit in [1, 2, 9] {
                    var found: [UserID] = []
                    var cursor: SearchCursor?
                    repeat {
                        let page = try await store.searchProfiles(NameSearch(text), after: cursor, limit: limit)
                        found += page.map(\.profile.id)
                        cursor = page.count == limit ? page.last?.cursor : nil
                    } while cursor != nil
                    try expect(
                        Set(found) == Set(numbers.map(user)) && found.count == numbers.count, "\(text) finds \(numbers) once, by \(limit): \(found)")
                    if text == "한" || text == "하" { try expectEqual(found, numbers.map(user)) }
                }
            }
        },
        ContractCase("B37: a search by initial consonants follows changed names") { store in
            try await store.create("민지", 1)
            try await store.rename(1, to: "하나", at: at(1))
            try expectEqual(try await store.searchProfiles(NameSearch("ㅁㅈ"), after: nil, limit: 9), [])
            try expectEqual(try await store.searchProfiles(NameSearch("ㅎㄴ"), after: nil, limit: 9).map(\.profile.id), [user(1)])
            try await store.deleteProfile(of: user(1), at: at(2), idempotency: nil)
            try expectEqual(try await store.searchProfiles(NameSearch("ㅎㄴ"), after: nil, limit: 9), [])
        },
    ]
}
