import PulseBoardDomain

/// The row of an owner's diary.
struct DiaryRecord {
    let owner: UserID
    /// The key of everything in the diary. A new diary of the same owner has another key.
    let diary: DiaryKey
    /// The number of the last change.
    var lastChange: Int64
    /// The number of the newest forgotten change.
    let floor: Int64
    /// Entries that are not deleted.
    var entryCount: Int64
    /// Rows, including those of deleted entries.
    var rowCount: Int64
    /// Bytes of all values, including conflicts.
    var byteCount: Int64
    /// Pictures, including those without an entry.
    var imageCount: Int64
    /// Bytes of all pictures.
    var imageByteCount: Int64
    /// The server's own clock for stamps in this diary.
    var clock: DiaryClock
    /// Seals and opens the contents.
    let vault: DiaryVault

    /// The place of a reader that has read everything.
    var end: DiaryPosition { DiaryPosition(diary: diary.bits, change: lastChange, horizon: lastChange) }

    /// Whether everything is within the limits.
    var isWithinLimits: Bool {
        entryCount <= DiaryLimits.maximumEntries && rowCount <= DiaryLimits.maximumRows && byteCount <= DiaryLimits.maximumTotalBytes
    }

    private static let byOwner = Query(
        """
        SELECT diary, last_change, floor_change, entry_count, row_count, byte_count, clock, image_count, image_byte_count FROM diary
        WHERE owner = ?
        """)

    /// Finds the owner's diary; `nil` if there is none.
    /// - Throws: `diary(.locked)`; `withdrawing` when the owner has asked to leave, because the purge would remove what is written now.
    static func find(
        _ owner: UserID, _ vault: DiaryVault, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> DiaryRecord? {
        try vault.requireUnlocked()
        try PendingWithdrawal.requireNone(of: owner, connection)
        var statement = try connection.statement(byOwner)
        try statement.bind(owner)
        guard try statement.step() else { return nil }
        guard let diary = statement.identifier(0, as: DiaryKey.self), let last = statement.integer(1), let floor = statement.integer(2),
            let entries = statement.integer(3), let rows = statement.integer(4), let bytes = statement.integer(5), let clock = statement.integer(6),
            let images = statement.integer(7), let imageBytes = statement.integer(8)
        else { throw .corruptRow(table: "diary", key: owner.description) }
        return DiaryRecord(
            owner: owner, diary: diary, lastChange: last, floor: floor, entryCount: entries, rowCount: rows, byteCount: bytes,
            imageCount: images, imageByteCount: imageBytes, clock: DiaryClock(last: clock), vault: vault)
    }

    /// Finds the owner's diary, or begins one.
    /// - Parameter images: the stored pictures that the diary must have. A new diary has none, so it is not begun then: other users' writes share the
    ///   transaction, and a write that fails after a change makes all of them run again.
    /// - Throws: `profileRequired` when the owner has no profile; `diary(.imageNotStaged)`.
    static func findOrBegin(
        _ owner: UserID, as key: DiaryKey, having images: [DiaryImage] = [], _ vault: DiaryVault, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> DiaryRecord {
        if let record = try find(owner, vault, connection) { return record }
        guard try SQLStore.number(of: owner, connection) != nil else { throw try SQLStore.missingProfile(of: owner, connection) }
        guard images.isEmpty else { throw .diary(.imageNotStaged) }
        var statement = try connection.statement(
            """
            INSERT INTO diary (owner, diary, last_change, floor_change, entry_count, row_count, byte_count, clock)
            VALUES (?, ?, 0, 0, 0, 0, 0, 0)
            """)
        try statement.bind(owner)
        try statement.bind(key)
        try statement.run()
        return DiaryRecord(
            owner: owner, diary: key, lastChange: 0, floor: 0, entryCount: 0, rowCount: 0, byteCount: 0, imageCount: 0, imageByteCount: 0,
            clock: DiaryClock(), vault: vault)
    }

    /// Writes the changed row.
    func save(_ connection: borrowing SQLConnection) throws(RepositoryError) {
        var statement = try connection.statement(
            """
            UPDATE diary SET last_change = ?, entry_count = ?, row_count = ?, byte_count = ?, clock = ?, image_count = ?, image_byte_count = ?
            WHERE owner = ?
            """)
        for value in [lastChange, entryCount, rowCount, byteCount, clock.last, imageCount, imageByteCount] { try statement.bind(value) }
        try statement.bind(owner)
        try statement.run()
    }

    /// Discards the owner's diary. Its rows are removed in steps (``removeForgotten(_:_:rows:)``).
    static func discard(of owner: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        for sql in ["INSERT INTO discarded_diary (diary) SELECT diary FROM diary WHERE owner = ?", "DELETE FROM diary WHERE owner = ?"] {
            var statement = try connection.statement(sql)
            try statement.bind(owner)
            try statement.run()
        }
    }
}

/// The id of one diary in the store and in cursors.
struct DiaryKey: UUIDIdentifier {
    let bits: UUIDBits
}

// MARK: Rows

extension DiaryRecord {
    private static let rowByID = Query("SELECT \(rowColumns) FROM diary_entry WHERE diary = ? AND entry_id = ?")

    /// Reads the row of an entry; `nil` if it is unknown.
    /// - Parameter withConflicts: whether to read its conflicts, which may have more than a megabyte.
    func row(_ id: DiaryEntryID, withConflicts: Bool = true, _ connection: borrowing SQLConnection) throws(RepositoryError) -> DiaryRow? {
        var statement = try connection.statement(Self.rowByID)
        try statement.bind(diary)
        try statement.bind(id)
        guard try statement.step() else { return nil }
        guard var row = try Self.row(statement, id, in: diary, vault) else { throw Self.corrupt(id) }
        if withConflicts, statement.integer(5) == 1 { row.conflicts = try conflicts(id, connection) }
        return row
    }

    /// The columns that ``row(_:_:in:_:from:)`` reads.
    static let rowColumns = "is_deleted, create_time, entry_time, emotion, body, has_conflicts, stamps, images, sealed"
    /// The number of ``rowColumns``.
    static let rowColumnCount: CInt = 9

    /// Reads a row without its conflicts; `nil` if it cannot be decoded.
    static func row(
        _ statement: borrowing SQLStatement, _ id: DiaryEntryID, in diary: DiaryKey, _ vault: DiaryVault, from column: CInt = 0
    ) throws(RepositoryError) -> DiaryRow? {
        guard let deleted = statement.integer(column), let time = statement.time(column + 1),
            let stamps = statement.blob(column + 6).flatMap(DiaryStamp.list(bytes:)),
            stamps.count == DiaryField.allCases.count - 1 || stamps.count == DiaryField.allCases.count
        else { return nil }
        var row = DiaryRow(createTime: time, isDeleted: deleted == 1)
        // A row without pictures has no stamp for them (`DiaryRow.stampedFields`).
        for (field, stamp) in zip(DiaryField.allCases, stamps) { row[field].stamp = stamp }
        var content: [DiaryValue] = []
        if let bytes = statement.blob(column + 8) {
            guard let plain = try vault.opened(bytes, at: .entry(diary, id)), let values = Self.values(plain) else { return nil }
            content = values
        } else if deleted == 0 {
            let images = statement.isNull(column + 7) ? .images([]) : statement.blob(column + 7).flatMap(DiaryValue.init(bytes:))
            content = [statement.text(column + 3).map(DiaryValue.emotion), statement.text(column + 4).map(DiaryValue.text), images].compactMap(\.self)
        }
        guard deleted == 0 else { return row }
        if let time = statement.time(column + 2) { content.append(.time(time)) }
        for value in content { row[value.field].value = value }
        return DiaryField.allCases.allSatisfy { row[$0].value != nil } ? row : nil
    }

    /// Emotion, text and pictures, encoded for sealing: each follows its length in four bytes.
    private static func bytes(_ row: DiaryRow) -> [UInt8] {
        [DiaryField.emotion, .text, .images].flatMap { field in
            let bytes = row[field].value?.bytes ?? []
            return UInt32(bytes.count).bigEndianBytes + bytes
        }
    }

    private static func values(_ bytes: [UInt8]) -> [DiaryValue]? {
        var rest = bytes[...]
        var values: [DiaryValue] = []
        while !rest.isEmpty {
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 4 + count, let value = DiaryValue(bytes: Array(rest.dropFirst(4).prefix(count))) else { return nil }
            values.append(value)
            rest = rest.dropFirst(4 + count)
        }
        return values
    }

    /// Binds `emotion`, `body`, `images` and `sealed`. A sealed row has only the last one, others only the first three.
    static func bindContent(
        of row: DiaryRow, _ id: DiaryEntryID, in diary: DiaryKey, _ vault: DiaryVault, to statement: inout SQLStatement
    ) throws(RepositoryError) {
        let isSealed = vault.seal.isSealing && !row.isDeleted
        for field in [DiaryField.emotion, .text] { try statement.bind(orNull: isSealed ? nil : row[field].value?.writtenText) }
        if !isSealed, case .images(let images)? = row[.images].value, !images.isEmpty {
            try statement.bind(DiaryValue.images(images).bytes)
        } else {
            try statement.bindNull()
        }
        if isSealed { try statement.bind(try vault.sealed(bytes(row), at: .entry(diary, id))) } else { try statement.bindNull() }
    }

    /// The error for a row that cannot be decoded. It contains the id, and nothing that the owner wrote.
    static func corrupt(_ id: DiaryEntryID) -> RepositoryError { .corruptRow(table: "diary_entry", key: id.description) }

    /// The entry of a row that is not deleted.
    static func entry(_ id: DiaryEntryID, _ row: DiaryRow) throws(RepositoryError) -> DiaryEntry {
        guard let entry = row.entry(id) else { throw corrupt(id) }
        return entry
    }

    func conflicts(_ id: DiaryEntryID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Set<DiaryConflict> {
        var statement = try connection.statement("SELECT field, stamp, value FROM diary_conflict WHERE diary = ? AND entry_id = ?")
        try statement.bind(diary)
        try statement.bind(id)
        var conflicts: Set<DiaryConflict> = []
        while try statement.step() {
            guard let field = statement.integer(0).flatMap({ UInt8(exactly: $0) }).flatMap(DiaryField.init(rawValue:)),
                let stampBytes = statement.blob(1), let stamp = DiaryStamp(bytes: stampBytes), let bytes = statement.blob(2),
                let value = try vault.openedIfSealed(
                    bytes, at: .conflict(diary, id, field: field.rawValue, stamp: stampBytes)).flatMap(DiaryValue.init(bytes:)),
                value.field == field
            else { throw .corruptRow(table: "diary_conflict", key: id.description) }
            // Earlier versions kept a field that nobody had written as a conflict. Devices refuse that, and nothing is lost without it.
            guard stamp != .none else { continue }
            conflicts.insert(DiaryConflict(field: field, stamp: stamp, value: value))
        }
        return conflicts
    }

    /// When the last conflict of a deleted entry goes, the row counts as deleted now. Otherwise the next step would remove this change at once, and
    /// every device that has not read it would have to begin again.
    private static let replacement = Query(
        """
        INSERT INTO diary_entry (
            diary, entry_id, change, is_deleted, create_time, entry_time, emotion, body, images, sealed, has_conflicts, stamps, delete_time)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (diary, entry_id) DO UPDATE SET
            change = excluded.change, is_deleted = excluded.is_deleted, create_time = excluded.create_time, entry_time = excluded.entry_time,
            emotion = excluded.emotion, body = excluded.body, has_conflicts = excluded.has_conflicts, stamps = excluded.stamps,
            images = excluded.images, sealed = excluded.sealed,
            delete_time = CASE WHEN excluded.is_deleted = 0 THEN NULL WHEN diary_entry.delete_time IS NULL THEN excluded.delete_time
                WHEN excluded.has_conflicts < diary_entry.has_conflicts THEN excluded.delete_time ELSE diary_entry.delete_time END
        """)

    /// Replaces a row as the diary's next change, and updates the counts.
    ///
    /// A tombstone's time, and an unused picture's, begin by the judged clock. Otherwise a deletion that was made while the clock was behind would
    /// be forgotten once it is right, and a device that has not read it would bring the entry back.
    mutating func replace(
        _ id: DiaryEntryID, _ former: DiaryRow?, by row: DiaryRow, at judged: JudgedTime, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        count(former, as: -1)
        count(row, as: 1)
        try countUses(of: row, former, at: judged.begin, connection)
        lastChange += 1
        clock.observe(row)
        var statement = try connection.statement(Self.replacement)
        try statement.bind(diary)
        try statement.bind(id)
        try statement.bind(lastChange)
        try statement.bind(row.isDeleted ? 1 : 0)
        try statement.bind(row.createTime)
        if case .time(let time)? = row[.entryTime].value { try statement.bind(time) } else { try statement.bind(nil as DiaryKey?) }
        try Self.bindContent(of: row, id, in: diary, vault, to: &statement)
        try statement.bind(row.conflicts.isEmpty ? 0 : 1)
        try statement.bind(row.stampBytes)
        if row.isDeleted { try statement.bind(judged.begin) } else { try statement.bind(nil as DiaryKey?) }
        try statement.run()
        try replaceConflicts(id, former?.conflicts ?? [], by: row.conflicts, connection)
    }

    private func replaceConflicts(
        _ id: DiaryEntryID, _ former: Set<DiaryConflict>, by conflicts: Set<DiaryConflict>, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        for conflict in former.subtracting(conflicts) {
            var statement = try connection.statement("DELETE FROM diary_conflict WHERE diary = ? AND entry_id = ? AND field = ? AND stamp = ?")
            try statement.bind(diary)
            try statement.bind(id)
            try statement.bind(Int64(conflict.field.rawValue))
            try statement.bind(conflict.stamp.bytes)
            try statement.run()
        }
        for conflict in conflicts.subtracting(former) {
            var statement = try connection.statement(
                "INSERT INTO diary_conflict (diary, entry_id, field, stamp, value) VALUES (?, ?, ?, ?, ?)")
            try statement.bind(diary)
            try statement.bind(id)
            try statement.bind(Int64(conflict.field.rawValue))
            try statement.bind(conflict.stamp.bytes)
            try statement.bind(try vault.sealed(
                conflict.value.bytes, at: .conflict(diary, id, field: conflict.field.rawValue, stamp: conflict.stamp.bytes)))
            try statement.run()
        }
    }

    /// The diary with the counts after replacing one row by another.
    func counting(_ former: DiaryRow?, replacedBy row: DiaryRow) -> DiaryRecord {
        var counted = self
        counted.count(former, as: -1)
        counted.count(row, as: 1)
        return counted
    }

    private mutating func count(_ row: DiaryRow?, as sign: Int64) {
        guard let row else { return }
        rowCount += sign
        if !row.isDeleted { entryCount += sign }
        byteCount += sign * Int64(row.byteCount)
    }
}

// MARK: Removing

extension DiaryRecord {
    /// Removes rows of removed users' diaries, deleted entries that need not be remembered any more, and unused pictures.
    /// - Parameter rows: the maximum for each table.
    /// - Returns: whether there may be more.
    static func removeForgotten(_ connection: borrowing SQLConnection, _ now: Timestamp, rows: Int64) throws(RepositoryError) -> Bool {
        let hasMoreDiscarded = try removeDiscarded(connection, rows: rows)
        let hasMoreTombstones = try removeTombstones(connection, now, rows: rows)
        if hasMoreTombstones, connection.hasOtherWriters { return true }
        let hasMoreImages = try removeUnusedImages(connection, now)
        return hasMoreDiscarded || hasMoreTombstones || hasMoreImages
    }

    /// Whether a discarded diary has rows that are still to be removed.
    static func hasDiscarded(_ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        let next = try connection.statement("SELECT 1 FROM discarded_diary LIMIT 1")
        return try next.step()
    }

    private static func removeDiscarded(_ connection: borrowing SQLConnection, rows: Int64) throws(RepositoryError) -> Bool {
        let next = try connection.statement("SELECT diary FROM discarded_diary LIMIT 1")
        guard try next.step() else { return false }
        guard let diary = next.identifier(0, as: DiaryKey.self) else { throw .corruptRow(table: "discarded_diary", key: next.key(0)) }
        for (table, key, rows) in [
            ("diary_conflict", "entry_id, field, stamp", rows), ("diary_entry", "entry_id", rows), ("diary_result", "device_id, mutation", rows),
            ("diary_device", "device_id", rows), ("diary_image_part", "sha256, part", imagePartsPerStep), ("diary_image", "sha256", rows),
        ] {
            var statement = try connection.statement(
                "DELETE FROM \(table) WHERE diary = ?1 AND (\(key)) IN (SELECT \(key) FROM \(table) WHERE diary = ?1 LIMIT ?2)")
            try statement.bind(diary)
            try statement.bind(rows)
            try statement.run()
            if connection.changes >= rows { return true }
        }
        var last = try connection.statement("DELETE FROM discarded_diary WHERE diary = ?")
        try last.bind(diary)
        try last.run()
        return true
    }

    /// Goes through the diaries one by one, and removes the oldest tombstones of each first.
    private static func removeTombstones(
        _ connection: borrowing SQLConnection, _ now: Timestamp, rows: Int64
    ) throws(RepositoryError) -> Bool {
        let horizon = now.advanced(by: Timestamp.Interval(microseconds: -DiaryLimits.tombstoneLifetime.microseconds))
        var room = rows
        while room > 0 {
            guard let diary = try lockDiaryWithTombstones(upTo: horizon, connection) else { return false }
            guard let count = try removeTombstones(of: diary, upTo: horizon, limit: room, connection) else { return true }
            room -= count
            // Two writers that lock one user after another could deadlock.
            if connection.hasOtherWriters { return true }
        }
        return true
    }

    /// Locks the diary with the oldest tombstone; `nil` if none is old enough.
    private static func lockDiaryWithTombstones(
        upTo horizon: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> DiaryKey? {
        // A LEFT JOIN, because the diary of a removed user has no owner.
        var next = try connection.statement(
            """
            SELECT e.diary, d.owner FROM diary_entry e LEFT JOIN diary d ON d.diary = e.diary
            WHERE e.delete_time <= ? AND e.has_conflicts = 0 ORDER BY e.delete_time LIMIT 1
            """)
        try next.bind(horizon)
        guard try next.step() else { return nil }
        guard let diary = next.identifier(0, as: DiaryKey.self) else { throw .corruptRow(table: "diary_entry", key: next.key(0)) }
        if let owner = next.identifier(1, as: UserID.self) { try connection.lock(owner) }
        return diary
    }

    /// Raises the floor to the newest removed change: a reader before it must begin again.
    /// - Returns: how many were removed; `nil` if the diary has none any more. Then the next step looks again.
    private static func removeTombstones(
        of diary: DiaryKey, upTo horizon: Timestamp, limit: Int64, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Int64? {
        let expired = "FROM diary_entry WHERE diary = ?1 AND delete_time <= ?2 AND has_conflicts = 0 ORDER BY delete_time, entry_id LIMIT ?3"
        var query = try connection.statement("SELECT count(*), max(change) FROM (SELECT change \(expired)) AS gone")
        try query.bind(diary)
        try query.bind(horizon)
        try query.bind(limit)
        guard try query.step(), let count = query.integer(0), count > 0, let newest = query.integer(1) else { return nil }
        var deletion = try connection.statement("DELETE FROM diary_entry WHERE diary = ?1 AND entry_id IN (SELECT entry_id \(expired))")
        try deletion.bind(diary)
        try deletion.bind(horizon)
        try deletion.bind(limit)
        try deletion.run()
        var floor = try connection.statement(
            """
            UPDATE diary SET floor_change = CASE WHEN floor_change < ?2 THEN ?2 ELSE floor_change END, row_count = row_count - ?3
            WHERE diary = ?1
            """)
        try floor.bind(diary)
        try floor.bind(newest)
        try floor.bind(count)
        try floor.run()
        return count
    }
}
