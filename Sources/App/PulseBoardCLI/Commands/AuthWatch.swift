import ArgumentParser
import PulseBoardMessages

/// `pulseboard auth watch`
struct AuthWatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Tell your state now and whenever it changes.",
        discussion: """
            One line a state, with --json one JSON document a line. It ends with exit code 0 when the session ends, at once \
            if you are signed out, and with Ctrl-C.
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let token = try invocation.token()
            var last: PBAuthState?
            try await invocation.watch(about: .session) {
                invocation.auth.watchAuthState(
                    PBWatchAuthStateRequest(), options: invocation.watchOptions(token: token))
            } show: { state in
                // After a new connection the state may be the one that was shown.
                guard state != last else { return }
                last = state
                try invocation.showLine(state) { state.state.phrase.text(in: invocation.language) }
            }
        }
    }
}
