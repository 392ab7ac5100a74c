import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard profile show`
struct ProfileShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show your profile or somebody else's.",
        discussion: """
            If you have no profile yet, that is a state: the answer is the command that makes one, and the exit code is 69.

            Examples:
              pulseboard profile show
              pulseboard profile show @alice
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Whose profile: @username or user id. Without it, your own.")
    var user: UserReference?

    func run() async throws {
        try await options.run { invocation in
            let profile =
                if let user {
                    try await invocation.profile(of: user)
                } else {
                    try await invocation.ownProfile()
                }
            try invocation.show(profile) { invocation.card(profile) }
        }
    }
}

extension Invocation {
    /// The caller's own profile; its absence is a state.
    func ownProfile() async throws(CommandFailure) -> PBProfile {
        try await call(about: .ownProfile) { (options) async throws(RPCError) in
            try await profiles.getMyProfile(PBGetMyProfileRequest(), options: options)
        }
    }
}
