import Glibc
import Testing

/// Watches with the built programs.
@Suite("Watches, end to end", .serialized, .timeLimit(.minutes(2)))
struct WatchTests {
    /// Starts a command that runs until it is interrupted.
    private func begin(_ house: Household, _ words: [String], as account: String) throws -> ChildProcess {
        try house.start(
            Programs.commandLine, words + ["--json", "--account", account], ["PULSEBOARD_SOCKET": house.socket])
    }

    /// Waits for the first `count` documents of a watch.
    private func documents(_ watch: ChildProcess, _ count: Int) async throws -> [JSON] {
        let lines = await watch.progress.first { progress -> [String]? in
            let lines = progress.outputLines
            return lines.count >= count || progress.exit != nil ? lines.prefix(count).map(String.init) : nil
        }
        let found = try #require(lines)
        try #require(found.count == count, "\(watch.progress.current.outputText)\(watch.progress.current.errorText)")
        return try found.map { try JSON($0) }
    }

    @Test("follow watch tells both directions, goes on after a restart without a gap, and Ctrl-C ends it with 0")
    func follows() async throws {
        try await Household.withServer { house, server in
            _ = try await house.enter(as: "minji", username: "minji")
            let junho = try await house.enter(as: "junho", username: "junho")
            let watch = try begin(house, ["follow", "watch"], as: "minji")
            #expect(try await documents(watch, 1)[0]["position"] != .null)
            _ = try await house.answer("follow", "add", "@junho", as: "minji")
            _ = try await house.answer("follow", "add", "@minji", as: "junho")
            let live = try await documents(watch, 3)
            #expect(live.dropFirst().map { $0["event"]["kind"] } == ["KIND_FOLLOWED", "KIND_FOLLOWER_GAINED"])
            #expect(live[1]["event"]["user"]["userId"] == junho["userId"])
            #expect(live[2]["event"]["user"]["username"] == "junho")

            // An open watch does not delay the shutdown: nothing of the grace period of ten seconds is needed.
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            let second = try await house.startServer()
            _ = try await house.answer("follow", "remove", "@minji", as: "junho")
            _ = try await house.answer("follow", "remove-follower", "@junho", as: "minji")
            _ = try await house.answer("follow", "remove", "@junho", as: "minji")
            let all = try await documents(watch, 5)
            #expect(all.suffix(2).map { $0["event"]["kind"] } == ["KIND_FOLLOWER_LOST", "KIND_UNFOLLOWED"])
            #expect(watch.progress.current.errorText.contains("trying again"))
            watch.send(SIGINT)
            #expect(try await watch.ended() == .status(0))

            // A watch can resume after any document.
            guard case .string(let token) = all[1]["resumeToken"] else {
                Issue.record("no token in \(all[1])")
                return
            }
            let replay = try begin(house, ["follow", "watch", "--resume", token], as: "minji")
            #expect(Array(try await documents(replay, 4).dropFirst()) == Array(all.dropFirst(2)))
            replay.send(SIGINT)
            #expect(try await replay.ended() == .status(0))
            let borrowed = try await house.pulseboard("follow", "watch", "--resume", token, "--json", as: "junho")
            #expect(borrowed.exit == .invalidArgument)
            #expect(try borrowed.failure()["reason"] == "RESUME_TOKEN_INVALID")
            second.send(SIGTERM)
            #expect(try await second.ended() == .status(0))
        }
    }

    @Test("profile watch tells changes and ends when the profile is deleted; auth watch ends with the session")
    func profileAndState() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "minji", username: "minji")
            _ = try await house.answer("auth", "login", as: "junho")
            let state = try begin(house, ["auth", "watch"], as: "junho")
            #expect(try await documents(state, 1)[0]["state"] == "STATE_NEEDS_PROFILE")
            _ = try await house.answer("profile", "create", "--username", "junho", as: "junho")
            #expect(try await documents(state, 2)[1]["state"] == "STATE_READY")

            let profile = try begin(house, ["profile", "watch", "@junho"], as: "minji")
            #expect(try await documents(profile, 1)[0]["username"] == "junho")
            _ = try await house.answer("profile", "edit", "--status", "자는 중", as: "junho")
            #expect(try await documents(profile, 2)[1]["statusMessage"] == "자는 중")

            _ = try await house.pulseboard("profile", "delete", "--yes", as: "junho")
            #expect(try await documents(state, 3)[2]["state"] == "STATE_SIGNED_OUT")
            #expect(try await state.ended() == .success)
            #expect(try await profile.ended() == .notFound)
        }
    }
}
