import PulseBoardDomain

extension SQLStore {
    // MARK: Asking to leave, and coming back

    public func requestWithdrawal(
        of id: UserID, in session: SessionID?, at time: Timestamp, purging purgeTime: Timestamp
    ) async throws(RepositoryError) -> Timestamp {
        let housekeeping = housekeeping
        return try await write(of: id) { connection throws(RepositoryError) in
            try connection.lock(id)
            if let pending = try PendingWithdrawal.of(id, connection) {
                // Sessions may have been opened since the first request.
                try Self.closeSessions(of: id, connection)
                return pending.purgeTime
            }
            try Self.require(session, of: id, connection)
            let number = try Self.number(of: id, connection)
            let begin = housekeeping.judged(time).begin
            let purgeTime = begin.advanced(by: Timestamp.Interval(microseconds: purgeTime.microseconds - time.microseconds))
            var statement = try connection.statement(
                "INSERT INTO pending_withdrawal (user_id, number, profile, request_time, purge_time) VALUES (?, ?, ?, ?, ?)")
            try statement.bind(id)
            if let number, let record = try Self.repairedRecord(of: id, connection) {
                try statement.bind(number)
                var writer = RecordFieldsWriter()
                record.encode(into: &writer)
                try statement.bind(writer.bytes)
            } else {
                try statement.bindNull()
                try statement.bindNull()
            }
            try statement.bind(begin)
            try statement.bind(purgeTime)
            try statement.run()
            // The counts, the edges and the row of the username stay. Without a profile there are no terms, and looking for them would read those of
            // all users.
            if number != nil { try Self.removeTerms(of: id, connection) }
            var deletion = try connection.statement("DELETE FROM profile WHERE user_id = ?")
            try deletion.bind(id)
            try deletion.run()
            try Self.closeSessions(of: id, connection)
            return purgeTime
        }
    }

    public func cancelWithdrawal(of id: UserID, in session: SessionID?) async throws(RepositoryError) {
        // Servers share the lock of the housekeeping. Who has nothing to take back does not wait for it.
        if housekeeping.hasOthers {
            try await read(of: id) { connection throws(RepositoryError) in
                guard try PendingWithdrawal.of(id, connection) == nil else { return }
                try Self.require(session, of: id, connection)
                throw .notWithdrawing
            }
        }
        try await write(of: id, on: .housekeeping) { connection throws(RepositoryError) in
            try connection.lock(.housekeeping, id)
            try Self.require(session, of: id, connection)
            guard let pending = try PendingWithdrawal.of(id, connection) else { throw .notWithdrawing }
            guard try pending.putBack(connection) else { throw .corruptRow(table: "pending_withdrawal", key: id.description) }
            try pending.forget(connection)
            connection.outdate(id)
        }
    }

    // MARK: Purging

    public func dueWithdrawals(at time: Timestamp, limit: Int) async throws(RepositoryError) -> [UserID] {
        let housekeeping = housekeeping
        return try await read { connection throws(RepositoryError) in
            let judged = housekeeping.judged(time)
            guard judged.isTrusted else { return [] }
            var statement = try connection.statement(
                "SELECT user_id FROM pending_withdrawal WHERE purge_time <= ? ORDER BY purge_time LIMIT ?")
            try statement.bind(judged.end)
            try statement.bind(Int64(limit))
            var due: [UserID] = [], damaged: String?
            while try statement.step() {
                if let id = statement.identifier(0, as: UserID.self) { due.append(id) } else { damaged = statement.key(0) }
            }
            // A row that names no user must not keep the others.
            if due.isEmpty, let damaged { throw .corruptRow(table: "pending_withdrawal", key: damaged) }
            return due
        }
    }

    public func purge(_ id: UserID, at time: Timestamp) async throws(RepositoryError) {
        let housekeeping = housekeeping, requests = requests
        var isOver = false
        while !isOver {
            // A server that stops does not wait for all steps. The next purge of this user goes on with them.
            guard !Task.isCancelled else { throw .cancelled }
            isOver = try await write(on: .housekeeping) { connection throws(RepositoryError) in
                try connection.lock(.housekeeping, id)
                // What is removed here cannot be restored. So the clock must be right now, and not only when the user was found.
                let judged = try housekeeping.judged(time, connection)
                guard judged.isTrusted, let pending = try PendingWithdrawal.of(id, connection), pending.purgeTime <= judged.end else {
                    throw .notWithdrawing
                }
                // A user with many remembered requests is purged by a later write, so that no write is long.
                if try requests.forget(of: id, limit: Self.requestsForgottenAtOnce, connection) { return false }
                if let number = pending.number {
                    // The rest is as in any other withdrawal. A former profile that cannot be read only means that its name is not held.
                    _ = try pending.putBack(connection)
                    try housekeeping.tombstones.begin(id, number, Tombstones.tombstoneOfLeaver, at: judged, connection)
                    housekeeping.expectWithdrawals()
                } else {
                    try Self.discardImages(of: id, at: judged.end, connection)
                    try Self.closeSessions(of: id, connection)
                }
                for sql in UserData.deletionsOfAccount {
                    var deletion = try connection.statement(sql)
                    try deletion.bind(id)
                    try deletion.run()
                }
                try pending.forget(connection)
                try connection.forgetLock(of: id)
                return true
            }
        }
        await removeFirstFollows()
    }

    /// The error for a viewer of a user without a profile.
    static func missing(
        _ id: UserID, to viewer: UserID, own: RepositoryError, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> RepositoryError {
        guard id == viewer else { return .userNotFound }
        if let pending = try PendingWithdrawal.of(id, connection) { return .withdrawing(purgeTime: pending.purgeTime) }
        return own
    }

    /// The error for a caller without a profile who needs one.
    static func missingProfile(of id: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> RepositoryError {
        try missing(id, to: id, own: .profileRequired, connection)
    }
}

/// A user who has asked to leave, with the data to restore them.
struct PendingWithdrawal {
    let user: UserID
    let purgeTime: Timestamp
    /// The number that the user's edges contain; `nil` for a user who had no profile.
    let number: UserNumber?
    private let profile: [UInt8]?

    private static let byUser = Query("SELECT number, profile, purge_time FROM pending_withdrawal WHERE user_id = ?")

    /// Finds the pending withdrawal of a user; `nil` if the user has not asked to leave.
    static func of(_ user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> PendingWithdrawal? {
        var statement = try connection.statement(byUser)
        try statement.bind(user)
        guard try statement.step() else { return nil }
        let number = statement.userNumber(0)
        guard let purgeTime = statement.time(2), statement.isNull(0) == (number == nil) else {
            throw .corruptRow(table: "pending_withdrawal", key: user.description)
        }
        return PendingWithdrawal(user: user, purgeTime: purgeTime, number: number, profile: statement.blob(1))
    }

    /// - Throws: `withdrawing` if the user has asked to leave.
    static func requireNone(of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        if let pending = try of(user, connection) { throw .withdrawing(purgeTime: pending.purgeTime) }
    }

    /// Restores the row of the profile, with its old number, and the search terms. A user who had no profile needs nothing.
    /// - Returns: `false`, without a change, if what was kept of the profile cannot be read.
    func putBack(_ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        guard let number else { return true }
        guard let record = profile.flatMap({ RecordFields($0) }).flatMap({ ProfileRecord($0) }), record.userID == user else { return false }
        try record.insert(connection)
        var statement = try connection.statement("UPDATE profile SET number = ? WHERE user_id = ?")
        try statement.bind(number)
        try statement.bind(user)
        try statement.run()
        try SQLStore.insertTerms(record, connection)
        return true
    }

    /// Removes the row.
    func forget(_ connection: borrowing SQLConnection) throws(RepositoryError) {
        var statement = try connection.statement("DELETE FROM pending_withdrawal WHERE user_id = ?")
        try statement.bind(user)
        try statement.run()
    }
}
