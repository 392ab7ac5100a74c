import Foundation
import Testing

/// The behaviour of a server while its store fails.
///
/// A full disk is simulated by a limit on the size of files, set and removed from outside (prlimit(1)): every write of the server fails with
/// EFBIG. This needs no separate file system.
@Suite("A store in trouble, end to end", .serialized, .timeLimit(.minutes(5)))
struct StoreTroubleTests {
    private static let trouble = "the store cannot do its work"

    private func limitFiles(of server: ChildProcess, to limit: String, _ house: Household) async throws {
        let run = try await house.run("/usr/bin/prlimit", ["--pid", "\(server.pid)", "--fsize=\(limit):"])
        try #require(run.exit == .status(0), "\(run)")
    }

    /// Starts a watch of a service's health.
    private func watchHealth(_ service: String, _ house: Household) throws -> ChildProcess {
        try house.start(
            Programs.commandLine,
            ["rpc", "call", "grpc.health.v1.Health/Watch", "--emit-defaults", "-d", #"{"service":"\#(service)"}"#],
            ["PULSEBOARD_SOCKET": house.socket])
    }

    private func said(_ watch: ChildProcess, _ statuses: [String]) async -> Bool {
        await watch.progress.first { progress in
            let said = progress.outputLines.compactMap { try? JSON(String($0))["status"].text }
            return said == statuses ? true : progress.exit == nil ? nil : false
        } ?? false
    }

    private func count(_ text: String, in server: ChildProcess) -> Int {
        server.progress.current.errorText.components(separatedBy: text).count - 1
    }

    @Test("a full disk: calls say so in words, health and its watches too, the log once, and all is well by itself when there is room")
    func full() async throws {
        try await Household.withServer { house, server in
            let made = try await house.enter(as: "one", username: "first")
            let services: [String] = [
                "", "pulseboard.auth.v1.AuthService", "pulseboard.profile.v1.ProfileService", "pulseboard.follow.v1.FollowService"
            ]
            let watches = try services.map { try watchHealth($0, house) }
            let admin = try watchHealth("pulseboard.admin.v1.AdminService", house)
            for watch in watches + [admin] { #expect(await said(watch, ["SERVING"])) }

            try await limitFiles(of: server, to: "0", house)
            let refused = try await house.pulseboard("profile", "edit", "--status", "x", as: "one")
            #expect(refused.exit == .unavailable)
            #expect(refused.errors == """
                Error: The server's disk is full. Try again once there is room.
                Next: pulseboard admin status

                """)
            let korean = try await house.pulseboard("profile", "edit", "--status", "x", as: "one", language: "ko_KR.UTF-8")
            #expect(korean.errors.hasPrefix("오류: 서버의 저장 공간이 가득 찼습니다."), "\(korean)")
            for watch in watches { #expect(await said(watch, ["SERVING", "NOT_SERVING"])) }
            #expect(admin.progress.current.outputLines.count == 1, "it writes nothing")
            for _ in 0..<5 {
                #expect(try await house.pulseboard("follow", "add", "@first", as: "one").exit != .success)
                #expect(try await house.pulseboard("profile", "edit", "--status", "x", as: "one").exit == .unavailable)
            }
            let status = try await house.answer("admin", "status")["storeStatus"]
            #expect(status["trouble"]["reason"] == "STORE_FULL")
            #expect(try #require(status["trouble"]["count"].integer) >= 7)
            let text = try await house.pulseboard("admin", "status")
            #expect(text.output.contains("not serving: the store fails") && text.output.contains("[STORE_FULL; since "), "\(text)")
            #expect(try await house.answer("profile", "show", as: "one") == made, "what can be read is read")
            #expect(count(Self.trouble, in: server) == 1, "\(server.progress.current.errorText)")

            try await limitFiles(of: server, to: "unlimited", house)
            for watch in watches { #expect(await said(watch, ["SERVING", "NOT_SERVING", "SERVING"])) }
            #expect(await server.said("notice", "the store works again", "STORE_FULL"))
            #expect(try await house.pulseboard("profile", "edit", "--status", "x", as: "one").exit == .success)
            let after = try await house.answer("admin", "status")["storeStatus"]
            #expect(after["trouble"]["reason"].text == nil)
            #expect(after["lastTrouble"]["reason"] == "STORE_FULL")
            #expect(count(" error pulseboardd", in: server) == 1, "\(server.progress.current.errorText)")
        }
    }

    @Test("SIGTERM on a full disk ends the server with 0, in words, and nothing that was acknowledged is lost")
    func endOnFullDisk() async throws {
        try await Household.withServer { house, server in
            let made = try await house.enter(as: "one", username: "first")
            try await limitFiles(of: server, to: "0", house)
            #expect(try await house.pulseboard("profile", "edit", "--status", "x", as: "one").exit == .unavailable)
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            let log = server.progress.current.errorText
            #expect(log.contains(" notice ") && log.contains("the write-ahead log could not be emptied into the database"), "\(log)")
            #expect(!log.contains("storeUnavailable") && !log.contains("Error("), "\(log)")
            _ = try await house.startServer()
            #expect(try await house.answer("profile", "show", as: "one") == made)
        }
    }

    @Test("a database that was moved away refuses writes with a reason of its own, and takes them again when it is back")
    func gone() async throws {
        try await Household.withServer { house, server in
            _ = try await house.enter(as: "one", username: "first")
            let database = house.data + "/pulseboard.sqlite"
            #expect(rename(database, house.data + "/elsewhere") == 0)
            let refused = try await house.run(
                Programs.commandLine, ["profile", "edit", "--status", "x", "--json", "--account", "one"], ["PULSEBOARD_SOCKET": house.socket])
            #expect(try refused.failure()["reason"] == "STORE_GONE")
            #expect(await server.said("error", Self.trouble, "the database file was deleted, moved or replaced"))
            let health = try await house.answer("rpc", "call", "grpc.health.v1.Health/Check")
            #expect(health["status"] == "NOT_SERVING")
            #expect(rename(house.data + "/elsewhere", database) == 0)
            #expect(await server.said("notice", "the store works again"))
            #expect(try await house.pulseboard("profile", "edit", "--status", "x", as: "one").exit == .success)
        }
    }

    @Test("a second server is refused also when the lock file was deleted, and when the database has another name")
    func secondServer() async throws {
        try await Household.withServer { house, server in
            #expect(unlink(house.data + "/pulseboard.lock") == 0)
            let second = { (data: String) in
                try await house.run(Programs.server, ["--socket", house.root + "/run/second.sock", "--data-directory", data])
            }
            let refused = try await second(house.data)
            #expect(refused.exit == .status(69))
            #expect(refused.errors.contains("the data directory \(house.data) is in use by another process"), "\(refused)")
            let other = house.root + "/other"
            try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(atPath: other + "/pulseboard.sqlite", withDestinationPath: house.data + "/pulseboard.sqlite")
            let linked = try await second(other)
            #expect(linked.exit == .status(69))
            #expect(linked.errors.contains("\(other)/pulseboard.sqlite is in use by another process"), "\(linked)")
        }
    }
}
