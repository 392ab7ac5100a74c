import GRDB

/// How every connection is set up, and why.
enum ConnectionSettings {
    /// Marks the file as PulseBoard's ("PuBo"). A database of another program is refused and not migrated.
    static let applicationID: Int64 = 0x5075_426F

    /// Pages the WAL may grow to before a commit also checkpoints (4,096 bytes each: 32 MiB).
    static let checkpointPages = 8_192

    /// How long a connection waits for a lock of another connection of this store, seconds. Locks are held for microseconds.
    static let busyTimeoutSeconds = 5.0

    /// Settings of the one connection that writes.
    static var writer: Configuration {
        var configuration = common
        configuration.label = "pulseboard writer"
        return configuration
    }

    /// Settings of a connection that reads. It is opened read-only, and `query_only` is set.
    static var reader: Configuration {
        var configuration = common
        configuration.label = "pulseboard reader"
        configuration.readonly = true
        return configuration
    }

    /// Settings of the connection that writes a copy of the database (``DatabaseCopying``). Nobody waits for it to be on the disk.
    static var copy: Configuration {
        var configuration = Configuration()
        configuration.label = "pulseboard copy"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = OFF")
            try database.execute(sql: "PRAGMA cache_size = -2048")
        }
        return configuration
    }

    /// Settings of the connection that checks and reads a copy.
    static var copyReader: Configuration {
        var configuration = common
        configuration.label = "pulseboard copy"
        configuration.readonly = true
        return configuration
    }

    private static var common: Configuration {
        var configuration = Configuration()
        // A reader that catches the WAL index in the middle of an update takes the write lock for an instant to read it again. A
        // writer that comes by just then waits for it; without this it failed a whole batch with SQLITE_BUSY, rarely, under load.
        configuration.busyMode = .timeout(busyTimeoutSeconds)
        // There are no foreign keys: no key may span two owners (docs/storage.md, Kept portable).
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            // Statement journals of savepoints and sorts stay in memory. They are small, except those of migrations, and need not survive.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // At most 32 MiB of pages stay in memory (negative: KiB): the inner pages of edge tables of many millions, and the
            // profiles of a hundred thousand people, whom lists name. The default of 2 MiB reads them from the kernel for every
            // follow and every entry of a list.
            try database.execute(sql: "PRAGMA cache_size = -32768")
            // A cell that does not fit its page is reported as corruption when the page is read, not misread (X17).
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            // A tampered schema cannot make a query call a function with side effects.
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
        }
        return configuration
    }

    /// Settings of the one connection that writes and checkpoints, made once it is open.
    static func prepareWriter(_ database: Database) throws {
        // Every COMMIT syncs the WAL: what has been acknowledged survives power loss. Before the first of them.
        try database.execute(sql: "PRAGMA synchronous = FULL")
        // Readers do not wait for the writer. GRDB's own setting is not used, because it sets `synchronous = NORMAL` in between.
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "the journal mode is \(mode ?? "none")") }
        // The commit that finds the WAL longer than this also copies it into the database. Larger than SQLite's 1,000
        // because random keys touch many pages: a page changed often between two checkpoints is copied once.
        try database.execute(sql: "PRAGMA wal_autocheckpoint = \(checkpointPages)")
        // What is deleted is overwritten, so the file no longer has what a withdrawn user wrote (X7). It is the default of Debian's SQLite and not of
        // others.
        try database.execute(sql: "PRAGMA secure_delete = ON")
        // After a checkpoint that emptied it, a WAL that had to grow beyond 64 MiB gives the disk space back.
        try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
    }
}
