import PulseBoardDomain

/// What a directory sends to its server, and what it takes from it.
extension DiaryFile {
    // MARK: Account

    /// Makes the directory's diary an account's. What was written before becomes edits that wait for the server (B34); doing it again changes nothing.
    /// - Throws: `otherAccount` when it is another account's already (X1).
    public func attach(to owner: UserID) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            guard state.owner != owner else { return }
            guard state.owner == nil else { throw .otherAccount }
            state.owner = owner
            for (id, row) in try baseRows() {
                guard let entry = row.entry(id) else { continue }
                var shown: DiaryRow?
                for mutation in row.history(of: entry) {
                    forgetOutboxSize()
                    try enqueue(mutation)
                    _ = DiaryMerge.apply(mutation, to: &shown)
                }
                try show(id, shown)
            }
            try database.run("DELETE FROM base")
            try forgetImages(of: .base)
            try state.save(database)
        }
        tell()
    }

    /// Whose diary it is; `nil` before an account is attached.
    public func owner() throws(DiaryError) -> UserID? { try SyncState(database).owner }

    func enqueue(_ mutation: DiaryMutation) throws(DiaryError) {
        try database.run(
            "INSERT INTO outbox (entry_id, mutation, made_time) VALUES (?, ?, ?)", .blob(mutation.entryID.bits.bytes), .blob(mutation.bytes),
            .integer(now.microseconds))
        let images = mutation.images
        // The number of the row is new, so nothing has named a picture under it.
        if !images.isEmpty { try noteImages(images, of: .outbox, .integer(database.lastRow)) }
    }

    func baseRows() throws(DiaryError) -> [(DiaryEntryID, DiaryRow)] {
        try database.rows("SELECT entry_id, row FROM base ORDER BY entry_id") { row throws(DiaryError) in
            guard let id = row.entryID(0) else { throw .storeFailed(detail: "a row of `base` has no id") }
            guard let base = row.blob(1).flatMap(DiaryRow.init(bytes:)) else { throw .damaged(id) }
            return (id, base)
        }
    }

    /// Which device the directory is, for registering it; `nil` when it is registered.
    func deviceToRegister() throws(DiaryError) -> DiaryDeviceID? {
        let state = try SyncState(database)
        return state.isRegistered ? nil : state.device
    }

    func didRegister(_ device: DiaryDeviceID) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            guard state.device == device else { return }
            state.isRegistered = true
            try state.save(database)
        }
    }

    /// Gives the directory a new name, and its outbox new numbers: the former name is a copy's too, or the server knows less of it than it did.
    /// - Parameter last: the last number of the former name that the server knows, when it knows less than it did. What it has answered beyond that, it
    ///   gets again, and the base is read from the beginning.
    func becomeNewDevice(serverKnows last: Int64? = nil) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            state.device = newName()
            state.isRegistered = false
            state.nextNumber = 1
            state.confirmed = 0
            // What the server has taken already is in the base only with the next checkpoint, under no number of the new name.
            state.applied = .min
            if let last {
                try database.run("UPDATE outbox SET outcome = NULL WHERE number > ?", .integer(last))
                try forgetCursor(&state)
            }
            try database.run("UPDATE outbox SET number = CASE WHEN outcome IS NULL THEN NULL ELSE -local_id END")
            try state.save(database)
        }
    }

    // MARK: Pushing

    /// The next edits to send, numbered on the disk before they leave; `nil` when there are none. They are the same again until ``acknowledge(_:from:)``.
    func nextBatch() throws(DiaryError) -> DiaryBatch? {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            let waiting = try database.rows(
                "SELECT local_id, number, mutation FROM outbox WHERE outcome IS NULL ORDER BY local_id LIMIT ?", .integer(Int64(DiaryLimits.maximumBatch))
            ) { row throws(DiaryError) in
                guard let local = row.integer(0), let bytes = row.blob(2), let mutation = DiaryMutation(bytes: bytes) else {
                    throw .storeFailed(detail: "a row of `outbox` cannot be read")
                }
                return (local, row.integer(1), mutation, bytes.count)
            }
            var mutations: [NumberedDiaryMutation] = []
            var byteCount = 0
            for (local, number, mutation, bytes) in waiting {
                byteCount += bytes
                guard mutations.isEmpty || byteCount <= DiaryLimits.maximumBatchBytes else { break }
                if let number {
                    mutations.append(NumberedDiaryMutation(number: number, mutation: mutation))
                } else {
                    try database.run("UPDATE outbox SET number = ? WHERE local_id = ?", .integer(state.nextNumber), .integer(local))
                    mutations.append(NumberedDiaryMutation(number: state.nextNumber, mutation: mutation))
                    state.nextNumber += 1
                }
            }
            guard !mutations.isEmpty else { return nil }
            try state.save(database)
            return DiaryBatch(device: state.device, mutations: mutations, confirmed: state.confirmed)
        }
    }

    /// Whether an edit waits that the server has not answered.
    func hasUnsentEdits() throws(DiaryError) -> Bool { try !database.rows("SELECT 1 FROM outbox WHERE outcome IS NULL LIMIT 1") { _ in }.isEmpty }

    /// Whether an edit waits that the server had answered and does not know any more.
    func hasForgottenEdits() throws(DiaryError) -> Bool {
        try !database.rows("SELECT 1 FROM outbox WHERE outcome IS NULL AND number IS NOT NULL LIMIT 1") { _ in }.isEmpty
    }

    /// Keeps the results of a push. Nothing that is shown changes: the edits stay until a checkpoint has them.
    func acknowledge(_ results: [DiaryMutationResult], from device: DiaryDeviceID) throws(DiaryError) {
        forgetOutboxSize()
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            guard state.device == device else { return }
            for result in results {
                let outcome =
                    switch result.outcome {
                    case .applied: "applied"
                    case .conflict: "conflict"
                    case .rejected(let reason): reason.rawValue
                    }
                try database.run("UPDATE outbox SET outcome = ? WHERE number = ?", .text(outcome), .integer(result.number))
                state.confirmed = max(state.confirmed, result.number)
            }
            try state.save(database)
            // Those that a checkpoint has shown already.
            try removeDone(through: state.applied)
        }
        try removeUnusedImages()
    }

    /// Moves the stamps of what the server has not taken to its time, in their order. Stamps that name each other are moved together.
    func moveStamps(to serverTime: Timestamp, after lastMutation: Int64) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            let edits = try database.rows(
                "SELECT local_id, mutation, outcome IS NULL AND (number IS NULL OR number > ?) FROM outbox ORDER BY local_id", .integer(lastMutation)
            ) { row throws(DiaryError) in
                guard let local = row.integer(0), let mutation = row.blob(1).flatMap(DiaryMutation.init(bytes:)) else {
                    throw .storeFailed(detail: "a row of `outbox` cannot be read")
                }
                return (local, mutation, row.integer(2) == 1)
            }
            let waiting = edits.filter(\.2)
            var moved: [DiaryStamp: DiaryStamp] = [:]
            var clock = DiaryClock()
            // The clock goes back. Whoever has the former stamps, as a copy of the directory, keeps them under the former names.
            author = newName()
            for (local, mutation, _) in waiting {
                // An edit stays later than those that it answers, also where another device's is ahead of the server's time.
                let answered = mutation.namedStamps.map { (moved[$0] ?? $0).time }.max() ?? 0
                let time = max(min(serverTime.microseconds, mutation.stamp.time), answered + 1)
                let stamp = clock.stamp(at: Timestamp(microseconds: time), on: author)
                moved[mutation.stamp] = stamp
                try database.run("UPDATE outbox SET mutation = ? WHERE local_id = ?", .blob(mutation.moved(moved).bytes), .integer(local))
            }
            state.clock = clock
            for row in try baseRows() { state.clock.observe(row.1) }
            // What the server has taken and no checkpoint has shown yet.
            for (_, mutation, isWaiting) in edits where !isWaiting { state.clock.observe(mutation.stamp) }
            try state.save(database)
            for id in Set(waiting.map(\.1.entryID)) { try showAgain(id, state) }
        }
        tell()
    }

    // MARK: Pulling

    /// From where to read changes.
    func position() throws(DiaryError) -> DiaryReadPosition {
        let state = try SyncState(database)
        return DiaryReadPosition(device: state.device, cursor: state.stagedCursor.isEmpty ? state.cursor : state.stagedCursor)
    }

    /// Takes a page of changes. A complete one puts the whole checkpoint into the base, with the edits that it shows leaving the outbox, in one
    /// transaction; until then nothing that is shown changes.
    func take(_ page: DiaryReadPage, at position: DiaryReadPosition) throws(DiaryError) {
        forgetOutboxSize()
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            let expected = state.stagedCursor.isEmpty ? state.cursor : state.stagedCursor
            // Another process has read on meanwhile, or the directory has another name.
            guard position.cursor == expected, position.device == state.device else { return }
            for change in page.rows { try put(change.row, change.id, in: .staged) }
            state.stagedCursor = page.nextCursor
            guard page.isComplete else { return try state.save(database) }
            try complete(page, &state)
        }
        try removeUnusedImages()
        tell()
    }

    private func complete(_ page: DiaryReadPage, _ state: inout SyncState) throws(DiaryError) {
        let isFresh = state.cursor.isEmpty
        var touched = Set(try database.rows("SELECT entry_id FROM staged") { $0.entryID(0) }.compactMap(\.self))
        if isFresh {
            touched.formUnion(try database.rows("SELECT entry_id FROM shown") { $0.entryID(0) }.compactMap(\.self))
            try database.run("DELETE FROM base")
            try forgetImages(of: .base)
        }
        // Edits that are in the base now show no longer by themselves.
        touched.formUnion(
            try database.rows("SELECT entry_id FROM outbox WHERE number <= ?", .integer(page.lastMutation)) { $0.entryID(0) }.compactMap(\.self))
        try database.run("INSERT OR REPLACE INTO base (entry_id, row) SELECT entry_id, row FROM staged")
        try database.run(
            "DELETE FROM image_use WHERE place = ? AND key IN (SELECT entry_id FROM staged)", .integer(ImageUser.base.rawValue))
        if database.changes > 0 { mayHaveUnusedImages = true }
        try database.run(
            "UPDATE image_use SET place = ? WHERE place = ?", .integer(ImageUser.base.rawValue), .integer(ImageUser.staged.rawValue))
        for change in try database.rows("SELECT row FROM staged", read: { $0.blob(0).flatMap(DiaryRow.init(bytes:)) }) {
            if let change { state.clock.observe(change) }
        }
        try database.run("DELETE FROM staged")
        state.cursor = page.nextCursor
        state.stagedCursor = ""
        state.applied = page.lastMutation
        state.lastSync = now
        try state.save(database)
        try removeDone(through: page.lastMutation)
        // What the server has taken and does not know any more: it was restored from an earlier copy. It gets those edits again.
        try database.run("UPDATE outbox SET outcome = NULL WHERE number > ? AND outcome IS NOT NULL", .integer(page.lastMutation))
        for id in touched { try showAgain(id, state) }
    }

    /// Removes edits that the base has and whose results are here. Those that were refused are kept apart.
    private func removeDone(through number: Int64) throws(DiaryError) {
        try database.run(
            """
            INSERT INTO rejected (local_id, mutation, reason)
            SELECT local_id, mutation, outcome FROM outbox WHERE number <= ? AND outcome NOT IN ('applied', 'conflict')
            """, .integer(number))
        try database.run(
            "UPDATE image_use SET place = ? WHERE place = ? AND key IN (SELECT local_id FROM rejected)", .integer(ImageUser.rejected.rawValue),
            .integer(ImageUser.outbox.rawValue))
        try database.run(
            "DELETE FROM image_use WHERE place = ? AND key IN (SELECT local_id FROM outbox WHERE number <= ? AND outcome IS NOT NULL)",
            .integer(ImageUser.outbox.rawValue), .integer(number))
        if database.changes > 0 { mayHaveUnusedImages = true }
        try database.run("DELETE FROM outbox WHERE number <= ? AND outcome IS NOT NULL", .integer(number))
    }

    /// Computes what an entry is shown as: the base with the edits that are not in it.
    private func showAgain(_ id: DiaryEntryID, _ state: SyncState) throws(DiaryError) {
        var row = try Self.row(id, in: "base", database)
        let edits = try database.rows(
            "SELECT mutation FROM outbox WHERE entry_id = ? AND (number IS NULL OR number > ?) ORDER BY local_id", .blob(id.bits.bytes),
            .integer(state.applied)
        ) { row throws(DiaryError) in
            guard let mutation = row.blob(0).flatMap(DiaryMutation.init(bytes:)) else { throw .damaged(id) }
            return mutation
        }
        for edit in edits { _ = DiaryMerge.apply(edit, to: &row) }
        try show(id, row)
    }

    /// Begins again from the first change: what comes then takes the place of the base. What is shown stays until it is complete.
    func beginAgain() throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            try forgetCursor(&state)
            try state.save(database)
        }
    }

    private func forgetCursor(_ state: inout SyncState) throws(DiaryError) {
        state.cursor = ""
        state.stagedCursor = ""
        try database.run("DELETE FROM staged")
        try forgetImages(of: .staged)
    }

    // MARK: Status

    /// How the directory is, counted now (promise 20).
    public func status() throws(DiaryError) -> DiaryStatus {
        let state = try SyncState(database)
        let count = { (sql: String) throws(DiaryError) in try self.database.rows(sql) { $0.integer(0) }.first.flatMap(\.self) ?? 0 }
        return DiaryStatus(
            owner: state.owner, device: state.device, entryCount: try count("SELECT count(*) FROM shown WHERE entry_time IS NOT NULL"),
            pendingCount: try count("SELECT count(*) FROM outbox WHERE outcome IS NULL"),
            oldestPending: try database.rows("SELECT min(made_time) FROM outbox WHERE outcome IS NULL") { $0.integer(0) }.first.flatMap(\.self)
                .map(Timestamp.init(microseconds:)),
            rejectedCount: try count("SELECT count(*) FROM rejected"),
            conflictCount: try conflicts().reduce(0) { $0 + Int64($1.row.conflicts.count) },
            imageCount: try count("SELECT count(DISTINCT sha256) FROM image_use"), wantedImageCount: Int64(try wantedImages().count),
            lastSync: state.lastSync)
    }
}

/// Edits on their way to the server.
struct DiaryBatch: Hashable, Sendable {
    let device: DiaryDeviceID
    let mutations: [NumberedDiaryMutation]
    let confirmed: Int64
}

/// Where a directory reads on.
struct DiaryReadPosition: Hashable, Sendable {
    let device: DiaryDeviceID
    let cursor: String
}

/// How a directory is with its server.
public struct DiaryStatus: Hashable, Sendable {
    /// Whose diary it is; `nil` before an account is attached.
    public let owner: UserID?
    public let device: DiaryDeviceID
    /// Entries that are not deleted.
    public let entryCount: Int64
    /// Edits that the server has not answered.
    public let pendingCount: Int64
    /// When the oldest of them was made.
    public let oldestPending: Timestamp?
    /// Edits that the server refused for good.
    public let rejectedCount: Int64
    /// Edits that lost and wait for their owner's word.
    public let conflictCount: Int64
    /// Pictures that something here names.
    public let imageCount: Int64
    /// Those of them whose bytes are still to be fetched.
    public let wantedImageCount: Int64
    /// When everything was last the same as on the server.
    public let lastSync: Timestamp?
}

extension DiaryRow {
    /// The edits that make an entry what it is, on a device that nobody has heard of: its creation, and the last edit of each field since.
    ///
    /// A creation alone would do for one device. But the directory may have been copied before, and both have been edited: the second creation is nothing, and
    /// its edits are merged like all others.
    fileprivate func history(of entry: DiaryEntry) -> [DiaryMutation] {
        // All copies name the creation alike. Within a directory no two edits have one time.
        let stamp = DiaryStamp(time: createTime.microseconds, device: .creating(entry.id))
        let creation = DiaryMutation(entryID: entry.id, stamp: stamp, kind: .create(entry.content))
        var created: DiaryRow?
        _ = DiaryMerge.apply(creation, to: &created)
        let edited = Dictionary(grouping: stampedFields.filter { self[$0].stamp.time != stamp.time }) { self[$0].stamp }
        return [creation] + edited.sorted { $0.key < $1.key }.map { stamp, fields in
            let patch = DiaryPatch(
                values: Dictionary(uniqueKeysWithValues: fields.map { ($0, entry.content[$0]) }),
                bases: Dictionary(uniqueKeysWithValues: fields.map { ($0, created?[$0].stamp ?? .none) }))
            return DiaryMutation(entryID: entry.id, stamp: stamp, kind: .patch(patch))
        }
    }
}

extension DiaryDeviceID {
    /// The author of an entry's creation in a directory without an account: the entry's own id.
    static func creating(_ id: DiaryEntryID) -> DiaryDeviceID { DiaryDeviceID(bits: id.bits) }
}

extension DiaryMutation {
    /// The stamps of what its author had seen.
    fileprivate var namedStamps: [DiaryStamp] {
        switch kind {
        case .create: []
        case .patch(let patch): Array(patch.bases.values) + patch.covers.map(\.stamp)
        case .delete(let seen): Array(seen.values)
        case .dismiss(let covers): covers.map(\.stamp)
        }
    }

    /// The same edit with stamps that have moved.
    fileprivate func moved(_ moved: [DiaryStamp: DiaryStamp]) -> DiaryMutation {
        let now = { (stamp: DiaryStamp) in moved[stamp] ?? stamp }
        let names = { (names: Set<DiaryFieldStamp>) in Set(names.map { DiaryFieldStamp($0.field, now($0.stamp)) }) }
        let kind: Kind =
            switch kind {
            case .create: kind
            case .patch(let patch): .patch(DiaryPatch(values: patch.values, bases: patch.bases.mapValues(now), covers: names(patch.covers)))
            case .delete(let seen): .delete(seen: seen.mapValues(now))
            case .dismiss(let covers): .dismiss(names(covers))
            }
        return DiaryMutation(entryID: entryID, stamp: now(stamp), kind: kind)
    }
}
