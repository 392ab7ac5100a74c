import Foundation
import Testing

/// The diary's commands and a real server. Two directories are two devices of one user.
@Suite struct DiaryProgramTests {
    private func diary(
        _ household: Household, at directory: String, _ words: String...
    ) async throws -> Run {
        try await household.run(
            Programs.commandLine, ["diary"] + words + ["--directory", directory, "--json", "--account", "minji"],
            ["PULSEBOARD_SOCKET": household.socket])
    }

    @Test("B33, promises 9, 10: two devices write while the server is away, and end with the same entry and the same conflict")
    func twoDevices() async throws {
        try await Household.with { household in
            let here = household.root + "/here", there = household.root + "/there"
            var server = try await household.startServer()
            _ = try await household.enter(as: "minji", username: "minji")
            let made = try await diary(household, at: here, "write", "start").document()
            let id = try #require(made["id"].text)
            for directory in [here, there] { _ = try await diary(household, at: directory, "sync").document() }
            server.send(SIGTERM)
            _ = try await server.ended()
            _ = try await diary(household, at: here, "edit", id, "--text", "from here").document()
            _ = try await diary(household, at: there, "edit", id, "--text", "from there").document()
            #expect(try await diary(household, at: here, "sync").exit == .status(78))
            #expect(try await diary(household, at: here, "status").document()["pending"] == 1)
            server = try await household.startServer()
            for directory in [there, here, there] { _ = try await diary(household, at: directory, "sync").document() }
            for directory in [here, there] {
                let shown = try await diary(household, at: directory, "show", id).document()
                #expect(shown["text"] == "from there")
                #expect(shown["conflicts"].elements.map { $0["value"] } == ["from here"])
                let status = try await diary(household, at: directory, "status").document()
                #expect(status["pending"] == 0 && status["conflicts"] == 1 && status["entries"] == 1)
            }
            // Another account's session does not reach it.
            _ = try await household.enter(as: "jisoo", username: "jisoo")
            let other = try await household.run(
                Programs.commandLine, ["diary", "sync", "--directory", here, "--account", "jisoo"], ["PULSEBOARD_SOCKET": household.socket])
            #expect(other.exit == .status(71))
        }
    }

    @Test("promises 1, 2: whenever a writing program is killed, what it acknowledged is there, and every entry has its edit in the outbox")
    func killed() async throws {
        try await Household.with { household in
            let directory = household.root + "/here"
            let server = try await household.startServer()
            _ = try await household.enter(as: "minji", username: "minji")
            _ = try await diary(household, at: directory, "sync").document()
            server.send(SIGKILL)
            _ = try await server.ended()
            var acknowledged: Set<JSON> = []
            for round in 0..<24 {
                let child = try household.start(
                    Programs.commandLine,
                    ["diary", "write", "round \(round)", "--directory", directory, "--json", "--account", "minji"],
                    ["PULSEBOARD_SOCKET": household.socket])
                if round % 4 == 3 {
                    // One that has answered.
                    _ = await child.progress.first { $0.outputText.contains("\n}\n") || $0.exit != nil ? true : nil }
                } else {
                    for _ in 0..<(round * 400) { await Task.yield() }
                }
                child.send(SIGKILL)
                _ = try await child.ended()
                if let document = try? JSON(child.progress.current.outputText) { acknowledged.insert(document["id"]) }
            }
            #expect(acknowledged.count >= 6)
            let list = try await diary(household, at: directory, "list", "--all").document()
            let listed = Set(list["entries"].elements.map { $0["id"] })
            #expect(acknowledged.isSubset(of: listed))
            #expect(list["damaged"].elements.isEmpty)
            #expect(list["entries"].elements.allSatisfy { $0["pending"] == true })
            #expect(try await diary(household, at: directory, "status").document()["pending"].integer == listed.count)
        }
    }
}
