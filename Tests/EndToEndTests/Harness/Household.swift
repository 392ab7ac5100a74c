import Foundation
import Synchronization
import Testing

/// The world of one server: its socket and data, a home directory for clients, and all processes started in it.
final class Household: Sendable {
    /// A short path, because a socket's path has at most 107 bytes.
    let root: String
    var socket: String { root + "/run/board.sock" }
    var data: String { root + "/data" }
    var home: String { root + "/home" }

    private let children = Mutex<[ChildProcess]>([])

    private init() throws {
        var template = Array("/tmp/pulseboard-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp", errno) }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
    }

    /// Runs `body` in a new household. Afterwards its processes are killed and its files are removed.
    static func with(_ body: (Household) async throws -> Void) async throws {
        let household = try Household()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(household))
        } catch {
            result = .failure(error)
        }
        // In a task of its own: after a time limit this one is cancelled, and would not wait.
        let children = household.children.withLock { $0 }
        await Task.detached {
            for child in children {
                child.send(SIGKILL)
                _ = try? await child.ended()
            }
        }.value
        let removal = Result { try FileManager.default.removeItem(atPath: household.root) }
        try result.get()
        try removal.get()
    }

    /// Runs `body` in a new household with a ready server.
    static func withServer(
        _ arguments: [String] = [], _ body: (Household, ChildProcess) async throws -> Void
    ) async throws {
        try await with { household in try await body(household, household.startServer(arguments)) }
    }

    /// Starts a program in this household.
    func start(
        _ program: String, _ arguments: [String], _ extra: [String: String] = [:], handedOver: Int32? = nil
    ) throws -> ChildProcess {
        // Programs get nothing of the developer's environment, except what they need to find their libraries.
        var environment = ["HOME": home, "LANG": "en_US.UTF-8", "TZ": "UTC", "PATH": "/usr/local/bin:/usr/bin:/bin"]
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        environment.merge(extra) { _, new in new }
        let child = try ChildProcess(program, arguments, environment: environment, handedOver: handedOver)
        children.withLock { $0.append(child) }
        return child
    }

    /// Runs a program to its end.
    func run(_ program: String, _ arguments: [String], _ extra: [String: String] = [:]) async throws -> Run {
        let child = try start(program, arguments, extra)
        let exit = try await child.ended()
        let progress = child.progress.current
        return Run(
            command: ([program.split(separator: "/").last.map(String.init) ?? program] + arguments).joined(separator: " "),
            exit: exit, output: progress.outputText, errors: progress.errorText)
    }

    /// Starts the server without waiting for anything.
    func launchServer(_ arguments: [String] = []) throws -> ChildProcess {
        try start(Programs.server, ["--socket", socket, "--data-directory", data] + arguments)
    }

    /// Starts the server and waits for its ready line.
    func startServer(_ arguments: [String] = []) async throws -> ChildProcess {
        try await ready(try launchServer(arguments))
    }

    /// Starts the interop server and waits until it is ready.
    func startInteropServer() async throws -> ChildProcess {
        try await ready(try start(Programs.interopServer, ["--socket", root + "/interop.sock"]))
    }

    /// Waits for a server's ready line.
    func ready(_ server: ChildProcess) async throws -> ChildProcess {
        let isReady = await server.progress.first { progress -> Bool? in
            let said = progress.outputText + progress.errorText
            if said.split(separator: "\n").contains(where: { $0.contains("ready") }) { return true }
            return progress.exit == nil ? nil : false
        }
        let progress = server.progress.current
        try #require(
            isReady == true,
            "the server did not become ready: \(String(describing: progress.exit))\n\(progress.outputText)\(progress.errorText)")
        return server
    }

    /// Runs the command-line client against this household's socket.
    func pulseboard(_ words: String..., as account: String? = nil, language: String = "en_US.UTF-8") async throws -> Run {
        let chosen = account.map { ["--account", $0] } ?? []
        return try await run(
            Programs.commandLine, words + chosen, ["PULSEBOARD_SOCKET": socket, "LANG": language])
    }

    /// Runs the client, and returns its JSON answer. Fails if the client does.
    func answer(_ words: String..., as account: String? = nil) async throws -> JSON {
        let chosen = account.map { ["--account", $0] } ?? []
        let run = try await run(Programs.commandLine, words + ["--json"] + chosen, ["PULSEBOARD_SOCKET": socket])
        return try run.document()
    }

    /// Signs in an account and creates its profile.
    func enter(as account: String, username: String, displayName: String = "") async throws -> JSON {
        _ = try await answer("auth", "login", as: account)
        return try await answer(
            "profile", "create", "--username", username, "--display-name", displayName, as: account)
    }

    /// Runs the Go client against this household's socket.
    func go(_ words: String...) async throws -> Run {
        try await run(GoPeer.program(), [socket] + words)
    }
}

/// A program that has ended, with its output.
struct Run: Sendable, CustomStringConvertible {
    let command: String
    let exit: Exit
    let output: String
    let errors: String

    var description: String { "\(command): \(exit)\nstdout: \(output)\nstderr: \(errors)" }

    /// The document on standard output. Fails unless the program succeeded.
    func document() throws -> JSON {
        try #require(exit == .status(0), "\(self)")
        return try #require(try? JSON(output), "no JSON on standard output: \(self)")
    }

    /// The document `{"error": …}` that a failed program wrote on standard error (ours) or standard output (Go's).
    func failure() throws -> JSON {
        try #require(exit != .status(0), "\(self)")
        return try #require(try? JSON(output.isEmpty ? errors : output), "no JSON on either output: \(self)")["error"]
    }
}

/// The exit status of the command-line client for a failed call: 64 + the gRPC code.
extension Exit {
    static let success = Exit.status(0)
    static let invalidArgument = Exit.status(64 + 3)
    static let notFound = Exit.status(64 + 5)
    static let alreadyExists = Exit.status(64 + 6)
    static let permissionDenied = Exit.status(64 + 7)
    static let resourceExhausted = Exit.status(64 + 8)
    static let failedPrecondition = Exit.status(64 + 9)
    static let aborted = Exit.status(64 + 10)
    static let unavailable = Exit.status(64 + 14)
    static let unauthenticated = Exit.status(64 + 16)
}
