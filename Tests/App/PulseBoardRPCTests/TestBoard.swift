import Foundation
import Logging
import ProfileImages
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardRPC
import PulseBoardServices
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import StoreSQLite

/// All of PulseBoard in this process: a store in a temporary directory, the services, a server on a socket and a client.
struct TestBoard {
    let services: Services
    let channel: Channel
    let socket: String
    /// The socket for a gateway.
    let remoteSocket: String
    private let server: Server
    let store: SQLiteStore

    var auth: PBAuthServiceClient { PBAuthServiceClient(channel: channel) }
    var profiles: PBProfileServiceClient { PBProfileServiceClient(channel: channel) }
    var follows: PBFollowServiceClient { PBFollowServiceClient(channel: channel) }
    var accounts: PBAccountServiceClient { PBAccountServiceClient(channel: channel) }
    var diaries: PBDiaryServiceClient { PBDiaryServiceClient(channel: channel) }

    /// The program from the same build as the tests.
    private let imageProgram = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "pulseboard-image").path

    private init(
        directory: String, clock: any WallClock, random: any RandomSource, idTokens: (any IDTokenVerifier)?, signInsPerSecond: Int, logger: Logger
    ) async throws {
        socket = directory + "/s"
        remoteSocket = directory + "/r"
        // The uptime goes with the clock: when a test moves the clock, time passes.
        store = try SQLiteStore(directory: directory + "/data", clock: clock, uptime: { .microseconds(clock.now().microseconds) })
        // The user who runs the tests may sign in to named accounts.
        let images = directory + "/images"
        services = try await Services(
            store: store,
            images: Services.ImageParts(store: try ImageFolder(path: images), decoder: ImageProgram(program: imageProgram, uploadsIn: images)),
            idTokens: idTokens,
            configuration: ServicesConfiguration(
                trustedUIDs: [getuid()], signInsPerSecondPerCaller: signInsPerSecond, typingPause: .milliseconds(1), clock: clock, random: random))
        var router = Router()
        services.register(on: &router)
        server = try Server(
            Server.Configuration(loopCount: 1), router: router, interceptors: services.interceptors(), observers: [CallLog()],
            logger: logger)
        server.start(on: try ListeningSocket(path: socket))
        server.start(on: try ListeningSocket(path: remoteSocket), as: .remote)
        channel = try Channel(Channel.Configuration(socketPath: socket))
    }

    private static var silent: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    /// Runs `body` with a board, and shuts it down afterwards.
    /// - Parameter logger: `nil` to log nothing.
    static func with(
        clock: any WallClock = SystemWallClock(), random: any RandomSource = SystemRandomSource(), idTokens: (any IDTokenVerifier)? = nil,
        signInsPerSecond: Int = 50, logger: Logger? = nil, _ body: (TestBoard) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/pb-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let board = try await TestBoard(
            directory: directory, clock: clock, random: random, idTokens: idTokens, signInsPerSecond: signInsPerSecond, logger: logger ?? silent)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(board))
        } catch {
            result = .failure(error)
        }
        await board.channel.close()
        await board.server.shutdown(gracePeriod: .zero)
        try board.store.close()
        try FileManager.default.removeItem(atPath: directory)
        try result.get()
    }

    /// Signs in a named account.
    func signIn(_ account: String) async throws -> Member {
        let request = PBSignInRequest(credential: .peer(PBPeerCredential(account: account)))
        let answer = try await auth.signIn(request)
        var options = CallOptions()
        options.metadata.append("Bearer " + answer.token, for: "authorization")
        return Member(userID: answer.session?.userID ?? "", options: options)
    }

    /// Signs in a named account and creates its profile.
    func enter(_ account: String) async throws -> Member {
        let member = try await signIn(account)
        _ = try await profiles.createProfile(PBCreateProfileRequest(username: account), options: member.options)
        return member
    }
}

/// A signed-in user.
struct Member {
    let userID: String
    /// Options for calls as this member.
    let options: CallOptions
}

extension RPCError {
    /// The reason in its details.
    var reason: String? {
        let info = details.first { $0.typeURL.hasSuffix("google.rpc.ErrorInfo") }
        return info.flatMap { try? Google_Rpc_ErrorInfo(serializedBytes: $0.value).reason }
    }
}
