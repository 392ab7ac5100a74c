import PulseBoardDomain
import Testing

@testable import StorePostgreSQL

@Suite("The database's clock against the time that passes") struct DatabaseClockTests {
    @Test("after a jump ahead, an hour passes before its times count again; a step back, and a little too fast, mean nothing")
    func jumps() {
        var clock = DatabaseClock()
        let start = ContinuousClock.now
        func read(minute: Int64, ahead seconds: Int64) -> Bool {
            clock.advancesEvenly(
                to: Timestamp(microseconds: (minute * 60 + seconds) * 1_000_000), at: start.advanced(by: .seconds(minute * 60)))
        }
        #expect(read(minute: 0, ahead: 0) && read(minute: 1, ahead: 59) && read(minute: 2, ahead: -500))
        #expect(!read(minute: 3, ahead: 7_200))
        #expect(!read(minute: 4, ahead: 7_200) && !read(minute: 62, ahead: 7_200))
        #expect(read(minute: 63, ahead: 7_200))
    }
}
