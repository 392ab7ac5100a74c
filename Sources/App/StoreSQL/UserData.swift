/// Every table with a user's data: where an export has it, and what removes it (C21). One test compares the list with the schema, another one an
/// export with the rows of each table.
enum UserData {
    /// What an export has of a table.
    enum Export: Hashable {
        /// Records for every row of the user.
        case records(Record)
        /// Nothing, and why.
        case nothing(String)
    }

    /// The kinds of records in an export.
    enum Record: CaseIterable {
        case identity, session, profile, username, image, following, follower, event, diaryEntry, diaryConflicts, diaryDevice, diaryImage
    }

    struct Table {
        let name: String
        let export: Export
        /// What removes the rows in a purge.
        let purge: String
    }

    static let tables = [
        Table(name: "account", export: .records(.identity), purge: "deletionsOfAccount"),
        Table(name: "session", export: .records(.session), purge: "closeSessions"),
        Table(name: "session_token", export: .nothing("hashes of secrets"), purge: "closeSessions"),
        Table(name: "profile", export: .records(.profile), purge: "Tombstones.begin"),
        Table(name: "profile_term", export: .nothing("an index of the profile"), purge: "Tombstones.begin"),
        Table(name: "username", export: .records(.username), purge: "Tombstones.begin, deletionsOfAccount"),
        // A staged picture is left out: it lives for an hour.
        Table(name: "image", export: .records(.image), purge: "discardImages, then the sweep"),
        Table(name: "follow_count", export: .nothing("counts of the follows"), purge: "Tombstones.begin"),
        Table(name: "following", export: .records(.following), purge: "Tombstones.step"),
        Table(name: "follower", export: .records(.follower), purge: "Tombstones.step"),
        Table(name: "follow_event", export: .records(.event), purge: "Tombstones.step; others' events for 7 days"),
        Table(name: "withdrawal", export: .nothing("the user has gone"), purge: "Tombstones.finish"),
        Table(name: "pending_withdrawal", export: .nothing("an export needs the profile"), purge: "PendingWithdrawal.forget"),
        Table(name: "diary", export: .nothing("a counter of the diary"), purge: "Tombstones.begin"),
        Table(name: "diary_entry", export: .records(.diaryEntry), purge: "DiaryRecord.removeForgotten"),
        Table(name: "diary_image", export: .records(.diaryImage), purge: "DiaryRecord.removeForgotten"),
        Table(name: "diary_image_part", export: .records(.diaryImage), purge: "DiaryRecord.removeForgotten"),
        Table(name: "diary_conflict", export: .records(.diaryConflicts), purge: "DiaryRecord.removeForgotten"),
        Table(name: "diary_device", export: .records(.diaryDevice), purge: "DiaryRecord.removeForgotten"),
        Table(name: "diary_result", export: .nothing("results of pushes, which the entries show"), purge: "DiaryRecord.removeForgotten"),
        Table(name: "discarded_diary", export: .nothing("the user has gone"), purge: "DiaryRecord.removeForgotten"),
        Table(name: "request", export: .nothing("results of the last 24 hours, which the rest shows"), purge: "RememberedRequests.forget"),
    ]

    /// Tables without a user's data. Those of ID tokens keep hashes of tokens and nonces until these expire.
    static let others: Set<String> = [
        "secret", "diary_seal", "marked_time", "used_id_token", "used_nonce", "grdb_migrations", "sqlite_sequence", "sqlite_stat1"
    ]

    /// What a purge removes in addition to a withdrawal. The parameter is the user's id.
    static let deletionsOfAccount = [
        // The name stays held, but for nobody.
        "UPDATE username SET user_id = NULL WHERE user_id = ? AND kind <> 0", "DELETE FROM account WHERE user_id = ?",
    ]
}
