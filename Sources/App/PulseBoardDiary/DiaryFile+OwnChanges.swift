import PulseBoardDomain

/// Edits of this directory that need not be read back from the server.
extension DiaryFile {
    /// Moves edits that the server has applied from the outbox into the base, in the transaction that stores their results.
    ///
    /// It does so only if the base is the diary as the server had it before the push. The server's answer proves that: it has the cursor of that
    /// instant (``DiaryPushReply/span``). Server and device merge with the same code, so the base then equals the diary after the push. Otherwise the
    /// results are stored alone, and the next pull brings the rows.
    ///
    /// A deleted entry without conflicts may be forgotten on the server, which shows in no cursor. So an edit of one is read back.
    /// - Returns: whether the base has the edits.
    func takeOwnChanges(_ answered: DiaryAnsweredBatch, _ state: inout SyncState) throws(DiaryError) -> Bool {
        guard let span = answered.reply.span, span.before == state.cursor, state.stagedCursor.isEmpty,
            answered.batch.mutations.map(\.number) == answered.results.map(\.number), let first = answered.results.first?.number,
            let last = answered.results.last?.number, first == state.applied + 1, try waitingCount(first...last) == answered.results.count,
            let former = try baseRows(first...last)
        else { return false }
        var rows = former
        for (edit, result) in zip(answered.batch.mutations, answered.results) where !result.isRejected {
            _ = DiaryMerge.apply(edit.mutation, to: &rows[edit.mutation.entryID])
        }
        for (id, row) in rows where former[id] != row {
            try put(row, id, in: .base)
            state.clock.observe(row)
        }
        let touched = try entriesToShow(first...last, "o.outcome IS NULL")
        try removeOwn(answered, first...last)
        state.cursor = span.after
        state.applied = last
        state.confirmed = max(state.confirmed, last)
        // The answer may have come much later, if this machine slept.
        state.lastSync = answered.batch.time
        try state.save(database)
        for id in touched { try showAgain(id, state) }
        return true
    }

    /// Whether the base is the diary as the server had it after these edits.
    func isAt(_ answered: DiaryAnsweredBatch) throws(DiaryError) -> Bool {
        let state = try SyncState(database)
        return state.device == answered.batch.device && state.stagedCursor.isEmpty && state.cursor == answered.reply.span?.after
            && state.applied == answered.results.last?.number
    }

    /// How many edits with these numbers wait for their results.
    private func waitingCount(_ numbers: ClosedRange<Int64>) throws(DiaryError) -> Int {
        let counts = try database.rows(
            "SELECT count(*) FROM outbox WHERE outcome IS NULL AND number BETWEEN ? AND ?", .integer(numbers.lowerBound), .integer(numbers.upperBound)
        ) { $0.integer(0) }
        return counts.first.flatMap(\.self).map(Int.init) ?? 0
    }

    /// The rows of the base that edits with these numbers change; `nil` if one cannot be read, or if the server may have forgotten one.
    private func baseRows(_ numbers: ClosedRange<Int64>) throws(DiaryError) -> [DiaryEntryID: DiaryRow]? {
        let found = try database.rows(
            "SELECT entry_id, row FROM base WHERE entry_id IN (SELECT entry_id FROM outbox WHERE number BETWEEN ? AND ?)", .integer(numbers.lowerBound),
            .integer(numbers.upperBound)
        ) { ($0.entryID(0), $0.blob(1).flatMap(DiaryRow.init(bytes:))) }
        var rows: [DiaryEntryID: DiaryRow] = [:]
        for (id, row) in found {
            guard let id, let row, !row.isDeleted || !row.conflicts.isEmpty else { return nil }
            rows[id] = row
        }
        return rows
    }

    /// The entries of some edits that may have to be shown in another way: all but those that are shown as the base has them now.
    ///
    /// A rejected edit was shown until now. An edit was not shown if a copy of the directory had sent another one under its number.
    /// - Parameter condition: which of the edits.
    func entriesToShow(_ numbers: ClosedRange<Int64>, _ condition: String) throws(DiaryError) -> Set<DiaryEntryID> {
        let ids = try database.rows(
            """
            SELECT DISTINCT o.entry_id FROM outbox o LEFT JOIN base b ON b.entry_id = o.entry_id LEFT JOIN shown s ON s.entry_id = o.entry_id
            WHERE o.number BETWEEN ? AND ? AND \(condition) AND s.row IS NOT b.row
            """, .integer(numbers.lowerBound), .integer(numbers.upperBound)) { $0.entryID(0) }
        return Set(ids.compactMap(\.self))
    }

    /// Removes edits that are in the base now. Rejected ones move to their own table.
    private func removeOwn(_ answered: DiaryAnsweredBatch, _ numbers: ClosedRange<Int64>) throws(DiaryError) {
        for result in answered.results {
            guard case .rejected(let reason) = result.outcome else { continue }
            try database.run(
                "INSERT INTO rejected (local_id, mutation, reason) SELECT local_id, mutation, ? FROM outbox WHERE number = ?", .text(reason.rawValue),
                .integer(result.number))
        }
        try removeEdits("number BETWEEN ? AND ?", .integer(numbers.lowerBound), .integer(numbers.upperBound))
    }
}

extension DiaryMutationResult {
    fileprivate var isRejected: Bool { if case .rejected = outcome { true } else { false } }
}
