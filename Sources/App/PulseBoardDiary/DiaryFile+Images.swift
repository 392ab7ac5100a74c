import PulseBoardDomain

/// The pictures of a directory's diary.
///
/// The table `image` has a row for every picture that something in the directory names, and for pictures that wait a day for their entry. `is_here`
/// says whether the file exists; a picture of another device may not be fetched yet. `image_use` says what names a picture. A file without a row is
/// removed when the directory is opened.
extension DiaryFile {
    /// What can name a picture. The database keeps the numbers.
    enum ImageUser: Int64 {
        case base = 1
        case staged = 2
        case shown = 3
        case outbox = 4
        case rejected = 5
    }

    // MARK: Adding and reading

    /// Adds a picture for the entries that will name it. It is removed after a day unless an entry names it by then.
    /// - Throws: `invalid` (field `images`) if it is too long, empty, or not JPEG, PNG or WebP; `storeFailed`.
    public func addImage(_ bytes: [UInt8]) throws(DiaryError) -> DiaryImage {
        let limit = DiaryLimits.maximumImageBytes
        guard !bytes.isEmpty else { throw .invalid(ValidationError(field: "images", reason: .imageEmpty)) }
        guard bytes.count <= limit else { throw .invalid(ValidationError(field: "images", reason: .imageTooLarge, limit: limit)) }
        guard let type = DiaryImage.contentType(of: bytes), let hash = DiaryImageHash(of: bytes) else {
            throw .invalid(ValidationError(field: "images", reason: .imageFormatUnsupported))
        }
        let image = DiaryImage(hash: hash, contentType: type, byteCount: bytes.count)
        try keep(bytes, of: image, until: now.advanced(by: DiaryLimits.unusedImageLifetime))
        return image
    }

    /// Writes a picture's file, then its row.
    /// - Parameter time: until then the picture stays even if nothing names it.
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

    /// The bytes of a picture; `nil` if the file is missing or has other bytes.
    func imageBytes(_ hash: DiaryImageHash) throws(DiaryError) -> [UInt8]? {
        guard try knowsImage(hash) else { return nil }
        if let bytes = try imageFiles.read(hash) { return bytes }
        try database.transaction { () throws(DiaryError) in try Self.markMissing([hash], database) }
        return nil
    }

    /// Whether the picture has a row: something names it, or it waits for its entry.
    func knowsImage(_ hash: DiaryImageHash) throws(DiaryError) -> Bool {
        try !database.rows("SELECT 1 FROM image WHERE sha256 = ?", .blob(hash.bytes)) { _ in }.isEmpty
    }

    /// Whether the files of all these pictures are here.
    func hasImages(_ images: [DiaryImage]) throws(DiaryError) -> Bool {
        for image in images {
            let isHere = try !database.rows("SELECT 1 FROM image WHERE sha256 = ? AND is_here = 1", .blob(image.hash.bytes)) { _ in }.isEmpty
            guard isHere else { return false }
        }
        return true
    }

    /// Pictures that something names and whose files are missing. They have to be fetched.
    public func wantedImages() throws(DiaryError) -> [DiaryImage] {
        try database.rows(
            """
            SELECT sha256, content_type, byte_count FROM image
            WHERE is_here = 0 AND EXISTS (SELECT 1 FROM image_use u WHERE u.sha256 = image.sha256) ORDER BY sha256
            """
        ) { row throws(DiaryError) in
            guard let hash = row.blob(0).flatMap({ DiaryImageHash(bytes: $0) }), let type = row.text(1), let count = row.integer(2) else {
                throw .unreadableRow(of: "image")
            }
            return DiaryImage(hash: hash, contentType: type, byteCount: Int(count))
        }
    }

    private static func markMissing(_ hashes: [DiaryImageHash], _ database: ClientDatabase) throws(DiaryError) {
        for hash in hashes { try database.run("UPDATE image SET is_here = 0 WHERE sha256 = ?", .blob(hash.bytes)) }
    }

    // MARK: What names them

    /// Records the pictures that a row or an edit names, in the transaction that writes it.
    /// - Parameter key: the key of the row.
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

    /// Records that a table names no pictures any more.
    func forgetImages(of user: ImageUser) throws(DiaryError) {
        try database.run("DELETE FROM image_use WHERE place = ?", .integer(user.rawValue))
        if database.changes > 0 { mayHaveUnusedImages = true }
    }

    // MARK: Removing

    /// Removes pictures that nothing names, if the last transactions may have left some: first the rows, then the files.
    ///
    /// While another process adds a picture, they stay until the directory is opened again.
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

    /// Makes files and rows agree after any end of an earlier process: removes files without a row and pictures that nothing names, and marks rows
    /// without a file to be fetched.
    static func makeAgree(_ files: ImageFiles, _ database: ClientDatabase, at now: Timestamp) throws(DiaryError) {
        let lock: FileLock
        // A process that is adding a picture has done this already when it opened the directory.
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
