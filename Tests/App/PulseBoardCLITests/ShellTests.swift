import Foundation
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore
import Testing

@testable import PulseBoardCLI

@Suite("The last mile to the shell") struct ShellTests {
    private static let followers: [String: StubChannel.Handler] = [
        "ListFollowers": { (_, _) throws(RPCError) in
            PBListFollowersResponse(users: [
                PBFollowUser(user: PBUserSummary(userID: "u-1", username: "하늘", displayName: "김\t하늘")),
                PBFollowUser(user: PBUserSummary(userID: "u-2", username: "bob", displayName: "Bob\nB\\")),
            ])
        }
    ]

    @Test("--field writes the fields that are asked for, a line for each element, with tabs between them")
    func fields() async throws {
        let program = try TestProgram(Self.followers)
        try program.signIn()
        #expect(try await program.run("follow", "followers", "--field", "users.user.username", "--field", "users.user.displayName") == 0)
        #expect(program.standardOutput == "하늘\t김\\t하늘\nbob\tBob\\nB\\\\\n")
        // Nobody has a picture, which JSON leaves out.
        let pictures = try TestProgram(Self.followers)
        try pictures.signIn()
        #expect(try await pictures.run("follow", "followers", "--field", "users.user.userId", "--field", "users.user.image.etag") == 0)
        #expect(pictures.standardOutput == "u-1\t\nu-2\t\n", "\(pictures.standardError)")
        #expect(try await program.run("follow", "followers", "--field", "users.user.name") == 67)
        #expect(program.standardError.contains("users.user.name") && program.standardError.contains("displayName"))
        #expect(try await program.run("follow", "followers", "--field", "users.user") == 67)
        #expect(try await program.run("follow", "followers", "--field", "users..user") == 64)
        #expect(try await program.run("follow", "followers", "--field", "a", "--json") == 64)
    }

    @Test("another name of a command is known too, and an export has no fields")
    func names() async throws {
        let program = try TestProgram()
        #expect(try await program.run("diary", "add", "--help") == 0, "\(program.standardError)")
        #expect(try await program.run("account", "export", "--field", "profile.username") == 64)
    }

    @Test("a value outside a list is on every line of it; two lists do not go together")
    func lists() throws {
        let document = try #require(JSONTree(#"{"a": 1, "b": true, "c": null, "d": [{"e": 2.5, "f": [1, 2]}, {"e": 3, "f": []}], "g": [7]}"#))
        #expect(try FieldSelection(["a", "b", "c", "d.e"]).lines(of: document, canHave: { _ in false }) == "1\ttrue\t\t2.5\n1\ttrue\t\t3\n")
        #expect(try FieldSelection(["d.e", "d.f"]).lines(of: document, canHave: { _ in false }) == "2.5\t1\n2.5\t2\n")
        // However many elements the lists have.
        for (a, b) in [("[1]", "[2]"), ("[]", "[2]"), ("[1]", "[]"), ("[1, 2]", "[3]")] {
            let lists = JSONTree("{\"a\": {\"items\": \(a)}, \"b\": {\"items\": \(b)}}")!
            #expect(throws: FieldSelection.Problem.differentLists) {
                try FieldSelection(["a.items", "b.items"]).lines(of: lists, canHave: { _ in false })
            }
        }
        #expect(throws: FieldSelection.Problem.differentLists) { try FieldSelection(["d.e", "g"]).lines(of: document, canHave: { _ in false }) }
        #expect(throws: FieldSelection.Problem.notAValue(path: "d")) {
            try FieldSelection(["d"]).lines(of: JSONTree(#"{"d": {"e": 1}}"#)!, canHave: { _ in false })
        }
        #expect(try FieldSelection(["d.e"]).lines(of: JSONTree(#"{"d": []}"#)!, canHave: { _ in false }) == "")
    }

    @Test("a wrong command is answered with those that were meant, in Korean too", arguments: [
        (["folow"], "pulseboard has no command 'folow'. Did you mean 'follow'?", "Next: pulseboard follow\n"),
        (["follow", "remvoe"], "pulseboard follow has no command 'remvoe'. Did you mean 'remove'?", "Next: pulseboard follow remove\n"),
        (["admin", "stat"], "pulseboard admin has no command 'stat'. Did you mean 'status'?", "Next: pulseboard admin status\n"),
        (["xyzzy"], "pulseboard has no command 'xyzzy'. Its commands: ", "Next: pulseboard --help\n"),
    ])
    func suggestions(_ arguments: [String], _ message: String, _ next: String) async throws {
        let program = try TestProgram()
        #expect(try await program.run(arguments: arguments) == 64)
        #expect(program.standardError.contains(message) && program.standardError.contains(next), "\(program.standardError)")
        let korean = try TestProgram(variables: ["LANG": "ko_KR.UTF-8"])
        #expect(try await korean.run(arguments: arguments) == 64)
        #expect(korean.standardError.contains("명령이 없습니다"))
        let json = try TestProgram()
        #expect(try await json.run(arguments: arguments + ["--json"]) == 64)
        #expect(json.standardError.contains("\"reason\" : \"USAGE\"") && json.standardOutput.isEmpty)
    }

    @Test("help, versions and wrong options are answered as before", arguments: [["help", "follow"], ["follow", "--help"], ["--version"]])
    func noSuggestion(_ arguments: [String]) async throws {
        let program = try TestProgram()
        #expect(try await program.run(arguments: arguments) == 0)
        #expect(Suggestion.find(arguments, of: PulseBoardCommand.self) == nil)
    }

    @Test("-q leaves remarks out and answers in")
    func quiet() async throws {
        let login: [String: StubChannel.Handler] = ["ListFollowers": { (_, _) throws(RPCError) in
            PBListFollowersResponse(users: [PBFollowUser(user: PBUserSummary(userID: "u-1", username: "bob"))], nextPageToken: "t")
        }]
        for (arguments, isQuiet) in [([String](), false), (["-q"], true), (["--quiet"], true)] {
            let program = try TestProgram(login)
            try program.signIn()
            #expect(try await program.run(arguments: ["follow", "followers", "--limit", "1"] + arguments) == 0)
            #expect(program.standardOutput.contains("@bob"))
            #expect(program.standardError.isEmpty == isQuiet)
        }
    }

    @Test("a bad value is named", arguments: [
        (["ping", "--count", "0"], "not 0"), (["ping", "--timeout", "-1"], "-1"), (["follow", "followers", "--limit", "0"], "not 0"),
        (["admin", "drain", "--grace-period", "100000"], "not 100000"), (["admin", "backup", "x", "--rate", "9999"], "not 9999"),
    ])
    func badValue(_ arguments: [String], _ expected: String) async throws {
        let program = try TestProgram()
        #expect(try await program.run(arguments: arguments) == 64)
        #expect(program.standardError.contains(expected), "\(program.standardError)")
    }

    @Test("colour is forbidden by NO_COLOR, forced by CLICOLOR_FORCE, and else follows the terminal", arguments: [
        ([:], true, true), ([:], false, false), (["CLICOLOR_FORCE": "1"], false, true), (["CLICOLOR_FORCE": "0"], false, false),
        (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, false), (["CLICOLOR_FORCE": "1", "TERM": "dumb"], true, true),
        (["TERM": "dumb"], true, false),
    ] as [([String: String], Bool, Bool)])
    func colour(_ variables: [String: String], _ isTerminal: Bool, _ isEnabled: Bool) {
        #expect(TextStyle(isTerminal: isTerminal, variables: variables).isEnabled == isEnabled)
    }

    @Test("a table fits its terminal: text is cut by columns, numbers are not, and nothing is cut in a pipe")
    func narrow() {
        var table = Table([.init("NAME"), .init("STATUS"), .init("N", .right)])
        table.append(["@하늘하늘하늘", "오늘도 좋은 하루 보내세요 👩‍💻", "1,234,567"])
        let rendered = table.rendered(TextStyle(isTerminal: true, variables: ["NO_COLOR": "1"], columns: 40))
        for line in rendered.split(separator: "\n") { #expect(line.count <= 40 && String(line).displayWidth <= 40, "\(line)") }
        #expect(rendered.contains("…") && rendered.contains("1,234,567"))
        #expect(!table.rendered(TextStyle(isTerminal: false, variables: [:], columns: 40)).contains("…"))
        #expect("한글 이름".cut(to: 4) == "한…" && "abc".cut(to: 3) == "abc" && "👩‍💻x".cut(to: 2) == "…")
    }

    @Test("a pager is asked for what is longer than the terminal, and only there", arguments: [
        (30, true, [:], "less"), (10, true, [:], nil), (30, false, [:], nil), (30, true, ["PAGER": "more"], "more"),
        (30, true, ["PAGER": "more", "PULSEBOARD_PAGER": ""], nil), (30, true, ["PAGER": "cat"], nil), (30, true, ["TERM": "dumb"], nil),
    ] as [(Int, Bool, [String: String], String?)])
    func pager(_ lines: Int, _ isTerminal: Bool, _ variables: [String: String], _ command: String?) {
        #expect(Pager.command(lines: lines, rows: 24, isTerminal: isTerminal, variables: variables) == command)
    }

    @Test("who may not use the socket is told so, and not that there is no server")
    func forbidden() throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path + "/closed/board.sock"
        try FileManager.default.createDirectory(atPath: directory.path + "/closed", withIntermediateDirectories: false)
        let error = RPCError(.unavailable, "connect \(socket): Permission denied")
        let absent = CommandFailure(error, about: .nothing, in: FailureContext(language: .english, socket: socket))
        #expect(absent.reason == nil && absent.message.contains("No server"), "\(absent)")
        // Root can use everything.
        guard geteuid() != 0 else { return }
        try #require(chmod(directory.path + "/closed", 0) == 0)
        defer { chmod(directory.path + "/closed", 0o700) }
        let failure = CommandFailure(error, about: .nothing, in: FailureContext(language: .korean, socket: socket))
        #expect(failure.reason == "SOCKET_FORBIDDEN" && failure.message.contains("권한이 없습니다"))
    }
}
