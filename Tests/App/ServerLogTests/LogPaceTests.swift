import Testing

@testable import ServerLog

/// The rate of equal lines in the log.
@Suite struct LogPaceTests {
    private let start = ContinuousClock.now

    @Test("a reason may be said ten times at once, then once a second, and says then how many were left out")
    func pace() {
        let pace = LogPace()
        for _ in 0..<LogPace.burst { #expect(pace.line("full", at: start) == .written(leftOut: 0)) }
        #expect(pace.line("full", at: start) == .leftOut(isFirst: true))
        for _ in 0..<999 { #expect(pace.line("full", at: start) == .leftOut(isFirst: false)) }
        #expect(pace.line("full", at: start.advanced(by: .seconds(1))) == .written(leftOut: 1000))
        #expect(pace.line("full", at: start.advanced(by: .seconds(1))) == .leftOut(isFirst: true))
        let rested = start.advanced(by: .seconds(60))
        #expect(pace.line("full", at: rested) == .written(leftOut: 1))
        for _ in 1..<LogPace.burst { #expect(pace.line("full", at: rested) == .written(leftOut: 0)) }
        #expect(pace.line("full", at: rested) == .leftOut(isFirst: true))
    }

    @Test("one reason holds no other back")
    func apart() {
        let pace = LogPace()
        for _ in 0..<100 { _ = pace.line("flood", at: start) }
        #expect(pace.line("other", at: start) == .written(leftOut: 0))
        #expect(pace.takeLeftOut("flood") == 90)
        #expect(pace.takeLeftOut("flood") == 0)
        #expect(pace.takeLeftOut("other") == 0)
    }

    @Test("of reasons without end the table stays small, and none of them is without limit")
    func manyReasons() {
        let pace = LogPace()
        var written = 0
        for number in 0..<10_000 {
            if case .written = pace.line("reason \(number)", at: start) { written += 1 }
        }
        #expect(written <= LogPace.mostReasons + LogPace.burst)
        #expect(pace.takeLeftOut().map(\.count).reduce(0, +) == 10_000 - written)
        // Reasons without recent lines make room.
        #expect(pace.line("late", at: start.advanced(by: .seconds(60))) == .written(leftOut: 0))
    }
}
