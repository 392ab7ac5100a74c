import ArgumentParser
import CommandHelp
import PulseBoardMessages
import PulseBoardVocabulary

/// `pulseboard onboard`
struct OnboardCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "onboard",
            abstract: Phrase("Lead a newcomer from sign-in to a profile and the first follow.", "처음 온 사람을 로그인부터 프로필과 첫 팔로우까지 안내합니다."),
            discussion: Phrase(
                """
                It asks for what is missing, and begins where the account stands. A username is checked while it is typed. Whatever an option \
                answers or skips is not asked. Ctrl-C ends it; the next run goes on where this one stopped. While the server is away it waits, on a \
                terminal. If you already have a profile, --username, --picture and the texts are not used.

                Examples:
                  pulseboard onboard
                  pulseboard onboard --id-token google.jwt
                  pulseboard onboard --username alice --skip display-name --skip status --skip picture --follow @bob
                """,
                """
                아직 입력하지 않은 것만 묻고, 계정의 현재 단계에서 시작합니다. 사용자 이름은 입력하는 동안 확인합니다. 옵션으로 답하거나 건너뛴 것은 묻지 않습니다. \
                Ctrl-C를 누르면 끝나고, 다음에 실행하면 멈춘 곳에서 이어집니다. 터미널에서는 서버가 없는 동안 기다립니다. \
                이미 프로필이 있으면 --username, --picture와 글 옵션은 쓰이지 않습니다.

                예:
                  pulseboard onboard
                  pulseboard onboard --id-token google.jwt
                  pulseboard onboard --username alice --skip display-name --skip status --skip picture --follow @bob
                """))
    }

    /// A step that can be skipped.
    enum Step: CaseIterable, Hashable, ExpressibleByArgument {
        case text(ProfileTextField)
        case picture, follow

        static let allCases = ProfileTextField.allCases.map { Step.text($0) } + [.picture, .follow]
        static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }

        init?(argument: String) {
            guard let step = Self.allCases.first(where: { $0.defaultValueDescription == argument }) else { return nil }
            self = step
        }

        /// The word of the step.
        var defaultValueDescription: String {
            switch self {
            case .text(let field): field.facts.option
            case .picture: "picture"
            case .follow: "follow"
            }
        }
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var token: IDTokenOptions

    @Option(help: ArgumentHelp(Phrase("Your unique name.", "다른 사람과 겹치지 않는 내 사용자 이름."), valueName: "name"))
    var username: String?

    @OptionGroup var texts: ProfileTextOptions

    @Option(
        help: ArgumentHelp(Phrase("The file of a picture.", "사진 파일."), valueName: "file"),
        completion: .file(extensions: ["jpg", "jpeg", "png", "webp"]))
    var picture: String?

    @Option(help: ArgumentHelp(Phrase(
        "Whom to follow: @username or user id; may be given several times.",
        "팔로우할 사람: @사용자 이름 또는 사용자 ID. 여러 번 쓸 수 있습니다."), valueName: "user"))
    var follow: [UserReference] = []

    @Option(help: ArgumentHelp(skipHelp, valueName: "step"))
    var skip: [Step] = []

    private static var skipHelp: Phrase {
        let steps = Phrase.Help.oneOf(Step.allValueStrings)
        return Phrase("A step to leave out: \(steps.english); may be given several times.", "건너뛸 단계: \(steps.korean). 여러 번 쓸 수 있습니다.")
    }

    func run() async throws {
        try await options.run { invocation in
            if token.idToken != nil, invocation.givenToken != nil {
                throw CommandFailure(
                    code: .invalidArgument, reason: "TOKEN_GIVEN",
                    message: invocation.text(
                        "PULSEBOARD_TOKEN says who you are. Unset it, or leave --id-token out.",
                        "PULSEBOARD_TOKEN이 이미 누구인지 말하고 있습니다. 이 변수를 지우거나 --id-token을 빼 주세요."))
            }
            // Read it before any question, because both may come from standard input.
            var idToken: PBIdTokenCredential?
            if let path = token.idToken { idToken = try await invocation.idToken(at: path, nonce: token.nonce) }
            var onboarding = Onboarding(invocation, self, idToken: idToken)
            defer { onboarding.end() }
            let profile = try await onboarding.run()
            // The program ends in `show` if its reader has gone, and the terminal must be as it was.
            onboarding.end()
            try invocation.show(profile) { invocation.card(profile) }
        }
    }
}
