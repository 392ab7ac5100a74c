import GRDB
import PulseBoardDomain
import StoreSQL
import Synchronization

/// Reads in batches, on a few threads with a read-only connection each.
///
/// Reads queue while a lane works, and those that have gathered become its next batch: one wake-up, one snapshot, one burst of answers. A batch takes
/// its snapshot after its reads were queued, so every read sees what was acknowledged before it was asked for.
///
/// One lane works as long as it keeps up. A lane that leaves reads behind, because they are many or because it was slow, wakes the next one for them.
/// So reads of pages in memory share a wake-up, and reads from the disk wait side by side.
final class ReadLanes: Sendable {
    private struct State {
        var queue: [any QueuedAccess] = []
        var lanes: [ConnectionThread] = []
        /// Those that sleep, the one that fell asleep last at the end: its memory is still in the processor's caches.
        var idle: [ConnectionThread] = []
        /// When a lane last began with a batch.
        var newestBatch = ContinuousClock.now
        var isClosed = false
        /// Batches that lanes are performing.
        var running = 0
        var isPaused = false

        /// Whether no lane works, or all that work have been slow.
        var wantsLane: Bool { idle.count == lanes.count || newestBatch.duration(to: .now) > ReadLanes.longestBatch }
    }

    /// Most reads in one batch: about a quarter of a millisecond of work.
    static let maximumBatch = 64
    /// How long a batch may take before what is left of it goes back to the queue, for whichever lane comes first.
    static let longestBatch = Duration.microseconds(500)

    private let name: String
    private let laneCount: Int
    private let open: @Sendable () throws -> DatabaseQueue
    private let health: StoreHealth
    /// Rung when the last batch of lanes that are paused has ended.
    private let calm = Doorbell()
    private let state = Mutex(State())

    /// Starts no lane yet. A lane starts with its first read.
    /// - Parameters:
    ///   - laneCount: most batches at once.
    ///   - health: is told of reads that the store fails.
    ///   - open: opens a lane's connection.
    init(_ name: String, laneCount: Int, health: StoreHealth, open: @escaping @Sendable () throws -> DatabaseQueue) {
        self.name = name
        self.laneCount = laneCount
        self.health = health
        self.open = open
    }

    /// Performs a read, with one snapshot of the database for all its statements. It goes on when the caller's task is cancelled.
    func read<Result: Sendable>(
        _ body: @escaping QueuedBody<Result>.Body
    ) async throws(RepositoryError) -> Result {
        try await withUnsafeContinuation { continuation in
            let read = QueuedBody(body: body, continuation: continuation)
            if !enqueue(read) { read.refuse(.storeClosed) }
        }.get()
    }

    /// Lets no further read in, and returns when those already in are done and the connections closed.
    func close() {
        let lanes = state.withLock { state in
            state.isClosed = true
            defer { state.lanes = [] }
            return state.lanes
        }
        for lane in lanes { lane.wake() }
        for lane in lanes { lane.join() }
    }

    /// Keeps the lanes from starting a batch, and returns when none works. Then nothing is read from the database until ``resume()``.
    /// - Returns: `false` if a read took longer. Call ``resume()`` in that case too. For one caller at a time.
    func pause(until end: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.isPaused = true }
        while !state.withLock({ $0.running == 0 }) {
            guard calm.wait(until: end) else { return state.withLock { $0.running == 0 } }
        }
        return true
    }

    /// Lets the lanes continue.
    func resume() {
        let lane = state.withLock { state -> ConnectionThread? in
            state.isPaused = false
            return state.queue.isEmpty ? nil : freeLane(&state)
        }
        lane?.wake()
    }

    /// Reads that no lane has begun with.
    var queuedReads: Int { state.withLock { $0.queue.count } }

    /// Lanes that have begun.
    var startedLanes: Int { state.withLock { $0.lanes.count } }

    private func enqueue(_ read: any QueuedAccess) -> Bool {
        let (isQueued, lane) = state.withLock { state -> (Bool, ConnectionThread?) in
            guard !state.isClosed else { return (false, nil) }
            state.queue.append(read)
            return (true, state.wantsLane ? freeLane(&state) : nil)
        }
        lane?.wake()
        return isQueued
    }

    /// A lane that has nothing to do, and from now on has; a new one when all are at work; `nil` when there may be no more.
    private func freeLane(_ state: inout State) -> ConnectionThread? {
        if let lane = state.idle.popLast() { return lane }
        if state.lanes.count < laneCount, !state.isClosed {
            state.lanes.append(ConnectionThread(name) { [self] in run($0) })
        }
        return nil
    }

    // MARK: On a lane's thread

    private func run(_ lane: ConnectionThread) {
        while waitForReads(lane) {
            do {
                let database = try open()
                database.inDatabase { database in
                    let connection = SQLConnection(database)
                    while waitForReads(lane) { perform(takeBatch(), connection) }
                }
                try database.close()
            } catch {
                // The next read is the next attempt.
                refuse(takeBatch(), RepositoryError(thrown: error))
                ended()
            }
        }
    }

    /// Sleeps until there are reads. `false` when there are none and never will be.
    private func waitForReads(_ lane: ConnectionThread) -> Bool {
        while true {
            let goesOn: Bool? = state.withLock { state in
                if !state.queue.isEmpty, !state.isPaused { return true }
                if state.isClosed, state.queue.isEmpty { return false }
                state.idle.append(lane)
                return nil
            }
            if let goesOn { return goesOn }
            lane.sleep()
        }
    }

    private func takeBatch() -> [any QueuedAccess] {
        let (batch, lane) = state.withLock { state -> ([any QueuedAccess], ConnectionThread?) in
            state.newestBatch = .now
            // Counted also when it is empty, because another lane was faster or the lanes have been paused.
            state.running += 1
            guard !state.isPaused else { return ([], nil) }
            let batch = state.queue.takeBatch(Self.maximumBatch)
            return (batch, state.queue.isEmpty ? nil : freeLane(&state))
        }
        lane?.wake()
        return batch
    }

    /// Says that a batch has ended.
    private func ended() {
        let isCalm = state.withLock { state in
            state.running -= 1
            return state.isPaused && state.running == 0
        }
        if isCalm { calm.ring() }
    }

    private func refuse(_ reads: [any QueuedAccess], _ error: RepositoryError) {
        guard !reads.isEmpty else { return }
        health.noteRead(error, count: reads.count)
        for read in reads { read.refuse(error) }
    }

    private func giveBack(_ reads: ArraySlice<any QueuedAccess>) {
        guard !reads.isEmpty else { return }
        let lane = state.withLock { state in
            state.queue.insert(contentsOf: reads, at: 0)
            return freeLane(&state)
        }
        lane?.wake()
    }

    private func perform(_ batch: [any QueuedAccess], _ connection: borrowing SQLConnection) {
        guard !batch.isEmpty else { return ended() }
        do throws(RepositoryError) {
            try connection.run(.begin)
        } catch {
            ended()
            return refuse(batch, error)
        }
        var answers: [Answer] = []
        answers.reserveCapacity(batch.count)
        let end = ContinuousClock.now + Self.longestBatch
        for read in batch {
            let performed = read.perform(connection)
            if let failure = performed.failure { health.noteRead(failure) }
            answers.append(performed.answer)
            // After some errors SQLite ends the transaction, and with it the snapshot of the other reads.
            if ContinuousClock.now > end || !connection.isInTransaction { break }
        }
        giveBack(batch[answers.count...])
        if connection.isInTransaction {
            do throws(RepositoryError) { try connection.run(.commit) } catch { connection.abandonTransaction() }
        }
        // Before any caller is told: nothing reads from the database any more.
        ended()
        for answer in answers { answer(nil) }
    }
}
