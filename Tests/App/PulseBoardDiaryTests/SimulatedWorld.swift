import Foundation
import PulseBoardDomain
import PulseBoardServices
import StoreSQLite
import Synchronization

@testable import PulseBoardDiary

/// A small generator of our own, so that a seed gives the same numbers everywhere (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True in so many of a hundred cases.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

/// Seeded bytes for names of devices.
final class SeededBytes: RandomSource {
    private let random: Mutex<SeededRandom>
    init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }
    func bytes(_ count: Int) -> [UInt8] { random.withLock { random in (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } } }
}

/// Between a device and the real services: loses requests and answers, delivers twice, and delivers again much later.
final class FaultyNetwork: DiaryServer {
    private struct State {
        var random: SeededRandom
        var isFaulty = true
        var services: Services?
        var earlier: [@Sendable (Services) async -> Void] = []
    }

    var user: UserID { caller.userID }
    private let caller: Caller
    private let state: Mutex<State>

    init(seed: UInt64, services: Services, caller: Caller) {
        state = Mutex(State(random: SeededRandom(seed: seed), services: services))
        self.caller = caller
    }

    /// `nil` while the server is down.
    func connect(_ services: Services?) { state.withLock { $0.services = services } }
    func repair() { state.withLock { $0.isFaulty = false } }

    private func chance(_ percent: Int) -> Bool { state.withLock { $0.isFaulty && $0.random.chance(percent) } }

    /// One call, with whatever happens to it on the way.
    private func deliver<Answer: Sendable>(
        _ call: @escaping @Sendable (Services) async throws(RepositoryError) -> Answer
    ) async throws(DiaryError) -> Answer {
        guard let services = state.withLock({ $0.services }) else { throw .unavailable(detail: "down") }
        if chance(10) { throw .unavailable(detail: "lost request") }
        // Something from long ago arrives now.
        if chance(15), let late = state.withLock({ $0.earlier.randomElement(using: &$0.random) }) { await late(services) }
        let answer: Answer
        do throws(RepositoryError) {
            answer = try await call(services)
            if chance(10) { _ = try await call(services) }
        } catch {
            if case .diary(let refusal) = error { throw .diary(refusal) }
            throw .refused(reason: error.reason.rawValue, message: "\(error)")
        }
        state.withLock { state in
            state.earlier.append { services in _ = try? await call(services) }
            if state.earlier.count > 8 { state.earlier.removeFirst() }
        }
        if chance(15) { throw .unavailable(detail: "lost answer") }
        return answer
    }

    func register(_ device: DiaryDeviceID, name: String) async throws(DiaryError) {
        _ = try await deliver { [caller] services throws(RepositoryError) in
            try await services.diaries.registerDevice(device, name: name, caller)
        }
    }

    func push(
        _ mutations: [NumberedDiaryMutation], confirmed: Int64, from device: DiaryDeviceID
    ) async throws(DiaryError) -> [DiaryMutationResult] {
        try await deliver { [caller] services throws(RepositoryError) in
            try await services.diaries.push(mutations, confirmed: confirmed, from: device, caller).results
        }
    }

    func pull(after cursor: String, for device: DiaryDeviceID) async throws(DiaryError) -> DiaryReadPage {
        let limit = state.withLock { state in state.isFaulty ? [1, 2, 500].randomElement(using: &state.random) ?? 1 : 500 }
        return try await deliver { [caller] services throws(RepositoryError) in
            let page = try await services.diaries.changes(for: device, after: cursor, limit: limit, caller)
            return DiaryReadPage(
                rows: page.rows, nextCursor: page.nextCursor, isComplete: page.isComplete, lastMutation: page.lastMutation)
        }
    }

    func missingImages(_ hashes: [DiaryImageHash]) async throws(DiaryError) -> [DiaryImageHash] {
        try await deliver { [caller] services throws(RepositoryError) in try await services.diaryImages.missing(hashes, caller) }
    }

    // No schedule has pictures yet.
    func upload(_ image: DiaryImage, _ bytes: [UInt8]) async throws(DiaryError) { throw .unavailable(detail: "no pictures here") }
    func download(_ image: DiaryImage) async throws(DiaryError) -> [UInt8] { throw .diary(.imageNotFound) }

    func watch(
        after cursor: String, for device: DiaryDeviceID, _ changed: @Sendable () async throws(DiaryError) -> Void
    ) async throws(DiaryError) { throw .unavailable(detail: "nobody follows here") }
}

/// One account's devices and its server, each a real store in a directory, and everything that was ever written.
struct SimulatedWorld {
    struct Violation: Error, CustomStringConvertible { let description: String }

    struct Device {
        let name: String
        let clock: SkewedClock
        var file: DiaryFile
        var diary: CombinedDiaryRepository
    }

    let directory: TemporaryDirectory
    let seed: UInt64
    var random: SeededRandom
    let clock = TestClock()
    var store: SQLiteStore
    var services: Services
    let user: UserID
    let network: FaultyNetwork
    var devices: [Device] = []
    private var copies = 0
    /// Every text that a save or an update has returned for.
    var written: Set<String> = []
    /// Those that their owner saw when something else took their place, or settled.
    var covered: Set<String> = []
    var entries: [DiaryEntryID] = []
    /// What the schedules have come through, so that a test can ask whether they did.
    var syncs = 0
    var deletions: Set<DiaryEntryID> = []

    init(seed: UInt64) async throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        directory = try TemporaryDirectory()
        (store, services) = try await Self.server(directory.path + "/server", clock)
        let caller = try await services.auth.authenticate(services.auth.signIn(peerUID: 1_000).token)
        _ = try await services.profiles.createProfile(username: "minji", caller)
        user = caller.userID
        network = FaultyNetwork(seed: seed ^ 0x5A5A, services: services, caller: caller)
        for number in 0..<Int.random(in: 2...4, using: &random) {
            let skew = number == 0 ? 0 : Int64.random(in: -1...1, using: &random)
            try await addDevice("device\(number)", SkewedClock(clock: clock, skew: .days(skew)))
        }
    }

    private static func server(_ path: String, _ clock: TestClock) async throws -> (SQLiteStore, Services) {
        // Its uptime goes with its clock, so it believes the clock.
        let start = clock.now()
        let store = try SQLiteStore(
            directory: path, clock: clock, uptime: { .microseconds(clock.now().microseconds - start.microseconds) })
        return (store, try await Services(store: store, configuration: ServicesConfiguration(trustedUIDs: [], clock: clock)))
    }

    private mutating func addDevice(_ name: String, _ clock: SkewedClock) async throws {
        let (file, diary) = try open(name, clock)
        try await file.attach(to: user)
        devices.append(Device(name: name, clock: clock, file: file, diary: diary))
    }

    private func open(_ name: String, _ clock: SkewedClock) throws -> (DiaryFile, CombinedDiaryRepository) {
        let file = try DiaryFile(
            directory: directory.path + "/" + name, clock: clock, random: SeededBytes(seed: seed &+ UInt64(name.utf8.reduce(0) { $0 &* 31 &+ Int($1) })))
        return (file, CombinedDiaryRepository(file, server: network))
    }

    // MARK: Steps

    mutating func step() async throws {
        let index = Int.random(in: devices.indices, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<50: try await edit(devices[index])
        case 50..<88: try await synchronize(devices[index])
        case 88..<92:
            // A restart of the device's program.
            let (file, diary) = try open(devices[index].name, devices[index].clock)
            devices[index].file = file
            devices[index].diary = diary
        case 92..<95: try await restartServer()
        case 95..<98: clock.advance(.hours(Int64.random(in: 1...50, using: &random)))
        case 98: clock.advance(.days(91))
        default: try await copyDevice(index)
        }
    }

    private mutating func synchronize(_ device: Device) async throws {
        do throws(DiaryError) {
            try await device.diary.synchronize()
            syncs += 1
        } catch .unavailable {
            // It goes on with the next one.
        }
        try await check(device)
    }

    private mutating func restartServer() async throws {
        network.connect(nil)
        try store.close()
        (store, services) = try await Self.server(directory.path + "/server", clock)
        network.connect(services)
    }

    /// Another device's directory takes the place of one that has nothing of its own.
    private mutating func copyDevice(_ index: Int) async throws {
        let other = Int.random(in: devices.indices, using: &random)
        guard other != index, try await devices[index].file.outboxSize().count == 0 else { return }
        copies += 1
        let name = "copy\(copies)"
        try FileManager.default.copyItem(
            atPath: devices[other].file.directory, toPath: directory.path + "/" + name)
        let (file, diary) = try open(name, devices[index].clock)
        devices[index] = Device(name: name, clock: devices[index].clock, file: file, diary: diary)
    }

    private mutating func edit(_ device: Device) async throws {
        let text = "\(seed) \(clock.now().microseconds)"
        let live = try await device.diary.entries(.all, PageRequest(size: 200)).entries
        let torn = try await device.file.conflicts()
        let pick = Int.random(in: 0..<100, using: &random)
        if live.isEmpty || pick < 25 {
            let id = DiaryEntryID(bits: UUIDBits(high: seed, low: UInt64(entries.count) + 1))
            entries.append(id)
            _ = try await device.diary.save(content(text, at: Int64(pick)), as: id)
            written.insert(text)
            guard try await device.diary.entry(id).content.text == text else { throw violation("7: an own entry is not shown") }
        } else if pick < 40, let change = torn.randomElement(using: &random), let lost = change.row.orderedConflicts.first {
            let isTaken = random.chance(50)
            // What it takes the place of is covered; the lost value is either shown again or forgotten with its owner's word.
            let isBack = isTaken && !change.row.isDeleted
            if isBack, lost.field == .text, case .text(let present)? = change.row[.text].value { covered.insert(present) }
            if !isBack, case .text(let gone) = lost.value { covered.insert(gone) }
            try await device.file.settle(change.id, lost.fieldStamp, taking: isTaken)
        } else if pick < 52, let entry = live.randomElement(using: &random) {
            covered.insert(entry.content.text)
            deletions.insert(entry.id)
            try await device.diary.delete(entry.id)
            guard try await !device.diary.entries(.all, PageRequest(size: 200)).entries.contains(where: { $0.id == entry.id }) else {
                throw violation("8: a deleted entry is shown")
            }
        } else if let entry = live.randomElement(using: &random) {
            covered.insert(entry.content.text)
            let change = try DiaryChange(emotion: random.chance(30) ? "sad" : nil, text: text)
            _ = try await device.diary.update(entry.id, change, ifMatches: entry.etag)
            written.insert(text)
            guard try await device.diary.entry(entry.id).content.text == text else { throw violation("7: an own change is not shown") }
        }
    }

    private func check(_ device: Device) async throws {
        let page = try await device.diary.entries(.all, PageRequest(size: 200))
        guard Set(page.entries.map(\.id)).count == page.entries.count else { throw violation("6: an entry is listed twice") }
        guard page.damaged.isEmpty else { throw violation("19: a row cannot be read") }
    }

    // MARK: The end

    /// Lets everything arrive, and checks what must hold then.
    mutating func finish() async throws {
        network.repair()
        for _ in 0..<3 {
            for device in devices { try await device.diary.synchronize() }
        }
        let bases = try await rows()
        for (device, base) in zip(devices, bases) where base != bases[0] { throw violation("11: \(device.name) ends otherwise") }
        for device in devices {
            guard try await device.file.outboxSize().count == 0 else { throw violation("an outbox of \(device.name) is not empty") }
            guard try await device.file.rejected().isEmpty else { throw violation("something was rejected") }
            guard try await device.file.rowBytes("shown") == device.file.rowBytes("base") else { throw violation("what is shown is not the base") }
            try await check(device)
        }
        var found: Set<String> = []
        for bytes in bases[0].values {
            guard let row = DiaryRow(bytes: bytes) else { throw violation("a row cannot be read") }
            for value in [row[.text].value].compactMap(\.self) + row.conflicts.map(\.value) {
                if case .text(let text) = value { found.insert(text) }
            }
        }
        let lost = written.subtracting(covered).subtracting(found)
        guard lost.isEmpty else { throw violation("9, 10: lost \(lost.sorted())") }
        let live = Set(try await devices[0].diary.entries(.all, PageRequest(size: 200)).entries.map(\.id))
        // A copy that comes back after three months may not know that its entry was deleted, and nobody else does.
        guard copies > 0 || live.isDisjoint(with: deletions) else { throw violation("8: a deleted entry is back") }
        try store.close()
    }

    private func rows() async throws -> [[String: [UInt8]]] {
        var rows: [[String: [UInt8]]] = []
        for device in devices { rows.append(try await device.file.rowBytes("base")) }
        return rows
    }

    private func violation(_ text: String) -> Violation { Violation(description: "seed \(seed): \(text)") }
}
