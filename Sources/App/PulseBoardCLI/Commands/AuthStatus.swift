import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard auth status`
struct AuthStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say who you are to the server and what to do next.",
        discussion: "Being signed out is an answer, not an error: the exit code is 0.")

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
struct StatusDocument: Encodable, Sendable, Hashable {
    let socket: String
    /// The name given at sign-in; empty for the own Unix account.
    let account: String
    let state: String
    let userId: String
}
