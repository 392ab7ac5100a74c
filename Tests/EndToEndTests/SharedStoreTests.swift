import Glibc
import TestPostgreSQL
import Testing

/// Servers on one PostgreSQL, through the built programs.
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
