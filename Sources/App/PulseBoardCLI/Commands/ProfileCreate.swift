import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard profile create`
struct ProfileCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make your profile.",
        discussion: """
            A username has 2 to 9 characters: English letters, digits, Hangul syllables and _. Upper and lower case do not \
            make two names.

            Examples:
              pulseboard profile create --username alice
              pulseboard profile create --username 하늘 --display-name "김하늘" --status "반갑습니다"
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("Your unique name.", valueName: "name"))
    var username: String

    @Option(help: ArgumentHelp("A free name, at most 50 characters.", valueName: "text"))
    var displayName = ""

    @Option(help: ArgumentHelp("A status message, at most 140 characters.", valueName: "text"))
    var status = ""

    func run() async throws {
        try await options.run { invocation in
            let profile = try await invocation.write(about: .ownProfile) { (requestID, options) async throws(RPCError) in
                var request = PBCreateProfileRequest()
                request.username = username
                request.displayName = displayName
                request.statusMessage = status
                request.requestID = requestID
                return try await invocation.profiles.createProfile(request, options: options)
            }
            try invocation.show(profile) { invocation.card(profile) }
        }
    }
}
