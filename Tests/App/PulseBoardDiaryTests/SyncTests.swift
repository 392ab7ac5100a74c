import Foundation
import PulseBoardDomain
import PulseBoardVocabulary
import Synchronization
import Testing

@testable import PulseBoardDiary

/// A directory synchronises with its server over a socket.
@Suite("Diary synchronisation") struct SyncTests {
    @Test("B33, B34, B36: what was written without an account is uploaded once, restored on another device, and changes travel both ways")
    func growth() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let here = try directory.diary("here"), there = try directory.diary("there")
        let local = LocalDiaryRepository(here)
        for number in 1...3 { _ = try await local.save(content("local \(number)", at: Int64(number)), as: entryID(number)) }
        try await local.delete(entryID(3))
        let written = try await local.entry(entryID(1))
        #expect(try await here.status().pendingCount == 0)
        let account = try await board.enter("minji")
        for _ in 0..<2 { try await here.attach(to: account.user) }
        #expect(try await here.texts() == ["local 2", "local 1"])
        let combined = CombinedDiaryRepository(here, server: account.client)
        for _ in 0..<2 { try await combined.synchronize() }
        try await there.attach(to: account.user)
        let other = CombinedDiaryRepository(there, server: account.client)
        try await other.synchronize()
        #expect(try await there.texts() == ["local 2", "local 1"])
        #expect(try await other.entry(entryID(1)).createTime == written.createTime)
        _ = try await other.update(entryID(1), DiaryChange(text: "changed"), ifMatches: nil)
        try await other.delete(entryID(2))
        try await other.synchronize()
        try await combined.synchronize()
        #expect(try await here.texts() == ["changed"])
        #expect(try await here.rowBytes("base") == there.rowBytes("base"))
        // A third, empty directory gets everything.
        let third = try directory.diary("third")
        try await third.attach(to: account.user)
        try await CombinedDiaryRepository(third, server: account.client).synchronize()
        #expect(try await third.texts() == ["changed"])
        try await board.close()
    }

    @Test("promise 1: saving works with every call failing, and what was saved is there after opening again")
    func offline() async throws {
        let directory = try TemporaryDirectory()
        do {
            let file = try directory.diary("here")
            try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
            let combined = CombinedDiaryRepository(file, server: NoServer())
            _ = try await combined.save(content("offline"), as: entryID(1))
            await #expect(throws: DiaryError.unavailable(detail: "no server")) { try await combined.synchronize() }
            #expect(try await file.texts() == ["offline"])
        }
        let again = try directory.diary("here")
        #expect(try await again.texts() == ["offline"])
        #expect(try await again.status().pendingCount == 1)
    }

    @Test("promise 7: own writes show at once, and neither an acknowledgement nor a checkpoint changes what is shown")
    func shown() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here")
        try await file.attach(to: account.user)
        let diary = CombinedDiaryRepository(file, server: account.client)
        _ = try await diary.save(content("one"), as: entryID(1))
        let shown = try await diary.update(entryID(1), DiaryChange(text: "two"), ifMatches: nil)
        let bytes = try await file.rowBytes("shown")
        let device = try #require(try await file.deviceToRegister())
        try await account.client.register(device, name: "")
        try await file.didRegister(device)
        let batch = try #require(try await file.nextBatch())
        try await file.acknowledge(
            try await account.client.push(batch.mutations, confirmed: batch.confirmed, from: batch.device).results, from: batch.device)
        #expect(try await file.rowBytes("shown") == bytes)
        try await diary.synchronize()
        #expect(try await file.rowBytes("shown") == bytes)
        #expect(try await diary.entry(entryID(1)) == shown)
        #expect(try await file.outboxCount() == 0)
        try await board.close()
    }

    @Test(
        "promises 9, 10: two devices that edit one entry unseen: the later edit wins everywhere, the other is in every list of conflicts until it is settled")
    func conflicts() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let files = [try directory.diary("here"), try directory.diary("there")]
        var diaries: [CombinedDiaryRepository] = []
        for file in files {
            try await file.attach(to: account.user)
            diaries.append(CombinedDiaryRepository(file, server: account.client))
        }
        _ = try await diaries[0].save(content("start"), as: entryID(1))
        _ = try await diaries[0].save(content("start 2", at: -1), as: entryID(2))
        for diary in diaries { try await diary.synchronize() }
        _ = try await diaries[0].update(entryID(1), DiaryChange(text: "early"), ifMatches: nil)
        _ = try await diaries[1].update(entryID(1), DiaryChange(text: "late"), ifMatches: nil)
        _ = try await diaries[1].update(entryID(2), DiaryChange(text: "unseen"), ifMatches: nil)
        try await diaries[0].delete(entryID(2))
        // The later edit arrives first.
        for diary in [diaries[1], diaries[0], diaries[1]] { try await diary.synchronize() }
        for file in files {
            #expect(try await file.texts() == ["late"])
            #expect(try await file.conflicts().map { $0.row.conflicts.map(\.value) } == [[.text("early")], [.text("unseen")]])
            #expect(try await file.status().conflictCount == 2)
        }
        let lost = try #require(try await files[0].conflicts().first?.row.conflicts.first)
        try await files[0].settle(entryID(1), lost.fieldStamp, taking: true)
        // The text of the deleted entry is taken into a new one.
        let other = try #require(try await files[1].conflicts().last?.row.conflicts.first)
        let new = try #require(try await files[1].settle(entryID(2), other.fieldStamp, taking: true))
        for diary in [diaries[0], diaries[1], diaries[0]] { try await diary.synchronize() }
        for file in files {
            #expect(try await Set(file.texts()) == ["early", "unseen"])
            #expect(try await file.entry(new).content.text == "unseen")
            #expect(try await file.conflicts().isEmpty)
        }
        try await files[0].delete(new)
        #expect(try await files[0].texts() == ["early"])
        try await diaries[0].synchronize()
        try await diaries[1].synchronize()
        #expect(try await files[0].rowBytes("base") == files[1].rowBytes("base"))
        try await board.close()
    }

    @Test("promises 14, 20: a rejected edit is listed with its text, the next lands, and every count of the status is a recount")
    func rejected() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here")
        try await file.attach(to: account.user)
        let diary = CombinedDiaryRepository(file, server: account.client)
        _ = try await diary.save(content("first"), as: entryID(1))
        // This bypasses the library's own check, as a later version might.
        let bad = DiaryMutation(
            entryID: entryID(2), stamp: DiaryStamp(time: 5, device: DiaryDeviceID(bits: UUIDBits(high: 1, low: 1))),
            kind: .create(content("kept", emotion: "NOT")))
        try await file.addUnchecked(bad)
        _ = try await diary.save(content("third"), as: entryID(3))
        #expect(try await file.status().pendingCount == 3)
        try await diary.synchronize()
        #expect(try await file.rejected() == [RejectedDiaryMutation(number: 2, mutation: bad, reason: "EMOTION_INVALID")])
        let status = try await file.status()
        #expect(status.pendingCount == 0 && status.rejectedCount == 1 && status.entryCount == 2 && status.oldestPending == nil)
        #expect(status.lastSync != nil)
        #expect(try await account.client.entries(.all, PageRequest()).entries.count == 2)
        try await board.close()
    }

    @Test("X1, promise 16: a directory that belongs to one account is not attached to another, and sends it nothing")
    func accounts() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let minji = try await board.enter("minji"), jisoo = try await board.enter("jisoo")
        let file = try directory.diary("here")
        try await file.attach(to: minji.user)
        _ = try await LocalDiaryRepository(file).save(content("private"), as: entryID(1))
        await #expect(throws: DiaryError.otherAccount) { try await file.attach(to: jisoo.user) }
        #expect(try await file.owner() == minji.user)
        await #expect(throws: DiaryError.otherAccount) { try await CombinedDiaryRepository(file, server: jisoo.client).synchronize() }
        // A directory without an account does not replace its entries by a diary either.
        let own = try directory.diary("own")
        _ = try await LocalDiaryRepository(own).save(content("own"), as: entryID(2))
        await #expect(throws: DiaryError.notAttached) { try await CombinedDiaryRepository(own, server: jisoo.client).synchronize() }
        #expect(try await own.texts() == ["own"])
        #expect(try await jisoo.client.entries(.all, PageRequest()).entries.isEmpty)
        // With the other account's token, the device is unknown, so nothing can be read.
        await #expect(throws: DiaryError.diary(.deviceUnknown)) {
            try await jisoo.client.pull(after: "", for: DiaryDeviceID(bits: UUIDBits(high: 3, low: 3)))
        }
        try await board.close()
    }

    @Test("promise 18: a clock that was put back stays past edits that the server has taken and no checkpoint has shown")
    func acknowledgedClock() async throws {
        let directory = try TemporaryDirectory()
        let clock = TestClock()
        let begin = clock.now()
        let file = try directory.diary("here", clock: clock)
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        let diary = LocalDiaryRepository(file)
        clock.advance(.hours(20))
        _ = try await diary.save(content("taken"), as: entryID(1))
        let batch = try #require(try await file.nextBatch())
        try await file.acknowledge([DiaryMutationResult(number: 1, outcome: .applied)], from: batch.device)
        let taken = try #require(batch.mutations.first).mutation.stamp
        clock.advance(.days(2))
        _ = try await diary.save(content("ahead"), as: entryID(2))
        clock.advance(.hours(-68))
        try await file.moveStamps(to: begin, after: 1)
        #expect(try #require(try await file.shownRow(entryID(2)))[.text].stamp.time < taken.time)
        _ = try await diary.update(entryID(1), DiaryChange(text: "later"), ifMatches: nil)
        #expect(try #require(try await file.shownRow(entryID(1)))[.text].stamp > taken)
    }

    @Test("promise 18: a device whose clock is two days ahead moves its edits to the server's time, and all of them arrive")
    func skewed() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let clock = TestClock(SystemWallClock().now().advanced(by: .days(2)))
        let file = try directory.diary("ahead", clock: clock), plain = try directory.diary("plain")
        for one in [file, plain] { try await one.attach(to: account.user) }
        let diary = CombinedDiaryRepository(file, server: account.client)
        _ = try await diary.save(content("one"), as: entryID(1))
        _ = try await diary.update(entryID(1), DiaryChange(text: "two"), ifMatches: nil)
        try await diary.synchronize()
        let other = CombinedDiaryRepository(plain, server: account.client)
        try await other.synchronize()
        #expect(try await plain.texts() == ["two"])
        #expect(try await plain.conflicts().isEmpty)
        _ = try await other.update(entryID(1), DiaryChange(text: "three"), ifMatches: nil)
        for one in [other, diary] { try await one.synchronize() }
        #expect(try await file.texts() == ["three"])
        #expect(try await file.conflicts().isEmpty)
        try await board.close()
    }

    @Test("promise 18: with a clock that stays two days ahead, edits that are made while others are sent arrive in the same run")
    func skewedMeanwhile() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("ahead", clock: TestClock(SystemWallClock().now().advanced(by: .days(2))))
        try await file.attach(to: account.user)
        let diary = LocalDiaryRepository(file)
        _ = try await diary.save(content("0", at: 0), as: entryID(0))
        let number = Mutex(0)
        let server = ObservedServer(account.client) {
            let next = number.withLock { number in
                number += 1
                return number
            }
            if next < 20 { _ = try? await diary.save(content("\(next)", at: Int64(next)), as: entryID(next)) }
        }
        try await CombinedDiaryRepository(file, server: server).synchronize()
        #expect(try await file.status().pendingCount == 0)
        #expect(try await account.client.entries(.all, PageRequest()).entries.map(\.content.text) == (0..<20).reversed().map { "\($0)" })
        try await board.close()
    }

    @Test("promise 18: an edit is later than every edit that its device has taken from the server, although that one's clock is ahead")
    func pulledClock() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let ahead = try directory.diary("ahead", clock: TestClock(SystemWallClock().now().advanced(by: .hours(20))))
        let plain = try directory.diary("plain")
        for file in [ahead, plain] { try await file.attach(to: account.user) }
        let diaries = [ahead, plain].map { CombinedDiaryRepository($0, server: account.client) }
        _ = try await diaries[0].save(content("ahead"), as: entryID(1))
        for diary in diaries { try await diary.synchronize() }
        let first = try #require(try await plain.shownRow(entryID(1)))[.text].stamp
        _ = try await diaries[1].update(entryID(1), DiaryChange(text: "plain"), ifMatches: nil)
        let second = try #require(try await plain.shownRow(entryID(1)))[.text].stamp
        #expect(second > first)
        #expect(second.time == first.time + 1)
        try await board.close()
    }

    @Test("B33: a device that follows has another device's entry without asking")
    func following() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let here = try directory.diary("here"), there = try directory.diary("there")
        for file in [here, there] { try await file.attach(to: account.user) }
        let follower = CombinedDiaryRepository(there, server: account.client), writer = CombinedDiaryRepository(here, server: account.client)
        var changes = try await follower.changes().makeAsyncIterator()
        let task = Task { try await follower.follow() }
        _ = try await writer.save(content("live"), as: entryID(1))
        try await writer.synchronize()
        while try await there.texts() != ["live"] { _ = await changes.next() }
        task.cancel()
        _ = await task.result
        try await board.close()
    }

    @Test("B33: a device that follows sends what its own program writes, without being asked")
    func followingSends() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let here = try directory.diary("here"), there = try directory.diary("there")
        for file in [here, there] { try await file.attach(to: account.user) }
        let writer = CombinedDiaryRepository(here, server: account.client), reader = CombinedDiaryRepository(there, server: account.client)
        let tasks = [writer, reader].map { diary in Task { try await diary.follow() } }
        var changes = try await reader.changes().makeAsyncIterator()
        for number in 1...3 {
            _ = try await writer.save(content("live \(number)", at: Int64(number)), as: entryID(number))
            while try await there.texts().first != "live \(number)" { _ = await changes.next() }
        }
        for task in tasks {
            task.cancel()
            _ = await task.result
        }
        try await board.close()
    }

    @Test("B33: a device that follows sends what another program writes into its directory, and looks after a minute even if nothing happens")
    func followingOthers() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let here = try directory.diary("here"), there = try directory.diary("there")
        for file in [here, there] { try await file.attach(to: account.user) }
        let (looks, look) = AsyncStream<Void>.makeStream()
        let (runs, run) = AsyncStream<Void>.makeStream()
        let sync = DiarySync(here, server: account.client) { _ in
            var looks = looks.makeAsyncIterator()
            guard await looks.next() != nil else { throw CancellationError() }
        }
        let task = Task { try await sync.follow { run.yield() } }
        var iterator = runs.makeAsyncIterator()
        // The first run, and the one for the watch's first page.
        for _ in 0..<2 { _ = await iterator.next() }
        // Another connection to the directory, as of another program.
        let other = try directory.diary("here")
        _ = try await LocalDiaryRepository(other).save(content("from outside"), as: entryID(1))
        look.yield()
        while try await other.status().pendingCount > 0 { _ = await iterator.next() }
        let reader = CombinedDiaryRepository(there, server: account.client)
        try await reader.synchronize()
        #expect(try await there.texts() == ["from outside"])
        let before = try #require(try await here.status().lastSync)
        for _ in 0..<60 { look.yield() }
        while try await here.status().lastSync == before { _ = await iterator.next() }
        task.cancel()
        look.finish()
        _ = await task.result
        try await board.close()
    }

    @Test("B34: a directory is attached only when the server has registered it, and then sends nothing twice")
    func attaching() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji"), other = try await board.enter("jisoo")
        let file = try directory.diary("here")
        _ = try await LocalDiaryRepository(file).save(content("local"), as: entryID(1))
        await #expect(throws: DiaryError.unavailable(detail: "no server")) { try await CombinedDiaryRepository(file, server: NoServer()).attach() }
        #expect(try await file.owner() == nil)
        let diary = CombinedDiaryRepository(file, server: account.client)
        for _ in 0..<2 { try await diary.attach() }
        await #expect(throws: DiaryError.otherAccount) { try await CombinedDiaryRepository(file, server: other.client).attach() }
        try await diary.synchronize()
        #expect(try await account.client.entries(.all, PageRequest()).entries.map(\.content.text) == ["local"])
        #expect(try await account.client.devices().map(\.id) == [try await file.status().device])
        #expect(try await other.client.devices().isEmpty)
        try await account.client.remove(file.status().device)
        #expect(try await account.client.devices().isEmpty)
        try await board.close()
    }

    @Test("promise 18: an edit of what a device ahead has written stays the later one, also after its stamp has moved to the server's time")
    func movedClock() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let first = try directory.diary("first", clock: TestClock(SystemWallClock().now().advanced(by: .hours(20))))
        let second = try directory.diary("second", clock: TestClock(SystemWallClock().now().advanced(by: .days(2))))
        for file in [first, second] { try await file.attach(to: account.user) }
        let diaries = [first, second].map { CombinedDiaryRepository($0, server: account.client) }
        _ = try await diaries[0].save(content("ahead"), as: entryID(1))
        for diary in diaries { try await diary.synchronize() }
        let before = try #require(try await second.shownRow(entryID(1)))[.text].stamp
        _ = try await diaries[1].update(entryID(1), DiaryChange(text: "two days ahead"), ifMatches: nil)
        for diary in [diaries[1], diaries[0]] { try await diary.synchronize() }
        let after = try #require(try await first.shownRow(entryID(1)))[.text]
        #expect(after.value == .text("two days ahead"))
        #expect(after.stamp > before)
        try await board.close()
    }

    @Test("one process synchronises a directory at a time")
    func busy() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.diary("here")
        try await file.attach(to: NoServer().user)
        let lock = try FileLock.take(directory.path + "/here/sync.lock")
        await #expect(throws: DiaryError.busy) { try await DiarySync(file, server: NoServer()).run() }
        withExtendedLifetime(lock) {}
    }
}

/// A server that cannot be reached.
private struct NoServer: DiaryServer {
    let user = UserID(bits: UUIDBits(high: 1, low: 1))
    func register(_ device: DiaryDeviceID, name: String) async throws(DiaryError) { throw .unavailable(detail: "no server") }
    func push(
        _ mutations: [NumberedDiaryMutation], confirmed: Int64, from device: DiaryDeviceID
    ) async throws(DiaryError) -> DiaryPushReply { throw .unavailable(detail: "no server") }
    func pull(after cursor: String, for device: DiaryDeviceID) async throws(DiaryError) -> DiaryReadPage { throw .unavailable(detail: "no server") }
    func missingImages(_ hashes: [DiaryImageHash]) async throws(DiaryError) -> [DiaryImageHash] { throw .unavailable(detail: "no server") }
    func upload(_ image: DiaryImage, _ bytes: [UInt8]) async throws(DiaryError) { throw .unavailable(detail: "no server") }
    func download(_ image: DiaryImage) async throws(DiaryError) -> [UInt8] { throw .unavailable(detail: "no server") }
    func watch(
        after cursor: String, for device: DiaryDeviceID, _ changed: @Sendable () async throws(DiaryError) -> Void
    ) async throws(DiaryError) { throw .unavailable(detail: "no server") }
}

extension DiaryFile {
    /// The rows of a table as they are stored, without the tombstones that nobody needs any more.
    func rowBytes(_ table: String) throws(DiaryError) -> [String: [UInt8]] {
        let rows = try database.rows("SELECT entry_id, row FROM \(table)") { ($0.entryID(0)?.description ?? "", $0.blob(1) ?? []) }
        return Dictionary(uniqueKeysWithValues: rows).filter { _, bytes in
            DiaryRow(bytes: bytes).map { !$0.isDeleted || !$0.conflicts.isEmpty } ?? true
        }
    }

    /// How many edits the outbox has, with those that do not count towards its limits.
    func outboxCount() throws(DiaryError) -> Int64 {
        try database.rows("SELECT count(*) FROM outbox") { $0.integer(0) }.first.flatMap(\.self) ?? 0
    }

    /// Adds an edit to the outbox as it is.
    func addUnchecked(_ mutation: DiaryMutation) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            try enqueue(mutation, &state)
            try state.save(database)
        }
    }

    /// Makes the bytes of a row unreadable.
    func damage(_ id: DiaryEntryID, in table: String = "shown") throws(DiaryError) {
        try database.run("UPDATE \(table) SET row = x'00FF' WHERE entry_id = ?", .blob(id.bits.bytes))
    }

    /// Makes the bytes of the edit at a place unreadable.
    func damageEdit(_ place: Int64) throws(DiaryError) {
        try database.run("UPDATE outbox SET mutation = x'00FF' WHERE local_id = ?", .integer(place))
    }

    /// Makes the bytes of a refused edit unreadable.
    func damageRejected(_ number: Int64) throws(DiaryError) {
        try database.run("UPDATE rejected SET mutation = x'00FF' WHERE local_id = ?", .integer(number))
    }

    /// The rows that were put aside, by place and entry.
    func putAside() throws(DiaryError) -> [String] {
        try database.rows("SELECT place, entry_id FROM damaged WHERE bytes = x'00FF' ORDER BY damaged_id") { row in
            "\(row.text(0) ?? "") \(row.entryID(1)?.description ?? "")"
        }
    }
}
