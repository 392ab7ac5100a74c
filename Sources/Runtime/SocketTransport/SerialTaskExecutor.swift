import Dispatch

/// Runs tasks off the event loops, one piece of work at a time, on a thread of Dispatch's: for what would hold a loop up.
public final class SerialTaskExecutor: TaskExecutor {
    private let queue: DispatchQueue

    /// - Parameter label: the queue's name, as debuggers show it.
    public init(label: String) { queue = DispatchQueue(label: label) }

    /// Has a piece of a task run after those that were given before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
