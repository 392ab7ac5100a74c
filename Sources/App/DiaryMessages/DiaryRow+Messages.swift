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
    /// The row that a server has sent. - Throws: `ValidationError` for a message that holds no valid row.
    public init(_ message: PBDiaryRow) throws(ValidationError) {
        var row = DiaryRow(createTime: Timestamp(microseconds: message.createTime), isDeleted: message.entry == nil)
        if let entry = message.entry {
            let stamps = [DiaryField: DiaryStamp](of: try DiaryFieldStamp.list(message.stamps, limit: DiaryLimits.maximumConflicts, field: "stamps"))
            for field in DiaryField.allCases {
                // Nobody has ever given it pictures, or the server knows none.
                guard let stamp = stamps[field] ?? (field == .images ? DiaryStamp.none : nil) else { throw ValidationError(field: "stamps", reason: .fieldMissing) }
                row[field] = DiaryRow.Cell(value: try entry.value(of: field), stamp: stamp)
            }
        }
        for conflict in message.conflicts {
            guard let field = DiaryField(path: conflict.field), let value = conflict.value else {
                throw ValidationError(field: "conflicts", reason: .fieldUnknown)
            }
            row.conflicts.insert(DiaryConflict(field: field, stamp: try DiaryStamp(conflict.stamp), value: try value.value(of: field)))
        }
        self.init(id: try DiaryEntryID.parse(message.entryID, field: "entry_id"), row: row)
    }
}
