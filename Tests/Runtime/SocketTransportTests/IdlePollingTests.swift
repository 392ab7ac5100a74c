import Testing

@testable import SocketTransport

@Suite struct IdlePollingTests {
    private let short: Int64 = 20_000
    private let long: Int64 = 1_000_000

    /// In how many of `pauses` the loop polled until the end.
    private func polled(_ polling: inout IdlePolling, through pauses: [Int64]) -> Int {
        pauses.count { pause in
            let isDue = polling.isDue
            polling.ended(after: pause, polled: isDue)
            return isDue
        }
    }

    @Test("a loop that has just begun, or whose last pause was long, sleeps at once")
    func sleeps() {
        var polling = IdlePolling()
        #expect(polled(&polling, through: [long, long, long]) == 0)
    }

    @Test("after a short pause a loop polls, as long as its guesses are right")
    func polls() {
        var polling = IdlePolling()
        #expect(polled(&polling, through: Array(repeating: short, count: 1000)) == 999)
        #expect(polled(&polling, through: [long, long]) == 1)
    }

    @Test("where pauses are promising and too long, polling is given up but for one in 256")
    func givesUp() {
        var polling = IdlePolling()
        let pause = IdlePolling.windowNanoseconds * 3 / 2
        #expect(polled(&polling, through: Array(repeating: pause, count: 1000)) <= 12)
        #expect(polled(&polling, through: Array(repeating: pause, count: 10_000)) <= 40)
    }

    @Test("what was there before the pause began is no right guess")
    func alternating() {
        var polling = IdlePolling()
        let pauses = (0..<20_000).map { $0 % 2 == 0 ? 500 : IdlePolling.windowNanoseconds * 3 / 2 }
        var wrong = 0
        for pause in pauses {
            let isDue = polling.isDue
            polling.ended(after: pause, polled: isDue)
            if isDue, pause > IdlePolling.windowNanoseconds { wrong += 1 }
        }
        #expect(wrong <= 60)
    }

    @Test("a loop that had given polling up takes it up again where pauses have become short")
    func takesUpAgain() {
        var polling = IdlePolling()
        _ = polled(&polling, through: Array(repeating: IdlePolling.windowNanoseconds * 3 / 2, count: 10_000))
        _ = polled(&polling, through: Array(repeating: short, count: 256))
        #expect(polled(&polling, through: Array(repeating: short, count: 100)) == 100)
    }
}
