import ArgumentParser
import CommandHelp
import PulseBoardVocabulary

/// `pulseboard auth list`
struct AuthList: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: Phrase("List the accounts that are signed in here.", "여기에 로그인한 계정을 나열합니다."),
            discussion: Phrase(
                """
                They are kept in a file that only you can read. No server is asked, so a session may have ended meanwhile. The account without a \
                name is your Unix user's.

                Example: pulseboard auth list
                """,
                """
                나만 읽을 수 있는 파일에 보관된 것입니다. 서버에 묻지 않으므로 그사이 끝난 세션이 있을 수 있습니다. 이름 없는 계정은 유닉스 사용자의 \
                계정입니다.

                예: pulseboard auth list
                """))
    }

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let saved = try invocation.savedSessions()
            let current = saved.session(for: nil)
            let document = SavedSessionsDocument(accounts: saved.sessions.map { session in
                .init(
                    account: session.account, userId: session.userID, sessionId: session.sessionID,
                    expireTime: session.expireTime.map { UTCTime.text(seconds: $0) } ?? "", current: session == current)
            })
            try invocation.show(document: document) {
                var table = Table([
                    .init(invocation.text("ACCOUNT", "계정")), .init(invocation.text("USER ID", "사용자 ID"), isOptional: true, isWhole: true),
                    .init(invocation.text("EXPIRES", "만료"), isOptional: true, isWhole: true),
                    .init(""),
                ])
                for session in saved.sessions {
                    table.append([
                        session.account.isEmpty ? invocation.text("(Unix user)", "(유닉스 사용자)") : session.account, session.userID,
                        session.expireTime.map { LocalTime(timeZone: invocation.environment.timeZone).text(seconds: $0) } ?? "",
                        session == current ? invocation.text("current", "현재") : "",
                    ])
                }
                return table.rendered(invocation.style)
            }
        }
    }
}

/// The JSON answer of `auth list`. No token is in it: an answer may end up in a log.
private struct SavedSessionsDocument: Encodable, Sendable, Hashable {
    struct Account: Encodable, Sendable, Hashable {
        /// The name given at sign-in; empty for the user's Unix account.
        let account: String
        let userId: String
        let sessionId: String
        /// RFC 3339, UTC; empty if the session does not expire.
        let expireTime: String
        let current: Bool
    }

    let accounts: [Account]
}

/// `pulseboard auth switch`
struct AuthSwitch: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "switch",
            abstract: Phrase("Use another account that is signed in here from now on.", "이제부터 여기에 로그인한 다른 계정을 씁니다."),
            discussion: Phrase(
                """
                Without ACCOUNT, your Unix user's. --account chooses one for a single command.

                Example: pulseboard auth switch alice
                """,
                """
                계정을 적지 않으면 유닉스 사용자의 계정입니다. 한 번만 다른 계정을 쓰려면 --account를 쓰세요.

                예: pulseboard auth switch alice
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: ArgumentHelp(Phrase("The account, as `auth list` shows it.", "계정. `auth list`에 보이는 대로 적습니다."), valueName: "name"),
        completion: ServerCompletion.accounts)
    var name: String?

    func run() async throws {
        try await options.run { invocation in
            let account = name ?? ""
            guard let session = try invocation.savedSessions().session(for: account) else {
                throw CommandFailure(
                    code: .notFound, reason: "ACCOUNT_NOT_SIGNED_IN",
                    message: invocation.text("This account is not signed in here.", "여기에 로그인하지 않은 계정입니다."),
                    nextCommand: "pulseboard auth list" + invocation.failureContext.socketOption)
            }
            try invocation.updateSessions { $0.makeCurrent(session.account) }
            try invocation.show(document: SwitchedDocument(account: session.account, userId: session.userID)) {
                let sentence = session.account.isEmpty
                    ? invocation.text("From now on you use your Unix user's account.", "이제부터 유닉스 사용자 계정을 씁니다.")
                    : invocation.text("From now on you are \(session.account).", "이제부터 \(session.account) 계정을 씁니다.")
                return sentence.safeForTerminal + "\n"
            }
        }
    }
}

/// The JSON answer of `auth switch`.
private struct SwitchedDocument: Encodable, Sendable, Hashable {
    let account: String
    let userId: String
}

/// `pulseboard auth token`
struct AuthToken: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "token",
            abstract: Phrase("Show the token of your session, for other programs.", "다른 프로그램에서 쓸 수 있게 세션의 토큰을 보여 줍니다."),
            discussion: Phrase(
                """
                Whoever has it is you, until the session ends. Programs send it as metadata: authorization: Bearer TOKEN.

                Example: PULSEBOARD_TOKEN=$(pulseboard auth token) ./my-program
                """,
                """
                토큰을 가진 사람은 세션이 끝날 때까지 나와 같습니다. 프로그램은 메타데이터 authorization: Bearer 토큰으로 보냅니다.

                예: PULSEBOARD_TOKEN=$(pulseboard auth token) ./my-program
                """))
    }

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let token = try invocation.requiredToken()
            try invocation.show(document: ["token": token]) { token.safeForTerminal + "\n" }
        }
    }
}

extension Invocation {
    /// All saved sessions of this socket.
    fileprivate func savedSessions() throws(CommandFailure) -> SavedSessions {
        do throws(SessionStoreError) {
            return try sessions.sessions(forSocket: socket)
        } catch {
            throw CommandFailure(error, in: failureContext)
        }
    }
}
