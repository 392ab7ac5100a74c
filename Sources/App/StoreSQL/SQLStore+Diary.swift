import PulseBoardDomain
import PulseBoardVocabulary

extension SQLStore {
    // MARK: Online

    public func diaryEntry(_ id: DiaryEntryID, of owner: UserID) async throws(RepositoryError) -> DiaryEntry {
        try await read(of: owner) { [vault] connection throws(RepositoryError) in
            guard let row = try DiaryRecord.find(owner, vault, connection)?.row(id, withConflicts: false, connection), !row.isDeleted else {
                throw .diary(.entryNotFound(id))
            }
            return try DiaryRecord.entry(id, row)
        }
    }

    public func diaryEntries(
        of owner: UserID, _ filter: DiaryFilter, after cursor: DiaryCursor?, limit: Int
    ) async throws(RepositoryError) -> DiaryEntryPage {
        try await readLong(of: owner) { [vault] connection throws(RepositoryError) in
            guard let record = try DiaryRecord.find(owner, vault, connection) else { return DiaryEntryPage(entries: [], isComplete: true) }
            var listing = DiaryListing(of: record.diary, filter, vault, after: cursor, limit: limit)
            return try listing.read(connection)
        }
    }

    public func createDiaryEntry(
        _ id: DiaryEntryID, _ content: DiaryContent, of owner: UserID, in session: SessionID?, at time: Timestamp
    ) async throws(RepositoryError) -> DiaryEntry {
        let key = DiaryKey.random(using: SystemRandomSource())
        return try await write(of: owner) { [housekeeping, vault] connection throws(RepositoryError) in
            try connection.lock(owner)
            try Self.require(session, of: owner, connection)
            var record = try DiaryRecord.findOrBegin(owner, as: key, having: content.images, vault, connection)
            if let row = try record.row(id, connection) {
                guard let entry = row.entry(id), entry.content == content else { throw .diary(.entryExists(id)) }
                return entry
            }
            return try DiaryRecord.entry(id, Self.edit(id, nil, .create(content), &record, at: housekeeping.judged(time), connection))
        }
    }

    public func updateDiaryEntry(
        _ id: DiaryEntryID, _ change: DiaryChange, ifMatches etag: Etag?, of owner: UserID, in session: SessionID?, at time: Timestamp
    ) async throws(RepositoryError) -> DiaryEntry {
        try await write(of: owner) { [housekeeping, vault] connection throws(RepositoryError) in
            try connection.lock(owner)
            try Self.require(session, of: owner, connection)
            guard var record = try DiaryRecord.find(owner, vault, connection), let row = try record.row(id, connection), !row.isDeleted else {
                throw .diary(.entryNotFound(id))
            }
            let values = change.values.filter { row[$0.key].value != $0.value }
            guard !values.isEmpty else { return try DiaryRecord.entry(id, row) }
            if let etag, etag != row.etag { throw .etagMismatch }
            let patch = DiaryPatch(values, of: row)
            return try DiaryRecord.entry(id, Self.edit(id, row, .patch(patch), &record, at: housekeeping.judged(time), connection))
        }
    }

    public func deleteDiaryEntry(_ id: DiaryEntryID, of owner: UserID, in session: SessionID?, at time: Timestamp) async throws(RepositoryError) {
        try await write(of: owner) { [housekeeping, vault] connection throws(RepositoryError) in
            try connection.lock(owner)
            try Self.require(session, of: owner, connection)
            guard var record = try DiaryRecord.find(owner, vault, connection), let row = try record.row(id, connection), !row.isDeleted else {
                return
            }
            _ = try Self.edit(id, row, .delete(seen: row.stamps), &record, at: housekeeping.judged(time), connection)
        }
    }

    /// Applies an edit made on the server itself, which knows the present row.
    private static func edit(
        _ id: DiaryEntryID, _ former: DiaryRow?, _ kind: DiaryMutation.Kind, _ record: inout DiaryRecord, at judged: JudgedTime,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> DiaryRow {
        let stamp = record.clock.stamp(at: judged.likely, on: .server)
        var edited = former
        _ = DiaryMerge.apply(DiaryMutation(entryID: id, stamp: stamp, kind: kind), to: &edited)
        guard let edited else { throw DiaryRecord.corrupt(id) }
        switch try refusal(of: edited, former, in: record, connection) {
        case nil: break
        case .imageNotStaged?: throw .diary(.imageNotStaged)
        case .diaryImageDiffers?: throw .diary(.imageDiffers)
        default: throw .diary(.full)
        }
        try record.replace(id, former, by: edited, at: judged, connection)
        try record.save(connection)
        return edited
    }

    /// Why a row must not replace another: the diary would exceed a limit, or name a missing picture. A row that makes the diary smaller is
    /// always permitted.
    private static func refusal(
        of row: DiaryRow, _ former: DiaryRow?, in record: DiaryRecord, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Reason? {
        if let refusal = try record.refusal(ofImagesIn: row, former, connection) { return refusal }
        // A deletion wins in any order, so this limit does not hold for what it has not seen: at most a conflict for each field.
        let isDeleting = row.isDeleted && former?.isDeleted == false
        if row.conflicts.count > DiaryLimits.maximumConflicts, row.conflicts.count > former?.conflicts.count ?? 0, !isDeleting {
            return .diaryTooManyConflicts
        }
        let counted = record.counting(former, replacedBy: row)
        let isGrowing = counted.byteCount > record.byteCount || counted.rowCount > record.rowCount || counted.entryCount > record.entryCount
        return isGrowing && !counted.isWithinLimits ? .diaryFull : nil
    }

    // MARK: Devices

    public func registerDiaryDevice(
        _ device: DiaryDeviceID, name: String, of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryDevice {
        let key = DiaryKey.random(using: SystemRandomSource())
        return try await write(of: owner) { [vault] connection throws(RepositoryError) in
            try connection.lock(owner)
            let record = try DiaryRecord.findOrBegin(owner, as: key, vault, connection)
            let devices = try Self.devices(in: record, connection)
            let known = devices.first { $0.id == device }
            guard known != nil || devices.count < DiaryLimits.maximumDevices else { throw .diary(.tooManyDevices) }
            var statement = try connection.statement(
                """
                INSERT INTO diary_device (diary, device_id, name, last_mutation, confirmed, seen_time) VALUES (?, ?, ?, 0, 0, ?)
                ON CONFLICT (diary, device_id) DO UPDATE SET name = excluded.name, seen_time = excluded.seen_time
                """)
            try statement.bind(record.diary)
            try statement.bind(device)
            try statement.bind(name)
            try statement.bind(now)
            try statement.run()
            return DiaryDevice(id: device, name: name, lastMutation: known?.lastMutation ?? 0, seenTime: now)
        }
    }

    public func diaryDevices(of owner: UserID) async throws(RepositoryError) -> [DiaryDevice] {
        try await read(of: owner) { [vault] connection throws(RepositoryError) in
            guard let record = try DiaryRecord.find(owner, vault, connection) else { return [] }
            return try Self.devices(in: record, connection)
        }
    }

    private static func devices(in record: DiaryRecord, _ connection: borrowing SQLConnection) throws(RepositoryError) -> [DiaryDevice] {
        var statement = try connection.statement(
            "SELECT device_id, name, last_mutation, seen_time FROM diary_device WHERE diary = ? ORDER BY device_id")
        try statement.bind(record.diary)
        var devices: [DiaryDevice] = []
        while try statement.step() {
            guard let id = statement.identifier(0, as: DiaryDeviceID.self), let name = statement.text(1), let last = statement.integer(2),
                let seen = statement.time(3)
            else { throw .corruptRow(table: "diary_device", key: statement.key(0)) }
            devices.append(DiaryDevice(id: id, name: name, lastMutation: last, seenTime: seen))
        }
        return devices
    }

    public func deleteDiaryDevice(_ device: DiaryDeviceID, of owner: UserID) async throws(RepositoryError) {
        try await write(of: owner) { [vault] connection throws(RepositoryError) in
            try connection.lock(owner)
            guard let record = try DiaryRecord.find(owner, vault, connection) else { return }
            for table in ["diary_result", "diary_device"] {
                var statement = try connection.statement("DELETE FROM \(table) WHERE diary = ? AND device_id = ?")
                try statement.bind(record.diary)
                try statement.bind(device)
                try statement.run()
            }
        }
    }

    /// The progress of a device: its last mutation, and the number up to which its results are forgotten.
    /// - Throws: `diary(.deviceUnknown)`.
    private static func progress(
        of device: DiaryDeviceID, in record: DiaryRecord, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> (lastMutation: Int64, confirmed: Int64) {
        var statement = try connection.statement("SELECT last_mutation, confirmed FROM diary_device WHERE diary = ? AND device_id = ?")
        try statement.bind(record.diary)
        try statement.bind(device)
        guard try statement.step() else { throw .diary(.deviceUnknown) }
        guard let last = statement.integer(0), let confirmed = statement.integer(1) else {
            throw .corruptRow(table: "diary_device", key: device.description)
        }
        return (last, confirmed)
    }

    // MARK: Synchronizing

    public func pushDiary(
        _ push: DiaryPush, of owner: UserID, in session: SessionID?, at time: Timestamp
    ) async throws(RepositoryError) -> DiaryPushAnswer {
        try await write(of: owner) { [housekeeping, vault] connection throws(RepositoryError) in
            try connection.lock(owner)
            try Self.require(session, of: owner, connection)
            let judged = housekeeping.judged(time), now = judged.likely
            // All checks come before the first change.
            guard var record = try DiaryRecord.find(owner, vault, connection) else { throw .diary(.deviceUnknown) }
            let (last, confirmed) = try Self.progress(of: push.device, in: record, connection)
            let log = DiaryResultLog(diary: record.diary, device: push.device, vault: vault, confirmed: confirmed)
            let fresh = push.items.drop { $0.numbered.number <= last }
            if let first = fresh.first, first.numbered.number != last + 1 { throw .diary(.mutationGap(lastMutation: last)) }
            // Check repeated numbers first: a copied device must learn that it is one before anything new is applied.
            var results: [DiaryMutationResult] = []
            for item in push.items.prefix(push.items.count - fresh.count) { results.append(try log.first(item, connection)) }
            // A device's edits come after the stamps that it has seen. They may be ahead if the server's clock was ahead once.
            let seen = Timestamp(microseconds: record.clock.last).advanced(by: DiaryLimits.stepPastSeenStamps)
            let latest = max(now.advanced(by: DiaryLimits.maximumSkew), seen).microseconds
            guard fresh.allSatisfy({ $0.numbered.mutation.stamp.time <= latest }) else {
                throw .diary(.clockSkewed(serverTime: now, lastMutation: last))
            }
            let change = record.lastChange, start = record.end
            var rows = PushedRows(unknown: try Self.unknownCreations(fresh, in: record, connection))
            var remembered: [(DiaryMutationResult, fingerprint: [UInt8])] = []
            var done = last
            for item in fresh {
                guard rows.byteCount < DiaryLimits.maximumTransactionBytes else { break }
                let outcome = try Self.apply(item, &rows, &record, at: judged, connection)
                let result = DiaryMutationResult(number: item.numbered.number, outcome: outcome)
                remembered.append((result, item.fingerprint))
                results.append(result)
                done = result.number
            }
            try log.remember(remembered, connection)
            if record.lastChange != change { try record.save(connection) }
            try log.close(last: done, confirmed: push.confirmed, at: now, connection)
            let isWhole = fresh.count == push.items.count && results.count == push.items.count
            return DiaryPushAnswer(
                lastMutation: done, results: results, hasChanges: record.lastChange != change,
                span: isWhole ? DiaryPushAnswer.Span(before: start, after: record.end) : nil)
        }
    }

    /// The creations in one statement.
    private static let creationsOfStatement = 20
    private static let knownAmong = Query(
        "SELECT entry_id FROM diary_entry WHERE diary = ? AND entry_id IN (\(Query.marks(creationsOfStatement)))")

    /// The entries that a push creates and that have no row. A first push of a diary has creations only, and one statement looks for many.
    private static func unknownCreations(
        _ items: ArraySlice<DiaryPush.Item>, in record: DiaryRecord, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Set<DiaryEntryID> {
        let created = items.filter { $0.refusal == nil && $0.numbered.mutation.isCreation }.map(\.numbered.mutation.entryID)
        // Few are read one by one.
        guard created.count >= creationsOfStatement / 4 else { return [] }
        var unknown = Set(created)
        for ids in created.filledParts(of: creationsOfStatement) {
            var query = try connection.statement(knownAmong)
            try query.bind(record.diary)
            for id in ids { try query.bind(id) }
            while try query.step() {
                guard let id = query.identifier(0, as: DiaryEntryID.self) else { throw .corruptRow(table: "diary_entry", key: query.key(0)) }
                unknown.remove(id)
            }
        }
        return unknown
    }

    private static func apply(
        _ item: DiaryPush.Item, _ rows: inout PushedRows, _ record: inout DiaryRecord, at judged: JudgedTime,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> DiaryMutationResult.Outcome {
        if let refusal = item.refusal { return .rejected(refusal) }
        let mutation = item.numbered.mutation
        let former = try rows.row(mutation.entryID, in: record, connection)
        var row = former
        let outcome = DiaryMerge.apply(mutation, to: &row)
        guard let row, row != former else { return outcome == .conflict ? .conflict : .applied }
        if let reason = try refusal(of: row, former, in: record, connection) { return .rejected(reason) }
        try record.replace(mutation.entryID, former, by: row, at: judged, connection)
        rows.replaced(mutation.entryID, by: row)
        return outcome == .conflict ? .conflict : .applied
    }

    public func diaryChanges(
        of owner: UserID, for device: DiaryDeviceID?, after position: DiaryPosition?, limit: Int
    ) async throws(RepositoryError) -> DiaryChangePage {
        try await readLong(of: owner) { [vault] connection throws(RepositoryError) in
            guard let record = try DiaryRecord.find(owner, vault, connection) else {
                guard device == nil else { throw .diary(.deviceUnknown) }
                let start = DiaryPosition(diary: owner.bits, change: 0, horizon: 0)
                return DiaryChangePage(rows: [], byteCount: 0, next: start, isComplete: true, lastMutation: 0)
            }
            var lastMutation: Int64 = 0
            if let device { lastMutation = try Self.progress(of: device, in: record, connection).lastMutation }
            let start = position ?? DiaryPosition(diary: record.diary.bits, change: 0, horizon: record.lastChange)
            // A position beyond the last change is from before the store was restored from a backup.
            guard start.diary == record.diary.bits, start.horizon >= record.floor, start.change <= record.lastChange,
                start.horizon <= record.lastChange
            else { throw .diary(.resyncRequired) }
            var rows: [DiaryRowChange] = []
            var change = start.change
            var byteCount = 0
            var isComplete = true
            var rowsAtOnce = RowsAtOnce()
            var answer = (rowCount: 0, byteCount: 0)
            reading: repeat {
                var statement = try connection.statement(
                    "SELECT \(DiaryRecord.rowColumns), entry_id, change FROM diary_entry WHERE diary = ? AND change > ? ORDER BY change LIMIT ?")
                try statement.bind(record.diary)
                try statement.bind(change)
                try statement.bind(Int64(rowsAtOnce.next(room: limit - rows.count)))
                answer = (0, 0)
                while try statement.step() {
                    guard let id = statement.identifier(DiaryRecord.rowColumnCount, as: DiaryEntryID.self),
                        let next = statement.integer(DiaryRecord.rowColumnCount + 1)
                    else {
                        throw .corruptRow(table: "diary_entry", key: record.diary.description)
                    }
                    guard rows.count < limit, byteCount < DiaryLimits.maximumPageBytes else {
                        isComplete = false
                        break reading
                    }
                    guard var row = try DiaryRecord.row(statement, id, in: record.diary, vault) else { throw DiaryRecord.corrupt(id) }
                    if statement.integer(5) == 1 { row.conflicts = try record.conflicts(id, connection) }
                    rows.append(DiaryRowChange(id: id, row: row))
                    answer.rowCount += 1
                    answer.byteCount += row.pageByteCount
                    byteCount += row.pageByteCount
                    change = next
                }
            } while rowsAtOnce.hasMore(afterRows: answer.rowCount, byteCount: answer.byteCount)
            let next =
                isComplete
                ? record.end
                : DiaryPosition(diary: start.diary, change: change, horizon: start.horizon)
            return DiaryChangePage(rows: rows, byteCount: byteCount, next: next, isComplete: isComplete, lastMutation: lastMutation)
        }
    }
}

/// The rows of one transaction of a push. It keeps the last one, because edits of one entry often follow each other.
private struct PushedRows {
    private var last: (id: DiaryEntryID, row: DiaryRow?)?
    /// Entries that have no row until this push makes one.
    private var unknown: Set<DiaryEntryID>
    /// Bytes of the rows that were read, compared and written so far.
    private(set) var byteCount = 0

    init(unknown: Set<DiaryEntryID>) { self.unknown = unknown }

    mutating func row(
        _ id: DiaryEntryID, in record: DiaryRecord, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> DiaryRow? {
        if let last, last.id == id {
            byteCount += last.row?.byteCount ?? 0
            return last.row
        }
        let row = unknown.contains(id) ? nil : try record.row(id, connection)
        byteCount += row?.byteCount ?? 0
        last = (id, row)
        return row
    }

    mutating func replaced(_ id: DiaryEntryID, by row: DiaryRow) {
        byteCount += row[.text].value?.byteCount ?? 0
        unknown.remove(id)
        last = (id, row)
    }
}
