/// Merges the edits of several devices into one entry. It is a pure function, the same on the server and on every device.
///
/// Each field is merged by itself. Of two concurrent edits, the one with the later stamp wins, whichever arrives first. The loser is kept as a
/// conflict until another edit covers it. A deletion wins over edits, and keeps the edits that it had not seen as conflicts. So the row and its
/// conflicts do not depend on the order in which edits arrive, as long as each edit arrives after those that its author had seen.
public enum DiaryMerge {
    /// The result of a mutation. Stores keep the numbers.
    public enum Outcome: UInt8, Hashable, Sendable {
        /// There was nothing to do.
        case nothing = 0
        case applied = 1
        /// The field had a concurrent edit. One of the two edits is kept as a conflict.
        case conflict = 2
    }

    /// Applies a mutation to the row of its entry. `nil` is an entry that is unknown or forgotten.
    public static func apply(_ mutation: DiaryMutation, to row: inout DiaryRow?) -> Outcome {
        switch mutation.kind {
        case .create(let content):
            let created = DiaryRow(content: content, stamp: mutation.stamp)
            guard var present = row else {
                row = created
                return .applied
            }
            // Its edits came before it and made this row: the server refused the creation once, and nobody heard of that. Its values survive as
            // conflicts.
            guard present.isDeleted, present.createTime != created.createTime else { return .nothing }
            for field in DiaryField.allCases { present.keep(created[field], of: field) }
            // Now the row has this creation. Sent again, it does not bring back conflicts that the owner has settled since.
            present.createTime = created.createTime
            row = present
            return .conflict
        case .patch(let patch):
            // The entry was deleted and is forgotten. The text survives as a conflict.
            var patched = row ?? DiaryRow(createTime: Timestamp(microseconds: mutation.stamp.time), isDeleted: true)
            defer { row = patched }
            return apply(patch, mutation.stamp, to: &patched)
        case .delete(let seen):
            guard var deleted = row else { return .nothing }
            defer { row = deleted }
            delete(&deleted, seen)
            return .applied
        case .dismiss(let covers):
            guard var dismissed = row else { return .nothing }
            dismissed.conflicts = dismissed.conflicts.filter { !covers.contains($0.fieldStamp) }
            row = dismissed
            return .applied
        }
    }

    private static func apply(_ patch: DiaryPatch, _ stamp: DiaryStamp, to row: inout DiaryRow) -> Outcome {
        var outcome = Outcome.applied
        for (field, value) in patch.values.sorted(by: { $0.key < $1.key }) {
            let base = patch.bases[field] ?? .none
            row.conflicts = row.conflicts.filter { conflict in
                !(conflict.field == field && conflict.stamp == base) && !patch.covers.contains(conflict.fieldStamp)
            }
            let current = row[field], edited = DiaryRow.Cell(value: value, stamp: stamp)
            let loser: DiaryRow.Cell?
            if row.isDeleted {
                loser = edited
            } else if current.stamp == base {
                loser = nil
                row[field] = edited
            } else if let present = current.value, current.stamp == stamp, present == value {
                // This edit is there already: a copy of the device sent it under another name.
                continue
            } else if current.isLess(than: edited) {
                // A field that nobody has written loses nothing.
                loser = current.stamp == .none ? nil : current
                row[field] = edited
            } else {
                loser = edited
            }
            if let loser {
                row.keep(loser, of: field)
                outcome = .conflict
            }
        }
        return outcome
    }

    private static func delete(_ row: inout DiaryRow, _ seen: [DiaryField: DiaryStamp]) {
        row.conflicts = row.conflicts.filter { seen[$0.field] != $0.stamp }
        guard !row.isDeleted else { return }
        for field in DiaryField.allCases {
            let cell = row[field]
            row[field] = .empty
            // `seen` has no stamp for pictures that were never set.
            if cell.stamp != seen[field] ?? .none { row.keep(cell, of: field) }
        }
        row.isDeleted = true
    }
}

extension DiaryRow {
    /// Keeps an edit that lost as a conflict. A field that nobody has written has no edit to keep.
    ///
    /// A stamp names one edit. If another edit has the stamp already, which two copies of one directory can cause, the kept edit gets the next one.
    fileprivate mutating func keep(_ loser: Cell, of field: DiaryField) {
        guard let value = loser.value, loser.stamp != .none else { return }
        var kept = DiaryConflict(field: field, stamp: loser.stamp, value: value)
        while kept.stamp == self[field].stamp || conflicts.contains(where: { $0.fieldStamp == kept.fieldStamp && $0.value != value }) {
            kept = DiaryConflict(field: field, stamp: DiaryStamp(time: kept.stamp.time + 1, device: kept.stamp.device), value: value)
        }
        conflicts.insert(kept)
    }
}

extension DiaryRow.Cell {
    /// Whether the edit loses to the other. Two copies of one directory may give one stamp to two edits; then the values decide.
    fileprivate func isLess(than other: Self) -> Bool {
        guard stamp == other.stamp else { return stamp < other.stamp }
        return (value?.bytes ?? []).lexicographicallyPrecedes(other.value?.bytes ?? [])
    }
}
