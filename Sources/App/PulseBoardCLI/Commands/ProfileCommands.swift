import ArgumentParser
import CommandHelp
import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard profile show`
struct ProfileShow: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: Phrase("Show your profile or somebody else's.", "내 프로필이나 다른 사람의 프로필을 봅니다."),
            discussion: Phrase(
                """
                If you have no profile yet, that is a state: the answer is the command that makes one, and the exit code is 69.

                Examples:
                  pulseboard profile show
                  pulseboard profile show @alice
                """,
                """
                아직 프로필이 없어도 오류가 아닙니다. 프로필을 만드는 명령을 알려 주고 종료 코드 69로 끝납니다.

                예:
                  pulseboard profile show
                  pulseboard profile show @alice
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase("Whose profile: @username or user id. Without it, your own.", "누구의 프로필인지: @사용자 이름 또는 사용자 ID. 생략하면 내 것입니다.")))
    var user: UserReference?

    @Option(
        help: ArgumentHelp(
            Phrase("How to draw the picture: kitty, iterm2, sixel or none.", "사진을 그릴 방법: kitty, iterm2, sixel, none."),
            discussion: Phrase(
                "Without it: what the terminal can. Elsewhere the picture's path and size are shown.",
                "생략하면 터미널이 할 수 있는 대로 그립니다. 그릴 수 없으면 사진의 경로와 크기를 보여 줍니다."),
            valueName: "protocol"))
    var image: TerminalPicture?

    func run() async throws {
        try await options.run { invocation in
            let profile =
                if let user {
                    try await invocation.profile(of: user)
                } else {
                    try await invocation.ownProfile()
                }
            let picture = await invocation.picture(of: profile, drawnBy: image)
            try invocation.show(profile) { (picture?.drawn ?? "") + invocation.card(profile, pictureBytes: picture?.byteCount) }
        }
    }
}

extension Invocation {
    /// The caller's own profile. Having none is a state and not an error.
    func ownProfile() async throws(CommandFailure) -> PBProfile {
        try await call(about: .ownProfile) { (options) async throws(RPCError) in
            try await profiles.getMyProfile(PBGetMyProfileRequest(), options: options)
        }
    }
}

/// The options for the texts of a profile.
struct ProfileTextOptions: ParsableArguments {
    @Option(of: .displayName) var displayName: String?
    @Option(of: .statusMessage) var statusMessage: String?

    /// The given text of a field; `nil` if none was given.
    subscript(field: ProfileTextField) -> String? {
        switch field {
        case .displayName: displayName
        case .statusMessage: statusMessage
        }
    }
}

extension Option<String?> {
    /// The option of a profile's text, as the table of texts describes it.
    fileprivate init(of field: ProfileTextField) {
        let (facts, limit) = (field.facts, field.facts.maximumCharacters)
        let help = Phrase(
            "\(facts.summary.english), at most \(limit) characters; empty for none.",
            "\(facts.summary.korean), 최대 \(limit)자. 비워 두면 설정하지 않습니다.")
        self.init(name: .customLong(facts.option), help: ArgumentHelp(help, valueName: "text"))
    }
}

/// `pulseboard profile create`
struct ProfileCreate: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "create",
            abstract: Phrase("Make your profile.", "프로필을 만듭니다."),
            discussion: Phrase(
                """
                A username has 2 to 9 characters: English letters, digits, Hangul syllables and _. Upper and lower case do not \
                make two names.

                Examples:
                  pulseboard profile create --username alice
                  pulseboard profile create --username 하늘 --display-name "김하늘" --status "반갑습니다"
                """,
                """
                사용자 이름은 2자에서 9자이며 영문, 숫자, 한글, _를 쓸 수 있습니다. 대소문자만 다른 이름은 같은 이름입니다.

                예:
                  pulseboard profile create --username alice
                  pulseboard profile create --username 하늘 --display-name "김하늘" --status "반갑습니다"
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp(Phrase("Your unique name.", "다른 사람과 겹치지 않는 내 사용자 이름."), valueName: "name"))
    var username: String

    @OptionGroup var texts: ProfileTextOptions

    func run() async throws {
        try await options.run { invocation in
            let profile = try await invocation.write(about: .ownProfile) { (requestID, options) async throws(RPCError) in
                var request = PBCreateProfileRequest()
                request.username = username
                for field in ProfileTextField.allCases { request[field] = texts[field] ?? "" }
                request.requestID = requestID
                return try await invocation.profiles.createProfile(request, options: options)
            }
            try invocation.show(profile) { invocation.card(profile) }
        }
    }
}

/// `pulseboard profile edit`
struct ProfileEdit: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "edit",
            abstract: Phrase("Change your profile. What you do not name stays as it is.", "프로필을 바꿉니다. 지정하지 않은 것은 그대로입니다."),
            discussion: Phrase(
                """
                Examples:
                  pulseboard profile edit --status "on holiday"
                  pulseboard profile edit --status ""              clear the status message
                  pulseboard profile edit --username bob --etag "$(pulseboard profile show --json | jq -r .etag)"
                """,
                """
                예:
                  pulseboard profile edit --status "휴가 중"
                  pulseboard profile edit --status ""              상태 메시지 지우기
                  pulseboard profile edit --username bob --etag "$(pulseboard profile show --json | jq -r .etag)"
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp(Phrase("A new unique name.", "다른 사람과 겹치지 않는 새 사용자 이름."), valueName: "name"))
    var username: String?

    @OptionGroup var texts: ProfileTextOptions

    @Option(help: ArgumentHelp(Phrase("Change only if the profile still has this etag.", "프로필의 etag가 아직 이것일 때만 바꿉니다."), valueName: "etag"))
    var etag: String?

    func validate() throws {
        guard username != nil || ProfileTextField.allCases.contains(where: { texts[$0] != nil }) else {
            let options = Phrase.Help.oneOf((["username"] + ProfileTextField.allCases.map(\.facts.option)).map { "--" + $0 })
            throw ValidationError(Phrase(
                "Nothing to change: give \(options.english).", "바꿀 것이 없습니다. \(options.korean) 가운데 하나를 지정해 주세요."))
        }
    }

    func run() async throws {
        try await options.run { invocation in
            let profile = try await invocation.write(about: .ownProfile) { (requestID, options) async throws(RPCError) in
                try await invocation.profiles.updateProfile(request(id: requestID), options: options)
            }
            try invocation.show(profile) { invocation.card(profile) }
        }
    }

    private func request(id: String) -> PBUpdateProfileRequest {
        var profile = PBProfile()
        var mask = Google_Protobuf_FieldMask()
        if let username {
            profile.username = username
            mask.paths.append("username")
        }
        for field in ProfileTextField.allCases {
            guard let text = texts[field] else { continue }
            profile[field] = text
            mask.paths.append(field.facts.path)
        }
        profile.etag = etag ?? ""
        var request = PBUpdateProfileRequest()
        request.profile = profile
        request.updateMask = mask
        request.requestID = id
        return request
    }
}

/// `pulseboard profile delete`
struct ProfileDelete: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "delete",
            abstract: Phrase(
                "Delete your profile, your follows and your sessions. This cannot be undone.", "프로필, 팔로우, 세션을 모두 지웁니다. 되돌릴 수 없습니다."),
            discussion: Phrase(
                """
                On a terminal you are asked to type your username. A script says --yes.
                Your diary is deleted on the server, and stays in the directories of your devices. They send it again if you make a profile again.

                Examples:
                  pulseboard profile delete
                  pulseboard profile delete --yes
                """,
                """
                터미널에서는 확인을 위해 사용자 이름을 입력받습니다. 스크립트에서는 --yes를 쓰세요.
                서버의 일기는 지워지지만 기기의 디렉터리에는 남습니다. 프로필을 다시 만들면 기기가 일기를 다시 보냅니다.

                예:
                  pulseboard profile delete
                  pulseboard profile delete --yes
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Flag(help: ArgumentHelp(Phrase("Do not ask.", "묻지 않습니다.")))
    var yes = false

    func run() async throws {
        try await options.run { invocation in
            let invocation = try invocation.keepingSession()
            // The profile is read before the question, so that an error comes before the user types anything.
            let profile = try await invocation.ownProfile()
            let name = profile.username.safeForTerminal
            if !yes { try await confirm(name, invocation) }
            // A lost answer counts as a deletion.
            _ = try await invocation.writeEndingSessions(about: .ownProfile) { (requestID, options) async throws(RPCError) in
                try await invocation.profiles.deleteMyProfile(PBDeleteMyProfileRequest(requestID: requestID), options: options)
            }
            invocation.forgetSessions { $0.removeAll { $0.userID == profile.userID } }
            try invocation.show(document: DeletedDocument(deletedUserId: profile.userID, username: profile.username)) {
                invocation.text("@\(name) is deleted.", "@\(name) 프로필을 삭제했습니다.") + "\n"
            }
        }
    }

    /// Asks the user to type the username.
    private func confirm(_ username: String, _ invocation: Invocation) async throws(CommandFailure) {
        try await invocation.confirm(
            unasked: Phrase(
                "Deleting asks for a confirmation, and there is no terminal to ask on.", "삭제하려면 확인이 필요하지만, 물어볼 터미널이 없습니다."),
            byCommand: "profile delete --yes",
            question: Phrase(
                "This deletes @\(username) with all follows and sessions, for good.\nType the username to go on: ",
                "@\(username) 프로필과 모든 팔로우, 세션이 영구히 삭제됩니다.\n계속하려면 사용자 이름을 입력하세요: "),
            refusal: Phrase("Not deleted: that is not the username.", "사용자 이름이 달라 삭제하지 않았습니다.")
        ) { typed in typed == username || typed == "@" + username }
    }
}

/// The JSON answer of `profile delete`.
private struct DeletedDocument: Encodable, Sendable, Hashable {
    let deletedUserId: String
    let username: String
}

/// `pulseboard profile search`
struct ProfileSearch: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "search",
            abstract: Phrase("Find profiles whose username or display name starts with a text.", "사용자 이름이나 표시 이름이 어떤 글자로 시작하는 프로필을 찾습니다."),
            discussion: Phrase(
                """
                Examples:
                  pulseboard profile search ali
                  pulseboard profile search 김 --limit 10
                """,
                """
                예:
                  pulseboard profile search ali
                  pulseboard profile search 김 --limit 10
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var list: ListOptions

    @Argument(help: ArgumentHelp(Phrase("How the name starts; upper and lower case are alike.", "이름의 첫 부분. 대소문자는 가리지 않습니다.")))
    var query: String

    func run() async throws {
        try await options.run { invocation in
            var request = PBSearchProfilesRequest()
            request.query = query
            try await invocation.show(
                list, of: request, about: .nothing, from: invocation.profiles.searchProfiles(_:options:), as: invocation.table)
        }
    }
}

/// `pulseboard profile watch`
struct ProfileWatch: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "watch",
            abstract: Phrase("Show your profile or somebody else's now and whenever it changes.", "내 프로필이나 다른 사람의 프로필을 보여 주고, 바뀔 때마다 다시 보여 줍니다."),
            discussion: Phrase(
                """
                One line a change, with --json one JSON document a line. Ctrl-C ends it with exit code 0; it ends with 69 when \
                the profile is deleted.

                Example: pulseboard profile watch @alice
                """,
                """
                바뀔 때마다 한 줄, --json을 쓰면 한 줄에 JSON 문서 하나를 씁니다. Ctrl-C를 누르면 종료 코드 0으로, 프로필이 지워지면 69로 끝납니다.

                예: pulseboard profile watch @alice
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase("Whose profile: @username or user id. Without it, your own.", "누구의 프로필인지: @사용자 이름 또는 사용자 ID. 생략하면 내 것입니다.")))
    var user: UserReference?

    func run() async throws {
        try await options.run { invocation in
            let token = try invocation.requiredToken()
            let userID = try await invocation.userID(of: user)
            var last: PBProfile?
            try await invocation.watch(about: user.map { .user($0.text) } ?? .ownProfile) {
                var request = PBWatchProfileRequest()
                request.userID = userID
                return invocation.profiles.watchProfile(request, options: invocation.watchOptions(token: token))
            } show: { response in
                switch response.update {
                case .profile(let profile)?:
                    // After a new connection the state may be the same as before.
                    guard profile.etag != last?.etag else { return }
                    last = profile
                    try invocation.showLine(profile) { invocation.line(profile) }
                case .withdrawn?:
                    throw CommandFailure(
                        code: .notFound, reason: Reason.userNotFound.rawValue,
                        message: invocation.text("The profile is gone.", "프로필이 삭제되었습니다."))
                case .heartbeat?, nil: break
                }
            }
        }
    }
}
