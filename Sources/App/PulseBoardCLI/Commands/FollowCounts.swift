import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard follow counts`
struct FollowCounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counts",
        abstract: "Say how many follow a user, and how many the user follows.",
        discussion: """
            Examples:
              pulseboard follow counts
              pulseboard follow counts @alice
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Of whom: @username or user id. Without it, of you.")
    var user: UserReference?

    func run() async throws {
        try await options.run { invocation in
            let subject = user.map { CallSubject.user($0.text) } ?? .ownProfile
            let userID = try await invocation.userID(of: user)
            let counts = try await invocation.call(about: subject) { (options) async throws(RPCError) in
                var request = PBGetFollowCountsRequest()
                request.userID = userID
                return try await invocation.follows.getFollowCounts(request, options: options)
            }
            try invocation.show(counts) {
                var table = Table([
                    .init(invocation.text("FOLLOWERS", "팔로워"), .right), .init(invocation.text("FOLLOWING", "팔로잉"), .right),
                ])
                table.append([Int(counts.followers).grouped, Int(counts.following).grouped])
                return table.rendered(invocation.style)
            }
        }
    }
}
