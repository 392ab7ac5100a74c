import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard follow remove`
struct FollowRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Stop following somebody. It is fine if you did not.",
        discussion: """
            Example: pulseboard follow remove @alice
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Whom to stop following: @username or user id.")
    var user: UserReference

    func run() async throws {
        try await options.run { invocation in
            let userID = try await invocation.userID(of: user)
            let relationship = try await invocation.write(about: .user(user.text)) {
                (requestID, options) async throws(RPCError) in
                var request = PBUnfollowRequest()
                request.userID = userID
                request.requestID = requestID
                return try await invocation.follows.unfollow(request, options: options)
            }
            try invocation.show(relationship) { invocation.sentence(relationship, with: user) }
        }
    }
}
