import Foundation
import Testing

/// Leaving, coming back, and exporting data, with the built programs.
@Suite("Leaving, end to end", .serialized, .timeLimit(.minutes(2)))
struct LeavingTests {
    @Test("C23: who leaves is gone for others, and a sign-in and a command bring everything back, also after a restart")
    func restore() async throws {
        try await Household.withServer { house, server in
            let minji = try await house.enter(as: "minji", username: "minji")
            _ = try await house.enter(as: "junho", username: "junho")
            _ = try await house.answer("follow", "add", "@minji", as: "junho")
            let before = try await house.answer("follow", "followers", as: "minji")

            let asked = try await house.pulseboard("account", "withdraw", as: "minji")
            #expect(asked.exit == .failedPrecondition, "no terminal, no consent")
            let left = try await house.answer("account", "withdraw", "--yes", as: "minji")
            #expect(left["purgeTime"].text?.isEmpty == false)
            #expect(try await house.pulseboard("profile", "show", as: "minji").exit == .unauthenticated)
            #expect(try await house.pulseboard("profile", "show", "@minji", as: "junho").exit == .notFound)
            #expect(try await house.answer("follow", "following", as: "junho")["users"].elements.isEmpty)

            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            let second = try await house.startServer()
            let login = try await house.answer("auth", "login", as: "minji")
            #expect(login["state"] == "STATE_WITHDRAWING")
            let text = try await house.pulseboard("auth", "status", as: "minji")
            #expect(text.output.contains("pulseboard account restore"), "\(text)")
            let show = try await house.pulseboard("profile", "show", "--json", as: "minji")
            #expect(try show.failure()["reason"] == "WITHDRAWING")
            _ = try await house.answer("account", "restore", as: "minji")
            #expect(try await house.answer("profile", "show", as: "minji") == minji)
            #expect(try await house.answer("follow", "followers", as: "minji") == before)
            second.send(SIGTERM)
            #expect(try await second.ended() == .status(0))
        }
    }

    @Test("B6, B28: with no time to come back the account is gone, and the next sign-in makes another")
    func purge() async throws {
        try await Household.withServer(["--withdrawal-grace", "0"]) { house, server in
            let first = try await house.enter(as: "minji", username: "minji")
            _ = try await house.answer("account", "withdraw", "--yes", as: "minji")
            // The purge comes at the latest at the next start.
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            let second = try await house.startServer(["--withdrawal-grace", "0"])
            var state = JSON.null
            while state != "STATE_NEEDS_PROFILE" { state = try await house.answer("auth", "login", as: "minji")["state"] }
            let again = try await house.answer("profile", "create", "--username", "minji", as: "minji")
            #expect(again["userId"] != first["userId"])
            second.send(SIGTERM)
            #expect(try await second.ended() == .status(0))
        }
    }

    @Test("C22: account export is a line a record, ends with its hash, and holds no token")
    func export() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "minji", username: "minji", displayName: "민지")
            _ = try await house.enter(as: "junho", username: "junho")
            _ = try await house.answer("follow", "add", "@junho", as: "minji")
            let run = try await house.pulseboard("account", "export", as: "minji")
            #expect(run.exit == .success, "\(run)")
            let records = try run.output.split(separator: "\n").map { try JSON(String($0)) }
            #expect(records.contains { $0["identity"]["subject"] == "minji" })
            #expect(records.contains { $0["profile"]["displayName"] == "민지" })
            #expect(records.contains { $0["following"]["user"]["username"] == "junho" })
            #expect(records.last?["end"]["recordCount"].integer == records.count - 1)
            let sessions = try #require(
                FileManager.default.enumerator(atPath: house.home)?.compactMap { $0 as? String }.first { $0.hasSuffix(".json") })
            let saved = try JSON(String(contentsOfFile: house.home + "/" + sessions, encoding: .utf8))
            try #require(!saved["sessions"].elements.isEmpty)
            for session in saved["sessions"].elements { #expect(!run.output.contains(try #require(session["token"].text))) }
        }
    }
}
