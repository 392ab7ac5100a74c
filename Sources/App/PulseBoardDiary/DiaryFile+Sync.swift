import PulseBoardDomain

/// The account of a directory, and what it takes from its server. `DiaryFile+Outbox.swift` has what it sends.
extension DiaryFile {
    // MARK: Account

    /// Attaches the directory to an account. Existing entries become edits that wait for the server (B34), outside the outbox's limits. Repeating it
    /// changes nothing.
    /// - Throws: `otherAccount` if it belongs to another account (X1).
    public func attach(to owner: UserID) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            guard state.owner != owner else { return }
            guard state.owner == nil else { throw .otherAccount }
            state.owner = owner
            for id in try database.rows("SELECT entry_id FROM base ORDER BY entry_id", read: { $0.entryID(0) }).compactMap(\.self) {
                guard let row = try localRow(id), let entry = row.entry(id) else { continue }
                var shown: DiaryRow?
                for mutation in row.history(of: entry) {
                    forgetOutboxSize()
                    try enqueue(mutation, &state)
                    _ = DiaryMerge.apply(mutation, to: &shown)
                }
                try show(id, shown)
            }
            try database.run("DELETE FROM base")
            try forgetImages(of: .base)
            try leaveUncounted()
            try state.save(database)
        }
        tell()
    }

    /// The diary's owner; `nil` before an account is attached.
    public func owner() throws(DiaryError) -> UserID? { try SyncState(database).owner }

    /// The directory's device id if it has to be registered; `nil` if it is registered.
    func deviceToRegister() throws(DiaryError) -> DiaryDeviceID? {
        let state = try SyncState(database)
        return state.isRegistered ? nil : state.device
    }

    func didRegister(_ device: DiaryDeviceID) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            guard state.device == device else { return }
            state.isRegistered = true
            try state.save(database)
        }
    }

    // MARK: Pulling

    /// The position from which to read changes.
    func position() throws(DiaryError) -> DiaryReadPosition {
        let state = try SyncState(database)
        return DiaryReadPosition(device: state.device, cursor: state.stagedCursor.isEmpty ? state.cursor : state.stagedCursor, time: now)
    }

    /// Takes a page of changes. The last page of a checkpoint moves the whole checkpoint into the base and removes its edits from the outbox,
    /// in one transaction. Until then the shown entries do not change.
    func take(_ page: DiaryReadPage, at position: DiaryReadPosition) throws(DiaryError) {
        forgetOutboxSize()
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            let expected = state.stagedCursor.isEmpty ? state.cursor : state.stagedCursor
            // Another process has read on meanwhile, or the directory has a new device id.
            guard position.cursor == expected, position.device == state.device else { return }
            for change in page.rows {
                try put(change.row, change.id, in: .staged)
                state.clock.observe(change.row)
            }
            state.stagedCursor = page.nextCursor
            guard page.isComplete else { return try state.save(database) }
            try complete(page, askedAt: position.time, &state)
        }
        try removeUnusedImages()
        tell()
    }

    private func complete(_ page: DiaryReadPage, askedAt time: Timestamp, _ state: inout SyncState) throws(DiaryError) {
        let isFresh = state.cursor.isEmpty
        var touched = try entriesToShow(through: page.lastMutation, isFresh: isFresh)
        let lost = isFresh ? try lostEdits(state) : []
        if isFresh {
            try noteRestored(false)
            try database.run("DELETE FROM base")
            try forgetImages(of: .base)
        }
        try database.run("INSERT OR REPLACE INTO base (entry_id, row) SELECT entry_id, row FROM staged")
        try database.run(
            "DELETE FROM image_use WHERE place = ? AND key IN (SELECT entry_id FROM staged)", .integer(ImageUser.base.rawValue))
        if database.changes > 0 { mayHaveUnusedImages = true }
        try database.run(
            "UPDATE image_use SET place = ? WHERE place = ?", .integer(ImageUser.base.rawValue), .integer(ImageUser.staged.rawValue))
        try database.run("DELETE FROM staged")
        state.cursor = page.nextCursor
        state.stagedCursor = ""
        state.applied = page.lastMutation
        // The answer may have come much later, if this machine slept.
        state.lastSync = time
        try state.save(database)
        try removeDone(through: page.lastMutation)
        // The server has forgotten edits that it had taken, because it was restored from a backup. They are sent again.
        try database.run("UPDATE outbox SET outcome = NULL WHERE number > ? AND outcome IS NOT NULL", .integer(page.lastMutation))
        if !lost.isEmpty { touched.formUnion(try sendAgain(lost, &state)) }
        for id in touched { try showAgain(id, state) }
    }

    /// The entries that may have to be shown in another way after the staged rows have become the base.
    ///
    /// An entry without waiting edits that is shown as it is staged stays as it is. After a push those are all entries of the push.
    /// - Parameters:
    ///   - number: the last edit that the staged rows contain.
    ///   - isFresh: whether the staged rows replace the whole base.
    private func entriesToShow(through number: Int64, isFresh: Bool) throws(DiaryError) -> Set<DiaryEntryID> {
        var ids = try database.rows(
            """
            SELECT t.entry_id FROM staged t LEFT JOIN shown s ON s.entry_id = t.entry_id
            WHERE s.row IS NOT t.row
                OR EXISTS (SELECT 1 FROM outbox o WHERE o.entry_id = t.entry_id AND (o.number IS NULL OR o.number > ?))
            """, .integer(number)) { $0.entryID(0) }
        // Edits that are now in the base must not be applied again. A rejected edit has changed nothing there.
        ids += try database.rows(
            "SELECT o.entry_id FROM outbox o WHERE o.number <= ? AND NOT EXISTS (SELECT 1 FROM staged t WHERE t.entry_id = o.entry_id)",
            .integer(number)) { $0.entryID(0) }
        if isFresh {
            ids += try database.rows(
                "SELECT s.entry_id FROM shown s WHERE NOT EXISTS (SELECT 1 FROM staged t WHERE t.entry_id = s.entry_id)") { $0.entryID(0) }
        }
        return Set(ids.compactMap(\.self))
    }

    /// Removes edits that the base contains and that have results. Rejected edits move to their own table.
    func removeDone(through number: Int64) throws(DiaryError) {
        try database.run(
            """
            INSERT INTO rejected (local_id, mutation, reason)
            SELECT local_id, mutation, outcome FROM outbox WHERE number <= ? AND outcome NOT IN ('applied', 'conflict')
            """, .integer(number))
        try removeEdits("number <= ? AND outcome IS NOT NULL", .integer(number))
    }

    /// Removes edits from the outbox. The pictures of those that are in `rejected` stay in use.
    /// - Parameter condition: which edits.
    func removeEdits(_ condition: String, _ values: SQLValue...) throws(DiaryError) {
        try database.run(
            "UPDATE image_use SET place = ? WHERE place = ? AND key IN (SELECT local_id FROM rejected)", .integer(ImageUser.rejected.rawValue),
            .integer(ImageUser.outbox.rawValue))
        _ = try database.rows(
            "DELETE FROM image_use WHERE place = ? AND key IN (SELECT local_id FROM outbox WHERE \(condition))",
            [.integer(ImageUser.outbox.rawValue)] + values) { _ in }
        if database.changes > 0 { mayHaveUnusedImages = true }
        _ = try database.rows("DELETE FROM outbox WHERE \(condition)", values) { _ in }
    }

    /// Computes the shown entry: the base with the edits that are not in it.
    /// - Parameter moved: new stamps by former ones.
    func showAgain(_ id: DiaryEntryID, _ state: SyncState, moved: [DiaryStamp: DiaryStamp] = [:]) throws(DiaryError) {
        var row = try Self.row(id, in: "base", database)
        let edits = try database.rows(
            "SELECT mutation FROM outbox WHERE entry_id = ? AND (number IS NULL OR number > ?) ORDER BY local_id", .blob(id.bits.bytes),
            .integer(state.applied)
        ) { row throws(DiaryError) in
            guard let mutation = row.blob(0).flatMap(DiaryMutation.init(bytes:)) else { throw .damaged(id) }
            return mutation
        }
        // The row of the base was put aside and will come again. Until then the shown entry stays, with the present stamps of its edits.
        if row == nil, state.cursor.isEmpty, let first = edits.first, !first.isCreation {
            return try show(id, try shownRow(id)?.moved(moved))
        }
        for edit in edits { _ = DiaryMerge.apply(edit, to: &row) }
        try show(id, row)
    }

    /// Begins again from the first change. The new rows replace the base; until they are complete, the shown entries stay.
    /// - Parameter isRestored: whether the server was restored from a copy.
    func beginAgain(isRestored: Bool = false) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            if isRestored { try noteRestored(true) }
            try forgetCursor(&state)
            try state.save(database)
        }
    }

    func forgetCursor(_ state: inout SyncState) throws(DiaryError) {
        state.cursor = ""
        state.stagedCursor = ""
        try database.run("DELETE FROM staged")
        try forgetImages(of: .staged)
    }

    // MARK: Status

    /// Counts the present status of the directory.
    public func status() throws(DiaryError) -> DiaryStatus {
        let state = try SyncState(database)
        let count = { (sql: String) throws(DiaryError) in try self.database.rows(sql) { $0.integer(0) }.first.flatMap(\.self) ?? 0 }
        return DiaryStatus(
            owner: state.owner, device: state.device, entryCount: try count("SELECT count(*) FROM shown WHERE entry_time IS NOT NULL"),
            pendingCount: try count("SELECT count(*) FROM outbox WHERE outcome IS NULL"),
            oldestPending: try database.rows("SELECT min(made_time) FROM outbox WHERE outcome IS NULL") { $0.integer(0) }.first.flatMap(\.self)
                .map(Timestamp.init(microseconds:)),
            rejectedCount: try count("SELECT count(*) FROM rejected"),
            conflictCount: try conflicts().reduce(0) { $0 + Int64($1.row.conflicts.count) },
            imageCount: try count("SELECT count(DISTINCT sha256) FROM image_use"), wantedImageCount: Int64(try wantedImages().count),
            held: try heldEdits(), damagedCount: try damagedCount(), lastSync: state.lastSync)
    }

    private func heldEdits() throws(DiaryError) -> DiaryStatus.Held? {
        try database.rows("SELECT count(*), min(held) FROM outbox WHERE held IS NOT NULL AND outcome IS NULL") { row in
            row.text(1).map { DiaryStatus.Held(count: row.integer(0) ?? 0, reason: $0) }
        }.first.flatMap(\.self)
    }
}

/// The position from which a directory reads on.
struct DiaryReadPosition: Sendable {
    let device: DiaryDeviceID
    let cursor: String
    /// A time before the server was asked for the page at this position.
    let time: Timestamp

    /// Whether the page at the other position is the page at this one.
    func hasSamePage(as other: Self) -> Bool { device == other.device && cursor == other.cursor }
}

/// The synchronization status of a directory.
public struct DiaryStatus: Hashable, Sendable {
    /// The diary's owner; `nil` before an account is attached.
    public let owner: UserID?
    public let device: DiaryDeviceID
    /// Entries that are not deleted.
    public let entryCount: Int64
    /// Edits that the server has not answered.
    public let pendingCount: Int64
    /// When the oldest of these edits was made.
    public let oldestPending: Timestamp?
    /// Edits that the server rejected for good.
    public let rejectedCount: Int64
    /// Conflicts that wait for their owner's decision.
    public let conflictCount: Int64
    /// Pictures that something in the directory names.
    public let imageCount: Int64
    /// Those of them that have to be fetched.
    public let wantedImageCount: Int64
    /// Edits that wait for a picture that the server does not take now; `nil` if there are none.
    public let held: Held?
    /// Rows that could not be read and were put aside.
    public let damagedCount: Int64
    /// When the directory was last equal to the server.
    public let lastSync: Timestamp?

    /// Edits that wait while others are sent.
    public struct Held: Hashable, Sendable {
        /// How many edits wait.
        public let count: Int64
        /// The reason, such as `IMAGE_BUSY`.
        public let reason: String
    }
}

extension DiaryRow {
    /// The row with moved stamps.
    fileprivate func moved(_ moved: [DiaryStamp: DiaryStamp]) -> DiaryRow {
        var row = self
        for field in DiaryField.allCases { row[field].stamp = moved[self[field].stamp] ?? self[field].stamp }
        row.conflicts = Set(conflicts.map { DiaryConflict(field: $0.field, stamp: moved[$0.stamp] ?? $0.stamp, value: $0.value) })
        return row
    }
}

extension DiaryDeviceID {
    /// The author of an entry's creation in a directory without an account: the entry's own id.
    static func creating(_ id: DiaryEntryID) -> DiaryDeviceID { DiaryDeviceID(bits: id.bits) }
}
