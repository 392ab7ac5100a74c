import PulseBoardDomain
import StoreSQL

/// A read that is performed with others, so that their statements travel together.
///
/// A read is code that asks and goes on with what it hears. Here it is stopped where it asks something that has no answer yet, and performed again from
/// its start when the answer is there; what it asked before is answered from here at once. So of many reads all first statements are sent before one
/// waits, then all second ones, and so on.
struct GatheredRead {
    /// The results that have come, in the order in which they were asked for.
    fileprivate(set) var results: [PQResult] = []
    /// How many of them the present performance has been given.
    fileprivate(set) var given = 0
    /// Whether it was stopped.
    fileprivate(set) var isStopped = false
}

extension PostgreSQLSession {
    /// Performs one of several reads as far as it goes. The statement that it was stopped at is sent.
    /// - Parameter place: which of them it is.
    /// - Returns: what it came to; `nil` when it was stopped.
    func perform(_ read: any QueuedAccess, at place: Int) -> PerformedAccess? {
        gathered[place].given = 0
        gathered[place].isStopped = false
        present = place
        defer { present = nil }
        let performed = read.perform(SQLConnection(self))
        return gathered[place].isStopped || failure != nil ? nil : performed
    }

    /// Begins to gather so many reads, in a transaction that has begun.
    func gather(_ count: Int) { gathered = [GatheredRead](repeating: GatheredRead(), count: count) }

    /// Waits for all that was sent, and gives it to the reads.
    func receiveGathered() throws(PostgreSQLFailure) {
        try settle()
    }

    func endGathering() { gathered = [] }

    /// The result of the next statement of the present read; `nil` when it has none yet. Then it is sent, and the read stops.
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

    /// Notes a result that has come.
    func note(_ result: PQResult, of place: Int) { gathered[place].results.append(result) }
}
