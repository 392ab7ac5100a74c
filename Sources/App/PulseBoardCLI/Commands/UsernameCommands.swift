import ArgumentParser
import CommandHelp
import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard profile check-username`
struct ProfileCheckUsername: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check-username",
            abstract: Phrase("Say whether you could take a username, and if not, why.", "사용자 이름을 쓸 수 있는지, 없으면 왜 없는지 알려 줍니다."),
            discussion: Phrase(
                """
                A name that cannot be taken is an answer, not an error: the exit code is 0.

                Examples:
                  pulseboard profile check-username alice
                  pulseboard profile check-username 가
                """,
                """
                쓸 수 없는 사용자 이름이라는 것도 오류가 아니라 답입니다. 종료 코드는 0입니다.

                예:
                  pulseboard profile check-username alice
                  pulseboard profile check-username 가
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase("The name to check.", "확인할 사용자 이름.")))
    var name: String

    func run() async throws {
        try await options.run { invocation in
            let answer = try await invocation.call(about: .nothing) { (options) async throws(RPCError) in
                var request = PBCheckUsernameRequest()
                request.username = name
                return try await invocation.profiles.checkUsername(request, options: options)
            }
            try invocation.show(answer) { Self.text(answer, typed: name, invocation) }
        }
    }

    private static func text(_ answer: PBCheckUsernameResponse, typed: String, _ invocation: Invocation) -> String {
        let word = answer.normalized.isEmpty ? typed : answer.normalized
        let name = word.isEmpty ? "''" : word.safeForTerminal
        if answer.available { return invocation.text("\(name) is free.", "\(name): 사용할 수 있습니다.") + "\n" }
        var text = invocation.text("\(name) cannot be taken:", "\(name): 사용할 수 없습니다.") + "\n"
        // A name that keeps every rule and is not available belongs to somebody.
        if answer.violations.isEmpty { text += "  - " + Self.text(reason: Reason.usernameDuplicated.rawValue, "", invocation) + "\n" }
        for violation in answer.violations {
            text += "  - " + Self.text(reason: violation.reason, violation.message?.message ?? "", invocation)
            if violation.availableTime != nil {
                text += " " + Phrase.possible(from: invocation.time(violation.availableTime)).text(in: invocation.language)
            }
            text += "\n"
        }
        return text
    }

    /// The server's text, or else the catalogue's, or else the reason itself.
    private static func text(reason: String, _ localized: String, _ invocation: Invocation) -> String {
        guard localized.isEmpty else { return localized.safeForTerminal }
        return Reason(rawValue: reason)?.text().text(in: invocation.language) ?? reason.safeForTerminal
    }
}

/// `pulseboard profile reserve`
struct ProfileReserve: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "reserve",
            abstract: Phrase("Keep a username for you for ten minutes.", "사용자 이름을 10분 동안 맡아 둡니다."),
            discussion: Phrase(
                """
                Nobody else can take the name until then, nor one that looks like it. You have one such name: the one before becomes free. \
                A name can be kept twenty times an hour.

                Example:
                  pulseboard profile reserve alice && pulseboard profile create --username alice
                """,
                """
                그때까지 다른 사람은 그 이름도, 비슷해 보이는 이름도 쓸 수 없습니다. 이런 이름은 하나뿐이라 앞의 것은 풀립니다. \
                한 시간에 스무 번 맡아 둘 수 있습니다.

                예:
                  pulseboard profile reserve alice && pulseboard profile create --username alice
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase("The name to keep.", "맡아 둘 사용자 이름.")))
    var name: String

    func run() async throws {
        try await options.run { invocation in
            let answer = try await invocation.call(about: .nothing) { (options) async throws(RPCError) in
                try await invocation.profiles.reserveUsername(PBReserveUsernameRequest(username: name), options: options)
            }
            // Who has a profile changes it, and who has none creates it.
            let hasProfile = await invocation.hasProfile()
            try invocation.show(answer) {
                let name = answer.username.safeForTerminal
                guard answer.expireTime != nil else { return invocation.text("@\(name) is your username.", "@\(name)은(는) 내 사용자 이름입니다.") + "\n" }
                let time = invocation.time(answer.expireTime)
                return invocation.text("@\(name) is kept for you until \(time).", "사용자 이름 @\(name)을(를) \(time)까지 맡아 두었습니다.") + "\n"
                    + Phrase.next.text(in: invocation.language)
                    + invocation.failureContext.command("profile \(hasProfile ? "edit" : "create") --username \(name.shellQuoted)") + "\n"
            }
        }
    }
}

extension Invocation {
    /// Whether the caller has a profile. Without an answer from the server it is no: somebody who then creates a second profile gets an error.
    fileprivate func hasProfile() async -> Bool {
        guard !usesJSON, let token = try? requiredToken() else { return false }
        return (try? await profiles.getMyProfile(PBGetMyProfileRequest(), options: callOptions(token: token))) != nil
    }
}
