import ArgumentParser
import CommandHelp
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard ping`
struct PingCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "ping",
            abstract: Phrase("Check that the server answers, and how fast.", "서버가 답하는지, 얼마나 빠른지 확인합니다."),
            discussion: Phrase(
                """
                Calls AuthService.GetAuthState, which every server answers without a sign-in, one call after the other or several at \
                a time. The first call of a connection, which also connects, is not measured. Ctrl-C ends the calls and shows what was measured.

                Examples:
                  pulseboard ping
                  pulseboard ping --count 10000 --json
                  pulseboard ping --duration 10 --concurrency 64 --connections 2
                """,
                """
                로그인 없이도 모든 서버가 답하는 AuthService.GetAuthState를 하나씩 차례로, 또는 여러 개를 동시에 호출합니다. 연결마다 연결도 함께 하는 \
                첫 호출은 재지 않습니다. Ctrl-C를 누르면 호출을 멈추고 그때까지 잰 결과를 보여 줍니다.

                예:
                  pulseboard ping
                  pulseboard ping --count 10000 --json
                  pulseboard ping --duration 10 --concurrency 64 --connections 2
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Option(
        parsing: .unconditional, help: ArgumentHelp(Phrase("How many calls to measure; without it 100.", "잴 호출의 수. 생략하면 100입니다."), valueName: "count")
    )
    var count: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase("For how long to call, in place of a count.", "호출 수 대신 호출할 시간(초)."), valueName: "seconds"))
    var duration: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase("How many calls are under way at a time.", "동시에 진행할 호출의 수."), valueName: "count"))
    var concurrency = 1

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase("Over how many connections they go.", "호출에 쓸 연결의 수."), valueName: "count"))
    var connections = 1

    func validate() throws {
        if let count, !(1...1_000_000_000).contains(count) {
            throw ValidationError(Phrase("--count must be 1 to 1000000000, not \(count).", "--count는 1에서 1000000000 사이여야 합니다: \(count)"))
        }
        if let duration, !(duration > 0 && duration <= 86_400) {
            throw ValidationError(Phrase(
                "--duration must be more than 0 and at most 86400 seconds, not \(duration).", "--duration은 0초보다 크고 86400초 이하여야 합니다: \(duration)"))
        }
        if count != nil, duration != nil {
            throw ValidationError(Phrase("--count and --duration exclude each other.", "--count와 --duration은 함께 쓸 수 없습니다."))
        }
        guard (1...4096).contains(concurrency) else {
            throw ValidationError(Phrase("--concurrency must be 1 to 4096, not \(concurrency).", "--concurrency는 1에서 4096 사이여야 합니다: \(concurrency)"))
        }
        guard (1...64).contains(connections) else {
            throw ValidationError(Phrase("--connections must be 1 to 64, not \(connections).", "--connections는 1에서 64 사이여야 합니다: \(connections)"))
        }
    }

    func run() async throws {
        let environment = CommandEnvironment.current
        var opened: [OpenChannel] = []
        let result: Result<Void, any Error>
        do {
            // Connections without calls are not opened.
            for _ in 0..<min(connections, concurrency) { opened.append(try options.openConnection(in: environment)) }
            result = .success(try await run(over: opened, in: environment))
        } catch {
            result = .failure(error)
        }
        for connection in opened { await connection.close() }
        try result.get()
    }

    private func run(over opened: [OpenChannel], in environment: CommandEnvironment) async throws {
        let invocation = Invocation(options, environment, channel: opened[0].channel)
        let run = PingRun(
            connections: opened, concurrency: concurrency, end: duration.map { .duration(.seconds($0)) } ?? .count(count ?? 100),
            options: invocation.callOptions())
        let outcome = try await invocation.translatingErrors(about: .nothing) { () async throws(RPCError) in
            try await run.run(interrupted: environment.interrupted)
        }
        if outcome.roundTrips.count > 0 {
            let document = PingDocument(socket: invocation.socket, outcome)
            try invocation.show(document: document) { Self.text(document, invocation) }
        }
        guard let failure = outcome.firstFailure else { return }
        throw CommandFailure(failure, about: .nothing, in: invocation.failureContext)
    }

    // MARK: For a person

    private static func text(_ document: PingDocument, _ invocation: Invocation) -> String {
        var summary = Table([
            .init(invocation.text("CALLS", "호출"), .right), .init(invocation.text("FAILED", "실패"), .right),
            .init(invocation.text("CALLS/S", "초당 호출"), .right), .init(invocation.text("MIN µs", "최소 µs"), .right),
            .init(invocation.text("MEAN µs", "평균 µs"), .right), .init(invocation.text("MEDIAN µs", "중앙값 µs"), .right),
            .init(invocation.text("MAX µs", "최대 µs"), .right),
        ])
        summary.append([
            Int(document.calls).grouped, Int(document.failed).grouped, Int(document.callsPerSecond.rounded()).grouped,
            document.minMicroseconds.oneDecimal,
            document.meanMicroseconds.oneDecimal, document.medianMicroseconds.oneDecimal, document.maxMicroseconds.oneDecimal,
        ])
        var parts = Table([.init(invocation.text("PERCENT", "백분율"), .right), .init(invocation.text("AT MOST µs", "이하 µs"), .right)])
        for percentile in document.percentiles { parts.append([percentile.percent.shortest, percentile.microseconds.oneDecimal]) }
        return [
            document.socket.safeForTerminal + "\n" + summary.rendered(invocation.style), parts.rendered(invocation.style),
            histogram(document, invocation)
        ]
            .joined(separator: "\n")
    }

    /// Longest bar, columns.
    private static let longestBar = 40

    private static func histogram(_ document: PingDocument, _ invocation: Invocation) -> String {
        let columns = max(40, invocation.style.columns ?? 80)
        let most = document.histogram.map(\.calls).max() ?? 1
        let bounds = document.histogram.map { $0.upToMicroseconds.shortest }
        let counts = document.histogram.map { Int($0.calls).grouped }
        let title = (bound: invocation.text("UP TO µs", "까지 µs"), count: invocation.text("CALLS", "호출"))
        let widths = (
            ([title.bound] + bounds).map(\.displayWidth).max() ?? 0, ([title.count] + counts).map(\.displayWidth).max() ?? 0
        )
        let room = min(longestBar, columns - widths.0 - widths.1 - 4)
        var text = invocation.style.dim(title.bound.paddedLeft(to: widths.0) + "  " + title.count.paddedLeft(to: widths.1)) + "\n"
        for (row, (bound, count)) in zip(document.histogram, zip(bounds, counts)) {
            // A row with calls has at least one mark.
            let marks = row.calls == 0 ? 0 : max(1, Int((Double(row.calls) / Double(most) * Double(room)).rounded()))
            let line = bound.paddedLeft(to: widths.0) + "  " + count.paddedLeft(to: widths.1) + "  " + String(repeating: "█", count: marks)
            text += (marks == 0 ? String(line.dropLast(2)) : line) + "\n"
        }
        return text
    }
}

/// The JSON answer of `ping`.
struct PingDocument: Encodable, Sendable, Hashable {
    /// The longest time of a fraction of the calls.
    struct Percentile: Encodable, Sendable, Hashable {
        let percent: Double
        let microseconds: Double
    }

    let socket: String
    /// Calls that were answered. Failed calls are counted separately.
    let calls: Int64
    let failed: Int64
    let failedByCode: [String: Int64]
    let seconds: Double
    let callsPerSecond: Double
    let minMicroseconds: Double
    let meanMicroseconds: Double
    let medianMicroseconds: Double
    let maxMicroseconds: Double
    let percentiles: [Percentile]
    let histogram: [RoundTripRow]

    /// - Precondition: at least one round trip.
    init(socket: String, _ outcome: PingRun.Outcome) {
        let trips = outcome.roundTrips
        self.socket = socket
        calls = trips.count
        failed = outcome.failed.values.reduce(0, +)
        failedByCode = Dictionary(uniqueKeysWithValues: outcome.failed.map { ($0.key.name, $0.value) })
        seconds = outcome.elapsed.inSeconds
        callsPerSecond = seconds > 0 ? Double(trips.count) / seconds : 0
        minMicroseconds = Double(trips.shortest) / 1000
        meanMicroseconds = trips.mean / 1000
        medianMicroseconds = Double(trips.quantile(0.5)) / 1000
        maxMicroseconds = Double(trips.longest) / 1000
        percentiles = RoundTrips.percents.map { Percentile(percent: $0, microseconds: Double(trips.quantile($0 / 100)) / 1000) }
        histogram = trips.rows
    }
}

extension Double {
    /// The number with one decimal: `12.3`.
    var oneDecimal: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// The number without a fraction of zero: `10`, `7.5`, `99.99`.
    fileprivate var shortest: String { self == rounded() ? Int(self).grouped : "\(self)" }
}
