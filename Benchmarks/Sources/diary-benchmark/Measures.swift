import ArgumentParser
import Foundation
import PulseBoardDiary
import PulseBoardDomain

/// A save without a server, durable when it returns, compared with the fastest durable write of the disk.
struct Save: AsyncParsableCommand {
    @OptionGroup var device: DeviceOptions
    @Option var count = 2_000

    func run() async throws {
        let file = try device.file("save")
        // The same as on a device that waits for its server.
        try await file.attach(to: UserID(bits: UUIDBits(high: 1, low: 1)))
        let diary = LocalDiaryRepository(file)
        let clock = ContinuousClock()
        var saves: [Duration] = []
        var syncs: [Duration] = []
        let plain = try PlainFile(device.directory + "/plain")
        for number in 0..<count {
            // In turn, so that the state of the disk is the same for both.
            syncs.append(try clock.measure { try plain.writeDurably(at: number) })
            let content = try content(number), id = newIdentifier()
            let begin = clock.now
            _ = try await diary.save(content, as: id)
            saves.append(begin.duration(to: clock.now))
        }
        report("diary-save", saves)
        report("diary-disk", syncs)
    }
}

/// A file of a fixed length. A write into it needs one sync of its bytes, and no change of the file system's metadata.
private struct PlainFile {
    private let descriptor: CInt
    private let page = [UInt8](repeating: 1, count: 3 * 4_096)

    init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        for place in 0..<64 { _ = pwrite(descriptor, page, page.count, off_t(place * page.count)) }
        fsync(descriptor)
    }

    func writeDurably(at number: Int) throws {
        guard pwrite(descriptor, page, page.count, off_t(number % 64 * page.count)) == page.count, fdatasync(descriptor) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }
}

/// All entries of a month, in a diary of ten thousand.
struct List: AsyncParsableCommand {
    @OptionGroup var device: DeviceOptions
    @OptionGroup var server: ServerOptions
    @Option var entries = 10_000
    @Option var count = 200

    func run() async throws {
        // The diary is filled through the server, because that takes fewer transactions.
        let writer = try device.file("writer")
        try await fill(writer, entries)
        try await server.diary(writer).synchronize()
        let file = try device.file("list")
        try await server.diary(file).synchronize()
        let diary = LocalDiaryRepository(file)
        let clock = ContinuousClock()
        var lists: [Duration] = []
        var listed = 0
        for turn in 0..<count {
            let begin = try content(turn % 100 * 90).entryTime
            let month = begin..<begin.advanced(by: .days(30))
            let start = clock.now
            listed = 0
            var token = ""
            repeat {
                let page = try await diary.entries(DiaryFilter(times: month), PageRequest(size: 200, token: token))
                listed += page.entries.count
                token = page.nextToken?.text ?? ""
            } while !token.isEmpty
            lists.append(start.duration(to: clock.now))
        }
        report("diary-month", lists, ["entries": Double(listed)])
    }
}

/// Writes many entries before the directory belongs to an account.
func fill(_ file: DiaryFile, _ count: Int) async throws {
    let diary = LocalDiaryRepository(file)
    for number in 0..<count { _ = try await diary.save(content(number), as: newIdentifier()) }
}

/// A large diary is uploaded from one device and read by an empty one.
struct FirstSync: AsyncParsableCommand {
    @OptionGroup var device: DeviceOptions
    @OptionGroup var server: ServerOptions
    @Option var entries = 10_000

    func run() async throws {
        let clock = ContinuousClock()
        let writer = try device.file("first-writer"), reader = try device.file("first-reader")
        try await fill(writer, entries)
        let source = try await server.diary(writer), target = try await server.diary(reader, device: 1)
        let upload = try await clock.measure { try await source.synchronize() }
        let download = try await clock.measure { try await target.synchronize() }
        let count = Double(try await reader.status().entryCount)
        report(
            "diary-first-\(entries)", [],
            [
                "entries": count, "upload_seconds_x1000": upload.microseconds / 1e3, "download_seconds_x1000": download.microseconds / 1e3,
                "uploaded_per_second": count / upload.microseconds * 1e6, "downloaded_per_second": count / download.microseconds * 1e6,
            ])
    }
}

/// The time from the call of `save` on one device until another one shows the entry, while both follow.
struct Live: AsyncParsableCommand {
    @OptionGroup var device: DeviceOptions
    @OptionGroup var server: ServerOptions
    @Option var count = 300

    func run() async throws {
        let clock = ContinuousClock()
        let here = try device.file("here"), there = try device.file("there")
        let writer = try await server.diary(here), reader = try await server.diary(there, device: 1)
        for diary in [writer, reader] { try await diary.synchronize() }
        let tasks = [writer, reader].map { diary in Task { try await diary.follow() } }
        var changes = try await reader.changes().makeAsyncIterator()
        var times: [Duration] = []
        for number in 0..<count {
            let content = try content(number), id = newIdentifier()
            let begin = clock.now
            _ = try await writer.save(content, as: id)
            while (try? await reader.entry(id)) == nil { _ = await changes.next() }
            times.append(begin.duration(to: clock.now))
        }
        for task in tasks { task.cancel() }
        report("diary-live", times)
    }
}
