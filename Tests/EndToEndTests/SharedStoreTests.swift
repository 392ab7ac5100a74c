import Foundation
import Glibc
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCClient
import RPCCore
import TestHarness
import TestPostgreSQL
import Testing

/// Several servers on one PostgreSQL, with the built programs.
@Suite("Servers on one PostgreSQL, end to end", .serialized, .timeLimit(.minutes(2)))
struct SharedStoreTests {
    /// A second server's socket.
    private func secondSocket(_ house: Household) -> String { house.root + "/run/second.sock" }

    /// Starts a server beside the household's own.
    private func startSecond(_ house: Household, _ address: String) async throws -> ChildProcess {
        try await house.ready(
            try house.start(Programs.server, ["--socket", secondSocket(house), "--data-directory", house.data, "--store", address]))
    }

    /// Runs a command against the second server.
    private func second(_ house: Household, _ words: String...) async throws -> JSON {
        try await house.run(Programs.commandLine, words + ["--json"], ["PULSEBOARD_SOCKET": secondSocket(house)]).document()
    }

    @Test("what is written through one server is read through the other, a watch on one tells what the other did, and one outlives the other")
    func two() async throws {
        let address = try TestCluster.shared.get().makeDatabase()
        try await Household.withServer(["--store", address]) { house, first in
            #expect(first.progress.current.outputText.contains("store PostgreSQL 1"))
            let other = try await startSecond(house, address)
            let minji = try await house.enter(as: "minji", username: "minji")
            _ = try await second(house, "auth", "login", "--account", "junho")
            _ = try await second(house, "profile", "create", "--username", "junho", "--account", "junho")
            #expect(try await second(house, "profile", "show", "@minji", "--account", "junho")["userId"] == minji["userId"])

            let watch = try house.start(
                Programs.commandLine, ["follow", "watch", "--json", "--account", "junho"], ["PULSEBOARD_SOCKET": secondSocket(house)])
            _ = await watch.progress.first { $0.outputLines.isEmpty ? nil : true }
            _ = try await house.answer("follow", "add", "@junho", as: "minji")
            let told = await watch.progress.first { progress -> String? in progress.outputLines.count < 2 ? nil : String(progress.outputLines[1]) }
            #expect(try JSON(try #require(told))["event"]["kind"] == "KIND_FOLLOWER_GAINED")

            first.send(SIGKILL)
            _ = try await first.ended()
            #expect(try await second(house, "follow", "followers", "@junho", "--account", "junho")["users"].elements.count == 1)
            guard case .string(let kind) = try await second(house, "admin", "status")["store"] else {
                Issue.record("no kind of store")
                return
            }
            #expect(kind.hasPrefix("PostgreSQL 1"))
            watch.send(SIGINT)
            #expect(try await watch.ended() == .status(0))
            other.send(SIGTERM)
            #expect(try await other.ended() == .status(0))
        }
    }

    @Test("a client that sends back the token of its write finds the write at the other server at once, over gRPC")
    func ownWrites() async throws {
        let address = try TestCluster.shared.get().makeDatabase()
        try await Household.withServer(["--store", address]) { house, _ in
            let other = try await startSecond(house, address)
            let newest = EchoedMetadata("pulseboard-consistency")
            func client(_ socket: String) throws -> (channel: Channel, calls: any CallChannel) {
                var configuration = Channel.Configuration(socketPath: socket)
                configuration.wireProtocol = .grpc
                let channel = try Channel(configuration)
                return (channel, channel.intercepted(by: [newest]))
            }
            let (here, there) = (try client(house.socket), try client(secondSocket(house)))
            let session = try await PBAuthServiceClient(channel: here.calls).signIn(
                PBSignInRequest(credential: .peer(PBPeerCredential(account: "minji"))))
            let options = CallOptions(metadata: ["authorization": "Bearer " + session.token])
            let (writing, reading) = (PBProfileServiceClient(channel: here.calls), PBProfileServiceClient(channel: there.calls))
            _ = try await writing.createProfile(PBCreateProfileRequest(username: "minji"), options: options)
            for number in 1...30 {
                _ = try await reading.getMyProfile(PBGetMyProfileRequest(), options: options)
                let before = newest.value
                _ = try await writing.updateProfile(
                    PBUpdateProfileRequest(
                        profile: PBProfile(statusMessage: "\(number)"), updateMask: Google_Protobuf_FieldMask(paths: ["status_message"])),
                    options: options)
                #expect(newest.value != before && newest.value?.utf8.count ?? 0 <= 25)
                #expect(try await reading.getMyProfile(PBGetMyProfileRequest(), options: options).statusMessage == "\(number)")
            }
            _ = try await PBAuthServiceClient(channel: here.calls).signOut(PBSignOutRequest(), options: options)
            let refusal = await #expect(throws: RPCError.self) { try await reading.getMyProfile(PBGetMyProfileRequest(), options: options) }
            #expect(refusal?.code == .unauthenticated)
            await here.channel.close()
            await there.channel.close()
            other.send(SIGTERM)
            #expect(try await other.ended() == .status(0))
        }
    }

    @Test("a deployment moves from SQLite to PostgreSQL: sessions, profiles and follows are as they were; the same again is refused")
    func moving() async throws {
        let address = try TestCluster.shared.get().makeDatabase()
        try await Household.withServer { house, server in
            _ = try await house.enter(as: "minji", username: "minji")
            _ = try await house.enter(as: "junho", username: "junho")
            _ = try await house.answer("follow", "add", "@junho", as: "minji")
            let profile = try await house.answer("profile", "show", as: "minji")
            let command = ["migrate", "--from", "sqlite:\(house.data)", "--to", address]
            // While the server uses the data, nobody else can.
            #expect(try await house.run(Programs.server, command).exit == .status(69))
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            let copied = try await house.run(Programs.server, command)
            #expect(copied.exit == .status(0) && copied.output.contains("\nfollower: 1 rows"), "\(copied)")
            let again = try await house.run(Programs.server, command)
            #expect(again.exit == .status(69) && again.errors.contains("the target has data already"))
            let moved = try await house.startServer(["--store", address])
            // Without another sign-in.
            #expect(try await house.answer("profile", "show", as: "minji") == profile)
            #expect(try await house.answer("follow", "followers", as: "junho")["users"].elements.count == 1)
            // A copy of what a server uses is refused, and makes no target.
            let target = house.root + "/back"
            let refused = try await house.run(Programs.server, ["migrate", "--from", address, "--to", "sqlite:\(target)"])
            #expect(refused.exit == .status(69) && refused.errors.contains("a server uses the database"), "\(refused)")
            #expect(!FileManager.default.fileExists(atPath: target))
            moved.send(SIGTERM)
            #expect(try await moved.ended() == .status(0))
        }
    }

    @Test("root moves a store with the rights of its owner, whose server can use both afterwards", .enabled(if: getuid() == 0, "needs root"))
    func movingAsRoot() async throws {
        try await Household.withServer { house, server in
            _ = try await house.enter(as: "minji", username: "minji")
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            let target = house.root + "/moved", other = house.root + "/other"
            for folder in [target, other] { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false) }
            try FileManager.default.removeItem(atPath: house.data + "/pulseboard.lock")
            #expect(try await house.run("/bin/chown", ["-R", "4242:4243", house.data, target]).exit == .success)
            #expect(chmod(house.root, 0o711) == 0)
            let copied = try await house.run(Programs.server, ["migrate", "--from", "sqlite:\(house.data)", "--to", "sqlite:\(target)"])
            #expect(copied.exit == .status(0), "\(copied)")
            for folder in [house.data, target] {
                let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(names.contains("pulseboard.lock") && names.contains("pulseboard.sqlite"))
                for name in names {
                    var status = stat()
                    #expect(lstat(folder + "/" + name, &status) == 0 && status.st_uid == 4242 && status.st_gid == 4243, "\(folder)/\(name)")
                }
            }
            let mixed = try await house.run(Programs.server, ["migrate", "--from", "sqlite:\(target)", "--to", "sqlite:\(other)"])
            #expect(mixed.exit == .status(69) && mixed.errors.contains("it belongs to uid 0, and the other one to uid 4242"), "\(mixed)")
        }
    }

    @Test("a copy tells its progress and its end in the language of the user, and so its refusals")
    func copyInKorean() async throws {
        try await Household.withServer { house, server in
            _ = try await house.enter(as: "minji", username: "minji")
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            let korean = ["LANG": "ko_KR.UTF-8"], target = "sqlite:\(house.root)/copy"
            let copied = try await house.run(Programs.server, ["migrate", "--from", "sqlite:\(house.data)", "--to", target], korean)
            #expect(copied.exit == .status(0), "\(copied)")
            #expect(copied.output.contains("profile: 행 1개, 체크섬 ") && copied.output.contains("양쪽이 모두 같습니다."), "\(copied)")
            let refused = try await house.run(Programs.server, ["migrate", "--from", "sqlite:\(house.root)", "--to", target], korean)
            #expect(refused.errors.contains("pulseboard.sqlite이(가) 없습니다"), "\(refused)")
            for line in (copied.output + refused.errors).split(separator: "\n") { #expect(!String(line).hasEnglishSentence, "\(line)") }
        }
    }

    @Test("a copy from a directory without a database is refused, and makes nothing")
    func absentSource() async throws {
        try await Household.with { house in
            let target = house.root + "/target", empty = house.root + "/empty"
            for folder in [target, empty] { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false) }
            for source in [house.root + "/absent", empty] {
                let run = try await house.run(Programs.server, ["migrate", "--from", "sqlite:\(source)", "--to", "sqlite:\(target)"])
                #expect(run.exit == .status(69) && run.output.isEmpty && run.errors.contains("there is no pulseboard.sqlite in it"), "\(run)")
            }
            #expect(!FileManager.default.fileExists(atPath: house.root + "/absent"))
            for folder in [target, empty] { #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty) }
        }
    }

    @Test("a server that a service manager starts before its database waits for it, and says so")
    func waitsForDatabase() async throws {
        let cluster = try TestCluster.shared.get()
        let (address, other) = (try cluster.makeDatabase(), try cluster.makeDatabase())
        let name = try #require(URL(string: address)?.lastPathComponent)
        try cluster.psql(other, "ALTER DATABASE \(name) RENAME TO \(name)_away")
        try await Household.with { house in
            let manager = try NotifySocket(in: house.root)
            let server = try house.start(
                Programs.server, ["--socket", house.socket, "--data-directory", house.data, "--store", address], ["NOTIFY_SOCKET": manager.path])
            let told = try await manager.reports(through: "STATUS=waiting for PostgreSQL: ", count: 2)
            #expect(told.allSatisfy { $0.contains("\nEXTEND_TIMEOUT_USEC=60000000") }, "\(told)")
            try cluster.psql(other, "ALTER DATABASE \(name)_away RENAME TO \(name)")
            _ = try await manager.reports(through: "READY=1")
            _ = try await house.enter(as: "minji", username: "minji")
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test("a password on the command line is refused and not repeated; a database that is not there is told")
    func refused() async throws {
        try await Household.with { house in
            let exposed = try house.launchServer(["--store", "postgresql://kim:secret@localhost/pulseboard"])
            #expect(try await exposed.ended() == .status(69))
            let words = exposed.progress.current.errorText
            #expect(words.contains("~/.pgpass") && !words.contains("secret"))
            let absent = try house.launchServer(["--store", "postgresql:///pulseboard?host=\(house.root)/nowhere"])
            #expect(try await absent.ended() == .status(69))
            #expect(absent.progress.current.errorText.contains("cannot open the store on PostgreSQL"))
        }
    }
}
