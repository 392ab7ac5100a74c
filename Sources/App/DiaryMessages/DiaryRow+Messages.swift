import PulseBoardDomain
import PulseBoardMessages

extension PBDiaryRow {
    /// The message of a row.
    public init(_ change: DiaryRowChange) {
        let row = change.row
        self.init(
            entryID: change.id.description,
            entry: row.isDeleted ? nil : PBDiaryEntry(DiaryField.allCases.compactMap { row[$0].value }),
            stamps: row.isDeleted ? [] : PBDiaryFieldStamp.list(row.stampedFields.map { DiaryFieldStamp($0, row[$0].stamp) }),
            createTime: row.createTime.microseconds,
            conflicts: row.orderedConflicts.map {
                PBDiaryConflict(field: $0.field.path, stamp: PBDiaryStamp($0.stamp), value: PBDiaryEntry([$0.value]))
            })
    }
}

extension DiaryRowChange {
    /// Reads a row from a server, and checks it as strictly as the server checks mutations.
    /// - Throws: `ValidationError` for a malformed message, and for a time, a stamp or a value that breaks a rule.
    public init(_ message: PBDiaryRow) throws(ValidationError) {
        var row = DiaryRow(createTime: Timestamp(microseconds: message.createTime), isDeleted: message.entry == nil)
        if let entry = message.entry {
            let stamps = [DiaryField: DiaryStamp](of: try DiaryFieldStamp.list(message.stamps, limit: DiaryLimits.maximumConflicts, field: "stamps"))
            for field in DiaryField.allCases {
                // The stamp of pictures may be missing: the entry never had any, or the server does not know them.
                guard let stamp = stamps[field] ?? (field == .images ? DiaryStamp.none : nil) else {
                    throw ValidationError(field: "stamps", reason: .fieldMissing)
                }
                row[field] = DiaryRow.Cell(value: try entry.value(of: field), stamp: stamp)
            }
        }
        for conflict in message.conflicts {
            guard let field = DiaryField(path: conflict.field), let value = conflict.value else {
                throw ValidationError(field: "conflicts", reason: .fieldUnknown)
            }
            row.conflicts.insert(DiaryConflict(field: field, stamp: try DiaryStamp(conflict.stamp), value: try value.value(of: field)))
        }
        try row.check()
        self.init(id: try DiaryEntryID.parse(message.entryID, field: "entry_id"), row: row)
    }
}
