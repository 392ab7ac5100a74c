import Foundation
import PulseBoardDomain
import PulseBoardServices
import RPCCore
import Testing

@testable import PulseBoardDiary

/// Pictures in a directory and on its server.
@Suite("Diary pictures") struct PictureTests {
    private func written(_ text: String, _ images: [DiaryImage]) -> DiaryContent {
        DiaryContent(stored: content("").entryTime, emotion: "", text: text, images: images)
    }

    private func names(_ path: String) throws -> Set<String> {
        guard FileManager.default.fileExists(atPath: path + "/images") else { return [] }
        return Set(try FileManager.default.contentsOfDirectory(atPath: path + "/images"))
    }

    /// Promise 17: the files of a directory are the pictures that something in it names or that wait for their entry, and no others.
    private func expectAgreement(_ file: DiaryFile, _ path: String) async throws {
        #expect(try names(path) == (try await file.imagesHere()))
    }

    @Test("B33, B34: pictures written without an account are uploaded before their edits, and another device has them after one synchronisation")
    func twoDevices() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let here = try directory.diary("here"), there = try directory.diary("there")
        let local = LocalDiaryRepository(here)
        let bytes = [picture(1), picture(2, padding: 300_000)]
        var images: [DiaryImage] = []
        for one in bytes { images.append(try await local.addImage(one)) }
        _ = try await local.save(written("from before the account", images), as: entryID(1))
        let account = try await board.enter("minji")
        for file in [here, there] { try await file.attach(to: account.user) }
        let diaries = [here, there].map { CombinedDiaryRepository($0, server: account.client) }
        for diary in diaries { try await diary.synchronize() }
        for (image, one) in zip(images, bytes) { #expect(try await LocalDiaryRepository(there).image(image) == one) }
        #expect(try await here.rowBytes("base") == there.rowBytes("base"))
        try await expectAgreement(there, directory.path + "/there")
        // A picture that one device removes is removed from the other with its entry.
        try await diaries[1].delete(entryID(1))
        for diary in [diaries[1], diaries[0]] { try await diary.synchronize() }
        for name in ["here", "there"] {
            let file = name == "here" ? here : there
            try await expectAgreement(file, directory.path + "/" + name)
        }
        #expect(try names(directory.path + "/there").isEmpty)
        // An export has them too.
        _ = try await diaries[0].save(written("again", [try await diaries[0].addImage(bytes[1])]), as: entryID(2))
        try await diaries[0].synchronize()
        let caller = try await board.services.auth.authenticate(account.token)
        let exported = ExportedBytes()
        try await board.services.exports.export(caller) { record in
            if case .diaryImage(let image, let offset, let part) = record, image == images[1] { await exported.append(part, at: offset) }
        }
        #expect(await exported.bytes == bytes[1])
        try await board.close()
    }

    @Test("B33, B34: the first picture of an entry, added later, reaches the server and another device, and so does its removal")
    func firstPicture() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let here = try directory.diary("here"), there = try directory.diary("there")
        for file in [here, there] { try await file.attach(to: account.user) }
        let diaries = [here, there].map { CombinedDiaryRepository($0, server: account.client) }
        _ = try await diaries[0].save(written("without", []), as: entryID(1))
        for diary in diaries { try await diary.synchronize() }
        let image = try await diaries[1].addImage(picture(1))
        _ = try await diaries[1].update(entryID(1), DiaryChange(images: [image]), ifMatches: nil)
        for diary in [diaries[1], diaries[0]] { try await diary.synchronize() }
        #expect(try await there.rejected().isEmpty)
        #expect(try await account.client.entry(entryID(1)).content.images == [image])
        #expect(try await LocalDiaryRepository(here).image(image) == picture(1))
        _ = try await diaries[0].update(entryID(1), DiaryChange(images: []), ifMatches: nil)
        for diary in diaries { try await diary.synchronize() }
        for file in [here, there] {
            #expect(try await LocalDiaryRepository(file).entry(entryID(1)).content.images.isEmpty)
            #expect(try await file.conflicts().isEmpty)
        }
        try await board.close()
    }

    @Test("promise 14: a picture that the server refuses for good leaves its edit among the rejected ones, with its bytes, and the next edit lands")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here")
        try await file.attach(to: account.user)
        let diary = CombinedDiaryRepository(file, server: account.client)
        // It begins like a PNG but is not one.
        let broken = try await diary.addImage(Array(picture(1).prefix(20)))
        _ = try await diary.save(written("kept", [broken]), as: entryID(1))
        _ = try await diary.save(written("next", []), as: entryID(2))
        try await diary.synchronize()
        let rejected = try await file.rejected()
        #expect(rejected.map(\.reason) == ["IMAGE_INVALID"])
        #expect(rejected.map(\.mutation.images) == [[broken]])
        #expect(try await file.texts() == ["next"])
        #expect(try await diary.image(broken) == Array(picture(1).prefix(20)))
        // Its owner makes it again without the picture, whose bytes stay until they are forgotten.
        let number = try #require(rejected.first?.number)
        let new = try await file.restoreRejected(number, withPictures: false)
        #expect(try await Set(file.texts()) == ["next", "kept"])
        #expect(try await diary.image(broken) == Array(picture(1).prefix(20)))
        try await diary.synchronize()
        #expect(try await account.client.entry(new).content.text == "kept")
        #expect(try await file.rejected().count == 1)
        try await file.forgetRejected(number)
        #expect(try await file.rejected().isEmpty)
        try await expectAgreement(file, directory.path + "/here")
        await #expect(throws: DiaryError.notRejected) { try await file.forgetRejected(number) }
        try await board.close()
    }

    @Test("promise 14: a rejected change is made again in its entry, or as a new entry if that was deleted meanwhile", arguments: [false, true])
    func restoredChange(isDeleted: Bool) async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here")
        try await file.attach(to: account.user)
        let diary = CombinedDiaryRepository(file, server: account.client)
        _ = try await diary.save(written("before", []), as: entryID(1))
        try await diary.synchronize()
        let broken = try await diary.addImage(Array(picture(1).prefix(20)))
        _ = try await diary.update(entryID(1), DiaryChange(text: "after", images: [broken]), ifMatches: nil)
        try await diary.synchronize()
        #expect(try await file.texts() == ["before"])
        if isDeleted { try await diary.delete(entryID(1)) }
        let rejected = try #require(try await file.rejected().first)
        #expect(rejected.reason == "IMAGE_INVALID")
        let id = try await file.restoreRejected(rejected.number, withPictures: false)
        #expect((id == entryID(1)) == !isDeleted)
        // The text is not made again a second time; the picture is still here.
        await #expect(throws: DiaryError.notRejected) { try await file.restoreRejected(rejected.number, withPictures: false) }
        #expect(try await file.rejected().map(\.mutation.images) == [[broken]])
        try await diary.synchronize()
        #expect(try await account.client.entries(.all, PageRequest()).entries.map(\.content.text) == ["after"])
        try await board.close()
    }

    @Test("B33: a picture that the server cannot read stops neither the others nor the synchronisation, and is fetched later")
    func unreadable() async throws {
        let directory = try TemporaryDirectory(in: SimulatedDisk.root)
        let clock = SimulatedClock()
        let server = try await SimulatedServer(directory: directory.path + "/server", clock: clock)
        let caller = try await server.caller(0)
        let files = try ["here", "there"].map { try DiaryFile(directory: directory.path + "/" + $0, clock: clock) }
        let networks = files.map { _ in SimulatedNetwork(user: caller.userID) }
        let diaries = zip(files, networks).map { CombinedDiaryRepository($0, server: $1) }
        for file in files { try await file.attach(to: caller.userID) }
        var images: [DiaryImage] = []
        for number in 0..<3 { images.append(try await diaries[0].addImage(picture(UInt8(number)) + [0])) }
        _ = try await diaries[0].save(written("three", images), as: entryID(1))
        networks[0].connect { call in await server.answer(call, caller) }
        try await diaries[0].synchronize()
        let wrong = [images[0].hash: DiaryError.answerNotUnderstood, images[1].hash: .refused(reason: "STORE_CORRUPT", message: "", code: .dataLoss)]
        networks[1].connect { call in
            if case .download(let image) = call, let error = wrong[image.hash] { return .failure(error) }
            return await server.answer(call, caller)
        }
        try await diaries[1].synchronize()
        #expect(try await files[1].status().wantedImageCount == 2)
        #expect(try await diaries[1].image(images[2]) == picture(2) + [0])
        networks[1].connect { call in await server.answer(call, caller) }
        try await diaries[1].synchronize()
        #expect(try await files[1].status().wantedImageCount == 0)
        try await server.close()
    }

    @Test("edits whose pictures nobody looked for do not go with numbered ones that lie behind them")
    func numberedBehindHeld() async throws {
        let directory = try TemporaryDirectory()
        let file = try DiaryFile(directory: directory.path + "/here", clock: SimulatedClock(), random: SystemRandomSource(), editsPerPush: 3)
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        let local = LocalDiaryRepository(file)
        let image = try await local.addImage(picture(1))
        for number in 1...4 { _ = try await local.save(written("picture", [image]), as: entryID(number)) }
        for number in 5...6 { _ = try await local.save(written("text", []), as: entryID(number)) }
        try await file.hold(Set((1...4).map { entryID($0) }), for: "IMAGE_BUSY")
        // The answer to these is lost.
        let sent = try #require(try await file.nextBatch()?.mutations)
        #expect(sent.map(\.mutation.entryID) == [entryID(5), entryID(6)])
        try await file.holdNothing()
        guard case .pictures(let next)? = try await file.nextPush() else { return #expect(Bool(false), "no pictures are asked for") }
        #expect(next.entries.values.map(\.self) == [[entryID(1)]])
        try await file.hold([entryID(1)], for: "IMAGE_BUSY")
        #expect(try await file.nextBatch(through: next.lastEdit)?.mutations == sent)
    }

    @Test("a server that cannot decode pictures holds up the entries that have one, says why, and no others; later they go on in their order")
    func withoutDecoder() async throws {
        let directory = try TemporaryDirectory()
        var board = try await Board(directory, imageProgram: directory.path + "/nothing")
        var account = try await board.enter("minji")
        let file = try directory.diary("here")
        try await file.attach(to: account.user)
        var diary = CombinedDiaryRepository(file, server: account.client)
        _ = try await diary.save(written("before", []), as: entryID(1))
        let images = [try await diary.addImage(picture(1)), try await diary.addImage(picture(2))]
        for (number, image) in images.enumerated() { _ = try await diary.save(written("picture \(number)", [image]), as: entryID(2 + number)) }
        _ = try await diary.update(entryID(2), DiaryChange(text: "later"), ifMatches: nil)
        _ = try await diary.update(entryID(1), DiaryChange(text: "after"), ifMatches: nil)
        for _ in 0..<2 {
            try await diary.synchronize()
            #expect(try await account.client.entries(.all, PageRequest()).entries.map(\.content.text) == ["after"])
            #expect(try await file.status().held == DiaryStatus.Held(count: 3, reason: "UNAVAILABLE"))
            #expect(try await file.status().pendingCount == 3)
            #expect(try await file.rejected().isEmpty)
            // There is nothing to do for a process that follows.
            #expect(try await !file.hasUnsentEdits())
        }
        try await board.close()
        board = try await Board(directory)
        account = board.again(account)
        diary = CombinedDiaryRepository(file, server: account.client)
        try await diary.synchronize()
        let there = try directory.diary("there")
        try await there.attach(to: account.user)
        try await CombinedDiaryRepository(there, server: account.client).synchronize()
        #expect(Set(try await there.texts()) == ["after", "later", "picture 1"])
        for number in 0..<2 { #expect(try await LocalDiaryRepository(there).image(images[number]) == picture(UInt8(number) + 1)) }
        for one in [file, there] {
            #expect(try await one.status().held == nil)
            #expect(try await one.conflicts().isEmpty)
            #expect(try await one.outboxCount() == 0)
        }
        try await board.close()
    }

    @Test(
        "promise 14: an edit that has its number, whose picture the server has dropped and does not take again now, holds up its entry and no others",
        arguments: [false, true])
    func droppedPicture(wasDone: Bool) async throws {
        let directory = try TemporaryDirectory(in: SimulatedDisk.root)
        let clock = SimulatedClock()
        let server = try await SimulatedServer(directory: directory.path + "/server", clock: clock)
        let caller = try await server.caller(0)
        let file = try DiaryFile(directory: directory.path + "/here", clock: clock)
        try await file.attach(to: caller.userID)
        let network = SimulatedNetwork(user: caller.userID)
        let diary = CombinedDiaryRepository(file, server: network)
        let image = try await diary.addImage(picture(1))
        _ = try await diary.save(written("picture", [image]), as: entryID(1))
        _ = try await diary.save(written("beside it", []), as: entryID(2))
        let broken = try await diary.addImage(picture(2) + [SimulatedDecoder.damage])
        _ = try await diary.save(written("rejected", [broken]), as: entryID(3))
        // The push is lost, or its answer: the edits have numbers now.
        network.connect { call in
            guard call.isPush else { return await server.answer(call, caller) }
            if wasDone { _ = await server.answer(call, caller) }
            return .failure(.unavailable(detail: "lost"))
        }
        await #expect(throws: DiaryError.unavailable(detail: "lost")) { try await diary.synchronize() }
        let device = try await file.status().device
        // More than a day later. The entry is away if it ever was there, so the picture has gone too; and nothing decodes it.
        try? await server.services?.diaries.deleteEntry(entryID(1), caller)
        server.decoder.set(isThere: false)
        network.connect { call in
            if case .missing(let hashes) = call, !server.decoder.isThere { return .success(.missing(hashes)) }
            return await server.answer(call, caller)
        }
        _ = try await diary.update(entryID(2), DiaryChange(text: "changed"), ifMatches: nil)
        for _ in 0..<2 {
            try await diary.synchronize()
            #expect(try await server.services?.diaries.entry(entryID(2), caller).content.text == "changed")
            #expect(try await file.status().held == (wasDone ? nil : DiaryStatus.Held(count: 2, reason: "UNAVAILABLE")))
            #expect(try await file.status().pendingCount == (wasDone ? 0 : 2))
        }
        server.decoder.set(isThere: true)
        try await diary.synchronize()
        #expect(try await file.outboxCount() == 0)
        #expect(try await file.rejected().map(\.mutation.images) == [[broken]])
        #expect(try await file.status().device == device)
        let texts = try await file.texts()
        #expect(Set(texts) == (wasDone ? ["changed"] : ["changed", "picture"]))
        try await server.close()
    }

    @Test("promise 17: after a crash at any instant of adding or removing, an opened directory has the files of its rows and no others")
    func crashes() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/here"
        let kept = picture(1), gone = picture(2), lost = picture(3)
        var images: [DiaryImage] = []
        do {
            let file = try directory.diary("here")
            let diary = LocalDiaryRepository(file)
            for one in [kept, gone, lost] { images.append(try await diary.addImage(one)) }
            _ = try await diary.save(written("one", [images[0], images[2]]), as: entryID(1))
            // The row is gone and the file is not: the process ended in between.
            try await file.forgetRow(of: images[1])
        }
        let temporary = path + "/images/new-1-1"
        #expect(FileManager.default.createFile(atPath: temporary, contents: Data([1])))
        // A file without its row: the process ended in between.
        let orphan = try #require(DiaryImageHash(of: picture(4)))
        #expect(FileManager.default.createFile(atPath: path + "/images/\(orphan)", contents: Data(picture(4))))
        // A removed file.
        try FileManager.default.removeItem(atPath: path + "/images/\(images[2].hash)")
        let file = try directory.diary("here")
        #expect(try names(path) == [images[0].hash.description])
        try await expectAgreement(file, path)
        #expect(try await file.wantedImages() == [images[2]])
        #expect(try await LocalDiaryRepository(file).image(images[0]) == kept)
        await #expect(throws: DiaryError.diary(.imageNotFound)) { try await LocalDiaryRepository(file).image(images[2]) }
    }

    @Test("X17: a file with other bytes is as good as none, and is fetched again")
    func damaged() async throws {
        let directory = try TemporaryDirectory()
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let file = try directory.diary("here")
        try await file.attach(to: account.user)
        let diary = CombinedDiaryRepository(file, server: account.client)
        let image = try await diary.addImage(picture(1))
        _ = try await diary.save(written("one", [image]), as: entryID(1))
        try await diary.synchronize()
        try Data([1, 2, 3]).write(to: URL(filePath: directory.path + "/here/" + image.path))
        #expect(try await diary.image(image) == picture(1))
        try await expectAgreement(file, directory.path + "/here")
        try await board.close()
    }

    @Test("promise 17: a picture that no entry names waits a day, and goes when an entry lets go of it")
    func unused() async throws {
        let directory = try TemporaryDirectory()
        let clock = TestClock()
        let path = directory.path + "/here"
        let file = try directory.diary("here", clock: clock)
        let diary = LocalDiaryRepository(file)
        let image = try await diary.addImage(picture(1))
        #expect(try names(path) == [image.hash.description])
        _ = try directory.diary("here", clock: clock)
        #expect(try names(path) == [image.hash.description])
        _ = try await diary.save(written("one", [image]), as: entryID(1))
        clock.advance(.days(2))
        _ = try directory.diary("here", clock: clock)
        #expect(try names(path) == [image.hash.description])
        _ = try await diary.update(entryID(1), DiaryChange(images: []), ifMatches: nil)
        #expect(try names(path).isEmpty)
        _ = try await diary.addImage(picture(2))
        clock.advance(.days(2))
        _ = try directory.diary("here", clock: clock)
        #expect(try names(path).isEmpty)
    }
}

/// The bytes of one exported picture.
private actor ExportedBytes {
    private(set) var bytes: [UInt8] = []
    func append(_ part: [UInt8], at offset: Int) {
        #expect(offset == bytes.count)
        bytes += part
    }
}

extension DiaryFile {
    /// The names of the files that must exist.
    func imagesHere() throws(DiaryError) -> Set<String> {
        Set(try database.rows("SELECT sha256 FROM image WHERE is_here = 1") { $0.blob(0).flatMap { DiaryImageHash(bytes: $0) }?.description ?? "" })
    }

    fileprivate func forgetRow(of image: DiaryImage) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in try database.run("DELETE FROM image WHERE sha256 = ?", .blob(image.hash.bytes)) }
    }
}
