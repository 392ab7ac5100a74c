import Foundation
import PulseBoardDomain
import PulseBoardVocabulary
import TestIdentityProvider
import Testing

/// `pulseboard onboard` in a pseudo-terminal, with the real server.
@Suite("The guided flow, end to end", .serialized, .timeLimit(.minutes(3)))
struct OnboardTests {
    /// These conversations ask for the first texts only, so that a new one does not change them.
    private static let skips = ProfileTextField.allCases.filter { !$0.facts.isOriginal }.map { " --skip " + $0.facts.option }.joined()

    @Test("B16, B20, B30, B32: from nobody to a follow, with refused answers and a restart of the server on the way")
    func wholeFlow() async throws {
        try await Household.withServer { house, server in
            _ = try await house.enter(as: "friend", username: "friend")
            let terminal = try Terminal(house, "onboard --account newcomer" + Self.skips)
            try await terminal.sees("Username: ")
            terminal.types("f")
            try await terminal.sees("at least 2 characters")
            terminal.types("riend")
            try await terminal.sees("checking")
            try await terminal.sees("This username is taken.")
            terminal.types("\u{15}fr1end")
            try await terminal.sees("looks like somebody else's")
            // The server ends while a name is typed, and comes back.
            server.send(SIGTERM)
            _ = try await server.ended()
            try await terminal.sees("the server is away")
            terminal.types("\u{15}minji")
            let second = try await house.startServer()
            try await terminal.sees("free; Enter takes it")
            terminal.types("\r")
            try await terminal.sees("Display name")
            terminal.types("관리자\r")
            try await terminal.sees("Status message")
            // It also ends between two questions.
            second.send(SIGTERM)
            _ = try await second.ended()
            terminal.types("hello\r")
            try await terminal.sees("File of a picture")
            terminal.types("\r")
            try await terminal.sees("Trying again")
            _ = try await house.startServer()
            // One answer is refused. It is asked for again, and the others stay.
            try await terminal.sees("This display name is reserved.")
            try await terminal.sees("Display name")
            terminal.types("Minji\r")
            try await terminal.sees("Your profile is there.")
            try await terminal.sees("Whom to follow?")
            terminal.types("@nobody\r")
            try await terminal.sees("There is no such profile.")
            terminal.types("@friend\r")
            try await terminal.sees("You follow @friend.")
            terminal.types("\r")
            #expect(try await terminal.program.ended() == .status(0))
            let profile = try await house.answer("profile", "show", as: "newcomer")
            #expect(profile["username"] == "minji")
            #expect(profile["displayName"] == "Minji")
            #expect(profile["statusMessage"] == "hello")
            #expect(try await house.answer("follow", "counts", as: "newcomer")["following"] == "1")
        }
    }

    @Test("a server that is away in the step of the picture is told once, in one sentence without its causes")
    func awayServer() async throws {
        try await Household.withServer { house, server in
            let picture = house.root + "/photo.png"
            try ImageTests.png.write(to: URL(filePath: picture))
            let terminal = try Terminal(
                house, "onboard --account newcomer --username minji --skip display-name --skip status --skip follow" + Self.skips)
            try await terminal.sees("File of a picture")
            server.send(SIGTERM)
            _ = try await server.ended()
            terminal.types(picture + "\r")
            try await terminal.sees("The server does not answer. Trying again; Ctrl-C ends it.")
            _ = try await house.startServer()
            try await terminal.sees("Your profile is there.")
            #expect(try await terminal.program.ended() == .status(0))
            let shown = String(decoding: terminal.program.progress.current.output, as: UTF8.self)
            #expect(shown.components(separatedBy: "Trying again").count == 2, "\(shown)")
            #expect(!shown.contains("Try again shortly") && !shown.contains("No server answers"), "\(shown)")
            #expect(try await house.answer("profile", "show", as: "newcomer")["image"]["contentType"] == "image/webp")
        }
    }

    @Test("what Ctrl-C ended goes on where it stopped, in Korean, and the name is kept meanwhile")
    func resumed() async throws {
        try await Household.withServer { house, _ in
            let first = try Terminal(house, "onboard --account one" + Self.skips, language: "ko_KR.UTF-8")
            try await first.sees("사용자 이름: ")
            first.types("민지")
            try await first.sees("사용할 수 있습니다")
            first.types("\r")
            try await first.sees("표시 이름")
            first.types("\u{3}")
            #expect(try await first.program.ended() == .status(130))
            _ = try await house.answer("auth", "login", as: "two")
            let refused = try await house.pulseboard("profile", "create", "--username", "민지", "--json", as: "two")
            #expect(try refused.failure()["reason"] == "USERNAME_DUPLICATED")

            let second = try Terminal(house, "onboard --account one --skip status --skip picture --skip follow" + Self.skips, language: "ko_KR.UTF-8")
            try await second.sees("멈춘 곳에서 계속합니다.")
            try await second.sees("표시 이름")
            second.types("민지 김\r")
            try await second.sees("프로필을 만들었습니다.")
            #expect(try await second.program.ended() == .status(0))
            #expect(try await house.answer("profile", "show", as: "one")["displayName"] == "민지 김")
        }
    }

    @Test("C8: an ID token signs the newcomer in, and a run that goes on needs no other; a token from standard input does, too")
    func idToken() async throws {
        let key = try TestKey(.es256)
        try await Household.with { house in
            try write([key.jwk()], to: house.root + "/keys.json")
            let issuer = """
                {"issuers":[{"name":"example","issuer":"https://id.example","audiences":["app"],"algorithms":["ES256"],"jwks_file":"keys.json"}]}
                """
            try replace(house.root + "/oidc.json", issuer)
            _ = try await house.startServer(["--oidc-config", house.root + "/oidc.json"])
            /// Writes a file with a token for a nonce of the server.
            func tokenFile(_ subject: String) async throws -> String {
                let nonce = try await house.pulseboard("auth", "nonce").output.trimmingCharacters(in: .whitespacesAndNewlines)
                let path = house.root + "/\(subject).jwt"
                let token = try TestToken(key, subject: subject, nonce: nonce, at: SystemWallClock().now()).signed(by: key)
                try Data((token + "\n").utf8).write(to: URL(filePath: path))
                return path
            }
            // The Unix user is signed in. A given token means its account.
            _ = try await house.answer("auth", "login")
            _ = try await house.answer("profile", "create", "--username", "unixuser")
            let file = try await tokenFile("minji")
            let first = try Terminal(house, "onboard --id-token \(file) --skip picture" + Self.skips)
            try await first.sees("Username: ")
            first.types("minji")
            try await first.sees("free; Enter takes it")
            first.types("\r")
            try await first.sees("Display name")
            first.types("\u{3}")
            #expect(try await first.program.ended() == .status(130))

            let second = try Terminal(house, "onboard --id-token \(file) --skip picture" + Self.skips, language: "ko_KR.UTF-8")
            try await second.sees("멈춘 곳에서 계속합니다.")
            try await second.sees("표시 이름")
            second.types("민지\r")
            try await second.sees("상태 메시지")
            second.types("\r")
            try await second.sees("누구를 팔로우할까요?")
            second.types("\u{3}")
            #expect(try await second.program.ended() == .status(130))

            let third = try Terminal(house, "onboard --id-token \(file)" + Self.skips)
            try await third.sees("Whom to follow?")
            third.types("@unixuser\r")
            try await third.sees("You follow @unixuser.")
            third.types("\r")
            #expect(try await third.program.ended() == .status(0))
            let identities = try await house.answer("account", "identities")["identities"].elements
            #expect(identities.compactMap { $0["subject"].text } == ["minji"])
            #expect(try await house.answer("profile", "show")["displayName"] == "민지")

            let again = try await house.pulseboard("onboard", "--id-token", file, "--json")
            #expect(try again.failure()["reason"] == "ID_TOKEN_REPLAYED")
            let piped = try await house.run(
                "/bin/sh",
                ["-c", "exec \"$0\" onboard --id-token - --username second --json < \"$1\"", Programs.commandLine, try await tokenFile("second")],
                ["PULSEBOARD_SOCKET": house.socket])
            #expect(piped.exit == .success && piped.output.contains("\"second\""), "\(piped)")
        }
    }

    @Test("B20: options answer every question, without a terminal; a missing answer is a failure that names its option")
    func options() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "friend", username: "friend")
            let missing = try await house.pulseboard("onboard", "--json", as: "newcomer")
            #expect(try missing.failure()["reason"] == "ANSWER_NEEDED")
            let picture = house.root + "/photo.png"
            try ImageTests.png.write(to: URL(filePath: picture))
            let done = try await house.answer(
                "onboard", "--username", "minji", "--display-name", "Minji", "--picture", picture, "--follow", "@friend", as: "newcomer")
            #expect(done["username"] == "minji")
            #expect(done["image"]["contentType"] == "image/webp")
            #expect(try await house.answer("follow", "counts", as: "newcomer")["following"] == "1")
            // After the flow is complete, nothing is asked again.
            #expect(try await house.answer("onboard", as: "newcomer")["username"] == "minji")
        }
    }
}
