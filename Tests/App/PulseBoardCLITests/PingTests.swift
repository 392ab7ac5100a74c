import Foundation
import PulseBoardMessages
import RPCCore
import Synchronization
import TestHarness
import Testing

@testable import PulseBoardCLI

@Suite("pulseboard ping") struct PingTests {
    private static func roundTrips(_ nanoseconds: [Int64]) -> RoundTrips {
        nanoseconds.reduce(into: RoundTrips()) { $0.record($1) }
    }

    @Test("quantiles are right to 0.8 %, the ends are exact, and parts add up to the whole")
    func quantiles() {
        var generator = SeededRandom(seed: 7)
        for _ in 0..<20 {
            let highest = Int64.random(in: 1...1_000_000_000, using: &generator)
            let values = (0..<2_000).map { _ in Int64.random(in: 0...highest, using: &generator) }
            let sorted = values.sorted()
            var trips = Self.roundTrips(Array(values[..<700]))
            trips.add(Self.roundTrips(Array(values[700...])))
            #expect(trips.count == 2_000 && trips.shortest == sorted[0] && trips.longest == sorted[1_999])
            for part in [0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1] {
                let exact = Double(sorted[max(1, Int((2_000 * part).rounded(.up))) - 1])
                #expect(abs(Double(trips.quantile(part)) - exact) <= exact / 128 + 1, "\(part) of \(highest)")
            }
            #expect(trips.rows.reduce(0) { $0 + $1.calls } == 2_000)
        }
        #expect(RoundTrips().quantile(0.5) == 0 && RoundTrips().rows.isEmpty)
    }

    @Test("a histogram has round bounds, from the shortest to the longest, and few rows")
    func rows() {
        #expect(Self.roundTrips([9_000, 12_000, 14_000, 29_000]).rows.map(\.upToMicroseconds) == [10, 15, 20, 30])
        #expect(Self.roundTrips([9_000, 12_000, 14_000, 29_000]).rows.map(\.calls) == [1, 2, 0, 1])
        #expect(Self.roundTrips([1_000, 900_000_000]).rows.count <= 14)
        #expect(Self.roundTrips([1_000, 900_000_000]).rows.last?.upToMicroseconds == 1_000_000)
    }

    private struct Numbers: Decodable {
        let calls: Int, failed: Int, medianMicroseconds: Double, percentiles: [Percentile], histogram: [Row]
        struct Percentile: Decodable { let percent: Double }
        struct Row: Decodable { let calls: Int }
    }

    @Test("it calls once a connection to connect and then as often as asked, whatever the concurrency", arguments: [(1, 1), (5, 1), (8, 3), (2, 9)])
    func calls(_ concurrency: Int, _ connections: Int) async throws {
        let program = try TestProgram(["GetAuthState": { (_, _) throws(RPCError) in PBAuthState() }])
        #expect(try await program.run("ping", "--count", "70", "--concurrency", "\(concurrency)", "--connections", "\(connections)", "--json") == 0)
        #expect(program.channel.calls.count == 70 + min(concurrency, connections))
        let numbers = try JSONDecoder().decode(Numbers.self, from: Data(program.standardOutput.utf8))
        #expect(numbers.calls == 70 && numbers.failed == 0 && numbers.histogram.reduce(0) { $0 + $1.calls } == 70)
        #expect(numbers.percentiles.map(\.percent) == [10, 25, 50, 75, 90, 95, 99, 99.9, 99.99])
    }

    @Test("calls that fail are counted beside the others, and the exit code is theirs")
    func failures() async throws {
        let number = Mutex(0)
        let program = try TestProgram(["GetAuthState": { (_, _) throws(RPCError) in
            let isBad = number.withLock { number in
                number += 1
                return number % 3 == 0
            }
            if isBad { throw RPCError(.resourceExhausted, "too much") }
            return PBAuthState()
        }])
        #expect(try await program.run("ping", "--count", "9", "--json") == 72)
        let numbers = try JSONDecoder().decode(Numbers.self, from: Data(program.standardOutput.utf8))
        #expect(numbers.calls == 6 && numbers.failed == 3)
    }

    @Test("a person sees the figures, percentiles and a histogram, in Korean too")
    func text() async throws {
        let program = try TestProgram(["GetAuthState": { (_, _) throws(RPCError) in PBAuthState() }], variables: ["LANG": "ko_KR.UTF-8"])
        #expect(try await program.run("ping", "--duration", "0.01", "--concurrency", "2") == 0)
        #expect(program.standardOutput.hasPrefix(TestProgram.socket + "\n"))
        for words in ["초당 호출", "중앙값 µs", "백분율", "99.99", "까지 µs", "█"] { #expect(program.standardOutput.contains(words)) }
        #expect([12.34, 0.05, 100].map(\.oneDecimal) == ["12.3", "0.1", "100.0"])
    }

    @Test("options that make no sense are refused", arguments: [
            ["--count", "5", "--duration", "1"], ["--duration", "0"], ["--duration", "-1"], ["--concurrency", "0"], ["--connections", "65"],
            ["--count", "-1"]
    ])
    func usage(_ arguments: [String]) async throws {
        let program = try TestProgram()
        #expect(try await program.run(arguments: ["ping"] + arguments) == 64)
    }
}
