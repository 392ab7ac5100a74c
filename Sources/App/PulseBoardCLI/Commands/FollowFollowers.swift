import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard follow followers`
struct FollowFollowers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "followers",
        abstract: "List who follows a user, newest first.",
        discussion: """
            Examples:
              pulseboard follow followers
              pulseboard follow followers @alice --limit 10
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
                    var request = PBListFollowersRequest()
                    request.userID = userID
                    request.pageSize = size
                    request.pageToken = token
                    return try await invocation.follows.listFollowers(request, options: options)
                }
                return (answer.users, answer.nextPageToken)
            }
            var answer = PBListFollowersResponse()
            answer.users = pages.items
            answer.nextPageToken = pages.nextPageToken
            try invocation.show(answer) { invocation.table(pages.items) }
            invocation.remarkIfMore(pages.nextPageToken)
        }
    }
}
