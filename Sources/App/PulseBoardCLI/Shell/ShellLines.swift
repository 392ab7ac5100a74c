import CLineEditor
import CommandHelp
import Foundation
import Synchronization

/// Where the lines of a shell come from: a terminal with a line editor, a terminal without one, or a script.
final class ShellLines: Sendable {
    private let environment: CommandEnvironment
    private let history: ShellHistory?
    private let hasEditor: Bool

    /// A script: lines of standard input, without a prompt.
    init(_ environment: CommandEnvironment) {
        self.environment = environment
        history = nil
        hasEditor = false
    }

    private init(_ environment: CommandEnvironment, _ history: ShellHistory?, hasEditor: Bool) {
        self.environment = environment
        self.history = history
        self.hasEditor = hasEditor
    }

    /// A terminal, with the system's line editor where there is one. What was typed before is brought back by the arrow keys.
    static func terminal(_ environment: CommandEnvironment) -> ShellLines {
        completion.withLock { $0 = try? CommandCompletion(of: PulseBoardCommand.self) }
        let hasEditor = environment.variables["TERM"] != "dumb" && pulse_line_editor_open { line, word in
            guard let line, let word, let completion = ShellLines.completion.withLock({ $0 }) else { return nil }
            let found = completion.candidates(line: String(cString: line), word: String(cString: word))
            return found.isEmpty ? nil : strdup(found.joined(separator: "\n"))
        }
        let history = ShellHistory(variables: environment.variables)
        if hasEditor { for line in history?.lines ?? [] { pulse_line_editor_remember(line) } }
        return ShellLines(environment, history, hasEditor: hasEditor)
    }

    /// What the line editor completes by. One shell runs in a process.
    private static let completion = Mutex<CommandCompletion?>(nil)

    /// The next line; `nil` at the end.
    func next(prompt: String) async -> String? {
        guard history != nil || hasEditor else { return environment.readLine() }
        guard hasEditor else {
            environment.write(prompt, .standardOutput)
            return note(environment.readLine())
        }
        // A thread of its own, because it waits for as long as a person takes.
        let line = await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
            Thread.detachNewThread {
                // At the prompt Ctrl-C does nothing.
                let former = signal(SIGINT, SIG_IGN)
                let line = pulse_line_editor_read(prompt)
                signal(SIGINT, former)
                continuation.resume(returning: line.map { String(cString: $0) })
                free(line)
            }
        }
        if line == nil { environment.write("\n", .standardOutput) }
        return note(line)
    }

    /// Keeps a line for the next time, unless it is empty or begins with a space.
    private func note(_ line: String?) -> String? {
        guard let line, !line.isEmpty, !line.hasPrefix(" ") else { return line }
        if hasEditor { pulse_line_editor_remember(line) }
        history?.append(line)
        return line
    }
}

/// What was typed in shells, in `pulseboard/history` below `$XDG_STATE_HOME` or `~/.local/state`. Only its owner can read it.
final class ShellHistory: Sendable {
    /// Most lines that are kept.
    static let capacity = 1_000
    /// Longest line that is kept, bytes.
    private static let longestLine = 4_096

    private let path: String
    /// Those of former shells, the oldest first.
    let lines: [String]

    /// `nil` where there is no home.
    init?(variables: [String: String]) {
        let home = variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        guard let state = variables["XDG_STATE_HOME"].flatMap({ $0.hasPrefix("/") ? $0 : nil }) ?? home else { return nil }
        let folder = state + "/pulseboard"
        path = folder + "/history"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let all = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
        lines = Array(all.suffix(Self.capacity))
        // Long files are cut when a shell begins, not at each line.
        guard all.count > Self.capacity else { return }
        try? Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path), options: .atomic)
        chmod(path, 0o600)
    }

    /// Adds a line to the file. What cannot be written is forgotten.
    func append(_ line: String) {
        guard line.utf8.count <= Self.longestLine, !line.contains("\n") else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    }
}
