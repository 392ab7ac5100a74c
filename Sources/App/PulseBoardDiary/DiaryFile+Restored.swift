import PulseBoardDomain

/// What a server has lost because it was restored from an earlier copy. A device that has it in its base sends it again.
extension DiaryFile {
    /// How long after its last checkpoint a device can tell a lost entry from a deleted one: 60 days.
    ///
    /// The server remembers a deletion for ``DiaryLimits/tombstoneLifetime``. So an entry that was there at the checkpoint and is unknown now was
    /// lost. The month between the two is for clocks that are wrong. Later, a missing entry counts as deleted, so that no deleted entry comes back.
    static let lossWindow = Timestamp.Interval.days(60)

    /// Whether the base is read again from the first change, after it was complete once.
    func isReadingAgain() throws(DiaryError) -> Bool {
        let state = try SyncState(database)
        return state.cursor.isEmpty && state.lastSync != nil
    }

    /// The edits of the base that the staged rows, which are the server's whole diary, do not have.
    func lostEdits(_ state: SyncState) throws(DiaryError) -> [LostEdits] {
        guard let lastSync = state.lastSync, (now.microseconds - lastSync.microseconds).magnitude < Self.lossWindow.microseconds else { return [] }
        let isRestored = try database.rows("SELECT is_restored FROM sync_state") { $0.integer(0) == 1 }.first ?? false
        if !isRestored { guard try !lostEdits(isRestored: false).isEmpty else { return [] } }
        return try lostEdits(isRestored: true)
    }

    /// Records, in a transaction, whether the server was restored from a copy. The next complete base answers that.
    func noteRestored(_ isRestored: Bool) throws(DiaryError) {
        try database.run("UPDATE sync_state SET is_restored = ?", .integer(isRestored ? 1 : 0))
    }

    private func lostEdits(isRestored: Bool) throws(DiaryError) -> [LostEdits] {
        try database.rows(
            "SELECT b.entry_id, b.row, t.row FROM base b LEFT JOIN staged t ON t.entry_id = b.entry_id WHERE t.row IS NOT b.row ORDER BY b.entry_id"
        ) { row throws(DiaryError) -> LostEdits? in
            guard let id = row.entryID(0), let base = row.blob(1).flatMap(DiaryRow.init(bytes:)) else { return nil }
            let staged = row.blob(2).map { DiaryRow(bytes: $0) }
            // An unreadable row is not a missing one.
            if case .some(nil) = staged { return nil }
            var edits: [DiaryMutation] = []
            // Pictures that are not here come from a device that has them.
            for edit in base.edits(lostBy: staged ?? nil, id, isRestored: isRestored) where try hasImages(edit.images) { edits.append(edit) }
            return edits.isEmpty ? nil : LostEdits(id: id, edits: edits)
        }.compactMap(\.self)
    }

    /// Adds lost edits to the outbox, before the waiting edits of their entries.
    /// - Returns: the entries that must be shown again.
    func sendAgain(_ lost: [LostEdits], _ state: inout SyncState) throws(DiaryError) -> Set<DiaryEntryID> {
        sentAgainCount += lost.count
        var touched = Set(lost.map(\.id))
        // Without numbers, edits are sent in the order of their places.
        if state.confirmed > state.applied { touched.formUnion(try renumber(asNewDevice: &state)) } else { try takeNumbersBack(&state) }
        for entry in lost {
            let waiting = try database.rows(
                "SELECT local_id FROM outbox WHERE entry_id = ? AND number IS NULL AND outcome IS NULL ORDER BY local_id", .blob(entry.id.bits.bytes)
            ) { $0.integer(0) }.compactMap(\.self)
            for edit in entry.edits { try enqueue(edit, &state) }
            for place in waiting { try moveToEnd(place, &state) }
        }
        try leaveUncounted()
        try state.save(database)
        return touched
    }

    /// Moves an edit behind all others.
    private func moveToEnd(_ place: Int64, _ state: inout SyncState) throws(DiaryError) {
        let end = state.nextPlace
        state.nextPlace += 1
        try database.run("UPDATE outbox SET local_id = ? WHERE local_id = ?", .integer(end), .integer(place))
        try database.run(
            "UPDATE image_use SET key = ? WHERE place = ? AND key = ?", .integer(end), .integer(ImageUser.outbox.rawValue), .integer(place))
    }

    /// The edits of one entry that a server has lost.
    struct LostEdits: Sendable {
        let id: DiaryEntryID
        /// In their order.
        let edits: [DiaryMutation]
    }
}
