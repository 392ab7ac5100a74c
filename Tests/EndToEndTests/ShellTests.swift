import Foundation
import Testing

/// `pulseboard shell` at a terminal and with a script.
@Suite("The shell, end to end", .serialized, .timeLimit(.minutes(2)))
struct ShellTests {
    @Test("a person types commands, completes them, brings one back, and goes on after a failure")
    func terminal() async throws {
        try await Household.withServer { house, _ in
            let terminal = try Terminal(house, "shell --timing")
            try await terminal.sees("\\q leaves")
            try await terminal.sees("pulseboard> ")
            terminal.types("auth login\n")
            try await terminal.sees("Signed in.")
            try await terminal.sees("Time: ")
            terminal.types("profile show @nobody\n")
            try await terminal.sees("There is no such profile.")
            terminal.types("prof\t")
            try await terminal.sees("profile ")
            terminal.types("create --username 민지\n")
            try await terminal.sees("@민지")
            // The arrow key brings back the last line. The server refuses the same command again.
            terminal.types("\u{1B}[A\n")
            try await terminal.sees("Error:")
            // Wait for this prompt, so that the next one is that after the watch. Ctrl-C drops earlier input.
            try await terminal.sees("pulseboard> ")
            terminal.types("follow watch\n")
            try await terminal.sees("Watching")
            terminal.types("\u{3}")
            try await terminal.sees("pulseboard> ")
            terminal.types("\\q\n")
            let shown = terminal.program.progress.current.outputText
            #expect(!shown.contains("cancelled"), "Ctrl-C ends a watch without a word: \(shown)")
            #expect(try await terminal.program.ended() == .success)
            let history = try String(contentsOfFile: house.home + "/.local/state/pulseboard/history", encoding: .utf8)
            #expect(history.hasPrefix("auth login\nprofile show @nobody\nprofile create --username 민지\n"), "\(history)")
        }
    }

    @Test("an editor, a pager and a command outside of the shell read what a person types, because they are in the foreground")
    func foreground() async throws {
        try await Household.withServer { house, _ in
            // A shell reads the file. It is not run itself: a program that another test starts at this moment could hold it open for writing, and the
            // kernel would refuse to run it (ETXTBSY).
            func script(_ name: String, _ text: String) throws -> String {
                let path = house.root + "/" + name
                try text.write(toFile: path, atomically: true, encoding: .utf8)
                return "/bin/sh " + path
            }
            let editor = try script("editor", "printf 'editor> '; read line </dev/tty; echo \"$line, it was read\" > \"$1\"\n")
            let diary = " --directory " + house.root + "/diary"
            let writing = try Terminal(house, "diary write --offline" + diary, variables: ["EDITOR": editor])
            try await writing.sees("editor> ")
            writing.types("rain\n")
            try await writing.sees("rain, it was read")
            #expect(try await writing.program.ended() == .success)
            let pager = try script("pager", "cat > /dev/null; printf 'pager> '; read line </dev/tty; echo \"$line, it was read\"\n")
            let long = (0..<60).map { "line \($0)" }.joined(separator: "\n")
            let written = try await house.pulseboard("diary", "write", long, "--offline", "--json", "--directory", house.root + "/diary")
            let id = try #require(written.output.firstMatch(of: /"id"\s*:\s*"([0-9a-f-]+)"/)?.1, "\(written)")
            let reading = try Terminal(house, "diary show " + id + diary, variables: ["PAGER": pager])
            try await reading.sees("pager> ")
            reading.types("q\n")
            try await reading.sees("q, it was read")
            #expect(try await reading.program.ended() == .success)
            let shell = try Terminal(house, "shell")
            try await shell.sees("pulseboard> ")
            shell.types("onboard\n")
            try await shell.sees("Username: ")
            shell.types("\u{3}")
            try await shell.sees("pulseboard> ")
            shell.types("\\q\n")
            #expect(try await shell.program.ended() == .success)
        }
    }

    @Test("a call that reads what a person types reads nothing more when it has ended: the next line is a command")
    func input() async throws {
        try await Household.withServer { house, _ in
            let terminal = try Terminal(house, "shell")
            try await terminal.sees("pulseboard> ")
            // The server answers questions without end, so the call ends at its deadline.
            terminal.types("rpc call grpc.reflection.v1.ServerReflection/ServerReflectionInfo -d @ --timeout 1\n")
            try await terminal.sees("DEADLINE_EXCEEDED")
            try await terminal.sees("pulseboard> ")
            terminal.types("rpc list\n")
            try await terminal.sees("grpc.health.v1.Health")
            try await terminal.sees("pulseboard> ")
            terminal.types("\\q\n")
            #expect(try await terminal.program.ended() == .success)
        }
    }

    @Test(
        "a signal that ends the program gives the terminal its settings back",
        arguments: [("onboard --account one", "TERM", 143), ("onboard --account one", "HUP", 129), ("shell", "TERM", 143)])
    func signalled(_ words: String, _ signal: String, _ code: Int) async throws {
        try await Household.withServer { house, _ in
            // The shell waits until the settings have changed.
            let terminal = try Terminal(
                house,
                shell: """
                    before=$(stty -g); \(Programs.commandLine) \(words) </dev/tty & \
                    while [ "$(stty -g)" = "$before" ]; do :; done; \
                    kill -\(signal) $!; wait $!; echo "code $?"; [ "$(stty -g)" = "$before" ] && echo restored
                    """)
            try await terminal.sees("code \(code)")
            try await terminal.sees("restored")
            #expect(try await terminal.program.ended() == .success)
        }
    }

    @Test("a script over one connection ends with the first failure's exit code")
    func script() async throws {
        try await Household.withServer { house, _ in
            let script = "auth login\nprofile create --username first # mine\nprofile show @nobody\nauth logout\n"
            try script.write(toFile: house.root + "/script", atomically: true, encoding: .utf8)
            let run = try await house.run(
                "/bin/sh", ["-c", "exec \"$0\" shell < \"$1\"", Programs.commandLine, house.root + "/script"], ["PULSEBOARD_SOCKET": house.socket])
            #expect(run.exit == .status(69) && run.output.contains("@first") && !run.output.contains("Signed out"), "\(run)")
            // All commands use one connection and one process.
            let many = String(repeating: "profile show\n", count: 200)
            try many.write(toFile: house.root + "/script", atomically: true, encoding: .utf8)
            let all = try await house.run(
                "/bin/sh", ["-c", "exec \"$0\" shell < \"$1\"", Programs.commandLine, house.root + "/script"], ["PULSEBOARD_SOCKET": house.socket])
            #expect(all.exit == .success && all.output.split(separator: "\n").count { $0.hasPrefix("@first") } == 200)
        }
    }
}
