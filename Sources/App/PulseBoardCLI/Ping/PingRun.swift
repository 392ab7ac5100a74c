import PulseBoardMessages
import RPCCore
import SocketTransport
import Synchronization

/// Calls `AuthService.GetAuthState` repeatedly, and measures each call.
struct PingRun: Sendable {
    /// When the run ends.
    enum End: Sendable, Hashable {
        case count(Int)
        case duration(Duration)
    }

    let connections: [OpenChannel]
    /// Concurrent calls on all connections together.
    let concurrency: Int
    let end: End
    let options: CallOptions

    /// The result of a run.
    struct Outcome: Sendable {
        var roundTrips = RoundTrips()
        /// Failed calls by code. No other figure includes them.
        var failed: [StatusCode: Int64] = [:]
        var firstFailure: RPCError?
        var elapsed = Duration.zero

        mutating func add(_ other: Outcome) {
            roundTrips.add(other.roundTrips)
            failed.merge(other.failed, uniquingKeysWith: +)
            firstFailure = firstFailure ?? other.firstFailure
        }
    }

    /// Connects, which is not measured, and calls until the end.
    /// - Parameter interrupted: returns when the user interrupts the run. The calls until then count.
    /// - Throws: the error of a connection's first call.
    func run(interrupted: @escaping @Sendable () async -> Void) async throws(RPCError) -> Outcome {
        for connection in connections {
            _ = try await PBAuthServiceClient(channel: connection.channel).getAuthState(PBGetAuthStateRequest(), options: options)
        }
        let pace = Pace(end)
        let watching = Task {
            await interrupted()
            pace.stop()
        }
        let clock = ContinuousClock(), start = clock.now
        var outcome = await withTaskGroup(of: Outcome.self) { group in
            for worker in 0..<concurrency {
                let connection = connections[worker % connections.count]
                group.addTask(executorPreference: connection.executor) { await call(connection, pace) }
            }
            return await group.reduce(into: Outcome()) { $0.add($1) }
        }
        outcome.elapsed = clock.now - start
        watching.cancel()
        return outcome
    }

    /// Makes one call after another until the end.
    private func call(_ connection: OpenChannel, _ pace: Pace) async -> Outcome {
        let client = PBAuthServiceClient(channel: connection.channel)
        var outcome = Outcome()
        var start = MonotonicClock.now(), isFirst = true
        while pace.next(at: start, isFirst: isFirst) {
            isFirst = false
            do throws(RPCError) {
                _ = try await client.getAuthState(PBGetAuthStateRequest(), options: options)
                let end = MonotonicClock.now()
                outcome.roundTrips.record(end - start)
                start = end
            } catch {
                outcome.failed[error.code, default: 0] += 1
                outcome.firstFailure = outcome.firstFailure ?? error
                start = MonotonicClock.now()
            }
        }
        return outcome
    }

    /// Decides whether to make another call. All workers share it.
    private final class Pace: Sendable {
        private let left: Atomic<Int>
        /// Nanoseconds on the monotonic clock.
        private let until: Int64
        private let isStopped = Atomic(false)

        init(_ end: End) {
            var count = Int.max, until = Int64.max
            switch end {
            case .count(let number): count = number
            case .duration(let duration): until = MonotonicClock.now() + Int64(duration.inSeconds * 1e9)
            }
            left = Atomic(count)
            self.until = until
        }

        /// - Parameter isFirst: whether it is the worker's first call. Each worker makes at least one.
        func next(at now: Int64, isFirst: Bool) -> Bool {
            guard isFirst || now < until, !isStopped.load(ordering: .relaxed) else { return false }
            return left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0
        }

        func stop() { isStopped.store(true, ordering: .relaxed) }
    }
}
