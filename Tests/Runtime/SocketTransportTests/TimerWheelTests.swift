import TestHarness
import Testing

@testable import SocketTransport

@Suite struct TimerWheelTests {
    private let millisecond: Int64 = 1_000_000

    /// The fired timers, in order.
    private final class Log {
        var fired: [Int64] = []
    }

    @discardableResult
    private func insert(_ deadline: Int64, into wheel: inout TimerWheel, _ log: Log) -> LoopTimer {
        let timer = LoopTimer(deadline: deadline) { log.fired.append(deadline) }
        wheel.insert(timer)
        return timer
    }

    @Test("no timer fires early; each fires within a millisecond of its deadline", arguments: [0, 1, 999_999, 4_095_999_999, 77_777_777_777])
    func onTime(_ start: Int64) {
        for delay: Int64 in [1, 999_999, 1_000_000, 1_000_001, 5_000_000, 4_096_000_000, 4_097_000_001, 12_345_678_901] {
            var wheel = TimerWheel(now: start)
            let log = Log()
            insert(start + delay, into: &wheel, log)
            for timer in wheel.takeDue(at: start + delay - 1) { timer.fire() }
            #expect(log.fired.isEmpty)
            for timer in wheel.takeDue(at: start + delay + millisecond) { timer.fire() }
            #expect(log.fired == [start + delay])
            #expect(wheel.count == 0)
            #expect(wheel.nextLook() == nil)
        }
    }

    @Test("looking when the wheel says so misses no timer, whatever the deadlines")
    func nextLookMissesNothing() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<50 {
            var now = Int64.random(in: 0..<10_000_000_000, using: &random)
            var wheel = TimerWheel(now: now)
            let log = Log()
            let deadlines = (0..<40).map { _ in now + Int64.random(in: -1_000_000...10_000_000_000, using: &random) }
            for deadline in deadlines { insert(deadline, into: &wheel, log) }
            while let look = wheel.nextLook() {
                #expect(look > now)
                now = look
                for timer in wheel.takeDue(at: now) {
                    #expect(timer.deadline <= now)
                    // It is late by less than a tick, or by as much as it was when it was added.
                    #expect(now - timer.deadline < 3 * millisecond)
                    timer.fire()
                }
            }
            #expect(log.fired.sorted() == deadlines.sorted())
        }
    }

    @Test("a removed timer does not fire, and removing it again or after it fired does nothing")
    func removal() {
        // There are three in one slot: the first, the middle and the last of a chain.
        for victim in 0..<3 {
            var wheel = TimerWheel(now: 0)
            let log = Log()
            let timers = (0..<3).map { insert(5 * millisecond - Int64($0), into: &wheel, log) }
            wheel.remove(timers[victim])
            wheel.remove(timers[victim])
            #expect(wheel.count == 2)
            for timer in wheel.takeDue(at: 10 * millisecond) { timer.fire() }
            #expect(log.fired.count == 2)
            #expect(!log.fired.contains(timers[victim].deadline))
            for timer in timers { wheel.remove(timer) }
            #expect(wheel.count == 0)
        }
    }

    @Test("a timer that another one's action takes back in the same moment does not fire")
    func removalByAnotherDueTimer() {
        var wheel = TimerWheel(now: 0)
        let log = Log()
        let first = insert(millisecond, into: &wheel, log)
        let second = insert(2 * millisecond, into: &wheel, log)
        let due = wheel.takeDue(at: 5 * millisecond)
        #expect(due.map(\.deadline) == [first.deadline, second.deadline])
        due[0].fire()
        wheel.remove(second)
        due[1].fire()
        #expect(log.fired == [first.deadline])
    }

    @Test("a deadline at the end of time is kept and never fires")
    func farFuture() {
        var wheel = TimerWheel(now: 0)
        let log = Log()
        let timer = insert(.max - 1, into: &wheel, log)
        for step: Int64 in 1...10 { #expect(wheel.takeDue(at: step * 4_096 * millisecond).isEmpty) }
        #expect(wheel.count == 1)
        wheel.remove(timer)
        #expect(wheel.count == 0)
    }

    @Test("100,000 timers of one instant come and go")
    func crowd() {
        var wheel = TimerWheel(now: 0)
        let log = Log()
        for _ in 0..<100_000 { insert(millisecond, into: &wheel, log) }
        wheel.removeAll()
        #expect(wheel.count == 0)
        #expect(wheel.nextLook() == nil)
        #expect(wheel.takeDue(at: 10 * millisecond).isEmpty)
    }
}
