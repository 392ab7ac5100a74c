import ArgumentParser
import CommandHelp
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard profile reserve`
struct ProfileReserve: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "reserve",
            abstract: Phrase("Keep a username for you for ten minutes.", "이름을 10분 동안 맡아 둡니다."),
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

    @Argument(help: ArgumentHelp(Phrase("The name to keep.", "맡아 둘 이름.")))
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
                guard answer.expireTime != nil else { return invocation.text("@\(name) is your username.", "@\(name)은(는) 내 이름입니다.") + "\n" }
                let time = invocation.time(answer.expireTime)
                return invocation.text("@\(name) is kept for you until \(time).", "@\(name) 이름을 \(time)까지 맡아 두었습니다.") + "\n"
                    + Phrase.next.text(in: invocation.language) + invocation.failureContext.command("profile \(hasProfile ? "edit" : "create") --username \(name)") + "\n"
            }
        }
    }
}

extension Invocation {
    /// Whether the caller has a profile. If it cannot be known, the answer is no: whoever creates a second one is told.
    fileprivate func hasProfile() async -> Bool {
        guard !usesJSON, let token = try? requiredToken() else { return false }
        return (try? await profiles.getMyProfile(PBGetMyProfileRequest(), options: callOptions(token: token))) != nil
    }
}
