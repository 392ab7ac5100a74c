import Foundation
import PulseBoardDomain
import PulseBoardServices
import StoreSQLite
import TestHarness
import Testing

@testable import PulseBoardDiary

/// A server that was restored from an earlier copy. What it has lost comes back from the devices that have it.
@Suite("A restored server's diary") struct RestoredServerTests {
    /// A server with one account, and its devices.
    private struct World {
        let directory: TemporaryDirectory
        let clock = SimulatedClock()
        let server: SimulatedServer
        let caller: Caller

        init() async throws {
            directory = try TemporaryDirectory(in: SimulatedDisk.root)
            server = try await SimulatedServer(directory: directory.path + "/server", clock: clock)
            caller = try await server.caller(0)
        }

        /// - Parameter getsPictures: whether its downloads of pictures succeed.
        func device(_ name: String, getsPictures: Bool = true) async throws -> (DiaryFile, CombinedDiaryRepository) {
            let file = try DiaryFile(directory: directory.path + "/" + name, clock: clock)
            try await file.attach(to: caller.userID)
            let network = SimulatedNetwork(user: caller.userID)
            network.connect { [server, caller] call in
                if !getsPictures, case .download = call { return .failure(.diary(.imageNotFound)) }
                return await server.answer(call, caller)
            }
            return (file, CombinedDiaryRepository(file, server: network))
        }

        /// The texts of a new device, and the values of its conflicts.
        func texts() async throws -> (shown: Set<String>, kept: Set<String>) {
            let (file, diary) = try await device("fresh \(UUID().uuidString)")
            try await diary.synchronize()
            let kept = try await file.conflicts().flatMap { $0.row.conflicts.compactMap(\.value.writtenText) }
            return (Set(try await file.texts()), Set(kept))
        }

        /// Restores the server as `pulseboard admin restore` does: it begins a new generation, which refuses earlier cursors.
        func restore(_ copy: Data) async throws {
            let path = directory.path + "/" + SQLiteStore.fileName
            try copy.write(to: URL(filePath: path))
            try ClientDatabase(path: path).run("DELETE FROM secret WHERE name = 'page-token-key'")
            try await server.restart(from: Data(contentsOf: URL(filePath: path)))
        }

        func tick() { clock.advance(.seconds(1)) }
    }

    @Test("B33: entries and edits that a restored server has lost come back from any device that has read them, and end the same everywhere")
    func lost() async throws {
        let world = try await World()
        let (here, writer) = try await world.device("here"), (there, reader) = try await world.device("there")
        for number in 1...3 { _ = try await writer.save(content("before \(number)"), as: entryID(number)) }
        for diary in [writer, reader] { try await diary.synchronize() }
        let copy = try await world.server.copy()
        world.tick()
        let image = try await writer.addImage(picture(1))
        _ = try await writer.save(DiaryContent(stored: content("").entryTime, emotion: "calm", text: "after", images: [image]), as: entryID(4))
        _ = try await writer.update(entryID(1), DiaryChange(text: "changed"), ifMatches: nil)
        world.tick()
        _ = try await writer.update(entryID(4), DiaryChange(text: "after, changed"), ifMatches: nil)
        for diary in [writer, reader] { try await diary.synchronize() }
        let entry = try await reader.entry(entryID(4))
        try await world.restore(copy)
        // The device that has written it is gone.
        _ = here
        try await reader.synchronize()
        #expect(try await there.texts().count == 4)
        #expect(try await reader.entry(entryID(4)) == entry)
        let found = try await world.texts()
        #expect(found.shown == ["after, changed", "changed", "before 2", "before 3"])
        // Whoever wrote the text that was restored may not have seen the later one, so both are kept.
        #expect(found.kept == ["before 1"])
        #expect(try await reader.image(image) == picture(1))
        // The writer sends the same edits. They count once.
        for diary in [writer, reader] { try await diary.synchronize() }
        #expect(try await here.rowBytes("base") == there.rowBytes("base"))
        #expect(try await world.texts() == found)
        for file in [here, there] {
            #expect(try await file.outboxCount() == 0)
            #expect(try await file.rowBytes("shown") == file.rowBytes("base"))
        }
        try await world.server.close()
    }

    @Test("B33: edits that wait follow the entry that a restored server has lost, and the entry stays alive", arguments: [false, true])
    func waiting(isWriter: Bool) async throws {
        let world = try await World()
        let (here, writer) = try await world.device("here"), (there, reader) = try await world.device("there")
        _ = try await writer.save(content("before"), as: entryID(1))
        for diary in [writer, reader] { try await diary.synchronize() }
        let copy = try await world.server.copy()
        world.tick()
        _ = try await writer.save(content("after"), as: entryID(2))
        for diary in [writer, reader] { try await diary.synchronize() }
        try await world.restore(copy)
        world.tick()
        let (file, diary) = isWriter ? (here, writer) : (there, reader)
        _ = try await diary.update(entryID(2), DiaryChange(text: "waited"), ifMatches: nil)
        try await diary.synchronize()
        let found = try await world.texts()
        if isWriter {
            // The gap in its numbers tells it before it has sent the edit.
            #expect(found.shown == ["before", "waited"])
            #expect(found.kept.isEmpty)
        } else {
            // It has sent the edit of an unknown entry before it could know. Everything is kept, and can be taken into a new entry.
            #expect(found.shown == ["before"])
            #expect(found.kept.isSuperset(of: ["after", "waited"]))
        }
        #expect(try await file.outboxCount() == 0)
        try await world.server.close()
    }

    @Test("what a device that is younger than the copy has written becomes a conflict too, although its waiting edit is refused first")
    func youngerThanTheCopy() async throws {
        let world = try await World()
        let (_, older) = try await world.device("here")
        _ = try await older.save(content("first"), as: entryID(1))
        try await older.synchronize()
        let copy = try await world.server.copy()
        let (file, younger) = try await world.device("there")
        try await younger.synchronize()
        world.tick()
        _ = try await younger.update(entryID(1), DiaryChange(text: "acknowledged"), ifMatches: nil)
        try await younger.synchronize()
        try await world.restore(copy)
        world.tick()
        _ = try await older.update(entryID(1), DiaryChange(text: "later"), ifMatches: nil)
        try await older.synchronize()
        _ = try await younger.save(content("waiting"), as: entryID(2))
        try await younger.synchronize()
        let found = try await world.texts()
        #expect(found.shown == ["later", "waiting"])
        #expect(found.kept.contains("acknowledged"))
        #expect(try await file.outboxCount() == 0)
        try await world.server.close()
    }

    @Test("B33, promise 17: a device without the file of a picture makes its lost entry again, and one that has the file adds it")
    func lostPicture() async throws {
        let world = try await World()
        let (_, writer) = try await world.device("here"), (there, reader) = try await world.device("there", getsPictures: false)
        let copy = try await world.server.copy()
        let image = try await writer.addImage(picture(1))
        _ = try await writer.save(DiaryContent(stored: content("").entryTime, emotion: "calm", text: "after", images: [image]), as: entryID(1))
        world.tick()
        _ = try await writer.update(entryID(1), DiaryChange(text: "after, changed"), ifMatches: nil)
        for diary in [writer, reader] { try await diary.synchronize() }
        let entry = try await writer.entry(entryID(1))
        try await world.restore(copy)
        try await reader.synchronize()
        #expect(try await world.texts().shown == ["after, changed"])
        #expect(try await there.rejected().isEmpty)
        for diary in [writer, reader] { try await diary.synchronize() }
        for diary in [writer, reader] { #expect(try await diary.entry(entryID(1)).content == entry.content) }
        let found = try await world.texts()
        #expect(found.shown == ["after, changed"] && found.kept.isEmpty)
        #expect(try await there.outboxCount() == 0)
        try await world.server.close()
    }

    @Test("promise 17: of an edit with text and a picture, a device without the file sends the text again")
    func lostEditWithPicture() async throws {
        let world = try await World()
        let (_, writer) = try await world.device("here"), (there, reader) = try await world.device("there", getsPictures: false)
        _ = try await writer.save(content("before"), as: entryID(1))
        for diary in [writer, reader] { try await diary.synchronize() }
        let copy = try await world.server.copy()
        world.tick()
        let image = try await writer.addImage(picture(1))
        _ = try await writer.update(entryID(1), DiaryChange(text: "after", images: [image]), ifMatches: nil)
        for diary in [writer, reader] { try await diary.synchronize() }
        let entry = try await writer.entry(entryID(1))
        try await world.restore(copy)
        try await reader.synchronize()
        #expect(try await world.texts().shown == ["after"])
        for diary in [writer, reader] { try await diary.synchronize() }
        for diary in [writer, reader] { #expect(try await diary.entry(entryID(1)).content == entry.content) }
        #expect(try await there.outboxCount() == 0)
        try await world.server.close()
    }

    @Test("promise 9: texts that were kept of a deleted entry come back too")
    func keptTexts() async throws {
        let world = try await World()
        let (_, writer) = try await world.device("here"), (there, reader) = try await world.device("there")
        let copy = try await world.server.copy()
        _ = try await writer.save(content("first"), as: entryID(1))
        for diary in [writer, reader] { try await diary.synchronize() }
        world.tick()
        _ = try await writer.update(entryID(1), DiaryChange(text: "unseen"), ifMatches: nil)
        try await reader.delete(entryID(1))
        for diary in [writer, reader, writer] { try await diary.synchronize() }
        #expect(try await there.conflicts().count == 1)
        try await world.restore(copy)
        try await reader.synchronize()
        let found = try await world.texts()
        #expect(found.shown.isEmpty)
        #expect(found.kept == ["unseen"])
        try await world.server.close()
    }

    @Test("promise 8: a device that was away for longer than deletions are remembered brings no deleted entry back", arguments: [61, 91])
    func longAway(days: Int64) async throws {
        let world = try await World()
        let (_, writer) = try await world.device("here"), (there, reader) = try await world.device("there")
        for number in 1...2 { _ = try await writer.save(content("text \(number)"), as: entryID(number)) }
        for diary in [writer, reader] { try await diary.synchronize() }
        try await writer.delete(entryID(1))
        try await writer.synchronize()
        world.clock.advance(.days(days))
        // The server forgets the deletion with a later write.
        _ = try await writer.save(content("later", at: 5), as: entryID(3))
        try await writer.delete(entryID(3))
        for diary in [writer, reader] { try await diary.synchronize() }
        #expect(try await there.texts() == ["text 2"])
        #expect(await there.sentAgainCount == 0)
        #expect(try await world.texts().shown == ["text 2"])
        try await world.server.close()
    }

    @Test(
        "B33: whatever two devices do around a restoration, all that either had taken from the server, or has written, is there afterwards",
        arguments: 0..<40)
    func seeds(_ seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let world = try await World()
        let devices = [try await world.device("here"), try await world.device("there")]
        var copy: Data?
        var number = 0
        // Texts that their owner saw when another one replaced them.
        var covered: Set<String> = []
        for step in 0..<60 {
            world.tick()
            if step == 20 { copy = try await world.server.copy() }
            let (file, diary) = devices[random.below(2)]
            switch random.below(10) {
            case 0..<3:
                number += 1
                _ = try await diary.save(content("text \(number)", at: Int64(number)), as: entryID(number))
            case 3..<6:
                guard number > 0 else { continue }
                let id = entryID(1 + random.below(number))
                guard let present = try await file.shownRow(id)?.content?.text else { continue }
                covered.insert(present)
                _ = try await diary.update(id, DiaryChange(text: "text \(id) at \(step)"), ifMatches: nil)
            default: try await diary.synchronize()
            }
        }
        // What each shows now, and the losers that it knows of.
        var expected: Set<String> = []
        for (file, _) in devices {
            expected.formUnion(try await file.texts())
            expected.formUnion(try await file.conflicts().flatMap { $0.row.conflicts.compactMap(\.value.writtenText) })
        }
        try await world.restore(#require(copy))
        for _ in 0..<2 { for (_, diary) in devices { try await diary.synchronize() } }
        let found = try await world.texts()
        #expect(expected.subtracting(covered).subtracting(found.shown).subtracting(found.kept).isEmpty)
        for (file, diary) in devices {
            try await diary.synchronize()
            #expect(try await file.outboxCount() == 0)
        }
        #expect(try await devices[0].0.rowBytes("base") == devices[1].0.rowBytes("base"))
        try await world.server.close()
    }
}
