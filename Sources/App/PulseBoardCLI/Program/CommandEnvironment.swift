import Foundation
import ProfileImages
import PulseBoardVocabulary
import RPCClient
import RPCCore
import SocketTransport

/// Everything that a command takes from outside except its arguments, so that a test can replace it.
package struct CommandEnvironment: Sendable {
    /// Where text goes: data to standard output, messages to standard error.
    package enum Stream: Int32, Sendable {
        case standardOutput = 1
        case standardError = 2
    }

    /// Environment variables.
    var variables: [String: String]
    /// The effective uid of this process.
    var userID: UInt32
    /// The name of this machine; empty if unknown.
    var hostName: String
    /// The directory that relative paths start from.
    var workingDirectory: String
    /// Whether the input, the output and the error stream are terminals.
    var inputIsTerminal: Bool
    var outputIsTerminal: Bool
    var errorIsTerminal: Bool
    /// The width of standard error's terminal.
    var columns: Int
    /// The time zone in which times are shown (B14).
    var timeZone: TimeZone
    /// Writes text as it is.
    var write: @Sendable (String, Stream) -> Void
    /// Reads one line of standard input without its line end; `nil` at the end, and when it cannot be read.
    var readLine: @Sendable () -> String?
    /// The same for a task that may be cancelled. Then it returns `nil`, and the line is for the next reader.
    var nextLine: @Sendable () async -> String?
    /// A new id for a write that may be retried.
    var makeRequestID: @Sendable () -> String
    /// Waits.
    /// - Throws: `CancellationError`.
    var wait: @Sendable (Duration) async throws -> Void
    /// Opens a file in an editor by a shell command, and waits until the user is done. Returns false if the command fails.
    var edit: @Sendable (_ path: String, _ command: String) -> Bool
    /// From now on Ctrl-C ends the program with 0. It is for commands that end only that way.
    var endOnInterrupt: @Sendable () -> Void
    /// Whether Ctrl-C has ended a command that only Ctrl-C ends. It prints no failure then.
    var isEndedOnInterrupt: @Sendable () -> Bool = { false }
    /// Returns at the next Ctrl-C, which then does not end the program, or when its task is cancelled.
    var interrupted: @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(1 << 32)) }
    /// Opens a channel to the server at a socket path, with one of the protocols. The first call connects.
    var connect: @Sendable (_ socketPath: String, WireProtocol) throws(SocketError) -> OpenChannel
    /// Watches a process by its id. The closure returns once it has ended. Nil if no such process is visible.
    var watchProcess: @Sendable (_ pid: Int32) -> (@Sendable () async -> Void)? = { pid in
        guard let watch = ProcessWatch(pid: pid) else { return nil }
        return { await watch.ended() }
    }

    /// Why standard input could not be read to its end; `nil` if it could.
    var inputProblem: @Sendable () -> String? = { nil }
    /// Decodes a picture for the terminal; `nil` if it is not a picture, or without the program for it.
    var decodePicture: @Sendable ([UInt8]) async -> PicturePixels? = { _ in nil }

    /// The environment of the command that runs in this task.
    @TaskLocal static var current = CommandEnvironment.process

    /// The size of standard output's terminal at the start, in columns and rows.
    var outputSize: (columns: Int, rows: Int) = (80, 24)
    /// The present size of the terminal, for redrawn output.
    var terminalSize: @Sendable () -> (columns: Int, rows: Int) = { (80, 24) }
    /// The name of a uid on this machine; nil if it has none.
    var userName: @Sendable (UInt32) -> String? = { _ in nil }
    /// The configuration according to the server's program; `nil` without such a program.
    var serverConfiguration: @Sendable (_ ofMachine: Bool) -> Doctor.ServerConfiguration? = { _ in nil }
    /// Runs a command in a separate process at the same terminal.
    /// - Returns: its exit code.
    var runOutside: @Sendable (_ words: [String], _ variables: [String: String]) -> Int32 = { _, _ in 64 }
    /// Runs the server's program with these arguments, at the same terminal.
    /// - Returns: its exit code; `nil` without such a program.
    var runServerProgram: @Sendable (_ arguments: [String]) -> Int32? = { _ in nil }
    /// Shows a text with a pager's command.
    /// - Returns: whether it worked.
    var page: @Sendable (_ command: String, _ text: String) -> Bool = { _, _ in false }

    /// Writes text for people to standard output, with a pager if it is longer than the terminal.
    /// - Parameter hasDrawings: whether it has pictures for the terminal. No pager passes them on.
    func show(_ text: String, hasDrawings: Bool = false) {
        let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
        let isTerminal = outputIsTerminal && inputIsTerminal && !hasDrawings
        if let command = Pager.command(lines: lines, rows: outputSize.rows, isTerminal: isTerminal, variables: variables), page(command, text)
        {
            return
        }
        write(text, .standardOutput)
    }

    /// The value of an option, or else of a variable. An empty value counts as missing.
    func value(_ option: String?, orVariable name: String) -> String? {
        [option, variables[name]].lazy.compactMap { $0 }.first { !$0.isEmpty }
    }

    /// The absolute path of a path that is relative to the working directory, with one spelling: `./a` and `a` are the same. (`..` stays, because
    /// what it means depends on links.)
    func absolutePath(_ path: String) -> String {
        let parts = (path.hasPrefix("/") ? path : workingDirectory + "/" + path).split(separator: "/").filter { $0 != "." }
        return "/" + parts.joined(separator: "/") + (path.hasSuffix("/") && !parts.isEmpty ? "/" : "")
    }

    /// The same of a path that no shell has seen, with the home directory in place of its `~`.
    func absoluteTypedPath(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = variables["HOME"], !home.isEmpty else { return absolutePath(path) }
        return absolutePath(home + path.dropFirst())
    }

    /// Writes JSON. All of the program's JSON goes through here, so that no text in it can control a terminal.
    func writeJSON(_ json: String, to stream: Stream = .standardOutput) { write(json.jsonSafeForTerminal, stream) }

    /// The language of texts.
    var language: Language { Language(variables: variables) }
}

/// A channel, the best place for its calls, and the way to close it.
struct OpenChannel: Sendable {
    let channel: any CallChannel
    /// The best executor for calls: tasks that prefer it call without changing threads. `nil` if there is no best one.
    var executor: (any TaskExecutor)?
    let close: @Sendable () async -> Void
}
