import ArgumentParser
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard profile reserve`
struct ProfileReserve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reserve",
        abstract: "Keep a username for you for ten minutes.",
        discussion: """
            Nobody else can take the name until then, nor one that looks like it. You have one such name: the one before becomes free. \
            A name can be kept twenty times an hour.

            Example:
              pulseboard profile reserve alice && pulseboard profile create --username alice
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The name to keep.")
    var name: String

    func run() async throws {
        try await options.run { invocation in
            let answer = try await invocation.call(about: .nothing) { (options) async throws(RPCError) in
                try await invocation.profiles.reserveUsername(PBReserveUsernameRequest(username: name), options: options)
            }
            try invocation.show(answer) {
                let name = answer.username.safeForTerminal
                guard answer.expireTime != nil else { return invocation.text("@\(name) is your username.", "@\(name)은(는) 내 이름입니다.") + "\n" }
                let time = invocation.time(answer.expireTime)
                return invocation.text("@\(name) is kept for you until \(time).", "@\(name) 이름을 \(time)까지 맡아 두었습니다.") + "\n"
                    + Phrase.next.text(in: invocation.language) + invocation.failureContext.command("profile create --username \(name)") + "\n"
            }
        }
    }
}
