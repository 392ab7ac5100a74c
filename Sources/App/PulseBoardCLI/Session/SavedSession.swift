/// One session that a sign-in left on this machine.
struct SavedSession: Codable, Sendable, Hashable {
    /// The account named at sign-in; empty for the account of the user's own Unix identity.
    var account: String
    /// The secret for `authorization: Bearer`.
    var token: String
    /// The account's id: lower-case UUID text.
    var userID: String
    /// Names the session for `auth sessions --revoke`.
    var sessionID: String
    /// When the session ends by itself, in seconds since 1970; nil when the server did not say.
    var expireTime: Int64?
}

/// The sessions at one socket.
struct SavedSessions: Codable, Sendable, Hashable {
    /// The socket's path, kept beside the tokens so that a token is never sent to another server's socket.
    let socket: String
    /// The account used when none is named: the last one signed in.
    private(set) var currentAccount: String?
    /// In order of sign-in, each account once.
    private(set) var sessions: [SavedSession] = []

    init(socket: String) { self.socket = socket }

    /// The session of an account, or of the current one.
    func session(for account: String?) -> SavedSession? {
        guard let account = account ?? currentAccount else { return nil }
        return sessions.first { $0.account == account }
    }

    /// Adds a session in place of the account's former one and makes it current.
    mutating func add(_ session: SavedSession) {
        sessions.removeAll { $0.account == session.account }
        sessions.append(session)
        currentAccount = session.account
    }

    /// Removes all sessions that `shouldRemove` accepts. If the current one goes, the last one signed in becomes current.
    mutating func removeAll(where shouldRemove: (SavedSession) -> Bool) {
        sessions.removeAll(where: shouldRemove)
        if session(for: nil) == nil { currentAccount = sessions.last?.account }
    }
}
