import Foundation
import PulseBoardDomain
import PulseBoardVocabulary
import Synchronization
import Testing

@testable import PulseBoardDiary

/// A directory does not read its own changes back if nobody else has changed the diary.
@Suite("A diary's own changes") struct OwnChangesTests {
    @Test(
        "promises 11, 12: own changes are not read back, and the base has the server's bytes; after changes of others they are", arguments: [1, 100])
    func notReadBack(editsPerPush: Int) async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let server = ObservedServer(account.client)
        let here = try DiaryFile(
            directory: directory.path + "/here", clock: SystemWallClock(), random: SystemRandomSource(), editsPerPush: editsPerPush)
        let there = try directory.diary("there")
        for file in [here, there] { try await file.attach(to: account.user) }
        let diary = CombinedDiaryRepository(here, server: server), other = CombinedDiaryRepository(there, server: account.client)
        for number in 1...5 { _ = try await diary.save(content("text \(number)", at: Int64(number)), as: entryID(number)) }
        _ = try await diary.update(entryID(1), DiaryChange(text: "changed"), ifMatches: nil)
        try await diary.delete(entryID(2))
        try await diary.synchronize()
        #expect(server.rows == 0)
        try await check(here, against: account)
        // Each of the later edits finds the cursor of the one before it.
        _ = try await diary.update(entryID(3), DiaryChange(text: "changed too"), ifMatches: nil)
        try await diary.synchronize()
        #expect(server.rows == 0)
        try await check(here, against: account)
        // Another device changes one of two fields that this one changes too.
        try await other.synchronize()
        _ = try await other.update(entryID(3), DiaryChange(emotion: "happy"), ifMatches: nil)
        try await other.synchronize()
        _ = try await diary.update(entryID(3), DiaryChange(emotion: "calm", text: "together"), ifMatches: nil)
        try await diary.synchronize()
        #expect(server.rows > 0)
        try await check(here, against: account)
        try await board.close()
    }

    /// Compares a base with that of a new directory, which reads everything.
    private func check(_ file: DiaryFile, against account: Account) async throws {
        let directory = try TemporaryDirectory()
        let fresh = try directory.diary("fresh")
        try await fresh.attach(to: account.user)
        try await CombinedDiaryRepository(fresh, server: account.client).synchronize()
        #expect(try await file.rowBytes("base") == fresh.rowBytes("base"))
        #expect(try await file.rowBytes("shown") == fresh.rowBytes("shown"))
        #expect(try await file.outboxSize().count == 0)
    }

    /// A directory with an entry that the server has, and its edits.
    private func prepared(
        _ directory: TemporaryDirectory, _ row: DiaryRow?, _ clock: any WallClock = TestClock()
    ) async throws -> DiaryFile {
        let file = try directory.diary("here", clock: clock)
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        let rows = row.map { [DiaryRowChange(id: entryID(1), row: $0)] } ?? []
        try await file.take(DiaryReadPage(rows: rows, nextCursor: "a", isComplete: true, lastMutation: 0), at: file.position())
        return file
    }

    private func acknowledge(
        _ batch: DiaryBatch, _ outcomes: [DiaryMutationResult.Outcome], from before: String, in file: DiaryFile
    ) async throws {
        let results = zip(batch.mutations, outcomes).map { DiaryMutationResult(number: $0.number, outcome: $1) }
        let reply = DiaryPushReply(results: results, span: DiaryPushReply.Span(before: before, after: "b"))
        try await file.acknowledge(DiaryAnsweredBatch(batch: batch, reply: reply))
    }

    @Test("promise 14: a refused edit moves to the refused ones with the answer, and what is shown is what the server has")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        let file = try await prepared(directory, nil)
        let diary = LocalDiaryRepository(file)
        for number in 1...2 { _ = try await diary.save(content("text \(number)", at: Int64(number)), as: entryID(number)) }
        let batch = try #require(try await file.nextBatch())
        try await acknowledge(batch, [.rejected(.diaryFull), .applied], from: "a", in: file)
        #expect(try await file.texts() == ["text 2"])
        let rejected = try await file.rejected()
        #expect(rejected.map(\.mutation) == [batch.mutations[0].mutation] && rejected.map(\.reason) == ["DIARY_FULL"])
        #expect(try await file.rowBytes("base") == file.rowBytes("shown"))
        #expect(try await file.outboxSize().count == 0)
        #expect(try await file.checkpoint() == "b")
    }

    @Test(
        "promise 12: results without the cursor of the base, or with a page that waits for the rest of its checkpoint, change only the outbox",
        arguments: [false, true])
    func elsewhere(isStaged: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = try await prepared(directory, nil)
        _ = try await LocalDiaryRepository(file).save(content("text"), as: entryID(1))
        let batch = try #require(try await file.nextBatch())
        if isStaged {
            try await file.take(DiaryReadPage(rows: [], nextCursor: "half", isComplete: false, lastMutation: 0), at: file.position())
        }
        let position = try await file.position()
        try await acknowledge(batch, [.applied], from: isStaged ? "a" : "another", in: file)
        #expect(try await file.rowBytes("base").isEmpty)
        #expect(try await file.position().hasSamePage(as: position))
        #expect(try await file.outboxSize().count == 1)
        #expect(try await file.texts() == ["text"])
    }

    @Test("promise 7: an edit whose number a copy has used is shown when the directory has a new name, and stays so when it has been sent")
    func usedNumber() async throws {
        let directory = try TemporaryDirectory()
        let file = try await prepared(directory, nil)
        let diary = LocalDiaryRepository(file)
        _ = try await diary.save(content("text"), as: entryID(1))
        _ = try await file.nextBatch()
        // The copy has sent an edit with the same number.
        try await file.take(DiaryReadPage(rows: [], nextCursor: "c", isComplete: true, lastMutation: 1), at: file.position())
        #expect(try await file.texts().isEmpty)
        try await file.becomeNewDevice()
        #expect(try await file.texts() == ["text"])
        try await file.take(DiaryReadPage(rows: [], nextCursor: "d", isComplete: true, lastMutation: 0), at: file.position())
        let batch = try #require(try await file.nextBatch())
        try await acknowledge(batch, [.applied], from: "d", in: file)
        #expect(try await file.checkpoint() == "b")
        #expect(try await file.rowBytes("base").count == 1)
        #expect(try await file.rowBytes("shown") == file.rowBytes("base"))
    }

    @Test("promise 14: an edit that the server has refused of a copy of the directory is not shown when this directory hears of it")
    func refusedOfCopy() async throws {
        let directory = try TemporaryDirectory()
        let file = try await prepared(directory, nil)
        _ = try await LocalDiaryRepository(file).save(content("text"), as: entryID(1))
        // The copy has sent the same edit with the same number, and the refusal changed nothing.
        try await file.take(DiaryReadPage(rows: [], nextCursor: "c", isComplete: true, lastMutation: 1), at: file.position())
        let batch = try #require(try await file.nextBatch())
        #expect(batch.mutations.map(\.number) == [1])
        try await file.acknowledge([DiaryMutationResult(number: 1, outcome: .rejected(.imageNotStaged))], from: batch.device)
        #expect(try await file.texts().isEmpty)
        #expect(try await file.rejected().map(\.mutation) == [batch.mutations[0].mutation])
    }

    @Test("promise 8: an answer that comes months later tells when it was asked for, so a deletion meanwhile is not taken for a loss")
    func lateAnswer() async throws {
        let directory = try TemporaryDirectory()
        let clock = TestClock()
        let file = try await prepared(directory, nil, clock)
        _ = try await LocalDiaryRepository(file).save(content("text"), as: entryID(1))
        let batch = try #require(try await file.nextBatch())
        // The machine sleeps. Meanwhile another device deletes the entry, and the server forgets the deletion.
        clock.advance(.days(100))
        try await acknowledge(batch, [.applied], from: "a", in: file)
        #expect(try await file.checkpoint() == "b")
        try await file.beginAgain()
        try await file.take(DiaryReadPage(rows: [], nextCursor: "z", isComplete: true, lastMutation: 1), at: file.position())
        #expect(try await file.texts().isEmpty)
        #expect(try await file.outboxCount() == 0)
    }

    @Test("promise 12: the edit of a deleted entry that the server may have forgotten is read back")
    func forgotten() async throws {
        let directory = try TemporaryDirectory()
        var row: DiaryRow?
        let author = DiaryDeviceID(bits: UUIDBits(high: 9, low: 9))
        _ = DiaryMerge.apply(DiaryMutation(entryID: entryID(1), stamp: DiaryStamp(time: 5, device: author), kind: .create(content("x"))), to: &row)
        let file = try await prepared(directory, row)
        _ = try await LocalDiaryRepository(file).update(entryID(1), DiaryChange(text: "later"), ifMatches: nil)
        // Another device deletes the entry meanwhile.
        row = DiaryRow(createTime: Timestamp(microseconds: 5), isDeleted: true)
        let rows = [DiaryRowChange(id: entryID(1), row: try #require(row))]
        try await file.take(DiaryReadPage(rows: rows, nextCursor: "c", isComplete: true, lastMutation: 0), at: file.position())
        let batch = try #require(try await file.nextBatch())
        try await acknowledge(batch, [.conflict], from: "c", in: file)
        #expect(try await file.checkpoint() == "c")
        #expect(try await file.outboxSize().count == 1)
    }
}
