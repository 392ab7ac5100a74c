import Foundation
import Logging
import PulseBoardDiary
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardRPC
import PulseBoardServices
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import StoreSQLite
import Synchronization

/// A directory that is removed with everything in it when the test lets go of it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/pb-diary-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A diary in a directory below.
    func diary(_ name: String, clock: any WallClock = SystemWallClock()) throws -> DiaryFile {
        try DiaryFile(directory: path + "/" + name, clock: clock)
    }
}

/// A clock that a test sets. It goes a microsecond further with every reading.
final class TestClock: WallClock {
    private let time: Mutex<Timestamp>

    init(_ time: Timestamp = Timestamp(microseconds: 1_800_000_000_000_000)) { self.time = Mutex(time) }

    func now() -> Timestamp {
        time.withLock { time in
            time = Timestamp(microseconds: time.microseconds + 1)
            return time
        }
    }

    func advance(_ interval: Timestamp.Interval) { time.withLock { $0 = $0.advanced(by: interval) } }
}

/// A clock that is so far ahead of another one.
struct SkewedClock: WallClock {
    let clock: TestClock
    let skew: Timestamp.Interval
    func now() -> Timestamp { clock.now().advanced(by: skew) }
}

/// A server with a store, over a socket.
final class Board: Sendable {
    let services: Services
    let channel: Channel
    let store: SQLiteStore
    private let server: Server

    init(_ directory: TemporaryDirectory, clock: any WallClock = SystemWallClock()) async throws {
        store = try SQLiteStore(directory: directory.path + "/server", clock: clock)
        services = try await Services(store: store, configuration: ServicesConfiguration(trustedUIDs: [getuid()], clock: clock))
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var router = Router()
        services.register(on: &router)
        server = try Server(
            Server.Configuration(loopCount: 1), router: router, interceptors: services.interceptors(), logger: logger)
        server.start(on: try ListeningSocket(path: directory.path + "/s"))
        channel = try Channel(Channel.Configuration(socketPath: directory.path + "/s"))
    }

    func close() async throws {
        await channel.close()
        await server.shutdown(gracePeriod: .zero)
        try store.close()
    }

    /// Signs a named account in and makes its profile.
    func enter(_ account: String) async throws -> Account {
        let auth = PBAuthServiceClient(channel: channel)
        let answer = try await auth.signIn(PBSignInRequest(credential: .peer(PBPeerCredential(account: account))))
        var options = CallOptions()
        options.metadata.append("Bearer " + answer.token, for: "authorization")
        _ = try await PBProfileServiceClient(channel: channel).createProfile(PBCreateProfileRequest(username: account), options: options)
        guard let user = UserID(text: answer.session?.userID ?? "") else { throw NoUser() }
        return Account(user: user, client: DiaryClient(channel: channel, user: user) { [options] in options })
    }

    struct NoUser: Error {}
}

/// Somebody who is signed in.
struct Account: Sendable {
    let user: UserID
    let client: DiaryClient
}

/// The `number`-th entry.
func entryID(_ number: Int) -> DiaryEntryID { DiaryEntryID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64(number))) }

/// A content of one text.
func content(_ text: String, at second: Int64 = 0, emotion: String = "calm") -> DiaryContent {
    DiaryContent(stored: Timestamp(microseconds: 1_800_000_000_000_000 + second * 1_000_000), emotion: emotion, text: text)
}

extension DiaryFile {
    /// The texts of all entries, newest first.
    func texts() async throws -> [String] {
        try await LocalDiaryRepository(self).entries(.all, PageRequest(size: 200)).entries.map(\.content.text)
    }
}
