import Testing

@testable import PulseBoardDomain

@Suite("Time") struct TimeTests {
    @Test("the machine's clock tells no instant before this program was written")
    func earliest() {
        #expect(SystemWallClock.instant(seconds: -86_400, nanoseconds: 0) == SystemWallClock.earliest)
        #expect(SystemWallClock.instant(seconds: 0, nanoseconds: 7_000) == SystemWallClock.earliest)
        #expect(SystemWallClock.instant(seconds: 1_800_000_000, nanoseconds: 7_999).microseconds == 1_800_000_000_000_007)
        #expect(SystemWallClock().now() > SystemWallClock.earliest)
    }

    @Test("instants saturate instead of trapping")
    func instants() {
        #expect(Timestamp(microseconds: .max).advanced(by: .days(1)) == Timestamp(microseconds: .max))
        #expect(Timestamp(microseconds: 0).advanced(by: .hours(2)).microseconds == 7_200_000_000)
    }
}
