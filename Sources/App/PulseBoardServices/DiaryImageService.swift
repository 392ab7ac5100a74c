import PulseBoardDomain

/// Stores and returns the pictures of the caller's own diary (B22).
///
///     let output = CollectedBytes()       // a `PacedOutput`
///     for image in entry.content.images { try await services.diaryImages.download(image.hash, caller, to: output) }
///
/// A picture is uploaded before the edit that names it, and waits a day for it. Its bytes stay unchanged, including a camera's metadata: only the
/// owner sees them, and wants the original back. Another process decodes the bytes to check that they are a picture, as for profiles.
public struct DiaryImageService: Sendable {
    private let store: any DiaryStore
    private let decoder: (any ImageDecoding)?
    private let configuration: ServicesConfiguration
    private let uploading: UploadingUsers
    private let watches: WatchDependencies
    private let parts = PacedParts(made: UserPlaces(limit: Self.partsAtOnce), unread: UserPlaces(limit: Self.unreadPartsAtOnce))

    /// Parts of pictures of one user that are read from the store at once.
    static let partsAtOnce = 8
    /// Parts of pictures of one user that their readers have not taken yet, on all connections together.
    static let unreadPartsAtOnce = 32
    /// A look for missing pictures names up to ``DiaryLimits/maximumImageNames``, in a write.
    private let looks = UserPlaces(limit: Self.looksAtOnce)

    /// Looks of one user for missing pictures under way at once.
    static let looksAtOnce = 2

    init(
        store: any DiaryStore, decoder: (any ImageDecoding)?, uploading: UploadingUsers, watches: WatchDependencies,
        configuration: ServicesConfiguration
    ) {
        self.store = store
        self.decoder = decoder
        self.uploading = uploading
        self.watches = watches
        self.configuration = configuration
    }

    /// Stores a picture. If it is stored already, it is kept for longer.
    ///
    /// - Parameters:
    ///   - byteCount: how many bytes will come. If it is too many, the upload is refused before the first byte.
    ///   - hash: the SHA-256 of the bytes, which names the picture.
    ///   - chunks: the bytes. If they end early, the upload ends and nothing is stored.
    /// - Throws: `invalid` for a size that no picture may have; `imageRefused` with every case of ``ImageRefusal`` but `tooLarge`, and with `busy`
    ///   also while the caller uploads another picture, for the diary or the profile, or too many users upload
    ///   (``ServicesConfiguration/uploadsAtOnce``); `profileRequired`, `withdrawing`, `diary(.full)`;
    ///   `notAuthenticated` if the session has ended meanwhile; and what `chunks` throws.
    public func upload<Chunks: AsyncSequence & Sendable>(
        byteCount: Int64, hash: DiaryImageHash, chunks: Chunks, _ caller: Caller
    ) async throws -> DiaryImage where Chunks.Element == [UInt8] {
        try await upload(chunks, caller) { UploadHeader(byteCount: byteCount, sha256: hash.bytes) }
    }

    /// Stores a picture of which nothing is known yet, as ``ImageService/upload(_:_:header:)`` does. The header must have a hash.
    public func upload<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, _ caller: Caller, header: @escaping @Sendable () async throws -> UploadHeader
    ) async throws -> DiaryImage where Chunks.Element == [UInt8] {
        guard let decoder else { throw RepositoryError.imageRefused(.unavailable(detail: "no program decodes pictures here")) }
        guard let place = uploading.begin(caller.userID, at: configuration.clock.now()) else { throw RepositoryError.imageRefused(.busy) }
        defer { uploading.end(place, at: configuration.clock.now()) }
        // Files and hashes must not hold up the event loop.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            do {
                let upload = try await decoder.beginUpload(of: caller.userID)
                let header = try await upload.receive(
                    chunks, announcedBy: header, limit: DiaryLimits.maximumImageBytes, in: place, timer: configuration.timer)
                guard let hash = DiaryImageHash(bytes: header.sha256) else { throw RepositoryError.invalid("sha256", .identifierInvalid) }
                try await upload.check()
                guard let type = DiaryImage.contentType(of: try await upload.bytes(in: 0..<min(12, Int(header.byteCount)))) else {
                    throw ImageRefusal.formatUnsupported
                }
                try await watches.requireSession(of: caller)
                let image = DiaryImage(hash: hash, contentType: type, byteCount: Int(header.byteCount))
                try await store.stageDiaryImage(image, of: caller.userID, at: configuration.clock.now()) { range async throws(RepositoryError) in
                    do throws(ImageRefusal) { return try await upload.bytes(in: range) } catch { throw RepositoryError(error) }
                }
                return image
            } catch let refusal as ImageRefusal {
                throw RepositoryError(refusal)
            }
        }
    }

    /// Returns which of these pictures are not stored. The others are kept for another day.
    /// - Throws: `invalid` (field `sha256`) for more than ``DiaryLimits/maximumImageNames``; `withdrawing`.
    public func missing(_ hashes: [DiaryImageHash], _ caller: Caller) async throws(RepositoryError) -> [DiaryImageHash] {
        try requireAtMost(DiaryLimits.maximumImageNames, itemsIn: "sha256", hashes.count)
        let place = try await looks.take(caller.userID)
        defer { withExtendedLifetime(place) {} }
        return try await store.missingDiaryImages(hashes, of: caller.userID, at: configuration.clock.now())
    }

    /// Reads a picture's bytes and hands them over part by part. The next part is read when the output has room for it.
    ///
    /// It counts as a watch of its user (``WatchCounts``), because it may last as long.
    /// - Throws: `diary(.imageNotFound)`, `withdrawing`, `watchLimit`; `notAuthenticated` once the session has ended; `cancelled`; and what the
    ///   output throws.
    public func download(_ hash: DiaryImageHash, _ caller: Caller, to output: some PacedOutput<[UInt8]>) async throws {
        try watches.counts.add(caller.userID)
        defer { watches.counts.remove(caller.userID) }
        let image = try await store.diaryImage(hash, of: caller.userID)
        for part in 0..<image.partCount {
            try await parts.send(to: output, of: caller.userID) {
                if part > 0 { try await watches.requireSession(of: caller) }
                return try await store.diaryImagePart(part, of: hash, of: caller.userID)
            }
        }
    }
}
