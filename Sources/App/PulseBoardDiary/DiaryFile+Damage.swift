import PulseBoardDomain

/// Puts unreadable rows aside, exactly as they were found, so that none of them stops synchronization for good.
///
/// Lost rows of the base come again from the server. Lost edits of the outbox are made again from the shown entry, if that can be read.
extension DiaryFile {
    /// Puts unreadable rows of the base, the outbox and the shown entries aside. If the base had some, it is read again from the beginning.
    /// - Returns: whether there were any.
    func setDamagedAside() throws(DiaryError) -> Bool {
        forgetOutboxSize()
        return try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            // The base comes first, because an edit is made again from what it changes.
            let base = try damagedRows("SELECT NULL, entry_id, row FROM base") { DiaryRow(bytes: $0) == nil }
            for row in base {
                try keepAside(row, of: "base")
                if let id = row.id { try put(nil, id, in: .base) }
            }
            let outbox = try damagedRows("SELECT local_id, entry_id, mutation FROM outbox ORDER BY local_id") { DiaryMutation(bytes: $0) == nil }
            for row in outbox {
                try keepAside(row, of: "outbox")
                try mend(row, lacksBase: base.contains { $0.id == row.id })
            }
            let shown = try damagedRows("SELECT NULL, entry_id, row FROM shown") { DiaryRow(bytes: $0) == nil }
            guard !base.isEmpty || !outbox.isEmpty || !shown.isEmpty else { return false }
            if !base.isEmpty { try forgetCursor(&state) }
            try state.save(database)
            for row in shown {
                try keepAside(row, of: "shown")
                guard let id = row.id else { continue }
                try show(id, nil)
                try showAgain(id, state)
            }
            return true
        }
    }

    /// Makes unreadable shown rows again, as far as possible.
    /// - Returns: whether it was possible for any.
    func mend(_ ids: [DiaryEntryID]) -> Bool {
        // A list has the other entries even if the disk takes no write now.
        ids.filter { id in (try? database.transaction { () throws(DiaryError) in try mendedRow(id) }) != nil }.isEmpty == false
    }

    /// The shown row of an entry, in a transaction. An unreadable one is put aside and made again from the base and the outbox.
    /// - Throws: `damaged` if they cannot be read either, or do not have the entry.
    func mendedRow(_ id: DiaryEntryID) throws(DiaryError) -> DiaryRow? {
        do throws(DiaryError) { return try shownRow(id) } catch .damaged {}
        let state = try SyncState(database)
        let edits = try database.rows(
            "SELECT count(*) FROM outbox WHERE entry_id = ? AND (number IS NULL OR number > ?)", .blob(id.bits.bytes), .integer(state.applied)
        ) { $0.integer(0) }.first.flatMap(\.self) ?? 0
        guard try Self.row(id, in: "base", database) != nil || edits > 0 else { throw .damaged(id) }
        let bytes = try database.rows("SELECT row FROM shown WHERE entry_id = ?", .blob(id.bits.bytes)) { $0.blob(0) }.first.flatMap(\.self)
        try keepAside(DamagedRow(local: nil, id: id, bytes: bytes ?? []), of: "shown")
        try showAgain(id, state)
        return try shownRow(id)
    }

    /// Puts unreadable edits that the server has rejected aside.
    func setRejectedAside(_ edits: [(number: Int64, bytes: [UInt8])]) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            for edit in edits {
                try keepAside(DamagedRow(local: edit.number, id: nil, bytes: edit.bytes), of: "rejected")
                try noteImages([], of: .rejected, .integer(edit.number))
                try database.run("DELETE FROM rejected WHERE local_id = ?", .integer(edit.number))
            }
        }
    }

    /// Forgets what was put aside of an entry, because the entry is deleted.
    func forgetDamaged(_ id: DiaryEntryID) throws(DiaryError) {
        try database.run("DELETE FROM damaged WHERE entry_id = ?", .blob(id.bits.bytes))
    }

    /// How many rows were put aside.
    func damagedCount() throws(DiaryError) -> Int64 {
        try database.rows("SELECT count(*) FROM damaged") { $0.integer(0) }.first.flatMap(\.self) ?? 0
    }

    /// The row of an entry in a directory without an account. There the base and the shown entry are equal, so one readable row is enough. An
    /// unreadable row of the base is put aside.
    func localRow(_ id: DiaryEntryID) throws(DiaryError) -> DiaryRow? {
        do throws(DiaryError) { return try Self.row(id, in: "base", database) } catch .damaged {}
        for row in try damagedRows("SELECT NULL, entry_id, row FROM base", where: { DiaryRow(bytes: $0) == nil }) where row.id == id {
            try keepAside(row, of: "base")
        }
        return try? shownRow(id)
    }

    private struct DamagedRow {
        let local: Int64?
        let id: DiaryEntryID?
        let bytes: [UInt8]
    }

    private func damagedRows(_ sql: String, where isDamaged: ([UInt8]) -> Bool) throws(DiaryError) -> [DamagedRow] {
        try database.rows(sql) { DamagedRow(local: $0.integer(0), id: $0.entryID(1), bytes: $0.blob(2) ?? []) }.filter { isDamaged($0.bytes) }
    }

    private func keepAside(_ row: DamagedRow, of place: String) throws(DiaryError) {
        try database.run(
            "INSERT INTO damaged (place, entry_id, bytes, found_time) VALUES (?, ?, ?, ?)", .text(place), row.id.map { .blob($0.bits.bytes) } ?? .null,
            .blob(row.bytes), .integer(now.microseconds))
    }

    /// Replaces an unreadable edit by one with the same effect on the shown entry, or removes it if it has no effect.
    /// - Parameter lacksBase: whether the row of the base could not be read either.
    private func mend(_ row: DamagedRow, lacksBase: Bool) throws(DiaryError) {
        guard let local = row.local else { return }
        if let id = row.id, let mutation = lacksBase ? try newestEdit(of: id) : try madeAgain(local, id) {
            return try database.run("UPDATE outbox SET mutation = ? WHERE local_id = ?", .blob(mutation.bytes), .integer(local))
        }
        try database.run("DELETE FROM outbox WHERE local_id = ?", .integer(local))
        try database.run("DELETE FROM image_use WHERE place = ? AND key = ?", .integer(ImageUser.outbox.rawValue), .integer(local))
        if database.changes > 0 { mayHaveUnusedImages = true }
    }

    /// Makes the newest edit of an entry again whose base is not here. What it replaces on the server becomes a conflict.
    private func newestEdit(of id: DiaryEntryID) throws(DiaryError) -> DiaryMutation? {
        guard let shown = try? shownRow(id), let entry = shown.entry(id), let stamp = shown.stampedFields.map({ shown[$0].stamp }).max() else {
            return nil
        }
        let fields = shown.stampedFields.filter { shown[$0].stamp == stamp }
        let values = Dictionary(uniqueKeysWithValues: fields.map { ($0, entry.content[$0]) })
        return DiaryMutation(entryID: id, stamp: stamp, kind: .patch(.unseen(values)))
    }

    /// Makes an unreadable edit again from the shown entry, as far as possible.
    private func madeAgain(_ local: Int64, _ id: DiaryEntryID) throws(DiaryError) -> DiaryMutation? {
        guard let shown = try? shownRow(id) else { return nil }
        var before = try Self.row(id, in: "base", database)
        var known: Set<DiaryStamp> = [.none]
        let edits = try database.rows("SELECT local_id, mutation FROM outbox WHERE entry_id = ? ORDER BY local_id", .blob(id.bits.bytes)) { row in
            (row.integer(0) ?? 0, row.blob(1).flatMap(DiaryMutation.init(bytes:)))
        }
        for field in DiaryField.allCases { known.insert(before?[field].stamp ?? .none) }
        for case (let place, let edit?) in edits {
            known.insert(edit.stamp)
            if place < local { _ = DiaryMerge.apply(edit, to: &before) }
        }
        // In fields that the lost edit set last, the shown entry has the edit's stamp.
        let fields = shown.stampedFields.filter { !known.contains(shown[$0].stamp) }
        guard let stamp = fields.map({ shown[$0].stamp }).min() else {
            guard shown.isDeleted, let before, !before.isDeleted else { return nil }
            return DiaryMutation(
                entryID: id, stamp: DiaryStamp(time: max(before.lastStampTime, now.microseconds), device: author),
                kind: .delete(seen: before.stamps))
        }
        guard let before else { return shown.entry(id).map { DiaryMutation(entryID: id, stamp: stamp, kind: .create($0.content)) } }
        let values = fields.filter { shown[$0].stamp == stamp }.compactMap { shown[$0].value }
        let patch = DiaryPatch(Dictionary(uniqueKeysWithValues: values.map { ($0.field, $0) }), of: before)
        return DiaryMutation(entryID: id, stamp: stamp, kind: .patch(patch))
    }
}
