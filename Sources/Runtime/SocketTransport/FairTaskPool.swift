import Dispatch
import Glibc
import Synchronization

/// Runs tasks that compute for long, outside of the event loops, on a few threads of its own. ``BlockingTaskExecutor`` is for work that blocks.
///
/// Users take turns on the threads, and a user has one thread at most. So a user with much work delays each other user by one job and a rest, and
/// users who come and go make no threads. A user's lines, such as its connections, take turns too.
///
/// The processors are also needed for short work, which waits for milliseconds behind threads that compute without a pause. So while such work is
/// under way, a thread rests after each job: for half as long as the job took, but at most 20 ms.
package final class FairTaskPool: Sendable {
    private struct State {
        /// Those with jobs and without a thread, in the order of their turns.
        var waiting = TurnQueue<User>()
        var idle: [DispatchQueue]
    }

    /// What a user has to do. A user without jobs has no lines.
    fileprivate struct Work {
        /// The lines that have jobs, in the order of their turns.
        var lines = TurnQueue<Line>()
        /// The jobs of these lines, the oldest first.
        var jobs: [ObjectIdentifier: TurnQueue<UnownedJob>] = [:]
        /// Whether the user waits for a thread or has one.
        var hasTurn = false

        /// - Returns: whether the user must wait for a thread now.
        mutating func add(_ job: UnownedJob, of line: Line) -> Bool {
            if jobs[ObjectIdentifier(line)] == nil { lines.append(line) }
            jobs[ObjectIdentifier(line), default: TurnQueue()].append(job)
            defer { hasTurn = true }
            return !hasTurn
        }

        mutating func next() -> (UnownedJob, Line)? {
            guard let line = lines.popFirst(), var rest = jobs.removeValue(forKey: ObjectIdentifier(line)), let job = rest.popFirst() else {
                return nil
            }
            if !rest.isEmpty {
                jobs[ObjectIdentifier(line)] = rest
                lines.append(line)
            }
            return (job, line)
        }
    }

    /// The longest rest after a job, nanoseconds.
    private static let longestRest: Int64 = 20_000_000
    /// Rests end within this time if nothing else is under way any more, nanoseconds.
    private static let restPart: Int64 = 500_000

    private let state: Mutex<State>
    private let isBusyOtherwise: @Sendable () -> Bool

    /// - Parameters:
    ///   - label: the name of the threads, as debuggers show it.
    ///   - threads: maximum threads, and so maximum jobs at once.
    ///   - isBusyOtherwise: whether the process has short work, for which a thread rests. It is asked after each job, and often during a rest.
    package init(label: String, threads: Int, isBusyOtherwise: @escaping @Sendable () -> Bool) {
        self.isBusyOtherwise = isBusyOtherwise
        // Only serial queues have threads that are not of the shared pool.
        state = Mutex(State(idle: (0..<threads).map { _ in DispatchQueue(label: label) }))
    }

    package func makeUser() -> User { User(of: self) }

    /// Somebody with a share of the threads.
    package final class User: Sendable {
        private let pool: FairTaskPool
        fileprivate let work = Mutex(Work())

        fileprivate init(of pool: FairTaskPool) { self.pool = pool }

        /// Makes an executor whose jobs are one line.
        package func makeLine() -> Line { Line(of: self) }

        fileprivate func enqueue(_ job: UnownedJob, of line: Line) {
            if work.withLock({ $0.add(job, of: line) }) { pool.wait(self) }
        }

        /// Runs one job, and lets the thread rest after it.
        /// - Returns: whether the user has more jobs, and must wait for a thread again.
        fileprivate func runNext() -> Bool {
            guard let (job, line) = work.withLock({ $0.next() }) else { return false }
            let begin = MonotonicClock.now()
            job.runSynchronously(on: line.asUnownedTaskExecutor())
            // Before the user may have another thread.
            pool.rest(afterJobOf: MonotonicClock.now() - begin)
            return work.withLock { work in
                work.hasTurn = !work.lines.isEmpty
                return work.hasTurn
            }
        }
    }

    /// A line of jobs, which run one after the other.
    package final class Line: TaskExecutor {
        private let user: User

        fileprivate init(of user: User) { self.user = user }

        /// Runs a job after all earlier ones of this line.
        package func enqueue(_ job: consuming ExecutorJob) { user.enqueue(UnownedJob(job), of: self) }
    }

    private func wait(_ user: User) {
        let queue = state.withLock { state in
            state.waiting.append(user)
            return state.idle.popLast()
        }
        guard let queue else { return }
        queue.async { self.work(on: queue) }
    }

    /// Runs jobs until nobody waits.
    private func work(on queue: DispatchQueue) {
        var last: User?
        while let user = next(after: last, on: queue) { last = user.runNext() ? user : nil }
    }

    /// Blocks the thread for a while, as long as the process has other work.
    fileprivate func rest(afterJobOf nanoseconds: Int64) {
        var left = min(nanoseconds / 2, Self.longestRest)
        while left > 0, isBusyOtherwise() {
            usleep(useconds_t(min(left, Self.restPart) / 1000))
            left -= Self.restPart
        }
    }

    /// The user whose turn it is. If nobody waits, the queue is idle.
    /// - Parameter last: who has had a turn here and waits again, after all others.
    private func next(after last: User?, on queue: DispatchQueue) -> User? {
        state.withLock { state in
            if let last { state.waiting.append(last) }
            guard let user = state.waiting.popFirst() else {
                state.idle.append(queue)
                return nil
            }
            return user
        }
    }
}
