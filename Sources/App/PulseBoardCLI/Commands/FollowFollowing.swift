import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard follow following`
struct FollowFollowing: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "following",
        abstract: "List whom a user follows, newest first.",
        discussion: """
            Examples:
              pulseboard follow following
              pulseboard follow following @alice --limit 10
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var list: ListOptions

    @Argument(help: "Of whom: @username or user id. Without it, of you.")
    var user: UserReference?

    func run() async throws {
        try await options.run { invocation in
            let subject = user.map { CallSubject.user($0.text) } ?? .ownProfile
            let userID = try await invocation.userID(of: user)
            let pages = try await list.collect { (size, token) async throws(CommandFailure) in
                let answer = try await invocation.call(about: subject) { (options) async throws(RPCError) in
                    var request = PBListFollowingRequest()
                    request.userID = userID
                    request.pageSize = size
                    request.pageToken = token
                    return try await invocation.follows.listFollowing(request, options: options)
                }
                return (answer.users, answer.nextPageToken)
            }
            var answer = PBListFollowingResponse()
            answer.users = pages.items
            answer.nextPageToken = pages.nextPageToken
            try invocation.show(answer) { invocation.table(pages.items) }
            invocation.remarkIfMore(pages.nextPageToken)
        }
    }
}
