extension SQLiteSchema {
    /// The tables of diaries. This migration never changes.
    static let diaries = [
        // The owner, key and counts of each diary. All other tables name the diary and not the user. A withdrawal removes this row, so that nothing
        // leads to the others.
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
        // An entry with the stamps of its fields. A deleted one has no values. It is a rowid table, because rows may be long.
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
        // For lists, newest first.
        "CREATE INDEX diary_entry_by_time ON diary_entry (diary, entry_time, entry_id) WHERE is_deleted = 0",
        // For removing deleted entries, oldest first.
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
        // The devices that write the diary. Their rows stay, so that a push that is repeated after a year is recognised.
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
        // The results of a device's latest mutations, for a repeated push.
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
        // Diaries of removed users whose rows are still to be removed.
        "CREATE TABLE discarded_diary (diary BLOB NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID",
    ]
}

extension SQLiteSchema {
    /// The tables of diary pictures. This migration never changes.
    static let diaryImages = [
        // The names of an entry's pictures (`DiaryValue.bytes`); NULL is none.
        "ALTER TABLE diary_entry ADD COLUMN images BLOB",
        "ALTER TABLE diary ADD COLUMN image_count INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE diary ADD COLUMN image_byte_count INTEGER NOT NULL DEFAULT 0",
        // The pictures of a diary. `state` is a `DiaryImageState`. `uses` is how many rows of `diary_entry` have the picture, in the entry or in a
        // conflict. A picture with no uses is removed at `expire_time`.
        """
        CREATE TABLE diary_image (
            diary BLOB NOT NULL,
            sha256 BLOB NOT NULL,
            state INTEGER NOT NULL,
            uses INTEGER NOT NULL,
            content_type TEXT NOT NULL,
            byte_count INTEGER NOT NULL,
            expire_time INTEGER NOT NULL,
            PRIMARY KEY (diary, sha256)
        ) STRICT, WITHOUT ROWID
        """,
        // For removing unused pictures, oldest first.
        "CREATE INDEX diary_image_by_expiry ON diary_image (expire_time) WHERE uses = 0",
        // The bytes of pictures, in parts, so that no write is long. It is a rowid table, because rows are long.
        """
        CREATE TABLE diary_image_part (
            diary BLOB NOT NULL,
            sha256 BLOB NOT NULL,
            part INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (diary, sha256, part)
        ) STRICT
        """,
    ]
}

extension SQLiteSchema {
    /// The columns and table for sealed diaries. This migration never changes.
    static let sealedDiaries = [
        // Emotion, text and names of pictures, sealed together; then those columns are NULL. It is NULL if the row is not sealed.
        "ALTER TABLE diary_entry ADD COLUMN sealed BLOB",
        "ALTER TABLE diary_image_part ADD COLUMN is_sealed INTEGER NOT NULL DEFAULT 0",
        // Keys with which something may be sealed; `x''` stands for unsealed data. The current key seals new data. `place` and `position` are the
        // progress of the sweep that seals everything with it. At the end of the sweep the other rows are removed.
        """
        CREATE TABLE diary_seal (
            key_id BLOB NOT NULL PRIMARY KEY,
            is_current INTEGER NOT NULL,
            place INTEGER NOT NULL,
            position BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]
}
