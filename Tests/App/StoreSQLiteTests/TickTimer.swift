import Synchronization

/// A timer with one sleeper. Only a test wakes it, however long it wanted to sleep.
final class TickTimer: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let ticks = AsyncStream.makeStream(of: Void.self)
    private let asleep = AsyncStream.makeStream(of: Void.self)
    private let wanted = Mutex<[Duration]>([])

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }
    /// The requested durations of all sleeps.
    var sleeps: [Duration] { wanted.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        wanted.withLock { $0.append(deadline.offset) }
        asleep.continuation.yield()
        for await _ in ticks.stream { return }
        throw CancellationError()
    }

    func tick() { ticks.continuation.yield() }

    /// Returns at the next sleep that was not awaited yet.
    func somebodySleeps() async { for await _ in asleep.stream { return } }
}
