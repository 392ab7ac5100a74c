import Foundation
import Synchronization
import Testing

/// A command of the client in a pseudo-terminal made by `script`, and the user in front of it.
final class Terminal: Sendable {
    let program: ChildProcess
    private let keyboard: Int32
    /// How many bytes of the screen's text were searched already.
    private let seen = Mutex(0)

    convenience init(_ household: Household, _ words: String, language: String = "en_US.UTF-8", variables: [String: String] = [:]) throws {
        // `exec`, because a shell that waits for the command gets Ctrl-C too, and exits with 130 whatever the command's code is.
        try self.init(household, shell: "exec " + Programs.commandLine + " " + words, language: language, variables: variables)
    }

    /// Runs a line of a shell.
    init(_ household: Household, shell line: String, language: String = "en_US.UTF-8", variables: [String: String] = [:]) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError("pipe", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        keyboard = ends[1]
        program = try household.start(
            "/bin/sh", ["-c", "exec script -qefc \"$0\" /dev/null <&3", line],
            ["PULSEBOARD_SOCKET": household.socket, "LANG": language, "TERM": "xterm"].merging(variables) { $1 }, handedOver: ends[0])
    }

    deinit { close(keyboard) }

    func types(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(keyboard, $0.baseAddress, $0.count) }
            guard count > 0 else {
                Issue.record("the terminal is gone")
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until a text is on the screen, after all texts of earlier calls.
    func sees(_ text: String, _ location: SourceLocation = #_sourceLocation) async throws {
        let (wanted, start) = (Data(text.utf8), seen.withLock { $0 })
        let end = await program.progress.first { progress -> Int? in
            let output = Data(progress.output[start...])
            if let found = output.range(of: wanted) { return start + found.upperBound }
            return progress.exit == nil ? nil : -1
        }
        guard let end, end >= 0 else {
            let shown = String(decoding: program.progress.current.output[start...], as: UTF8.self)
            Issue.record("'\(text)' is not on the screen: \(shown.debugDescription)", sourceLocation: location)
            throw CancellationError()
        }
        seen.withLock { $0 = end }
    }
}
