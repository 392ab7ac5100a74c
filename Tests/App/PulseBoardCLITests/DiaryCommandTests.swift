import Foundation
import Testing

@testable import PulseBoardCLI

@Suite struct DiaryCommandTests {
    /// The first entry of a list, as JSON.
    private func listed(_ program: TestProgram) throws -> [[String: Any]] {
        let document = try JSONSerialization.jsonObject(with: Data(program.standardOutput.utf8)) as? [String: Any]
        return try #require(document?["entries"] as? [[String: Any]])
    }

    @Test("B36: without a server and without an account an entry is written, listed, found, changed and deleted")
    func local() async throws {
        let home = try TestProgram()
        let directory = home.home.path + "/diary"
        func run(_ arguments: String...) async throws -> TestProgram {
            let program = try TestProgram()
            #expect(try await program.run(arguments: ["diary"] + arguments + ["--directory", directory]) == 0, "\(program.standardError)")
            #expect(program.channel.calls.isEmpty)
            return program
        }
        let written = try await run("write", "비가 왔다.", "--emotion", "calm", "--date", "2026-11-21T19:49")
        #expect(written.standardOutput.contains("2026-11-21 19:49"))
        #expect(written.standardError.isEmpty)
        _ = try await run("write", "Rain again", "--date", "2026-12-01")
        let month = try listed(try await run("list", "--month", "2026-11", "--json"))
        #expect(month.map { $0["text"] as? String } == ["비가 왔다."])
        #expect(month.first?["entryTime"] as? String == "2026-11-21T10:49:00Z")
        let id = try #require(month.first?["id"] as? String)
        #expect(try listed(try await run("search", "rain", "--json")).count == 1)
        _ = try await run("edit", String(id.prefix(8)), "--text", "개었다.\n끝")
        #expect(try await run("show", id).standardOutput.hasSuffix("개었다.\n끝\n"))
        #expect(try await run("list").standardOutput.contains("개었다.…"))
        #expect(try await run("export").standardOutput.split(separator: "\n").count == 2)
        _ = try await run("delete", id)
        #expect(try listed(try await run("list", "--json")).count == 1)
        #expect(try await run("status").standardOutput == "entries 1 · on this device only\n")
        #expect(try await run("rejected").standardOutput == "Nothing was rejected.\n")
        #expect(try await run("conflicts").standardOutput == "No conflicts.\n")
    }

    @Test("an entry is read from standard input, and texts are in the user's language")
    func typed() async throws {
        let program = try TestProgram(typed: ["첫 줄", "둘째 줄"], variables: ["LANG": "ko_KR.UTF-8"])
        #expect(try await program.run("diary", "write") == 0)
        #expect(program.standardOutput.hasSuffix("첫 줄\n둘째 줄\n"))
        #expect(try await program.run("diary", "status") == 0)
        #expect(program.standardOutput.hasSuffix("일기 1개 · 이 기기에만 있음\n"))
        #expect(try await program.run("diary", "show", "ffffffff") == 69)
        #expect(program.standardError.contains("일기가 없습니다."))
    }

    @Test("what makes no sense is refused: a time, an emotion, an id, nothing to change")
    func refused() async throws {
        let program = try TestProgram()
        #expect(try await program.run("diary", "write", "x", "--date", "2026-02-30") == 67)
        #expect(try await program.run("diary", "list", "--month", "2026") == 67)
        #expect(try await program.run("diary", "write", "x", "--emotion", "Very Sad") == 67)
        #expect(program.standardError.contains("An emotion is at most 32 letters"))
        #expect(try await program.run("diary", "edit", "abc") == 64)
        #expect(try await program.run("diary", "show", "%") == 69)
        #expect(try await program.run("diary", "list") == 0)
        #expect(program.standardOutput.split(separator: "\n").count == 1)
    }

    @Test("a directory that others may read is refused")
    func openDirectory() async throws {
        let program = try TestProgram()
        let directory = program.home.path + "/open"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        #expect(try await program.run("diary", "write", "x", "--directory", directory) == 73)
        #expect(program.standardError.contains("chmod 700"))
    }

    @Test("synchronising needs somebody who is signed in")
    func signedOut() async throws {
        let program = try TestProgram()
        #expect(try await program.run("diary", "sync") == 80)
        #expect(program.standardError.contains("pulseboard auth login"))
    }
}
