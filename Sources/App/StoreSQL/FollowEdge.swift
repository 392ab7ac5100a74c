import PulseBoardDomain

/// An edge of the follow graph: follower and followee. The edge may or may not exist.
///
/// An existing edge is two rows: one of its follower in `following`, with an index in the order of the list, and one of its followee in
/// `follower`.
struct FollowEdge: CustomStringConvertible {
    let follower: UserNumber
    let followee: UserNumber

    /// The edge in the other direction.
    var reversed: FollowEdge { FollowEdge(follower: followee, followee: follower) }
    /// The text for the log, as the key of a damaged row.
    var description: String { "\(follower) \(followee)" }

    private static let timeByKey = Query("SELECT follow_time FROM following WHERE follower = ? AND followee = ?")
    private static let insertion = Query("INSERT INTO following (follower, followee, follow_time) VALUES (?, ?, ?)")
    private static let reverseInsertion = Query("INSERT INTO follower (followee, follow_time, follower) VALUES (?, ?, ?)")
    private static let deletion = Query("DELETE FROM following WHERE follower = ? AND followee = ?")
    private static let reverseDeletion = Query("DELETE FROM follower WHERE followee = ? AND follow_time = ? AND follower = ?")

    /// Since when the edge exists; `nil` if it does not.
    func time(_ connection: borrowing SQLConnection) throws(RepositoryError) -> Timestamp? {
        var statement = try connection.statement(Self.timeByKey)
        try statement.bind(follower)
        try statement.bind(followee)
        guard try statement.step() else { return nil }
        guard let time = statement.time(0) else {
            throw .corruptRow(table: "following", key: description)
        }
        return time
    }

    /// Writes the rows. The edge must not exist yet.
    func insert(at time: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        var edge = try connection.statement(Self.insertion)
        try edge.bind(follower)
        try edge.bind(followee)
        try edge.bind(time)
        try edge.run()
        var reverse = try connection.statement(Self.reverseInsertion)
        try reverse.bind(followee)
        try reverse.bind(time)
        try reverse.bind(follower)
        try reverse.run()
    }

    /// Removes the rows.
    /// - Returns: `false` if the edge did not exist.
    func delete(_ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        guard let since = try time(connection) else { return false }
        var edge = try connection.statement(Self.deletion)
        try edge.bind(follower)
        try edge.bind(followee)
        try edge.run()
        var reverse = try connection.statement(Self.reverseDeletion)
        try reverse.bind(followee)
        try reverse.bind(since)
        try reverse.bind(follower)
        try reverse.run()
        guard connection.changes == 1 else {
            throw .emptyValue(table: "follower", key: reversed.description)
        }
        return true
    }
}
