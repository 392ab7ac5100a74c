import PulseBoardDomain

/// Pictures of a directory's diary.
///
/// `image` has a row for every picture that something in the directory names, and for those that wait a day for their entry. `is_here` says whether its
/// file is there; it is not for a picture of another device that has not been fetched yet. `image_use` says what names a picture. A file without such a
/// row goes when the directory is opened, whatever has ended the process before.
extension DiaryFile {
    /// What in the directory names pictures. The numbers stand in the database.
    enum ImageUser: Int64 {
        case base = 1
        case staged = 2
        case shown = 3
        case outbox = 4
        case rejected = 5
    }

    // MARK: Adding and reading

    /// Keeps a picture for the entries that will name it: a day, unless one does by then.
    /// - Throws: `invalid` (field `images`) for what is too long, empty, or no JPEG, PNG or WebP; `storeFailed`.
    public func addImage(_ bytes: [UInt8]) throws(DiaryError) -> DiaryImage {
        let limit = DiaryLimits.maximumImageBytes
        guard (1...limit).contains(bytes.count) else { throw .invalid(ValidationError(field: "images", reason: .imageTooLarge, limit: limit)) }
        guard let type = DiaryImage.contentType(of: bytes), let hash = DiaryImageHash(of: bytes) else {
            throw .invalid(ValidationError(field: "images", reason: .imageFormatUnsupported))
        }
        let image = DiaryImage(hash: hash, contentType: type, byteCount: bytes.count)
        try keep(bytes, of: image, until: now.advanced(by: DiaryLimits.unusedImageLifetime))
        return image
    }

    /// Writes a picture's file, then its row. - Parameter time: until then it stays although nothing names it.
    func keep(_ bytes: [UInt8], of image: DiaryImage, until time: Timestamp = Timestamp(microseconds: 0)) throws(DiaryError) {
        let lock = try imageFiles.share()
        defer { withExtendedLifetime(lock) {} }
        if try imageFiles.read(image.hash) == nil { try imageFiles.write(bytes, as: image.hash) }
        try database.transaction { () throws(DiaryError) in
            try database.run(
                """
                INSERT INTO image (sha256, content_type, byte_count, is_here, expire_time) VALUES (?, ?, ?, 1, ?)
                ON CONFLICT (sha256) DO UPDATE SET is_here = 1, expire_time = max(expire_time, excluded.expire_time)
                """,
                .blob(image.hash.bytes), .text(image.contentType), .integer(Int64(image.byteCount)), .integer(time.microseconds))
        }
    }

    /// The bytes of a picture; `nil` when they are not here. A file that has other bytes by now is as good as none.
    func imageBytes(_ hash: DiaryImageHash) throws(DiaryError) -> [UInt8]? {
        guard try knowsImage(hash) else { return nil }
        if let bytes = try imageFiles.read(hash) { return bytes }
        try database.transaction { () throws(DiaryError) in try Self.markMissing([hash], database) }
        return nil
    }

    /// Whether something here names the picture, or it waits for its entry.
    func knowsImage(_ hash: DiaryImageHash) throws(DiaryError) -> Bool {
        try !database.rows("SELECT 1 FROM image WHERE sha256 = ?", .blob(hash.bytes)) { _ in }.isEmpty
    }

    /// Pictures that are named here and whose files are not: to be fetched.
    public func wantedImages() throws(DiaryError) -> [DiaryImage] {
        try database.rows(
            """
            SELECT sha256, content_type, byte_count FROM image
            WHERE is_here = 0 AND EXISTS (SELECT 1 FROM image_use u WHERE u.sha256 = image.sha256) ORDER BY sha256
            """
        ) { row throws(DiaryError) in
            guard let hash = row.blob(0).flatMap({ DiaryImageHash(bytes: $0) }), let type = row.text(1), let count = row.integer(2) else {
                throw .storeFailed(detail: "a row of `image` cannot be read")
            }
            return DiaryImage(hash: hash, contentType: type, byteCount: Int(count))
        }
    }

    private static func markMissing(_ hashes: [DiaryImageHash], _ database: ClientDatabase) throws(DiaryError) {
        for hash in hashes { try database.run("UPDATE image SET is_here = 0 WHERE sha256 = ?", .blob(hash.bytes)) }
    }

    // MARK: What names them

    /// Notes the pictures that a row or an edit names now, in the transaction that writes it. - Parameter key: of the row.
    func noteImages(_ images: some Collection<DiaryImage>, of user: ImageUser, _ key: SQLValue) throws(DiaryError) {
        try database.run("DELETE FROM image_use WHERE place = ? AND key = ?", .integer(user.rawValue), key)
        if database.changes > 0 { mayHaveUnusedImages = true }
        for image in images {
            try database.run(
                "INSERT OR IGNORE INTO image (sha256, content_type, byte_count, is_here, expire_time) VALUES (?, ?, ?, 0, 0)",
                .blob(image.hash.bytes), .text(image.contentType), .integer(Int64(image.byteCount)))
            try database.run(
                "INSERT OR IGNORE INTO image_use (place, key, sha256) VALUES (?, ?, ?)", .integer(user.rawValue), key, .blob(image.hash.bytes))
        }
    }

    /// Notes that a whole table names no picture any more.
    func forgetImages(of user: ImageUser) throws(DiaryError) {
        try database.run("DELETE FROM image_use WHERE place = ?", .integer(user.rawValue))
        if database.changes > 0 { mayHaveUnusedImages = true }
    }

    // MARK: Removing

    /// Removes pictures that nothing names any more, if the last transactions may have left some: the rows first, then the files.
    ///
    /// While another process adds one, they stay until the directory is opened the next time.
    func removeUnusedImages() throws(DiaryError) {
        guard mayHaveUnusedImages else { return }
        let lock: FileLock
        do throws(DiaryError) { lock = try imageFiles.own() } catch .busy { return }
        defer { withExtendedLifetime(lock) {} }
        for hash in try Self.forgetUnusedImages(database, at: now) { imageFiles.remove(hash.description) }
        mayHaveUnusedImages = false
    }

    private static func forgetUnusedImages(_ database: ClientDatabase, at now: Timestamp) throws(DiaryError) -> [DiaryImageHash] {
        try database.transaction { () throws(DiaryError) in
            let unused = try database.rows(
                """
                SELECT sha256 FROM image
                WHERE expire_time <= ? AND NOT EXISTS (SELECT 1 FROM image_use u WHERE u.sha256 = image.sha256)
                """, .integer(now.microseconds)
            ) { $0.blob(0).flatMap { DiaryImageHash(bytes: $0) } }.compactMap(\.self)
            for hash in unused { try database.run("DELETE FROM image WHERE sha256 = ?", .blob(hash.bytes)) }
            return unused
        }
    }

    /// Makes files and rows agree again, whatever ended an earlier process: a file that no row has goes, and so does what nothing names; a row whose file
    /// is not there is to be fetched.
    static func makeAgree(_ files: ImageFiles, _ database: ClientDatabase, at now: Timestamp) throws(DiaryError) {
        let lock: FileLock
        // Whoever adds a picture just now has opened the directory, and has done this.
        do throws(DiaryError) { lock = try files.own() } catch .busy { return }
        defer { withExtendedLifetime(lock) {} }
        let names = Set(try files.names())
        let rows = try database.rows("SELECT sha256, is_here FROM image") { row in
            (row.blob(0).flatMap { DiaryImageHash(bytes: $0) }, row.integer(1) == 1)
        }
        guard !names.isEmpty || !rows.isEmpty else { return }
        let missing = rows.compactMap { hash, isHere in isHere ? hash : nil }.filter { !names.contains($0.description) }
        if !missing.isEmpty { try database.transaction { () throws(DiaryError) in try markMissing(missing, database) } }
        let gone = Set(try forgetUnusedImages(database, at: now).map(\.description))
        let here = Set(rows.compactMap { $0.1 ? $0.0?.description : nil }).subtracting(gone)
        for name in names.subtracting(here) { files.remove(name) }
    }
}
