#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import PulseBoardDomain
import PulseBoardVocabulary

/// The diary of one directory. It has the base, which is the server's state at the cursor; the outbox, the edits that wait for the server; and the
/// shown entries, which are both together.
///
///     let file = try DiaryFile(directory: "/home/minji/.local/state/example/diary")
///     let diary = LocalDiaryRepository(file)      // reads and writes entries
///     let status = try await file.status()
///     print("\(status.entryCount) entries, \(status.pendingCount) edits wait for the server")
///     for edit in try await file.rejected() { print("\(edit.number) was refused: \(edit.reason)") }
///
/// An edit and its shown entry are one transaction, which is durable when the call returns. Several processes may use one directory. SQLite's calls
/// block the actor while the disk works.
///
/// Before an account is attached there is no outbox, and the entries are the base (B36). Attaching turns every entry into a creation in the outbox
/// (B34).
public actor DiaryFile {
    /// Maximum edits in the outbox.
    public static let maximumOutboxCount: Int64 = 10_000
    /// Maximum bytes of edits in the outbox: 64 MiB.
    public static let maximumOutboxBytes: Int64 = 64 << 20
    public static let fileName = "diary.sqlite"

    /// The path, absolute or relative to the working directory.
    public nonisolated let directory: String
    let database: ClientDatabase
    private let clock: any WallClock
    private let makeDevice: @Sendable () -> DiaryDeviceID
    /// The device id in the stamps of new edits. It is new for every opening and stored nowhere. So two copies of one directory never give the same
    /// stamp to two edits, even if neither has contacted the server since.
    var author: DiaryDeviceID
    let imageFiles: ImageFiles
    /// Edits that are sent together.
    let editsPerPush: Int
    /// Whether a transaction of this process may have left a picture unused since the last removal.
    var mayHaveUnusedImages = false
    /// How many entries this process has sent again because the server had lost them.
    var sentAgainCount = 0
    /// The last result of ``outboxSize()``. It is valid while nobody else has written and no edit was removed.
    private var countedOutbox: (version: Int64, count: Int64, bytes: Int64)?
    private var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    private var nextListener = 0

    /// Opens the diary of a directory. Makes both if they are missing, with access for the owner only.
    /// - Throws: `storeFailed`.
    public init(
        directory: String, clock: any WallClock = SystemWallClock(), random: some RandomSource = SystemRandomSource()
    ) throws(DiaryError) {
        try self.init(directory: directory, clock: clock, random: random, editsPerPush: DiaryLimits.maximumBatch)
    }

    /// Opens the diary of a directory.
    /// - Parameter editsPerPush: at most ``DiaryLimits/maximumBatch``.
    init(directory: String, clock: any WallClock, random: some RandomSource, editsPerPush: Int) throws(DiaryError) {
        self.editsPerPush = editsPerPush
        self.directory = directory
        self.clock = clock
        makeDevice = { DiaryDeviceID.random(using: random) }
        author = DiaryDeviceID.random(using: random)
        try FileLock.makePrivateDirectory(directory)
        let path = directory + "/" + Self.fileName
        let database = try ClientDatabase(path: path)
        // SQLite created the file with the process's umask. The directory was closed to others before.
        guard chmod(path, 0o600) == 0 else { throw .storeFailed(detail: Phrase.systemError(errno).after(path)) }
        try Self.migrate(database, device: DiaryDeviceID.random(using: random))
        let files = ImageFiles(directory: directory)
        try Self.makeAgree(files, database, at: clock.now())
        self.database = database
        imageFiles = files
    }

    // MARK: Writing

    /// Creates an entry.
    /// - Throws: `diary` with `entryExists`, `imageNotStaged`; `outboxFull`.
    func save(_ content: DiaryContent, as id: DiaryEntryID) throws(DiaryError) -> DiaryEntry {
        try edit(id) { row throws(DiaryError) in
            guard let row else { return .create(content) }
            guard let entry = row.entry(id), entry.content == content else { throw .diary(.entryExists(id)) }
            return nil
        }
    }

    /// Changes an entry.
    /// - Throws: `diary` with `entryNotFound`, `imageNotStaged`; `etagMismatch`, `outboxFull`.
    func update(_ id: DiaryEntryID, _ change: DiaryChange, ifMatches etag: Etag?) throws(DiaryError) -> DiaryEntry {
        try edit(id) { row throws(DiaryError) in
            guard let row, !row.isDeleted else { throw .diary(.entryNotFound(id)) }
            let values = change.values.filter { row[$0.key].value != $0.value }
            guard !values.isEmpty else { return nil }
            if let etag, etag != row.etag { throw .etagMismatch }
            return .patch(DiaryPatch(values, of: row))
        }
    }

    /// Deletes an entry. It is no error if the entry does not exist.
    /// - Throws: `outboxFull`.
    func delete(_ id: DiaryEntryID) throws(DiaryError) {
        try change(id) { row throws(DiaryError) in row.flatMap { $0.isDeleted ? nil : .delete(seen: $0.stamps) } }
    }

    /// Settles a conflict: its value replaces the present one, or it is dismissed.
    ///
    /// A deleted entry stays deleted. Taking a value of it makes a new entry with this value and the newest kept value of each other field, and
    /// settles all of these.
    /// - Returns: the entry that has the value now; `nil` if it was dismissed.
    /// - Throws: `diary(.entryNotFound)`, `outboxFull`.
    @discardableResult
    public func settle(_ id: DiaryEntryID, _ conflict: DiaryFieldStamp, taking isTaken: Bool) throws(DiaryError) -> DiaryEntryID? {
        // Two edits may be added.
        defer { forgetOutboxSize() }
        let taken = try database.transaction { () throws(DiaryError) -> DiaryEntryID? in
            let row = try mendedRow(id)
            guard let row, let lost = row.conflicts.first(where: { $0.fieldStamp == conflict }) else { throw .diary(.entryNotFound(id)) }
            guard isTaken else {
                _ = try changeInTransaction(id) { _ in .dismiss([conflict]) }
                return nil
            }
            guard row.isDeleted else {
                _ = try changeInTransaction(id) { _ in .patch(DiaryPatch([lost.field: lost.value], of: row, covers: [conflict])) }
                return id
            }
            let new = DiaryEntryID(bits: newName().bits)
            let (content, covers) = row.keptContent(with: lost)
            _ = try changeInTransaction(new) { _ in .create(content) }
            forgetOutboxSize()
            _ = try changeInTransaction(id) { _ in .dismiss(covers) }
            return new
        }
        try removeUnusedImages()
        tell()
        return taken
    }

    private func edit(
        _ id: DiaryEntryID, _ kind: (DiaryRow?) throws(DiaryError) -> DiaryMutation.Kind?
    ) throws(DiaryError) -> DiaryEntry {
        guard let entry = try change(id, kind)?.entry(id) else { throw .damaged(id) }
        return entry
    }

    /// Performs one edit: changes the shown row and adds to the outbox, in one transaction.
    @discardableResult
    private func change(
        _ id: DiaryEntryID, _ kind: (DiaryRow?) throws(DiaryError) -> DiaryMutation.Kind?
    ) throws(DiaryError) -> DiaryRow? {
        let (row, addedBytes) = try database.transaction { () throws(DiaryError) in try changeInTransaction(id, kind) }
        if let addedBytes {
            countedOutbox?.count += 1
            countedOutbox?.bytes += addedBytes
        }
        try removeUnusedImages()
        tell()
        return row
    }

    /// Performs one edit in a transaction.
    /// - Returns: the shown row, and the bytes that the edit added to the outbox.
    func changeInTransaction(
        _ id: DiaryEntryID, _ kind: (DiaryRow?) throws(DiaryError) -> DiaryMutation.Kind?
    ) throws(DiaryError) -> (row: DiaryRow?, addedBytes: Int64?) {
        let shown = try mendedRow(id)
        guard let kind = try kind(shown) else { return (shown, nil) }
        var addedBytes: Int64?
        var state = try SyncState(database)
        // Entries from before an account are created again when there is one, with the same stamps: see `history(of:)`.
        let isFirst = shown == nil && state.owner == nil
        let stamp = state.clock.stamp(at: clock.now(), on: isFirst ? .creating(id) : author)
        let mutation = DiaryMutation(entryID: id, stamp: stamp, kind: kind)
        for image in mutation.images {
            guard try knowsImage(image.hash) else { throw .diary(.imageNotStaged) }
        }
        var row = shown
        _ = DiaryMerge.apply(mutation, to: &row)
        if state.owner == nil {
            // No other device needs to learn of the deletion.
            if row?.isDeleted == true {
                row = nil
                try forgetDamaged(id)
            }
            try put(row, id, in: .base)
        } else {
            let (count, size) = try outboxSize()
            let bytes = mutation.bytes
            guard count < Self.maximumOutboxCount, size + Int64(bytes.count) <= Self.maximumOutboxBytes else { throw .outboxFull }
            try enqueue(mutation, encoded: bytes, &state)
            addedBytes = Int64(bytes.count)
        }
        try state.save(database)
        try show(id, row)
        return (row, addedBytes)
    }

    /// The number of edits that count towards the limits, and their bytes. The result is cached, so that not every edit has to count.
    ///
    /// Edits that the directory has added by itself do not count (``leaveUncounted()``): they must not stop the owner from writing.
    func outboxSize() throws(DiaryError) -> (count: Int64, bytes: Int64) {
        let version = try database.othersVersion()
        if let counted = countedOutbox, counted.version == version { return (counted.count, counted.bytes) }
        let sizes = try database.rows(
            """
            SELECT count(*), coalesce(sum(length(mutation)), 0) FROM outbox WHERE local_id > (SELECT uncounted_through FROM sync_state)
            """
        ) { ($0.integer(0) ?? 0, $0.integer(1) ?? 0) }
        let (count, bytes) = sizes.first ?? (0, 0)
        countedOutbox = (version, count, bytes)
        return (count, bytes)
    }

    /// Leaves all edits that are in the outbox now out of its limits.
    func leaveUncounted() throws(DiaryError) {
        try database.run("UPDATE sync_state SET uncounted_through = coalesce((SELECT max(local_id) FROM outbox), uncounted_through)")
        forgetOutboxSize()
    }

    /// Call it after any change of the outbox other than adding one edit.
    func forgetOutboxSize() { countedOutbox = nil }

    // MARK: Reading

    /// - Throws: `diary(.entryNotFound)`, `damaged`.
    func entry(_ id: DiaryEntryID) throws(DiaryError) -> DiaryEntry {
        let row: DiaryRow?
        do throws(DiaryError) { row = try shownRow(id) } catch .damaged {
            row = try database.transaction { () throws(DiaryError) in try mendedRow(id) }
        }
        guard let entry = row?.entry(id) else { throw .diary(.entryNotFound(id)) }
        return entry
    }

    /// A page of entries, newest first.
    func entries(_ filter: DiaryFilter, _ page: PageRequest) throws(DiaryError) -> DiaryPage {
        let filter = try checked { () throws(ValidationError) in try filter.checked() }
        let found = try readableEntries(filter, page)
        return mend(found.damaged) ? try readableEntries(filter, page) : found
    }

    private func readableEntries(_ filter: DiaryFilter, _ page: PageRequest) throws(DiaryError) -> DiaryPage {
        var conditions = ["entry_time IS NOT NULL"]
        var values: [SQLValue] = []
        if let token = page.token {
            guard let cursor = DiaryCursor(token: token) else { throw .invalid(ValidationError(field: "page_token", reason: .invalidPageToken)) }
            conditions.append("(entry_time, entry_id) < (?, ?)")
            values += [.integer(cursor.entryTime.microseconds), .blob(cursor.id.bits.bytes)]
        }
        if let times = filter.times {
            conditions.append("entry_time >= ? AND entry_time < ?")
            values += [.integer(times.lowerBound.microseconds), .integer(times.upperBound.microseconds)]
        }
        if let emotion = filter.emotion {
            conditions.append("emotion = ?")
            values.append(.text(emotion))
        }
        if let pattern = filter.likePattern {
            conditions.append("body LIKE ? ESCAPE '\\'")
            values.append(.text(pattern))
        }
        values.append(.integer(Int64(page.size) + 1))
        var entries: [DiaryEntry] = []
        var damaged: [DiaryEntryID] = []
        var last: DiaryCursor?
        let sql = """
            SELECT entry_id, entry_time, row FROM shown WHERE \(conditions.joined(separator: " AND "))
            ORDER BY entry_time DESC, entry_id DESC LIMIT ?
            """
        let found = try database.rows(sql, values) { row throws(DiaryError) in
            guard let id = row.entryID(0), let time = row.integer(1) else { throw .unreadableRow(of: "shown") }
            return (DiaryCursor(entryTime: Timestamp(microseconds: time), id: id), row.blob(2).flatMap(DiaryRow.init(bytes:))?.entry(id))
        }
        for (cursor, entry) in found.prefix(page.size) {
            if let entry { entries.append(entry) } else { damaged.append(cursor.id) }
            last = cursor
        }
        return DiaryPage(entries: entries, damaged: damaged, nextToken: found.count > page.size ? last?.token : nil)
    }

    /// The entries with conflicts that wait for their owner's decision, including deleted entries. Unreadable ones are left out.
    public func conflicts() throws(DiaryError) -> [DiaryRowChange] { try conflictList().entries }

    /// The entries with conflicts that wait for their owner's decision, including deleted entries, and the ids of those that cannot be read.
    public func conflictList() throws(DiaryError) -> (entries: [DiaryRowChange], damaged: [DiaryEntryID]) {
        let found = try readableConflicts()
        return mend(found.damaged) ? try readableConflicts() : found
    }

    private func readableConflicts() throws(DiaryError) -> (entries: [DiaryRowChange], damaged: [DiaryEntryID]) {
        var entries: [DiaryRowChange] = []
        var damaged: [DiaryEntryID] = []
        _ = try database.rows("SELECT entry_id, row FROM shown WHERE has_conflicts = 1 ORDER BY entry_id") { row throws(DiaryError) in
            guard let id = row.entryID(0) else { throw .unreadableRow(of: "shown") }
            guard let shown = row.blob(1).flatMap(DiaryRow.init(bytes:)) else { return damaged.append(id) }
            entries.append(DiaryRowChange(id: id, row: shown))
        }
        return (entries, damaged)
    }

    /// Entries with edits that the server does not have yet.
    public func pendingEntries() throws(DiaryError) -> Set<DiaryEntryID> {
        Set(try database.rows("SELECT DISTINCT entry_id FROM outbox") { $0.entryID(0) }.compactMap(\.self))
    }

    /// The entries whose id begins with a text, including deleted ones with conflicts. It returns at most two, which is enough to see that the text
    /// is ambiguous.
    public func entryIDs(beginningWith text: String) throws(DiaryError) -> [DiaryEntryID] {
        let digits = text.lowercased().filter { $0 != "-" }
        guard !digits.isEmpty, digits.utf8.count <= 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return [] }
        return try database.rows(
            "SELECT entry_id FROM shown WHERE (entry_time IS NOT NULL OR has_conflicts = 1) AND hex(entry_id) LIKE ? LIMIT 2", .text(digits + "%")
        ) { $0.entryID(0) }.compactMap(\.self)
    }

    // MARK: What is shown

    func shownRow(_ id: DiaryEntryID) throws(DiaryError) -> DiaryRow? { try Self.row(id, in: "shown", database) }

    /// Reads a row of `base`, `staged` or `shown`.
    /// - Throws: `damaged`.
    static func row(_ id: DiaryEntryID, in table: String, _ database: ClientDatabase) throws(DiaryError) -> DiaryRow? {
        let found = try database.rows("SELECT row FROM \(table) WHERE entry_id = ?", .blob(id.bits.bytes)) { row throws(DiaryError) in
            guard let row = row.blob(0).flatMap(DiaryRow.init(bytes:)) else { throw .damaged(id) }
            return row
        }
        return found.first
    }

    /// Writes a row of `base` or `staged`; `nil` removes it.
    func put(_ row: DiaryRow?, _ id: DiaryEntryID, in place: ImageUser) throws(DiaryError) {
        let table = place == .base ? "base" : "staged"
        try noteImages(row?.images ?? [], of: place, .blob(id.bits.bytes))
        if let row {
            try database.run(
                "INSERT INTO \(table) (entry_id, row) VALUES (?, ?) ON CONFLICT (entry_id) DO UPDATE SET row = excluded.row", .blob(id.bits.bytes),
                .blob(row.bytes))
        } else {
            try database.run("DELETE FROM \(table) WHERE entry_id = ?", .blob(id.bits.bytes))
        }
    }

    /// Writes the shown row of an entry. A deleted entry stays only while it has conflicts.
    func show(_ id: DiaryEntryID, _ row: DiaryRow?) throws(DiaryError) {
        try noteImages(row?.images ?? [], of: .shown, .blob(id.bits.bytes))
        guard let row, !row.isDeleted || !row.conflicts.isEmpty else {
            // The base has the tombstone, where a later edit finds it.
            if let row { return try showTombstone(id, row) }
            return try database.run("DELETE FROM shown WHERE entry_id = ?", .blob(id.bits.bytes))
        }
        let content = row.content
        try database.run(
            """
            INSERT INTO shown (entry_id, row, entry_time, emotion, body, has_conflicts) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (entry_id) DO UPDATE SET
                row = excluded.row, entry_time = excluded.entry_time, emotion = excluded.emotion, body = excluded.body,
                has_conflicts = excluded.has_conflicts
            """,
            .blob(id.bits.bytes), .blob(row.bytes), content.map { .integer($0.entryTime.microseconds) } ?? .null,
            content.map { .text($0.emotion) } ?? .null, content.map { .text($0.text) } ?? .null,
            .integer(row.conflicts.isEmpty ? 0 : 1))
    }

    private func showTombstone(_ id: DiaryEntryID, _ row: DiaryRow) throws(DiaryError) {
        try forgetDamaged(id)
        try database.run(
            """
            INSERT INTO shown (entry_id, row, has_conflicts) VALUES (?, ?, 0) ON CONFLICT (entry_id) DO UPDATE SET
                row = excluded.row, entry_time = NULL, emotion = NULL, body = NULL, has_conflicts = 0
            """, .blob(id.bits.bytes), .blob(row.bytes))
    }

    // MARK: Telling

    /// A number that changes when another process has written.
    func othersVersion() throws(DiaryError) -> Int64 { try database.othersVersion() }

    /// A stream with an element for every change that this process makes or fetches, and, while it follows a server, for those of other processes.
    func changes() -> AsyncStream<Void> {
        let number = nextListener
        nextListener += 1
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        listeners[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.stopTelling(number) } }
        return stream
    }

    private func stopTelling(_ number: Int) { listeners[number] = nil }

    func tell() {
        for listener in listeners.values { listener.yield() }
    }

    /// The present instant by this directory's clock.
    var now: Timestamp { clock.now() }
    /// A new id for a device or an author of edits.
    func newName() -> DiaryDeviceID { makeDevice() }
}

extension ClientRow {
    func entryID(_ column: CInt) -> DiaryEntryID? { blob(column).flatMap { UUIDBits(bytes: $0) }.map(DiaryEntryID.init(bits:)) }
}

extension DiaryCursor {
    /// The token of a local list. It is not sealed: only the owner of the diary has it.
    fileprivate var token: PageToken { PageToken(text: "\(entryTime.microseconds)/\(id)") }

    fileprivate init?(token: PageToken) {
        let parts = token.text.split(separator: "/")
        guard parts.count == 2, let time = Int64(parts[0]), let id = DiaryEntryID(text: String(parts[1])) else { return nil }
        self.init(entryTime: Timestamp(microseconds: time), id: id)
    }
}

/// Runs checks of a request and turns a `ValidationError` into a `DiaryError`.
func checked<Value>(_ check: () throws(ValidationError) -> Value) throws(DiaryError) -> Value {
    do throws(ValidationError) { return try check() } catch { throw .invalid(error) }
}
