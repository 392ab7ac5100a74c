import CTerminal
import Foundation

/// A program in the foreground of this terminal, such as an editor.
struct TerminalProgram {
    let path: String
    let arguments: [String]
    let variables: [String: String]

    init(_ path: String, _ arguments: [String], _ variables: [String: String]) {
        self.path = path
        self.arguments = arguments
        self.variables = variables
    }

    /// Runs the program to its end. Ctrl-C and Ctrl-\ are for it alone.
    /// - Parameters:
    ///   - input: a descriptor for its standard input; `nil` for this program's.
    ///   - meanwhile: called when the program has started.
    /// - Returns: its exit code, or 128 and the number of the signal that ended it; `nil` if it cannot be started.
    func run(input: CInt? = nil, meanwhile: () -> Void = {}) -> Int32? {
        let formers = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in formers { signal(number, handler) } }
        let words = [path] + arguments, settings = variables.map { $0.key + "=" + $0.value }
        let child = pulse_terminal_program_start(
            path, words.flatMap(\.utf8CString), CInt(words.count), settings.flatMap(\.utf8CString), CInt(settings.count), input ?? -1)
        guard child > 0 else { return nil }
        meanwhile()
        var status: CInt = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        let end = status & 0x7F
        return end == 0 ? status >> 8 & 0xFF : 128 + end
    }
}
