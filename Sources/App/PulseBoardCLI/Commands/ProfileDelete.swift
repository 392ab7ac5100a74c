import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard profile delete`
struct ProfileDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete your profile, your follows and your sessions. This cannot be undone.",
        discussion: """
            On a terminal you are asked to type your username. A script says --yes.

            Examples:
              pulseboard profile delete
              pulseboard profile delete --yes
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        try await options.run { invocation in
            // The signed-in account is read before the question, so that a state or an error comes before any typing.
            let profile = try await invocation.ownProfile()
            let name = profile.username.safeForTerminal
            if !yes { try confirm(name, invocation) }
            _ = try await invocation.write(about: .ownProfile) { (requestID, options) async throws(RPCError) in
                var request = PBDeleteMyProfileRequest()
                request.requestID = requestID
                return try await invocation.profiles.deleteMyProfile(request, options: options)
            }
            try invocation.updateSessions { $0.removeAll { $0.userID == profile.userID } }
            try invocation.show(document: DeletedDocument(deletedUserId: profile.userID, username: profile.username)) {
                invocation.text("@\(name) is deleted.", "@\(name) 프로필을 삭제했습니다.") + "\n"
            }
        }
    }

    /// Asks for the username to be typed. Without a terminal nobody can answer, and silence is no consent.
    private func confirm(_ username: String, _ invocation: Invocation) throws(CommandFailure) {
        let environment = invocation.environment
        guard environment.inputIsTerminal, environment.errorIsTerminal else {
            throw CommandFailure(
                code: .failedPrecondition, reason: "CONFIRMATION_NEEDED",
                message: invocation.text(
                    "Deleting asks for a confirmation, and there is no terminal to ask on.",
                    "삭제하려면 확인이 필요하지만, 물어볼 터미널이 없습니다."),
                nextCommand: invocation.failureContext.command("profile delete --yes"))
        }
        environment.write(
            invocation.text(
                "This deletes @\(username) with all follows and sessions, for good.\nType the username to go on: ",
                "@\(username) 프로필과 모든 팔로우, 세션이 영구히 삭제됩니다.\n계속하려면 사용자 이름을 입력하세요: "),
            .standardError)
        var typed = environment.readLine() ?? ""
        if typed.hasPrefix("@") { typed.removeFirst() }
        guard typed == username else {
            throw CommandFailure(
                code: .cancelled, reason: "NOT_CONFIRMED",
                message: invocation.text("Not deleted: that is not the username.", "사용자 이름이 달라 삭제하지 않았습니다."))
        }
    }
}

/// The JSON answer of `profile delete`.
struct DeletedDocument: Encodable, Sendable, Hashable {
    let deletedUserId: String
    let username: String
}
