/// A task that prefers this executor resumes on the loop's own thread: a handler's answer goes out without a hop.
extension EventLoop: TaskExecutor {
    public func enqueue(_ job: consuming ExecutorJob) { run(orEnqueue: UnownedJob(job)) }
}
