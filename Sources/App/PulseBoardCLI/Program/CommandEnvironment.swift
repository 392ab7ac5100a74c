import Foundation
import ProfileImages
import PulseBoardVocabulary
import RPCClient
import RPCCore
import SocketTransport

/// Everything that a command takes from outside its arguments, so that a test can give it all.
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
    /// What this machine is called; empty if it is not known.
    var hostName: String
    /// The directory that relative paths start from.
    var workingDirectory: String
    /// Whether a person sits at the input, the output and the error stream.
    var inputIsTerminal: Bool
    var outputIsTerminal: Bool
    var errorIsTerminal: Bool
    /// The width of the terminal behind standard error.
    var columns: Int
    /// The zone in which times are shown (B14).
    var timeZone: TimeZone
    /// Writes text as it is.
    var write: @Sendable (String, Stream) -> Void
    /// One line from standard input without its end, nil at the end.
    var readLine: @Sendable () -> String?
    /// A new id for a write that may be retried.
    var makeRequestID: @Sendable () -> String
    /// Lets time pass. - Throws: `CancellationError`.
    var wait: @Sendable (Duration) async throws -> Void
    /// Lets a person edit a file with a command of the shell, and waits until they are done. False when the command fails.
    var edit: @Sendable (_ path: String, _ command: String) -> Bool
    /// From now on Ctrl-C ends the program with 0: for commands that only end that way.
    var endOnInterrupt: @Sendable () -> Void
    /// Returns at the first Ctrl-C from now on, which then does not end the program; also when its task is cancelled.
    var interrupted: @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(1 << 32)) }
    /// Opens the way to the server at a socket path, by one of the protocols; connects with the first call.
    var connect: @Sendable (_ socketPath: String, WireProtocol) throws(SocketError) -> ServerConnection
    /// Watches a process by its id. The closure returns once it has ended. Nil if no such process is visible.
    var watchProcess: @Sendable (_ pid: Int32) -> (@Sendable () async -> Void)? = { pid in
        guard let watch = ProcessWatch(pid: pid) else { return nil }
        return { await watch.ended() }
    }

    /// Decodes a picture for the terminal; nil for what is none, and where there is no program that could.
    var decodePicture: @Sendable ([UInt8]) async -> PicturePixels? = { _ in nil }

    /// The environment of the command that runs in this task.
    @TaskLocal static var current = CommandEnvironment.process

    /// How large the terminal behind standard output is, in columns and rows.
    var outputSize: (columns: Int, rows: Int) = (80, 24)
    /// The same as it is now, for what is drawn again and again.
    var terminalSize: @Sendable () -> (columns: Int, rows: Int) = { (80, 24) }
    /// The name of a uid on this machine; nil if it has none.
    var userName: @Sendable (UInt32) -> String? = { _ in nil }
    /// What the server's own program says of its configuration; nil where there is no such program.
    var serverConfiguration: @Sendable () -> Doctor.ServerConfiguration? = { nil }
    /// Runs a command in a process of its own, at the same terminal. - Returns: its exit code.
    var runOutside: @Sendable (_ words: [String], _ variables: [String: String]) -> Int32 = { _, _ in 64 }
    /// Shows a text by a pager's command. - Returns: whether it could.
    var page: @Sendable (_ command: String, _ text: String) -> Bool = { _, _ in false }

    /// Writes text for a person to standard output, a screen at a time where it is longer than the terminal.
    func show(_ text: String) {
        let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
        if let command = Pager.command(lines: lines, rows: outputSize.rows, isTerminal: outputIsTerminal && inputIsTerminal, variables: variables),
            page(command, text)
        {
            return
        }
        write(text, .standardOutput)
    }

    /// What an option says, or else a variable. Empty is as if it were not there.
    func value(_ option: String?, orVariable name: String) -> String? {
        [option, variables[name]].lazy.compactMap { $0 }.first { !$0.isEmpty }
    }

    /// A path that a command was given, seen from the directory that it runs in.
    func absolutePath(_ path: String) -> String { path.hasPrefix("/") ? path : workingDirectory + "/" + path }

    /// What texts are written in.
    var language: Language { Language(variables: variables) }
}

/// A channel, the best place for its calls, and the way to close it.
struct ServerConnection: Sendable {
    let channel: any CallChannel
    /// Tasks that prefer this executor call without a change of thread; nil when none is better than another.
    var executor: (any TaskExecutor)?
    let close: @Sendable () async -> Void
}
