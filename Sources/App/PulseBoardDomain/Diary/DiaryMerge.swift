/// The rules by which edits of several devices become one entry: a pure function, the same on the server and on every device.
///
/// Each field is merged by itself. Of two edits that did not know of each other the later one wins, by its stamp and not by when it arrives. The loser
/// is kept as a conflict until somebody covers it. A deletion wins over edits, and keeps those that it had not seen. So the row, with its conflicts,
/// does not depend on the order in which edits arrive, as long as each arrives after those that its author had seen.
public enum DiaryMerge {
    /// What a mutation came to. The numbers stand in stores.
    public enum Outcome: UInt8, Hashable, Sendable {
        /// Nothing was there to do.
        case nothing = 0
        case applied = 1
        /// Somebody else had edited the same: one of the two is kept as a conflict.
        case conflict = 2
    }

    /// Applies a mutation to the row of its entry; `nil` is an entry that nobody knows, or that is forgotten.
    public static func apply(_ mutation: DiaryMutation, to row: inout DiaryRow?) -> Outcome {
        switch mutation.kind {
        case .create(let content):
            guard row == nil else { return .nothing }
            row = DiaryRow(content: content, stamp: mutation.stamp)
            return .applied
        case .patch(let patch):
            // A deleted entry that is forgotten by now: the text survives as its conflict.
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
            let current = row[field]
            let loser: DiaryRow.Cell?
            if row.isDeleted {
                loser = DiaryRow.Cell(value: value, stamp: stamp)
            } else if current.stamp == base {
                loser = nil
            } else if current.stamp == stamp {
                // This very edit is there: a copied device sends it under another name.
                continue
            } else {
                loser = stamp > current.stamp ? current : DiaryRow.Cell(value: value, stamp: stamp)
            }
            if !row.isDeleted, current.stamp == base || stamp > current.stamp { row[field] = DiaryRow.Cell(value: value, stamp: stamp) }
            if let loser, let lost = loser.value {
                row.conflicts.insert(DiaryConflict(field: field, stamp: loser.stamp, value: lost))
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
            // Pictures that nobody has ever set are named by nobody.
            if cell.stamp != seen[field] ?? .none, let value = cell.value {
                row.conflicts.insert(DiaryConflict(field: field, stamp: cell.stamp, value: value))
            }
            row[field] = .empty
        }
        row.isDeleted = true
    }
}
