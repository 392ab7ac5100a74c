import Foundation
import PulseBoardDomain
import StoreSQLite
import Synchronization

@testable import PulseBoardServices

/// A temporary directory. It is removed with its last reference.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        let name = "pulseboard-test-\(UUID().uuidString)"
        path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A clock that a test sets. It advances by one second with every reading, so that no two instants are equal.
final class TestClock: WallClock {
    private let time = Mutex(Timestamp(microseconds: 1_767_484_800_000_000))

    func now() -> Timestamp {
        time.withLock { time in
            time = time.advanced(by: .seconds(1))
            return time
        }
    }

    func advance(_ interval: Timestamp.Interval) { time.withLock { $0 = $0.advanced(by: interval) } }
}

/// Predictable bytes: a counter, so that no two results are equal.
final class CountingRandomSource: RandomSource {
    private let next: Mutex<UInt64>

    init(first: UInt64) { next = Mutex(first) }

    func bytes(_ count: Int) -> [UInt8] {
        let value = next.withLock { next in
            defer { next += 1 }
            return next
        }
        return (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * ($0 % 8))) }
    }
}

/// Cancels the task that calls it, as the end of a server does.
func cancelPresentTask() {
    withUnsafeCurrentTask { $0?.cancel() }
}

/// The services on a real store in a temporary directory.
struct Bench {
    let directory: TemporaryDirectory
    let clock = TestClock()
    let store: SQLiteStore
    let counted: CountedStore
    let services: Services
    static let trustedUID: UInt32 = 0

    /// - Parameter directory: the directory of an earlier, closed bench. Random bytes do not repeat.
    init(
        directory: TemporaryDirectory? = nil, timer: any Clock<Duration> = ContinuousClock(), images: Services.ImageParts? = nil,
        idTokens: (any IDTokenVerifier)? = nil
    ) async throws {
        self.directory = try directory ?? TemporaryDirectory()
        // The time of day and the uptime advance together. Otherwise nothing would expire.
        store = try SQLiteStore(directory: self.directory.path, clock: clock, uptime: { [clock] in .microseconds(clock.now().microseconds) })
        counted = CountedStore(store)
        services = try await Services(
            store: counted, images: images, idTokens: idTokens,
            configuration: ServicesConfiguration(
                trustedUIDs: [Self.trustedUID], sessionsPerUser: 3, clock: clock, timer: timer,
                random: CountingRandomSource(first: directory == nil ? 1 : 1_000)))
    }

    /// Signs in as a Unix uid.
    func caller(_ uid: UInt32) async throws -> Caller {
        try await services.auth.authenticate(try await services.auth.signIn(peerUID: uid).token)
    }

    /// Signs in as a Unix uid and creates its profile.
    func member(_ uid: UInt32, _ username: String) async throws -> Caller {
        let caller = try await caller(uid)
        _ = try await services.profiles.createProfile(username: username, caller)
        return caller
    }
}
