import Foundation

/// Shows a text that is longer than the terminal a screen at a time, as git and psql do.
enum Pager {
    /// The command for a text of so many lines; `nil` to write it as it is.
    ///
    /// `PULSEBOARD_PAGER` decides, else `PAGER`, else `less`. An empty value and `cat` mean none.
    static func command(lines: Int, rows: Int, isTerminal: Bool, variables: [String: String]) -> String? {
        guard isTerminal, lines > rows, variables["TERM"] != "dumb" else { return nil }
        let chosen = variables["PULSEBOARD_PAGER"] ?? variables["PAGER"] ?? "less"
        return chosen.isEmpty || chosen == "cat" ? nil : chosen
    }

    /// Runs the command with the text as its input, and returns when it has ended. - Returns: whether it could be started and showed it.
    static func run(_ command: String, _ text: String) -> Bool {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", command]
        var variables = ProcessInfo.processInfo.environment
        // As git has it: colours, an end for what fits one screen, and the text stays.
        if variables["LESS"] == nil { variables["LESS"] = "FRX" }
        shell.environment = variables
        let input = Pipe()
        shell.standardInput = input
        guard (try? shell.run()) != nil else { return false }
        // Who leaves the pager early wants no more.
        let former = signal(SIGPIPE, SIG_IGN)
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try? input.fileHandleForWriting.close()
        shell.waitUntilExit()
        signal(SIGPIPE, former)
        // The shell's way to say that there is no such command.
        return shell.terminationStatus != 127
    }
}
