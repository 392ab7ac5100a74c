import ArgumentParser
import CommandHelp
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard follow add`
struct FollowAdd: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "add",
            abstract: Phrase("Follow somebody. Following twice is following once.", "누군가를 팔로우합니다. 두 번 해도 한 번 한 것과 같습니다."),
            discussion: Phrase(
                """
                Example: pulseboard follow add @alice
                """,
                """
                예: pulseboard follow add @alice
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase("Whom to follow: @username or user id.", "팔로우할 사람: @사용자 이름 또는 사용자 ID.")))
    var user: UserReference

    func run() async throws {
        try await options.run { invocation in
            try await invocation.change(with: user) { (userID, requestID, options) async throws(RPCError) in
                try await invocation.follows.follow(PBFollowRequest(userID: userID, requestID: requestID), options: options)
            }
        }
    }
}

/// `pulseboard follow remove`
struct FollowRemove: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "remove",
            abstract: Phrase("Stop following somebody. It is fine if you did not.", "팔로우를 취소합니다. 팔로우하지 않았어도 괜찮습니다."),
            discussion: Phrase(
                """
                Example: pulseboard follow remove @alice
                """,
                """
                예: pulseboard follow remove @alice
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase("Whom to stop following: @username or user id.", "팔로우를 취소할 사람: @사용자 이름 또는 사용자 ID.")))
    var user: UserReference

    func run() async throws {
        try await options.run { invocation in
            try await invocation.change(with: user) { (userID, requestID, options) async throws(RPCError) in
                try await invocation.follows.unfollow(PBUnfollowRequest(userID: userID, requestID: requestID), options: options)
            }
        }
    }
}

/// `pulseboard follow remove-follower`
struct FollowRemoveFollower: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "remove-follower",
            abstract: Phrase("Make somebody stop following you.", "나를 팔로우하는 사람을 팔로워에서 삭제합니다."),
            discussion: Phrase(
                """
                Example: pulseboard follow remove-follower @mallory
                """,
                """
                예: pulseboard follow remove-follower @mallory
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase("Whose following of you to end: @username or user id.", "나를 더 이상 팔로우하지 못하게 할 사람: @사용자 이름 또는 사용자 ID.")))
    var user: UserReference

    func run() async throws {
        try await options.run { invocation in
            try await invocation.change(with: user) { (userID, requestID, options) async throws(RPCError) in
                try await invocation.follows.removeFollower(PBRemoveFollowerRequest(userID: userID, requestID: requestID), options: options)
            }
        }
    }
}

/// `pulseboard follow status`
struct FollowStatus: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "status",
            abstract: Phrase("Say whether you follow somebody, and whether they follow you.", "내가 그 사람을, 그 사람이 나를 팔로우하는지 알려 줍니다."),
            discussion: Phrase(
                """
                Example: pulseboard follow status @alice
                """,
                """
                예: pulseboard follow status @alice
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase("Whom: @username or user id.", "누구: @사용자 이름 또는 사용자 ID.")))
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
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "counts",
            abstract: Phrase("Say how many follow a user, and how many the user follows.", "팔로워와 팔로잉이 몇 명인지 알려 줍니다."),
            discussion: Phrase(
                """
                Examples:
                  pulseboard follow counts
                  pulseboard follow counts @alice
                """,
                """
                예:
                  pulseboard follow counts
                  pulseboard follow counts @alice
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase("Of whom: @username or user id. Without it, of you.", "누구의 것인지: @사용자 이름 또는 사용자 ID. 생략하면 나입니다.")))
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
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "followers",
            abstract: Phrase("List who follows a user, newest first.", "팔로워를 최근 순서로 나열합니다."),
            discussion: Phrase(
                """
                Examples:
                  pulseboard follow followers
                  pulseboard follow followers @alice --limit 10
                """,
                """
                예:
                  pulseboard follow followers
                  pulseboard follow followers @alice --limit 10
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var list: ListOptions

    @Argument(help: ArgumentHelp(Phrase("Of whom: @username or user id. Without it, of you.", "누구의 것인지: @사용자 이름 또는 사용자 ID. 생략하면 나입니다.")))
    var user: UserReference?

    func run() async throws {
        try await options.run { invocation in
            let subject = user.map { CallSubject.user($0.text) } ?? .ownProfile
            var request = PBListFollowersRequest()
            request.userID = try await invocation.userID(of: user)
            try await invocation.show(
                list, of: request, about: subject, from: invocation.follows.listFollowers(_:options:), as: invocation.table)
        }
    }
}

/// `pulseboard follow following`
struct FollowFollowing: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "following",
            abstract: Phrase("List whom a user follows, newest first.", "팔로우하는 사람을 최근 순서로 나열합니다."),
            discussion: Phrase(
                """
                Examples:
                  pulseboard follow following
                  pulseboard follow following @alice --limit 10
                """,
                """
                예:
                  pulseboard follow following
                  pulseboard follow following @alice --limit 10
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var list: ListOptions

    @Argument(help: ArgumentHelp(Phrase("Of whom: @username or user id. Without it, of you.", "누구의 것인지: @사용자 이름 또는 사용자 ID. 생략하면 나입니다.")))
    var user: UserReference?

    func run() async throws {
        try await options.run { invocation in
            let subject = user.map { CallSubject.user($0.text) } ?? .ownProfile
            var request = PBListFollowingRequest()
            request.userID = try await invocation.userID(of: user)
            try await invocation.show(
                list, of: request, about: subject, from: invocation.follows.listFollowing(_:options:), as: invocation.table)
        }
    }
}

/// `pulseboard follow watch`
struct FollowWatch: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "watch",
            abstract: Phrase(
                "Tell whenever somebody follows you, you follow somebody, or either ends.", "누가 나를 팔로우하거나, 내가 누구를 팔로우하거나, 그것이 끝날 때마다 알려 줍니다."),
            discussion: Phrase(
                """
                One line an event, with --json one JSON document a line, each with the token that resumes after it; the first \
                document only says where the watch begins. When the server goes away it goes on as soon as it is back, without \
                a gap. Ctrl-C ends it with exit code 0.

                Examples:
                  pulseboard follow watch
                  pulseboard follow watch --json --resume TOKEN
                """,
                """
                소식마다 한 줄, --json을 쓰면 한 줄에 JSON 문서 하나를 씁니다. 문서마다 그다음부터 이어 볼 토큰이 있고, 첫 문서는 \
                어디서 시작하는지만 알려 줍니다. 서버가 사라지면 돌아오는 대로 빠짐없이 이어집니다. Ctrl-C를 누르면 종료 코드 0으로 끝납니다.

                예:
                  pulseboard follow watch
                  pulseboard follow watch --json --resume 토큰
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp(Phrase(
        "Tell first what has happened since the document with this token.",
        "이 토큰이 담긴 문서 뒤에 있었던 일부터 알려 줍니다."), valueName: "token"))
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
                    if invocation.isForProgram {
                        try invocation.showLine(response) { "" }
                    } else {
                        invocation.remark(
                            "Something was missed: it is too long ago. Read the lists again; news follow.",
                            "너무 오래되어 놓친 소식이 있습니다. 목록을 다시 확인해 주세요. 새 소식은 계속 표시됩니다.")
                    }
                case .position?, nil:
                    // A new connection begins with a position, and later positions are only heartbeats.
                    if hasBegun { return }
                    if invocation.isForProgram {
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

extension Invocation {
    /// Changes how the caller stands to a user, and shows how that is now.
    fileprivate func change(
        with user: UserReference,
        _ body: (_ userID: String, _ requestID: String, CallOptions) async throws(RPCError) -> PBRelationship
    ) async throws {
        let userID = try await userID(of: user)
        let relationship = try await write(about: .user(user.text)) { (requestID, options) async throws(RPCError) in
            try await body(userID, requestID, options)
        }
        try show(relationship) { sentence(relationship, with: user) }
    }
}
