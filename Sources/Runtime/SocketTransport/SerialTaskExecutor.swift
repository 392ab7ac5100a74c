import Dispatch

/// Runs tasks outside of the event loops, one job at a time, on a Dispatch thread. For work that would delay a loop.
public final class SerialTaskExecutor: TaskExecutor {
    private let queue: DispatchQueue

    /// - Parameter label: the queue's name, as debuggers show it.
    public init(label: String) { queue = DispatchQueue(label: label) }

    /// Runs a job after all earlier ones.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
