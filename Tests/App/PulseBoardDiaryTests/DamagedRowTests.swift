import Foundation
import PulseBoardDomain
import Testing

@testable import PulseBoardDiary

/// Directories with rows that cannot be read. They block nothing.
@Suite("Damaged rows of a diary") struct DamagedRowTests {
    @Test("X17, promise 19: a damaged row is told by its id, and all others are listed")
    func damaged() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.diary("here")
        let diary = LocalDiaryRepository(file)
        for number in 1...3 { _ = try await diary.save(content("text \(number)", at: Int64(number)), as: entryID(number)) }
        for table in ["base", "shown"] { try await file.damage(entryID(2), in: table) }
        let page = try await diary.entries(.all, PageRequest())
        #expect(page.entries.map(\.id) == [entryID(3), entryID(1)])
        #expect(page.damaged == [entryID(2)])
        await #expect(throws: DiaryError.damaged(entryID(2))) { try await diary.entry(entryID(2)) }
    }

    @Test("X17, promise 19: a damaged row of the base is put aside, read again from the server, and stops no synchronisation")
    func damagedBase() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        // Its stamps are moved, which reads the base.
        let clock = TestClock(SystemWallClock().now().advanced(by: .days(2)))
        let file = try directory.diary("here", clock: clock), plain = try directory.diary("plain")
        for one in [file, plain] { try await one.attach(to: account.user) }
        let diary = CombinedDiaryRepository(file, server: account.client), other = CombinedDiaryRepository(plain, server: account.client)
        for number in 1...3 { _ = try await other.save(content("text \(number)", at: Int64(number)), as: entryID(number)) }
        for one in [other, diary] { try await one.synchronize() }
        _ = try await diary.update(entryID(2), DiaryChange(text: "changed"), ifMatches: nil)
        try await file.damage(entryID(2), in: "base")
        for one in [diary, other] { try await one.synchronize() }
        #expect(try await plain.texts() == ["text 3", "changed", "text 1"])
        #expect(try await file.rowBytes("base") == plain.rowBytes("base"))
        #expect(try await file.rowBytes("shown") == plain.rowBytes("base"))
        #expect(try await file.status().damagedCount == 1)
        #expect(try await file.putAside() == ["base \(entryID(2))"])
        #expect(try await file.conflicts().isEmpty)
        try await board.close()
    }

    @Test("X17, promise 19: a damaged edit is made again from what is shown, and is sent with all others", arguments: [1, 2, 3, 4])
    func damagedEdit(place: Int64) async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here"), plain = try directory.diary("plain")
        for one in [file, plain] { try await one.attach(to: account.user) }
        let diary = CombinedDiaryRepository(file, server: account.client), other = CombinedDiaryRepository(plain, server: account.client)
        _ = try await diary.save(content("first"), as: entryID(1))
        _ = try await diary.update(entryID(1), DiaryChange(text: "second"), ifMatches: nil)
        _ = try await diary.save(content("gone", at: 1), as: entryID(2))
        try await diary.delete(entryID(2))
        try await file.damageEdit(place)
        for one in [diary, other] { try await one.synchronize() }
        for one in [file, plain] {
            #expect(try await one.texts() == ["second"])
            #expect(try await one.conflicts().isEmpty)
        }
        #expect(try await file.rowBytes("base") == plain.rowBytes("base"))
        // The fourth is a deletion. When it is made again, what was put aside of its entry is forgotten.
        #expect(try await file.status().damagedCount == (place == 4 ? 0 : 1))
        try await board.close()
    }

    @Test("X17, B34: a diary with a damaged row is attached with everything that can be read")
    func damagedBefore() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here")
        for number in 1...3 { _ = try await LocalDiaryRepository(file).save(content("text \(number)", at: Int64(number)), as: entryID(number)) }
        for number in 1...2 { try await file.damage(entryID(number), in: "base") }
        try await file.damage(entryID(1))
        try await file.attach(to: account.user)
        try await CombinedDiaryRepository(file, server: account.client).synchronize()
        #expect(try await account.client.entries(.all, PageRequest()).entries.map(\.content.text) == ["text 3", "text 2"])
        #expect(try await file.putAside() == ["base \(entryID(1))", "base \(entryID(2))"])
        try await board.close()
    }

    @Test("X17, promise 19: a damaged shown row is made again from the base and the outbox, wherever it is read first", arguments: [false, true])
    func damagedShown(hasAccount: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.diary("here")
        if hasAccount { try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1))) }
        let diary = LocalDiaryRepository(file)
        for number in 1...3 { _ = try await diary.save(content("text \(number)", at: Int64(number)), as: entryID(number)) }
        let rows = try await file.rowBytes("shown")
        try await file.damage(entryID(2))
        #expect(try await diary.entries(.all, PageRequest()).entries.map(\.id) == [entryID(3), entryID(2), entryID(1)])
        try await file.damage(entryID(1))
        #expect(try await diary.entry(entryID(1)).content.text == "text 1")
        #expect(try await file.rowBytes("shown") == rows)
        #expect(try await file.putAside() == ["shown \(entryID(2))", "shown \(entryID(1))"])
        try await file.damage(entryID(3))
        #expect(try await diary.update(entryID(3), DiaryChange(text: "changed"), ifMatches: nil).content.text == "changed")
        #expect(try await file.status().damagedCount == 3)
    }

    @Test("X17, promise 19: a damaged row with conflicts hinders neither lists of conflicts nor the status, and is made again")
    func damagedConflicts() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.diary("here")
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        func row(_ text: String) -> DiaryRow {
            var row = DiaryRow(createTime: Timestamp(microseconds: 1), isDeleted: true)
            let stamp = DiaryStamp(time: 5, device: DiaryDeviceID(bits: UUIDBits(high: 9, low: 9)))
            row.conflicts.insert(DiaryConflict(field: .text, stamp: stamp, value: .text(text)))
            return row
        }
        let rows = [DiaryRowChange(id: entryID(1), row: row("one")), DiaryRowChange(id: entryID(2), row: row("two"))]
        try await file.take(DiaryReadPage(rows: rows, nextCursor: "c", isComplete: true, lastMutation: 0), at: file.position())
        try await file.damage(entryID(1))
        #expect(try await file.conflicts() == rows)
        #expect(try await file.putAside() == ["shown \(entryID(1))"])
        for table in ["base", "shown"] { try await file.damage(entryID(2), in: table) }
        let list = try await file.conflictList()
        #expect(list.entries == [rows[0]])
        #expect(list.damaged == [entryID(2)])
        #expect(try await file.status().conflictCount == 1)
    }

    @Test("X17, promise 19: a row that is damaged in the base and as it is shown comes back with the next synchronisation, with the edits that wait")
    func damagedTwice() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here")
        try await file.attach(to: account.user)
        let diary = CombinedDiaryRepository(file, server: account.client)
        for number in 1...2 { _ = try await diary.save(content("text \(number)", at: Int64(number)), as: entryID(number)) }
        try await diary.synchronize()
        _ = try await diary.update(entryID(2), DiaryChange(text: "changed"), ifMatches: nil)
        for table in ["base", "shown"] { try await file.damage(entryID(2), in: table) }
        #expect(try await diary.entries(.all, PageRequest()).damaged == [entryID(2)])
        try await diary.synchronize()
        #expect(try await file.texts() == ["changed", "text 1"])
        #expect(try await file.rowBytes("shown") == file.rowBytes("base"))
        #expect(await file.sentAgainCount == 0)
        try await board.close()
    }

    @Test("X17, promise 19: an edit that cannot be read and had a number leaves no gap that the server refuses for ever", arguments: [1, 2, 3, 4])
    func damagedNumber(place: Int64) async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here")
        try await file.attach(to: account.user)
        let diary = CombinedDiaryRepository(file, server: account.client)
        _ = try await diary.save(content("first"), as: entryID(1))
        for text in ["second", "third", "fourth"] { _ = try await diary.update(entryID(1), DiaryChange(text: text), ifMatches: nil) }
        // They have numbers, and never arrive.
        #expect(try await file.nextBatch()?.mutations.map(\.number) == [1, 2, 3, 4])
        try await file.damageEdit(place)
        _ = try await diary.save(content("later", at: 1), as: entryID(2))
        try await diary.synchronize()
        #expect(try await file.status().pendingCount == 0)
        #expect(try await file.texts() == ["later", "fourth"])
        #expect(try await account.client.entries(.all, PageRequest()).entries.map(\.content.text) == ["later", "fourth"])
        try await board.close()
    }

    @Test("X17, promises 9, 19: the text of an edit that cannot be read, of an entry whose base cannot be read either, arrives")
    func damagedBaseAndEdit() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here")
        try await file.attach(to: account.user)
        let diary = CombinedDiaryRepository(file, server: account.client)
        _ = try await diary.save(content("first"), as: entryID(1))
        try await diary.synchronize()
        _ = try await diary.update(entryID(1), DiaryChange(text: "second"), ifMatches: nil)
        try await file.damage(entryID(1), in: "base")
        for place in try await file.places() { try await file.damageEdit(try #require(place)) }
        try await diary.synchronize()
        #expect(try await file.texts() == ["second"])
        // Nobody knows what the edit had seen, so the former text is kept.
        #expect(try await file.conflicts().flatMap { $0.row.conflicts.compactMap(\.value.writtenText) } == ["first"])
        #expect(try await account.client.entry(entryID(1)).content.text == "second")
        try await board.close()
    }

    @Test("X17, promise 14: a refused edit that cannot be read is put aside, and hides no other")
    func damagedRejected() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here")
        try await file.attach(to: account.user)
        for number in 1...2 {
            // This bypasses the library's own check, as a later version might.
            let stamp = DiaryStamp(time: Int64(number), device: DiaryDeviceID(bits: UUIDBits(high: 1, low: 1)))
            try await file.addUnchecked(
                DiaryMutation(entryID: entryID(number), stamp: stamp, kind: .create(content("text \(number)", emotion: "NOT"))))
        }
        try await CombinedDiaryRepository(file, server: account.client).synchronize()
        #expect(try await file.rejected().count == 2)
        try await file.damageRejected(1)
        #expect(try await file.rejected().map(\.number) == [2])
        let status = try await file.status()
        #expect(status.rejectedCount == 1 && status.damagedCount == 1)
        try await file.forgetRejected(2)
        #expect(try await file.rejected().isEmpty)
        try await board.close()
    }
}
