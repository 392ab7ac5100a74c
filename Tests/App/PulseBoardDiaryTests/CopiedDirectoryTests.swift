import Foundation
import PulseBoardDomain
import Testing

@testable import PulseBoardDiary

/// Directories that were copied with their outboxes. All copies are then used.
@Suite("Copied diaries") struct CopiedDirectoryTests {
    @Test("a copied directory and a restored server are noticed: the device takes a new name, and nothing that waits is lost")
    func copied() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here")
        try await file.attach(to: account.user)
        _ = try await LocalDiaryRepository(file).save(content("before"), as: entryID(1))
        try FileManager.default.copyItem(atPath: directory.path + "/here", toPath: directory.path + "/copy")
        let copy = try directory.diary("copy")
        let diaries = [file, copy].map { CombinedDiaryRepository($0, server: account.client) }
        _ = try await diaries[0].save(content("original", at: 1), as: entryID(2))
        _ = try await diaries[1].save(content("copy", at: 2), as: entryID(3))
        for diary in [diaries[0], diaries[1], diaries[0]] { try await diary.synchronize() }
        for one in [file, copy] { #expect(try await one.texts() == ["copy", "original", "before"]) }
        #expect(try await file.status().device != copy.status().device)
        #expect(try await file.rowBytes("base") == copy.rowBytes("base"))
        try await board.close()
    }

    @Test(
        "promise 10: two copies of a directory that both write before either has met the server give no stamp to two edits, and lose none",
        arguments: ["aa", "zz"], [false, true])
    func copiedUnseen(other: String, isCopyFirst: Bool) async throws {
        let directory = try TemporaryDirectory()
        // Both copies use one clock, which stands still.
        let clock = SimulatedClock()
        let board = try await Board(directory, clock: clock)
        let account = try await board.enter("minji")
        let path = directory.path + "/copy"
        do {
            let file = try directory.diary("here", clock: clock)
            try await file.attach(to: account.user)
            let diary = CombinedDiaryRepository(file, server: account.client)
            _ = try await diary.save(content("before"), as: entryID(1))
            try await diary.synchronize()
            // Both copies have this edit, and both send it.
            _ = try await diary.update(entryID(1), DiaryChange(emotion: "both"), ifMatches: nil)
            try FileManager.default.copyItem(atPath: directory.path + "/here", toPath: path)
        }
        let files = [try directory.diary("here", clock: clock), try directory.diary("copy", clock: clock)]
        let diaries = files.map { CombinedDiaryRepository($0, server: account.client) }
        _ = try await diaries[1].update(entryID(1), DiaryChange(text: other), ifMatches: nil)
        for text in ["middle", "last"] { _ = try await diaries[0].update(entryID(1), DiaryChange(text: text), ifMatches: nil) }
        // The merge would keep two edits of one stamp too, but whoever settles one of them would name both.
        var authors: Set<DiaryDeviceID> = []
        for file in files {
            let shown = try #require(try await file.shownRow(entryID(1)))
            authors.insert(shown[.text].stamp.device)
        }
        #expect(authors.count == 2)
        let order = isCopyFirst ? [1, 0, 1, 0] : [0, 1, 0, 1]
        for index in order { try await diaries[index].synchronize() }
        for file in files {
            #expect(try await file.texts() == ["last"])
            #expect(try await file.conflicts().flatMap { $0.row.conflicts.map(\.value) } == [.text(other)])
        }
        #expect(try await files[0].rowBytes("base") == files[1].rowBytes("base"))
        try await board.close()
    }

    @Test("promise 10: two copies whose clocks were ahead give no stamp to two edits either, when the server's time moves their stamps")
    func copiedAhead() async throws {
        let directory = try TemporaryDirectory()
        let clock = SimulatedClock(), ahead = WrongClock(clock, skew: .days(2))
        let board = try await Board(directory, clock: clock)
        let account = try await board.enter("minji")
        do {
            let file = try directory.diary("here", clock: clock)
            try await file.attach(to: account.user)
            _ = try await LocalDiaryRepository(file).save(content("before"), as: entryID(1))
            try await CombinedDiaryRepository(file, server: account.client).synchronize()
        }
        clock.advance(.hours(1))
        do {
            let file = try directory.diary("here", clock: ahead)
            _ = try await LocalDiaryRepository(file).update(entryID(1), DiaryChange(text: "one"), ifMatches: nil)
        }
        try FileManager.default.copyItem(atPath: directory.path + "/here", toPath: directory.path + "/copy")
        let files = [try directory.diary("here", clock: ahead), try directory.diary("copy", clock: ahead)]
        let diaries = files.map { CombinedDiaryRepository($0, server: account.client) }
        for (diary, text) in zip(diaries, ["two", "three"]) { _ = try await diary.update(entryID(1), DiaryChange(text: text), ifMatches: nil) }
        try await diaries[0].synchronize()
        // The copy's first edit moves to the instant of the other's second.
        clock.advance(Timestamp.Interval(microseconds: 1))
        for diary in [diaries[1], diaries[0]] { try await diary.synchronize() }
        for file in files {
            #expect(try await file.texts() == ["three"])
            #expect(try await file.conflicts().flatMap { $0.row.conflicts.map(\.value) } == [.text("two")])
        }
        try await board.close()
    }

    @Test("promise 10: a copy whose clock was ahead learns that it is one before its stamps are moved, and its edits arrive")
    func copiedNumbered() async throws {
        let directory = try TemporaryDirectory()
        let clock = SimulatedClock(), ahead = WrongClock(clock, skew: .days(2))
        let board = try await Board(directory, clock: clock)
        let account = try await board.enter("minji")
        do {
            let file = try directory.diary("here", clock: ahead)
            try await file.attach(to: account.user)
            _ = try await LocalDiaryRepository(file).save(content("one"), as: entryID(1))
            // The edits get numbers, as before a push that is lost.
            _ = try await file.nextBatch()
        }
        try FileManager.default.copyItem(atPath: directory.path + "/here", toPath: directory.path + "/copy")
        let files = [try directory.diary("here", clock: ahead), try directory.diary("copy", clock: ahead)]
        let diaries = files.map { CombinedDiaryRepository($0, server: account.client) }
        _ = try await diaries[1].update(entryID(1), DiaryChange(text: "two"), ifMatches: nil)
        _ = try await files[1].nextBatch()
        try await diaries[0].synchronize()
        clock.advance(.hours(1))
        for diary in [diaries[1], diaries[0]] { try await diary.synchronize() }
        for file in files { #expect(try await file.texts() == ["two"]) }
        #expect(try await files[0].rowBytes("base") == files[1].rowBytes("base"))
        try await board.close()
    }

    @Test("promise 10: a directory that was copied before it had an account keeps the edits of both copies")
    func copiedBefore() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here")
        let made = try await LocalDiaryRepository(file).save(content("before"), as: entryID(1))
        try FileManager.default.copyItem(atPath: directory.path + "/here", toPath: directory.path + "/copy")
        let copy = try directory.diary("copy")
        _ = try await LocalDiaryRepository(copy).update(entryID(1), DiaryChange(text: "copy"), ifMatches: nil)
        let last = try await LocalDiaryRepository(file).update(entryID(1), DiaryChange(text: "original"), ifMatches: nil)
        for one in [file, copy] { try await one.attach(to: account.user) }
        #expect(try await LocalDiaryRepository(file).entry(entryID(1)) == last)
        #expect(last.createTime == made.createTime && last.updateTime > made.updateTime)
        let diaries = [file, copy].map { CombinedDiaryRepository($0, server: account.client) }
        for diary in diaries + diaries { try await diary.synchronize() }
        for one in [file, copy] {
            #expect(try await one.texts() == ["original"])
            #expect(try await one.conflicts().flatMap { $0.row.conflicts.map(\.value) } == [.text("copy")])
        }
        try await board.close()
    }
}
