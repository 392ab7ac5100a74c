/// Where the rows of each table belong when one machine cannot hold them all.
///
/// Each table has the key as a comment in the database, where whoever distributes it finds it: `distribution key: user_id`, or `distribution key: none`
/// for tables that are small and the same for everybody. Rows with one value of the key stay together, and a write locks their owner.
extension PostgreSQLSchema {
    /// What a table's rows are distributed by.
    enum Distribution {
        /// The column stands in the table's primary key.
        case by(String)
        /// A few rows that belong to nobody.
        case none
    }

    /// Of every table.
    static let distribution: KeyValuePairs<String, Distribution> = [
        // A user's own rows, by the user.
        "owner": .by("user_id"), "profile": .by("user_id"), "session": .by("user_id"), "request": .by("user_id"), "pending_withdrawal": .by("user_id"),
        "image": .by("owner"), "diary": .by("owner"),
        // A diary's, by the key of the diary, which only the row of `diary` leads to.
        "diary_entry": .by("diary"), "diary_conflict": .by("diary"), "diary_device": .by("diary"), "diary_result": .by("diary"),
        "diary_image": .by("diary"), "diary_image_part": .by("diary"), "discarded_diary": .by("diary"),
        // A user's follows, by the number that edges name the user by. An edge is stored with both of its ends.
        "following": .by("follower"), "follower": .by("followee"), "follow_count": .by("number"), "follow_event": .by("owner"),
        "withdrawal": .by("number"),
        // What leads to a user from something else, by that.
        "account": .by("subject"), "session_token": .by("token_hash"), "used_id_token": .by("token_hash"), "used_nonce": .by("nonce_hash"),
        "username": .by("username_key"), "profile_term": .by("term"),
        "operation": .by("operation_id"),
        // 256 counters, and some rows of the store itself.
        "generation": .none, "secret": .none, "marked_time": .none, "diary_seal": .none, "pulseboard_schema": .none,
    ]

    /// Unique indexes without the key of their table. CockroachDB and YugabyteDB have such indexes. Citus has not: there `username` is one table for all
    /// nodes, and the others do without, because what they hold is unique by itself: a sequence's numbers, and random keys.
    static let indexesAcrossKeys = ["profile_number_key", "pending_withdrawal_by_number", "diary_diary_key", "username_by_skeleton"]

    /// The fourth migration.
    static let distributionKeys = distribution.map { table, distribution in
        let key = if case .by(let column) = distribution { column } else { "none" }
        return "COMMENT ON TABLE \(table) IS 'distribution key: \(key)'"
    }
}
