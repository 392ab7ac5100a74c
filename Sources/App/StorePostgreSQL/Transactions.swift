import PulseBoardDomain
import StoreSQL

/// Performs reads and writes in transactions, again where others were in the way, and settles what a lost connection has left open.
struct Transactions: Sendable {
    /// How often a write is done again that others were in the way of, or whose connection was lost before COMMIT.
    static let attempts = 10

    /// For how long a server that was the primary is believed to be so. A cluster must not have another one sooner; Patroni takes at least its `ttl`.
    static let trust = Duration.seconds(5)

    let health: StoreHealth
    let clock: any WallClock
    /// Since some instant before the process began, and never set.
    let uptime: @Sendable () -> Duration
    /// What this process has changed.
    let newest: NewestChanges
    /// How long it is tried to find out what has become of a write. A cluster that changes its primary takes half a minute.
    let patience: Duration
    let stop: Stop

    // MARK: Writing

    /// What a write came to.
    private enum Outcome {
        /// The caller is told what the body says.
        case answered
        case failed(PostgreSQLFailure)
        case again(PostgreSQLFailure)
        /// There was no connection to begin with.
        case unconnected(PostgreSQLFailure)
    }

    /// How often a connection is asked for before a call is refused. One that was idle when its server went tells of it only when it is used, and a new
    /// one may meet a server that is about to go.
    private static let connections = 3

    /// Performs each write in a transaction of its own.
    func write(_ writes: [any QueuedAccess], _ lane: inout LaneConnection) {
        for write in writes { self.write(write, &lane) }
    }

    private func write(_ write: any QueuedAccess, _ lane: inout LaneConnection) {
        var failure = PostgreSQLFailure.conflict(detail: "others were in the way of a write too often")
        var unconnected = 0
        for _ in 0..<Self.attempts {
            switch attempt(write, &lane) {
            case .answered: return
            case .failed(let met): return refuse(write, met)
            case .again(let met): failure = met
            case .unconnected(let met):
                failure = met
                unconnected += 1
                guard unconnected < Self.connections else { return refuse(write, met) }
            }
        }
        refuse(write, failure)
    }

    private func refuse(_ access: any QueuedAccess, _ failure: PostgreSQLFailure) {
        health.note(failure.error)
        access.refuse(failure.error)
    }

    private func attempt(_ write: any QueuedAccess, _ lane: inout LaneConnection) -> Outcome {
        let session: PostgreSQLSession
        let begin = uptime()
        do throws(PostgreSQLFailure) {
            session = try lane.session()
            try session.begin(.write)
        } catch {
            lane.drop()
            return .unconnected(error)
        }
        let performed = write.perform(SQLConnection(session))
        // What the database failed with counts, whatever the body made of it.
        if session.failure == nil, performed.failure != nil {
            if session.abandon() != nil { lane.drop() }
            performed.answer(nil)
            return .answered
        }
        let operation = OperationKey.random(using: SystemRandomSource())
        if session.failure == nil { operation.note(at: clock.now(), session) }
        switch session.end() {
        case .committed:
            session.confirmed = begin
            newest.note(session.raised)
            committed()
            performed.answer(nil)
            return .answered
        case .rolledBack(let failure):
            if case .lost = failure { lane.drop() }
            if case .refused = failure { return .failed(failure) }
            return .again(failure)
        case .unknown(let failure):
            lane.drop()
            switch settle(operation, session.outdated, failure, &lane) {
            case true?:
                committed()
                performed.answer(nil)
                return .answered
            case false?: return .again(failure)
            case nil: return .failed(.lost(detail: "nobody knows whether a write was made: \(failure.error)"))
            }
        }
    }

    private func committed() {
        health.committed(writes: 1)
        if health.trouble != nil { health.recovered() }
    }

    /// Whether a write was made whose COMMIT has had no answer; `nil` when that cannot be found out.
    /// - Parameter buckets: those whose numbers the write has raised.
    private func settle(_ operation: OperationKey, _ buckets: Set<Int>, _ failure: PostgreSQLFailure, _ lane: inout LaneConnection) -> Bool? {
        health.note(failure.error)
        let end = ContinuousClock.now + patience
        while true {
            do throws(PostgreSQLFailure) {
                let session = try lane.session()
                try session.begin(.write)
                let wasMade = operation.settle(at: clock.now(), session)
                let numbers = wasMade == true ? NewestChanges.numbers(of: buckets, session) : [:]
                switch session.end() {
                case .committed:
                    newest.note(numbers)
                    return wasMade
                // An answer that is not durable is none.
                case .rolledBack(let failure), .unknown(let failure): throw failure
                }
            } catch {
                lane.drop()
                guard ContinuousClock.now < end, !stop.pause(.milliseconds(200)) else { return nil }
            }
        }
    }

    // MARK: Reading

    /// Performs reads one after the other. All statements of one see the same, which was committed when it began.
    func read(_ reads: [any QueuedAccess], _ lane: inout LaneConnection) {
        var left = reads[...]
        var lastFailure: PostgreSQLFailure?
        for _ in 0..<Self.connections {
            lastFailure = nil
            do throws(PostgreSQLFailure) {
                let session = try lane.session()
                if left.count > 1, try performTogether(Array(left), session) { return }
                while let read = left.first {
                    let (performed, refusal) = try perform(read, session)
                    if refusal == nil { try confirm(session) }
                    left = left.dropFirst()
                    if let failure = refusal ?? performed.failure { health.noteRead(failure) }
                    performed.answer(refusal)
                }
                return
            } catch {
                lane.drop()
                lastFailure = error
            }
        }
        guard let lastFailure else { return }
        health.noteRead(lastFailure.error, count: left.count)
        for read in left { read.refuse(lastFailure.error) }
    }

    /// Makes sure that what was just read came from the primary, and not from one that was frozen and does not know yet that it has a successor.
    ///
    /// Such a server still answers reads. It can make nothing durable any more, because its standbys follow the successor. So a small transaction that
    /// is durable proves it to be the primary, and what it said before to be true. One proof is enough for ``trust``, for all reads of a connection.
    /// - Parameter early: how long before the proof ends another one is wanted.
    func confirm(_ session: PostgreSQLSession, early: Duration = .zero) throws(PostgreSQLFailure) {
        let now = uptime()
        if let confirmed = session.confirmed, now - confirmed < Self.trust - early { return }
        try session.begin(.write)
        OperationKey.random(using: SystemRandomSource()).note(at: clock.now(), session)
        switch session.end() {
        case .committed: session.confirmed = now
        case .unknown(let failure): throw failure
        case .rolledBack(let failure):
            // A server that says that it cannot write, on a full disk for example, is not one that was frozen: what it knows is still read.
            if case .lost = failure { throw failure }
        }
    }

    /// Longest way of questions and answers that reads go together. What is longer goes on alone.
    private static let stages = 6

    /// Performs reads in one transaction, whose statements travel together (``GatheredRead``). It began after all of them were asked for.
    /// - Returns: `false` when the server has refused a statement of one of them, which says nothing of the others. Nobody has an answer then.
    private func performTogether(_ reads: [any QueuedAccess], _ session: PostgreSQLSession) throws(PostgreSQLFailure) -> Bool {
        try session.begin(.read)
        session.gather(reads.count)
        defer { session.endGathering() }
        var performed = [PerformedAccess?](repeating: nil, count: reads.count)
        for _ in 0..<Self.stages where performed.contains(where: { $0 == nil }) {
            for place in reads.indices where performed[place] == nil { performed[place] = session.perform(reads[place], at: place) }
            try session.receiveGathered()
            guard session.failure == nil else { break }
        }
        for place in reads.indices where performed[place] == nil && session.failure == nil {
            performed[place] = reads[place].perform(SQLConnection(session))
        }
        if let failure = session.failure {
            if let lost = session.abandon() { throw lost }
            if case .lost = failure { throw failure }
            return false
        }
        try session.leave()
        try confirm(session)
        for performed in performed {
            if let failure = performed?.failure { health.noteRead(failure) }
            performed?.answer(nil)
        }
        return true
    }

    /// - Returns: what the read came to, and what the server has refused of it, which says nothing of other reads.
    private func perform(
        _ read: any QueuedAccess, _ session: PostgreSQLSession
    ) throws(PostgreSQLFailure) -> (PerformedAccess, RepositoryError?) {
        session.beginAlone()
        var performed = read.perform(SQLConnection(session))
        let wantsTransaction = session.endAlone()
        if wantsTransaction {
            try session.begin(.read)
            performed = read.perform(SQLConnection(session))
        }
        if let failure = session.failure {
            guard case .refused = failure else { throw failure }
            if let lost = session.abandon() { throw lost }
            return (performed, failure.error)
        }
        if wantsTransaction { try session.leave() }
        return (performed, nil)
    }
}

/// Names one transaction, so that somebody else can find out whether it was made.
private struct OperationKey: UUIDIdentifier {
    let bits: UUIDBits

    private static let insertion = Query("INSERT INTO operation (operation_id, create_time, is_void) VALUES (?, ?, 0)")
    // On a new connection. A transaction that is still under way is waited for. One that has not come so far finds the key taken, and fails. The row is
    // written in either case, so that the answer is durable where the write would be: a row that is only read may be one that no standby has.
    private static let settlement = Query(
        """
        INSERT INTO operation (operation_id, create_time, is_void) VALUES (?, ?, 1)
        ON CONFLICT (operation_id) DO UPDATE SET create_time = excluded.create_time RETURNING is_void
        """)

    /// Notes that the transaction was made, in it.
    func note(at time: Timestamp, _ session: PostgreSQLSession) {
        let cursor = cursor(Self.insertion, time, session)
        defer { cursor.reset() }
        // What fails here, the session keeps.
        do throws(RepositoryError) { try cursor.run() } catch {}
    }

    /// - Returns: whether the transaction was made. If it was not, it cannot be any more. `nil` when the session has failed.
    func settle(at time: Timestamp, _ session: PostgreSQLSession) -> Bool? {
        let cursor = cursor(Self.settlement, time, session)
        defer { cursor.reset() }
        do throws(RepositoryError) { return try cursor.step() ? cursor.integer(0) == 0 : nil } catch { return nil }
    }

    private func cursor(_ query: Query, _ time: Timestamp, _ session: PostgreSQLSession) -> PostgreSQLCursor {
        let cursor = session.statement(query)
        cursor.bind(bits)
        cursor.bind(time.microseconds)
        return cursor
    }
}
