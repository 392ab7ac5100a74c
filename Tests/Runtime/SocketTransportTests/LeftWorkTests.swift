import Synchronization
import TestHarness
import Testing

@testable import SocketTransport

/// Work that is left beside ready work of handlers. That it is done in steps is in ``FairTurnTests``.
@Suite struct LeftWorkTests {
    /// What steps of left work have made ready, and how much of it has run.
    private final class Made {
        var made = 0
        var run = 0
        var mostWaiting = 0
    }

    @Test("work that is left waits for the ready work that its steps make, so that others' work is not behind all of it")
    func leftWorkWaitsForReadyWork() async throws {
        let loop = try EventLoop(label: "test")
        let made = LoopBound(Made(), to: loop), done = Event()
        loop.execute {
            let share = loop.turnShares.join(1)
            loop.turnShares.wait(LeftWork(on: loop, in: share) {
                made.value.made += 1
                made.value.mostWaiting = max(made.value.mostWaiting, made.value.made - made.value.run)
                loop.execute {
                    // Slower than the step that made it.
                    spend(TurnShare.allowance / 20)
                    made.value.run += 1
                    if made.value.run == 1_000 { done.fire() }
                }
                return made.value.made < 1_000
            }, in: share, .last)
        }
        await done.wait()
        #expect(await made.onLoop { $0.mostWaiting } <= 64 + 1)
        await loop.stop()
    }

    @Test("work that is left and makes nothing ready goes on beside much ready work of others")
    func leftWorkBesideReadyWork() async throws {
        final class Progress {
            var steps = 0
            var turns: UInt64 = 0
        }
        let loop = try EventLoop(label: "test")
        let progress = LoopBound(Progress(), to: loop), done = Event(), isDone = Flag()
        @Sendable func stayReady() {
            if !isDone.value.load(ordering: .relaxed) { loop.execute { stayReady() } }
        }
        loop.execute {
            for _ in 0..<100 { stayReady() }
            let share = loop.turnShares.join(1), first = loop.turnShares.turn
            loop.turnShares.wait(LeftWork(on: loop, in: share) {
                progress.value.steps += 1
                guard progress.value.steps == 20_000 else { return true }
                progress.value.turns = loop.turnShares.turn - first
                isDone.value.store(true, ordering: .relaxed)
                done.fire()
                return false
            }, in: share, .last)
        }
        await done.wait()
        #expect(await progress.onLoop { $0.turns } < 2_000)
        await loop.stop()
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }
}
