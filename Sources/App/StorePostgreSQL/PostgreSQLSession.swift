import PulseBoardDomain
import StoreSQL

/// One connection with its prepared statements and its open transaction.
///
/// Statements are pipelined. A statement without rows does not wait for its result: its failure is reported by the next statement with rows, or by
/// the end of the transaction. So a transaction needs one round trip for each statement with rows, and one for its end.
final class PostgreSQLSession: SQLSession {
    let connection: PQConnection
    /// When it was made.
    let made = ContinuousClock.now
    /// How long the server may be silent.
    private var silence: Duration
    private let standardSilence: Duration
    /// Sent statements without a result yet, in order.
    private var pending: [Pending] = []
    /// Why the transaction can only be rolled back.
    private(set) var failure: PostgreSQLFailure?
    private var byNumber: [PostgreSQLCursor?] = []
    private var byText: [String: PostgreSQLCursor] = [:]
    private var statements = 0
    private(set) var isInTransaction = false
    /// Whether the transaction yields to others if it has to wait.
    private var isYielding = false
    private var latestChanges = 0
    private var latestTag = ""
    /// The state of a read without a transaction; `nil` in a transaction.
    private var alone: Alone?
    /// Reads that are performed together, and the index of the running one.
    var gathered: [GatheredRead] = []
    var present: Int?
    /// Buckets of users whose data in other servers' memory becomes stale with this transaction.
    private(set) var outdated: Set<Int> = []
    /// The new numbers of buckets from the present or last transaction.
    private(set) var raised: [Int: Int64] = [:]
    /// When the last durable transaction on this connection began. The server was the primary at least until then.
    var confirmed: Duration?
    /// The timeline of the server; `nil` if it has none. It stays the same while the server runs as the primary.
    var timeline: ClusterTimeline?
    /// Whether the server has refused COMMIT itself, and not a statement before it.
    private var isCommitRefused = false

    /// A read that was begun with one statement and without a transaction. It may turn out to need one.
    private enum Alone { case begun, sent, wantsTransaction }

    enum Pending {
        case preparation(PostgreSQLCursor)
        case statement(PostgreSQLCursor, keepsRows: Bool)
        case raising(bucket: Int)
        /// A statement of one of several gathered reads.
        case gathered(place: Int)
        case sync
    }

    /// - Parameter silence: how long the server may be silent. Then the connection is closed. The statement is not cancelled instead, because
    ///   PostgreSQL reports success for a COMMIT that is cancelled while it waits for its standby.
    init(_ connection: PQConnection, silence: Duration) {
        self.connection = connection
        self.silence = silence
        standardSilence = silence
    }

    /// Lets the server be silent for this long, or as long as on any connection, whichever is longer.
    func permit(_ silence: Duration?) { self.silence = max(silence ?? .zero, standardSilence) }

    /// Limits the next statements of this transaction to what the present silence permits.
    func limitStatements() throws(RepositoryError) { try limitStatements(to: PostgreSQLAddress.statementLimit(silence)) }

    /// Limits the next statements of this transaction.
    func limitStatements(to limit: Duration) throws(RepositoryError) {
        let cursor = cursor("SET LOCAL " + PostgreSQLAddress.timeLimit(limit))
        defer { cursor.reset() }
        try cursor.run()
    }

    // MARK: Statements

    func cursor(_ query: Query) -> any SQLCursor { statement(query) }

    func statement(_ query: Query) -> PostgreSQLCursor {
        if query.number < byNumber.count, let cursor = byNumber[query.number] { return cursor }
        while byNumber.count <= query.number { byNumber.append(nil) }
        let cursor = make(query.sql)
        byNumber[query.number] = cursor
        return cursor
    }

    func cursor(_ sql: String) -> any SQLCursor {
        if let cursor = byText[sql] { return cursor }
        let cursor = make(sql)
        byText[sql] = cursor
        return cursor
    }

    private func make(_ sql: String) -> PostgreSQLCursor {
        statements += 1
        return PostgreSQLCursor(self, name: "s\(statements)", sql: PostgreSQLCursor.numbered(sql))
    }

    /// How many rows the last statement changed. Waits for its result.
    var changes: Int {
        do throws(PostgreSQLFailure) { try settle() } catch { fail(error) }
        return failure == nil ? latestChanges : 0
    }

    // MARK: Other writers

    /// The row of an owner is its lock, and counts the transactions that took it. Locks are taken in the order of the ids, so that writers cannot
    /// deadlock.
    private static let locking = Query(
        """
        INSERT INTO owner (user_id, last_change) VALUES (?, 1) ON CONFLICT (user_id) DO UPDATE SET last_change = owner.last_change + 1
        """)
    private static let forgetting = Query("DELETE FROM owner WHERE user_id = ?")

    func lock(_ owners: [UserID]) throws(RepositoryError) {
        for (index, owner) in Set(owners).sorted().enumerated() {
            // Each lock may be waited for. So the server must report earlier ones: if it said nothing until the last, it would count as silent.
            if index > 0 { try askForResults() }
            try run(Self.locking, owner)
        }
    }

    func lockOrYield(_ owners: [UserID]) throws(RepositoryError) {
        isYielding = true
        try limitStatements(to: PostgreSQLAddress.yieldLimit(standardSilence))
        try lock(owners)
        try limitStatements()
    }

    /// A flush and not a sync: after a failed BEGIN, the locks behind a sync would be taken without a transaction.
    private func askForResults() throws(RepositoryError) {
        do throws(PostgreSQLFailure) { try connection.sendFlushRequest() } catch {
            fail(error)
            throw error.error
        }
    }

    func forgetLock(of owner: UserID) throws(RepositoryError) { try run(Self.forgetting, owner) }

    private func run(_ query: Query, _ owner: UserID) throws(RepositoryError) {
        let cursor = statement(query)
        defer { cursor.reset() }
        cursor.bind(owner.bits)
        try cursor.run()
    }

    /// Raises the counters of the buckets with stale users. They are locked last, and in the order of the buckets. A missing one begins with the
    /// time, a number that it never had.
    private static let raising = Query(
        """
        INSERT INTO generation (bucket, number) VALUES (?, \(OperationKey.now))
        ON CONFLICT (bucket) DO UPDATE SET number = generation.number + 1 RETURNING number
        """)

    func outdate(_ user: UserID) { outdated.insert(UserBucket.of(user)) }

    private func raiseGenerations() throws(PostgreSQLFailure) {
        for bucket in outdated.sorted() {
            let cursor = statement(Self.raising)
            defer { cursor.reset() }
            cursor.bind(Int64(bucket))
            try send(cursor, as: .raising(bucket: bucket))
        }
    }

    func keepUserNumbers(upTo last: Int64) throws(RepositoryError) {
        guard last > 0 else { return }
        let cursor = cursor("SELECT setval(pg_get_serial_sequence('profile', 'number'), ?)")
        defer { cursor.reset() }
        try cursor.bind(last)
        _ = try cursor.step()
    }

    var hasOtherWriters: Bool { true }

    func startAgain() -> RepositoryError {
        let conflict = PostgreSQLFailure.conflict(detail: "what was read before a lock has changed")
        fail(conflict)
        return conflict.error
    }

    // MARK: Transactions

    /// Runs statements without arguments or rows, each in its own transaction.
    func perform(_ statements: [String]) throws(PostgreSQLFailure) {
        failure = nil
        for sql in statements { try send(make(sql), keepsRows: false) }
        try sync()
        if let failure { throw failure }
    }

    enum Kind {
        /// Each statement sees what was committed before it.
        case write
        /// All statements see the same snapshot.
        case read
    }

    private static let beginWrite = Query("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    private static let beginRead = Query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    private static let commit = Query("COMMIT")
    private static let rollback = Query("ROLLBACK")

    func begin(_ kind: Kind) throws(PostgreSQLFailure) {
        failure = nil
        outdated.removeAll()
        raised.removeAll()
        isYielding = false
        isInTransaction = true
        try command(kind == .write ? Self.beginWrite : Self.beginRead)
        // The session keeps the failure.
        if silence > standardSilence { try? limitStatements() }
    }

    /// Asks one question outside of transactions.
    /// - Parameter read: reads the first row.
    /// - Returns: what was read; `nil` without a row.
    func ask<Value>(
        _ query: Query, binding bits: UUIDBits? = nil, _ read: (PostgreSQLCursor) -> Value?
    ) throws(PostgreSQLFailure) -> Value? {
        beginAlone()
        let cursor = statement(query)
        defer { cursor.reset() }
        if let bits { cursor.bind(bits) }
        var value: Value?
        // The session keeps the failure.
        do throws(RepositoryError) {
            if try cursor.step() { value = read(cursor) }
        } catch {}
        _ = endAlone()
        guard let failure else { return value }
        if let lost = abandon() { throw lost }
        throw failure
    }

    /// Begins a read that may have only one statement. Such a read needs no transaction, which saves three statements.
    func beginAlone() {
        failure = nil
        alone = .begun
    }

    /// - Returns: whether the read had a second statement. Then repeat it in a transaction, so that all its statements see the same snapshot.
    func endAlone() -> Bool {
        defer { alone = nil }
        guard alone == .wantsTransaction else { return false }
        failure = nil
        return true
    }

    /// The end of a transaction.
    enum End {
        case committed
        /// It was rolled back.
        case rolledBack(PostgreSQLFailure)
        /// It is unknown whether it was committed: the connection was lost, or the server has sent a warning.
        case unknown(PostgreSQLFailure)
    }

    /// Commits, unless a statement has failed.
    func end() -> End {
        isInTransaction = false
        guard failure == nil else { return rolledBack() }
        do throws(PostgreSQLFailure) {
            try raiseGenerations()
            _ = connection.takeNotice()
            latestTag = ""
            isCommitRefused = false
            try command(Self.commit)
            try sync()
        } catch { return .unknown(error) }
        if let failure {
            // A connection that breaks at COMMIT says nothing about the transaction, even if the server has said why it breaks. Neither does a COMMIT
            // that took too long, in databases that limit its time.
            if isCommitRefused, failure.leavesCommitUnknown { return .unknown(failure) }
            return rolledBack()
        }
        // COMMIT of a failed transaction rolls it back, and the tag says so.
        guard latestTag == "COMMIT" else { return .rolledBack(.conflict(detail: "COMMIT came to \(latestTag)")) }
        guard !connection.takeNotice() else { return .unknown(.lost(detail: "the server has warned at COMMIT")) }
        return .committed
    }

    private func rolledBack() -> End {
        let cause = failure ?? .lost(detail: "no cause")
        // A lost connection is dropped, and the server rolls back by itself. A ROLLBACK would wait for it once more.
        if case .lost = cause { return .rolledBack(cause) }
        if let lost = abandon() { return .rolledBack(lost) }
        if isYielding, case .conflict(_, hasWaited: true) = cause { return .rolledBack(.yielded) }
        return .rolledBack(cause)
    }

    /// Rolls back.
    /// - Returns: why the connection is broken; `nil` if it can be used again.
    @discardableResult
    func abandon() -> PostgreSQLFailure? {
        isInTransaction = false
        do throws(PostgreSQLFailure) {
            // After a failure, the server skips everything up to the next sync. So the first ROLLBACK may be skipped.
            for _ in 0..<2 {
                failure = nil
                latestTag = ""
                try command(Self.rollback)
                try sync()
                if latestTag == "ROLLBACK" { return nil }
            }
            return failure ?? .lost(detail: "a transaction could not be rolled back")
        } catch { return error }
    }

    /// Ends a transaction that has only read. It does not wait for the result.
    func leave() throws(PostgreSQLFailure) {
        isInTransaction = false
        try command(Self.rollback)
        try connection.sendSync()
        pending.append(.sync)
    }

    private func command(_ query: Query) throws(PostgreSQLFailure) {
        try send(statement(query), keepsRows: false)
    }

    // MARK: Pipeline

    fileprivate func send(_ cursor: PostgreSQLCursor, keepsRows: Bool) throws(PostgreSQLFailure) {
        try send(cursor, as: .statement(cursor, keepsRows: keepsRows))
    }

    func send(_ cursor: PostgreSQLCursor, as kind: Pending) throws(PostgreSQLFailure) {
        if let alone {
            self.alone = alone == .begun ? .sent : .wantsTransaction
            guard alone == .begun else { throw .conflict(detail: "a read has a second statement") }
        }
        if !cursor.isPrepared {
            try connection.sendPrepare(cursor.name, cursor.sql, kinds: cursor.parameters.kinds)
            pending.append(.preparation(cursor))
            cursor.isPrepared = true
        }
        try connection.sendExecute(cursor.name, cursor.parameters)
        pending.append(kind)
    }

    /// Waits for the results of all sent statements.
    ///
    /// A sync leaves a transaction open that was begun with BEGIN, and ends the implicit one of a statement without. With a flush in its place, the
    /// server would wait for more statements of the pipeline, and would not count the transaction as idle. Then a frozen client could hold its locks
    /// for ever. After a sync the server accepts statements again, also after a failed BEGIN. But the failure is known by then, and nothing more is
    /// sent.
    func settle() throws(PostgreSQLFailure) {
        guard !pending.isEmpty else { return }
        try sync()
    }

    private func sync() throws(PostgreSQLFailure) {
        try connection.sendSync()
        pending.append(.sync)
        try receiveAll()
    }

    private func receiveAll() throws(PostgreSQLFailure) {
        defer { pending.removeAll(keepingCapacity: true) }
        for sent in pending {
            guard let result = try connection.next(silence: silence) else { throw .lost(detail: "the server has left a statement without a result") }
            if case .sync = sent {
                guard result.status == .sync else { throw result.failure }
                continue
            }
            // After the result of each statement.
            guard try connection.next(silence: silence) == nil else { throw .lost(detail: "a statement has two results") }
            take(result, of: sent)
        }
    }

    private func take(_ result: PQResult, of sent: Pending) {
        let isDone = result.status == .command || result.status == .rows
        switch sent {
        case .preparation(let cursor): cursor.isPrepared = isDone
        case .statement(let cursor, let keepsRows):
            guard isDone else { break }
            latestChanges = result.changes
            latestTag = result.tag
            if keepsRows { cursor.rows = result }
        case .raising(let bucket):
            if isDone, result.rowCount == 1 { raised[bucket] = result.integer(0, 0) }
        case .gathered(let place):
            if isDone { note(result, of: place) }
        case .sync: break
        }
        if result.status == .failed {
            if case .statement(let cursor, _) = sent, cursor === statement(Self.commit) { isCommitRefused = true }
            fail(result.failure)
        }
    }

    /// Records a failure. The first one is kept, because it causes all others.
    fileprivate func fail(_ failure: PostgreSQLFailure) {
        if self.failure == nil { self.failure = failure }
    }
}

/// A prepared statement of PostgreSQL.
final class PostgreSQLCursor: SQLCursor {
    private unowned let session: PostgreSQLSession
    fileprivate let name: String
    fileprivate let sql: String
    fileprivate var isPrepared = false
    fileprivate var parameters = PQParameters()
    fileprivate var rows: PQResult?
    /// The present row; -1 before the first.
    private var row = -1
    private var isSent = false

    fileprivate init(_ session: PostgreSQLSession, name: String, sql: String) {
        self.session = session
        self.name = name
        self.sql = sql
    }

    /// Converts the parameters `?` and `?1` to PostgreSQL's form, `$1`. A question mark in quotes stays.
    static func numbered(_ sql: String) -> String {
        var text = ""
        var last = 0
        var isQuoted = false
        var rest = sql[...]
        while let character = rest.popFirst() {
            if character == "'" { isQuoted.toggle() }
            guard character == "?", !isQuoted else {
                text.append(character)
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let number = Int(digits) ?? last + 1
            last = max(last, number)
            text += "$\(number)"
        }
        return text
    }

    func bind(_ users: [UserID]) { parameters.append(users) }
    func bind(_ value: Int64) { parameters.append(value) }
    func bind(_ bits: UUIDBits) { parameters.append(bits) }
    func bind(_ bytes: [UInt8]) { parameters.append(bytes) }
    /// PostgreSQL has no text with U+0000, and no stored text contains it. A search for such a text must find nothing, so U+0000 is replaced by
    /// U+FFFF.
    func bind(_ text: String) {
        guard text.utf8.contains(0) else { return parameters.append(text) }
        parameters.append(text.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "\u{FFFF}"))
    }
    func bindNull() { parameters.appendNull() }

    func step() throws(RepositoryError) -> Bool {
        if !isSent { try send(keepsRows: true) }
        guard let rows else { return false }
        row += 1
        return row < rows.rowCount
    }

    func run() throws(RepositoryError) {
        if !isSent { try send(keepsRows: false) }
    }

    private func send(keepsRows: Bool) throws(RepositoryError) {
        isSent = true
        // After a failure nothing is sent: the transaction can only be rolled back.
        if let failure = session.failure { throw failure.error }
        var isStopped = false
        do throws(PostgreSQLFailure) {
            if let place = session.present {
                rows = try session.answer(self, of: place)
                isStopped = rows == nil
            } else {
                try session.send(self, keepsRows: keepsRows)
                if keepsRows { try session.settle() }
            }
        } catch { session.fail(error) }
        if let failure = session.failure { throw failure.error }
        // No caller gets this error: the read is run again.
        if isStopped { throw .storeUnavailable(detail: "a read waits for an answer") }
    }

    func reset() {
        parameters.removeAll()
        rows = nil
        row = -1
        isSent = false
    }

    // MARK: Reading

    func isNull(_ column: CInt) -> Bool { rows?.isNull(row, column) ?? true }
    func integer(_ column: CInt) -> Int64? { rows?.integer(row, column) }
    func text(_ column: CInt) -> String? { rows?.text(row, column) }
    func bits(_ column: CInt) -> UUIDBits? { rows?.bits(row, column) }
    func bytes(_ column: CInt) -> [UInt8]? { rows?.blob(row, column) }
}
