import PulseBoardDomain
import StoreSQL

/// Performs reads and writes in transactions. It repeats them after conflicts, and finds out what happened to a write whose connection was lost.
struct Transactions: Sendable {
    /// How often a write is tried at most, after conflicts or connections that were lost before COMMIT.
    static let attempts = 10
    /// How often a write waits in vain for locks of others before it is refused. Each wait may take seconds, and the connection is not there for
    /// others meanwhile.
    static let waits = 3

    /// How long a server that was the primary is trusted to be it still. A cluster must not promote another one sooner; Patroni waits at least for
    /// its `ttl`.
    static let trust = Duration.seconds(5)

    let health: StoreHealth
    /// A monotonic clock.
    let uptime: @Sendable () -> Duration
    /// The newest changes of this process.
    let newest: NewestChanges
    let acknowledged: AcknowledgedWrites
    /// How long to try to find out whether a write was committed. A cluster needs about half a minute to change its primary.
    let patience: Duration
    let closeSignal: CloseSignal
    private let shortage = ConnectionShortage()

    /// Closes a connection that has failed, or records that none could be made.
    private func drop(_ lane: inout LaneConnection) {
        if lane.isOpen { shortage.lost() } else { shortage.refused() }
        lane.drop()
    }

    // MARK: Writing

    /// The outcome of a write.
    private enum Outcome {
        /// The caller gets the body's result.
        case answered
        case failed(PostgreSQLFailure)
        case again(PostgreSQLFailure)
        /// No connection could be made.
        case unconnected(PostgreSQLFailure)
    }

    /// How often connecting is tried before a call is refused. An idle connection reports only when it is used that its server is gone, and a new
    /// connection may reach a server that is about to stop.
    private static let connectionAttempts = 3

    /// Performs each write in its own transaction.
    func write(_ writes: [any QueuedAccess], _ lane: inout LaneConnection) {
        for write in writes { self.write(write, &lane) }
    }

    /// Whether there is a trouble that a durable write ends, because it proves that the server answers and is current.
    private var hasTroubleUntilCommit: Bool { health.trouble.map { [.unreachable, .outdated].contains($0.failure) } ?? false }

    /// Whether the store is closing while PostgreSQL does not answer. What waits is refused then: each write would wait for many seconds in vain.
    var endsInVain: Bool { closeSignal.isSet && hasTroubleUntilCommit }

    private func write(_ write: any QueuedAccess, _ lane: inout LaneConnection) {
        guard !endsInVain else { return write.refuse(.storeClosed) }
        var failure = PostgreSQLFailure.conflict(detail: "others were in the way of a write too often")
        var unconnected = 0, waits = 0
        for _ in 0..<Self.attempts {
            switch attempt(write, &lane) {
            case .answered: return
            case .failed(let met): return refuse(write, met)
            case .again(let met):
                failure = met
                if case .conflict(_, hasWaited: true) = met { waits += 1 }
                guard waits < Self.waits else { return refuse(write, met) }
            case .unconnected(let met):
                failure = met
                unconnected += 1
                guard unconnected < Self.connectionAttempts else { return refuse(write, met) }
            }
        }
        refuse(write, failure)
    }

    private func refuse(_ access: any QueuedAccess, _ failure: PostgreSQLFailure) {
        health.note(shortage.judged(failure.error))
        access.refuse(failure.error)
    }

    private func attempt(_ write: any QueuedAccess, _ lane: inout LaneConnection) -> Outcome {
        let session: PostgreSQLSession
        let begin = uptime()
        let start = ContinuousClock.now
        do throws(PostgreSQLFailure) {
            session = try lane.session()
            try session.begin(.write)
        } catch {
            drop(&lane)
            return .unconnected(error)
        }
        let performed = write.perform(SQLConnection(session))
        // A failure of the database counts, even if the body ignored it.
        if session.failure == nil, performed.failure != nil {
            do throws(PostgreSQLFailure) {
                if let lost = session.abandon() { throw lost }
                // A refusal is an answer from what was read, so it needs the same proof as a read.
                try confirm(session)
            } catch {
                drop(&lane)
                return .unconnected(error)
            }
            performed.answer(nil)
            return .answered
        }
        let operation = OperationKey.random(using: SystemRandomSource())
        if session.failure == nil { operation.note(session) }
        switch session.end() {
        case .committed:
            do throws(PostgreSQLFailure) { try acknowledged.note(operation, on: session) } catch {
                drop(&lane)
                return .failed(error)
            }
            session.confirmed = begin
            newest.note(session.raised)
            shortage.worked(session, since: start)
            committed(lane)
            performed.answer(nil)
            return .answered
        case .rolledBack(let failure):
            switch failure {
            case .refused, .yielded: return .failed(failure)
            case .lost: drop(&lane)
            case .conflict: break
            }
            return .again(failure)
        case .unknown(let failure):
            drop(&lane)
            switch settle(operation, begunAt: start, session.outdated, &lane) {
            case true?:
                committed(lane)
                performed.answer(nil)
                return .answered
            case false?: return .again(failure)
            case nil: return .failed(.lost(detail: "nobody knows whether a write was made: \(failure.error)"))
            }
        }
    }

    private func committed(_ lane: LaneConnection) {
        lane.noteCommit()
        health.committed(writes: 1)
        // While a disk is full or damaged, some writes succeed. Only a probe ends that.
        if hasTroubleUntilCommit { health.recovered() }
    }

    /// Whether a write was committed whose COMMIT had no answer; `nil` if that cannot be found out.
    /// - Parameters:
    ///   - start: when the write began. Its key is kept for an hour, so after half of that a missing key proves nothing: this process may have
    ///     been frozen meanwhile.
    ///   - buckets: the buckets whose numbers the write has raised.
    private func settle(
        _ operation: OperationKey, begunAt start: ContinuousClock.Instant, _ buckets: Set<Int>, _ lane: inout LaneConnection
    ) -> Bool? {
        var isNoted = false
        let end = ContinuousClock.now + patience
        while true {
            do throws(PostgreSQLFailure) {
                let session = try lane.session()
                try session.begin(.write)
                let wasMade = operation.settle(session)
                let numbers = wasMade == true ? NewestChanges.numbers(of: buckets, session) : [:]
                switch session.end() {
                case .committed:
                    try acknowledged.note(wasMade == true ? operation : nil, on: session)
                    newest.note(numbers)
                    let lifetime = Duration.microseconds(HousekeepingThread.operationLifetime.microseconds)
                    if wasMade == false, ContinuousClock.now - start > lifetime / 2 { return nil }
                    return wasMade
                // An answer counts only if it is durable.
                case .rolledBack(let failure), .unknown(let failure): throw failure
                }
            } catch {
                // A lost connection says little about the database. That no new one can be made says more. No call is refused yet.
                let isConnected = lane.isOpen
                drop(&lane)
                if !isConnected, !isNoted, case .lost = error, !shortage.isProven {
                    health.note(error.error, count: 0)
                    isNoted = true
                }
                guard ContinuousClock.now < end, !closeSignal.pause(.milliseconds(200)) else { return nil }
            }
        }
    }

    // MARK: Reading

    /// Performs reads one after another. All statements of a read see the same snapshot.
    func read(_ reads: [any QueuedAccess], _ lane: inout LaneConnection) {
        var left = reads[...]
        var lastFailure: PostgreSQLFailure?
        for _ in 0..<Self.connectionAttempts {
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
                // A conflict with a lock, such as that of a migration, leaves the connection as it was.
                if case .conflict = error {} else { drop(&lane) }
                lastFailure = error
            }
        }
        guard let lastFailure else { return }
        health.noteRead(shortage.judged(lastFailure.error), count: left.count)
        for read in left { read.refuse(lastFailure.error) }
    }

    /// Proves that what was just read came from the primary, and not from a former primary that was frozen and does not know its successor yet.
    ///
    /// Such a server still answers reads. But it cannot make a transaction durable, because its standbys follow the successor. So a small durable
    /// transaction proves that the server is the primary, and that its earlier answers were current. One proof is valid for ``trust``, for all reads
    /// of a connection.
    /// - Parameter early: how long before the end of the present proof a new one is made.
    func confirm(_ session: PostgreSQLSession, early: Duration = .zero) throws(PostgreSQLFailure) {
        let now = uptime()
        // Another connection may have found its successor sooner than that.
        guard acknowledged.accepts(session) else { throw .lost(detail: "the server is not the primary any more") }
        if let confirmed = session.confirmed, now - confirmed < Self.trust - early { return }
        let start = ContinuousClock.now
        try session.begin(.write)
        let operation = OperationKey.random(using: SystemRandomSource())
        operation.note(session)
        switch session.end() {
        case .committed:
            try acknowledged.note(operation, on: session)
            session.confirmed = now
            shortage.worked(session, since: start)
        case .unknown(let failure): throw failure
        case .rolledBack(let failure):
            // A server that reports that it cannot write, such as on a full disk, was not frozen. It can still be read.
            if case .lost = failure { throw failure }
        }
    }

    /// Maximum round trips that reads make together. Longer reads continue alone.
    private static let stages = 6

    /// Performs reads in one transaction and sends their statements together (``GatheredRead``). The transaction begins after all of them were
    /// queued.
    /// - Returns: `false` if the server refused a statement of one of them. Then none has an answer, and each must be tried alone.
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
            if case .lost = failure { throw failure }
            if let lost = session.abandon() { throw lost }
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

    /// - Returns: the outcome of the read, and the failure if the server refused a statement. Such a failure does not concern other reads.
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
            if case .lost = failure { throw failure }
            if let lost = session.abandon() { throw lost }
            guard case .refused = failure else { throw failure }
            return (performed, failure.error)
        }
        if wantsTransaction { try session.leave() }
        return (performed, nil)
    }
}

/// The id of one transaction, by which another connection can find out whether it was committed.
struct OperationKey: UUIDIdentifier {
    let bits: UUIDBits

    /// The time by the clock of the database, in microseconds. All servers share it, so the clock of one cannot make another's key old.
    static let now = "CAST(extract(epoch FROM now()) * 1000000 AS BIGINT)"
    private static let insertion = Query("INSERT INTO operation (operation_id, create_time, is_void) VALUES (?, \(now), 0)")
    // Runs on a new connection. It waits for a transaction that is still running. A transaction that has not inserted the key yet finds the key
    // taken, and fails. The row is written in either case, so that the answer is as durable as the write: a row that is only read may be missing on
    // the standbys.
    private static let settlement = Query(
        """
        INSERT INTO operation (operation_id, create_time, is_void) VALUES (?, \(now), 1)
        ON CONFLICT (operation_id) DO UPDATE SET create_time = excluded.create_time RETURNING is_void
        """)

    /// Records the transaction, within it.
    func note(_ session: PostgreSQLSession) {
        let cursor = cursor(Self.insertion, session)
        defer { cursor.reset() }
        // The session keeps the failure.
        do throws(RepositoryError) { try cursor.run() } catch {}
    }

    /// - Returns: whether the transaction was committed. If not, it cannot be any more. `nil` if the session has failed.
    func settle(_ session: PostgreSQLSession) -> Bool? {
        let cursor = cursor(Self.settlement, session)
        defer { cursor.reset() }
        do throws(RepositoryError) { return try cursor.step() ? cursor.integer(0) == 0 : nil } catch { return nil }
    }

    private func cursor(_ query: Query, _ session: PostgreSQLSession) -> PostgreSQLCursor {
        let cursor = session.statement(query)
        cursor.bind(bits)
        return cursor
    }
}
