/// A task that prefers this executor resumes on the loop. So a handler's answer needs no change of thread.
extension EventLoop: TaskExecutor {
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // In this order, because only the loop may read its state.
        guard inLoop, runsNextJobAtOnce else { return enqueue(.job(job)) }
        runsNextJobAtOnce = false
        job.runSynchronously(on: asUnownedTaskExecutor())
    }

    /// Runs `body`. The first job of a task that `body` makes ready for this loop runs at once and not at the end of the turn. On the loop only, and
    /// outside of any task.
    public func runAtOnce(_ body: () -> Void) {
        preconditionInLoop()
        runsNextJobAtOnce = true
        body()
        runsNextJobAtOnce = false
    }
}
