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
        // A name that keeps every rule and is still not to be had belongs to somebody.
        if answer.violations.isEmpty { text += "  - " + Self.text(reason: "USERNAME_DUPLICATED", "", invocation) + "\n" }
        for violation in answer.violations {
            text += "  - " + Self.text(reason: violation.reason, violation.message?.message ?? "", invocation) + "\n"
        }
        return text
    }

    /// The server's text, or else the catalogue's, or else the bare reason.
    private static func text(reason: String, _ localized: String, _ invocation: Invocation) -> String {
        guard localized.isEmpty else { return localized.safeForTerminal }
        return ErrorCatalogue.phrase(forReason: reason)?.text(in: invocation.language) ?? reason.safeForTerminal
    }
}
