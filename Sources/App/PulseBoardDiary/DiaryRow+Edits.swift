import PulseBoardDomain

/// Edits that make a row again on a server that does not have it.
extension DiaryRow {
    /// The edits that make an entry on a new device: its creation, and the last edit of each field since.
    ///
    /// For one device a creation would be enough. But both the directory and a copy of it may have been edited before. Then the second creation
    /// does nothing, and its edits are merged like all others.
    /// - Parameter apart: whether pictures have an edit of their own, because a device without their files cannot send it.
    func history(of entry: DiaryEntry, picturesApart apart: Bool = false) -> [DiaryMutation] {
        // All copies give the creation the same stamp. A field that was not changed since still has it. Otherwise the entry itself is its author.
        let first = stampedFields.lazy.map { self[$0].stamp }.first { $0.time == createTime.microseconds }
        let stamp = first ?? DiaryStamp(time: createTime.microseconds, device: .creating(entry.id))
        let whole = entry.content
        let content =
            apart ? DiaryContent(stored: whole.entryTime, emotion: whole.emotion, text: whole.text, images: []) : whole
        let creation = DiaryMutation(entryID: entry.id, stamp: stamp, kind: .create(content))
        var created: DiaryRow?
        _ = DiaryMerge.apply(creation, to: &created)
        let others = stampedFields.filter { self[$0].stamp != stamp || self[$0] != created?[$0] }
        return [creation] + byStamp(others, picturesApart: apart).map { stamp, fields in
            let patch = DiaryPatch(
                values: Dictionary(uniqueKeysWithValues: fields.map { ($0, entry.content[$0]) }),
                bases: Dictionary(uniqueKeysWithValues: fields.map { ($0, created?[$0].stamp ?? .none) }))
            return DiaryMutation(entryID: entry.id, stamp: stamp, kind: .patch(patch))
        }
    }

    /// The edits of this row that a server has lost, because it was restored from an earlier copy. They have the stamps that they had, so that
    /// they count once if several devices send them.
    /// - Parameters:
    ///   - server: the server's present row; `nil` if it does not have the entry.
    ///   - isRestored: whether the server is known to have lost edits. If not, a later edit of the server has replaced this row's, and a conflict
    ///     that it does not have was settled.
    func edits(lostBy server: DiaryRow?, _ id: DiaryEntryID, isRestored: Bool) -> [DiaryMutation] {
        // The server may have forgotten a deleted entry at any time, because the entry may have been deleted long before.
        let missing = isRestored ? kept(conflicts.filter { server?.has($0) != true }, id) : []
        guard let entry = entry(id) else { return missing }
        // A row that an edit of a forgotten entry has made has the time of that edit.
        guard let server, !server.isDeleted || server.createTime == createTime else {
            return history(of: entry, picturesApart: true) + kept(conflicts, id)
        }
        // The owner has deleted the entry since, on a device that had read less of it. It stays deleted.
        guard !server.isDeleted else { return [] }
        let others = stampedFields.filter { isRestored ? self[$0].stamp != server[$0].stamp : self[$0].stamp > server[$0].stamp }
        let edits = byStamp(others, picturesApart: true).map { stamp, fields in
            let values = Dictionary(uniqueKeysWithValues: fields.map { ($0, entry.content[$0]) })
            return DiaryMutation(entryID: id, stamp: stamp, kind: .patch(.unseen(values)))
        }
        return edits + missing
    }

    /// The fields of each edit of the row, in the order of the edits.
    private func byStamp(_ fields: [DiaryField], picturesApart apart: Bool) -> [(DiaryStamp, [DiaryField])] {
        let parts = apart ? [fields.filter { $0 != .images }, fields.filter { $0 == .images }] : [fields]
        let edits = parts.flatMap { Dictionary(grouping: $0) { self[$0].stamp }.map { ($0.key, $0.value) } }
        return edits.sorted { $0.0 < $1.0 }
    }

    /// The edits that make these conflicts again.
    private func kept(_ conflicts: Set<DiaryConflict>, _ id: DiaryEntryID) -> [DiaryMutation] {
        conflicts.sorted { ($0.stamp, $0.field) < ($1.stamp, $1.field) }.map { conflict in
            DiaryMutation(entryID: id, stamp: conflict.stamp, kind: .patch(.unseen([conflict.field: conflict.value])))
        }
    }

    /// Whether the row has this edit, as a conflict or as its value.
    private func has(_ conflict: DiaryConflict) -> Bool { conflicts.contains(conflict) || self[conflict.field].stamp == conflict.stamp }

    /// What a deleted entry's conflicts have of an entry: one value, and the newest of each other field.
    /// - Returns: the content, and the conflicts whose values it has.
    func keptContent(with taken: DiaryConflict) -> (DiaryContent, covers: Set<DiaryFieldStamp>) {
        var newest: [DiaryField: DiaryConflict] = [:]
        for conflict in orderedConflicts { newest[conflict.field] = conflict }
        newest[taken.field] = taken
        let time = newest.values.reduce(createTime.microseconds) { max($0, $1.stamp.time) }
        let content = DiaryContent(newest.mapValues(\.value), writtenAt: Timestamp(microseconds: time))
        return (content, Set(newest.values.map(\.fieldStamp)))
    }
}

extension DiaryPatch {
    /// A change that has seen no value. What it replaces is kept as a conflict.
    static func unseen(_ values: [DiaryField: DiaryValue]) -> DiaryPatch {
        DiaryPatch(values: values, bases: values.mapValues { _ in .none })
    }
}
