import Foundation
import Synchronization
import TestHarness
import Testing

@testable import StoreSQL
@testable import StoreSQLite

extension LogArchiveTests {
    /// Opens the store with an archive on a disk that has a moment for each step.
    private func open(on disk: HangingDisk, walLimit: Int64 = 1 << 20) throws -> SQLiteStore {
        var settings = settings
        settings.patience = .seconds(1)
        settings.willWork = disk.pass
        return try SQLiteStore(directory: directory.path, archive: settings, walLimit: walLimit)
    }

    @Test(
        "an archive whose disk hangs, at any step, stops no write, is told of, and goes on in a new generation when the disk answers",
        arguments: 0..<6)
    func hangs(at step: Int) async throws {
        let disk = HangingDisk()
        let store = try open(on: disk)
        defer { disk.answer() }
        try await put(store, "x0", 10, 1)
        let base = try await backup(store)
        #expect(store.status.archive?.problem == nil)
        disk.hang(after: step)
        // The log begins again several times.
        for step in 1..<20 { try await put(store, "x\(step)", 2_000_000, UInt8(step)) }
        #expect(disk.isWaitedFor)
        #expect(store.status.checkpoints > 3)
        #expect(store.status.trouble == nil)
        #expect(store.status.archive?.problem?.contains("does not answer") == true)
        // It hangs again while the new generation begins. Nobody waits for that.
        disk.answer(for: 2)
        await until { disk.isWaitedFor }
        try await put(store, "x20", 2_000_000, 20)
        #expect(store.status.archive?.problem?.contains("does not answer") == true)
        disk.answer()
        await until { store.status.archive?.problem?.hasSuffix(LogArchiveSettings.gapEnding) == true }
        let later = try await backup(store)
        #expect(store.status.archive?.problem == nil)
        for step in 21..<30 { try await put(store, "x\(step)", 2_000_000, UInt8(step)) }
        try store.close()
        let expected = (0..<30).map { ("x\($0)", $0 == 0 ? [1, 10] : [$0, 2_000_000]) }
        #expect(try contents(of: later, until: nil) == Dictionary(uniqueKeysWithValues: expected))
        // The earlier backup gets what was copied before: a part of the first transactions, and nothing of later ones.
        var replayed: LogReplay?
        let early = try contents(of: base, to: .archive) { replayed = $0 }
        #expect(replayed?.gapEnd != nil)
        #expect(early.count < 21)
        for (name, value) in early { #expect(name == "x0" ? value == [1, 10] : value == [Int(name.dropFirst()), 2_000_000]) }
        #expect(early.keys.sorted() == (0..<early.count).map { "x\($0)" }.sorted(), "one after the other")
    }

    @Test("a backup on a hanging disk of the archive is made, and cannot be brought forward")
    func backupWhileHanging() async throws {
        let disk = HangingDisk()
        let store = try open(on: disk)
        disk.hang()
        defer { disk.answer() }
        do {
            let copy = try await store.copy(bytesPerSecond: 1 << 30) { _ in }
            #expect(copy.archivePosition == nil)
        }
        #expect(store.status.archive?.problem?.contains("does not answer") == true)
        disk.answer()
        // Nothing was lost.
        await until { store.status.archive?.problem == nil }
        let later = try await backup(store)
        try await put(store, "x1", 10, 1)
        try store.close()
        #expect(try contents(of: later, until: nil) == ["x1": [1, 10]])
    }

    @Test(
        "transactions before a generation that began after a gap are one with the next, also if the server is killed before that was copied",
        arguments: ["killed", "the directory was removed before"])
    func killedAfterBeginning(_ how: String) async throws {
        let disk = HangingDisk()
        let store = try open(on: disk, walLimit: 64 << 20)
        defer { disk.answer() }
        disk.hang()
        // The log is copied into the database once. Then it begins again, and keeps what follows.
        try await put(store, "x0", 40_000_000, 1)
        await until { store.status.checkpoints > 0 }
        for step in 1..<6 { try await put(store, "x\(step)", 10, 1) }
        disk.answer()
        await until { store.status.archive?.problem?.hasSuffix(LogArchiveSettings.gapEnding) == true }
        // Then the next generation begins before this one has a transaction.
        if how != "killed" { try FileManager.default.removeItem(atPath: settings.directory) }
        let base = try await backup(store)
        disk.hang()
        try await put(store, "x6", 10, 1)
        try await restartAfterKill(store)
        let restored = try contents(of: base, to: .transactions(1)) { #expect($0.gapEnd == nil) }
        #expect(restored.keys.sorted() == (0..<7).map { "x\($0)" })
    }

    @Test("a store ends while its archive's disk hangs, and the next one tells of the gap")
    func endWhileHanging() async throws {
        let disk = HangingDisk()
        var store = try open(on: disk)
        _ = try await backup(store)
        disk.hang()
        defer { disk.answer() }
        try await put(store, "x1", 10, 1)
        try store.close()
        #expect(disk.isWaitedFor)
        disk.answer()
        await until { (try? LogArchiveLock(settings.directory, database: directory.path + "/" + SQLiteStore.fileName)) != nil }
        store = try open(on: HangingDisk())
        #expect(store.status.archive?.problem?.hasSuffix(LogArchiveSettings.gapEnding) == true)
        try store.close()
    }

    @Test("a store opens while its archive's disk hangs, and begins a generation when the disk answers")
    func startWhileHanging() async throws {
        var store = try open(on: HangingDisk())
        _ = try await backup(store)
        try await put(store, "x1", 10, 1)
        try store.close()
        // Opening a pipe for reading waits until somebody opens it for writing.
        let newest = try #require(LogArchiveFile.names(in: settings.directory).last)
        let pipe = settings.directory + "/" + newest.dropLast(5) + "f.wal"
        #expect(mkfifo(pipe, 0o600) == 0)
        let writer = Mutex<FileHandle?>(nil)
        defer { if writer.withLock({ $0 == nil }) { try? FileManager.default.removeItem(atPath: pipe) } }
        store = try open(on: HangingDisk())
        try #require(store.status.archive?.problem?.contains("does not answer") == true)
        try await put(store, "x2", 10, 2)
        writer.withLock { $0 = FileHandle(forWritingAtPath: pipe) }
        try FileManager.default.removeItem(atPath: pipe)
        writer.withLock { $0 = nil }
        await until { store.status.archive?.problem?.hasSuffix(LogArchiveSettings.gapEnding) == true }
        let later = try await backup(store)
        #expect(store.status.archive?.problem == nil)
        try await put(store, "x3", 10, 3)
        try store.close()
        #expect(try contents(of: later, until: nil).keys.sorted() == ["x1", "x2", "x3"])
    }
}

/// Hangs as the disk of an archive.
final class HangingDisk: Sendable {
    private struct State {
        /// How many steps are done before it hangs; `nil` if it does not hang.
        var left: Int?
        var isWaitedFor = false
    }

    private let state = Mutex(State())
    private let condition = NSCondition()

    /// Whether a thread waits for it.
    var isWaitedFor: Bool { state.withLock(\.isWaitedFor) }

    /// Hangs from now on.
    func hang(after steps: Int = 0) { state.withLock { $0.left = steps } }

    /// Answers again, for some steps or for good.
    func answer(for steps: Int? = nil) {
        condition.lock()
        state.withLock { state in
            state.left = steps
            state.isWaitedFor = false
        }
        condition.broadcast()
        condition.unlock()
    }

    /// A step of the disk.
    func pass() {
        condition.lock()
        defer { condition.unlock() }
        let hangs = state.withLock { state in
            guard let left = state.left else { return false }
            state.left = max(0, left - 1)
            return left == 0
        }
        guard hangs else { return }
        state.withLock { $0.isWaitedFor = true }
        while state.withLock(\.isWaitedFor) { condition.wait() }
    }
}
