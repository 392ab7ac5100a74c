import PulseBoardDomain
import Synchronization
import Testing

@testable import PulseBoardServices

@Suite("Change hub", .timeLimit(.minutes(5))) struct ChangeHubTests {
    @Test("an announcement wakes every watcher, whether they are few or more than are woken at once", arguments: [1, ChangeHub.wokenAtOnce, 1_000])
    func all(_ count: Int) async throws {
        let hub = ChangeHub(), topic = WatchedTopic.profile(of: UserID(bits: UUIDBits(high: 0xAA, low: 1)))
        let signals = (0..<count).map { _ in WatchSignal() }, other = WatchSignal()
        for signal in signals { try hub.add(signal, to: [topic]) }
        try hub.add(other, to: [.profile(of: UserID(bits: UUIDBits(high: 0xAA, low: 2)))])
        for _ in 0..<2 {
            hub.announce(topic)
            for signal in signals { #expect(try await signal.wait() == .change) }
        }
        other.raise(.heartbeat)
        #expect(try await other.wait() == .heartbeat)
    }

    @Test("many watchers are woken in portions, so that what else was resumed waits for few of them")
    func portions() async throws {
        let hub = ChangeHub(patience: .seconds(3_600)), topic = WatchedTopic.profile(of: UserID(bits: UUIDBits(high: 0xAA, low: 1)))
        let executor = HeldExecutor()
        let watchers = try (0..<300).map { _ in
            let signal = WatchSignal()
            try hub.add(signal, to: [topic])
            return Task(executorPreference: executor) { try await signal.wait() }
        }
        while executor.run() > 0 {}
        hub.announce(topic)
        var woken = 0
        while woken < watchers.count {
            let portion = min(ChangeHub.wokenAtOnce, watchers.count - woken)
            while executor.count < portion { await Task.yield() }
            // More announcements wake nobody twice, and no more at once.
            for _ in 0..<5 { hub.announce(topic) }
            for _ in 0..<100 { await Task.yield() }
            #expect(executor.count == portion)
            woken += executor.run()
        }
        for watcher in watchers { #expect(try await watcher.value == .change) }
    }

    @Test("watchers whose executor does not run hold up no others")
    func heldWatchers() async throws {
        let hub = ChangeHub(), topic = WatchedTopic.profile(of: UserID(bits: UUIDBits(high: 0xAA, low: 1)))
        let held = HeldExecutor()
        func watchers(_ executor: HeldExecutor?) throws -> [Task<WatchSignal.Reasons?, any Error>] {
            try (0..<200).map { _ in
                let signal = WatchSignal()
                try hub.add(signal, to: [topic])
                return Task(executorPreference: executor) { try await signal.wait() }
            }
        }
        let slow = try watchers(held), others = try watchers(nil)
        while held.run() > 0 {}
        hub.announce(topic)
        for watcher in others { #expect(try await watcher.value == .change) }
        while held.run() > 0 {}
        for watcher in slow { #expect(try await watcher.value == .change) }
    }
}

/// Runs what is queued when a test says so.
private final class HeldExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    var count: Int { jobs.withLock { $0.count } }

    /// - Returns: how many jobs there were.
    @discardableResult
    func run() -> Int {
        let jobs = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        return jobs.count
    }
}
