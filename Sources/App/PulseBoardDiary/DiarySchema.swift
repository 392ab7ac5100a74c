import PulseBoardDomain
import PulseBoardVocabulary

/// The tables of a directory's database, and their migrations.
extension DiaryFile {
    /// "PuDi". A database of another program is refused and not changed.
    private static let applicationID: Int64 = 0x5075_4469
    private static let version: Int64 = 5

    /// Migrates a database to this version, in one transaction.
    static func migrate(_ database: ClientDatabase, device: DiaryDeviceID) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            let version = try database.rows("PRAGMA user_version") { $0.integer(0) }.first.flatMap(\.self) ?? 0
            let tables = try database.rows("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }.first.flatMap(\.self) ?? 0
            let application = try database.rows("PRAGMA application_id") { $0.integer(0) }.first.flatMap(\.self) ?? 0
            guard tables == 0 || application == applicationID else {
                throw .storeFailed(detail: Phrase("the file is another program's database", "다른 프로그램의 데이터베이스입니다"))
            }
            guard version <= Self.version else {
                throw .storeFailed(
                    detail: Phrase("the diary was written by a newer version of PulseBoard", "더 새로운 버전의 PulseBoard가 쓴 일기장입니다"))
            }
            if version == 0 {
                try database.run("PRAGMA application_id = \(applicationID)")
                for statement in tables1 { try database.run(statement) }
                try database.run(
                    """
                    INSERT INTO sync_state (one, device, is_registered, next_number, confirmed, applied, cursor, staged_cursor, clock)
                    VALUES (1, ?, 0, 1, 0, 0, '', '', 0)
                    """, .blob(device.bits.bytes))
            }
            guard version < Self.version else { return }
            if version < 2 { for statement in tables2 { try database.run(statement) } }
            if version < 3 { for statement in tables3 { try database.run(statement) } }
            if version < 4 { for statement in tables4 { try database.run(statement) } }
            for statement in tables5 { try database.run(statement) }
            try database.run("PRAGMA user_version = \(Self.version)")
        }
    }

    private static let tables1 = [
        """
        CREATE TABLE sync_state (
            one INTEGER PRIMARY KEY CHECK (one = 1), owner BLOB, device BLOB NOT NULL, is_registered INTEGER NOT NULL,
            next_number INTEGER NOT NULL, confirmed INTEGER NOT NULL, applied INTEGER NOT NULL, cursor TEXT NOT NULL,
            staged_cursor TEXT NOT NULL, clock INTEGER NOT NULL, last_sync INTEGER
        ) STRICT
        """,
        // The base: the server's state at the cursor.
        "CREATE TABLE base (entry_id BLOB NOT NULL PRIMARY KEY, row BLOB NOT NULL) STRICT",
        // Pages of a checkpoint that is not complete yet.
        "CREATE TABLE staged (entry_id BLOB NOT NULL PRIMARY KEY, row BLOB NOT NULL) STRICT",
        // The outbox: edits in their order. They get their numbers on the disk before they are sent. `outcome` is the server's
        // result.
        """
        CREATE TABLE outbox (
            local_id INTEGER PRIMARY KEY AUTOINCREMENT, entry_id BLOB NOT NULL, number INTEGER UNIQUE, mutation BLOB NOT NULL, outcome TEXT,
            made_time INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX outbox_by_entry ON outbox (entry_id)",
        // The shown entries: the base with the edits that are not in it yet.
        """
        CREATE TABLE shown (
            entry_id BLOB NOT NULL PRIMARY KEY, row BLOB NOT NULL, entry_time INTEGER, emotion TEXT, body TEXT, has_conflicts INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX shown_by_time ON shown (entry_time, entry_id) WHERE entry_time IS NOT NULL",
        "CREATE INDEX shown_by_conflict ON shown (entry_id) WHERE has_conflicts = 1",
        // Edits that the server rejected for good.
        "CREATE TABLE rejected (local_id INTEGER PRIMARY KEY, mutation BLOB NOT NULL, reason TEXT NOT NULL) STRICT",
    ]
    private static let tables2 = [
        // A row for each picture that something here names or that waits for its entry. `is_here` says whether its file exists.
        """
        CREATE TABLE image (
            sha256 BLOB NOT NULL PRIMARY KEY, content_type TEXT NOT NULL, byte_count INTEGER NOT NULL, is_here INTEGER NOT NULL,
            expire_time INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // What names a picture: `place` is a `DiaryFile.ImageUser`, and `key` the key of its row.
        """
        CREATE TABLE image_use (
            place INTEGER NOT NULL, key ANY NOT NULL, sha256 BLOB NOT NULL, PRIMARY KEY (place, key, sha256)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX image_use_by_hash ON image_use (sha256)",
    ]
    private static let tables3 = [
        // Why an edit is held: a ``Reason`` about its pictures.
        "ALTER TABLE outbox ADD COLUMN held TEXT",
        // Edits to be sent, by their numbers. Edits without a number come first, in their order.
        "CREATE INDEX outbox_waiting ON outbox (number, local_id) WHERE outcome IS NULL",
        // Rows that could not be read, exactly as they were found.
        """
        CREATE TABLE damaged (
            damaged_id INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL, entry_id BLOB, bytes BLOB NOT NULL, found_time INTEGER NOT NULL
        ) STRICT
        """,
    ]
    private static let tables4 = [
        // Edits up to this place in the outbox do not count towards its limits.
        "ALTER TABLE sync_state ADD COLUMN uncounted_through INTEGER NOT NULL DEFAULT 0",
        // Whether the server was restored from a copy, and the base is read again.
        "ALTER TABLE sync_state ADD COLUMN is_restored INTEGER NOT NULL DEFAULT 0",
        // The outbox with fewer pages to write for each edit: `sync_state` has the next place, and only edits with a number are in its index.
        "ALTER TABLE sync_state ADD COLUMN next_place INTEGER NOT NULL DEFAULT 1",
        "UPDATE sync_state SET next_place = 1 + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0)",
        """
        CREATE TABLE outbox_4 (
            local_id INTEGER PRIMARY KEY, entry_id BLOB NOT NULL, number INTEGER, mutation BLOB NOT NULL, outcome TEXT, made_time INTEGER NOT NULL,
            held TEXT
        ) STRICT
        """,
        "INSERT INTO outbox_4 SELECT local_id, entry_id, number, mutation, outcome, made_time, held FROM outbox",
        "DROP TABLE outbox",
        "ALTER TABLE outbox_4 RENAME TO outbox",
        "CREATE INDEX outbox_by_entry ON outbox (entry_id)",
        "CREATE INDEX outbox_waiting ON outbox (number, local_id) WHERE outcome IS NULL",
        "CREATE UNIQUE INDEX outbox_by_number ON outbox (number) WHERE number IS NOT NULL",
    ]
    private static let tables5 = [
        // Whether an entry has held edits. Otherwise each of thousands of edits of one entry would look at all others.
        "CREATE INDEX outbox_held ON outbox (entry_id) WHERE held IS NOT NULL"
    ]
}
