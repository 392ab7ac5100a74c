import Synchronization
import Testing

@testable import SocketTransport

@Suite struct EventLoopTests {
    private final class Witness: Sendable {}

    /// Carries a weak reference out of the loop.
    private struct Weak: Sendable {
        weak let witness: Witness?
    }

    @Test("a loop is at work while it runs something, and not while it waits for events")
    func atWork() async throws {
        let loop = try EventLoop(label: "test")
        let during = await withCheckedContinuation { continuation in loop.execute { continuation.resume(returning: loop.isAtWork) } }
        #expect(during)
        while loop.isAtWork { await Task.yield() }
        await loop.stop()
        while loop.isAtWork { await Task.yield() }
    }

    @Test("a stopped loop lets go of what its timers held, and takes no new ones")
    func stopReleasesTimers() async throws {
        let loop = try EventLoop(label: "test")
        let weakly: [Weak] = await withCheckedContinuation { continuation in
            loop.execute {
                let witness = Witness()
                _ = loop.schedule(at: .max - 1) { _ = (witness, loop) }
                continuation.resume(returning: [Weak(witness: witness)])
            }
        }
        await loop.stop()
        #expect(weakly.allSatisfy { $0.witness == nil })
        let late: Weak = await withCheckedContinuation { continuation in
            loop.execute {
                let witness = Witness()
                _ = loop.schedule(at: 0) { _ = witness }
                continuation.resume(returning: Weak(witness: witness))
            }
        }
        // Work after the stop runs on a serial queue: when this closure runs, the one above has ended and released `witness`.
        await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
        #expect(late.witness == nil)
    }

    @Test("work asked of a loop after its stop still runs, in order")
    func workAfterStop() async throws {
        let loop = try EventLoop(label: "test")
        await loop.stop()
        let order: [Int] = await withCheckedContinuation { continuation in
            let log = Log()
            for number in 0..<100 { loop.execute { log.add(number) } }
            loop.execute { continuation.resume(returning: log.numbers) }
        }
        #expect(order == Array(0..<100))
    }

    @Test("timers fire on the loop, in the order of their deadlines")
    func timersFire() async throws {
        let loop = try EventLoop(label: "test")
        let order: [Int] = await withCheckedContinuation { continuation in
            loop.execute {
                let log = Log()
                let now = MonotonicClock.now()
                for number in [5, 1, 3] {
                    _ = loop.schedule(at: now + Int64(number) * 2_000_000) {
                        loop.preconditionInLoop()
                        log.add(number)
                        if number == 5 { continuation.resume(returning: log.numbers) }
                    }
                }
            }
        }
        #expect(order == [1, 3, 5])
        await loop.stop()
    }

    @Test("many timers that are due together take turns with other work")
    func timersTakeTurns() async throws {
        let loop = try EventLoop(label: "test")
        let count = 200
        let before = Atomic(0)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            loop.execute {
                let log = Log()
                let due = MonotonicClock.now() + 1_000_000
                for number in 0..<count {
                    _ = loop.schedule(at: due) {
                        if log.numbers.isEmpty { loop.execute { before.store(log.numbers.count, ordering: .relaxed) } }
                        let end = MonotonicClock.now() + 100_000
                        while MonotonicClock.now() < end {}
                        log.add(number)
                        if log.numbers.count == count { continuation.resume() }
                    }
                }
            }
        }
        #expect((1..<count / 2).contains(before.load(ordering: .relaxed)))
        await loop.stop()
    }

    @Test("timers that are due together wait for the work that they make")
    func timersWaitForTheirWork() async throws {
        let loop = try EventLoop(label: "test")
        let most = Atomic(0)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            loop.execute {
                let acted = Log(), worked = Log()
                let inARow = Atomic(0)
                let due = MonotonicClock.now() + 1_000_000
                for number in 0..<2_000 {
                    _ = loop.schedule(at: due) {
                        acted.add(number)
                        // A turn's first eight timers do not wait. If a turn had no time for work, those of the next follow them at once.
                        if inARow.add(1, ordering: .relaxed).newValue > 16 {
                            most.max(acted.numbers.count - worked.numbers.count, ordering: .relaxed)
                        }
                        loop.execute {
                            worked.add(number)
                            inARow.store(0, ordering: .relaxed)
                            if worked.numbers.count == 2_000 { continuation.resume() }
                        }
                    }
                }
            }
        }
        #expect(most.load(ordering: .relaxed) <= 64)
        await loop.stop()
    }

    @Test("a stop ends timers that are due and have not acted yet")
    func stopEndsDueTimers() async throws {
        let loop = try EventLoop(label: "test")
        let acted = Atomic(0)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            loop.execute {
                let due = MonotonicClock.now() + 1_000_000
                for _ in 0..<100 {
                    _ = loop.schedule(at: due) {
                        if acted.add(1, ordering: .relaxed).oldValue == 0 { loop.stop { continuation.resume() } }
                        let end = MonotonicClock.now() + 200_000
                        while MonotonicClock.now() < end {}
                    }
                }
            }
        }
        #expect(acted.load(ordering: .relaxed) < 50)
    }

    @Test("work that waits for a turn of a user is done, even if the loop stops in a turn of that user")
    func stopsInTurn() async throws {
        let loop = try EventLoop(label: "test")
        let isDone = Mutex(false)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            loop.execute {
                let share = loop.turnShares.join(1)
                let first = LeftWork(on: loop, in: share) {
                    loop.stop {}
                    // The stop is ready work, which runs within the turn.
                    loop.runReady(rounds: 1)
                    // The user's time is over, so what waits now has no turn any more.
                    share.use(TurnShare.allowance)
                    let last = LeftWork(on: loop, in: share) {
                        isDone.withLock { $0 = true }
                        return false
                    }
                    loop.turnShares.wait(last, in: share, .last)
                    continuation.resume()
                    return false
                }
                loop.turnShares.wait(first, in: share, .last)
            }
        }
        await loop.stop()
        let wasDone = isDone.withLock { $0 }
        #expect(wasDone)
    }

    @Test("10,000 pieces of work from many threads all run")
    func manyThreads() async throws {
        let loop = try EventLoop(label: "test")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10_000 {
                group.addTask { await withCheckedContinuation { continuation in loop.execute { continuation.resume() } } }
            }
        }
        await loop.stop()
    }

    /// A log that is written on one loop only.
    private final class Log: @unchecked Sendable {
        // It is safe to be Sendable, because only closures of one serial loop use it.
        private(set) var numbers: [Int] = []
        func add(_ number: Int) { numbers.append(number) }
    }
}
