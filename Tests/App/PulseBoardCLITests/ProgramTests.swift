import Foundation
import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore
import Testing

@testable import PulseBoardCLI

@Suite struct ProgramTests {
    static let profile: PBProfile = {
        var profile = PBProfile()
        profile.userID = "u-1"
        profile.username = "하늘"
        profile.displayName = "김하늘"
        var time = Google_Protobuf_Timestamp()
        time.seconds = 1_795_258_141
        profile.createTime = time
        profile.updateTime = time
        return profile
    }()

    static let showsProfile: [String: StubChannel.Handler] = [
        "GetMyProfile": { (_, _) throws(RPCError) in profile }
    ]

    @Test("The top-level help is the one a newcomer is meant to read")
    func help() async throws {
        let program = try TestProgram()
        #expect(try await program.run("--help") == 0)
        let golden = try #require(Bundle.module.url(forResource: "help", withExtension: "txt"))
        #expect(program.standardOutput == (try String(contentsOf: golden, encoding: .utf8)))
    }

    @Test("Arguments that make no sense are usage errors: 64, with text on standard error or JSON if asked for")
    func usage() async throws {
        let program = try TestProgram()
        #expect(try await program.run("profile", "edit") == 64)
        #expect(try await program.run("ping", "--timeout", "0") == 64)
        #expect(try await program.run("nonsense") == 64)
        #expect(program.standardOutput.isEmpty && program.standardError.contains("Nothing to change"))
        #expect(program.channel.calls.isEmpty)
        let json = try TestProgram()
        #expect(try await json.run("profile", "edit", "--json") == 64)
        #expect(json.standardOutput.isEmpty && json.standardError.contains("\"reason\" : \"USAGE\""))
    }

    @Test("Help about a command that is not there is the same error as the command", arguments: [
        ["help", "nope"], ["--help", "nope"], ["help", "follow", "nope"],
    ])
    func helpAboutNothing(_ arguments: [String]) async throws {
        let program = try TestProgram()
        #expect(try await program.run(arguments: arguments) == 64)
        #expect(program.standardOutput.isEmpty && program.standardError.contains("has no command 'nope'"), "\(program.standardError)")
    }

    @Test("help may stand behind the command that it is about")
    func helpBehind() async throws {
        let before = try TestProgram(), behind = try TestProgram()
        #expect(try await before.run("help", "profile", "image") == 0)
        #expect(try await behind.run("profile", "image", "help") == 0)
        #expect(behind.standardOutput.hasPrefix("OVERVIEW: ") && behind.standardOutput == before.standardOutput)
    }

    @Test("A usage error in JSON names the help of its command")
    func usageJSON() async throws {
        let program = try TestProgram()
        #expect(try await program.run("profile", "show", "--json", "--field", "username") == 64)
        #expect(program.standardError.contains("\"pulseboard profile show --help\""), "\(program.standardError)")
    }

    @Test("B14: a profile is shown as a card with times of the user's zone")
    func show() async throws {
        let program = try TestProgram(Self.showsProfile)
        try program.signIn()
        #expect(try await program.run("profile", "show") == 0)
        #expect(program.standardOutput == """
            @하늘
              name     김하늘
              user id  u-1
              created  2026-11-21 19:49:01 +09:00

            """)
        #expect(program.standardError.isEmpty)
    }

    @Test("--json writes one document with every key")
    func showJSON() async throws {
        let program = try TestProgram(Self.showsProfile)
        try program.signIn()
        #expect(try await program.run("profile", "show", "--json") == 0)
        let object = try JSONSerialization.jsonObject(with: Data(program.standardOutput.utf8)) as? [String: Any]
        // In JSON, `display_name` is `displayName`.
        let texts: [String] = ProfileTextField.allCases.map { field in
            let words = field.facts.path.split(separator: "_").map(String.init)
            return words.dropFirst().reduce(words[0]) { $0 + $1.capitalized }
        }
        let keys: [String] = ["userId", "username", "createTime", "updateTime", "etag"] + texts
        let found: [String] = object.map { Array($0.keys) } ?? []
        #expect(found.sorted() == keys.sorted())
        #expect(object?["statusMessage"] != nil)
        #expect(object?["createTime"] as? String == "2026-11-21T10:49:01Z")
    }

    @Test("B8: showing a profile that is not there yet exits 69 and says how to make it, in Korean too")
    func state() async throws {
        let missing = try RPCError.with(.notFound, reason: "USER_NOT_FOUND")
        let program = try TestProgram(
            ["GetMyProfile": { (_, _) throws(RPCError) in throw missing }], variables: ["LANG": "ko_KR.UTF-8"])
        try program.signIn()
        #expect(try await program.run("profile", "show") == 69)
        #expect(program.standardOutput.isEmpty)
        #expect(program.standardError == "아직 프로필이 없습니다.\n다음 명령: pulseboard profile create --username 이름\n")
    }

    @Test("Without a session the server is not asked, and the next command is to sign in")
    func signedOut() async throws {
        let program = try TestProgram(Self.showsProfile)
        #expect(try await program.run("profile", "show") == 80)
        #expect(program.channel.calls.isEmpty)
        #expect(program.standardError.contains("pulseboard auth login"))
    }

    @Test("Calls carry the token and the language; PULSEBOARD_TOKEN wins over the saved session")
    func metadata() async throws {
        let program = try TestProgram(Self.showsProfile, variables: ["LC_ALL": "ko_KR.UTF-8"])
        try program.signIn(token: "saved")
        _ = try await program.run("profile", "show", "--timeout", "2.5")
        let options = try #require(program.channel.calls.first?.options)
        #expect(options.metadata["authorization"] == "Bearer saved")
        #expect(options.metadata["accept-language"] == "ko")
        #expect(options.timeout == .seconds(2.5))
        let other = try TestProgram(Self.showsProfile, variables: ["PULSEBOARD_TOKEN": "given"])
        try other.signIn(token: "saved")
        _ = try await other.run("profile", "show")
        #expect(other.channel.calls.first?.options.metadata["authorization"] == "Bearer given")
    }

    @Test("--account and PULSEBOARD_ACCOUNT choose among the saved sessions; the last sign-in is the default")
    func accounts() async throws {
        let program = try TestProgram(Self.showsProfile)
        try program.signIn(account: "alice", token: "a")
        try program.signIn(account: "bob", token: "b")
        _ = try await program.run("profile", "show")
        _ = try await program.run("profile", "show", "--account", "alice")
        #expect(try await program.run("profile", "show", "--account", "eve") == 80)
        #expect(program.channel.calls.map { $0.options.metadata["authorization"] } == ["Bearer b", "Bearer a"])
    }

    @Test("A session file that others can read is refused, and the server is not asked")
    func openFile() async throws {
        let program = try TestProgram(Self.showsProfile)
        try program.signIn()
        try #require(chmod(program.store.path(forSocket: TestProgram.socket), 0o644) == 0)
        #expect(try await program.run("profile", "show") == 73)
        #expect(program.channel.calls.isEmpty && program.standardOutput.isEmpty)
    }
}
