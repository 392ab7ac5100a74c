extension Schema {
    /// What diaries need. The migration is never changed.
    static let diaries = [
        // Whose diary has which key, and its counts. Everything else names the diary and no user. A withdrawal removes this row, and with it the way
        // to all others.
        """
        CREATE TABLE diary (
            owner BLOB NOT NULL PRIMARY KEY,
            diary BLOB NOT NULL UNIQUE,
            last_change INTEGER NOT NULL,
            floor_change INTEGER NOT NULL,
            entry_count INTEGER NOT NULL,
            row_count INTEGER NOT NULL,
            byte_count INTEGER NOT NULL,
            clock INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // An entry with the stamps of its fields; a deleted one has no values. A rowid table, because rows may be long.
        """
        CREATE TABLE diary_entry (
            diary BLOB NOT NULL,
            entry_id BLOB NOT NULL,
            change INTEGER NOT NULL,
            is_deleted INTEGER NOT NULL,
            create_time INTEGER NOT NULL,
            entry_time INTEGER,
            emotion TEXT,
            body TEXT,
            has_conflicts INTEGER NOT NULL,
            stamps BLOB NOT NULL,
            delete_time INTEGER,
            PRIMARY KEY (diary, entry_id)
        ) STRICT
        """,
        // For reading what has changed, in order.
        "CREATE UNIQUE INDEX diary_entry_by_change ON diary_entry (diary, change)",
        // For lists, the newest first.
        "CREATE INDEX diary_entry_by_time ON diary_entry (diary, entry_time, entry_id) WHERE is_deleted = 0",
        // For forgetting deleted entries, oldest first.
        "CREATE INDEX diary_entry_by_deletion ON diary_entry (delete_time) WHERE delete_time IS NOT NULL AND has_conflicts = 0",
        // Edits that lost, until their owner has looked at them.
        """
        CREATE TABLE diary_conflict (
            diary BLOB NOT NULL,
            entry_id BLOB NOT NULL,
            field INTEGER NOT NULL,
            stamp BLOB NOT NULL,
            value BLOB NOT NULL,
            PRIMARY KEY (diary, entry_id, field, stamp)
        ) STRICT
        """,
        // The devices that write it. Their rows stay, so that what comes again after a year is known.
        """
        CREATE TABLE diary_device (
            diary BLOB NOT NULL,
            device_id BLOB NOT NULL,
            name TEXT NOT NULL,
            last_mutation INTEGER NOT NULL,
            confirmed INTEGER NOT NULL,
            seen_time INTEGER NOT NULL,
            PRIMARY KEY (diary, device_id)
        ) STRICT, WITHOUT ROWID
        """,
        // What became of the latest mutations of a device, for a repeated push.
        """
        CREATE TABLE diary_result (
            diary BLOB NOT NULL,
            device_id BLOB NOT NULL,
            mutation INTEGER NOT NULL,
            fingerprint BLOB NOT NULL,
            outcome TEXT NOT NULL,
            PRIMARY KEY (diary, device_id, mutation)
        ) STRICT, WITHOUT ROWID
        """,
        // Diaries of withdrawn users whose rows are still to be removed.
        "CREATE TABLE discarded_diary (diary BLOB NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID",
    ]
}
