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
                Calls AuthService.GetAuthState, which every server answers without a sign-in, one call after the other. The first \
                call, which also connects, is not measured.

                Examples:
                  pulseboard ping
                  pulseboard ping --count 10000 --json
                """,
                """
                로그인 없이도 모든 서버가 답하는 AuthService.GetAuthState를 하나씩 차례로 호출합니다. 연결도 함께 하는 첫 호출은 재지 않습니다.

                예:
                  pulseboard ping
                  pulseboard ping --count 10000 --json
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Option(parsing: .unconditional, help: ArgumentHelp(Phrase("How many calls to measure.", "잴 호출의 수."), valueName: "number"))
    var count = 100

    func validate() throws {
        guard (1...1_000_000).contains(count) else {
            throw ValidationError(Phrase("--count must be 1 to 1000000, not \(count).", "--count는 1에서 1000000 사이여야 합니다: \(count)"))
        }
    }

    func run() async throws {
        try await options.run { invocation in
            let callOptions = invocation.callOptions()
            var nanoseconds: [Int64] = []
            nanoseconds.reserveCapacity(count)
            try await invocation.translatingErrors(about: .nothing) { () async throws(RPCError) in
                let clock = ContinuousClock()
                for number in 0...count {
                    let start = clock.now
                    _ = try await invocation.auth.getAuthState(PBGetAuthStateRequest(), options: callOptions)
                    if number > 0 { nanoseconds.append(Int64((clock.now - start).inSeconds * 1e9)) }
                }
            }
            let document = PingDocument(socket: invocation.socket, roundTripsInNanoseconds: nanoseconds)
            try invocation.show(document: document) { Self.text(document, invocation) }
        }
    }

    private static func text(_ document: PingDocument, _ invocation: Invocation) -> String {
        var table = Table([
            .init(invocation.text("CALLS", "호출"), .right), .init(invocation.text("MIN µs", "최소 µs"), .right),
            .init(invocation.text("MEDIAN µs", "중앙값 µs"), .right), .init(invocation.text("MAX µs", "최대 µs"), .right),
        ])
        table.append([
            document.calls.grouped, document.minMicroseconds.oneDecimal, document.medianMicroseconds.oneDecimal,
            document.maxMicroseconds.oneDecimal,
        ])
        return document.socket.safeForTerminal + "\n" + table.rendered(invocation.style)
    }
}

/// The JSON answer of `ping`.
struct PingDocument: Encodable, Sendable, Hashable {
    let socket: String
    let calls: Int
    let minMicroseconds: Double
    let medianMicroseconds: Double
    let maxMicroseconds: Double

    /// - Precondition: at least one round trip.
    init(socket: String, roundTripsInNanoseconds: [Int64]) {
        let sorted = roundTripsInNanoseconds.sorted()
        let middle = sorted.count / 2
        let median = sorted.count % 2 == 1 ? Double(sorted[middle]) : Double(sorted[middle - 1] + sorted[middle]) / 2
        self.socket = socket
        calls = sorted.count
        minMicroseconds = Double(sorted[0]) / 1000
        medianMicroseconds = median / 1000
        maxMicroseconds = Double(sorted[sorted.count - 1]) / 1000
    }
}

extension Double {
    /// The number with one decimal: `12.3`.
    var oneDecimal: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
