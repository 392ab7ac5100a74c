import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard auth login`
struct AuthLogin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in as your Unix user, or as a named account.",
        discussion: """
            The system proves to the server who you are; there is no password. The session is kept in a file that only you \
            can read. A named account (--account) is granted only to users whom the server trusts.

            Examples:
              pulseboard auth login
              pulseboard auth login --account alice
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let account = invocation.account ?? ""
            var request = PBSignInRequest()
            var peer = PBPeerCredential()
            peer.account = account
            request.credential = .peer(peer)
            let session = try await invocation.translatingErrors(about: .session) { () async throws(RPCError) in
                try await invocation.auth.signIn(request, options: invocation.callOptions())
            }
            try invocation.updateSessions {
                $0.add(
                    SavedSession(
                        account: account, token: session.token, userID: session.userID, sessionID: session.id,
                        expireTime: session.expireTime?.seconds))
            }
            try invocation.show(document: Self.document(session, account)) { Self.text(session, account, invocation) }
        }
    }

    private static func document(_ session: PBSession, _ account: String) -> SignedInDocument {
        SignedInDocument(
            account: account, userId: session.userID, sessionId: session.id, state: session.state.jsonName,
            expireTime: (session.expireTime?.seconds).map { UTCTime.text(seconds: $0) } ?? "")
    }

    private static func text(_ session: PBSession, _ account: String, _ invocation: Invocation) -> String {
        let sentence =
            account.isEmpty
            ? invocation.text("Signed in.", "로그인했습니다.")
            : invocation.text("Signed in as \(account).", "\(account) 계정으로 로그인했습니다.")
        return sentence.safeForTerminal + "\n" + invocation.nextStep(for: session.state)
    }
}

/// The JSON answer of `auth login`. The token is not in it: an answer may end up in a log.
struct SignedInDocument: Encodable, Sendable, Hashable {
    let account: String
    let userId: String
    let sessionId: String
    /// `STATE_NEEDS_PROFILE` or `STATE_READY`.
    let state: String
    /// RFC 3339, UTC; empty when the session does not end by itself.
    let expireTime: String
}
