import ArgumentParser
import CommandHelp
import Crypto
import ProtobufC
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard account export`
struct AccountExport: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export",
            abstract: Phrase("Write everything that is kept about you, one JSON document a line.", "나에 대해 보관된 것을 모두 한 줄에 JSON 하나씩 씁니다."),
            discussion: Phrase(
                """
                The last line says how many there are and what they hash to. Without it the copy is incomplete, and the exit code is not 0. \
                A diary entry that changes meanwhile may come twice; the last one counts. You can ask ten times a day.

                Example: pulseboard account export > me.jsonl
                """,
                """
                마지막 줄은 건수와 해시를 알려 줍니다. 그 줄이 없으면 내보내기가 완전하지 않고 종료 코드는 0이 아닙니다. \
                내보내는 동안 바뀐 일기는 두 번 나올 수 있으며, 마지막 것이 맞습니다. 하루에 열 번 요청할 수 있습니다.

                예: pulseboard account export > me.jsonl
                """))
    }

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if !options.answer.fields.isEmpty { throw ValidationError(Phrase.exportHasNoFields) }
    }

    func run() async throws {
        try await options.run { invocation in
            let token = try invocation.requiredToken()
            let callOptions = invocation.longer(invocation.callOptions(token: token), nil)
            var messages = invocation.accounts.exportMyData(PBExportMyDataRequest(), options: callOptions).makeAsyncIterator()
            var hash = SHA256()
            var count: Int64 = 0
            var isComplete = false
            while let message = try await invocation.translatingErrors(about: .session, { () async throws(RPCError) in try await messages.next() }) {
                if case .end(let end)? = message.record {
                    isComplete = end.recordCount == count && end.sha256 == Array(hash.finalize())
                } else {
                    hash.update(data: try message.serializedBytes())
                    count += 1
                }
                invocation.environment.writeJSON(try message.jsonString() + "\n")
            }
            guard isComplete else {
                throw CommandFailure(
                    code: .dataLoss, reason: "EXPORT_INCOMPLETE",
                    message: invocation.text("The copy is incomplete. Ask again.", "내보내기가 완전하지 않습니다. 다시 시도해 주세요."))
            }
            invocation.remark("\(Int(count).grouped) records.", "\(Int(count).grouped)건을 내보냈습니다.")
        }
    }
}

/// `pulseboard account withdraw`
struct AccountWithdraw: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "withdraw",
            abstract: Phrase(
                "Leave. Nobody finds you any more, and you have some days to come back.", "탈퇴합니다. 아무도 나를 찾을 수 없게 되고, 며칠 동안 탈퇴를 취소할 수 있습니다."),
            discussion: Phrase(
                """
                All your sessions end. Sign in again before the date that is told, and `pulseboard account restore` brings everything back. \
                After it everything is removed for good, your account too. `pulseboard profile delete` leaves no time. \
                Export first: while you are leaving, `account export` is refused.

                On a terminal you are asked. A script says --yes.
                """,
                """
                모든 세션이 끝납니다. 알려 주는 날까지 다시 로그인해 `pulseboard account restore`를 쓰면 모두 복구됩니다. \
                그날이 지나면 계정까지 모두 영구히 지워집니다. `pulseboard profile delete`는 취소할 시간이 없습니다. \
                먼저 내보내세요. 탈퇴를 신청한 동안에는 `account export`를 쓸 수 없습니다.

                터미널에서는 한 번 묻습니다. 스크립트에서는 --yes를 쓰세요.
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Flag(help: ArgumentHelp(Phrase("Do not ask.", "묻지 않습니다.")))
    var yes = false

    func run() async throws {
        try await options.run { invocation in
            let invocation = try invocation.keepingSession(), token = try invocation.requiredToken()
            if !yes { try await confirm(invocation) }
            let answer = try await invocation.writeEndingSessions(about: .session) { (_, options) async throws(RPCError) in
                try await invocation.accounts.requestWithdrawal(PBRequestWithdrawalRequest(), options: options)
            }
            // All of the user's sessions have ended, under whichever names they are saved.
            invocation.forgetSessions { saved in
                let user = saved.sessions.first { $0.token == token }?.userID
                saved.removeAll { $0.token == token || $0.userID == user }
            }
            try invocation.show(answer ?? PBRequestWithdrawalResponse()) {
                guard let answer else {
                    return invocation.text(
                        "Your session has ended. Sign in to see whether you have left, and until when you can come back.",
                        "세션이 끝났습니다. 탈퇴했는지, 언제까지 복구할 수 있는지는 로그인하면 볼 수 있습니다.") + "\n"
                }
                let until = invocation.time(answer.purgeTime)
                return invocation.text("Withdrawn. Restore until \(until).", "탈퇴했습니다. \(until)까지 복구할 수 있습니다.") + "\n"
            }
        }
    }

    /// Asks for confirmation.
    private func confirm(_ invocation: Invocation) async throws(CommandFailure) {
        try await invocation.confirm(
            unasked: Phrase(
                "Leaving asks for a confirmation, and there is no terminal to ask on.", "탈퇴하려면 확인이 필요하지만, 물어볼 터미널이 없습니다."),
            byCommand: "account withdraw --yes",
            question: Phrase(
                "Nobody will find you, and all your sessions end. Type yes to go on: ",
                "아무도 회원님을 찾을 수 없게 되고 모든 세션이 종료됩니다. 계속하려면 yes를 입력하세요: "),
            refusal: Phrase("You stay.", "탈퇴하지 않았습니다.")
        ) { $0.lowercased() == "yes" }
    }
}

/// `pulseboard account restore`
struct AccountRestore: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "restore",
            abstract: Phrase("Come back after leaving: everything is as it was.", "탈퇴를 취소하고 모든 것을 예전 그대로 복구합니다."),
            discussion: Phrase("Sign in first: pulseboard auth login", "먼저 로그인하세요: pulseboard auth login"))
    }

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let answer = try await invocation.call(about: .session) { (options) async throws(RPCError) in
                try await invocation.accounts.cancelWithdrawal(PBCancelWithdrawalRequest(), options: options)
            }
            try invocation.show(answer) { invocation.text("Welcome back.", "돌아오신 것을 환영합니다.") + "\n" }
        }
    }
}

extension Phrase {
    /// The error of `--field` at an export.
    static var exportHasNoFields: Phrase {
        Phrase("--field is not for an export, whose lines are different documents.", "--field는 내보내기에 쓸 수 없습니다. 줄마다 다른 문서입니다.")
    }
}
