import CTerminal
import CommandHelp
import Foundation
import Synchronization

/// The source of a shell's lines: a terminal with a line editor, a terminal without one, or a script.
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

    /// A terminal, with the system's line editor if there is one. The arrow keys bring back earlier lines.
    /// - Parameter candidates: returns the completions of a word after a line.
    static func terminal(_ environment: CommandEnvironment, candidates: @escaping Candidates) -> ShellLines {
        completion.withLock { $0 = candidates }
        let hasEditor = environment.variables["TERM"] != "dumb" && pulse_line_editor_open { line, word in
            guard let line, let word, let completion = ShellLines.completion.withLock({ $0 }) else { return nil }
            let found = ShellLines.waiting(for: completion, String(cString: line), String(cString: word))
            return found.isEmpty ? nil : strdup(found.joined(separator: "\n"))
        }
        let history = ShellHistory(variables: environment.variables)
        if hasEditor { for line in history?.lines ?? [] { pulse_line_editor_remember(line) } }
        return ShellLines(environment, history, hasEditor: hasEditor)
    }

    typealias Candidates = @Sendable (_ line: String, _ word: String) async -> [String]

    /// The completion of the line editor. A process runs only one shell.
    private static let completion = Mutex<Candidates?>(nil)

    /// Blocks the editor's own thread until the completions are there, at most twice ``ServerCompletion/patience``.
    private static func waiting(for candidates: @escaping Candidates, _ line: String, _ word: String) -> [String] {
        let answer = CompletionAnswer()
        Task { answer.give(await candidates(line, word)) }
        return answer.wait(for: ServerCompletion.patience * 2)
    }

    /// The next line; `nil` at the end.
    func next(prompt: String) async -> String? {
        guard history != nil || hasEditor else { return environment.readLine() }
        guard hasEditor else {
            environment.write(prompt, .standardOutput)
            return note(environment.readLine())
        }
        // Uses a separate thread, because reading waits for the user.
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

    /// Adds a line to the history, unless it is empty or begins with a space.
    private func note(_ line: String?) -> String? {
        guard let line, !line.isEmpty, !line.hasPrefix(" ") else { return line }
        if hasEditor { pulse_line_editor_remember(line) }
        history?.append(line)
        return line
    }
}

/// Completions that a task delivers to a waiting thread.
private final class CompletionAnswer: Sendable {
    private let words = Mutex<[String]>([])
    private let given = DispatchSemaphore(value: 0)

    func give(_ found: [String]) {
        words.withLock { $0 = found }
        given.signal()
    }

    /// - Returns: no words after a timeout.
    func wait(for time: Duration) -> [String] {
        _ = given.wait(timeout: .now() + time.inSeconds)
        return words.withLock { $0 }
    }
}

/// The history of shells, in the file `history` of ``SessionStore/stateFolder(_:)``. Only its owner can read it.
final class ShellHistory: Sendable {
    /// Maximum lines that are kept.
    static let capacity = 1_000
    /// Longest line that is kept, in bytes.
    private static let longestLine = 4_096

    private let path: String
    /// The lines of former shells, oldest first.
    let lines: [String]

    /// `nil` without a home directory.
    init?(variables: [String: String]) {
        guard let folder = SessionStore.stateFolder(variables) else { return nil }
        path = folder + "/history"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let all = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
        lines = Array(all.suffix(Self.capacity))
        // A long file is cut only when a shell begins.
        guard all.count > Self.capacity else { return }
        try? Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path), options: .atomic)
        chmod(path, 0o600)
    }

    /// Adds a line to the file. A line that cannot be written is lost.
    func append(_ line: String) {
        guard line.utf8.count <= Self.longestLine, !line.contains("\n") else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    }
}
