/// Work that an event loop can run at once: handlers that continue, and closures. Loop-bound.
///
/// The users take turns, and so do the connections of each user (``ReadyLine``). So a handler waits for at most a ``slice`` of each other
/// user, and for a few pieces of each other connection of the same user, however many handlers those have.
struct ReadyWork {
    /// How long a user's work runs before that of the next user, nanoseconds: 0.05 ms. A piece that has begun is finished first.
    static let slice: Int64 = 50_000

    /// Work of no user: that of clients' tasks, and of the server itself.
    private let common = ReadyLine(in: TurnShare(0))
    /// The users with work, the next one first. The one whose work runs is not in the list.
    private var shares = TurnQueue<TurnShare>()
    /// The number of pieces that wait.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The number of users whose turn it is before the others have another one.
    var userCount: Int { shares.count }

    /// Adds a piece at the end of its line.
    mutating func append(_ work: EventLoop.Work, to line: ReadyLine?) {
        let line = line ?? common
        line.work.append(work)
        count += 1
        let share = line.share
        share.readyCount += 1
        guard !line.isListed else { return }
        line.isListed = true
        share.readyLines.add(line, line.place)
        guard !share.isReady else { return }
        share.isReady = true
        shares.append(share)
    }

    /// The user whose turn it is. Call ``putBack(_:)`` afterwards.
    mutating func takeShare() -> TurnShare? { shares.popFirst() }

    /// Lists a user again if work is left.
    mutating func putBack(_ share: TurnShare) {
        share.isReady = share.readyCount > 0
        if share.isReady { shares.append(share) }
    }

    /// The next piece of a user: the oldest one of the line whose turn it is. If more of the line is left, it goes behind the others.
    mutating func popFirst(of share: TurnShare) -> EventLoop.Work? {
        guard let line = share.readyLines.popFirst(), let work = line.work.popFirst() else { return nil }
        count -= 1
        share.readyCount -= 1
        line.noteRun()
        line.isListed = !line.work.isEmpty
        if line.isListed { share.readyLines.add(line, .last) }
        return work
    }
}

/// The ready work of one connection, oldest first. Loop-bound.
///
/// A connection has little work until ``sparseCount`` of its pieces have run in the present round of its user's lines. Then it goes before those
/// with much, as in ``TurnShare``. The pieces of one line always run in their order.
final class ReadyLine {
    /// The pieces in a round of a connection with little work.
    static let sparseCount = 4

    let share: TurnShare
    fileprivate(set) var work = TurnQueue<EventLoop.Work>()
    /// Whether it is among the waiting lines of its user.
    fileprivate var isListed = false
    /// The user's round in which it ran last, and the pieces that have run in that round.
    private var lastRound: UInt64 = 0
    private var runInRound = 0

    init(in share: TurnShare) { self.share = share }

    /// Where it waits when it gets work.
    fileprivate var place: PlaceInQueue { lastRound != share.readyLines.round || runInRound < Self.sparseCount ? .sparse : .last }

    fileprivate func noteRun() {
        let round = share.readyLines.round
        runInRound = lastRound == round ? runInRound + 1 : 1
        lastRound = round
    }
}

/// Runs the tasks and closures of one connection on an event loop, in that connection's turns.
package final class ConnectionExecutor: TaskExecutor, @unchecked Sendable {
    // Sendable: `loop` is constant. `line` is touched on the loop only: by `init(for:)`, `work(for:)` and `schedule(at:_:)`, which check it,
    // and when the loop sorts work into the lines.
    package let loop: EventLoop
    private(set) var line: ReadyLine?

    /// Makes an executor that works for nobody yet. Any thread.
    package init(on loop: EventLoop) { self.loop = loop }

    /// Makes an executor that works for a connection. On the loop only.
    package convenience init(for connection: Connection) {
        self.init(on: connection.loop)
        loop.preconditionInLoop()
        line = connection.share.map { ReadyLine(in: $0) }
    }

    /// From now on, works for the connection of another executor of the loop. On the loop only.
    package func work(for other: ConnectionExecutor) {
        loop.preconditionInLoop()
        // Often it is the same, and then no reference is counted.
        if line !== other.line { line = other.line }
    }

    package func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(UnownedJob(job), on: asUnownedTaskExecutor(), of: self) }

    /// As ``EventLoop/schedule(at:_:)``. Due timers of its user take turns with those of others. On the loop only.
    package func schedule(at deadline: Int64, _ action: @escaping () -> Void) -> LoopTimer {
        loop.schedule(at: deadline, for: line?.share, action)
    }

    /// Runs a closure on the loop, soon. Any thread.
    package func execute(_ closure: @escaping @Sendable () -> Void) { loop.enqueue(.closure(closure), of: self) }
}
