import ArgumentParser
import CommandHelp
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

extension Invocation {
    /// This machine as a device, for the list of sessions. Its id is made once and kept beside the sessions. If it cannot be kept, the sign-in
    /// names no device.
    fileprivate var device: PBDevice? {
        guard let id = try? sessions.deviceID(orNew: environment.makeRequestID()) else { return nil }
        return PBDevice(id: id, name: environment.hostName, platform: "linux")
    }

    /// Signs in. If the answer is lost, it retries once with the same request id. Without a request id, an ID token would be used up by then.
    /// - Parameter requestID: names the sign-in for retries. A sign-in with an ID token needs it.
    func signIn(with credential: PBSignInRequest.OneOf_Credential, requestID: String = "") async throws(RPCError) -> PBSignInResponse {
        let request = PBSignInRequest(credential: credential, device: device, requestID: requestID)
        do throws(RPCError) {
            return try await auth.signIn(request, options: callOptions())
        } catch {
            guard error.code == .unavailable, !requestID.isEmpty else { throw error }
            return try await auth.signIn(request, options: callOptions())
        }
    }

    /// Saves an opened session under the name that the user chose with `--account`. If there is none, the Unix user's session has no name, and a
    /// session that an ID token opened has the provider's.
    /// - Parameter isFromIDToken: whether an ID token opened it.
    /// - Returns: the name.
    @discardableResult
    func keep(_ answer: PBSignInResponse, isFromIDToken: Bool) throws(CommandFailure) -> String {
        let session = answer.session ?? PBSession()
        var name = account ?? ""
        try updateSessions { saved in
            if account == nil, isFromIDToken { name = saved.name(of: session.userID, with: session.account) }
            saved.add(
                SavedSession(
                    account: name, token: answer.token, userID: session.userID, sessionID: session.sessionID,
                    expireTime: session.expireTime?.seconds, isFromIDToken: isFromIDToken))
        }
        return name
    }
}

/// `pulseboard auth login`
struct AuthLogin: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "login",
            abstract: Phrase(
                "Sign in as your Unix user, as a named account, or with an identity provider.", "유닉스 사용자, 이름 있는 계정, 또는 외부 인증 기관으로 로그인합니다."),
            discussion: Phrase(
                """
                The system proves to the server who you are; there is no password. The session is kept in a file that only you \
                can read. A named account (--account) is granted only to users whom the server trusts. With --id-token, the ID token of an \
                identity provider such as Google proves it; `auth nonce` makes the nonce that the provider must be given.

                Examples:
                  pulseboard auth login
                  pulseboard auth login --account alice
                  pulseboard auth login --id-token google.jwt
                """,
                """
                누구인지는 시스템이 서버에 증명하므로 비밀번호가 없습니다. 세션은 나만 읽을 수 있는 파일에 보관됩니다. \
                이름 있는 계정(--account)은 서버가 신뢰하는 사용자만 쓸 수 있습니다. --id-token을 쓰면 Google 같은 인증 기관의 ID 토큰이 \
                누구인지 증명합니다. 인증 기관에 줄 nonce는 `auth nonce`로 만듭니다.

                예:
                  pulseboard auth login
                  pulseboard auth login --account alice
                  pulseboard auth login --id-token google.jwt
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var token: IDTokenOptions

    func run() async throws {
        try await options.run { invocation in
            let credential = try await credential(invocation)
            let requestID = token.idToken == nil ? "" : invocation.environment.makeRequestID()
            // An ID token is good for one sign-in, whose session must have a place.
            if token.idToken != nil { try invocation.updateSessions { _ in } }
            let answer = try await invocation.translatingErrors(about: .session) { () async throws(RPCError) in
                try await invocation.signIn(with: credential, requestID: requestID)
            }
            let session = answer.session ?? PBSession()
            let account = try invocation.keep(answer, isFromIDToken: token.idToken != nil)
            let state = answer.state?.state ?? .unspecified
            try invocation.show(document: Self.document(session, state, account)) {
                let sentence = token.idToken == nil
                    ? Self.sentence(account, invocation)
                    : invocation.text("Signed in with \(account).", "\(account) 계정으로 로그인했습니다.")
                return sentence.safeForTerminal + "\n" + (invocation.isQuiet ? "" : invocation.nextStep(for: state))
            }
        }
    }

    private func credential(_ invocation: Invocation) async throws(CommandFailure) -> PBSignInRequest.OneOf_Credential {
        if let file = token.idToken { return .idToken(try await invocation.idToken(at: file, nonce: token.nonce)) }
        var peer = PBPeerCredential()
        peer.account = invocation.account ?? ""
        return .peer(peer)
    }

    private static func document(_ session: PBSession, _ state: PBAuthState.State, _ account: String) -> SignedInDocument {
        SignedInDocument(
            account: account, userId: session.userID, sessionId: session.sessionID, state: state.jsonName,
            expireTime: (session.expireTime?.seconds).map { UTCTime.text(seconds: $0) } ?? "")
    }

    private static func sentence(_ account: String, _ invocation: Invocation) -> String {
        account.isEmpty
            ? invocation.text("Signed in.", "로그인했습니다.")
            : invocation.text("Signed in as \(account).", "\(account) 계정으로 로그인했습니다.")
    }
}

/// `pulseboard auth nonce`
struct AuthNonce: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "nonce",
            abstract: Phrase("Make a nonce for an identity provider.", "인증 기관에 줄 nonce를 만듭니다."),
            discussion: Phrase(
                """
                The provider puts it into the ID token, and the server takes the token within ten minutes, once.

                Example: pulseboard auth nonce
                """,
                """
                인증 기관은 이것을 ID 토큰에 넣고, 서버는 그 토큰을 10분 안에 한 번만 받습니다.

                예: pulseboard auth nonce
                """))
    }

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let answer = try await invocation.translatingErrors(about: .session) { () async throws(RPCError) in
                try await invocation.auth.createSignInNonce(PBCreateSignInNonceRequest(), options: invocation.callOptions())
            }
            try invocation.show(answer) { answer.nonce.safeForTerminal + "\n" }
        }
    }
}

/// The JSON answer of `auth login`. The token is not in it: an answer may end up in a log.
private struct SignedInDocument: Encodable, Sendable, Hashable {
    let account: String
    let userId: String
    let sessionId: String
    /// `STATE_NEEDS_PROFILE` or `STATE_READY`.
    let state: String
    /// RFC 3339, UTC; empty if the session does not expire.
    let expireTime: String
}

/// `pulseboard auth logout`
struct AuthLogout: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "logout",
            abstract: Phrase("End this session and forget its token. Your profile stays.", "이 세션을 끝내고 토큰을 지웁니다. 프로필은 남습니다."),
            discussion: Phrase(
                """
                Examples:
                  pulseboard auth logout
                  pulseboard auth logout --all
                """,
                """
                예:
                  pulseboard auth logout
                  pulseboard auth logout --all
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Flag(help: ArgumentHelp(Phrase("End all sessions of the account, on every client.", "모든 클라이언트에서 이 계정의 세션을 전부 끝냅니다.")))
    var all = false

    func run() async throws {
        try await options.run { invocation in
            // A session from PULSEBOARD_TOKEN may not be the saved one. Then the saved one stays.
            let token = try invocation.token()
            let saved = try invocation.savedSession().flatMap { $0.token == token ? $0 : nil }
            do throws(CommandFailure) {
                try await end(invocation)
            } catch {
                // The session has expired or was revoked, so the saved token is removed.
                guard error.code == .unauthenticated, let saved else { throw error }
                guard !all else {
                    try invocation.updateSessions { $0.removeAll { $0.token == saved.token } }
                    throw Self.othersNotEnded(error, invocation)
                }
            }
            // A user may be saved under several names.
            if let saved { try invocation.updateSessions { $0.removeAll { all ? $0.userID == saved.userID : $0.token == saved.token } } }
            try invocation.show(document: SignedOutDocument(signedOut: true, allSessions: all)) {
                invocation.text("Signed out.", "로그아웃했습니다.") + "\n"
            }
        }
    }

    /// The failure when a session that had ended already could not end the others.
    private static func othersNotEnded(_ error: CommandFailure, _ invocation: Invocation) -> CommandFailure {
        var failure = error
        failure.message = invocation.text(
            "This session has ended already, so it has ended no others now. Sign in and try again.",
            "이 세션은 이미 끝나 지금 다른 세션을 끝내지 못했습니다. 다시 로그인한 뒤 시도하세요.")
        return failure
    }

    private func end(_ invocation: Invocation) async throws(CommandFailure) {
        _ = try await invocation.call(about: .session) { (options) async throws(RPCError) in
            var request = PBSignOutRequest()
            request.allSessions = all
            return try await invocation.auth.signOut(request, options: options)
        }
    }
}

/// The JSON answer of `auth logout`.
private struct SignedOutDocument: Encodable, Sendable, Hashable {
    let signedOut: Bool
    let allSessions: Bool
}

/// `pulseboard auth status`
struct AuthStatus: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "status",
            abstract: Phrase("Say who you are to the server and what to do next.", "서버가 나를 누구로 아는지, 다음에 무엇을 할지 알려 줍니다."),
            discussion: Phrase("Being signed out is an answer, not an error: the exit code is 0.", "로그아웃 상태는 오류가 아니라 답입니다. 종료 코드는 0입니다."))
    }

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let token = try invocation.token()
            let state = try await invocation.translatingErrors(about: .session) { () async throws(RPCError) in
                try await invocation.auth.getAuthState(
                    PBGetAuthStateRequest(),
                    options: token.map { invocation.callOptions(token: $0) } ?? invocation.callOptions())
            }
            let account = try invocation.savedSession().flatMap { $0.token == token ? $0.account : nil } ?? ""
            let document = StatusDocument(
                socket: invocation.socket, account: account, state: state.state.jsonName, userId: state.userID)
            try invocation.show(document: document) {
                var card = Card(title: state.state.phrase.text(in: invocation.language))
                card.append(invocation.text("account", "계정"), account)
                card.append(invocation.text("user id", "사용자 ID"), state.userID)
                card.append(invocation.text("socket", "소켓"), invocation.socket)
                return card.rendered(invocation.style) + invocation.nextStep(for: state.state)
            }
        }
    }
}

/// The JSON answer of `auth status`.
private struct StatusDocument: Encodable, Sendable, Hashable {
    let socket: String
    /// The name given at sign-in; empty for the user's Unix account.
    let account: String
    let state: String
    let userId: String
}

/// `pulseboard auth sessions`
struct AuthSessions: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "sessions",
            abstract: Phrase("List your open sessions, or end one of them.", "열려 있는 세션을 나열하거나 하나를 끝냅니다."),
            discussion: Phrase(
                """
                Examples:
                  pulseboard auth sessions
                  pulseboard auth sessions --revoke 0b5c8d1e-…
                """,
                """
                예:
                  pulseboard auth sessions
                  pulseboard auth sessions --revoke 0b5c8d1e-…
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp(Phrase("End the session with this id.", "이 ID의 세션을 끝냅니다."), valueName: "id"))
    var revoke: String?

    func run() async throws {
        try await options.run { invocation in
            if let revoke {
                try await end(revoke, invocation)
            } else {
                try await list(invocation)
            }
        }
    }

    private func end(_ id: String, _ invocation: Invocation) async throws {
        _ = try await invocation.call(about: .session) { (options) async throws(RPCError) in
            var request = PBRevokeSessionRequest()
            request.sessionID = id
            return try await invocation.auth.revokeSession(request, options: options)
        }
        invocation.forgetSessions { $0.removeAll { $0.sessionID == id } }
        try invocation.show(document: RevokedDocument(revokedSessionId: id)) {
            invocation.text("The session has ended.", "세션을 종료했습니다.") + "\n"
        }
    }

    private func list(_ invocation: Invocation) async throws {
        var answer = PBListSessionsResponse()
        // All of them: an account has at most a hundred.
        answer.sessions = try await invocation.collect { (size, token) async throws(CommandFailure) in
            let page = try await invocation.call(about: .session) { (options) async throws(RPCError) in
                try await invocation.auth.listSessions(PBListSessionsRequest(pageSize: size, pageToken: token), options: options)
            }
            return (page.sessions, page.nextPageToken)
        }.items
        try invocation.show(answer) {
            var table = Table([
                .init("ID", isWhole: true), .init(invocation.text("ACCOUNT", "계정"), isOptional: true),
                .init(invocation.text("DEVICE", "기기"), isOptional: true),
                .init(invocation.text("OPENED", "시작"), isOptional: true, isWhole: true),
                .init(invocation.text("EXPIRES", "만료"), isOptional: true, isWhole: true), .init(""),
            ])
            for session in answer.sessions {
                table.append([
                    session.sessionID, session.account, session.device?.name ?? "", invocation.time(session.createTime),
                    invocation.time(session.expireTime),
                    session.current ? invocation.text("this session", "현재 세션") : "",
                ])
            }
            return table.rendered(invocation.style)
        }
    }
}

/// The JSON answer of `auth sessions --revoke`.
private struct RevokedDocument: Encodable, Sendable, Hashable {
    let revokedSessionId: String
}

/// `pulseboard auth watch`
struct AuthWatch: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "watch",
            abstract: Phrase("Tell your state now and whenever it changes.", "지금의 상태를 알려 주고, 바뀔 때마다 다시 알려 줍니다."),
            discussion: Phrase(
                """
                One line a state, with --json one JSON document a line. It ends with exit code 0 when the session ends, at once \
                if you are signed out, and with Ctrl-C.
                """,
                """
                상태마다 한 줄, --json을 쓰면 한 줄에 JSON 문서 하나를 씁니다. 세션이 끝나면 종료 코드 0으로 끝나고, \
                로그아웃 상태라면 바로 끝나며, Ctrl-C로도 끝납니다.
                """))
    }

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let token = try invocation.token()
            var last: PBAuthState?
            try await invocation.watch(about: .session) {
                invocation.auth.watchAuthState(
                    PBWatchAuthStateRequest(), options: invocation.watchOptions(token: token))
            } show: { response in
                switch response.update {
                case .state(let state)?:
                    // After a new connection the state may be the same as before.
                    guard state != last else { return }
                    last = state
                    try invocation.showLine(state) { state.state.phrase.text(in: invocation.language) }
                case .unchecked(let unchecked)?:
                    invocation.remarkUnchecked(unchecked)
                case .heartbeat?, nil: break
                }
            }
        }
    }
}
