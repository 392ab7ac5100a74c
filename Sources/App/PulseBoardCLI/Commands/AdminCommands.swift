import ArgumentParser
import CommandHelp
import Glibc
import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard admin status`
struct AdminStatus: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "status",
            abstract: Phrase("Say how the server is: version, process, load, store, calls.", "서버의 상태를 알려 줍니다: 버전, 프로세스, 부하, 저장소, 호출."))
    }

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let info = try await invocation.translatingErrors(about: .nothing) { () async throws(RPCError) in
                try await invocation.admin.getServerInfo(PBGetServerInfoRequest(), options: invocation.callOptions()).clamped
            }
            try invocation.show(info) { Self.card(info, invocation).rendered(invocation.style) }
        }
    }

    private static func card(_ info: PBServerInfo, _ invocation: Invocation) -> Card {
        let state = info.draining
            ? invocation.text("ending: finishes its last calls", "종료 중: 마지막 호출을 마치고 있습니다")
            : info.storeStatus?.trouble == nil
                ? invocation.text("serving", "서비스 중")
                : invocation.text("not serving: the store fails", "서비스 불가: 저장소 장애")
        let socket = info.socketHandedOver
            ? info.socket + invocation.text(" (handed over)", " (넘겨받음)")
            : info.socket
        var card = Card(title: "pulseboardd " + info.version)
        card.append(invocation.text("state", "상태"), state)
        card.append(invocation.text("process", "프로세스"), String(info.pid))
        card.append(invocation.text("started", "시작"), invocation.time(info.startTime))
        card.append(invocation.text("uptime", "가동 시간"), span(info.uptime?.seconds ?? 0, invocation))
        card.append(invocation.text("connections", "연결"), Int(info.connections).grouped)
        card.append(invocation.text("running calls", "실행 중인 호출"), Int(info.runningCalls).grouped)
        card.append(invocation.text("socket", "소켓"), socket)
        if !info.remoteSocket.isEmpty { card.append(invocation.text("remote socket", "원격 소켓"), info.remoteSocket) }
        card.append(invocation.text("store", "저장소"), info.store)
        if let status = info.storeStatus { invocation.append(status, to: &card) }
        if let images = info.imageDirectory { invocation.append(images, to: &card) }
        for cache in info.caches { invocation.append(cache, to: &card) }
        for issuer in info.issuers {
            card.append(invocation.text("keys: ", "키: ") + issuer.name, keys(issuer, at: info.startTime, info.uptime, invocation))
        }
        for method in info.methods { invocation.append(method, to: &card) }
        return card
    }

    /// The number of an issuer's keys, their age by the server's clock, and the problem with their file.
    private static func keys(
        _ issuer: PBIssuerStatus, at start: Google_Protobuf_Timestamp?, _ uptime: Google_Protobuf_Duration?, _ invocation: Invocation
    ) -> String {
        var words = Int(issuer.keys).grouped
        if let written = issuer.keysTime, let start {
            let age = span(max(0, start.seconds + (uptime?.seconds ?? 0) - written.seconds), invocation)
            words += invocation.text(", \(age) old", "개, \(age) 전")
        }
        return issuer.problem.isEmpty ? words : words + " [\(issuer.problem)]"
    }

    /// A span of seconds, such as `1 d 2 h 3 min 4 s`. Leading units of zero are left out.
    private static func span(_ seconds: Int64, _ invocation: Invocation) -> String {
        let parts = [
            (seconds / 86_400, invocation.text(" d", "일")), (seconds / 3_600 % 24, invocation.text(" h", "시간")),
            (seconds / 60 % 60, invocation.text(" min", "분")), (seconds % 60, invocation.text(" s", "초")),
        ]
        let first = parts.firstIndex { $0.0 > 0 } ?? parts.count - 1
        return parts[first...].map { String($0.0) + $0.1 }.joined(separator: " ")
    }
}

/// `pulseboard admin drain`
struct AdminDrain: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "drain",
            abstract: Phrase("End the server in good order: it finishes the calls that are running.", "실행 중인 호출을 마친 뒤 서버를 종료합니다."),
            discussion: Phrase(
                """
                As SIGTERM does: the server accepts nobody any more, its running calls may finish for the grace period, and it exits \
                with 0.

                Examples:
                  pulseboard admin drain
                  pulseboard admin drain --grace-period 60 --wait
                """,
                """
                SIGTERM과 같습니다. 서버는 더 이상 연결을 받지 않고, 실행 중인 호출을 유예 시간 동안 마친 뒤 0으로 끝납니다.

                예:
                  pulseboard admin drain
                  pulseboard admin drain --grace-period 60 --wait
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase(
            "How long running calls may take to finish.",
            "실행 중인 호출을 기다리는 시간."), discussion: Phrase("Without it: the server's own --grace-period.", "생략하면 서버의 --grace-period를 따릅니다."),
        valueName: "seconds"))
    var gracePeriod: Double?

    @Flag(help: ArgumentHelp(Phrase("Return only when the server's process has ended.", "서버 프로세스가 끝날 때까지 기다립니다.")))
    var wait = false

    func validate() throws {
        if let gracePeriod, !(0...86_400).contains(gracePeriod) {
            throw ValidationError(Phrase(
                "--grace-period must be 0 to 86400 seconds, not \(gracePeriod).", "--grace-period는 0초에서 86400초 사이여야 합니다: \(gracePeriod)"))
        }
    }

    func run() async throws {
        try await options.run { invocation in
            // Find the process before it ends: later, an ended process cannot be distinguished from one in another pid
            // namespace.
            let watched = wait ? try await watchServer(invocation) : nil
            var request = PBDrainRequest()
            request.gracePeriod = gracePeriod.map { Google_Protobuf_Duration(.seconds($0)) }
            let answer = try await invocation.translatingErrors(about: .nothing) { () async throws(RPCError) in
                try await invocation.admin.drain(request, options: invocation.callOptions())
            }
            if let watched {
                // Another server may have taken over since. The former process was visible in this namespace.
                let ended = watched.pid == answer.pid ? watched.ended : invocation.environment.watchProcess(answer.pid)
                await ended?()
            }
            try show(answer, invocation)
        }
    }

    /// Finds the server's process, so that its end can be awaited.
    private func watchServer(_ invocation: Invocation) async throws -> (pid: Int32, ended: @Sendable () async -> Void) {
        let info = try await invocation.translatingErrors(about: .nothing) { () async throws(RPCError) in
            try await invocation.admin.getServerInfo(PBGetServerInfoRequest(), options: invocation.callOptions())
        }
        guard let ended = invocation.environment.watchProcess(info.pid) else {
            throw CommandFailure(
                code: .failedPrecondition, reason: "PROCESS_NOT_VISIBLE",
                message: invocation.text(
                    "The server's process \(info.pid) cannot be seen from here, so its end cannot be waited for.",
                    "서버 프로세스 \(info.pid)을(를) 여기서 볼 수 없어 종료를 기다릴 수 없습니다."),
                nextCommand: invocation.failureContext.command("admin drain"))
        }
        return (info.pid, ended)
    }

    private func show(_ answer: PBDrainResponse, _ invocation: Invocation) throws {
        let period = answer.gracePeriod.flatMap { Duration($0) } ?? .zero
        let document = DrainDocument(
            pid: answer.pid, gracePeriodSeconds: period.inSeconds, connections: answer.connections,
            runningCalls: answer.runningCalls, ended: wait)
        try invocation.show(document: document) {
            if wait {
                return invocation.text(
                    "The server (process \(answer.pid)) has ended.", "서버(프로세스 \(answer.pid))가 종료되었습니다.") + "\n"
            }
            let calls = Int(answer.runningCalls).grouped
            let seconds = document.gracePeriodSeconds.oneDecimal
            return invocation.text(
                "The server (process \(answer.pid)) is ending. Running calls: \(calls); they have \(seconds) s.",
                "서버(프로세스 \(answer.pid))가 종료를 시작했습니다. 실행 중인 호출: \(calls), 유예 시간: \(seconds)초.") + "\n"
        }
    }
}

/// The JSON answer of `admin drain`.
private struct DrainDocument: Encodable, Sendable, Hashable {
    let pid: Int32
    let gracePeriodSeconds: Double
    let connections: Int32
    let runningCalls: Int32
    /// Whether the process has ended; false if its end was not awaited.
    let ended: Bool
}

/// `pulseboard admin migrate`: `pulseboardd migrate` by another name. Only the server's program contains both stores.
struct AdminMigrate: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "migrate",
            abstract: Phrase(
                "Copy everything from one store into another, and compare the two. No server may run on them.",
                "한 저장소의 모든 것을 다른 저장소로 복사하고 둘을 비교합니다. 서버는 멈춰 있어야 합니다."),
            discussion: Phrase(
                """
                Runs `pulseboardd migrate` of the server that is installed here. A store is sqlite:DIRECTORY, with the data directory of a server, \
                or the address of a PostgreSQL database as `pulseboardd --store` takes it. An interrupted copy goes on where it ended.

                Example: pulseboard admin migrate --from sqlite:/var/lib/pulseboard --to 'postgresql:///pulseboard?user=pulseboard'
                """,
                """
                여기에 설치된 서버의 `pulseboardd migrate`를 실행합니다. 저장소는 서버의 데이터 디렉터리를 적은 sqlite:디렉터리이거나 \
                `pulseboardd --store`에 쓰는 PostgreSQL 데이터베이스 주소입니다. 중단된 복사는 멈춘 곳에서 이어집니다.

                예: pulseboard admin migrate --from sqlite:/var/lib/pulseboard --to 'postgresql:///pulseboard?user=pulseboard'
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp(Phrase("The store that is copied. Its data stay.", "복사할 저장소. 데이터는 그대로 남습니다."), valueName: "store"))
    var from: String

    @Option(help: ArgumentHelp(Phrase("The store that gets everything.", "모든 것을 받을 저장소."), valueName: "store"))
    var to: String

    func run() async throws {
        try await options.run { invocation in
            guard !invocation.isForProgram else {
                throw CommandFailure(
                    code: .invalidArgument, reason: "USAGE",
                    message: invocation.text(
                        "The answer is that of pulseboardd, which is a text: leave --json and --field out.", "결과는 pulseboardd가 출력하는 글입니다. --json과 --field를 빼세요."))
            }
            guard let code = invocation.environment.runServerProgram(["migrate", "--from", from, "--to", to]) else {
                let phrase = Phrase("The server's program `pulseboardd` is not installed here.", "서버 프로그램 `pulseboardd`가 설치되어 있지 않습니다.")
                throw CommandFailure(code: .notFound, reason: "SERVER_PROGRAM_NOT_FOUND", message: phrase.text(in: invocation.language))
            }
            if code != 0 { throw ExitCode(Self.exitCode(ofServerProgram: code)) }
        }
    }

    /// This program's exit code for one of `pulseboardd`, whose codes are those of sysexits(3). A signal's code stays.
    static func exitCode(ofServerProgram code: Int32) -> Int32 {
        switch code {
        case EX_USAGE, 128...: code
        case EX_UNAVAILABLE: 64 + StatusCode.unavailable.rawValue
        default: 64 + StatusCode.internal.rawValue
        }
    }
}
