import Foundation
import PulseBoardDomain
import Synchronization
import Testing

@testable import StoreSQL
@testable import StoreSQLite

@Suite("Truth about the store") struct StoreHealthTests {
    let directory: TemporaryDirectory
    let clock = SetClock(1_000_000)

    init() throws { directory = try TemporaryDirectory() }

    private func open() throws -> SQLiteStore {
        try SQLiteStore(directory: directory.path, clock: clock, probePauses: .milliseconds(1)...(.milliseconds(1)))
    }

    private static func fill(_ store: SQLiteStore, _ name: String, bytes: Int = 40_000) async throws(RepositoryError) {
        try await store.write { connection throws(RepositoryError) in
            var statement = try connection.statement("INSERT OR REPLACE INTO secret (name, value) VALUES (?, ?)")
            try statement.bind(name)
            try statement.bind([UInt8](repeating: 1, count: bytes))
            try statement.run()
        }
    }

    @Test("a full database refuses writes with a reason of its own, says so once, and works again by itself when there is room")
    func full() async throws {
        let store = try open()
        let events = EventRecord(store)
        #expect(store.status.lastCommitTime == nil && store.status.trouble == nil)
        try await Self.fill(store, "a")
        #expect(store.status.lastCommitTime == clock.now())
        let pages = try await store.read { connection throws(RepositoryError) in try integer("PRAGMA page_count", connection) }
        try await store.tamper("PRAGMA max_page_count = \(try #require(pages))")
        for number in 1...3 {
            let error = await #expect(throws: RepositoryError.self) { try await Self.fill(store, "b\(number)") }
            guard case .storeUnavailable(.full, let detail) = error else {
                Issue.record("refused with \(String(describing: error))")
                return
            }
            #expect(detail == "SQLite error 13: database or disk is full")
            #expect(error?.reason == .storeFull)
        }
        try await store.tamper("PRAGMA max_page_count = 1000000")
        let told = await events.recovery()
        // A small write is always possible here, so the trouble may have ended and begun again in between.
        let failures = told.compactMap { if case .failing(let trouble) = $0 { trouble.failure } else { nil } }
        #expect(failures.allSatisfy { $0 == .full } && !failures.isEmpty && failures.count <= 3)
        try await Self.fill(store, "c")
        #expect(store.status.lastTrouble?.failure == .full)
        try store.close()
    }

    @Test("a transaction that the disk does not answer is a trouble, which ends with it")
    func hungTransaction() async throws {
        let store = try SQLiteStore(
            directory: directory.path, clock: clock, probePauses: .milliseconds(1)...(.milliseconds(1)), longestTransaction: .zero)
        let events = EventRecord(store)
        store.check()
        #expect(store.status.trouble == nil)
        let writer = await HeldWriter(of: store)
        store.check()
        #expect(store.status.trouble?.failure == .inputOutput)
        #expect(store.status.trouble?.detail == "the disk has not finished a transaction in 0 s")
        writer.release()
        #expect(await events.recovery().count == 2)
        #expect(store.status.trouble == nil)
        try store.close()
    }

    @Test("a transaction that changes nothing does not count as a commit")
    func nothingToCommit() async throws {
        let store = try open()
        try await Self.fill(store, "a")
        #expect(store.status.writes == 1)
        for _ in 0..<3 { try await store.tamper("DELETE FROM secret WHERE name = 'none'") }
        #expect(store.status.writes == 1)
        try await Self.fill(store, "b")
        #expect(store.status.writes == 2)
        try store.close()
    }

    @Test("every write of a transaction that the store gives up is told why")
    func whole() async throws {
        let store = try open()
        try await store.tamper("PRAGMA max_page_count = 1")
        let failures = await withTaskGroup(of: StoreFailure?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    do throws(RepositoryError) { try await Self.fill(store, "\(number)") } catch {
                        if case .storeUnavailable(let failure, _) = error { return failure }
                    }
                    return nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(failures == Array(repeating: .full, count: 50))
        try store.close()
    }

    @Test("a damaged file is found when it is read, and the trouble stays while a check of the file finds it")
    func corrupt() async throws {
        let empty = try open()
        try empty.close()
        let intact = try #require(try FileManager.default.attributesOfItem(atPath: empty.path)[.size] as? NSNumber).intValue
        let first = try open()
        for number in 0..<50 { try await Self.fill(first, "\(number)", bytes: 3_000) }
        try first.close()
        let file = try FileHandle(forUpdating: URL(filePath: first.path))
        let length = try file.seekToEnd()
        let whole = try Data(contentsOf: URL(filePath: first.path))
        // Only the newest pages are damaged: the schema and the roots of its tables stay intact.
        try file.seek(toOffset: UInt64(intact))
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(length) - intact))
        let store = try open()
        let events = EventRecord(store)
        let error = await #expect(throws: RepositoryError.self) {
            try await store.read { connection throws(RepositoryError) in
                _ = try integer("SELECT sum(length(value)) FROM secret", connection)
            }
        }
        #expect(error?.reason == .storeCorrupt)
        #expect(store.status.trouble?.failure == .corrupt)
        // A successful write does not end the trouble, and neither does a probe.
        try await store.tamper("DELETE FROM request")
        #expect(store.status.trouble?.failure == .corrupt)
        try file.seek(toOffset: 0)
        try file.write(contentsOf: whole)
        try file.close()
        let told = await events.recovery()
        #expect(told.count == 2)
        try? store.close()
    }

    @Test("failures that say nothing of other calls are told once a minute, and counted")
    func single() async throws {
        let health = StoreHealth(clock: clock)
        let events = Mutex<[StoreEvent]>([])
        health.observe { event in events.withLock { $0.append(event) } }
        let failure = RepositoryError.storeUnavailable(detail: "SQLite error 1: no such table")
        for _ in 0..<1_000 { health.note(failure) }
        clock.advance(.seconds(60))
        health.note(failure)
        health.note(.userNotFound)
        #expect(health.trouble == nil)
        let counts = events.withLock { $0 }.map { if case .failed(let trouble) = $0 { trouble.count } else { -1 } }
        #expect(counts == [1, 1_000])
        #expect(health.lastTrouble?.detail == "SQLite error 1: no such table")
    }

    @Test("each cause of such failures is told and counted for itself, so that one does not hide another")
    func severalCauses() {
        let health = StoreHealth(clock: clock)
        let told = Mutex<[String]>([])
        health.observe { event in
            if case .failed(let trouble) = event { told.withLock { $0.append("\(trouble.detail) \(trouble.count)") } }
        }
        for detail in ["a", "b", "a", "b", "b"] { health.note(.storeUnavailable(detail: detail)) }
        #expect(told.withLock { $0 } == ["a 1", "b 1"])
        #expect(health.lastTrouble?.detail == "b" && health.lastTrouble?.count == 3)
        clock.advance(.seconds(60))
        health.note(.storeUnavailable(detail: "a"))
        #expect(told.withLock { $0 }.last == "a 2" && health.lastTrouble?.count == 3)
        #expect(health.lastTrouble?.since == clock.now().advanced(by: .seconds(-60)))
        // However many causes there are, the log has one line a minute for each of sixteen, and one for all others.
        for number in 0..<1_000 { health.note(.storeUnavailable(detail: "cause \(number)")) }
        #expect(told.withLock { $0 }.count == 3 + 14 + 1)
        clock.advance(.seconds(60))
        health.note(.storeUnavailable(detail: "cause 999"))
        #expect(told.withLock { $0 }.last == "cause 999 986")
        // A cause that comes back after a while begins again.
        clock.advance(.seconds(3_600))
        health.note(.storeUnavailable(detail: "b"))
        #expect(health.lastTrouble?.count == 1 && health.lastTrouble?.since == clock.now())
    }

    @Test("of two troubles the one that does not end by itself is told")
    func two() {
        let health = StoreHealth(clock: clock)
        let failures = { (list: [StoreFailure]) in for failure in list { health.note(.storeUnavailable(failure, detail: "")) } }
        failures([.full, .inputOutput])
        #expect(health.trouble?.failure == .full && health.trouble?.count == 2)
        failures([.gone, .full, .corrupt])
        #expect(health.trouble?.failure == .gone && health.trouble?.count == 3)
    }

    @Test("a database that is gone is told even if it was damaged before, because nothing may be written to it")
    func goneAfterDamage() {
        let health = StoreHealth(clock: clock)
        for failure in [StoreFailure.corrupt, .gone, .corrupt] { health.note(.storeUnavailable(failure, detail: "")) }
        #expect(health.trouble?.failure == .gone)
    }

    @Test("whoever begins to observe a store in trouble is told at once")
    func late() {
        let health = StoreHealth(clock: clock)
        health.note(.storeUnavailable(.full, detail: "no room"))
        let events = Mutex<[StoreEvent]>([])
        health.observe { event in events.withLock { $0.append(event) } }
        health.recovered()
        health.recovered()
        let trouble = StoreTrouble(failure: .full, detail: "no room", since: clock.now(), count: 1)
        #expect(events.withLock { $0 } == [.failing(trouble), .recovered(trouble)])
    }

    @Test("what SQLite and the system answer is told apart", arguments: [
        (13, 0, StoreFailure.full), (778, ENOSPC, .full), (778, EDQUOT, .full), (778, EFBIG, .full), (778, EIO, .inputOutput),
        (266, EIO, .inputOutput), (778, EROFS, .readOnly), (3082, ENOMEM, .other), (8, 0, .readOnly), (1032, 0, .gone), (11, 0, .corrupt),
        (267, 0, .corrupt), (26, 0, .corrupt), (14, 0, .inputOutput), (5, 0, .other), (1, 0, .other),
    ] as [(CInt, CInt, StoreFailure)])
    func classes(_ code: CInt, _ systemError: CInt, _ failure: StoreFailure) {
        #expect(StoreFailure(sqliteCode: code, systemError: systemError) == failure)
    }

    @Test("an error that is neither SQLite's nor the system's is told in words")
    func unforeseen() {
        enum Odd: Error { case outcome(Int) }
        let error = RepositoryError(thrown: Odd.outcome(7))
        #expect(error == .storeUnavailable(detail: "an unforeseen error: Odd"))
        #expect("\(error)" == "This cannot be done right now. Try again shortly. (an unforeseen error: Odd)")
        let missing = NSError(domain: NSPOSIXErrorDomain, code: Int(ENOENT))
        #expect(RepositoryError(thrown: missing) == .storeUnavailable(detail: "No such file or directory"))
    }

    @Test("a store that cannot empty its log closes all the same, and the next one has it all")
    func closingFull() async throws {
        let store = try open()
        try await Self.fill(store, "kept")
        // Somebody outside reads, so the log cannot be emptied.
        let reader = try OutsideReader(store.path)
        try store.close()
        #expect(store.status.walBytes > 0)
        try reader.end()
        let again = try open()
        let kept = try await again.read { connection throws(RepositoryError) in try integer("SELECT count(*) FROM secret", connection) }
        #expect(kept == 1)
        try again.close()
        #expect(again.status.walBytes == 0)
    }
}
