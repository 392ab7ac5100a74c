import CommandHelp
import Foundation
import ProfileImages
import PulseBoardVocabulary
import RPCClient
import RPCCore
import SocketTransport

extension CommandEnvironment {
    /// The environment of this process.
    package static var process: CommandEnvironment {
        CommandEnvironment(
            variables: ProcessInfo.processInfo.environment,
            userID: geteuid(),
            hostName: hostName(),
            workingDirectory: FileManager.default.currentDirectoryPath,
            inputIsTerminal: isatty(0) == 1,
            outputIsTerminal: isatty(1) == 1,
            errorIsTerminal: isatty(2) == 1,
            columns: terminalColumns(of: 2),
            timeZone: .current,
            write: { text, stream in writeAll(text, to: stream.rawValue) },
            readLine: { StandardInput.shared.readLine() },
            nextLine: { await StandardInput.shared.nextLine() },
            makeRequestID: { UUID().uuidString.lowercased() },
            wait: { try await Task.sleep(for: $0) },
            edit: runEditor,
            // All output was written already: there is no buffer that could be lost.
            endOnInterrupt: { signal(SIGINT) { _ in _exit(0) } },
            interrupted: {
                let signals = await ProcessSignals([.interrupt])
                _ = await signals.next()
            },
            connect: { (path, wireProtocol) throws(SocketError) in
                var configuration = Channel.Configuration(socketPath: path)
                configuration.wireProtocol = wireProtocol
                // A default path may be under /tmp, so not everybody may listen there: otherwise another user could get the token. Another path was
                // chosen by the user.
                let own = PulseBoardSocket.default(environment: ProcessInfo.processInfo.environment, uid: geteuid())
                if [own, PulseBoardSocket.machine].contains(path) {
                    configuration.trustedServerUIDs = PulseBoardSocket.trustedServerUIDs(at: path, uid: geteuid())
                }
                let channel = try Channel(configuration)
                return OpenChannel(channel: channel, executor: channel.executor) { await channel.close() }
            },
            inputProblem: { StandardInput.shared.problem }, decodePicture: { await Self.pixels(of: $0, imageProgram) },
            outputSize: (terminalColumns(of: 1), terminalRows(of: 1)), terminalSize: { (terminalColumns(of: 1), terminalRows(of: 1)) },
            userName: Self.userName, serverConfiguration: Doctor.serverConfiguration,
            runOutside: Self.runOutside, runServerProgram: Self.runServerProgram, page: Pager.run)
    }

    /// The program that decodes pictures: from `PULSEBOARD_IMAGE_PROGRAM`, or else the one beside this program.
    private static var imageProgram: String {
        if let given = ProcessInfo.processInfo.environment["PULSEBOARD_IMAGE_PROGRAM"], !given.isEmpty { return given }
        return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "pulseboard-image").path
    }

    /// Decodes a picture. The program may end before it has read the whole picture, and that must not end this process.
    private static func pixels(of picture: [UInt8], _ program: String) async -> PicturePixels? {
        let former = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, former) }
        return await PicturePixels.decoding(picture, with: program)
    }

    /// The machine's own name; empty if the system does not say.
    private static func hostName() -> String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Runs this program again, at the same terminal.
    private static func runOutside(_ words: [String], _ variables: [String: String]) -> Int32 {
        run("/proc/self/exe", words, variables)
    }

    private static func runServerProgram(_ arguments: [String]) -> Int32? {
        Doctor.serverProgram.map { run($0, arguments, ProcessInfo.processInfo.environment) }
    }

    /// Runs a program at the same terminal.
    /// - Returns: its exit code.
    private static func run(_ path: String, _ words: [String], _ variables: [String: String]) -> Int32 {
        TerminalProgram(path, words, variables).run() ?? 64 + StatusCode.internal.rawValue
    }

    /// Runs an editor at this terminal through a shell, because the command may have options.
    private static func runEditor(path: String, command: String) -> Bool {
        TerminalProgram("/bin/sh", ["-c", command + " \"$1\"", "sh", path], ProcessInfo.processInfo.environment).run() == 0
    }

    /// The name of a uid in the system's list of users.
    private static func userName(_ uid: UInt32) -> String? {
        getpwuid(uid).map { String(cString: $0.pointee.pw_name) }
    }

    /// The height of a descriptor's terminal; 24 lines if it is not a terminal.
    private static func terminalRows(of descriptor: Int32) -> Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0 ? Int(size.ws_row) : 24
    }

    /// Writes without a buffer, so that the output of both streams is in the order of the calls.
    ///
    /// If the reader is gone, the program ends, because nobody is left to read. If an answer cannot be written for another cause, such as a full
    /// disk, the program ends with 79 (DATA_LOSS): the server has performed the call.
    private static func writeAll(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another process with the same terminal or pipe has made it non-blocking.
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&writable, 1, -1)
            } else if errno != EINTR {
                let cause = errno
                guard descriptor == STDOUT_FILENO else { return }
                if cause == EPIPE { _exit(0) }
                let words = Phrase.systemError(cause)
                let phrase = Phrase("Error: The answer could not be written: \(words.english).\n", "오류: 결과를 출력하지 못했습니다: \(words.korean).\n")
                writeAll(phrase.text(in: Language(variables: ProcessInfo.processInfo.environment)), to: STDERR_FILENO)
                _exit(64 + StatusCode.dataLoss.rawValue)
            }
        }
    }
}

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
    /// - Returns: whether the command exists and could be started.
    fileprivate static func run(_ command: String, _ text: String) -> Bool {
var variables = ProcessInfo.processInfo.environment
        // The same as in git: colours are shown, a text of one screen ends the pager, and the text stays on the screen.
        if variables["LESS"] == nil { variables["LESS"] = "FRX" }
        let input = Pipe()
        let code = TerminalProgram("/bin/sh", ["-c", command], variables).run(input: input.fileHandleForReading.fileDescriptor) {
            // If the user leaves the pager early, the rest is not written.
            let former = signal(SIGPIPE, SIG_IGN)
            try? input.fileHandleForReading.close()
            try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try? input.fileHandleForWriting.close()
            signal(SIGPIPE, former)
        }
        // The shell's codes for a command that cannot be run, and for an unknown one.
        return code.map { $0 != 126 && $0 != 127 } ?? false
    }
}
