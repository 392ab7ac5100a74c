import GRDB
import PulseBoardDomain
import StoreSQL
import Synchronization

/// Performs reads in batches, on a few threads that each have a read-only connection.
///
/// Reads queue while a lane works, and the queued reads become its next batch: one wake-up, one snapshot, one burst of answers. A batch takes its
/// snapshot after its reads were queued, so every read sees all writes that were acknowledged before it was requested.
///
/// One lane works alone while it keeps up. A lane that leaves reads in the queue, because they are many or because it was slow, wakes the next lane.
/// So reads of pages in memory share a wake-up, and reads from the disk run in parallel.
///
/// A read that is left to working lanes is watched: one free lane looks every ``watch`` whether it still waits, and then performs it. Otherwise a
/// long read would hold up the read that was queued right after it began.
///
/// The queue is fair to users by the time that their reads take (`FairQueue`).
final class ReadLanes: Sendable {
    private struct State {
        var queue: FairQueue
        var lanes: [ConnectionThread] = []
        /// The sleeping lanes. The one that fell asleep last is at the end and is woken first, because its memory may still be in the processor's
        /// caches.
        var idle: [ConnectionThread] = []
        /// The lane that sleeps for a while and then looks whether the working lanes have taken the queued reads.
        var watcher: ConnectionThread?
        /// When a lane last began a batch.
        var newestBatch = ContinuousClock.now
        var isClosed = false
        /// The number of running batches.
        var running = 0
        var isPaused = false

        /// Whether no lane works, or all working lanes are slow.
        var wantsLane: Bool {
            let freeLanes = idle.count + (watcher == nil ? 0 : 1)
            return freeLanes == lanes.count || newestBatch.duration(to: .now) > ReadLanes.longestBatch
        }
    }

    /// Maximum reads in one batch.
    static let maximumBatch = 64
    /// How long a batch may take. Then its remaining reads go back to the queue for any lane.
    static let longestBatch = Duration.microseconds(500)
    /// How long a read can be left to lanes that work, before a free lane looks after it.
    static let watch = Duration.milliseconds(2)

    private let name: String
    private let laneCount: Int
    private let open: @Sendable () throws -> DatabaseQueue
    private let health: StoreHealth
    /// Rung when the last batch of paused lanes has ended.
    private let calm = Doorbell()
    private let state: Mutex<State>

    /// Makes the queue. A lane starts with its first read.
    /// - Parameters:
    ///   - laneCount: the maximum number of batches at once.
    ///   - health: records reads that fail because of the store.
    ///   - open: opens a lane's connection.
    init(_ name: String, laneCount: Int, health: StoreHealth, open: @escaping @Sendable () throws -> DatabaseQueue) {
        self.name = name
        self.laneCount = laneCount
        self.health = health
        self.open = open
        state = Mutex(State(queue: FairQueue(lanes: laneCount)))
    }

    /// Performs a read. All its statements see one snapshot. It goes on even if the caller's task is cancelled.
    /// - Parameter user: the user who reads, to whom others are compared; `nil` for the server itself.
    func read<Result: Sendable>(
        of user: UserID? = nil, _ body: @escaping QueuedBody<Result>.Body
    ) async throws(RepositoryError) -> Result {
        try await withUnsafeContinuation { continuation in
            let read = QueuedBody(body: body, continuation: continuation)
            if !enqueue(read, of: user) { read.refuse(.storeClosed) }
        }.get()
    }

    /// Accepts no further read, and returns when the accepted ones are done and the connections are closed.
    func close() {
        let lanes = state.withLock { state in
            state.isClosed = true
            defer { state.lanes = [] }
            return state.lanes
        }
        for lane in lanes { lane.wake() }
        for lane in lanes { lane.join() }
    }

    /// Prevents new batches, and waits until no lane works. Then nothing is read from the database until ``resume()``.
    /// - Returns: `false` if a read took longer. Call ``resume()`` in that case too. Only one caller at a time may use it.
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
            return state.queue.hasWork ? freeLane(&state) : nil
        }
        lane?.wake()
    }

    /// The number of reads that no lane has begun.
    var queuedReads: Int { state.withLock { $0.queue.count } }

    /// The number of started lanes.
    var startedLanes: Int { state.withLock { $0.lanes.count } }

    private func enqueue(_ read: any QueuedAccess, of user: UserID?) -> Bool {
        let (isQueued, lane) = state.withLock { state -> (Bool, ConnectionThread?) in
            guard !state.isClosed else { return (false, nil) }
            state.queue.append(read, of: user)
            if state.wantsLane { return (true, freeLane(&state)) }
            guard state.watcher == nil else { return (true, nil) }
            state.watcher = freeLane(&state)
            return (true, state.watcher)
        }
        lane?.wake()
        return isQueued
    }

    /// Takes an idle lane, or the one that watches, or a new one if all are working; `nil` if the maximum is reached.
    private func freeLane(_ state: inout State) -> ConnectionThread? {
        if let lane = state.idle.popLast() ?? state.watcher.take() { return lane }
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
                // The next read tries again.
                let batch = takeBatch()
                giveBack(batch, times: batch.map { _ in .zero })
                refuse(batch, RepositoryError(thrown: error))
                ended()
            }
        }
    }

    /// Sleeps until there are reads. Returns `false` at the end.
    private func waitForReads(_ lane: ConnectionThread) -> Bool {
        while true {
            let next = state.withLock { state -> Next in
                // A late bell wakes a lane that is listed as idle. Listed twice, or while it works, it would be rung in place of a free lane.
                state.idle.removeAll { $0 === lane }
                let hasReads = state.queue.hasWork && !state.isPaused
                if state.watcher === lane {
                    if hasReads, !state.wantsLane { return .watch }
                    state.watcher = nil
                }
                if hasReads { return .perform }
                if state.isClosed, state.queue.count == 0 { return .end }
                state.idle.append(lane)
                return .sleep
            }
            switch next {
            case .perform: return true
            case .end: return false
            case .watch: lane.sleep(until: .now + Self.watch)
            case .sleep: lane.sleep()
            }
        }
    }

    /// What a lane without a batch does next.
    private enum Next { case perform, watch, sleep, end }

    private func takeBatch() -> [FairQueue.Taken] {
        let (batch, lane) = state.withLock { state -> ([FairQueue.Taken], ConnectionThread?) in
            state.newestBatch = .now
            // The batch counts even if it is empty, because another lane was faster or the lanes are paused.
            state.running += 1
            guard !state.isPaused else { return ([], nil) }
            let batch = state.queue.takeBatch(Self.maximumBatch, budget: Self.longestBatch)
            return (batch, state.queue.hasWork ? freeLane(&state) : nil)
        }
        lane?.wake()
        return batch
    }

    /// Counts the end of a batch.
    private func ended() {
        let isCalm = state.withLock { state in
            state.running -= 1
            return state.isPaused && state.running == 0
        }
        if isCalm { calm.ring() }
    }

    private func refuse(_ reads: [FairQueue.Taken], _ error: RepositoryError) {
        guard !reads.isEmpty else { return }
        health.noteRead(error, count: reads.count)
        for read in reads { read.access.refuse(error) }
    }

    /// Tells the queue how long the performed reads of a batch took. The others go back to it.
    private func giveBack(_ batch: [FairQueue.Taken], times: [Duration]) {
        let lanes = state.withLock { state -> [ConnectionThread] in
            state.queue.end(batch, times: times)
            // At the end, sleeping lanes have waited for this batch, because the rest was of its users.
            if state.isClosed { return state.idle }
            return state.queue.hasWork && !state.isPaused ? freeLane(&state).map { [$0] } ?? [] : []
        }
        for lane in lanes { lane.wake() }
    }

    private func perform(_ batch: [FairQueue.Taken], _ connection: borrowing SQLConnection) {
        guard !batch.isEmpty else { return ended() }
        do throws(RepositoryError) {
            try connection.run(.begin)
        } catch {
            giveBack(batch, times: batch.map { _ in .zero })
            ended()
            return refuse(batch, error)
        }
        var answers: [Answer] = []
        answers.reserveCapacity(batch.count)
        var times: [Duration] = []
        times.reserveCapacity(batch.count)
        let begin = ContinuousClock.now
        var present = begin
        for read in batch {
            let performed = read.access.perform(connection)
            if let failure = performed.failure { health.noteRead(failure) }
            answers.append(performed.answer)
            let next = ContinuousClock.now
            times.append(next - present)
            present = next
            // After some errors SQLite ends the transaction, and with it the snapshot of the other reads.
            if present - begin > Self.longestBatch || !connection.isInTransaction { break }
        }
        giveBack(batch, times: times)
        if connection.isInTransaction {
            do throws(RepositoryError) { try connection.run(.commit) } catch { connection.abandonTransaction() }
        }
        // The batch ends before any caller is resumed: from here on it does not read the database.
        ended()
        for answer in answers { answer(nil) }
    }
}
