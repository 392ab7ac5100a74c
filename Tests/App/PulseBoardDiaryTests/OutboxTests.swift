import Foundation
import PulseBoardDomain
import Testing

@testable import PulseBoardDiary

/// Edits that wait for the server: their order, their limits, and their status.
@Suite("Diary outbox") struct OutboxTests {
    @Test("promise 15: a full outbox takes nothing more and changes nothing")
    func fullOutbox() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.diary("here")
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        let diary = LocalDiaryRepository(file)
        _ = try await diary.save(content("first"), as: entryID(1))
        try await file.fillOutbox()
        let bytes = try await file.rowBytes("shown")
        await #expect(throws: DiaryError.outboxFull) { try await diary.save(content("more"), as: entryID(2)) }
        await #expect(throws: DiaryError.outboxFull) { try await diary.delete(entryID(1)) }
        #expect(try await file.rowBytes("shown") == bytes)
    }

    @Test("promise 15: an outbox of 64 MiB takes nothing more either")
    func largeOutbox() async throws {
        let directory = try TemporaryDirectory(in: SimulatedDisk.root)
        let file = try directory.diary("here")
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        try await file.fillOutbox(bytes: DiaryFile.maximumOutboxBytes - 200)
        let diary = LocalDiaryRepository(file)
        _ = try await diary.save(content("fits"), as: entryID(1))
        let bytes = try await file.content()
        await #expect(throws: DiaryError.outboxFull) { try await diary.save(content(String(repeating: "a", count: 200)), as: entryID(2)) }
        #expect(try await file.content() == bytes)
        #expect(try await file.outboxCount() == 2)
    }

    @Test("promise 15: what another process has written counts too")
    func sharedOutbox() async throws {
        let directory = try TemporaryDirectory()
        let here = try directory.diary("here")
        try await here.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        _ = try await LocalDiaryRepository(here).save(content("first"), as: entryID(1))
        let other = try directory.diary("here")
        try await other.fillOutbox()
        await #expect(throws: DiaryError.outboxFull) { try await LocalDiaryRepository(here).save(content("more"), as: entryID(2)) }
    }

    @Test("promise 3: however often pushes are lost or the server is killed, the edits of an entry are applied in the order in which they were made")
    func order() async throws {
        let directory = try TemporaryDirectory(in: SimulatedDisk.root)
        let clock = SimulatedClock()
        let server = try await SimulatedServer(directory: directory.path + "/server", clock: clock)
        let caller = try await server.caller(0)
        let file = try DiaryFile(directory: directory.path + "/here", clock: clock)
        try await file.attach(to: caller.userID)
        let diary = CombinedDiaryRepository(file, server: SimulatedNetwork(user: caller.userID))
        _ = try await diary.save(content("0"), as: entryID(1))
        for number in 1...40 {
            for text in [number * 2 - 1, number * 2] { _ = try await diary.update(entryID(1), DiaryChange(text: "\(text)"), ifMatches: nil) }
            let network = SimulatedNetwork(user: caller.userID)
            network.connect { call in
                let outcome = await server.answer(call, caller)
                // Every third answer to a push is lost.
                return call.isPush && number % 3 == 0 ? .failure(.unavailable(detail: "lost answer")) : outcome
            }
            server.disk.stop(after: number % 9)
            let result = await Self.result { () throws(DiaryError) in try await CombinedDiaryRepository(file, server: network).synchronize() }
            if case .failure(let error) = result, case .unavailable = error {} else { try result.get() }
            try await server.restart(killedWith: UInt64(number), losing: number % 2 == 0)
            // At any time the server has a prefix of the edits, so there are no conflicts.
            let rows = try await server.rows(of: caller.userID, for: file.status().device, orEmpty: true)
            #expect(rows.values.allSatisfy { $0.conflicts.isEmpty })
        }
        let network = SimulatedNetwork(user: caller.userID)
        network.connect { call in await server.answer(call, caller) }
        try await CombinedDiaryRepository(file, server: network).synchronize()
        let row = try #require(try await server.rows(of: caller.userID, for: file.status().device)[entryID(1)])
        #expect(row[.text].value == .text("80") && row.conflicts.isEmpty)
        try await server.close()
    }

    private static func result(of body: () async throws(DiaryError) -> Void) async -> Result<Void, DiaryError> {
        do throws(DiaryError) { return .success(try await body()) } catch { return .failure(error) }
    }

    @Test("promises 4, 5: two pushes whose results were not stored are sent again, and get the same results")
    func twoPushes() async throws {
        let directory = try TemporaryDirectory(in: SimulatedDisk.root)
        let clock = SimulatedClock()
        let server = try await SimulatedServer(directory: directory.path + "/server", clock: clock)
        let caller = try await server.caller(0)
        let network = SimulatedNetwork(user: caller.userID)
        network.connect { call in await server.answer(call, caller) }
        let open = { () throws(DiaryError) in
            try DiaryFile(directory: directory.path + "/here", clock: clock, random: SystemRandomSource(), editsPerPush: 100)
        }
        var file = try open()
        try await file.attach(to: caller.userID)
        for number in 1...350 { _ = try await LocalDiaryRepository(file).save(content("text \(number)"), as: entryID(number)) }
        let device = try #require(try await file.deviceToRegister())
        try await network.register(device, name: "")
        try await file.didRegister(device)
        var sent: [DiaryBatch] = []
        var results: [[DiaryMutationResult]] = []
        for turn in 0..<3 {
            let next: DiaryBatch?
            if let former = sent.last {
                // The results of the push before the last one are stored, and the last one is under way.
                let stored = turn < 2 ? nil : DiaryAnsweredBatch(batch: sent[turn - 2], reply: DiaryPushReply(results: results[turn - 2]))
                next = try await file.nextBatch(behind: former, after: stored)
            } else {
                next = try await file.nextBatch()
            }
            let batch = try #require(next)
            sent.append(batch)
            results.append(try await network.push(batch.mutations, confirmed: batch.confirmed, from: device).results)
        }
        #expect(sent.map(\.mutations.count) == [100, 100, 100] && sent.map(\.confirmed) == [0, 0, 100])
        // The device's program ends here.
        file = try open()
        for turn in 1...2 {
            let again = try #require(try await file.nextBatch())
            #expect(again.mutations == sent[turn].mutations)
            #expect(try await network.push(again.mutations, confirmed: again.confirmed, from: device).results == results[turn])
            try await file.acknowledge(results[turn], from: device)
        }
        try await CombinedDiaryRepository(file, server: network).synchronize()
        let status = try await file.status()
        #expect(status.entryCount == 350 && status.pendingCount == 0 && status.conflictCount == 0 && status.rejectedCount == 0)
        #expect(try await file.rowBytes("base").count == 350)
        try await server.close()
    }

    @Test(
        "B34, B36, promise 15: the entries from before an account do not count towards the limits of the outbox, and only what is written later does")
    func attachedCount() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.diary("here")
        let diary = LocalDiaryRepository(file)
        for number in 1...3 { _ = try await diary.save(content("text \(number)"), as: entryID(number)) }
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        #expect(try await file.outboxCount() == 3)
        #expect(try await file.outboxSize() == (0, 0))
        _ = try await diary.save(content("later"), as: entryID(4))
        #expect(try await file.outboxSize().count == 1)
        try await file.fillOutbox()
        #expect(try await file.outboxSize().count == DiaryFile.maximumOutboxCount)
        await #expect(throws: DiaryError.outboxFull) { try await diary.delete(entryID(4)) }
    }

    @Test("promise 3: what is written to an entry while its edits are held waits behind them, and other entries go on")
    func held() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.diary("here")
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        let diary = LocalDiaryRepository(file)
        _ = try await diary.save(content("held"), as: entryID(1))
        try await file.hold([entryID(1)], for: "IMAGE_BUSY")
        // Another process makes this edit meanwhile.
        _ = try await diary.update(entryID(1), DiaryChange(text: "behind it"), ifMatches: nil)
        #expect(try await file.nextBatch() == nil)
        _ = try await diary.save(content("other", at: 1), as: entryID(2))
        #expect(try await file.nextBatch()?.mutations.map(\.mutation.entryID) == [entryID(2)])
        try await file.holdNothing()
        let batch = try #require(try await file.nextBatch())
        #expect(batch.mutations.map(\.mutation.entryID) == [entryID(2), entryID(1), entryID(1)])
        #expect(batch.mutations.map(\.number) == [1, 2, 3])
        #expect(batch.mutations.map(\.mutation.isCreation) == [true, true, false])
    }

    @Test("promise 3: numbers have no gap after some were taken back, even if a late push has used them for other edits meanwhile")
    func takenBack() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.diary("here")
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        let diary = LocalDiaryRepository(file)
        for number in 1...3 { _ = try await diary.save(content("text \(number)"), as: entryID(number)) }
        let late = try #require(try await file.nextBatch(through: 2))
        #expect(late.mutations.map(\.mutation.entryID) == [entryID(1), entryID(2)])
        let page = { (lastMutation: Int64) in DiaryReadPage(rows: [], nextCursor: "\(lastMutation)", isComplete: true, lastMutation: lastMutation) }
        // The push seems lost: the server has nothing of it. The first entry's picture cannot be sent now, so the second goes before it.
        try await file.take(page(0), at: file.position())
        try await file.takeNumbersBack()
        try await file.hold([entryID(1), entryID(3)], for: "IMAGE_BUSY")
        #expect(try await file.nextBatch()?.mutations == [NumberedDiaryMutation(number: 1, mutation: late.mutations[1].mutation)])
        // The late push arrives first, and the next page says so.
        try await file.take(page(2), at: file.position())
        try await file.takeNumbersBack()
        try await file.holdNothing()
        let batch = try #require(try await file.nextBatch())
        #expect(batch.mutations.map(\.number) == [1, 2, 3])
        #expect(batch.mutations.map(\.mutation.entryID) == [entryID(2), entryID(1), entryID(3)])
    }

    @Test("promise 20: every figure of the status is a recount, with edits that wait, lost and were refused")
    func statusFigures() async throws {
        let directory = try TemporaryDirectory()
        let clock = TestClock()
        let file = try directory.diary("here", clock: clock)
        let diary = LocalDiaryRepository(file)
        #expect(try await file.status() == (try await file.recount()))
        _ = try await diary.save(content("local"), as: entryID(1))
        #expect(try await file.status() == (try await file.recount()))
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        clock.advance(.hours(1))
        for number in 2...5 { _ = try await diary.save(content("text \(number)"), as: entryID(number)) }
        try await diary.delete(entryID(2))
        #expect(try await file.status() == (try await file.recount()))
        let batch = try #require(try await file.nextBatch())
        #expect(batch.mutations.count == 6)
        try await file.acknowledge(
            batch.mutations.prefix(3).map { DiaryMutationResult(number: $0.number, outcome: $0.number == 3 ? .rejected(.diaryFull) : .applied) },
            from: batch.device)
        #expect(try await file.status() == (try await file.recount()))
        var torn = DiaryRow(createTime: Timestamp(microseconds: 1), isDeleted: true)
        for time in 1...2 as ClosedRange<Int64> {
            torn.conflicts.insert(DiaryConflict(field: .text, stamp: DiaryStamp(time: time, device: batch.device), value: .text("lost")))
        }
        try await file.take(
            DiaryReadPage(rows: [DiaryRowChange(id: entryID(9), row: torn)], nextCursor: "c", isComplete: true, lastMutation: 3), at: file.position())
        let status = try await file.status()
        #expect(status == (try await file.recount()))
        #expect(status.conflictCount == 2 && status.rejectedCount == 1 && status.pendingCount == 3 && status.lastSync != nil)
    }

    @Test(
        "promise 14: an edit whose result is not here stays when a checkpoint has it, shows nothing more, and is rejected with its text when the result comes")
    func lateResult() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.diary("here")
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        let diary = LocalDiaryRepository(file)
        for number in 1...2 { _ = try await diary.save(content("text \(number)"), as: entryID(number)) }
        _ = try await diary.update(entryID(1), DiaryChange(text: "lost and forgotten"), ifMatches: nil)
        let batch = try #require(try await file.nextBatch())
        // The answer to the push was lost. By the checkpoint, the second entry was refused, and somebody has settled what the third edit lost.
        var row = try #require(try await file.shownRow(entryID(1)))
        row[.text] = DiaryRow.Cell(
            value: .text("theirs"),
            stamp: DiaryStamp(time: row.lastStampTime + 1, device: DiaryDeviceID(bits: UUIDBits(high: 9, low: 9))))
        let page = DiaryReadPage(rows: [DiaryRowChange(id: entryID(1), row: row)], nextCursor: "c", isComplete: true, lastMutation: 3)
        try await file.take(page, at: file.position())
        #expect(try await file.rowBytes("shown") == file.rowBytes("base"))
        #expect(try await file.texts() == ["theirs"])
        #expect(try await file.status().pendingCount == 3)
        #expect(try await file.nextBatch()?.mutations == batch.mutations)
        let outcomes: [DiaryMutationResult.Outcome] = [.applied, .rejected(.diaryFull), .conflict]
        try await file.acknowledge(
            outcomes.enumerated().map { DiaryMutationResult(number: Int64($0.offset) + 1, outcome: $0.element) }, from: batch.device)
        #expect(try await file.outboxCount() == 0)
        #expect(try await file.rejected().map(\.mutation) == [batch.mutations[1].mutation])
        #expect(try await file.rowBytes("shown") == file.rowBytes("base"))
    }

    @Test("promise 14: results that arrive for a former name of the directory say nothing of its edits' new numbers")
    func formerName() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.diary("here")
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        _ = try await LocalDiaryRepository(file).save(content("text"), as: entryID(1))
        let former = try #require(try await file.nextBatch())
        try await file.becomeNewDevice()
        let batch = try #require(try await file.nextBatch())
        #expect(batch.device != former.device && batch.mutations == former.mutations)
        let before = try await file.content()
        try await file.acknowledge([DiaryMutationResult(number: 1, outcome: .rejected(.diaryFull))], from: former.device)
        #expect(try await file.content() == before)
    }

    @Test("B34: a directory of an earlier version is opened with its edits, and gives no place again")
    func earlierVersion() async throws {
        let directory = try TemporaryDirectory()
        var file = try directory.diary("here")
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        for number in 1...3 { _ = try await LocalDiaryRepository(file).save(content("text \(number)", at: Int64(number)), as: entryID(number)) }
        let batch = try #require(try await file.nextBatch())
        try await file.becomeVersion3()
        file = try directory.diary("here")
        #expect(try await file.texts() == ["text 3", "text 2", "text 1"])
        #expect(try await file.nextBatch()?.mutations == batch.mutations)
        _ = try await LocalDiaryRepository(file).save(content("text 4"), as: entryID(4))
        #expect(try await file.places() == [1, 2, 3, 5])
    }

    @Test("promise 12: a page that was read from another place, or for a former name, changes nothing")
    func latePage() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.diary("here")
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        _ = try await LocalDiaryRepository(file).save(content("text"), as: entryID(1))
        let page = { (cursor: String, isComplete: Bool) in DiaryReadPage(rows: [], nextCursor: cursor, isComplete: isComplete, lastMutation: 0) }
        let start = try await file.position()
        try await file.take(page("half", false), at: start)
        let half = try await file.position()
        #expect(half.cursor == "half")
        var before = try await file.content()
        // Another process has read on meanwhile.
        try await file.take(page("all", true), at: start)
        #expect(try await file.content() == before)
        try await file.becomeNewDevice()
        before = try await file.content()
        try await file.take(page("all", true), at: half)
        #expect(try await file.content() == before)
        try await file.take(page("all", true), at: file.position())
        #expect(try await file.position().cursor == "all")
    }

    @Test("promises 10, 18: edits that move to the server's time get another author, and later edits stay later than what the server has taken")
    func moved() async throws {
        let directory = try TemporaryDirectory()
        let clock = SimulatedClock(), ahead = WrongClock(clock, skew: .hours(20))
        let file = try directory.diary("here", clock: ahead)
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        let diary = LocalDiaryRepository(file)
        _ = try await diary.save(content("taken"), as: entryID(1))
        let batch = try #require(try await file.nextBatch())
        try await file.acknowledge([DiaryMutationResult(number: 1, outcome: .applied)], from: batch.device)
        _ = try await diary.save(content("waits"), as: entryID(2))
        let taken = try #require(try await file.shownRow(entryID(1)))[.text].stamp
        let before = try #require(try await file.shownRow(entryID(2)))[.text].stamp
        ahead.set(.hours(0))
        try await file.moveStamps(to: clock.now(), after: 1)
        let after = try #require(try await file.shownRow(entryID(2)))[.text].stamp
        // A copy of the directory may still have the former stamps.
        #expect(after.time <= clock.now().microseconds && after.device != before.device)
        _ = try await diary.update(entryID(1), DiaryChange(text: "later"), ifMatches: nil)
        let later = try #require(try await file.shownRow(entryID(1)))[.text].stamp
        #expect(later > taken)
    }

    @Test("a server that was restored from an earlier copy gets again what it had answered and a device still has, and the device goes on")
    func restored() async throws {
        let directory = try TemporaryDirectory()
        let clock = SimulatedClock()
        let server = try await SimulatedServer(directory: directory.path + "/server", clock: clock)
        let caller = try await server.caller(0)
        let file = try DiaryFile(directory: directory.path + "/here", clock: clock)
        try await file.attach(to: caller.userID)
        let network = SimulatedNetwork(user: caller.userID)
        network.connect { call in await server.answer(call, caller) }
        let diary = CombinedDiaryRepository(file, server: network)
        _ = try await diary.save(content("before", at: 1), as: entryID(1))
        try await diary.synchronize()
        let copy = try await server.copy()
        // The edit is sent and answered, and then the device's program ends.
        _ = try await diary.save(content("answered", at: 2), as: entryID(2))
        let batch = try #require(try await file.nextBatch())
        let results = try await network.push(batch.mutations, confirmed: batch.confirmed, from: batch.device).results
        try await file.acknowledge(results, from: batch.device)
        try await server.restart(from: copy)
        try await diary.synchronize()
        #expect(try await file.texts() == ["answered", "before"])
        #expect(try await file.status().pendingCount == 0)
        #expect(try await file.outboxCount() == 0)
        // The same with a later edit, which the server refuses because of the gap.
        _ = try await diary.save(content("answered too", at: 3), as: entryID(3))
        let next = try #require(try await file.nextBatch())
        try await file.acknowledge(try await network.push(next.mutations, confirmed: next.confirmed, from: next.device).results, from: next.device)
        _ = try await diary.save(content("not sent", at: 4), as: entryID(4))
        try await server.restart(from: copy)
        try await diary.synchronize()
        #expect(try await file.texts().prefix(2) == ["not sent", "answered too"])
        #expect(try await server.rows(of: caller.userID, for: file.status().device).values.filter { !$0.isDeleted }.count == file.texts().count)
        try await server.close()
    }
}

extension DiaryFile {
    /// The status, counted from the rows of the tables.
    func recount() throws(DiaryError) -> DiaryStatus {
        let state = try SyncState(database)
        let shown = try database.rows("SELECT row FROM shown") { $0.blob(0).flatMap(DiaryRow.init(bytes:)) }.compactMap(\.self)
        let waiting = try database.rows("SELECT made_time, outcome FROM outbox") { ($0.integer(0), $0.text(1)) }
            .filter { $0.1 == nil }.compactMap(\.0)
        return DiaryStatus(
            owner: state.owner, device: state.device, entryCount: Int64(shown.filter { !$0.isDeleted }.count), pendingCount: Int64(waiting.count),
            oldestPending: waiting.min().map(Timestamp.init(microseconds:)),
            rejectedCount: Int64(try database.rows("SELECT local_id FROM rejected") { $0.integer(0) }.count),
            conflictCount: Int64(shown.reduce(0) { $0 + $1.conflicts.count }),
            imageCount: Int64(Set(try database.rows("SELECT sha256 FROM image_use") { $0.blob(0) }).count),
            wantedImageCount: Int64(try wantedImages().count),
            held: nil, damagedCount: Int64(try database.rows("SELECT bytes FROM damaged") { $0.blob(0) }.count), lastSync: state.lastSync)
    }

    /// Makes the tables those of version 3, in which the outbox has had a fourth edit.
    func becomeVersion3() throws(DiaryError) {
        for statement in [
            """
            CREATE TABLE outbox_3 (
                local_id INTEGER PRIMARY KEY AUTOINCREMENT, entry_id BLOB NOT NULL, number INTEGER UNIQUE, mutation BLOB NOT NULL, outcome TEXT,
                made_time INTEGER NOT NULL, held TEXT
            ) STRICT
            """,
            "INSERT INTO outbox_3 SELECT local_id, entry_id, number, mutation, outcome, made_time, held FROM outbox",
            "INSERT INTO outbox_3 (entry_id, mutation, made_time) VALUES (zeroblob(16), zeroblob(40), 1)",
            "DELETE FROM outbox_3 WHERE local_id = 4",
            "DROP TABLE outbox",
            "ALTER TABLE outbox_3 RENAME TO outbox",
            "CREATE INDEX outbox_by_entry ON outbox (entry_id)",
            "CREATE INDEX outbox_waiting ON outbox (number, local_id) WHERE outcome IS NULL",
            "ALTER TABLE sync_state DROP COLUMN next_place",
            "ALTER TABLE sync_state DROP COLUMN is_restored",
            "ALTER TABLE sync_state DROP COLUMN uncounted_through",
            "PRAGMA user_version = 3",
        ] { try database.run(statement) }
    }

    /// The places of the edits in the outbox.
    func places() throws(DiaryError) -> [Int64?] { try database.rows("SELECT local_id FROM outbox ORDER BY local_id") { $0.integer(0) } }

    /// Adds one edit of this length.
    func fillOutbox(bytes: Int64) throws(DiaryError) {
        forgetOutboxSize()
        try database.run(
            """
            INSERT INTO outbox (local_id, entry_id, mutation, made_time)
            SELECT next_place, zeroblob(16), zeroblob(\(bytes)), 1 FROM sync_state
            """)
        try database.run("UPDATE sync_state SET next_place = next_place + 1")
    }

    /// Fills the outbox with the maximum number of edits.
    func fillOutbox() throws(DiaryError) {
        forgetOutboxSize()
        try database.run(
            """
            WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.maximumOutboxCount))
            INSERT INTO outbox (entry_id, mutation, made_time) SELECT zeroblob(16), zeroblob(40), 1 FROM n
            """)
    }
}
