import ArgumentParser
import PulseBoardMessages

/// `pulseboard profile watch`
struct ProfileWatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show your profile or somebody else's now and whenever it changes.",
        discussion: """
            One line a change, with --json one JSON document a line. Ctrl-C ends it with exit code 0; it ends with 69 when \
            the profile is deleted.

            Example: pulseboard profile watch @alice
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Whose profile: @username or user id. Without it, your own.")
    var user: UserReference?

    func run() async throws {
        try await options.run { invocation in
            let token = try invocation.requiredToken()
            let userID = try await invocation.userID(of: user)
            var last: PBProfile?
            try await invocation.watch(about: user.map { .user($0.text) } ?? .ownProfile) {
                var request = PBWatchProfileRequest()
                request.userID = userID
                return invocation.profiles.watchProfile(request, options: invocation.watchOptions(token: token))
            } show: { profile in
                // After a new connection the state may be the one that was shown.
                guard profile.etag != last?.etag else { return }
                last = profile
                try invocation.showLine(profile) { invocation.line(profile) }
            }
        }
    }
}
