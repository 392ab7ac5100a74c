import Foundation
import ProtobufC
import PulseBoardMessages
import RPCClient
import RPCCore
import SocketTransport

/// One run of one command: who calls which socket as whom, and how its answers are shown.
struct Invocation: Sendable {
    let environment: CommandEnvironment
    let language: Language
    let usesJSON: Bool
    let socket: String
    /// The account chosen by option or environment; nil: the current one.
    let account: String?
    let sessions: SessionStore
    let channel: any CallChannel
    /// What ``channel`` speaks.
    let wireProtocol: WireProtocol
    let failureContext: FailureContext
    private let timeout: Duration

    init(
        _ options: GlobalOptions, _ environment: CommandEnvironment, channel: any CallChannel, over wireProtocol: WireProtocol = .ttrpc
    ) {
        self.environment = environment
        language = environment.language
        usesJSON = options.json
        socket = options.socketPath(in: environment)
        account = options.accountName(in: environment)
        sessions = SessionStore(variables: environment.variables, owner: environment.userID)
        self.channel = channel
        self.wireProtocol = wireProtocol
        timeout = .seconds(options.timeout ?? 10)
        failureContext = options.failureContext(in: environment)
    }

    /// Options of a call without a session.
    func callOptions() -> CallOptions {
        var metadata = Metadata()
        metadata.append(language.rawValue, for: "accept-language")
        return CallOptions(timeout: timeout, metadata: metadata)
    }

    /// Options of a call with a session's token.
    func callOptions(token: String) -> CallOptions {
        var options = callOptions()
        options.metadata.append("Bearer " + token, for: "authorization")
        return options
    }

    /// The token to call with: `PULSEBOARD_TOKEN`, else the saved session's; nil when there is none.
    func token() throws(CommandFailure) -> String? {
        if let token = environment.variables["PULSEBOARD_TOKEN"], !token.isEmpty { return token }
        return try savedSession()?.token
    }

    /// The saved session of the chosen account; nil when there is none.
    func savedSession() throws(CommandFailure) -> SavedSession? {
        do throws(SessionStoreError) {
            return try sessions.sessions(forSocket: socket).session(for: account)
        } catch {
            throw CommandFailure(error, in: failureContext)
        }
    }

    /// Changes the saved sessions of this socket.
    func updateSessions(_ change: (inout SavedSessions) -> Void) throws(CommandFailure) {
        do throws(SessionStoreError) {
            try sessions.update(forSocket: socket, change)
        } catch {
            throw CommandFailure(error, in: failureContext)
        }
    }
}

extension GlobalOptions {
    /// Runs a command's body with a connection that is closed when the body ends.
    func run(over wireProtocol: WireProtocol = .ttrpc, _ body: (Invocation) async throws -> Void) async throws {
        let environment = CommandEnvironment.current
        let connection = try openConnection(over: wireProtocol, in: environment)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(Invocation(self, environment, channel: connection.channel, over: wireProtocol)))
        } catch {
            result = .failure(error)
        }
        await connection.close()
        try result.get()
    }

    /// Opens the way to the server; the first call connects.
    func openConnection(
        over wireProtocol: WireProtocol = .ttrpc, in environment: CommandEnvironment
    ) throws(CommandFailure) -> ServerConnection {
        do throws(SocketError) {
            return try environment.connect(socketPath(in: environment), wireProtocol)
        } catch {
            throw CommandFailure(
                RPCError(.unavailable, error.description), about: .nothing, in: failureContext(in: environment))
        }
    }

    /// What the texts of failures depend on.
    func failureContext(in environment: CommandEnvironment) -> FailureContext {
        FailureContext(
            language: environment.language, socket: socketPath(in: environment), socketWasGiven: socket != nil,
            account: account)
    }
}
