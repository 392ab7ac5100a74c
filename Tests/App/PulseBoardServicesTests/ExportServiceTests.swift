import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("Taking one's data along") struct ExportServiceTests {
    let bench: Bench
    var services: Services { bench.services }

    init() async throws { bench = try await Bench() }

    private func records(_ caller: Caller) async throws -> [ExportedRecord] {
        var records: [ExportedRecord] = []
        try await services.exports.export(caller) { records.append($0) }
        return records
    }

    @Test("C22: it holds the caller's sessions, profile, follows and events, each once, and no token")
    func everything() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        var updates = services.follows.watchFollows(one).makeAsyncIterator()
        _ = try await updates.next(isolation: nil)
        _ = try await services.follows.follow(two.userID, one)
        _ = try await services.follows.follow(one.userID, two)
        let entryID = DiaryEntryID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0001))
        let content = try DiaryContent(entryTime: bench.clock.now(), emotion: "calm", text: "a secret")
        let entry = try await services.diaries.createEntry(entryID, content, one)
        #expect(try await !self.records(two).contains { if case .diaryEntry = $0 { true } else { false } })
        let records = try await records(one)
        #expect(records.contains(.diaryEntry(entry)))
        let profile = try await services.profiles.fetchCurrentUser(one)
        #expect(records.contains(.profile(profile)))
        let sessions = records.compactMap { if case .session(let session, let isCurrent) = $0 { (session, isCurrent) } else { nil } }
        #expect(sessions.map(\.0.id) == [one.sessionID])
        #expect(sessions.map(\.1) == [true])
        let follows = records.compactMap { if case .follow(let direction, let entry) = $0 { (direction, entry.user.id) } else { nil } }
        #expect(follows.map(\.0) == [.following, .followers])
        #expect(follows.map(\.1) == [two.userID, two.userID])
        let events = records.compactMap { if case .event(let event) = $0 { event.change } else { nil } }
        #expect(events == [.followed, .followerGained])
    }

    @Test("more than a batch of follows comes whole, each once")
    func batches() async throws {
        let star = try await bench.member(1, "star")
        let count = ExportService.batch + 3
        for number in 0..<count {
            let fan = UserID(bits: UUIDBits(high: 0x9000, low: UInt64(number)))
            let name = try ProfileDraft(username: "f\(number)", texts: ProfileTexts(), rules: UsernameRules())
            _ = try await bench.store.createProfile(name, for: fan, at: bench.clock.now(), idempotency: nil)
            _ = try await bench.store.follow(star.userID, by: fan, at: bench.clock.now(), idempotency: nil)
        }
        let followers = try await records(star).compactMap { if case .follow(.followers, let entry) = $0 { entry.user.id } else { nil } }
        #expect(followers.count == count)
        #expect(Set(followers).count == count)
    }

    @Test("a diary entry whose time changes meanwhile comes at least once, and its last state comes last")
    func entriesThatMove() async throws {
        let one = try await bench.member(1000, "one")
        let count = ExportService.batch + 1
        let ids = (0..<count).map { DiaryEntryID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64($0))) }
        // The entry that is created last is the oldest one, so it is on the last page of both orders.
        func time(_ number: Int) -> Timestamp { Timestamp(microseconds: Int64(count - number)) }
        for (number, id) in ids.enumerated() {
            let content = try DiaryContent(entryTime: time(number), emotion: "calm", text: "")
            _ = try await bench.store.createDiaryEntry(id, content, of: one.userID, at: bench.clock.now())
        }
        let moved = [ids[0], ids[count - 1]]
        let newest = time(-1)
        var entries: [DiaryEntry] = []
        try await services.exports.export(one) { record in
            guard case .diaryEntry(let entry) = record else { return }
            if entries.isEmpty {
                for id in moved {
                    let change = try DiaryChange(entryTime: newest)
                    _ = try await bench.store.updateDiaryEntry(id, change, ifMatches: nil, of: one.userID, at: bench.clock.now())
                }
            }
            entries.append(entry)
        }
        #expect(Set(entries.map(\.id)) == Set(ids))
        for id in moved { #expect(entries.last { $0.id == id }?.content.entryTime == newest) }
    }

    @Test("one at a time, ten in 24 hours; a refusal says when")
    func limits() async throws {
        let one = try await bench.member(1000, "one")
        try await services.exports.export(one) { [services] _ in
            await #expect(throws: RepositoryError.rateLimited(retryAfter: .seconds(1))) { try await services.exports.export(one) { _ in } }
        }
        for _ in 2...10 { _ = try await records(one) }
        await #expect { _ = try await records(one) } throws: { error in
            guard case .rateLimited(let wait)? = error as? RepositoryError else { return false }
            return (23 * 3_600_000_000...24 * 3_600_000_000).contains(wait.microseconds)
        }
        bench.clock.advance(.days(1))
        _ = try await records(one)
        // A user without a profile has sessions too.
        #expect(try await records(try await bench.caller(1001)).count == 2, "identity and session")
    }

    private struct Cancelled: Error {}

    /// Begins an export, and cancels it after a number of records.
    private func cancelExport(of caller: Caller, after limit: Int) async throws {
        var count = 0
        await #expect(throws: Cancelled.self) {
            try await services.exports.export(caller) { _ in
                count += 1
                if count >= limit { throw Cancelled() }
            }
        }
    }

    @Test("an export that is cancelled early does not count as one of the ten")
    func cancelledEarly() async throws {
        let one = try await bench.member(1000, "one")
        for _ in 1...11 { try await cancelExport(of: one, after: 1) }
        for _ in 1...10 { _ = try await records(one) }
        await #expect(throws: RepositoryError.self) { _ = try await records(one) }
    }

    @Test("an export that is cancelled after 1,000 records counts as one of the ten")
    func cancelledLate() async throws {
        let one = try await bench.member(1000, "one")
        for number in 0..<1_000 {
            let id = DiaryEntryID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64(number)))
            let content = try DiaryContent(entryTime: bench.clock.now(), emotion: "calm", text: "")
            _ = try await bench.store.createDiaryEntry(id, content, of: one.userID, at: bench.clock.now())
        }
        for _ in 1...10 { try await cancelExport(of: one, after: 1_002) }
        await #expect(throws: RepositoryError.self) { _ = try await records(one) }
    }

    @Test("an export that finds no place for its watch does not count as one of the ten")
    func refusedForWatches() async throws {
        let one = try await bench.member(1000, "one")
        let watches = (0..<WatchCounts.limit).map { _ in Recording(services.follows.watchFollows(one)) }
        for watch in watches { _ = await watch.next() }
        for _ in 0..<11 {
            await #expect(throws: RepositoryError.watchLimit(maximum: WatchCounts.limit)) { try await services.exports.export(one) { _ in } }
        }
        for watch in watches { watch.cancel() }
        var exportCount = 0
        while exportCount < 10 {
            // The last watches may need a moment to end.
            do { exportCount += try await records(one).isEmpty ? 0 : 1 } catch RepositoryError.watchLimit { await Task.yield() }
        }
    }

    @Test("an export of a user who is leaving ends after identities and sessions; after coming back it has everything")
    func leaving() async throws {
        let one = try await bench.member(1000, "one")
        let purgeTime = try await services.withdrawals.request(one)
        let caller = try await services.auth.authenticate(try await services.auth.signIn(peerUID: 1000).token)
        var recordCount = 0
        await #expect(throws: RepositoryError.withdrawing(purgeTime: purgeTime)) {
            try await services.exports.export(caller) { _ in recordCount += 1 }
        }
        #expect(recordCount == 2)
        try await services.withdrawals.cancel(caller)
        #expect(try await records(caller).contains { if case .profile = $0 { true } else { false } })
    }

    @Test("the end of the session ends it")
    func sessionEnds() async throws {
        let one = try await bench.member(1000, "one")
        await #expect(throws: RepositoryError.notAuthenticated) {
            try await services.exports.export(one) { [services] record in
                if case .profile = record { try await services.auth.signOut(one) }
            }
        }
    }
}
