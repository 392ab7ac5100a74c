import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard profile check-username`
struct ProfileCheckUsername: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-username",
        abstract: "Say whether you could take a username, and if not, why.",
        discussion: """
            A name that cannot be taken is an answer, not an error: the exit code is 0.

            Examples:
              pulseboard profile check-username alice
              pulseboard profile check-username 가
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The name to check.")
    var name: String

    func run() async throws {
        try await options.run { invocation in
            let answer = try await invocation.call(about: .nothing) { (options) async throws(RPCError) in
                var request = PBCheckUsernameRequest()
                request.username = name
                return try await invocation.profiles.checkUsername(request, options: options)
            }
            try invocation.show(answer) { Self.text(answer, typed: name, invocation) }
        }
    }

    private static func text(_ answer: PBCheckUsernameResponse, typed: String, _ invocation: Invocation) -> String {
        let name = (answer.normalized.isEmpty ? typed : answer.normalized).safeForTerminal
        if answer.available { return invocation.text("\(name) is free.", "\(name): 사용할 수 있습니다.") + "\n" }
        var text = invocation.text("\(name) cannot be taken:", "\(name): 사용할 수 없습니다.") + "\n"
        for violation in answer.violations {
            let localized = violation.message?.message ?? ""
            let known = ErrorCatalogue.phrase(forReason: violation.reason)?.text(in: invocation.language)
            text += "  - " + (localized.isEmpty ? known ?? violation.reason : localized).safeForTerminal + "\n"
        }
        return text
    }
}
