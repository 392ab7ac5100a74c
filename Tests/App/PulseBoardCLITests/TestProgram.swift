import Foundation
import ProfileImages
import RPCCore
import SocketTransport
import Synchronization
import Testing

@testable import PulseBoardCLI

/// The program in an environment made by the test: a server, a terminal, a home directory.
final class TestProgram: Sendable {
    static let socket = "/test/pulseboard.sock"

    let channel: StubChannel
    /// The channel to use instead of the stub.
    private let otherChannel: (any CallChannel)?
    let home: TemporaryDirectory
    private let output = Mutex<(standardOutput: String, standardError: String, waits: [Duration])>(("", "", []))
    private let typed: Mutex<[String]>
    private let requestNumber = Atomic<Int>(0)
    private let isTerminal: Bool
    private let variables: [String: String]
    private let drawing: PicturePixels?
    private let userID: UInt32
    private let inputProblem: String?
    private let configuration: Doctor.ServerConfiguration?
    private let edit: @Sendable (String, String) -> Bool
    private let runServerProgram: @Sendable ([String]) -> Int32?
    private let watchProcess: @Sendable (Int32) -> (@Sendable () async -> Void)?
    private let outputIsTerminal: Bool
    private let nextLine: (@Sendable () async -> String?)?
    private let interrupted: (@Sendable () async -> Void)?

    /// - Parameters:
    ///   - typed: the lines that the user at the terminal types; `nil` without a terminal.
    ///   - inputProblem: why standard input cannot be read to its end.
    ///   - configuration: the configuration of the machine's server.
    ///   - drawing: the decoded form of every picture. If it is set, the output is a terminal.
    ///   - nextLine: reads what a call takes from standard input; by default the lines of `typed`.
    ///   - interrupted: returns when the user presses Ctrl-C; by default never.
    init(
        _ handlers: [String: StubChannel.Handler] = [:], streams: [String: StubChannel.StreamHandler] = [:],
        typed: [String]? = nil, variables: [String: String] = [:], channel otherChannel: (any CallChannel)? = nil,
        inputProblem: String? = nil, configuration: Doctor.ServerConfiguration? = nil, drawing: PicturePixels? = nil, userID: UInt32 = geteuid(),
        outputIsTerminal: Bool = false,
        watchProcess: @escaping @Sendable (Int32) -> (@Sendable () async -> Void)? = { _ in nil },
        edit: @escaping @Sendable (_ path: String, _ command: String) -> Bool = { _, _ in false },
        runServerProgram: @escaping @Sendable ([String]) -> Int32? = { _ in nil },
        nextLine: (@Sendable () async -> String?)? = nil, interrupted: (@Sendable () async -> Void)? = nil
    ) throws {
        channel = StubChannel(handlers, streams: streams)
        self.otherChannel = otherChannel
        home = try TemporaryDirectory()
        isTerminal = typed != nil
        self.drawing = drawing
        self.userID = userID
        self.inputProblem = inputProblem
        self.configuration = configuration
        self.edit = edit
        self.runServerProgram = runServerProgram
        self.watchProcess = watchProcess
        self.outputIsTerminal = outputIsTerminal
        self.nextLine = nextLine
        self.interrupted = interrupted
        self.typed = Mutex(typed ?? [])
        self.variables = [
            "HOME": home.path, "XDG_STATE_HOME": home.path + "/state", "PULSEBOARD_SOCKET": Self.socket, "NO_COLOR": "1",
        ].merging(variables) { $1 }
    }

    var standardOutput: String { output.withLock { $0.standardOutput } }
    var standardError: String { output.withLock { $0.standardError } }
    /// How long the program waited, each time; no time passes.
    var waits: [Duration] { output.withLock { $0.waits } }
    var store: SessionStore { SessionStore(variables: variables, owner: geteuid()) }

    /// Runs one command and returns its exit code.
    func run(_ arguments: String...) async throws -> Int32 { try await run(arguments: arguments) }

    /// Runs one command and returns its exit code.
    func run(arguments: [String]) async throws -> Int32 {
        let zone = try #require(TimeZone(identifier: "Asia/Seoul"))
        return await PulseBoardProgram(environment: environment(in: zone)).run(arguments)
    }

    /// Saves a session, so that commands are signed in.
    func signIn(account: String = "", token: String = "secret", userID: String = "u-1") throws {
        try store.update(forSocket: Self.socket) {
            $0.add(SavedSession(account: account, token: token, userID: userID, sessionID: "s-" + token))
        }
    }

    private func environment(in zone: TimeZone) -> CommandEnvironment {
        let readLine: @Sendable () -> String? = { [self] in typed.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        var environment = CommandEnvironment(
            variables: variables, userID: userID, hostName: "laptop", workingDirectory: "/", inputIsTerminal: isTerminal,
            outputIsTerminal: outputIsTerminal || drawing != nil, errorIsTerminal: isTerminal, columns: 80, timeZone: zone,
            write: { [self] text, stream in
                output.withLock {
                    switch stream {
                    case .standardOutput: $0.standardOutput += text
                    case .standardError: $0.standardError += text
                    }
                }
            },
            readLine: readLine, nextLine: { readLine() },
            makeRequestID: { [self] in "request-\(requestNumber.wrappingAdd(1, ordering: .relaxed).newValue)" },
            wait: { [self] duration in output.withLock { $0.waits.append(duration) } }, edit: edit, endOnInterrupt: {},
            connect: { [channel = otherChannel ?? channel] (_, _) throws(SocketError) in OpenChannel(channel: channel) {} },
            watchProcess: watchProcess, inputProblem: { [inputProblem] in inputProblem }, decodePicture: { [drawing] _ in drawing },
            serverConfiguration: { [configuration] _ in configuration }, runServerProgram: runServerProgram)
        if let nextLine { environment.nextLine = nextLine }
        if let interrupted { environment.interrupted = interrupted }
        return environment
    }
}

/// A temporary directory of a test. It is removed with the value.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/pulseboard-cli-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
