import Foundation
import Logging
import PulseBoardDiary
import ProfileImages
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

/// A temporary directory. It is removed with its last reference.
final class TemporaryDirectory: Sendable {
    let path: String

    init(in parent: String = FileManager.default.temporaryDirectory.path) throws {
        path = parent + "/pb-diary-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A diary in a subdirectory.
    func diary(_ name: String, clock: any WallClock = SystemWallClock()) throws -> DiaryFile {
        try DiaryFile(directory: path + "/" + name, clock: clock)
    }
}

/// A clock that a test sets. It advances by a microsecond with every reading.
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

/// A clock that is ahead of another one.
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

    /// - Parameter imageProgram: the program that decodes pictures.
    init(_ directory: TemporaryDirectory, clock: any WallClock = SystemWallClock(), imageProgram: String = Board.imageProgram) async throws {
        store = try SQLiteStore(directory: directory.path + "/server", clock: clock)
        let uploads = directory.path + "/server/images"
        let images = Services.ImageParts(
            store: try ImageFolder(path: uploads), decoder: ImageProgram(program: imageProgram, uploadsIn: uploads, patience: .seconds(600)))
        services = try await Services(store: store, images: images, configuration: ServicesConfiguration(trustedUIDs: [getuid()], clock: clock))
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var router = Router()
        services.register(on: &router)
        server = try Server(
            Server.Configuration(loopCount: 1), router: router, interceptors: services.interceptors(), logger: logger)
        server.start(on: try ListeningSocket(path: directory.path + "/s"))
        channel = try Channel(Channel.Configuration(socketPath: directory.path + "/s"))
    }

    /// The program from the same build as the tests.
    static let imageProgram = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "pulseboard-image").path

    func close() async throws {
        await channel.close()
        await server.shutdown(gracePeriod: .zero)
        try store.close()
    }

    /// Signs in a named account and creates its profile.
    func enter(_ account: String) async throws -> Account {
        let auth = PBAuthServiceClient(channel: channel)
        let answer = try await auth.signIn(PBSignInRequest(credential: .peer(PBPeerCredential(account: account))))
        var options = CallOptions()
        options.metadata.append("Bearer " + answer.token, for: "authorization")
        _ = try await PBProfileServiceClient(channel: channel).createProfile(PBCreateProfileRequest(username: account), options: options)
        guard let user = UserID(text: answer.session?.userID ?? "") else { throw NoUser() }
        return self.account(user, answer.token)
    }

    /// An account that has signed in before, for this server.
    func again(_ account: Account) -> Account { self.account(account.user, account.token) }

    private func account(_ user: UserID, _ token: String) -> Account {
        var options = CallOptions()
        options.metadata.append("Bearer " + token, for: "authorization")
        return Account(user: user, token: token, client: DiaryClient(channel: channel, user: user) { [options] in options })
    }

    struct NoUser: Error {}
}

/// A signed-in account.
struct Account: Sendable {
    let user: UserID
    let token: String
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

/// A PNG of one pixel, different for each number, with `padding` bytes in a meaningless chunk.
func picture(_ number: UInt8, padding: Int = 0) -> [UInt8] {
    func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        var sum: UInt32 = .max
        for byte in body {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
        return big(UInt32(data.count)) + body + big(~sum)
    }
    // One row of one gray pixel after its filter byte, in a zlib stream of one stored block.
    let row: [UInt8] = [0, number]
    let (low, high) = row.reduce((1, 0)) { sums, byte in (sums.0 + UInt32(byte), sums.1 + sums.0 + UInt32(byte)) }
    let stream: [UInt8] = [0x78, 0x01, 0x01, 0x02, 0x00, 0xFD, 0xFF] + row + big(high << 16 | low)
    let header = big(1) + big(1) + [8, 0, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
        + (padding > 0 ? chunk("paDd", [UInt8](repeating: number, count: padding)) : []) + chunk("IDAT", stream) + chunk("IEND", [])
}

/// A server that counts the rows that are read from it, and says when edits are on their way.
final class ObservedServer: DiaryServer {
    private let client: DiaryClient
    private let willPush: @Sendable () async -> Void
    private let count = Atomic<Int>(0)

    init(_ client: DiaryClient, willPush: @escaping @Sendable () async -> Void = {}) {
        self.client = client
        self.willPush = willPush
    }

    var rows: Int { count.load(ordering: .relaxed) }
    var user: UserID { client.user }

    func register(_ device: DiaryDeviceID, name: String) async throws(DiaryError) { try await client.register(device, name: name) }
    func push(
        _ mutations: [NumberedDiaryMutation], confirmed: Int64, from device: DiaryDeviceID
    ) async throws(DiaryError) -> DiaryPushReply {
        await willPush()
        return try await client.push(mutations, confirmed: confirmed, from: device)
    }
    func pull(after cursor: String, for device: DiaryDeviceID) async throws(DiaryError) -> DiaryReadPage {
        let page = try await client.pull(after: cursor, for: device)
        count.add(page.rows.count, ordering: .relaxed)
        return page
    }
    func missingImages(_ hashes: [DiaryImageHash]) async throws(DiaryError) -> [DiaryImageHash] { try await client.missingImages(hashes) }
    func upload(_ image: DiaryImage, _ bytes: [UInt8]) async throws(DiaryError) { try await client.upload(image, bytes) }
    func download(_ image: DiaryImage) async throws(DiaryError) -> [UInt8] { try await client.download(image) }
    func watch(
        after cursor: String, for device: DiaryDeviceID, _ changed: @Sendable () async throws(DiaryError) -> Void
    ) async throws(DiaryError) { try await client.watch(after: cursor, for: device, changed) }
}
