import PulseBoardDomain
import StoreSQL
import Synchronization

/// Performs reads or writes on several connections at once. Each connection has its own thread, a lane.
///
/// All lanes share one queue, which is fair to users by the time that their accesses take (`FairQueue`). A lane is started when there is work and no
/// lane is free. It connects with its first work, and again with the next work after its connection is lost. If it gets no connection while another
/// lane has one, it returns its work to the queue and ends. So if the database has no connection left, calls take longer, but none fails.
final class ConnectionLanes: Sendable {
    private struct State {
        var queue: FairQueue
        var lanes: [ConnectionThread] = []
        /// The sleeping lanes. The one that fell asleep last is at the end.
        var idle: [ConnectionThread] = []
        /// The lanes that have a connection.
        var connected: Set<ObjectIdentifier> = []
        /// Until then no lane is started in place of one that got no connection.
        var nextStart = ContinuousClock.now
        var isClosed = false
    }

    private let name: String
    private let laneCount: Int
    /// Maximum accesses that a lane takes at once.
    private let batch: Int
    private let work: @Sendable ([any QueuedAccess], inout LaneConnection) -> Void
    private let reachability: Reachability
    private let state: Mutex<State>

    /// How long a batch may be expected to take, unless it has only one access. A slow access of one user must not be in a batch with others', which
    /// would wait for it. It is many round trips, so that a slow network does not make batches small.
    private static let longestBatch = Duration.milliseconds(10)
    /// The pause before another lane is started, after one got no connection.
    private static let pause = Duration.seconds(5)

    /// Makes the queue. It starts no lane yet.
    /// - Parameters:
    ///   - laneCount: the maximum number of connections.
    ///   - reachability: opens a lane's connection.
    ///   - work: performs the accesses that a lane has taken. It answers or refuses each.
    init(
        _ name: String, laneCount: Int, batch: Int, reachability: Reachability,
        work: @escaping @Sendable ([any QueuedAccess], inout LaneConnection) -> Void
    ) {
        self.name = name
        self.laneCount = laneCount
        self.batch = batch
        self.reachability = reachability
        self.work = work
        state = Mutex(State(queue: FairQueue(lanes: laneCount)))
    }

    /// Performs a body when a lane is free. It goes on even if the caller's task is cancelled.
    /// - Parameter user: the user whose access it is; `nil` for one that is not compared with those of others.
    func perform<Result: Sendable>(of user: UserID? = nil, _ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await withUnsafeContinuation { continuation in
            let access = QueuedBody(body: body, continuation: continuation)
            if !enqueue(access, of: user) { access.refuse(.storeClosed) }
        }.get()
    }

    /// Accepts nothing more, and returns when all accepted work is done and the connections are closed.
    func close() {
        let lanes = state.withLock { state in
            state.isClosed = true
            defer { state.lanes = [] }
            return state.lanes
        }
        for lane in lanes { lane.wake() }
        for lane in lanes { lane.join() }
    }

    /// Whether it accepts nothing more.
    var isClosed: Bool { state.withLock(\.isClosed) }

    /// How many accesses no lane has taken yet.
    var queued: Int { state.withLock { $0.queue.count } }

    /// How many lanes sleep.
    var idleCount: Int { state.withLock { $0.idle.count } }

    private func enqueue(_ access: any QueuedAccess, of user: UserID?) -> Bool {
        let (isQueued, lane) = state.withLock { state -> (Bool, ConnectionThread?) in
            guard !state.isClosed else { return (false, nil) }
            state.queue.append(access, of: user)
            return (true, state.queue.hasWork ? freeLane(&state) : nil)
        }
        lane?.wake()
        return isQueued
    }

    /// A sleeping lane, or a new one if the maximum permits it.
    private func freeLane(_ state: inout State) -> ConnectionThread? {
        if let lane = state.idle.popLast() { return lane }
        if state.lanes.count < laneCount, !state.isClosed, state.lanes.isEmpty || state.nextStart <= .now {
            state.lanes.append(ConnectionThread(name) { [self] in run($0) })
        }
        return nil
    }

    // MARK: On a lane's thread

    private func run(_ lane: ConnectionThread) {
        var connection = LaneConnection(reachability)
        // At once: a lane whose connection is lost may look for a primary for long, and takes no work from others meanwhile.
        connection.onChange = { [self] in note(lane, isConnected: $0) }
        // Nor does a lane that has ended.
        defer { note(lane, isConnected: false) }
        while let taken = next(lane) {
            if !connection.isOpen, !connection.open(), giveBack(taken, lane) { return }
            let begin = ContinuousClock.now
            work(taken.map(\.access), &connection)
            end(taken, after: ContinuousClock.now - begin)
        }
    }

    private func note(_ lane: ConnectionThread, isConnected: Bool) {
        state.withLock { state in
            if isConnected { state.connected.insert(ObjectIdentifier(lane)) } else { state.connected.remove(ObjectIdentifier(lane)) }
        }
    }

    /// Returns the work of a lane without a connection to the queue.
    /// - Returns: `false` if no other lane has a connection, or if the queue is closed: the other lanes may have ended. Otherwise the lane ends.
    private func giveBack(_ taken: [FairQueue.Taken], _ lane: ConnectionThread) -> Bool {
        let (isGiven, other) = state.withLock { state -> (Bool, ConnectionThread?) in
            state.connected.remove(ObjectIdentifier(lane))
            guard !state.isClosed, !state.connected.isEmpty else { return (false, nil) }
            state.queue.end(taken, times: [])
            state.lanes.removeAll { $0 === lane }
            state.nextStart = .now + Self.pause
            return (true, state.idle.popLast())
        }
        other?.wake()
        return isGiven
    }

    /// Tells the queue how long a batch took. The accesses of a batch share its time. A lane may be free for accesses that waited for its end.
    private func end(_ taken: [FairQueue.Taken], after time: Duration) {
        let lanes = state.withLock { state -> [ConnectionThread] in
            state.queue.end(taken, times: taken.map { _ in time / taken.count })
            // At the end, sleeping lanes have waited for this batch, because the rest was of its users.
            if state.isClosed { return state.idle }
            return state.queue.hasWork ? freeLane(&state).map { [$0] } ?? [] : []
        }
        for lane in lanes { lane.wake() }
    }

    /// Sleeps until there is work. Returns `nil` at the end.
    private func next(_ lane: ConnectionThread) -> [FairQueue.Taken]? {
        while true {
            let (taken, isOver) = state.withLock { state -> ([FairQueue.Taken], Bool) in
                // A late bell wakes a lane that is listed as idle. Listed twice, or while it works, it would be rung in place of a free lane.
                state.idle.removeAll { $0 === lane }
                if state.queue.hasWork { return (state.queue.takeBatch(batch, budget: Self.longestBatch), false) }
                if state.isClosed, state.queue.count == 0 { return ([], true) }
                state.idle.append(lane)
                return ([], false)
            }
            if isOver { return nil }
            if !taken.isEmpty { return taken }
            lane.sleep()
        }
    }
}

/// The connection of one lane. It may be lost and made again.
struct LaneConnection {
    private let reachability: Reachability
    /// Whose work it does.
    enum Purpose {
        /// Calls. They are refused rather than kept waiting.
        case calls
        /// Questions about the changes by other servers. They are short, so silence means what it does for calls.
        case changes
        /// The housekeeping. It may have long statements, so its silence says nothing about the server.
        case housekeeping
    }

    private let purpose: Purpose
    private var present: PostgreSQLSession? {
        didSet { if (oldValue == nil) != (present == nil) { onChange?(isOpen) } }
    }
    /// Called when the connection was made or lost, with whether there is one now.
    var onChange: ((Bool) -> Void)?
    /// How long the server may be silent at least; `nil` for as long as on any connection.
    var silence: Duration? { didSet { present?.permit(silence) } }

    init(_ reachability: Reachability, for purpose: Purpose = .calls) {
        self.reachability = reachability
        self.purpose = purpose
    }

    var isOpen: Bool { present != nil }

    /// Connects.
    /// - Returns: whether it is connected now.
    mutating func open() -> Bool {
        do throws(PostgreSQLFailure) {
            _ = try session()
            return true
        } catch { return false }
    }

    /// The connection. It is made now if there is none.
    mutating func session() throws(PostgreSQLFailure) -> PostgreSQLSession {
        if let present, reachability.accepts(present) { return present }
        present = nil
        let made = purpose == .calls ? try reachability.connect() : try reachability.connectInAnyCase()
        made.permit(silence)
        present = made
        return made
    }

    /// Notes that a write of this connection is durable.
    func noteCommit() { reachability.noteCommit() }

    /// Closes a broken connection.
    mutating func drop() {
        if purpose != .housekeeping, let present, present.connection.wasSilent { reachability.wasSilent() }
        present = nil
    }
}
