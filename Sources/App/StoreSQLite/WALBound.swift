import PulseBoardDomain
import StoreSQL

/// Keeps the write-ahead log from growing without end while readers follow each other without a gap.
///
/// A log begins again from its start when all of it has been copied into the database and nobody reads from it. With reads back to back on several
/// lanes, somebody always reads. So when it is longer than 64 MiB, the lanes pause between two batches, the rest is copied, and they go on. The next
/// transaction finds a log that nobody needs. Most was copied before, because every commit beyond 32 MiB copies what it may.
///
/// A value of the writer's thread.
struct WALBound {
    /// Length that is let be, bytes; `journal_size_limit` has the file cut to it when a log begins again.
    static let limit: Int64 = 64 << 20
    /// How long to wait for the lanes to pause. Most batches end within half a millisecond.
    private static let patience = Duration.milliseconds(20)...Duration.seconds(1)
    /// After how long it is tried again: when a read has held the lanes up, and when somebody outside this process reads.
    private static let pauseAfterHeldUp = Duration.milliseconds(100)
    private static let pauseAfterInVain = Duration.seconds(1)

    private let lanes: [ReadLanes]
    private var presentPatience = Self.patience.lowerBound
    private var notBefore = ContinuousClock.now
    private let limit: Int64

    init(_ lanes: [ReadLanes], limit: Int64 = Self.limit) {
        self.lanes = lanes
        self.limit = limit
    }

    /// Shortens the log if it is too long. Between two transactions.
    /// - Parameter bytes: its length.
    /// - Throws: when the database could not be written.
    mutating func keep(_ bytes: Int64, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        guard bytes > limit, ContinuousClock.now >= notBefore else { return }
        defer { for lane in lanes { lane.resume() } }
        let end = ContinuousClock.now + presentPatience
        guard lanes.allSatisfy({ $0.pause(until: end) }) else {
            presentPatience = min(presentPatience * 2, Self.patience.upperBound)
            notBefore = .now + Self.pauseAfterHeldUp
            return
        }
        presentPatience = Self.patience.lowerBound
        let outcome = connection.checkpoint()
        if let failure = outcome.failure { throw failure }
        if !outcome.isComplete { notBefore = .now + Self.pauseAfterInVain }
    }

    /// Copies all of the log into the open database, wherever the file is now, and empties the log. When a name no longer leads to its file,
    /// acknowledged writes must not be spread over two files, and a log must not be found beside another database.
    func empty(_ connection: borrowing SQLConnection) {
        defer { for lane in lanes { lane.resume() } }
        let end = ContinuousClock.now + Self.patience.upperBound
        for lane in lanes { _ = lane.pause(until: end) }
        _ = connection.checkpoint(emptying: true)
    }
}
