import Foundation
import PulseBoardDomain
import PulseBoardServices
import StoreSQLite
import Synchronization

@testable import PulseBoardDiary

/// The clock of the schedule. Only the schedule moves it, so that a seed gives the same times everywhere.
final class SimulatedClock: WallClock {
    private let time = Mutex(Timestamp(microseconds: 1_800_000_000_000_000))
    func now() -> Timestamp { time.withLock { $0 } }
    func advance(_ interval: Timestamp.Interval) { time.withLock { $0 = $0.advanced(by: interval) } }
}

/// A device's clock. It differs from the true one by a changing amount.
final class WrongClock: WallClock {
    private let clock: SimulatedClock
    private let skew: Mutex<Timestamp.Interval>

    init(_ clock: SimulatedClock, skew: Timestamp.Interval) {
        self.clock = clock
        self.skew = Mutex(skew)
    }

    func now() -> Timestamp { clock.now().advanced(by: skew.withLock { $0 }) }
    func set(_ skew: Timestamp.Interval) { self.skew.withLock { $0 = skew } }
}

/// The server of a schedule: the real services and the real store on a simulated disk.
actor SimulatedServer {
    /// The people with diaries. Their sessions last longer than every schedule.
    static let people = ["minji", "jisoo"]

    nonisolated let disk: SimulatedDisk
    nonisolated let decoder = SimulatedDecoder()
    private let clock: SimulatedClock
    private var store: SQLiteStore?
    private(set) var services: Services?

    init(directory: String, clock: SimulatedClock) async throws {
        try await Template.shared.copy(to: directory)
        disk = try SimulatedDisk(directory)
        self.clock = clock
        try await start()
    }

    private func start() async throws {
        // The uptime follows the clock, so the store trusts the clock.
        let clock = clock, begin = clock.now()
        let store = try SQLiteStore(
            directory: disk.path, readerCount: 2, clock: clock, uptime: { .microseconds(clock.now().microseconds - begin.microseconds) })
        self.store = store
        services = try await Services(
            store: store, images: Services.ImageParts(store: NoProfileImages(), decoder: decoder),
            configuration: ServicesConfiguration(trustedUIDs: [], sessionLifetime: .days(10_000), clock: clock))
    }

    /// Stops the server, gracefully if the disk permits it, and starts it again. - Parameter seed: if given, the server is killed, and the
    /// disk may lose data.
    func restart(killedWith seed: UInt64? = nil, losing: Bool = false) async throws {
        if seed != nil { disk.stop(after: 0) }
        do { try store?.close() } catch { if seed == nil { throw error } }
        store = nil
        services = nil
        if let seed { try await disk.restart(losing: losing, seed: seed) }
        try await start()
    }

    /// Performs a device's call.
    func answer(_ call: SimulatedNetwork.Call, _ caller: Caller, pageSize: Int = 500) async -> SimulatedNetwork.Outcome {
        await services?.answer(call, caller, pageSize: pageSize) ?? .failure(.unavailable(detail: "the server is down"))
    }

    /// A copy of the database, made like an operator's copy while the server is stopped.
    func copy() async throws -> Data {
        try close()
        let data = try Data(contentsOf: URL(filePath: disk.path + "/" + SQLiteStore.fileName))
        try await start()
        return data
    }

    /// Replaces the database by a copy.
    func restart(from copy: Data) async throws {
        try close()
        try copy.write(to: URL(filePath: disk.path + "/" + SQLiteStore.fileName))
        try await start()
    }

    func close() throws {
        try store?.close()
        store = nil
        services = nil
    }

    /// Reads a user's whole diary from the server; `nil` if the disk has stopped.
    /// - Parameter orEmpty: whether to return an empty diary if the server does not know the device.
    func rows(of user: UserID, for device: DiaryDeviceID, orEmpty: Bool = false) async throws -> [DiaryEntryID: DiaryRow] {
        do { return try await allRows(of: user, for: device) } catch RepositoryError.diary(.deviceUnknown) where orEmpty { return [:] }
    }

    private func allRows(of user: UserID, for device: DiaryDeviceID) async throws -> [DiaryEntryID: DiaryRow] {
        var rows: [DiaryEntryID: DiaryRow] = [:]
        var position: DiaryPosition?
        while let page = try await store?.diaryChanges(of: user, for: device, after: position, limit: 500) {
            for change in page.rows { rows[change.id] = change.row }
            if page.isComplete { break }
            position = page.next
        }
        return rows
    }

    /// A server's files with everybody signed in. They are made once, and each schedule begins with a copy.
    private actor Template {
        static let shared = Template()
        private var files: Task<[String: Data], any Error>?

        func copy(to directory: String) async throws {
            let files = files ?? Task { try await Self.make() }
            self.files = files
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for (name, data) in try await files.value { try data.write(to: URL(filePath: directory + "/" + name)) }
        }

        private static func make() async throws -> [String: Data] {
            let directory = try TemporaryDirectory()
            let clock = SimulatedClock()
            let store = try SQLiteStore(directory: directory.path + "/server", clock: clock, uptime: { .zero })
            let services = try await Services(store: store, configuration: ServicesConfiguration(trustedUIDs: [], clock: clock))
            for (number, name) in people.enumerated() {
                let caller = try await services.auth.authenticate(services.auth.signIn(peerUID: UInt32(number) + 1_000).token)
                _ = try await services.profiles.createProfile(username: name, caller)
            }
            try store.close()
            let path = directory.path + "/server/" + SQLiteStore.fileName
            return [SQLiteStore.fileName: try Data(contentsOf: URL(filePath: path))]
        }
    }

    /// The caller of a person's session.
    func caller(_ number: Int) async throws -> Caller {
        guard let services else { throw SimulatedDisk.Failure(description: "the server is down") }
        return try await services.auth.authenticate(services.auth.signIn(peerUID: UInt32(number) + 1_000).token)
    }
}
