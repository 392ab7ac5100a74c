import ArgumentParser
import Crypto
import ProtobufC
import PulseBoardMessages
import RPCCore

/// `pulseboard account export`
struct AccountExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that is kept about you, one JSON document a line.",
        discussion: """
            The last line says how many there are and what they hash to. Without it the copy is incomplete, and the exit code is not 0. \
            You can ask ten times a day.

            Example: pulseboard account export > me.jsonl
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let token = try invocation.requiredToken()
            var messages = invocation.accounts.exportMyData(PBExportMyDataRequest(), options: invocation.watchOptions(token: token))
                .makeAsyncIterator()
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
                invocation.environment.write(try message.jsonString() + "\n", .standardOutput)
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
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Leave. Nobody finds you any more, and you have some days to come back.",
        discussion: """
            All your sessions end. Sign in again before the date that is told, and `pulseboard account restore` brings everything back. \
            After it everything is removed for good, your account too. `pulseboard profile delete` leaves no time.

            On a terminal you are asked. A script says --yes.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        try await options.run { invocation in
            let token = try invocation.requiredToken()
            if !yes { try confirm(invocation) }
            let answer = try await invocation.call(about: .session) { (options) async throws(RPCError) in
                try await invocation.accounts.requestWithdrawal(PBRequestWithdrawalRequest(), options: options)
            }
            try invocation.updateSessions { $0.removeAll { $0.token == token } }
            try invocation.show(answer) {
                let until = invocation.time(answer.purgeTime)
                return invocation.text("Withdrawn. Restore until \(until).", "탈퇴했습니다. \(until)까지 복구할 수 있습니다.") + "\n"
            }
        }
    }

    /// Without a terminal nobody can answer, and silence is no consent.
    private func confirm(_ invocation: Invocation) throws(CommandFailure) {
        let environment = invocation.environment
        guard environment.inputIsTerminal, environment.errorIsTerminal else {
            throw CommandFailure(
                code: .failedPrecondition, reason: "CONFIRMATION_NEEDED",
                message: invocation.text(
                    "Leaving asks for a confirmation, and there is no terminal to ask on.", "탈퇴하려면 확인이 필요하지만, 물어볼 터미널이 없습니다."),
                nextCommand: invocation.failureContext.command("account withdraw --yes"))
        }
        environment.write(
            invocation.text(
                "Nobody will find you, and all your sessions end. Type yes to go on: ",
                "아무도 회원님을 찾을 수 없게 되고 모든 세션이 종료됩니다. 계속하려면 yes를 입력하세요: "), .standardError)
        guard environment.readLine()?.lowercased() == "yes" else {
            throw CommandFailure(
                code: .cancelled, reason: "NOT_CONFIRMED", message: invocation.text("You stay.", "탈퇴하지 않았습니다."))
        }
    }
}

/// `pulseboard account restore`
struct AccountRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Come back after leaving: everything is as it was.",
        discussion: "Sign in first: pulseboard auth login")

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
