import PulseBoardDomain
import PulseBoardVocabulary

/// The state of a diary picture. The store keeps the numbers.
enum DiaryImageState: Int64 {
    /// Its bytes are being written.
    case writing = 0
    /// Its bytes are durable.
    case stored = 1
    /// Its bytes are being removed.
    case discarded = 2
}

extension SQLStore {
    /// How long writing the bytes of a picture may take. After that, what a crash left is removed.
    private static let writingLifetime = Timestamp.Interval.seconds(600)

    /// Writes the row, then each part of the bytes in its own write, then the row again. So a crash leaves no bytes without a row.
    public func stageDiaryImage(
        _ image: DiaryImage, of owner: UserID, at time: Timestamp, _ bytes: @Sendable (Range<Int>) async throws(RepositoryError) -> [UInt8]
    ) async throws(RepositoryError) {
        let key = DiaryKey.random(using: SystemRandomSource())
        // The times of a picture must not become shorter when a clock that is behind is set.
        let now = housekeeping.judged(time).begin
        let isThere = try await write(of: owner) { [vault] connection throws(RepositoryError) in
            try connection.lock(owner)
            var record = try DiaryRecord.findOrBegin(owner, as: key, vault, connection)
            let known = try record.image(image.hash, connection)
            if known?.state == .stored {
                try record.keepImage(image.hash, at: now, connection)
                return true
            }
            if known == nil {
                record.imageCount += 1
                record.imageByteCount += Int64(image.byteCount)
                guard record.isWithinImageLimits else { throw .diary(.full) }
                try record.save(connection)
            }
            var statement = try connection.statement(
                """
                INSERT INTO diary_image (diary, sha256, state, uses, content_type, byte_count, expire_time) VALUES (?, ?, ?, 0, ?, ?, ?)
                ON CONFLICT (diary, sha256) DO UPDATE SET state = excluded.state, expire_time = excluded.expire_time
                """)
            try statement.bind(record.diary)
            try statement.bind(image.hash.bytes)
            try statement.bind(DiaryImageState.writing.rawValue)
            try statement.bind(image.contentType)
            try statement.bind(Int64(image.byteCount))
            try statement.bind(now.advanced(by: Self.writingLifetime))
            try statement.run()
            return false
        }
        guard !isThere else { return }
        for part in 0..<image.partCount {
            let content = try await bytes(image.range(ofPart: part))
            let isStoredElsewhere = try await write { [vault] connection throws(RepositoryError) in
                try connection.lock(owner)
                guard let record = try Self.record(writing: image, of: owner, at: now, vault, connection) else { return true }
                var statement = try connection.statement(
                    """
                    INSERT INTO diary_image_part (diary, sha256, part, bytes, is_sealed) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (diary, sha256, part) DO UPDATE SET bytes = excluded.bytes, is_sealed = excluded.is_sealed
                    """)
                try statement.bind(record.diary)
                try statement.bind(image.hash.bytes)
                try statement.bind(Int64(part))
                try statement.bind(try vault.sealed(content, at: .imagePart(record.diary, sha256: image.hash.bytes, part: Int64(part))))
                try statement.bind(vault.seal.isSealing ? 1 : 0)
                try statement.run()
                return false
            }
            if isStoredElsewhere { return }
        }
        try await write { [vault] connection throws(RepositoryError) in
            try connection.lock(owner)
            guard let record = try Self.record(writing: image, of: owner, at: now, vault, connection) else { return }
            var statement = try connection.statement("UPDATE diary_image SET state = ?, expire_time = ? WHERE diary = ? AND sha256 = ?")
            try statement.bind(DiaryImageState.stored.rawValue)
            try statement.bind(now.advanced(by: DiaryLimits.unusedImageLifetime))
            try statement.bind(record.diary)
            try statement.bind(image.hash.bytes)
            try statement.run()
        }
    }

    /// The diary into which a picture is being written; `nil` if another server has stored the same picture meanwhile. That one is kept for a day.
    /// - Throws: `diary(.imageNotFound)` if writing took so long that the picture was removed.
    private static func record(
        writing image: DiaryImage, of owner: UserID, at now: Timestamp, _ vault: DiaryVault, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> DiaryRecord? {
        let record = try DiaryRecord.find(owner, vault, connection)
        guard let record, let state = try record.image(image.hash, connection)?.state, state != .discarded else { throw .diary(.imageNotFound) }
        if state == .writing { return record }
        try record.keepImage(image.hash, at: now, connection)
        return nil
    }

    public func missingDiaryImages(
        _ hashes: [DiaryImageHash], of owner: UserID, at time: Timestamp
    ) async throws(RepositoryError) -> [DiaryImageHash] {
        let now = housekeeping.judged(time).begin
        return try await write(of: owner) { [vault] connection throws(RepositoryError) in
            try connection.lock(owner)
            var seen: Set<DiaryImageHash> = []
            let named = hashes.filter { seen.insert($0).inserted }
            guard let record = try DiaryRecord.find(owner, vault, connection) else { return named }
            let stored = try record.keepStored(named, at: now, connection)
            return named.filter { !stored.contains($0) }
        }
    }

    public func diaryImages(of owner: UserID, after hash: DiaryImageHash?, limit: Int) async throws(RepositoryError) -> [DiaryImage] {
        try await readLong(of: owner) { [vault] connection throws(RepositoryError) in
            guard let record = try DiaryRecord.find(owner, vault, connection) else { return [] }
            var statement = try connection.statement(
                "SELECT sha256, content_type, byte_count FROM diary_image WHERE diary = ? AND sha256 > ? AND state = ? ORDER BY sha256 LIMIT ?")
            try statement.bind(record.diary)
            try statement.bind(hash?.bytes ?? [])
            try statement.bind(DiaryImageState.stored.rawValue)
            try statement.bind(Int64(limit))
            var images: [DiaryImage] = []
            while try statement.step() {
                guard let hash = statement.blob(0).flatMap({ DiaryImageHash(bytes: $0) }), let type = statement.text(1),
                    let count = statement.integer(2)
                else { throw .corruptRow(table: "diary_image", key: record.diary.description) }
                images.append(DiaryImage(hash: hash, contentType: type, byteCount: Int(count)))
            }
            return images
        }
    }

    public func diaryImage(_ hash: DiaryImageHash, of owner: UserID) async throws(RepositoryError) -> DiaryImage {
        try await read(of: owner) { [vault] connection throws(RepositoryError) in
            guard let stored = try DiaryRecord.find(owner, vault, connection)?.image(hash, connection), stored.state == .stored else {
                throw .diary(.imageNotFound)
            }
            return stored.image
        }
    }

    public func diaryImagePart(_ part: Int, of hash: DiaryImageHash, of owner: UserID) async throws(RepositoryError) -> [UInt8] {
        try await readLong(of: owner) { [vault] connection throws(RepositoryError) in
            guard let record = try DiaryRecord.find(owner, vault, connection), let stored = try record.image(hash, connection),
                stored.state == .stored,
                (0..<stored.image.partCount).contains(part)
            else { throw .diary(.imageNotFound) }
            var statement = try connection.statement("SELECT bytes, is_sealed FROM diary_image_part WHERE diary = ? AND sha256 = ? AND part = ?")
            try statement.bind(record.diary)
            try statement.bind(hash.bytes)
            try statement.bind(Int64(part))
            guard try statement.step(), let kept = statement.blob(0), let isSealed = statement.integer(1),
                let bytes = isSealed == 1
                    ? try vault.opened(kept, at: .imagePart(record.diary, sha256: hash.bytes, part: Int64(part))) : kept,
                bytes.count == stored.image.range(ofPart: part).count else {
                throw .corruptRow(table: "diary_image_part", key: hash.description)
            }
            return bytes
        }
    }
}

/// A picture of a diary, with the state of its row.
struct StoredDiaryImage {
    let image: DiaryImage
    let state: DiaryImageState
}

extension DiaryRecord {
    /// Whether the pictures' counts are within the limits.
    var isWithinImageLimits: Bool {
        imageCount <= DiaryLimits.maximumStoredImages && imageByteCount <= DiaryLimits.maximumStoredImageBytes
    }

    func image(_ hash: DiaryImageHash, _ connection: borrowing SQLConnection) throws(RepositoryError) -> StoredDiaryImage? {
        var statement = try connection.statement("SELECT state, content_type, byte_count FROM diary_image WHERE diary = ? AND sha256 = ?")
        try statement.bind(diary)
        try statement.bind(hash.bytes)
        guard try statement.step() else { return nil }
        guard let state = statement.integer(0).flatMap(DiaryImageState.init(rawValue:)), let type = statement.text(1),
            let count = statement.integer(2)
        else { throw .corruptRow(table: "diary_image", key: hash.description) }
        return StoredDiaryImage(image: DiaryImage(hash: hash, contentType: type, byteCount: Int(count)), state: state)
    }

    /// Keeps those of these pictures that are stored for a day from now on.
    /// - Returns: the stored ones.
    func keepStored(
        _ hashes: [DiaryImageHash], at now: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Set<DiaryImageHash> {
        var stored: Set<DiaryImageHash> = []
        // Two statements for all pictures of a push.
        for names in hashes.filledParts(of: Self.namesOfStatement) {
            var found = 0
            do {
                var query = try connection.statement(Self.storedAmong)
                try query.bind(diary)
                try query.bind(DiaryImageState.stored.rawValue)
                for hash in names { try query.bind(hash.bytes) }
                while try query.step() {
                    guard let hash = query.blob(0).flatMap({ DiaryImageHash(bytes: $0) }) else {
                        throw .corruptRow(table: "diary_image", key: query.key(0))
                    }
                    stored.insert(hash)
                    found += 1
                }
            }
            guard found > 0 else { continue }
            var update = try connection.statement(Self.keptAmong)
            try update.bind(now.advanced(by: DiaryLimits.unusedImageLifetime))
            try update.bind(diary)
            try update.bind(DiaryImageState.stored.rawValue)
            for hash in names { try update.bind(hash.bytes) }
            try update.run()
        }
        return stored
    }

    /// The names in one statement: as many as most pushes have.
    private static let namesOfStatement = 40
    private static let amongNames = "sha256 IN (\(Query.marks(namesOfStatement)))"
    private static let storedAmong = Query("SELECT sha256 FROM diary_image WHERE diary = ? AND state = ? AND \(amongNames)")
    private static let keptAmong = Query("UPDATE diary_image SET expire_time = ? WHERE diary = ? AND state = ? AND \(amongNames)")

    /// Keeps an unused picture for a day from now on. For a used one nothing changes.
    func keepImage(_ hash: DiaryImageHash, at now: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        var statement = try connection.statement("UPDATE diary_image SET expire_time = ? WHERE diary = ? AND sha256 = ?")
        try statement.bind(now.advanced(by: DiaryLimits.unusedImageLifetime))
        try statement.bind(diary)
        try statement.bind(hash.bytes)
        try statement.run()
    }

    /// Why a row must not name one of its pictures: it is missing, or differs from the stored one. Pictures of the former row are not checked.
    func refusal(
        ofImagesIn row: DiaryRow, _ former: DiaryRow?, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Reason? {
        for image in row.images.subtracting(former?.images ?? []) {
            guard let stored = try self.image(image.hash, connection), stored.state == .stored else { return .imageNotStaged }
            guard stored.image == image else { return .diaryImageDiffers }
        }
        return nil
    }

    /// Increments the uses of a row's new pictures, and decrements those of pictures that only the former row has.
    func countUses(
        of row: DiaryRow, _ former: DiaryRow?, at now: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        let before = Set(former?.images.map(\.hash) ?? []), after = Set(row.images.map(\.hash))
        guard before != after else { return }
        for hash in after.subtracting(before) {
            var statement = try connection.statement("UPDATE diary_image SET uses = uses + 1 WHERE diary = ? AND sha256 = ? AND state = ?")
            try statement.bind(diary)
            try statement.bind(hash.bytes)
            try statement.bind(DiaryImageState.stored.rawValue)
            try statement.run()
            // The picture existed a moment ago. Another server has just begun to remove it.
            guard connection.changes == 1 else { throw connection.hasOtherWriters ? connection.startAgain() : .diary(.imageNotStaged) }
        }
        for hash in before.subtracting(after) {
            var statement = try connection.statement(
                "UPDATE diary_image SET uses = uses - 1, expire_time = ? WHERE diary = ? AND sha256 = ? AND uses > 0")
            try statement.bind(now.advanced(by: DiaryLimits.unusedImageLifetime))
            try statement.bind(diary)
            try statement.bind(hash.bytes)
            try statement.run()
        }
    }

    /// Maximum parts that one step removes: 2 MiB, which are overwritten.
    static let imagePartsPerStep: Int64 = 8

    /// Removes the next parts of an unused picture whose day is over, and its row at the end.
    /// - Returns: whether there may be more.
    static func removeUnusedImages(_ connection: borrowing SQLConnection, _ now: Timestamp) throws(RepositoryError) -> Bool {
        // A LEFT JOIN, because the diary of a removed user has no owner.
        var next = try connection.statement(
            """
            SELECT i.diary, i.sha256, i.byte_count, d.owner FROM diary_image i LEFT JOIN diary d ON d.diary = i.diary
            WHERE i.uses = 0 AND i.expire_time <= ? ORDER BY i.expire_time LIMIT 1
            """)
        try next.bind(now)
        guard try next.step() else { return false }
        guard let diary = next.identifier(0, as: DiaryKey.self), let hash = next.blob(1), let byteCount = next.integer(2) else {
            throw .corruptRow(table: "diary_image", key: next.key(1))
        }
        if let owner = next.identifier(3, as: UserID.self) { try connection.lock(owner) }
        // From here on, no entry can name the picture.
        var mark = try connection.statement(
            "UPDATE diary_image SET state = ? WHERE diary = ? AND sha256 = ? AND uses = 0 AND expire_time <= ?")
        try mark.bind(DiaryImageState.discarded.rawValue)
        try mark.bind(diary)
        try mark.bind(hash)
        try mark.bind(now)
        try mark.run()
        guard connection.changes == 1 else { return true }
        var parts = try connection.statement(
            """
            DELETE FROM diary_image_part WHERE diary = ?1 AND sha256 = ?2 AND part IN (
                SELECT part FROM diary_image_part WHERE diary = ?1 AND sha256 = ?2 LIMIT ?3)
            """)
        try parts.bind(diary)
        try parts.bind(hash)
        try parts.bind(imagePartsPerStep)
        try parts.run()
        guard connection.changes < imagePartsPerStep else { return true }
        var deletion = try connection.statement("DELETE FROM diary_image WHERE diary = ? AND sha256 = ?")
        try deletion.bind(diary)
        try deletion.bind(hash)
        try deletion.run()
        var count = try connection.statement(
            "UPDATE diary SET image_count = image_count - 1, image_byte_count = image_byte_count - ? WHERE diary = ?")
        try count.bind(byteCount)
        try count.bind(diary)
        try count.run()
        return true
    }
}
