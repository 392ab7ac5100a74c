import PulseBoardDomain

/// The outbox of a directory: edits that wait for the server, with their numbers and the server's results.
extension DiaryFile {
    /// Adds an edit at the end, in a transaction that saves the state.
    /// - Parameter bytes: the edit's encoding, if the caller has it.
    func enqueue(_ mutation: DiaryMutation, encoded bytes: [UInt8]? = nil, _ state: inout SyncState) throws(DiaryError) {
        let place = state.nextPlace
        state.nextPlace += 1
        try database.run(
            "INSERT INTO outbox (local_id, entry_id, mutation, made_time) VALUES (?, ?, ?, ?)", .integer(place), .blob(mutation.entryID.bits.bytes),
            .blob(bytes ?? mutation.bytes), .integer(now.microseconds))
        // The place is new, so no picture is recorded under it.
        if !mutation.images.isEmpty { try noteImages(mutation.images, of: .outbox, .integer(place)) }
    }

    // MARK: What is sent

    /// Stores the results of the former push, and takes what the next one needs. It is one transaction, so that the disk is synced once.
    ///
    /// The next edits get their numbers, as ``nextBatch(through:)`` says, unless they name pictures: those must be sent before the edits get numbers.
    /// - Returns: `nil` if there is nothing to send.
    func nextPush(after answered: DiaryAnsweredBatch? = nil) throws(DiaryError) -> DiaryNextPush? {
        if answered == nil { guard try hasUnsentEdits() else { return nil } }
        return try noting(answered) { () throws(DiaryError) in try nextPushInTransaction() }
    }

    /// Stores the results of a push, and takes the edits after a batch that is under way, in one transaction.
    /// - Returns: `nil` if there are none, or they name pictures. Then the batch must be answered first.
    func nextBatch(behind sent: DiaryBatch, after answered: DiaryAnsweredBatch?) throws(DiaryError) -> DiaryBatch? {
        let last = sent.mutations.last?.number ?? .max
        if answered == nil { guard try hasUnsentEdits(behind: last) else { return nil } }
        return try noting(answered) { () throws(DiaryError) in try nextBatchInTransaction(behind: last, of: sent.device) }
    }

    /// Stores the results of a push and takes what comes next, in one transaction.
    private func noting<Next>(_ answered: DiaryAnsweredBatch?, _ next: () throws(DiaryError) -> Next) throws(DiaryError) -> Next {
        forgetOutboxSize()
        var isInBase = false
        let found = try database.transaction { () throws(DiaryError) -> Result<Next, DiaryError> in
            if let answered { isInBase = try note(answered) }
            do throws(DiaryError) { return .success(try next()) } catch {
                // The results are stored even if the next edits cannot be read.
                guard case .damaged = error else { throw error }
                return .failure(error)
            }
        }
        try removeUnusedImages()
        if isInBase { tell() }
        return try found.get()
    }

    private func nextBatchInTransaction(behind last: Int64, of device: DiaryDeviceID) throws(DiaryError) -> DiaryBatch? {
        let state = try SyncState(database)
        let edits = try nextEdits(through: .max, behind: last)
        guard state.device == device, !edits.isEmpty, pictures(of: edits, appliedThrough: state.applied).images.isEmpty else { return nil }
        return try numbered(edits)
    }

    private func nextPushInTransaction() throws(DiaryError) -> DiaryNextPush? {
        let edits = try nextEdits(through: .max)
        guard !edits.isEmpty else { return nil }
        let pictures = pictures(of: edits, appliedThrough: try SyncState(database).applied)
        return pictures.images.isEmpty ? .batch(try numbered(edits)) : .pictures(pictures)
    }

    /// The pictures that edits name, except of those that the server has applied already: there only the results are not here.
    private func pictures(of edits: [WaitingEdit], appliedThrough applied: Int64) -> DiaryNextPictures {
        // Edits with numbers may lie behind others that are not among these.
        var next = DiaryNextPictures(lastEdit: edits.filter { $0.number == nil }.map(\.local).max() ?? 0)
        for edit in edits where edit.number ?? .max > applied {
            for image in edit.mutation.images {
                next.images[image.hash] = image
                if edit.number == nil {
                    next.entries[image.hash, default: []].insert(edit.mutation.entryID)
                } else {
                    next.numbered.insert(image.hash)
                }
            }
        }
        return next
    }

    /// The next edits to send; `nil` if there are none. They get their numbers on the disk before they are sent. The same edits are returned until
    /// ``acknowledge(_:from:)``.
    /// - Parameter last: edits after this place are left for the next batch, unless they have numbers.
    func nextBatch(through last: Int64 = .max) throws(DiaryError) -> DiaryBatch? {
        try database.transaction { () throws(DiaryError) in
            let edits = try nextEdits(through: last)
            return edits.isEmpty ? nil : try numbered(edits)
        }
    }

    /// Gives numbers to edits that have none, in a transaction.
    private func numbered(_ edits: [WaitingEdit]) throws(DiaryError) -> DiaryBatch {
        var state = try SyncState(database)
        var mutations = edits.compactMap { edit in edit.number.map { NumberedDiaryMutation(number: $0, mutation: edit.mutation) } }
        // One statement numbers all edits that were made one after another.
        for run in edits.dropFirst(mutations.count).runs(where: { $0.local + 1 == $1.local }) {
            guard let first = run.first, let last = run.last else { continue }
            try database.run(
                "UPDATE outbox SET number = local_id + ? WHERE local_id BETWEEN ? AND ?", .integer(state.nextNumber - first.local),
                .integer(first.local), .integer(last.local))
            for edit in run {
                mutations.append(NumberedDiaryMutation(number: state.nextNumber, mutation: edit.mutation))
                state.nextNumber += 1
            }
        }
        try state.save(database)
        return DiaryBatch(device: state.device, mutations: mutations, confirmed: state.confirmed, time: now)
    }

    /// Edits for one push: first those with numbers, then the others in order, without held ones.
    /// - Parameter number: edits with numbers up to this one are under way.
    private func nextEdits(through last: Int64, behind number: Int64 = .min) throws(DiaryError) -> [WaitingEdit] {
        var edits = try waitingEdits("o.number > ?2 ORDER BY o.number", limit: editsPerPush, .integer(number))
        // A held edit also holds all later ones of its entry, so that an entry's edits stay in order.
        edits += try waitingEdits(
            """
            o.number IS NULL AND o.local_id <= ?2 AND NOT EXISTS (SELECT 1 FROM outbox h WHERE h.entry_id = o.entry_id AND h.held IS NOT NULL)
            ORDER BY o.local_id
            """, limit: editsPerPush - edits.count, .integer(last))
        var byteCount = 0
        let end = edits.firstIndex { edit in
            byteCount += edit.byteCount
            return byteCount > DiaryLimits.maximumBatchBytes
        }
        // At least one edit is sent, of any length.
        return Array(edits.prefix(max(end ?? edits.count, 1)))
    }

    private func waitingEdits(_ condition: String, limit: Int, _ values: SQLValue...) throws(DiaryError) -> [WaitingEdit] {
        try database.rows(
            "SELECT o.local_id, o.number, o.mutation, o.entry_id FROM outbox o WHERE o.outcome IS NULL AND \(condition) LIMIT ?1",
            [.integer(Int64(limit))] + values
        ) { row throws(DiaryError) in
            guard let local = row.integer(0), let bytes = row.blob(2), let id = row.entryID(3) else {
                throw .unreadableRow(of: "outbox")
            }
            guard let mutation = DiaryMutation(bytes: bytes) else { throw .damaged(id) }
            return WaitingEdit(local: local, number: row.integer(1), mutation: mutation, byteCount: bytes.count)
        }
    }

    private struct WaitingEdit {
        let local: Int64
        let number: Int64?
        let mutation: DiaryMutation
        let byteCount: Int
    }

    /// Holds edits of these entries that have no number yet, because their pictures cannot be sent now. Other entries go on.
    func hold(_ entries: Set<DiaryEntryID>, for reason: String) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            for entry in entries {
                try database.run(
                    "UPDATE outbox SET held = ? WHERE entry_id = ? AND outcome IS NULL AND number IS NULL", .text(reason), .blob(entry.bits.bytes))
            }
        }
    }

    /// Takes back the numbers of edits that the server did not have at the last checkpoint, so that they can be held.
    ///
    /// A push with those numbers may still be under way. If it arrives first, the server knows the numbers for other edits and says so; the directory
    /// then takes another name (``becomeNewDevice(serverKnows:)``), and edits that arrive under both names count once.
    /// - Throws: `diary(.mutationGap)` when the server knows less than it has answered: it was restored from a copy.
    func takeNumbersBack() throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            guard state.confirmed <= state.applied else { throw .diary(.mutationGap(lastMutation: state.applied)) }
            try takeNumbersBack(&state)
            try state.save(database)
        }
    }

    /// Takes numbers back in a transaction. The server knows all that it has answered.
    func takeNumbersBack(_ state: inout SyncState) throws(DiaryError) {
        try database.run("UPDATE outbox SET number = NULL WHERE number > ?", .integer(state.applied))
        // An edit may keep a number that the server has: the push with that number arrived late, and for the server it names another edit. Numbers
        // continue after it without a gap, so that the server compares it and says so.
        let kept = try database.rows("SELECT max(number) FROM outbox WHERE outcome IS NULL") { $0.integer(0) }.first.flatMap(\.self)
        state.nextNumber = (kept ?? state.applied) + 1
    }

    /// Releases all held edits, so that they are tried again.
    func holdNothing() throws(DiaryError) {
        guard try !database.rows("SELECT 1 FROM outbox WHERE held IS NOT NULL LIMIT 1", read: { _ in }).isEmpty else { return }
        try database.transaction { () throws(DiaryError) in try database.run("UPDATE outbox SET held = NULL WHERE held IS NOT NULL") }
    }

    /// Whether an edit waits that the server has not answered and that is not held.
    /// - Parameter number: edits with numbers up to this one do not count.
    func hasUnsentEdits(behind number: Int64 = .min) throws(DiaryError) -> Bool {
        try !database.rows(
            "SELECT 1 FROM outbox WHERE outcome IS NULL AND held IS NULL AND (number IS NULL OR number > ?) LIMIT 1", .integer(number)
        ) { _ in }.isEmpty
    }

    /// Whether to read before sending. The server's cursors can fit only if this directory has read everything. Reading first costs a call, so it is
    /// done if nothing was read yet or if there are edits for more than one push.
    func shouldReadFirst() throws(DiaryError) -> Bool {
        guard try hasUnsentEdits() else { return false }
        guard try !SyncState(database).cursor.isEmpty else { return true }
        return try !database.rows(
            "SELECT 1 FROM outbox WHERE outcome IS NULL AND held IS NULL LIMIT 1 OFFSET ?", .integer(Int64(editsPerPush))) { _ in }.isEmpty
    }

    /// Whether an edit waits that the server had answered and then forgot.
    func hasForgottenEdits() throws(DiaryError) -> Bool {
        try !database.rows("SELECT 1 FROM outbox WHERE outcome IS NULL AND number IS NOT NULL LIMIT 1") { _ in }.isEmpty
    }

    /// Stores the results of a push. The shown entries do not change: the edits stay until a checkpoint contains them.
    func acknowledge(_ results: [DiaryMutationResult], from device: DiaryDeviceID) throws(DiaryError) {
        let batch = DiaryBatch(device: device, mutations: [], confirmed: 0, time: now)
        try acknowledge(DiaryAnsweredBatch(batch: batch, reply: DiaryPushReply(results: results)))
    }

    /// Stores the results of a push, as ``nextPush(after:)`` does.
    func acknowledge(_ answered: DiaryAnsweredBatch) throws(DiaryError) {
        try noting(answered) { () throws(DiaryError) in }
    }

    /// - Returns: whether the base has the edits now (``takeOwnChanges(_:_:)``).
    private func note(_ answered: DiaryAnsweredBatch) throws(DiaryError) -> Bool {
        var state = try SyncState(database)
        guard state.device == answered.batch.device else { return false }
        if try takeOwnChanges(answered, &state) { return true }
        for run in answered.results.runs(where: { $0.number + 1 == $1.number && $0.outcome == $1.outcome }) {
            guard let first = run.first, let last = run.last else { continue }
            let outcome =
                switch first.outcome {
                case .applied: "applied"
                case .conflict: "conflict"
                case .rejected(let reason): reason.rawValue
                }
            try database.run(
                "UPDATE outbox SET outcome = ? WHERE number BETWEEN ? AND ?", .text(outcome), .integer(first.number), .integer(last.number))
            state.confirmed = max(state.confirmed, last.number)
        }
        try state.save(database)
        // Remove edits that a checkpoint contained already. One may still be shown as waiting: a copy of the directory has sent it before.
        guard answered.results.contains(where: { $0.number <= state.applied }) else { return false }
        let touched = try entriesToShow(.min...state.applied, "o.outcome IS NOT NULL")
        try removeDone(through: state.applied)
        for id in touched { try showAgain(id, state) }
        return false
    }

    /// Moves the stamps of edits that the server has not taken to the server's time, in order. References between stamps are kept.
    func moveStamps(to serverTime: Timestamp, after lastMutation: Int64) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            let edits = try database.rows(
                "SELECT local_id, mutation, outcome IS NULL AND (number IS NULL OR number > ?), entry_id FROM outbox ORDER BY local_id",
                .integer(lastMutation)
            ) { row throws(DiaryError) in
                guard let local = row.integer(0), let id = row.entryID(3) else { throw .unreadableRow(of: "outbox") }
                guard let mutation = row.blob(1).flatMap(DiaryMutation.init(bytes:)) else { throw .damaged(id) }
                return (local, mutation, row.integer(2) == 1)
            }
            let waiting = edits.filter(\.2)
            var moved: [DiaryStamp: DiaryStamp] = [:]
            var clock = DiaryClock()
            // The clock goes back, so take a new author name. A copy of the directory may still use the former stamps under the former name.
            author = newName()
            for (local, mutation, _) in waiting {
                // An edit stays later than those that it replaces, even if another device's stamp is ahead of the server's time.
                let answered = mutation.namedStamps.map { (moved[$0] ?? $0).time }.max() ?? 0
                let time = max(min(serverTime.microseconds, mutation.stamp.time), answered + 1)
                let stamp = clock.stamp(at: Timestamp(microseconds: time), on: author)
                moved[mutation.stamp] = stamp
                try database.run("UPDATE outbox SET mutation = ? WHERE local_id = ?", .blob(mutation.moved(moved).bytes), .integer(local))
            }
            state.clock = clock
            let read = try database.rows("SELECT row FROM base UNION ALL SELECT row FROM staged") { $0.blob(0).flatMap(DiaryRow.init(bytes:)) }
            for case let row? in read { state.clock.observe(row) }
            // Edits that the server has taken and no checkpoint contained yet.
            for (_, mutation, isWaiting) in edits where !isWaiting { state.clock.observe(mutation.stamp) }
            try state.save(database)
            for id in Set(waiting.map(\.1.entryID)) { try showAgain(id, state, moved: moved) }
        }
        tell()
    }

    // MARK: Names

    /// Gives the directory a new device id, and its outbox new numbers, because a copy uses the former id too, or the server has forgotten some of
    /// its mutations.
    /// - Parameters:
    ///   - last: the last number that the server knows, if it has forgotten some. Later edits are sent again, and the base is read from the
    ///     beginning.
    ///   - isRestored: whether it has forgotten them because it was restored from a copy.
    func becomeNewDevice(serverKnows last: Int64? = nil, isRestored: Bool = false) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            var state = try SyncState(database)
            if isRestored { try noteRestored(true) }
            if let last {
                try database.run("UPDATE outbox SET outcome = NULL WHERE number > ?", .integer(last))
                try forgetCursor(&state)
            }
            let hidden = try renumber(asNewDevice: &state)
            try state.save(database)
            for id in hidden { try showAgain(id, state) }
        }
    }

    /// Whether the server has forgotten mutations that it had answered. If it has not, a gap after `last` stands for edits that could not be read in
    /// this directory.
    /// - Parameter last: the highest number that the server knows.
    func hasForgotten(after last: Int64) throws(DiaryError) -> Bool {
        let state = try SyncState(database)
        return last < max(state.confirmed, state.applied)
    }

    /// Takes a new device id in a transaction. No waiting edit has a number after that.
    /// - Returns: the entries that must be shown again. An edit was hidden if a copy of the directory had used its number.
    func renumber(asNewDevice state: inout SyncState) throws(DiaryError) -> Set<DiaryEntryID> {
        let hidden = try database.rows("SELECT entry_id FROM outbox WHERE number <= ?", .integer(state.applied)) { $0.entryID(0) }
        state.device = newName()
        state.isRegistered = false
        state.nextNumber = 1
        state.confirmed = 0
        // Edits that the server has taken come into the base with the next checkpoint, without a number of the new id.
        state.applied = .min
        try database.run("UPDATE outbox SET number = CASE WHEN outcome IS NULL THEN NULL ELSE -local_id END")
        return Set(hidden.compactMap(\.self))
    }
}

/// Edits on their way to the server.
struct DiaryBatch: Hashable, Sendable {
    let device: DiaryDeviceID
    let mutations: [NumberedDiaryMutation]
    let confirmed: Int64
    /// A time before the edits are sent.
    let time: Timestamp
}

/// Edits with the server's results.
struct DiaryAnsweredBatch: Hashable, Sendable {
    /// The edits as they were sent.
    let batch: DiaryBatch
    let reply: DiaryPushReply

    var results: [DiaryMutationResult] { reply.results }
}

/// What the next push needs.
enum DiaryNextPush: Sendable {
    /// Edits that can be sent now.
    case batch(DiaryBatch)
    /// Edits without numbers, whose pictures the server must have first.
    case pictures(DiaryNextPictures)
}

extension Collection {
    /// The collection in parts: an element belongs to the part of the one before it if `continues` says so.
    fileprivate func runs(where continues: (Element, Element) -> Bool) -> [SubSequence] {
        var runs: [SubSequence] = []
        var start = startIndex
        for (index, next) in zip(indices, indices.dropFirst()) where !continues(self[index], self[next]) {
            runs.append(self[start..<next])
            start = next
        }
        return isEmpty ? [] : runs + [self[start...]]
    }
}

/// The pictures of the edits of the next push.
struct DiaryNextPictures: Sendable {
    /// The place of the last of these edits in the outbox.
    let lastEdit: Int64
    var images: [DiaryImageHash: DiaryImage] = [:]
    /// For each picture of edits without numbers, the entries that name it. These edits can still be held.
    var entries: [DiaryImageHash: Set<DiaryEntryID>] = [:]
    /// Pictures of edits with numbers, except those that the server has shown to have. Such edits may have been sent before, and must be sent first.
    var numbered: Set<DiaryImageHash> = []
}

extension DiaryMutation {
    /// The stamps that its author had seen.
    fileprivate var namedStamps: [DiaryStamp] {
        switch kind {
        case .create: []
        case .patch(let patch): Array(patch.bases.values) + patch.covers.map(\.stamp)
        case .delete(let seen): Array(seen.values)
        case .dismiss(let covers): covers.map(\.stamp)
        }
    }

    /// The edit with moved stamps.
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
