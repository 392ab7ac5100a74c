import PulseBoardDomain

/// Edits that the server rejected for good. They stay until their owner makes them again or forgets them.
extension DiaryFile {
    /// Edits that the server rejected for good, oldest first. Unreadable ones are put aside (``DiaryStatus/damagedCount``).
    public func rejected() throws(DiaryError) -> [RejectedDiaryMutation] {
        var unreadable: [(number: Int64, bytes: [UInt8])] = []
        let found = try database.rows("SELECT local_id, mutation, reason FROM rejected ORDER BY local_id") { row -> RejectedDiaryMutation? in
            let number = row.integer(0) ?? 0, bytes = row.blob(1) ?? []
            guard let mutation = DiaryMutation(bytes: bytes), let reason = row.text(2) else {
                unreadable.append((number, bytes))
                return nil
            }
            return RejectedDiaryMutation(number: number, mutation: mutation, reason: reason)
        }
        if !unreadable.isEmpty { try setRejectedAside(unreadable) }
        return found.compactMap(\.self)
    }

    /// Makes a rejected edit again: a creation as a new entry, a change in its entry, or as a new entry if that is deleted.
    ///
    /// The rejected edit is forgotten. If the new one leaves its pictures out, they stay as an edit of their own until ``forgetRejected(_:)``.
    /// - Parameter withPictures: whether the edit keeps its pictures.
    /// - Returns: the entry that has the values.
    /// - Throws: `notRejected` if there is no such edit, or it has no values; `outboxFull`.
    public func restoreRejected(_ number: Int64, withPictures: Bool) throws(DiaryError) -> DiaryEntryID {
        defer { forgetOutboxSize() }
        guard let rejected = try rejected().first(where: { $0.number == number }) else { throw .notRejected }
        let id = try database.transaction { () throws(DiaryError) -> DiaryEntryID in
            var values: [DiaryField: DiaryValue]
            switch rejected.mutation.kind {
            case .create(let content): values = Dictionary(uniqueKeysWithValues: DiaryField.allCases.map { ($0, content[$0]) })
            case .patch(let patch): values = patch.values
            case .delete, .dismiss: throw .notRejected
            }
            if !withPictures { values[.images] = nil }
            guard !values.isEmpty else { throw .notRejected }
            let id = try write(values, as: rejected.mutation)
            if withPictures || rejected.mutation.images.isEmpty { try removeRejected(number) } else { try keepPictures(of: rejected, for: id) }
            return id
        }
        try removeUnusedImages()
        tell()
        return id
    }

    /// Leaves only the pictures of a rejected edit, so that the rest is not made twice.
    private func keepPictures(of rejected: RejectedDiaryMutation, for id: DiaryEntryID) throws(DiaryError) {
        let rest = DiaryMutation(
            entryID: id, stamp: rejected.mutation.stamp, kind: .patch(.unseen([.images: .images(rejected.mutation.images)])))
        try database.run("UPDATE rejected SET mutation = ? WHERE local_id = ?", .blob(rest.bytes), .integer(rejected.number))
    }

    private func write(_ values: [DiaryField: DiaryValue], as rejected: DiaryMutation) throws(DiaryError) -> DiaryEntryID {
        if !rejected.isCreation, let row = try mendedRow(rejected.entryID), !row.isDeleted {
            _ = try changeInTransaction(rejected.entryID) { _ in .patch(DiaryPatch(values, of: row)) }
            return rejected.entryID
        }
        let id = DiaryEntryID(bits: newName().bits)
        let content = DiaryContent(values, writtenAt: Timestamp(microseconds: rejected.stamp.time))
        _ = try changeInTransaction(id) { _ in .create(content) }
        return id
    }

    /// Forgets a rejected edit and its pictures.
    /// - Throws: `notRejected` if there is no such edit.
    public func forgetRejected(_ number: Int64) throws(DiaryError) {
        try database.transaction { () throws(DiaryError) in
            try removeRejected(number)
        }
        try removeUnusedImages()
        tell()
    }

    private func removeRejected(_ number: Int64) throws(DiaryError) {
        try noteImages([], of: .rejected, .integer(number))
        try database.run("DELETE FROM rejected WHERE local_id = ?", .integer(number))
        guard database.changes > 0 else { throw .notRejected }
    }
}

/// An edit that the server rejected for good. Only this directory has its text.
public struct RejectedDiaryMutation: Hashable, Sendable {
    /// Names it in its directory.
    public let number: Int64
    public let mutation: DiaryMutation
    /// The reason, such as `DIARY_FULL`.
    public let reason: String
}

extension DiaryContent {
    /// A content of some values. A field without a value is empty, and the time is that of the writing.
    init(_ values: [DiaryField: DiaryValue], writtenAt time: Timestamp) {
        var (time, emotion, text, images) = (time, "", "", [DiaryImage]())
        for value in values.values {
            switch value {
            case .time(let own): time = own
            case .emotion(let own): emotion = own
            case .text(let own): text = own
            case .images(let own): images = own
            }
        }
        self.init(stored: time, emotion: emotion, text: text, images: images)
    }
}
