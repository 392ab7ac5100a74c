import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard follow remove-follower`
struct FollowRemoveFollower: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-follower",
        abstract: "Make somebody stop following you.",
        discussion: """
            Example: pulseboard follow remove-follower @mallory
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Whose following of you to end: @username or user id.")
    var user: UserReference

    func run() async throws {
        try await options.run { invocation in
            let userID = try await invocation.userID(of: user)
            let relationship = try await invocation.write(about: .user(user.text)) {
                (requestID, options) async throws(RPCError) in
                var request = PBRemoveFollowerRequest()
                request.userID = userID
                request.requestID = requestID
                return try await invocation.follows.removeFollower(request, options: options)
            }
            try invocation.show(relationship) { invocation.sentence(relationship, with: user) }
        }
    }
}
