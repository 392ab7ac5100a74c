import Dispatch
import RPCCore

/// Runs what would hold an event loop up: the decoding of large requests, and their handlers. One piece of work at a time, on a thread of Dispatch's.
final class LargeRequestExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "rpc.large-requests")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The queue of a task that runs one call and then ends.
final class NoMoreCalls: HandlerQueue {
    func next() -> ServerCall? { nil }
    func waitForCall(_ continuation: UnsafeContinuation<ServerCall?, Never>) { continuation.resume(returning: nil) }
}
