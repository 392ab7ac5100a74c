/// A task that prefers this executor resumes on the loop's own thread: a handler's answer goes out without a hop.
extension EventLoop: TaskExecutor {
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // In this order: only the loop may look at its state.
        guard inLoop, runsNextJobAtOnce else { return enqueue(.job(job)) }
        runsNextJobAtOnce = false
        job.runSynchronously(on: asUnownedTaskExecutor())
    }

    /// Runs the first piece of a task that `body` makes ready for this loop at once, not at the end of the turn. On the loop only, and outside of any
    /// task.
    public func runAtOnce(_ body: () -> Void) {
        preconditionInLoop()
        runsNextJobAtOnce = true
        body()
        runsNextJobAtOnce = false
    }
}
