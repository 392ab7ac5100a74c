import Dispatch
import Testing

@testable import StoreSQL

@Suite("A bell that wakes a thread", .timeLimit(.minutes(1))) struct DoorbellTests {
    /// Waits on a thread of its own.
    private func wait(for bell: Doorbell, _ patience: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "sleeper").async { continuation.resume(returning: bell.wait(until: .now + patience)) }
        }
    }

    @Test("a wait with a limit ends at once when it rings, and at the limit when it does not")
    func timed() async {
        let bell = Doorbell()
        #expect(await !wait(for: bell, .milliseconds(5)))
        bell.ring()
        #expect(await wait(for: bell, .seconds(3_600)))
        #expect(await !wait(for: bell, .milliseconds(5)))
        async let rung = wait(for: bell, .seconds(3_600))
        for _ in 0..<100 { await Task.yield() }
        bell.ring()
        #expect(await rung)
    }

    @Test("a ring that a wait without a limit has heard does not end a later one")
    func heard() async {
        let bell = Doorbell()
        #expect(await !wait(for: bell, .milliseconds(1)))
        for _ in 0..<100 {
            bell.ring()
            bell.wait()
        }
        #expect(await !wait(for: bell, .milliseconds(5)))
    }

    @Test("the end of waits that was told before, or meanwhile, ends all of them")
    func stop() async {
        let pauses = TimedWait()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        DispatchQueue(label: "sleeper").async {
                            pauses.wait(until: .now + .seconds(3_600))
                            continuation.resume()
                        }
                    }
                }
            }
            pauses.end()
        }
        pauses.wait(until: .now + .seconds(3_600))
    }
}
