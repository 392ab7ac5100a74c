/// Work that an event loop can run at once: handlers that continue, and closures. Loop-bound.
///
/// Each user has a queue (in its ``TurnShare``), and the queues take turns. So a handler of one user waits for at most a ``slice`` of each other
/// user, however many handlers those have.
struct ReadyWork {
    /// How long a user's work runs before that of the next user, nanoseconds: 0.05 ms. A piece that has begun is finished first.
    static let slice: Int64 = 50_000

    /// Work of no user: that of clients' tasks, and of the server itself.
    private let common = TurnShare(0)
    /// The users with work, the next one first. The one whose work runs is not in the list.
    private var shares = TurnQueue<TurnShare>()
    /// The number of pieces that wait.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The number of users whose turn it is before the others have another one.
    var userCount: Int { shares.count }

    /// Adds a piece at the end of its user's queue.
    mutating func append(_ work: EventLoop.Work, of share: TurnShare?) {
        let share = share ?? common
        share.ready.append(work)
        count += 1
        guard !share.isReady else { return }
        share.isReady = true
        shares.append(share)
    }

    /// The user whose turn it is. Call ``putBack(_:)`` afterwards.
    mutating func takeShare() -> TurnShare? { shares.popFirst() }

    /// The oldest piece of a user.
    mutating func popFirst(of share: TurnShare) -> EventLoop.Work? {
        guard let work = share.ready.popFirst() else { return nil }
        count -= 1
        return work
    }

    /// Lists a user again if work is left.
    mutating func putBack(_ share: TurnShare) {
        share.isReady = !share.ready.isEmpty
        if share.isReady { shares.append(share) }
    }
}

/// Runs the tasks and closures of one user on an event loop, in that user's turns.
package final class UserExecutor: TaskExecutor, @unchecked Sendable {
    // Sendable: `loop` is constant. `share` is touched on the loop only: by `init(for:)`, `work(forUserOf:)` and `schedule(at:_:)`, which check it,
    // and when the loop sorts work into the users' queues.
    package let loop: EventLoop
    private(set) var share: TurnShare?

    /// Makes an executor that works for nobody yet. Any thread.
    package init(on loop: EventLoop) { self.loop = loop }

    /// Makes an executor that works for the user of a connection. On the loop only.
    package convenience init(for connection: Connection) {
        self.init(on: connection.loop)
        loop.preconditionInLoop()
        share = connection.share
    }

    /// From now on, works for the user of another executor of the loop. On the loop only.
    package func work(forUserOf other: UserExecutor) {
        loop.preconditionInLoop()
        // Nearly always it is the same, and then no reference is counted.
        if share !== other.share { share = other.share }
    }

    package func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(UnownedJob(job), on: asUnownedTaskExecutor(), of: self) }

    /// As ``EventLoop/schedule(at:_:)``. Due timers of its user take turns with those of others. On the loop only.
    package func schedule(at deadline: Int64, _ action: @escaping () -> Void) -> LoopTimer { loop.schedule(at: deadline, for: share, action) }

    /// Runs a closure on the loop, soon. Any thread.
    package func execute(_ closure: @escaping @Sendable () -> Void) { loop.enqueue(.closure(closure), of: self) }
}
