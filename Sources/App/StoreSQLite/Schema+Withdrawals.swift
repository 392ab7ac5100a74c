extension Schema {
    /// What withdrawing in steps, expiring with care and remembering results of another version need.
    static let withdrawals = [
        // Who has withdrawn, while the rows of their follows are still there. It is what hides those rows.
        """
        CREATE TABLE withdrawal (
            number INTEGER PRIMARY KEY,
            user_id BLOB NOT NULL,
            withdraw_time INTEGER NOT NULL,
            followers INTEGER NOT NULL,
            following INTEGER NOT NULL,
            is_damaged INTEGER NOT NULL,
            is_over INTEGER NOT NULL
        ) STRICT
        """,
        // What a result is written in: 0 is the form of before this column (`RecordBytesReader`), 1 the present one.
        "ALTER TABLE request ADD COLUMN format INTEGER NOT NULL DEFAULT 0",
        // Instants that must outlive the process, by name.
        """
        CREATE TABLE marked_time (
            name TEXT NOT NULL PRIMARY KEY,
            instant INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]
}
