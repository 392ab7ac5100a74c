import GRDB

/// The settings of every connection, with the reason for each.
enum ConnectionSettings {
    /// Marks the file as PulseBoard's ("PuBo"). A database of another program is refused.
    static let applicationID: Int64 = 0x5075_426F

    /// Length of the WAL from which on a checkpoint follows each commit, in pages of 4,096 bytes: 32 MiB.
    static let checkpointPages = 8_192

    /// How long a connection waits for a lock of another connection of this store, in seconds. Such locks are held only briefly.
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

    /// Settings of the connection that writes a copy of the database (``DatabaseCopying``). It does not sync to the disk.
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
        // A reader that sees the WAL index during an update takes the write lock briefly to read it again. The writer must wait
        // for it. Without this setting, a whole batch could rarely fail with SQLITE_BUSY under load.
        configuration.busyMode = .timeout(busyTimeoutSeconds)
        // There are no foreign keys: no key may span two owners (docs/storage.md, Kept portable).
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            // Statement journals of savepoints and sorts stay in memory. They are small, except those of migrations, and need not survive.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // At most 32 MiB of pages stay in memory (a negative number is KiB). That is room for the inner pages of large edge
            // tables and for many profiles. With the default of 2 MiB, every follow and every entry of a list would read pages
            // from the kernel.
            try database.execute(sql: "PRAGMA cache_size = -32768")
            // A cell that does not fit its page is reported as corruption when the page is read (X17).
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            // A tampered schema cannot make a query call a function with side effects.
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
        }
        return configuration
    }

    /// Settings of the one connection that writes and checkpoints, made once it is open.
    /// - Parameter checkpoints: whether SQLite checkpoints by itself until ``WriteAheadLog/watch(_:)`` takes over. Not if the log is archived: then
    ///   nothing may leave it before the archive can hold it back.
    static func prepareWriter(_ database: Database, checkpoints: Bool = true) throws {
        // Every COMMIT syncs the WAL, so that acknowledged writes survive a power cut. It must be set before the first COMMIT.
        try database.execute(sql: "PRAGMA synchronous = FULL")
        // Readers do not wait for the writer. GRDB's own setting is not used, because it sets `synchronous = NORMAL` in between.
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "the journal mode is \(mode ?? "none")") }
        // SQLite checkpoints from this length on, until ``WriteAheadLog/watch(_:)`` takes over with the same limit. It
        // is larger than SQLite's 1,000: random keys touch many pages, and a page that changes often is copied only
        // once per checkpoint.
        try database.execute(sql: "PRAGMA wal_autocheckpoint = \(checkpoints ? checkpointPages : 0)")
        // Deleted data is overwritten, so that the file does not keep what a removed user wrote (X7). It is the default of Debian's SQLite, but not
        // of others.
        try database.execute(sql: "PRAGMA secure_delete = ON")
        // When the WAL begins again from its start, its file is cut to this size.
        try database.execute(sql: "PRAGMA journal_size_limit = \(WALBound.limit)")
    }
}
