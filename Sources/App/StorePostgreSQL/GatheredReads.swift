import PulseBoardDomain
import StoreSQL

/// A read that shares its round trips with other reads.
///
/// Its code runs until a statement has no result yet. Then it stops, and runs again from its start when the result is there; earlier statements get
/// their kept results. So the body of a read may run several times, and must only read. The first statements of many reads are sent together, then
/// all second statements, and so on.
struct GatheredRead {
    /// The results that have come, in the order of the statements.
    fileprivate(set) var results: [PQResult] = []
    /// How many of them the present run has used.
    fileprivate(set) var given = 0
    /// Whether it was stopped.
    fileprivate(set) var isStopped = false
}

extension PostgreSQLSession {
    /// Runs one of several reads until it needs a missing result. That statement is sent.
    /// - Parameter place: the index of the read.
    /// - Returns: the outcome; `nil` if it was stopped.
    func perform(_ read: any QueuedAccess, at place: Int) -> PerformedAccess? {
        gathered[place].given = 0
        gathered[place].isStopped = false
        present = place
        defer { present = nil }
        let performed = read.perform(SQLConnection(self))
        return gathered[place].isStopped || failure != nil ? nil : performed
    }

    /// Begins to gather `count` reads, in an open transaction.
    func gather(_ count: Int) { gathered = [GatheredRead](repeating: GatheredRead(), count: count) }

    /// Waits for the results of all sent statements, and adds them to their reads.
    func receiveGathered() throws(PostgreSQLFailure) {
        try settle()
    }

    func endGathering() { gathered = [] }

    /// The result of the next statement of a read. If it is `nil`, the statement is sent and the read stops.
    func answer(_ cursor: PostgreSQLCursor, of place: Int) throws(PostgreSQLFailure) -> PQResult? {
        if !gathered[place].isStopped {
            let given = gathered[place].given
            if given < gathered[place].results.count {
                gathered[place].given = given + 1
                return gathered[place].results[given]
            }
            gathered[place].isStopped = true
            try send(cursor, as: .gathered(place: place))
        }
        return nil
    }

    /// Adds a result to its read.
    func note(_ result: PQResult, of place: Int) { gathered[place].results.append(result) }
}
