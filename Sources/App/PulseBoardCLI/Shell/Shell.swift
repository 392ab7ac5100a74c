import CommandHelp
import Foundation
import PulseBoardVocabulary
import RPCClient
import RPCCore
import SocketTransport
import Synchronization

/// Reads commands and runs them in this process, over one connection: `pulseboard shell`.
///
/// At a terminal, it has a history and completion, and continues after a failure. From a file or a pipe it runs a script, which ends at the first
/// command that fails, with that command's exit code.
final class Shell: Sendable {
    /// Connections opened by ``CommandEnvironment/connect``, by path and protocol.
    private let connections: SharedConnections
    private let environment: CommandEnvironment
    private let isInteractive: Bool
    private let settings: Mutex<Settings>

    private struct Settings {
        var timing: Bool
        /// The account of the next commands; `nil` for the current one.
        var account: String?
    }

    /// - Parameters:
    ///   - socket: the socket of commands that name no other one.
    ///   - timing: whether to show how long each command took.
    init(environment: CommandEnvironment, socket: String, account: String?, timing: Bool) {
        var environment = environment
        environment.variables["PULSEBOARD_SOCKET"] = socket
        let connect = environment.connect, connections = SharedConnections()
        self.connections = connections
        environment.connect = { (path, wireProtocol) throws(SocketError) in try connections.connection(path, wireProtocol, connect) }
        self.environment = environment
        isInteractive = environment.inputIsTerminal && environment.outputIsTerminal
        settings = Mutex(Settings(timing: timing, account: account))
    }

    /// Runs commands until the input ends.
    /// - Returns: 0, or the exit code of the command that ended a script.
    func run() async -> Int32 {
        let tree = try? CommandCompletion(of: PulseBoardCommand.self)
        let lines = isInteractive ? ShellLines.terminal(environment) { [self] in await candidates(tree, $0, $1) } : ShellLines(environment)
        if isInteractive { environment.write(greeting, .standardError) }
        var code: Int32 = 0
        while let line = await lines.next(prompt: "pulseboard> ") {
            let step = await run(line: line)
            if case .end = step { break }
            if case .ran(let result) = step, result != 0, !isInteractive {
                code = result
                break
            }
        }
        await connections.close()
        guard code == 0 else { return code }
        do throws(CommandFailure) { try environment.checkInput() } catch {
            let style = TextStyle(isTerminal: environment.errorIsTerminal, variables: environment.variables)
            environment.write(error.text(in: environment.language, style: style), .standardError)
            return error.exitCode
        }
        return 0
    }

    /// The completions of a word after a line: commands, options and what the server has.
    func candidates(_ tree: CommandCompletion?, _ line: String, _ word: String) async -> [String] {
        // For the line editor a word begins after @ and =. For a command they are part of the word.
        let glued = line.reversed().prefix { !$0.isWhitespace }.reversed().map(String.init).joined()
        let line = String(line.dropLast(glued.count)), word = glued + word
        var environment = environment
        if let account = settings.withLock({ $0.account }) { environment.variables["PULSEBOARD_ACCOUNT"] = account }
        let program = PulseBoardProgram(environment: environment)
        let fit = line.hasPrefix("\\account ") ? tree?.fit(line: "auth switch ", word: word) : tree?.fit(line: line, word: word)
        var found = fit?.words ?? []
        if let question = fit?.question { found += await program.completions(question).filter { $0.hasPrefix(word) } }
        return found.map { String($0.dropFirst(glued.count)) }
    }

    private enum Step { case nothing, ran(Int32), end }

    private func run(line: String) async -> Step {
        let words: [String]
        do throws(ShellWords.Problem) { words = try ShellWords.split(line) } catch {
            environment.write(Phrase.error.text(in: environment.language) + " " + error.phrase.text(in: environment.language) + "\n", .standardError)
            return .ran(64)
        }
        guard let first = words.first else { return .nothing }
        switch first {
        case "exit", "quit", "\\q": return .end
        case "help" where words.count == 1, "\\?": return .ran(await run(words: ["--help"], isHelp: true))
        case "\\timing": return .ran(setTiming(words.dropFirst().first))
        case "\\account":
            settings.withLock { $0.account = words.dropFirst().first }
            return .ran(0)
        case _ where first.hasPrefix("\\"):
            say(Phrase("There is no \(first). \\? says what there is.", "\(first)은(는) 없습니다. \\?를 입력하면 쓸 수 있는 명령을 볼 수 있습니다."))
            return .ran(64)
        default: return .ran(await run(words: first == "pulseboard" ? Array(words.dropFirst()) : words, isHelp: false))
        }
    }

    private func run(words: [String], isHelp: Bool) async -> Int32 {
        guard words.first != "shell" else {
            say(Phrase("This is the shell already.", "이미 셸 안에 있습니다."))
            return 64
        }
        var environment = environment
        environment.outputSize = environment.terminalSize()
        let settings = settings.withLock { $0 }
        if let account = settings.account { environment.variables["PULSEBOARD_ACCOUNT"] = account }
        let begin = ContinuousClock.now
        let code = await interruptibly(environment, words)
        if settings.timing {
            let milliseconds = (ContinuousClock.now - begin).inSeconds * 1_000
            say(Phrase("Time: \(milliseconds.oneDecimal) ms", "시간: \(milliseconds.oneDecimal) ms"))
        }
        if isHelp { environment.write(Self.help.text(in: environment.language), .standardOutput) }
        return code
    }

    /// Runs one command. Ctrl-C cancels it.
    private func interruptibly(_ environment: CommandEnvironment, _ words: [String]) async -> Int32 {
        // `onboard` reads keys on its own thread, which would go on reading here. So it runs in a separate process.
        if words.first == "onboard", environment.inputIsTerminal, environment.errorIsTerminal {
            return environment.runOutside(words, environment.variables)
        }
        // Ctrl-C ends a command, and not the shell.
        let end = CommandEnd()
        var environment = environment
        environment.endOnInterrupt = { end.endsOnInterrupt.store(true, ordering: .relaxed) }
        environment.isEndedOnInterrupt = { end.endsOnInterrupt.load(ordering: .relaxed) && end.isInterrupted.load(ordering: .relaxed) }
        let program = PulseBoardProgram(environment: environment)
        let command = Task { await program.run(words) }
        let watching = Task { [isInteractive, environment] in
            guard isInteractive else { return }
            await environment.interrupted()
            end.isInterrupted.store(true, ordering: .relaxed)
            command.cancel()
        }
        let code = await command.value
        watching.cancel()
        return code
    }

    private func setTiming(_ word: String?) -> Int32 {
        let isOn: Bool
        switch word {
        case "on": isOn = true
        case "off": isOn = false
        case nil: isOn = !settings.withLock { $0.timing }
        default:
            say(Phrase("\\timing takes on or off.", "\\timing에는 on 또는 off를 씁니다."))
            return 64
        }
        settings.withLock { $0.timing = isOn }
        say(isOn ? Phrase("Timing is on.", "시간을 표시합니다.") : Phrase("Timing is off.", "시간을 표시하지 않습니다."))
        return 0
    }

    private func say(_ phrase: Phrase) { environment.write(phrase.text(in: environment.language) + "\n", .standardError) }

    private var greeting: String {
        Phrase(
            "pulseboard \(pulseBoardVersion). Commands are as after the program's name; \\? helps, \\q leaves.\n",
            "pulseboard \(pulseBoardVersion). 프로그램 이름 뒤에 쓰는 명령을 그대로 씁니다. 도움말은 \\?, 끝내기는 \\q입니다.\n"
        ).text(in: environment.language)
    }

    private static let help = Phrase(
        """

        IN THE SHELL:
          \\timing [on|off]       Say how long each command takes.
          \\account [<name>]      Use this signed-in account; without a name the current one.
          \\q, exit, Ctrl-D       Leave.

        """,
        """

        셸 명령:
          \\timing [on|off]       명령마다 걸린 시간을 보여 줍니다.
          \\account [<이름>]      이 계정을 씁니다. 이름이 없으면 현재 계정을 씁니다.
          \\q, exit, Ctrl-D       끝냅니다.

        """)
}

/// How the running command of a shell ends.
private final class CommandEnd: Sendable {
    /// Only Ctrl-C ends the command.
    let endsOnInterrupt = Atomic(false)
    let isInterrupted = Atomic(false)
}

/// Connections that several commands share. They are closed together.
private final class SharedConnections: Sendable {
    private struct Key: Hashable {
        let path: String
        let wireProtocol: WireProtocol
    }

    private let opened = Mutex<[Key: OpenChannel]>([:])

    /// The connection of a path. It is made once, and a command cannot close it.
    func connection(
        _ path: String, _ wireProtocol: WireProtocol, _ connect: (String, WireProtocol) throws(SocketError) -> OpenChannel
    ) throws(SocketError) -> OpenChannel {
        let key = Key(path: path, wireProtocol: wireProtocol)
        if let known = opened.withLock({ $0[key] }) { return OpenChannel(channel: known.channel, executor: known.executor) {} }
        let made = try connect(path, wireProtocol)
        opened.withLock { $0[key] = made }
        return OpenChannel(channel: made.channel, executor: made.executor) {}
    }

    func close() async {
        let all = opened.withLock { opened in
            defer { opened = [:] }
            return Array(opened.values)
        }
        for connection in all { await connection.close() }
    }
}
