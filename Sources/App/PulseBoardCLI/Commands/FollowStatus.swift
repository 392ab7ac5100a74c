import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard follow status`
struct FollowStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say whether you follow somebody, and whether they follow you.",
        discussion: """
            Example: pulseboard follow status @alice
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Whom: @username or user id.")
    var user: UserReference

    func run() async throws {
        try await options.run { invocation in
            let userID = try await invocation.userID(of: user)
            let relationship = try await invocation.call(about: .user(user.text)) { (options) async throws(RPCError) in
                var request = PBGetRelationshipRequest()
                request.userID = userID
                return try await invocation.follows.getRelationship(request, options: options)
            }
            try invocation.show(relationship) { invocation.sentence(relationship, with: user) }
        }
    }
}
