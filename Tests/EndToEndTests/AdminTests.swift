import Foundation
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCClient
import RPCCore
import Testing

/// The administrator inspects and ends the server.
@Suite("Administration, end to end", .serialized, .timeLimit(.minutes(2)))
struct AdminTests {
    @Test("admin status says which process serves what, in text, JSON and Korean")
    func status() async throws {
        try await Household.withServer { house, server in
            let info = try await house.answer("admin", "status")
            #expect(info["pid"].integer == Int(server.pid))
            #expect(info["socket"].text == house.socket)
            #expect(info["socketHandedOver"] == false)
            #expect(info["draining"] == false)
            #expect(info["connections"].integer == 1, "the one that asks")
            #expect(info["runningCalls"].integer == 0)
            #expect(info["store"].text?.hasPrefix("SQLite 3.") == true)
            #expect(info["storeStatus"]["path"].text == house.data + "/pulseboard.sqlite")
            #expect(try #require(info["storeStatus"]["databaseBytes"].integer) > 4_096)
            #expect(try #require(info["storeStatus"]["freeBytes"].integer) > 0)
            #expect(info["caches"].elements.compactMap { $0["name"].text } == ["sessions", "profiles"])
            let text = try await house.pulseboard("admin", "status")
            #expect(text.output.contains("process") && text.output.contains(String(server.pid)), "\(text)")
            let korean = try await house.pulseboard("admin", "status", language: "ko_KR.UTF-8")
            #expect(korean.output.contains("서비스 중"), "\(korean)")
        }
    }

    @Test("the calls of each method are counted by code, with bytes and latencies, answers from memory too", arguments: ["notice", "debug"])
    func methods(_ logLevel: String) async throws {
        try await Household.withServer(["--log-level", logLevel]) { house, server in
            _ = try await house.enter(as: "one", username: "first")
            for _ in 0..<3 { _ = try await house.answer("profile", "show", as: "one") }
            // Nobody is signed in.
            _ = try await house.pulseboard("profile", "show", as: "two")
            let info = try await house.answer("admin", "status")
            let methods = Dictionary(uniqueKeysWithValues: info["methods"].elements.map { ($0["method"].text ?? "", $0) })
            let signIn = try #require(methods["pulseboard.auth.v1.AuthService/SignIn"])
            #expect(signIn["ended"].elements.map { $0["count"].integer } == [1])
            let shown = try #require(methods["pulseboard.profile.v1.ProfileService/GetMyProfile"])
            let ended = shown["ended"].elements.reduce(0) { $0 + ($1["count"].integer ?? 0) }
            #expect(ended >= 3)
            #expect(shown["latencies"].elements.reduce(0) { $0 + ($1["count"].integer ?? 0) } == ended)
            #expect(try #require(shown["responseBytes"].integer) > 0)
            #expect(methods["pulseboard.profile.v1.ProfileService/DeleteMyProfile"] == nil, "nobody called it")
            #expect(methods["pulseboard.admin.v1.AdminService/GetServerInfo"] == nil, "the call that asks does not count")
            let text = try await house.pulseboard("admin", "status")
            #expect(text.output.contains("AuthService/SignIn") && text.output.contains("1 call, p50 ≤ "), "\(text)")
            if logLevel == "debug" {
                #expect(await server.progress.first { $0.errorText.contains("a call ended") ? true : nil } == true)
            }
        }
    }

    @Test("the calls that run are counted without the one that asks, whatever stands before it", arguments: ["notice", "debug"])
    func runningCalls(_ logLevel: String) async throws {
        try await Household.withServer(["--log-level", logLevel]) { house, _ in
            let channel = try Channel(socketPath: house.socket)
            let auth = PBAuthServiceClient(channel: channel)
            let session = try await auth.signIn(PBSignInRequest(credential: .peer(PBPeerCredential())))
            let options = CallOptions(metadata: ["authorization": "Bearer " + session.token])
            var watches: [MessageStream<PBWatchAuthStateResponse>.AsyncIterator] = []
            for count in 0...2 {
                let info = try await PBAdminServiceClient(channel: channel).getServerInfo(PBGetServerInfoRequest())
                #expect(info.runningCalls == count)
                // One more call, which lasts as long as its connection.
                var watch = auth.watchAuthState(PBWatchAuthStateRequest(), options: options).makeAsyncIterator()
                #expect(try await watch.next() != nil)
                watches.append(watch)
            }
            await channel.close()
        }
    }

    @Test("admin drain --wait ends the server with status 0 and returns when it has ended")
    func drain() async throws {
        try await Household.withServer { house, server in
            let made = try await house.enter(as: "one", username: "first")
            let answer = try await house.answer("admin", "drain", "--wait", "--grace-period", "30")
            // It may not have been reaped yet.
            let state = (try? String(contentsOfFile: "/proc/\(server.pid)/stat", encoding: .utf8))?.split(separator: ")").last?.first { $0 != " " }
            #expect(state == nil || state == "Z")
            #expect(answer["pid"].integer == Int(server.pid))
            #expect(answer["gracePeriodSeconds"].integer == 30)
            #expect(answer["ended"] == true)
            #expect(try await server.ended() == .status(0))
            #expect(access(house.socket, F_OK) != 0)
            _ = try await house.startServer()
            #expect(try await house.answer("profile", "show", as: "one") == made)
        }
    }

    @Test("An answer to Drain is delivered even when there is no grace", arguments: [0, 1, 2, 3])
    func answered(_ round: Int) async throws {
        try await Household.withServer(["--grace-period", "0"]) { house, server in
            let answer = try await house.answer("admin", "drain")
            #expect(answer["gracePeriodSeconds"].integer == 0)
            #expect(answer["ended"] == false)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test("SIGTERM ends a server that drains for longer than its own grace period")
    func signalAfterDrain() async throws {
        try await Household.withServer(["--grace-period", "0"]) { house, server in
            // It promises to close its connection when the server drains, but does not.
            let stubborn = try RawConnection(house.socket)
            defer { stubborn.close() }
            try stubborn.ask(promisingToDrain: true)
            // In the middle of a request, the server does not treat the connection as forgotten, and does not close it
            // after a second.
            try stubborn.sendPart()
            #expect(await stubborn.answered())
            let answer = try await house.answer("admin", "drain", "--grace-period", "86400")
            #expect(answer["connections"].integer == 2)
            #expect(await stubborn.answered(), "the server says that it drains")
            #expect(server.progress.current.exit == nil)
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test("A grace period that makes no sense is refused, and the server goes on", arguments: [-1, 86_401])
    func graceRange(_ seconds: Int64) async throws {
        try await Household.withServer { house, server in
            let channel = try Channel(socketPath: house.socket)
            var request = PBDrainRequest()
            request.gracePeriod = Google_Protobuf_Duration(seconds: seconds)
            let refusal = await #expect(throws: RPCError.self) {
                try await PBAdminServiceClient(channel: channel).drain(request)
            }
            #expect(refusal?.code == .invalidArgument)
            await channel.close()
            _ = try await house.enter(as: "one", username: "first")
            #expect(server.progress.current.exit == nil)
        }
    }

    @Test("A uid that is not trusted may neither look nor end", .enabled(if: getuid() == 0, "needs root, to call as somebody else"))
    func stranger() async throws {
        try await Household.with { house in
            #expect(chmod(house.root, 0o755) == 0)
            try FileManager.default.createDirectory(
                atPath: house.root + "/run", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
            let server = try await house.startServer(["--socket-mode", "666"])
            for command in ["status", "drain"] {
                let run = try await house.run(
                    "/usr/bin/setpriv",
                    ["--reuid=4711", "--regid=4711", "--clear-groups", Programs.commandLine, "admin", command, "--json"],
                    ["PULSEBOARD_SOCKET": house.socket])
                #expect(run.exit == .permissionDenied, "\(run)")
                #expect(try run.failure()["reason"] == "NOT_TRUSTED")
            }
            #expect(server.progress.current.exit == nil)
        }
    }
}
