import Foundation
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCClient
import RPCCore
import Testing

/// The identity of local users, with and without uids.
@Suite("Identity, end to end", .serialized, .timeLimit(.minutes(2)))
struct IdentityTests {
    private func login(_ house: Household, uid: Int? = nil, _ arguments: [String] = []) async throws -> Run {
        let words = [Programs.commandLine, "auth", "login", "--json"] + arguments
        let become = uid.map { ["/usr/bin/setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? ["/usr/bin/env"]
        let variables = ["PULSEBOARD_SOCKET": house.socket, "HOME": uid.map { "/nonexistent/\($0)" } ?? house.home]
        return try await house.run(become[0], Array(become.dropFirst()) + words, variables)
    }

    @Test(
        "A server in a user namespace signs nobody in who has no number there: all of them would be one account",
        .enabled(if: Namespaces.arePossible, Namespaces.absence))
    func unmapped() async throws {
        try await Household.with { house in
            // In it nobody has a uid, not even the server itself.
            let server = try await house.ready(
                house.start(
                    Namespaces.unshare,
                    ["--user", Programs.server, "--socket", house.socket, "--data-directory", house.data, "--trusted-uid", "65534",
                        "--admin-uid", "65534"]))
            for account in [[], ["--account", "kim"]] {
                let run = try await login(house, account)
                #expect(run.exit == .permissionDenied, "\(run)")
                #expect(try run.failure()["reason"] == "IDENTITY_NOT_PROVEN")
            }
            let status = try await house.pulseboard("admin", "status", "--json")
            #expect(try status.failure()["reason"] == "NOT_TRUSTED")
            #expect(try await house.pulseboard("ping").exit == .success, "it serves what needs nobody")
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            #expect(access(house.socket, F_OK) != 0)
        }
    }

    @Test(
        "Two users without a number are told apart by nobody; who has one signs in",
        .enabled(if: Namespaces.arePossible, Namespaces.absence), .enabled(if: getuid() == 0, "needs root, to call as others"))
    func twoUsers() async throws {
        try await Household.with { house in
            #expect(chmod(house.root, 0o755) == 0)
            try FileManager.default.createDirectory(
                atPath: house.root + "/run", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
            // Only root has a uid.
            _ = try await house.ready(
                house.start(
                    Namespaces.unshare,
                    ["--user", "--map-root-user", Programs.server, "--socket", house.socket, "--socket-mode", "666", "--data-directory",
                        house.data]))
            for uid in [4711, 4712] {
                let run = try await login(house, uid: uid)
                #expect(run.exit == .permissionDenied, "\(run)")
                #expect(try run.failure()["reason"] == "IDENTITY_NOT_PROVEN")
            }
            let root = try await login(house)
            #expect(try root.document()["state"] == "STATE_NEEDS_PROFILE", "\(root)")
        }
    }

    @Test(
        "A client in a user namespace sends nothing to a server that has no number there",
        .enabled(if: Namespaces.arePossible, Namespaces.absence))
    func unmappedServer() async throws {
        try await Household.with { house in
            // At the default path, a server must belong to the user or root.
            let runtime = ["XDG_RUNTIME_DIR": house.root + "/run"]
            _ = try await house.ready(house.start(Programs.server, ["--data-directory", house.data], runtime))
            #expect(try await house.run(Programs.commandLine, ["ping"], runtime).exit == .success)
            let run = try await house.run(Namespaces.unshare, ["--user", Programs.commandLine, "ping"], runtime)
            #expect(run.exit != .success)
            #expect(run.errors.contains("65534"), "\(run)")
        }
    }

    @Test("Naming accounts and administering are two trusts", .enabled(if: getuid() == 0, "needs root, to call as others"))
    func trusts() async throws {
        try await Household.with { house in
            #expect(chmod(house.root, 0o755) == 0)
            try FileManager.default.createDirectory(
                atPath: house.root + "/run", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
            _ = try await house.startServer(["--socket-mode", "666", "--trusted-uid", "4711", "--admin-uid", "4712"])
            func status(_ uid: Int) async throws -> Run {
                try await house.run(
                    "/usr/bin/setpriv", ["--reuid=\(uid)", "--regid=\(uid)", "--clear-groups", Programs.commandLine, "admin", "status", "--json"],
                    ["PULSEBOARD_SOCKET": house.socket])
            }
            let named = try await login(house, uid: 4711, ["--account", "kim"])
            // It has no home directory for the session. Only the sign-in matters here.
            #expect(named.exit != .permissionDenied, "\(named)")
            let refused = try await status(4711)
            #expect(try refused.failure()["reason"] == "NOT_TRUSTED", "\(refused)")
            let administrator = try await status(4712)
            #expect(administrator.exit == .success, "\(administrator)")
            let unnamed = try await login(house, uid: 4712, ["--account", "kim"])
            #expect(try unnamed.failure()["reason"] == "ACCOUNT_NOT_PERMITTED", "\(unnamed)")
        }
    }

    @Test("On the remote socket the server's own user is a stranger, over both protocols", arguments: WireProtocol.allCases)
    func remote(_ wireProtocol: WireProtocol) async throws {
        try await Household.with { house in
            let remote = house.root + "/run/remote.sock"
            let server = try await house.startServer(["--remote-socket", remote])
            #expect(server.progress.current.outputText.contains("ready: socket \(house.socket), remote socket \(remote), store SQLite"))
            let local = try Channel(socketPath: house.socket)
            let session = try await PBAuthServiceClient(channel: local).signIn(
                PBSignInRequest(credential: .peer(PBPeerCredential(account: "kim"))))
            var configuration = Channel.Configuration(socketPath: remote)
            configuration.wireProtocol = wireProtocol
            let channel = try Channel(configuration)
            let auth = PBAuthServiceClient(channel: channel)
            for account in ["", "kim"] {
                let refusal = await #expect(throws: RPCError.self) {
                    try await auth.signIn(PBSignInRequest(credential: .peer(PBPeerCredential(account: account))))
                }
                #expect(refusal?.code == .permissionDenied)
            }
            let admin = PBAdminServiceClient(channel: channel)
            let noDrain = await #expect(throws: RPCError.self) { try await admin.drain(PBDrainRequest()) }
            let noLook = await #expect(throws: RPCError.self) { try await admin.getServerInfo(PBGetServerInfoRequest()) }
            #expect(noDrain?.code == .permissionDenied && noLook?.code == .permissionDenied)
            let options = CallOptions(metadata: ["authorization": "Bearer " + session.token])
            #expect(try await auth.getAuthState(PBGetAuthStateRequest(), options: options).state == .needsProfile)
            let list = try await house.run(
                Programs.commandLine, ["rpc", "list", "--protocol", wireProtocol == .grpc ? "grpc" : "ttrpc", "--socket", remote])
            #expect(list.exit == .status(64 + 12), "reflection is not there: \(list)")
            let health = MethodDescriptor<Google_Protobuf_Empty, Google_Protobuf_Empty>(
                service: "grpc.health.v1.Health", method: "List", shape: .unary)
            let noHealth = await #expect(throws: RPCError.self) {
                try await channel.unary(health, Google_Protobuf_Empty(), options: CallOptions())
            }
            #expect(noHealth?.code == .unimplemented, "the services are not listed")
            let info = try await PBAdminServiceClient(channel: local).getServerInfo(PBGetServerInfoRequest())
            #expect(info.remoteSocket == remote)
            let status = try await house.pulseboard("admin", "status")
            #expect(status.output.contains(remote), "\(status)")
            await channel.close()
            await local.close()
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            #expect(access(remote, F_OK) != 0)
        }
    }

    @Test(
        "A user of the machine who connects to the gateway's socket takes nothing from the gateway",
        .enabled(if: getuid() == 0, "needs root, to call as others"))
    func strangerAtTheGatewaysSocket() async throws {
        try await Household.with { house in
            #expect(chmod(house.root, 0o755) == 0)
            try FileManager.default.createDirectory(
                atPath: house.root + "/run", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
            let remote = house.root + "/run/remote.sock"
            _ = try await house.startServer(
                ["--remote-socket", remote, "--remote-socket-mode", "666", "--limit", "connections-per-gateway=4"])
            // This process is the stranger. It takes what one uid may have.
            var taken: [RawConnection] = []
            for index in 0..<5 {
                let connection = try RawConnection(remote)
                // The server may have closed it already.
                try? connection.ask()
                #expect(await connection.answered() == (index < 4))
                taken.append(connection)
            }
            let gateway = try await ping(house, remote, uid: 33)
            #expect(gateway.exit == .success, "\(gateway)")
            for connection in taken { connection.close() }
        }
    }

    @Test(
        "The documented directory gives the gateway's socket the gateway's group, and nobody else connects",
        .enabled(if: getuid() == 0, "needs root, to call as others"))
    func groupOfTheGatewaysSocket() async throws {
        try await Household.with { house in
            #expect(chmod(house.root, 0o755) == 0)
            let made = try await house.run("/usr/bin/install", ["-d", "-g", "33", "-m", "2750", house.root + "/remote"])
            try #require(made.exit == .success, "\(made)")
            let remote = house.root + "/remote/board.sock"
            _ = try await house.startServer(["--remote-socket", remote, "--remote-socket-mode", "660"])
            let gateway = try await ping(house, remote, uid: 33)
            #expect(gateway.exit == .success, "\(gateway)")
            let stranger = try await ping(house, remote, uid: 1500)
            #expect(stranger.exit != .success, "\(stranger)")
        }
    }

    /// Calls the gateway's socket once as a uid, with the group of the same number.
    private func ping(_ house: Household, _ socket: String, uid: Int) async throws -> Run {
        try await house.run(
            "/usr/bin/setpriv",
            ["--reuid=\(uid)", "--regid=\(uid)", "--clear-groups", Programs.commandLine, "ping", "--count", "1", "--socket", socket])
    }

    @Test("A socket that is handed over by the name remote is the gateway's, and stays")
    func handedOverRemote() async throws {
        try await Household.with { house in
            let holder = try house.holdSocket()
            let own = house.root + "/own/board.sock"
            let server = try await house.ready(
                house.launchServer(handed: holder, ["--socket", own], ["LISTEN_FDNAMES": "remote"]))
            #expect(server.progress.current.outputText.contains("ready: socket \(own), remote socket \(house.socket) (handed over), store"))
            let refused = try await login(house)
            #expect(try refused.failure()["reason"] == "IDENTITY_NOT_PROVEN", "\(refused)")
            let signedIn = try await house.run(Programs.commandLine, ["auth", "login", "--socket", own])
            #expect(signedIn.exit == .success, "\(signedIn)")
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            #expect(access(house.socket, F_OK) == 0 && access(own, F_OK) != 0)
        }
    }

    @Test("A remote socket that cannot be had leaves no local one behind; nor may both be one")
    func refusedRemote() async throws {
        try await Household.with { house in
            let taken = house.root + "/taken"
            try Data("precious".utf8).write(to: URL(filePath: taken))
            let server = try house.launchServer(["--remote-socket", taken])
            #expect(try await server.ended() == .status(EX_UNAVAILABLE))
            #expect(server.progress.current.errorText.contains(taken))
            #expect(access(house.socket, F_OK) != 0)
            let same = try house.launchServer(["--remote-socket", house.socket])
            #expect(try await same.ended() == .status(EX_USAGE))
        }
    }
}
