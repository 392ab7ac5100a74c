import Foundation

/// Shows a text that is longer than the terminal with a pager, as git and psql do.
enum Pager {
    /// The pager's command for a text of so many lines; `nil` to write the text directly.
    ///
    /// `PULSEBOARD_PAGER` decides, else `PAGER`, else `less`. An empty value and `cat` mean none.
    static func command(lines: Int, rows: Int, isTerminal: Bool, variables: [String: String]) -> String? {
        guard isTerminal, lines > rows, variables["TERM"] != "dumb" else { return nil }
        let chosen = variables["PULSEBOARD_PAGER"] ?? variables["PAGER"] ?? "less"
        return chosen.isEmpty || chosen == "cat" ? nil : chosen
    }

    /// Runs the command with the text as its input, and waits until it ends.
    /// - Returns: whether the command exists and was started.
    static func run(_ command: String, _ text: String) -> Bool {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", command]
        var variables = ProcessInfo.processInfo.environment
        // The same as in git: colours are shown, a text of one screen ends the pager, and the text stays on the screen.
        if variables["LESS"] == nil { variables["LESS"] = "FRX" }
        shell.environment = variables
        let input = Pipe()
        shell.standardInput = input
        guard (try? shell.run()) != nil else { return false }
        // If the user leaves the pager early, the rest is not written.
        let former = signal(SIGPIPE, SIG_IGN)
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try? input.fileHandleForWriting.close()
        shell.waitUntilExit()
        signal(SIGPIPE, former)
        // 127 is the shell's code for an unknown command.
        return shell.terminationStatus != 127
    }
}
