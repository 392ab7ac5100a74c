import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard auth logout`
struct AuthLogout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "End this session and forget its token. Your profile stays.",
        discussion: """
            Examples:
              pulseboard auth logout
              pulseboard auth logout --all
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(help: "End all sessions of the account, on every client.")
    var all = false

    func run() async throws {
        try await options.run { invocation in
            // A session given by PULSEBOARD_TOKEN need not be the saved one, which then stays.
            let token = try invocation.token()
            let saved = try invocation.savedSession().flatMap { $0.token == token ? $0 : nil }
            do throws(CommandFailure) {
                try await end(invocation)
            } catch {
                // A session that ended by itself or was revoked leaves only the token here to be forgotten.
                guard error.code == .unauthenticated, saved != nil else { throw error }
            }
            if let saved { try invocation.updateSessions { $0.removeAll { $0.token == saved.token } } }
            try invocation.show(document: SignedOutDocument(signedOut: true, allSessions: all)) {
                invocation.text("Signed out.", "로그아웃했습니다.") + "\n"
            }
        }
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
struct SignedOutDocument: Encodable, Sendable, Hashable {
    let signedOut: Bool
    let allSessions: Bool
}
