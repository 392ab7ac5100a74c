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
            } show: { response in
                position = response.resumeToken
                switch response.update {
                case .event(let event)?:
                    try invocation.showLine(response) { invocation.line(event) }
                case .resync?:
                    if invocation.usesJSON { return try invocation.showLine(response) { "" } }
                    invocation.remark(
                        "Something was missed: it is too long ago. Read the lists again; news follow.",
                        "너무 오래되어 놓친 소식이 있습니다. 목록을 다시 확인해 주세요. 새 소식은 계속 표시됩니다.")
                case .position?, nil:
                    // A new connection begins with the position it was given, and later ones only say that the stream lives.
                    if hasBegun { return }
                    if invocation.usesJSON {
                        try invocation.showLine(response) { "" }
                    } else {
                        invocation.remark("Watching. Ctrl-C ends it.", "지켜보고 있습니다. Ctrl-C를 누르면 끝납니다.")
                    }
                }
                hasBegun = true
            }
        }
    }
}
