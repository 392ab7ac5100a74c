import Foundation
import Testing

/// Acknowledged writes survive a kill of the server.
@Suite("Durability, end to end", .serialized, .timeLimit(.minutes(5)))
struct DurabilityTests {
    @Test("An acknowledged write survives kill -9 in the middle of concurrent writes", .enabled(if: GoPeer.isExpected, GoPeer.absence))
    func killedAmidWrites() async throws {
        try await Household.withServer { house, server in
            let hub = try #require(try await house.enter(as: "hub", username: "hub")["userId"].text)
            let opened = try await house.go("sign-in", "hub").document()
            let token = try #require(opened["token"].text)
            // Sixteen at once, so that a kill can fall between a commit and its answers, or within a commit.
            let writers = try await house.start(
                GoPeer.program(), [house.socket, "enrol", hub, "1000000", "16"])
            let enough = await writers.progress.first { $0.outputLines.count >= 300 || $0.exit != nil ? true : nil }
            #expect(enough == true)
            server.send(SIGKILL)
            #expect(try await server.ended() == .signal(SIGKILL))
            #expect(try await writers.ended() == .status(2), "the writers notice that the server is gone")

            let acknowledged = try writers.progress.current.outputLines.map { try JSON(String($0)) }
            #expect(acknowledged.count >= 300, "\(writers.progress.current.errorText)")
            _ = try await house.startServer()
            let ids = acknowledged.compactMap { $0["userId"].text }
            #expect(ids.count == acknowledged.count)
            for start in stride(from: 0, to: ids.count, by: 100) {
                let batch = Array(ids[start..<min(start + 100, ids.count)])
                let found = try await house.run(GoPeer.program(), [house.socket, "get-profiles", token] + batch).document()
                #expect(found["missingUserIds"].elements.isEmpty)
                #expect(found["profiles"].elements.compactMap { $0["userId"].text } == batch)
            }
            let listed = try await house.answer("follow", "followers", "--all", as: "hub")["users"].elements
            let followers = Set(listed.compactMap { $0["user"]["userId"].text })
            #expect(followers.isSuperset(of: ids))
            #expect(listed.count == followers.count)
            #expect(try await house.answer("follow", "counts", as: "hub")["followers"].integer == followers.count)
        }
    }

    @Test("Sessions and profiles survive an orderly restart")
    func restart() async throws {
        try await Household.withServer { house, server in
            let made = try await house.enter(as: "one", username: "first", displayName: "김하나")
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            _ = try await house.startServer()
            #expect(try await house.answer("profile", "show", as: "one") == made)
        }
    }

    @Test("A retried write returns its first result, also after a restart", .enabled(if: GoPeer.isExpected, GoPeer.absence))
    func retriedWrite() async throws {
        try await Household.withServer { house, server in
            let token = try #require(try await house.go("sign-in", "one").document()["token"].text)
            let first = try await house.go("create-profile", token, "first", "First", "request-1").document()
            #expect(try await house.go("create-profile", token, "first", "First", "request-1").document() == first)
            server.send(SIGKILL)
            _ = try await server.ended()
            _ = try await house.startServer()
            #expect(try await house.go("create-profile", token, "first", "First", "request-1").document() == first)
            let other = try await house.go("create-profile", token, "first", "First", "request-2").failure()
            #expect(other["reason"] == "PROFILE_EXISTS")
        }
    }
}
