import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard follow add`
struct FollowAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Follow somebody. Following twice is following once.",
        discussion: """
            Example: pulseboard follow add @alice
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Whom to follow: @username or user id.")
    var user: UserReference

    func run() async throws {
        try await options.run { invocation in
            let userID = try await invocation.userID(of: user)
            let relationship = try await invocation.write(about: .user(user.text)) {
                (requestID, options) async throws(RPCError) in
                var request = PBFollowRequest()
                request.userID = userID
                request.requestID = requestID
                return try await invocation.follows.follow(request, options: options)
            }
            try invocation.show(relationship) { invocation.sentence(relationship, with: user) }
        }
    }
}
