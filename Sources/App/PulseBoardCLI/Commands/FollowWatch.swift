import ArgumentParser
import PulseBoardMessages

/// `pulseboard follow watch`
struct FollowWatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Tell whenever somebody follows you, you follow somebody, or either ends.",
        discussion: """
            One line an event, with --json one JSON document a line, each with the token that resumes after it; the first \
            document only says where the watch begins. When the server goes away it goes on as soon as it is back, without \
            a gap. Ctrl-C ends it with exit code 0.

            Examples:
              pulseboard follow watch
              pulseboard follow watch --json --resume TOKEN
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("Tell first what has happened since the document with this token.", valueName: "token"))
    var resume = ""

    func run() async throws {
        try await options.run { invocation in
            let token = try invocation.requiredToken()
            var position = resume
            var hasBegun = false
            try await invocation.watch(about: .ownProfile) {
                var request = PBWatchFollowsRequest()
                request.resumeToken = position
                return invocation.follows.watchFollows(request, options: invocation.watchOptions(token: token))
            } show: { event in
                position = event.resumeToken
                // A new connection begins with the position it was given.
                if event.kind == .position, hasBegun { return }
                hasBegun = true
                if event.kind == .position, !invocation.usesJSON {
                    return invocation.remark("Watching. Ctrl-C ends it.", "지켜보고 있습니다. Ctrl-C를 누르면 끝납니다.")
                }
                try invocation.showLine(event) { invocation.line(event) }
            }
        }
    }
}
