import PulseBoardDomain

/// Pictures of diaries: each caller's own, and nobody else's (B22).
///
/// A picture is uploaded before the edit that names it, and waits a day for it. Its bytes stay as they are, with whatever a camera wrote into them:
/// nobody but their owner ever sees them, and the owner wants the picture back. That they are a picture is proved by decoding them, away from the
/// server, as those of profiles are.
public struct DiaryImageService: Sendable {
    private let store: any DiaryStore
    private let decoder: (any ImageDecoding)?
    private let configuration: ServicesConfiguration
    private let uploading = UploadingUsers()

    init(store: any DiaryStore, decoder: (any ImageDecoding)?, configuration: ServicesConfiguration) {
        self.store = store
        self.decoder = decoder
        self.configuration = configuration
    }

    /// Takes a picture's bytes and keeps them. One that is there already is kept for longer.
    ///
    /// - Parameters:
    ///   - byteCount: how many bytes will come; they are refused before any comes when that is too many.
    ///   - hash: their SHA-256, which names the picture.
    ///   - chunks: the bytes. Whatever ends them early ends the upload, and nothing stays of it.
    /// - Throws: `invalid` for a size that no picture may have; `imageRefused` with every case of ``ImageRefusal`` but `tooLarge`; `busy` also when the
    ///   caller is uploading another one; `profileRequired`, `withdrawing`, `diary(.full)`; and what `chunks` throws.
    public func upload<Chunks: AsyncSequence & Sendable>(
        byteCount: Int64, hash: DiaryImageHash, chunks: Chunks, _ caller: Caller
    ) async throws -> DiaryImage where Chunks.Element == [UInt8] {
        let limit = DiaryLimits.maximumImageBytes
        guard (1...Int64(limit)).contains(byteCount) else {
            throw RepositoryError.invalid(ValidationError(field: "size_bytes", reason: .imageTooLarge, limit: limit))
        }
        guard let decoder else { throw RepositoryError.imageRefused(.unavailable(detail: "no program decodes pictures here")) }
        guard uploading.begin(caller.userID) else { throw RepositoryError.imageRefused(.busy) }
        defer { uploading.end(caller.userID) }
        // Away from the event loop, which files and hashes would hold up.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            do {
                let upload = try decoder.beginUpload()
                try await upload.receive(chunks, byteCount: byteCount, sha256: hash.bytes, timer: configuration.timer)
                try await upload.check()
                guard let type = DiaryImage.contentType(of: try await upload.bytes(in: 0..<min(12, Int(byteCount)))) else {
                    throw ImageRefusal.formatUnsupported
                }
                let image = DiaryImage(hash: hash, contentType: type, byteCount: Int(byteCount))
                try await store.stageDiaryImage(image, of: caller.userID, at: configuration.clock.now()) { range async throws(RepositoryError) in
                    do throws(ImageRefusal) { return try await upload.bytes(in: range) } catch { throw .imageRefused(error) }
                }
                return image
            } catch let refusal as ImageRefusal {
                throw RepositoryError.imageRefused(refusal)
            }
        }
    }

    /// Which of some pictures are not there. The others are kept for another day.
    /// - Throws: `invalid` (field `sha256`) for more than ``DiaryLimits/maximumImageNames``; `withdrawing`.
    public func missing(_ hashes: [DiaryImageHash], _ caller: Caller) async throws(RepositoryError) -> [DiaryImageHash] {
        guard hashes.count <= DiaryLimits.maximumImageNames else {
            throw .invalid(ValidationError(field: "sha256", reason: .tooManyItems, limit: DiaryLimits.maximumImageNames))
        }
        guard !hashes.isEmpty else { return [] }
        return try await store.missingDiaryImages(hashes, of: caller.userID, at: configuration.clock.now())
    }

    /// The bytes of a picture. Pass each part to `write`, which may take its time: the next one is read when it is done.
    /// - Throws: `diary(.imageNotFound)`, `withdrawing`; and what `write` throws.
    public func download(_ hash: DiaryImageHash, _ caller: Caller, _ write: ([UInt8]) async throws -> Void) async throws {
        let image = try await store.diaryImage(hash, of: caller.userID)
        for part in 0..<image.partCount { try await write(try await store.diaryImagePart(part, of: hash, of: caller.userID)) }
    }
}
