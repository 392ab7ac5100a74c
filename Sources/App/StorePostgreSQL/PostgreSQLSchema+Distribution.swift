/// How each table can be distributed over several machines.
///
/// Each table has its distribution key as a comment in the database: `distribution key: user_id`, or `distribution key: none` for small tables that
/// every node needs. Rows with the same key stay together, and a write locks their owner.
extension PostgreSQLSchema {
    /// The distribution of a table's rows.
    enum Distribution {
        /// By this column, which is in the table's primary key.
        case by(String)
        /// Not distributed: a few rows that belong to no user.
        case none
    }

    /// The distribution of every table.
    static let distribution: KeyValuePairs<String, Distribution> = [
        // Rows of a user, by the user.
        "owner": .by("user_id"), "profile": .by("user_id"), "session": .by("user_id"), "request": .by("user_id"), "pending_withdrawal": .by("user_id"),
        "image": .by("owner"), "diary": .by("owner"),
        // Rows of a diary, by the diary's key.
        "diary_entry": .by("diary"), "diary_conflict": .by("diary"), "diary_device": .by("diary"), "diary_result": .by("diary"),
        "diary_image": .by("diary"), "diary_image_part": .by("diary"), "discarded_diary": .by("diary"),
        // Follows, by the user's number. An edge is stored with both of its users.
        "following": .by("follower"), "follower": .by("followee"), "follow_count": .by("number"), "follow_event": .by("owner"),
        "withdrawal": .by("number"),
        // Rows that lead from something else to a user, by that.
        "account": .by("subject"), "session_token": .by("token_hash"), "used_id_token": .by("token_hash"), "used_nonce": .by("nonce_hash"),
        "username": .by("username_key"), "profile_term": .by("term"),
        "operation": .by("operation_id"),
        // 256 counters, and a few rows of the store itself.
        "generation": .none, "secret": .none, "marked_time": .none, "diary_seal": .none, "pulseboard_schema": .none,
    ]

    /// Unique indexes without the distribution key of their table. CockroachDB and YugabyteDB support such indexes, but Citus does not. On Citus,
    /// `username` is one table for all nodes. The other indexes are not needed there, because their values are unique anyway: numbers of a sequence, and
    /// random keys.
    static let indexesAcrossKeys = ["profile_number_key", "pending_withdrawal_by_number", "diary_diary_key", "username_by_skeleton"]

    /// The fourth migration.
    static let distributionKeys = distribution.map { table, distribution in
        let key = if case .by(let column) = distribution { column } else { "none" }
        return "COMMENT ON TABLE \(table) IS 'distribution key: \(key)'"
    }
}
