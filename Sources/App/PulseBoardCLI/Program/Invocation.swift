import Foundation
import ProtobufC
import PulseBoardMessages
import PulseBoardVocabulary
import RPCClient
import RPCCore
import SocketTransport

/// One run of a command: the caller, the socket, and how answers are shown.
struct Invocation: Sendable {
    let environment: CommandEnvironment
    let language: Language
    let usesJSON: Bool
    /// The fields to write; `nil` for all.
    let fields: FieldSelection?
    /// Whether a program reads the answer: JSON, or chosen fields of it.
    var isForProgram: Bool { usesJSON || fields != nil }
    let isQuiet: Bool
    let socket: String
    /// The account from the option or environment; `nil` for the current one.
    private(set) var account: String?
    let sessions: SessionStore
    let channel: any CallChannel
    /// The protocol of ``channel``.
    let wireProtocol: WireProtocol
    var failureContext: FailureContext
    /// How long a call may take, if the user has said so.
    private let chosenTimeout: Duration?
    /// The session of all calls of this run; nil if each call reads the saved one, which another command may have changed meanwhile.
    private var keptSession: (token: String, saved: SavedSession?)?

    init(
        _ options: GlobalOptions, _ environment: CommandEnvironment, channel: any CallChannel, over wireProtocol: WireProtocol = .ttrpc
    ) {
        self.environment = environment
        language = environment.language
        usesJSON = options.answer.json
        fields = options.answer.fields.isEmpty ? nil : FieldSelection(options.answer.fields)
        isQuiet = options.answer.quiet
        socket = options.server.socketPath(in: environment)
        account = options.server.accountName(in: environment)
        sessions = SessionStore(variables: environment.variables, owner: environment.userID)
        self.channel = channel
        self.wireProtocol = wireProtocol
        chosenTimeout = options.answer.timeout.map { .seconds($0) }
        failureContext = options.failureContext(in: environment)
    }

    /// The same run with a chosen account, whichever account is current.
    func acting(as account: String) -> Invocation {
        var invocation = self
        invocation.account = account
        return invocation
    }

    /// The same run with the present session for all calls. So what a person has confirmed is done to the account that was shown, although another
    /// command makes another account the current one meanwhile.
    /// - Throws: without a session.
    func keepingSession() throws(CommandFailure) -> Invocation {
        var invocation = self
        let saved = givenToken == nil ? try savedSession() : nil
        guard let token = givenToken ?? saved?.token else { throw notSignedIn() }
        invocation.keptSession = (token, saved)
        return invocation
    }

    /// The token that `PULSEBOARD_TOKEN` gives. It takes precedence over all saved sessions.
    var givenToken: String? { environment.variables["PULSEBOARD_TOKEN"].flatMap { $0.isEmpty ? nil : $0 } }

    /// Options of a call without a session.
    func callOptions() -> CallOptions {
        var metadata = Metadata()
        metadata.append(language.rawValue, for: "accept-language")
        return CallOptions(timeout: chosenTimeout ?? .seconds(10), metadata: metadata)
    }

    /// Options of a call that may take longer than others, unless the user has said how long.
    /// - Parameter timeout: nil for no limit.
    func longer(_ options: CallOptions, _ timeout: Duration?) -> CallOptions {
        var options = options
        options.timeout = chosenTimeout ?? timeout
        return options
    }

    /// Options of a call with a session's token.
    func callOptions(token: String) -> CallOptions {
        var options = callOptions()
        options.metadata.append("Bearer " + token, for: "authorization")
        // Another command, perhaps at another server of the same store, may have just changed something. ttrpc has no consistency tokens, so
        // `latest` is needed.
        options.metadata.append("latest", for: "pulseboard-consistency")
        return options
    }

    /// The token for calls: `PULSEBOARD_TOKEN`, or else the saved session's; nil if there is neither.
    func token() throws(CommandFailure) -> String? {
        if let keptSession { return keptSession.token }
        if let givenToken { return givenToken }
        return try savedSession()?.token
    }

    /// The saved session of the chosen account; nil if there is none.
    func savedSession() throws(CommandFailure) -> SavedSession? {
        if let keptSession { return keptSession.saved }
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

    /// Removes saved sessions that have ended with a call. The call is done, so a file that cannot be changed is only remarked.
    func forgetSessions(_ change: (inout SavedSessions) -> Void) {
        do throws(CommandFailure) { try updateSessions(change) } catch {
            // With a token of their own, scripts need no file.
            if givenToken == nil { remark(error.message, error.message) }
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

    /// Opens a channel to the server. The first call connects.
    func openConnection(
        over wireProtocol: WireProtocol = .ttrpc, in environment: CommandEnvironment
    ) throws(CommandFailure) -> OpenChannel {
        do throws(SocketError) {
            return try environment.connect(server.socketPath(in: environment), wireProtocol)
        } catch {
            throw CommandFailure(
                RPCError(.unavailable, error.description), about: .nothing, in: failureContext(in: environment))
        }
    }

    /// What the texts of failures depend on.
    func failureContext(in environment: CommandEnvironment) -> FailureContext {
        FailureContext(
            language: environment.language, socket: server.socketPath(in: environment), socketWasGiven: server.socket != nil,
            account: server.account, isRoot: environment.userID == 0, timeZone: environment.timeZone)
    }
}

extension Invocation {
    /// Emphasis for standard output.
    var style: TextStyle {
        TextStyle(isTerminal: environment.outputIsTerminal, variables: environment.variables, columns: environment.outputSize.columns)
    }

    /// A phrase in the user's language.
    func text(_ english: String, _ korean: String) -> String { text(Phrase(english, korean)) }

    /// A phrase in the user's language.
    func text(_ phrase: Phrase) -> String { phrase.text(in: language) }

    /// Writes the command's answer: the message as proto3 JSON with every field present, or text for a person.
    func show<Answer: Message>(_ answer: Answer, _ text: () -> String) throws {
        var options = JSONEncodingOptions()
        options.alwaysPrintDefaults = true
        options.prettyPrinted = true
        try show(json: { try answer.jsonString(options: options) + "\n" }, of: answer, text)
    }

    /// Writes the command's answer: the document as JSON, or text for a person.
    func show(document: some Encodable, hasDrawings: Bool = false, _ text: () -> String) throws {
        try show(json: { try jsonText(document) }, of: document, hasDrawings: hasDrawings, text)
    }

    private func show(json: () throws -> String, of value: Any, hasDrawings: Bool = false, _ text: () -> String) throws {
        guard isForProgram else { return environment.show(text(), hasDrawings: hasDrawings) }
        try writeJSON(try json()) { FieldSelection.canHave($0[...], in: value) }
    }

    /// Writes a JSON document, or its chosen fields.
    /// - Parameter canHave: whether such a document can have a path, for one that it does not have.
    func writeJSON(_ json: String, canHave: ([String]) -> Bool) throws(CommandFailure) {
        guard let fields else { return environment.writeJSON(json) }
        guard let document = JSONTree(json) else { return }
        do throws(FieldSelection.Problem) {
            environment.writeJSON(try fields.lines(of: document, canHave: canHave))
        } catch {
            throw CommandFailure(error, in: failureContext)
        }
    }

    /// Writes a remark for a person to standard error.
    func remark(_ english: String, _ korean: String) {
        guard !isQuiet else { return }
        environment.write(text(english, korean).linesSafeForTerminal + "\n", .standardError)
    }
}

/// A document as JSON text with a stable order of keys and a newline at the end.
func jsonText(_ document: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
}

extension Invocation {
    /// Asks a person before something that cannot be undone. Without a terminal nobody can answer, and silence is no consent.
    /// - Parameters:
    ///   - unasked: what to say where there is no terminal.
    ///   - command: the command that does not ask.
    ///   - question: what to ask for.
    ///   - refusal: what to say when the answer is no consent.
    ///   - isConsent: judges what was typed.
    func confirm(
        unasked: Phrase, byCommand command: String, question: Phrase, refusal: Phrase, _ isConsent: (String) -> Bool
    ) async throws(CommandFailure) {
        guard canAsk else {
            throw CommandFailure(
                code: .failedPrecondition, reason: "CONFIRMATION_NEEDED", message: unasked.text(in: language),
                nextCommand: failureContext.command(command))
        }
        try await ask(question, refusal: refusal, isConsent)
    }

    /// Whether a question can be asked: somebody reads it, and can type an answer.
    var canAsk: Bool { environment.inputIsTerminal && environment.errorIsTerminal }

    /// Asks a person on the terminal.
    /// - Throws: the refusal, if the answer is no consent.
    func ask(_ question: Phrase, refusal: Phrase, _ isConsent: (String) -> Bool) async throws(CommandFailure) {
        environment.write(question.text(in: language), .standardError)
        guard isConsent(await environment.nextLine() ?? "") else {
            throw CommandFailure(code: .cancelled, reason: "NOT_CONFIRMED", message: refusal.text(in: language))
        }
    }
}

extension Invocation {
    var auth: PBAuthServiceClient { PBAuthServiceClient(channel: channel) }
    var accounts: PBAccountServiceClient { PBAccountServiceClient(channel: channel) }
    var profiles: PBProfileServiceClient { PBProfileServiceClient(channel: channel) }
    var follows: PBFollowServiceClient { PBFollowServiceClient(channel: channel) }
    var admin: PBAdminServiceClient { PBAdminServiceClient(channel: channel) }

    /// Makes a call as the signed-in account. A failure gets a text for `subject`.
    func call<Answer>(
        about subject: CallSubject, _ body: (CallOptions) async throws(RPCError) -> Answer
    ) async throws(CommandFailure) -> Answer {
        let token = try requiredToken()
        return try await translatingErrors(about: subject) { () async throws(RPCError) in
            try await body(callOptions(token: token))
        }
    }

    /// The token of the session.
    /// - Throws: without a session, so that the server is not called in vain.
    func requiredToken() throws(CommandFailure) -> String {
        guard let token = try token() else { throw notSignedIn() }
        return token
    }

    /// Makes a write as the signed-in account. If the connection is lost, it retries once with the same request id. So the write happens only once,
    /// even if the first answer was lost.
    func write<Answer>(
        about subject: CallSubject, _ body: (_ requestID: String, CallOptions) async throws(RPCError) -> Answer
    ) async throws(CommandFailure) -> Answer {
        let requestID = environment.makeRequestID()
        return try await call(about: subject) { (options) async throws(RPCError) in
            do throws(RPCError) {
                return try await body(requestID, options)
            } catch where error.code == .unavailable {
                return try await body(requestID, options)
            }
        }
    }

    /// Makes a write that ends the caller's sessions.
    /// - Returns: `nil` if it was probably done by an attempt whose answer was lost, or did not know: then the next attempt finds the session ended.
    ///   If the server has refused the write, the session has ended for another reason, which is thrown.
    func writeEndingSessions<Answer>(
        about subject: CallSubject, _ body: (_ requestID: String, CallOptions) async throws(RPCError) -> Answer
    ) async throws(CommandFailure) -> Answer? {
        // Reasons after which nothing was written (`docs/api.md`).
        let certain = [Reason.storeFull, .storeInputOutput, .storeReadOnly].map(\.rawValue)
        var mayBeDone = false
        do throws(CommandFailure) {
            return try await write(about: subject) { (requestID, options) async throws(RPCError) in
                do throws(RPCError) {
                    return try await body(requestID, options)
                } catch {
                    if error.code == .unavailable, !certain.contains(error.reason ?? "") { mayBeDone = true }
                    throw error
                }
            }
        } catch {
            guard mayBeDone, error.code == .unauthenticated else { throw error }
            return nil
        }
    }

    /// Makes a call, and turns its error into a failure with text.
    func translatingErrors<Answer>(
        about subject: CallSubject, _ body: () async throws(RPCError) -> Answer
    ) async throws(CommandFailure) -> Answer {
        do throws(RPCError) {
            return try await body()
        } catch {
            throw CommandFailure(error, about: subject, in: sessionContext)
        }
    }

    /// The context of a call's failure, with the saved session. So a suggested sign-in is one of the same account.
    var sessionContext: FailureContext {
        var context = failureContext
        if givenToken == nil { context.session = try? savedSession() }
        return context
    }

    /// The failure of a call without a session. The server is not asked, because its answer is known.
    private func notSignedIn() -> CommandFailure {
        CommandFailure(
            RPCError(.unauthenticated, "", details: []), about: .session, in: failureContext
        ).with(reason: Reason.notAuthenticated.rawValue)
    }
}

extension CommandFailure {
    fileprivate func with(reason: String) -> CommandFailure {
        var failure = self
        failure.reason = reason
        return failure
    }
}
