import RPCCore
import Testing

@Suite struct DeadlineTests {
    @Test func aTimeoutIsAddedToNow() {
        #expect(Deadline(now: 1_000, timeoutNanoseconds: 500).nanoseconds == 1_500)
        #expect(Deadline(now: 1_000, timeoutNanoseconds: -500).nanoseconds == 500)
    }

    @Test("a timeout beyond the clock's end is none at all, not one in the past")
    func overflowIsNever() {
        #expect(Deadline(now: 1_000, timeoutNanoseconds: .max) == .never)
        #expect(Deadline(now: 0, timeoutNanoseconds: .min).hasPassed(at: 0))
    }

    @Test func aDeadlinePassesAtItsInstant() {
        let deadline = Deadline(nanoseconds: 100)
        #expect(!deadline.hasPassed(at: 99))
        #expect(deadline.hasPassed(at: 100))
        #expect(!Deadline.never.hasPassed(at: .max))
        #expect(deadline < .never)
    }
}
