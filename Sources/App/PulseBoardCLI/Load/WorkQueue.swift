import RPCCore
import Synchronization

/// Gives the numbers 0…count − 1, each once, to workers that make one call after another.
///
/// The number of workers is fixed, and so is the number of concurrent calls: a million calls take no more memory than one.
/// The first error that concerns all calls stops all workers.
final class WorkQueue: Sendable {
    let count: Int
    private let next = Atomic<Int>(0)
    private let finished = Atomic<Int>(0)
    private let failure = Mutex<RPCError?>(nil)

    init(count: Int) { self.count = count }

    /// How many steps are done.
    var done: Int { finished.load(ordering: .relaxed) }

    /// Runs `step` for every number on `workers` tasks for each connection, and returns the results of each worker.
    ///
    /// A step that fails with RESOURCE_EXHAUSTED, ABORTED or DEADLINE_EXCEEDED is tried again after a growing pause, so
    /// it must be safe to repeat. Any other error of a step ends the whole run.
    /// - Throws: ``RPCError``: the first error that ended the run.
    func run<Gathered: Sendable>(
        over connections: [OpenChannel], workers: Int, gathering empty: Gathered,
        _ step: @escaping @Sendable (Int, any CallChannel, inout Gathered) async throws(RPCError) -> Void
    ) async throws(RPCError) -> [Gathered] {
        let gathered = await withTaskGroup(of: Gathered.self) { group in
            for connection in connections {
                for _ in 0..<min(workers, count) {
                    group.addTask(executorPreference: connection.executor) {
                        var gathered = empty
                        do throws(RPCError) {
                            try await self.work(connection.channel, &gathered, step)
                        } catch {
                            self.stop(error)
                        }
                        return gathered
                    }
                }
            }
            var all: [Gathered] = []
            for await one in group { all.append(one) }
            return all
        }
        if let error = failure.withLock({ $0 }) { throw error }
        return gathered
    }

    private func work<Gathered: Sendable>(
        _ channel: any CallChannel, _ gathered: inout Gathered,
        _ step: @Sendable (Int, any CallChannel, inout Gathered) async throws(RPCError) -> Void
    ) async throws(RPCError) {
        while let number = take() {
            var pause = Duration.milliseconds(10)
            while true {
                do throws(RPCError) {
                    try await step(number, channel, &gathered)
                    break
                } catch where error.code.mayPassByItself && pause < .seconds(5) {
                    try? await Task.sleep(for: pause)
                    pause *= 2
                }
            }
            finished.wrappingAdd(1, ordering: .relaxed)
        }
    }

    private func take() -> Int? {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return number < count ? number : nil
    }

    /// Keeps the first error, and ends the queue.
    private func stop(_ error: RPCError) {
        next.store(count, ordering: .relaxed)
        failure.withLock { if $0 == nil { $0 = error } }
    }
}

extension StatusCode {
    /// Whether the same call may succeed a moment later.
    fileprivate var mayPassByItself: Bool {
        self == .resourceExhausted || self == .aborted || self == .deadlineExceeded
    }

    /// Whether the error concerns only one call, and not the next ones.
    var isRefusal: Bool {
        switch self {
        case .invalidArgument, .notFound, .alreadyExists, .failedPrecondition, .outOfRange, .permissionDenied: true
        default: false
        }
    }
}
