import ArgumentParser
import PulseBoardMessages
import PulseBoardVocabulary

/// `pulseboard onboard`
struct OnboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "onboard",
        abstract: "Lead a newcomer from sign-in to a profile and the first follow.",
        discussion: """
            It asks for what is missing, and begins where the account stands. A username is checked while it is typed. Whatever an option answers or \
            skips is not asked. Ctrl-C ends it; the next run goes on where this one stopped. While the server is away it waits.

            Examples:
              pulseboard onboard
              pulseboard onboard --username alice --skip display-name --skip status --skip picture --follow @bob
            """)

    /// What may be left out.
    enum Step: String, CaseIterable, ExpressibleByArgument {
        case displayName = "display-name"
        case status, picture, follow
    }

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("Your unique name.", valueName: "name"))
    var username: String?

    @OptionGroup var texts: ProfileTextOptions

    @Option(help: ArgumentHelp("The file of a picture.", valueName: "file"), completion: .file(extensions: ["jpg", "jpeg", "png", "webp"]))
    var picture: String?

    @Option(help: ArgumentHelp("Whom to follow: @username or user id; may be given several times.", valueName: "user"))
    var follow: [UserReference] = []

    @Option(help: ArgumentHelp("A step to leave out: display-name, status, picture or follow; may be given several times.", valueName: "step"))
    var skip: [Step] = []

    func run() async throws {
        try await options.run { invocation in
            var onboarding = Onboarding(invocation, self)
            defer { onboarding.end() }
            let profile = try await onboarding.run()
            try invocation.show(profile) { invocation.card(profile) }
        }
    }
}
