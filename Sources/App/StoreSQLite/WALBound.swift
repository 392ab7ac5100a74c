import PulseBoardDomain
import StoreSQL

/// Limits the write-ahead log while there is always some reader.
///
/// A log can begin again from its start only when all of it has been copied into the database and nobody reads from it. With continuous reads on
/// several lanes, somebody always reads. So when the log is longer than 64 MiB, the lanes pause between two batches, the rest of the log is copied,
/// and the lanes go on. Then the next transaction begins the log again. Most of the log was copied before, because a checkpoint follows every commit
/// beyond 32 MiB.
///
/// Only the writer's thread uses it.
struct WALBound {
    /// Permitted length in bytes. `journal_size_limit` cuts the file to it when the log begins again.
    static let limit: Int64 = 64 << 20
    /// How long to wait for the lanes to pause. It is doubled after each failed try.
    private static let patience = Duration.milliseconds(20)...Duration.seconds(1)
    /// How long after a failed try the next one is made: if a read was too long, and if another process reads.
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

    /// Shortens the log if it is too long. Call it between two transactions.
    /// - Parameter bytes: the length of the log.
    /// - Throws: if the database could not be written.
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

    /// Copies the whole log into the open database, wherever its file is now, and empties the log. It is used when a name no longer refers
    /// to its file: then acknowledged writes must be in one file, and no log may remain beside another database.
    /// - Returns: whether the whole log was copied. A reader, such as a backup, may keep a part of it in the log.
    func empty(_ connection: borrowing SQLConnection) -> Bool {
        defer { for lane in lanes { lane.resume() } }
        let end = ContinuousClock.now + Self.patience.upperBound
        for lane in lanes { _ = lane.pause(until: end) }
        return connection.checkpoint(emptying: true).isComplete
    }
}
