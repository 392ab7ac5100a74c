import Dispatch
import Synchronization

/// Runs work that may block, such as waiting for a disk, on a few threads of its own. ``FairTaskPool`` is for work that computes.
///
/// Swift's shared pool has one thread for each core. If work that blocks takes all of them, nothing else in the process can use the pool. Here only
/// other work of the same executor waits.
///
///     let disk = BlockingTaskExecutor(label: "images.reads", threads: 2)
///     let bytes = await disk.run { read(path) }
package final class BlockingTaskExecutor: TaskExecutor {
    private struct State {
        /// In the order of their coming.
        var jobs: ArraySlice<UnownedJob> = []
        var idle: [DispatchQueue]
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - label: the name of the threads, as debuggers show it.
    ///   - threads: maximum threads, and so maximum work at once. More work waits.
    package init(label: String, threads: Int) {
        // Only serial queues have threads that are not of the shared pool.
        state = Mutex(State(idle: (0..<threads).map { _ in DispatchQueue(label: label) }))
    }

    /// Does something on one of the threads. It may block.
    package nonisolated(nonsending) func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withTaskExecutorPreference(self) { await Self.outcome(of: body) }.get()
    }

    @concurrent
    private static func outcome<Value: Sendable, Failure: Error>(
        of body: @Sendable () async throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }

    /// Runs a job when all earlier ones have begun and a thread is free.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let queue = state.withLock { state in
            state.jobs.append(job)
            return state.idle.popLast()
        }
        guard let queue else { return }
        queue.async { self.work(on: queue) }
    }

    /// Runs jobs until there are none.
    private func work(on queue: DispatchQueue) {
        while let job = next(for: queue) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// The next job. If there is none, the queue is idle.
    private func next(for queue: DispatchQueue) -> UnownedJob? {
        state.withLock { state in
            guard let job = state.jobs.popFirst() else {
                state.idle.append(queue)
                return nil
            }
            return job
        }
    }
}
