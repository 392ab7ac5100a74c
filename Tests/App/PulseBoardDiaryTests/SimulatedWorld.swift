import Foundation
import PulseBoardDomain
import PulseBoardServices
import Synchronization
import TestHarness

@testable import PulseBoardDiary

/// Seeded bytes for the ids of devices.
final class SeededBytes: RandomSource {
    private let random: Mutex<SeededRandom>
    init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }
    func bytes(_ count: Int) -> [UInt8] { random.withLock { random in (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 24) } } }
}

/// Two accounts with three to seven devices together, and their server: real stores on disks that can stop, and a record of everything that was ever
/// written.
///
/// A schedule is a sequence of steps, chosen by the seed's numbers: an edit; one call of a device's synchronisation, which is let through, lost,
/// repeated or held back; a kill or a power cut of a device or of the server between any two writes to its disk; clocks that jump by a day; three
/// months after which deletions are forgotten; a copied directory; somebody else who signs in.
final class SimulatedWorld {
    /// An error that must never happen. It names the seed, so that the schedule can be replayed.
    struct Violation: Error, CustomStringConvertible { let description: String }

    /// The schedule's record of a diary.
    struct Diary {
        let caller: Caller
        var entries: [DiaryEntryID] = []
        /// Every value whose writing was acknowledged.
        var written: Set<String> = []
        /// Values that the owner saw when they were replaced or dismissed.
        var covered: Set<String> = []
        var deleted: Set<DiaryEntryID> = []
        /// Whether a directory was copied. A copy that comes back after three months may not know of a deletion that everybody else has forgotten.
        var hasCopies = false
    }

    struct Device {
        let diary: Int
        let name: String
        let clock: WrongClock
        let disk: SimulatedDisk
        let network: SimulatedNetwork
        var file: DiaryFile
        var repository: CombinedDiaryRepository
        var isAttached: Bool
        var isSynchronizing = false
        /// An answer on its way, and the server's rows when it answered.
        var held: (outcome: SimulatedNetwork.Outcome, snapshot: [DiaryEntryID: DiaryRow]?)?
        /// Performed calls that may arrive again.
        var earlier: [SimulatedNetwork.Call] = []
        /// Whether the last answer had edits that were refused for good.
        var hasRefusals = false
        /// The server's rows after some pushes, by their cursors.
        var pushed: [String: [DiaryEntryID: DiaryRow]] = [:]
    }

    /// How often each event happened, so that a test can check that it did.
    enum Event: Hashable {
        case edit, synchronization, ownChanges, deviceKill, serverKill, lostAnswer, repeated, conflict, rename, copy, resync, skew, picture,
            held, refusedPicture
    }

    let seed: UInt64
    let steps: Int
    var random: SeededRandom
    let directory: TemporaryDirectory
    let clock = SimulatedClock()
    let server: SimulatedServer
    var diaries: [Diary] = []
    var devices: [Device] = []
    var events: [Event: Int] = [:]
    /// The bytes of every picture that was added.
    var pictures: [DiaryImage: [UInt8]] = [:]
    /// The file of a device between two processes.
    private let nowhere: DiaryFile
    private var names = 0
    private var values = 0
    /// Pushes whose answers have cursors.
    var pushes = 0

    init(seed: UInt64, steps: Int) async throws {
        self.seed = seed
        self.steps = steps
        random = SeededRandom(seed: seed)
        directory = try TemporaryDirectory(in: SimulatedDisk.root)
        nowhere = try DiaryFile(directory: directory.path + "/nowhere")
        server = try await SimulatedServer(directory: directory.path + "/server", clock: clock)
        for number in SimulatedServer.people.indices { diaries.append(Diary(caller: try await server.caller(number))) }
        for number in 0..<(2 + random.below(3)) { try await addDevice(of: 0, skew: number == 0 ? 0 : Int64(random.below(3)) - 1) }
        try await addDevice(of: 1, skew: 0)
    }

    // MARK: Devices

    private func addDevice(of diary: Int, skew: Int64) async throws {
        let clock = WrongClock(clock, skew: .days(skew))
        let name = newName()
        let disk = try SimulatedDisk(directory.path + "/" + name)
        let network = SimulatedNetwork(user: diaries[diary].caller.userID)
        let (file, repository) = try open(name, disk, clock, network)
        // Some have no account at first.
        let isAttached = !random.chance(25)
        if isAttached { try await file.attach(to: network.user) }
        devices.append(Device(
            diary: diary, name: name, clock: clock, disk: disk, network: network, file: file, repository: repository, isAttached: isAttached))
    }

    private func newName() -> String {
        names += 1
        return "device\(names)"
    }

    private func open(
        _ name: String, _ disk: SimulatedDisk, _ clock: WrongClock, _ network: SimulatedNetwork
    ) throws -> (DiaryFile, CombinedDiaryRepository) {
        let number = UInt64(name.dropFirst("device".count)) ?? 0
        // In half of the schedules a few edits are several pushes, so that two are on their way.
        let file = try DiaryFile(
            directory: disk.path, clock: clock, random: SeededBytes(seed: random.next() ^ number),
            editsPerPush: seed.isMultiple(of: 2) ? 2 : DiaryLimits.maximumBatch)
        return (file, CombinedDiaryRepository(file, server: network))
    }

    /// The device's process ends and begins again. - Parameter losing: whether its machine loses power too.
    private func kill(_ index: Int, losing: Bool) async throws {
        devices[index].disk.stop(after: 0)
        try await endSynchronization(index)
        try await reopen(index) { [seed = random.next()] disk in try await disk.restart(losing: losing, seed: seed) }
        count(.deviceKill)
    }

    private func reopen(_ index: Int, _ between: (SimulatedDisk) async throws -> Void) async throws {
        // The connection is closed with its last user.
        devices[index].file = nowhere
        devices[index].repository = CombinedDiaryRepository(nowhere, server: devices[index].network)
        try await between(devices[index].disk)
        (devices[index].file, devices[index].repository) = try open(
            devices[index].name, devices[index].disk, devices[index].clock, devices[index].network)
    }

    /// Interrupts a running synchronisation.
    func endSynchronization(_ index: Int) async throws {
        devices[index].held = nil
        while devices[index].isSynchronizing {
            try await follow(index, await devices[index].network.answer(.failure(.unavailable(detail: "cut off"))))
        }
    }

    // MARK: Steps

    func step() async throws {
        clock.advance(Timestamp.Interval(microseconds: Int64(1 + random.below(5_000_000))))
        let index = random.below(devices.count)
        switch random.below(1_000) {
        case 0..<380: try await edit(index)
        case 380..<915: try await goOn(index)
        case 915..<945: try await editOnline()
        case 945..<955: try await stop(index)
        case 955..<960: try await stopServer(index)
        case 960..<966: try await endSynchronization(index)
        case 966..<970:
            try await endSynchronization(index)
            try await reopen(index) { _ in }
        case 970..<973: try await server.restart()
        case 973..<983: clock.advance(.hours(Int64(1 + random.below(50))))
        case 983..<985: clock.advance(.days(91))
        // The program that decodes pictures disappears, or comes back.
        case 985: server.decoder.set(isThere: random.chance(50))
        case 986..<992:
            // Two days ahead are more than the server permits.
            devices[index].clock.set(.hours([-24, 0, 0, 23, 48][random.below(5)]))
        case 992..<996: try await copy(index)
        default: try await signInAsSomebodyElse(index)
        }
    }

    /// A device's synchronisation begins, or its call is let through, lost, repeated or held back.
    private func goOn(_ index: Int) async throws {
        guard devices[index].isSynchronizing else {
            if !devices[index].isAttached {
                let file = devices[index].file, user = devices[index].network.user
                guard try await whileRunning(index, { () throws(DiaryError) in try await file.attach(to: user) }) != nil else { return }
                devices[index].isAttached = true
            }
            devices[index].isSynchronizing = true
            return try await follow(index, await devices[index].network.start(devices[index].repository))
        }
        if let held = devices[index].held {
            devices[index].held = nil
            guard !random.chance(15) else { return try await loseAnswer(index) }
            return try await deliver(index, held.outcome, held.snapshot)
        }
        guard let call = devices[index].network.waitingCall else { throw violation("a synchronisation stands still") }
        if random.chance(4), let late = devices[index].earlier.isEmpty ? nil : devices[index].earlier[random.below(devices[index].earlier.count)] {
            // An old call arrives now.
            _ = await perform(late, index)
        }
        let fate = random.below(100)
        if fate < 5 { return try await follow(index, await devices[index].network.answer(.failure(.unavailable(detail: "lost request")))) }
        let outcome = await perform(call, index)
        try await remember(outcome, index)
        devices[index].earlier.append(call)
        if devices[index].earlier.count > 8 { devices[index].earlier.removeFirst() }
        if fate < 9 {
            _ = await perform(call, index)
            count(.repeated)
        }
        if fate < 14 { return try await loseAnswer(index) }
        let snapshot = random.chance(4) ? try await snapshot(of: outcome, index) : nil
        if fate < 28 {
            devices[index].held = (outcome, snapshot)
        } else {
            try await deliver(index, outcome, snapshot)
        }
    }

    private func loseAnswer(_ index: Int) async throws {
        count(.lostAnswer)
        try await follow(index, await devices[index].network.answer(.failure(.unavailable(detail: "lost answer"))))
    }

    /// The server performs a device's call.
    private func perform(_ call: SimulatedNetwork.Call, _ index: Int) async -> SimulatedNetwork.Outcome {
        let outcome = await server.answer(call, diaries[devices[index].diary].caller, pageSize: [2, 10, 500][random.below(3)])
        switch outcome {
        case .failure(.diary(.resyncRequired)): count(.resync)
        case .failure(.diary(.deviceCloned)), .failure(.diary(.mutationGap)): count(.rename)
        case .failure(.diary(.clockSkewed)): count(.skew)
        case .failure(.pictureNotTaken): count(.held)
        case .failure(.refused(let reason, _, _)) where reason == "IMAGE_INVALID": count(.refusedPicture)
        case .success(.uploaded): count(.picture)
        case .success(.pushed(let reply)) where reply.results.contains { $0.outcome == .conflict }: count(.conflict)
        default: break
        }
        return outcome
    }

    private func deliver(
        _ index: Int, _ outcome: SimulatedNetwork.Outcome, _ snapshot: [DiaryEntryID: DiaryRow]?
    ) async throws {
        let isPush = devices[index].network.waitingCall?.isPush == true
        // A refused edit is shown until its refusal is stored, which may be after the answer to the next push.
        let isRefused = if case .success(.pushed(let reply)) = outcome { reply.hasRefusals } else { false }
        let mayChange = isRefused || devices[index].hasRefusals
        devices[index].hasRefusals = isRefused
        let shown = isPush && random.chance(4) && !mayChange ? try await devices[index].file.rowBytes("shown") : nil
        try await follow(index, await devices[index].network.answer(outcome))
        if let shown, case .success = outcome, try await devices[index].file.rowBytes("shown") != shown {
            throw violation("7: an acknowledgement has changed what is shown on \(devices[index].name)")
        }
        if let snapshot, !devices[index].disk.hasStopped { try await compare(devices[index], with: snapshot) }
        if !devices[index].disk.hasStopped { try await checkOwnChanges(index) }
    }

    /// Handles the end or next call of a device's synchronisation.
    private func follow(_ index: Int, _ end: Result<Void, DiaryError>?) async throws {
        devices[index].isSynchronizing = end == nil
        switch end {
        case nil: break
        case .success?:
            count(.synchronization)
            if random.chance(4) { try await checkList(devices[index]) }
        // The next synchronisation continues. With a clock that is far ahead, new edits may be made while others are moved.
        case .failure(.unavailable)?, .failure(.diary(.clockSkewed))?: break
        case .failure(.storeFailed)? where devices[index].disk.hasStopped: break
        case .failure(let error)?: throw violation("\(devices[index].name) does not synchronise: \(error)")
        }
    }

    // MARK: Faults

    /// A device is killed at one of its next writes to the disk, or between two of them.
    private func stop(_ index: Int) async throws {
        devices[index].disk.stop(after: random.below(24))
        for _ in 0..<(1 + random.below(3)) where !devices[index].disk.hasStopped {
            if random.chance(40) { try await edit(index) } else { try await goOn(index) }
        }
        try await kill(index, losing: random.chance(50))
    }

    /// The server is killed at one of its next writes to the disk, or between two of them.
    private func stopServer(_ index: Int) async throws {
        server.disk.stop(after: random.below(16))
        for _ in 0..<(1 + random.below(3)) where !server.disk.hasStopped {
            if random.chance(30) { try await editOnline() } else { try await goOn(index) }
        }
        try await server.restart(killedWith: random.next(), losing: random.chance(50))
        count(.serverKill)
    }

    /// Copies a directory with its outbox. Then both are used.
    private func copy(_ index: Int) async throws {
        guard devices.count < 7 else { return }
        let name = newName(), original = devices[index]
        let path = directory.path + "/" + name
        try FileManager.default.copyItem(atPath: original.disk.path, toPath: path)
        let disk = try SimulatedDisk(path)
        let clock = WrongClock(clock, skew: .hours([-24, 0, 23][random.below(3)]))
        let network = SimulatedNetwork(user: original.network.user)
        let (file, repository) = try open(name, disk, clock, network)
        diaries[original.diary].hasCopies = true
        devices.append(Device(
            diary: original.diary, name: name, clock: clock, disk: disk, network: network, file: file, repository: repository,
            isAttached: original.isAttached))
        count(.copy)
    }

    /// Somebody else signs in at a directory that belongs to its owner: nothing is sent.
    private func signInAsSomebodyElse(_ index: Int) async throws {
        guard devices[index].isAttached else { return }
        let other = SimulatedNetwork(user: diaries[1 - devices[index].diary].caller.userID)
        guard case .failure(.otherAccount)? = await other.start(CombinedDiaryRepository(devices[index].file, server: other)) else {
            throw violation("16: \(devices[index].name) speaks to a server as another account")
        }
        do throws(DiaryError) { try await devices[index].file.attach(to: other.user) } catch .otherAccount { return }
        throw violation("16: \(devices[index].name) was attached to another account")
    }

    // MARK: Words

    /// A new value for a diary.
    func newContent(of diary: Int) -> DiaryContent {
        values += 1
        var letters = diary == 0 ? "m_" : "j_"
        var rest = values
        while rest > 0 {
            letters.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "a") + UInt8(rest % 26)))
            rest /= 26
        }
        return DiaryContent(
            stored: Timestamp(microseconds: 1_700_000_000_000_000 + Int64(values) * 2 + Int64(diary)), emotion: letters, text: letters + " \(values)")
    }

    /// New bytes of a picture for a diary. An odd length marks the second account. The server refuses one in ten for good.
    func newPicture(of diary: Int) -> [UInt8] {
        values += 1
        let number = (0..<8).map { UInt8(truncatingIfNeeded: values >> (8 * $0)) }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + number + (diary == 0 ? [0] : []) + [random.chance(10) ? SimulatedDecoder.damage : 0]
    }

    func count(_ event: Event) { events[event, default: 0] += 1 }

    func violation(_ text: String) -> Violation {
        Violation(description: "\(text)\nTo see it again: make simulation ARGUMENTS=\(seed):\(steps)")
    }
}
