import Dispatch
import Synchronization
import Testing

@testable import SocketTransport

@Suite("Work that computes for long")
struct FairTaskPoolTests {
    /// What jobs do: each notes its name, and waits until the test lets it end.
    private final class Log: Sendable {
        private struct State {
            var names: [String] = []
            var running: [String: Int] = [:]
            var mostOfAll = 0
            var mostOfOne = 0
        }
        private let state = Mutex(State())
        let gate = DispatchSemaphore(value: 0)

        var names: [String] { state.withLock { $0.names } }
        var most: (ofAll: Int, ofOne: Int) { state.withLock { ($0.mostOfAll, $0.mostOfOne) } }

        func run(_ name: String, of user: String, waiting: Bool) {
            state.withLock { state in
                state.names.append(name)
                state.running[user, default: 0] += 1
                state.mostOfAll = max(state.mostOfAll, state.running.values.reduce(0, +))
                state.mostOfOne = max(state.mostOfOne, state.running[user]!)
            }
            if waiting { gate.wait() }
            state.withLock { $0.running[user]! -= 1 }
        }
    }

    private func job(_ name: String, of user: String, on line: FairTaskPool.Line, _ log: Log, waiting: Bool = false) -> Task<Void, Never> {
        Task.detached(executorPreference: line) { log.run(name, of: user, waiting: waiting) }
    }

    @Test("there are as many jobs at once as threads, and a user has one of them")
    func limits() async {
        let pool = FairTaskPool(label: "work", threads: 3) { false }
        let log = Log()
        var tasks: [Task<Void, Never>] = []
        for number in 0..<5 {
            let user = pool.makeUser()
            for line in [user.makeLine(), user.makeLine()] {
                for _ in 0..<4 { tasks.append(job("job", of: "user \(number)", on: line, log, waiting: true)) }
            }
        }
        while log.names.count < 3 { await Task.yield() }
        for _ in tasks { log.gate.signal() }
        for task in tasks { await task.value }
        #expect(log.names.count == 40)
        #expect(log.most == (3, 1))
    }

    @Test("users take turns, and so do the lines of a user")
    func turns() async {
        let pool = FairTaskPool(label: "work", threads: 1) { false }
        let log = Log()
        let (one, two) = (pool.makeUser(), pool.makeUser())
        let (first, second, third) = (one.makeLine(), one.makeLine(), two.makeLine())
        // It holds the thread until all others wait.
        var tasks = [job("held", of: "one", on: first, log, waiting: true)]
        while log.names.isEmpty { await Task.yield() }
        for name in ["first 1", "first 2", "first 3"] { tasks.append(job(name, of: "one", on: first, log)) }
        tasks.append(job("second 1", of: "one", on: second, log))
        for name in ["third 1", "third 2"] { tasks.append(job(name, of: "two", on: third, log)) }
        log.gate.signal()
        for task in tasks { await task.value }
        #expect(log.names == ["held", "third 1", "first 1", "third 2", "second 1", "first 2", "first 3"])
    }

    @Test("a user who has gone is freed with the lines, when the jobs are done")
    func freed() async {
        let pool = FairTaskPool(label: "work", threads: 1) { false }
        let log = Log()
        weak var user: FairTaskPool.User?
        weak var line: FairTaskPool.Line?
        do {
            let one = pool.makeUser(), first = one.makeLine()
            (user, line) = (one, first)
            await job("1", of: "one", on: first, log).value
        }
        // The thread may still be on its way back.
        for _ in 0..<1_000_000 where user != nil || line != nil { await Task.yield() }
        #expect(user == nil && line == nil)
    }

    @Test("a pool without work begins again")
    func again() async {
        let pool = FairTaskPool(label: "work", threads: 2) { false }
        let log = Log()
        let line = pool.makeUser().makeLine()
        for number in 1...3 { await job("\(number)", of: "one", on: line, log).value }
        #expect(log.names == ["1", "2", "3"])
    }

    @Test("a thread rests after a job while the process has other work, and goes on when it has none")
    func rests() async {
        let log = Log(), asked = Atomic(0)
        let pool = FairTaskPool(label: "work", threads: 1) {
            let count = asked.wrappingAdd(1, ordering: .relaxed).newValue
            log.run("asked", of: "pool", waiting: false)
            return count < 3
        }
        let line = pool.makeUser().makeLine()
        var tasks = [job("1", of: "one", on: line, log, waiting: true)]
        while log.names.isEmpty { await Task.yield() }
        tasks.append(job("2", of: "one", on: line, log))
        // The job is so long that its rest has several parts.
        let begin = MonotonicClock.now()
        while MonotonicClock.now() - begin < 5_000_000 { await Task.yield() }
        log.gate.signal()
        for task in tasks { await task.value }
        #expect(log.names.prefix(5) == ["1", "asked", "asked", "asked", "2"])
    }
}
