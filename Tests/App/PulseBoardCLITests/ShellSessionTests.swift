import Foundation
import PulseBoardMessages
import RPCCore
import Testing

@testable import CommandHelp
@testable import PulseBoardCLI

@Suite("pulseboard shell") struct ShellSessionTests {
    private static let handlers: [String: StubChannel.Handler] = [
        "GetAuthState": { (_, _) throws(RPCError) in PBAuthState() },
        "GetServerInfo": { (_, _) throws(RPCError) in throw RPCError(.permissionDenied, "no") },
    ]

    @Test("a script runs each line, passes over remarks, and ends with the first failure and its exit code")
    func script() async throws {
        let program = try TestProgram(
            Self.handlers, typed: ["# a remark", "", "ping --count 1", "pulseboard ping --count 2", "admin status", "ping --count 4"])
        #expect(try await program.run("shell") == 71)
        #expect(program.channel.calls.count == 2 + 3 + 1, "nothing after the failure")
        let usage = try TestProgram(Self.handlers, typed: ["ping --count nothing", "ping"])
        #expect(try await usage.run("shell") == 64)
        #expect(usage.channel.calls.isEmpty)
        let quote = try TestProgram(Self.handlers, typed: ["profile show 'x"], variables: ["LANG": "ko_KR.UTF-8"])
        #expect(try await quote.run("shell") == 64)
        #expect(quote.standardError.contains("따옴표"))
        let sound = try TestProgram(Self.handlers, typed: ["ping --count 1", "\\q", "admin status"])
        #expect(try await sound.run("shell") == 0)
    }

    @Test("a script that cannot be read to its end fails")
    func unreadableScript() async throws {
        let program = try TestProgram(Self.handlers, typed: ["ping --count 1"], inputProblem: "Input/output error")
        #expect(try await program.run("shell") == 67)
        #expect(program.channel.calls.count == 2, "the lines before it have run")
        #expect(program.standardError.contains("Standard input cannot be read: Input/output error."))
    }

    @Test("timing is said when it is asked for, help names the shell's own commands, and it does not nest")
    func own() async throws {
        let program = try TestProgram(Self.handlers, typed: ["\\timing", "ping --count 1", "\\timing off", "ping --count 1", "\\?"])
        #expect(try await program.run("shell") == 0)
        #expect(program.standardError.split(separator: "\n").count { $0.hasPrefix("Time: ") } == 1, "\(program.standardError)")
        #expect(program.standardOutput.contains("\\timing [on|off]") && program.standardOutput.contains("SUBCOMMANDS"))
        #expect(try await TestProgram(Self.handlers, typed: ["shell"]).run("shell") == 64)
        #expect(try await TestProgram(Self.handlers, typed: ["\\nothing"]).run("shell") == 64)
        #expect(try await TestProgram(Self.handlers, typed: []).run("shell", "--json") == 64)
    }

    @Test("lines are cut into words as a shell does", arguments: [
        ("profile  show", ["profile", "show"]), (#"edit --status "back at work""#, ["edit", "--status", "back at work"]),
        ("a 'b # c' #d", ["a", "b # c"]), (#"a "b \" c" 'd \ e'"#, ["a", #"b " c"#, #"d \ e"#]), (#"a\ b '' c"#, ["a b", "", "c"]),
        (#"\timing on"#, [#"\timing"#, "on"]), ("", []), ("  # x", []), ("follow add @민지", ["follow", "add", "@민지"]), (#"\?"#, [#"\?"#]),
    ])
    func words(_ line: String, _ expected: [String]) throws {
        #expect(try ShellWords.split(line) == expected)
    }

    @Test("completion goes by the tree of the commands", arguments: [
        ("", "pro", ["profile"]), ("profile ", "s", ["search", "show"]), ("ping ", "--co", ["--concurrency", "--connections", "--count"]),
        ("rpc list --protocol ", "", ["grpc", "ttrpc"]), ("help admin ", "se", ["set"]), ("pulseboard fol", "x", []), ("nonsense ", "x", []),
        ("diary add ", "--emo", ["--emotion"]),
    ])
    func completion(_ line: String, _ word: String, _ expected: [String]) throws {
        #expect(try CommandCompletion(of: PulseBoardCommand.self).fit(line: line, word: word).words == expected)
    }

    private static let knowing: [String: StubChannel.Handler] = [
        "SearchProfiles": { (_, _) throws(RPCError) in
            PBSearchProfilesResponse(users: ["minji", "mina", "kim", "mi$(id)", "mi;ls", "mi x", "mi\u{1B}[2J"].map {
                PBUserSummary(userID: "u-" + $0, username: $0, displayName: "Mi " + $0)
            })
        },
        "ListFollowing": { (_, _) throws(RPCError) in PBListFollowingResponse(users: [PBFollowUser(user: PBUserSummary(userID: "u-1", username: "하늘"))]) },
    ]

    @Test(
        "a shell's completion asks the server for users, and this machine for accounts; a failure and a name that a shell would expand complete nothing",
        arguments: [
            (["profile", "show", "--", "positional@0", "2", "2", "profile", "show", "mi"], "minji\nmina\n"),
            (["profile", "show", "--", "positional@0", "2", "3", "profile", "show", "@MI"], "@minji\n@mina\n"),
            (["follow", "add", "--", "positional@0", "2", "0", "follow", "add", ""], "@하늘\n"),
            (["ping", "--", "--account", "2", "0", "ping", "--account", ""], "jun\n"),
            (["rpc", "call", "--", "positional@0", "2", "0", "rpc", "call", ""], ""),
        ])
    func serverCompletion(_ question: [String], _ answer: String) async throws {
        let program = try TestProgram(Self.knowing)
        try program.signIn(account: "jun")
        #expect(try await program.run(arguments: ["---completion"] + question) == 0)
        #expect(program.standardOutput.trimmingCharacters(in: .newlines) == answer.trimmingCharacters(in: .newlines))
        #expect(program.standardError.isEmpty)
        // Who is not signed in is offered nobody.
        let stranger = try TestProgram(Self.knowing)
        #expect(try await stranger.run(arguments: ["---completion"] + question) == 0)
        #expect(stranger.standardOutput.trimmingCharacters(in: .newlines).isEmpty && stranger.standardError.isEmpty)
    }

    @Test("bash completes usernames with their @: it breaks no word there, and writes no backslash")
    func bashCompletion() async throws {
        let program = try TestProgram([:])
        #expect(try await program.run("--generate-completion-script", "bash") == 0)
        let lines = program.standardOutput.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let added = try #require(lines.firstIndex(of: #"[[ "${1}${completion}" = -W@* ]] && compopt +o filenames 2>/dev/null"#))
        #expect(lines[added - 1] == #"COMPREPLY+=("${completion}")"#)
        #expect(lines.suffix(2) == ["COMP_WORDBREAKS=${COMP_WORDBREAKS//@/}", "complete -o filenames -F _pulseboard pulseboard"])
    }

    @Test("history is kept for its owner alone, a thousand lines of it")
    func history() throws {
        let home = try TemporaryDirectory()
        let variables = ["XDG_STATE_HOME": home.path]
        let history = try #require(ShellHistory(variables: variables))
        #expect(history.lines.isEmpty)
        for number in 0..<1_100 { history.append("line \(number)") }
        let path = home.path + "/pulseboard/history"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let next = try #require(ShellHistory(variables: variables))
        #expect(next.lines.count == 1_000 && next.lines.first == "line 100" && next.lines.last == "line 1099")
        #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 1_000)
        #expect(ShellHistory(variables: [:]) == nil)
    }
}
