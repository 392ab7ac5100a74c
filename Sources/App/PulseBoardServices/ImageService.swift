import PulseBoardDomain
import Synchronization

/// Receives uploaded pictures and returns the pictures of profiles (B9, B20, X14).
///
///     guard let images = services.images else { return }
///     let chunks = AsyncStream<[UInt8]> { $0.yield(bytes); $0.finish() }
///     let staged = try await images.upload(byteCount: Int64(bytes.count), sha256: [], chunks: chunks, caller)
///     _ = try await services.profiles.updateProfile(ProfileUpdate(paths: ["image"], imageID: staged.id.description), caller)
///     let shown = try await images.image(of: caller.userID, size: .small, caller)
///
/// An uploaded picture is staged: it waits an hour for the call that puts it into the caller's profile (``ProfileService``). A user has one
/// upload at a time, which may also be of a diary's picture, and one staged picture.
public struct ImageService: Sendable {
    private let repository: any ImageRepository
    private let profiles: ProfileCache
    private let store: any ImageStore
    private let decoder: any ImageDecoding
    private let configuration: ServicesConfiguration
    private let uploading: UploadingUsers
    private let watches: WatchDependencies
    private let places = UserPlaces(limit: Self.callsInMemory)
    private let removals = Removals()
    /// Pictures whose files could not be removed.
    private let stuck = FailedRemovals<DiscardedImage>(most: ImageService.mostStuck)
    /// Pictures whose files could not be removed that are passed over at once. They have 32 bytes each. With more of them, later pictures wait.
    private static let mostStuck = 10_000

    /// Calls of one user that have pictures in memory at once. Such a call has up to half a mebibyte, or a hundred small pictures.
    static let callsInMemory = 8

    init(
        repository: any ImageRepository, profiles: ProfileCache, store: any ImageStore, decoder: any ImageDecoding, uploading: UploadingUsers,
        watches: WatchDependencies, configuration: ServicesConfiguration
    ) {
        self.repository = repository
        self.profiles = profiles
        self.store = store
        self.decoder = decoder
        self.uploading = uploading
        self.watches = watches
        self.configuration = configuration
    }

    // MARK: Uploading

    /// Receives a picture's bytes, decodes them, and stages the picture in every size.
    ///
    /// - Parameters:
    ///   - byteCount: how many bytes will come. If it is too many, the upload is refused before the first byte.
    ///   - sha256: the announced hash of the bytes; empty for none.
    ///   - chunks: the bytes. If they end early, the upload ends and nothing is stored.
    /// - Throws: `invalid` for a size that no picture may have; `imageRefused` with every case of ``ImageRefusal``: with `busy` also while the caller
    ///   uploads another picture or too many users upload (``ServicesConfiguration/uploadsAtOnce``), with `hashMismatch` also for another number
    ///   of bytes, with `tooSlow` for bytes that do not come in time (``ImageLimits/uploadInterval``).
    ///   `notAuthenticated` if the session has ended meanwhile, `storeUnavailable`, and what `chunks` throws.
    public func upload<Chunks: AsyncSequence & Sendable>(
        byteCount: Int64, sha256: [UInt8], chunks: Chunks, _ caller: Caller
    ) async throws -> StagedImage where Chunks.Element == [UInt8] {
        try await upload(chunks, caller) { UploadHeader(byteCount: byteCount, sha256: sha256) }
    }

    /// Receives a picture of which nothing is known yet, such as a stream without its first message. The caller has the place of an upload from now
    /// on.
    /// - Parameters:
    ///   - chunks: as in ``upload(byteCount:sha256:chunks:_:)``.
    ///   - header: waits for the header. This time counts as one without bytes.
    /// - Throws: as ``upload(byteCount:sha256:chunks:_:)``, and what `header` throws.
    public func upload<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, _ caller: Caller, header: @escaping @Sendable () async throws -> UploadHeader
    ) async throws -> StagedImage where Chunks.Element == [UInt8] {
        guard let place = uploading.begin(caller.userID, at: configuration.clock.now()) else { throw RepositoryError.imageRefused(.busy) }
        defer { uploading.end(place, at: configuration.clock.now()) }
        // Pictures in every size must not hold up the event loop, which this task would otherwise prefer.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            do {
                let upload = try await decoder.beginUpload(of: caller.userID)
                _ = try await upload.receive(
                    chunks, announcedBy: header, limit: ImageLimits.maximumUploadBytes, in: place, timer: configuration.timer)
                let variants = try await upload.decoded()
                try await watches.requireSession(of: caller)
                return try await stage(variants, caller)
            } catch let refusal as ImageRefusal {
                throw RepositoryError(refusal)
            }
        }
    }

    /// Writes the row, then the bytes, then the row again. So a crash leaves no bytes without a row (C18).
    private func stage(_ variants: ImageVariants, _ caller: Caller) async throws(RepositoryError) -> StagedImage {
        // If the directory cannot be listed, storing fails too, and its health says why.
        try await requireDisk(isEmpty: (try? await store.isEmpty()) ?? false)
        let id = ImageID.random(using: configuration.random)
        let begin = configuration.clock.now()
        try await repository.beginImage(id, of: caller.userID, expiring: begin.advanced(by: ImageLimits.uploadLifetime))
        try await store.store(variants, as: id, of: caller.userID)
        let now = configuration.clock.now()
        let staged = StagedImage(id: id, expireTime: now.advanced(by: ImageLimits.stagedLifetime))
        do throws(RepositoryError) {
            try await repository.stageImage(id, of: caller.userID, at: now, expiring: staged.expireTime)
        } catch .imageNotStaged {
            // The user has left meanwhile, or writing took so long that the row is gone. No sweep would find these files.
            try? await store.remove(id, of: caller.userID)
            throw .imageNotStaged
        }
        return staged
    }

    // MARK: Showing

    /// Waits until the caller may have pictures in memory (``callsInMemory``). Keep the place until the answer is sent.
    /// - Throws: `cancelled` when the caller has gone.
    package func place(for caller: Caller) async throws(RepositoryError) -> UserPlaces.Place {
        let place = try await places.take(caller.userID)
        guard !Task.isCancelled else { throw .cancelled }
        return place
    }

    /// A user's picture in one size.
    /// - Parameter known: the id of the picture that the client has already. If it is still the present one, the answer has no bytes.
    /// - Throws: `userNotFound`, or `withdrawing` for the caller's own; `imageNotFound` when the user has none, or its files are lost.
    public func image(
        of userID: UserID, size: ImageSize, unless known: ImageID? = nil, _ caller: Caller
    ) async throws(RepositoryError) -> ShownImage {
        // Another server may have replaced the picture, and removed its files, since this one read the profile. Then the profile is read again.
        for consistency in [caller.consistency, .latest] {
            guard let id = try await profiles.profile(of: userID, viewer: caller.userID, consistency).image else { throw .imageNotFound }
            if id == known { return ShownImage(userID: userID, id: id, bytes: nil) }
            if let bytes = try await stored(OwnedImage(owner: userID, id: id), size) { return ShownImage(userID: userID, id: id, bytes: bytes) }
        }
        throw .imageNotFound
    }

    /// The small pictures of many users. Users without a profile or a picture are absent, and so is a caller who is leaving.
    /// - Throws: `invalid` (field `user_ids`) for more than 100 users; `cancelled` when the caller has gone.
    public func images(of userIDs: [UserID], _ caller: Caller) async throws(RepositoryError) -> [ShownImage] {
        try requireAtMost(BatchRequest.maximumSize, itemsIn: "user_ids", userIDs.count)
        var images: [ShownImage] = []
        // A user who is named again is not read again.
        var known: [UserID: ShownImage] = [:]
        for userID in userIDs {
            guard !Task.isCancelled else { throw .cancelled }
            do throws(RepositoryError) {
                let shown = if let shown = known[userID] { shown } else { try await image(of: userID, size: .small, caller) }
                known[userID] = shown
                images.append(shown)
            } catch .userNotFound, .imageNotFound, .withdrawing {
                continue
            } catch {
                throw error
            }
        }
        return images
    }

    // MARK: Copying

    /// The bytes of a picture in one size, or `nil` if they are not stored. It checks no rights.
    func stored(_ image: OwnedImage, _ size: ImageSize) async throws(RepositoryError) -> [UInt8]? {
        try await store.image(image.id, of: image.owner, size: size)
    }

    /// Suspends removals until ``allowRemovals()`` is called as often. Pending removals happen then.
    func holdRemovals() { removals.hold() }
    func allowRemovals() { removals.allow() }

    // MARK: Removing

    /// Maximum pictures that one call of ``removeDiscarded()`` removes.
    public static let removedAtOnce = 100

    /// Removes discarded pictures and uploads that were never used. The bytes go first, then the row, so that a removal that a crash
    /// interrupts is repeated. It ends early when its task is cancelled. The next call does the rest.
    ///
    /// A picture whose files cannot be removed does not stop the removal of others. It is skipped, and tried again when only such pictures are left.
    /// The first failure is thrown at the end.
    /// - Returns: how many were removed. If it is ``removedAtOnce``, there may be more.
    @discardableResult
    public func removeDiscarded() async throws(RepositoryError) -> Int {
        guard removals.areAllowed else { return 0 }
        try await requireDisk(isEmpty: try await store.isEmpty())
        let due = try await stuck.next(Self.removedAtOnce) { limit async throws(RepositoryError) in
            try await repository.discardedImages(at: configuration.clock.now(), limit: limit)
        }
        var failure: RepositoryError?
        var count = 0
        for image in due {
            guard !Task.isCancelled else { break }
            do throws(RepositoryError) {
                try await store.remove(image.id, of: image.owner)
            } catch {
                failure = failure ?? error
                stuck.note(image)
                continue
            }
            // If the row cannot be removed, neither can others.
            try await repository.forgetImage(image)
            count += 1
        }
        if let failure { throw failure }
        return count
    }

    /// Whether the directory of pictures has no file at all, or cannot be listed.
    var isFolderEmpty: Bool { get async { (try? await store.isEmpty()) ?? true } }

    /// Fails while the directory of pictures is empty and profiles have some: its disk is probably not mounted. A picture that was stored now would
    /// be hidden when the disk is back. If the rows of removed pictures went now, nobody would find their files afterwards. A file of any name in
    /// the directory ends this. The store's status shows it.
    private func requireDisk(isEmpty: Bool) async throws(RepositoryError) {
        guard isEmpty, try await repository.hasAttachedImages() else { return store.notePictures(missing: nil) }
        let detail = "profiles have pictures, and the directory of pictures is empty; its disk may not be mounted"
        store.notePictures(missing: detail)
        throw .storeUnavailable(.inputOutput, detail: detail)
    }
}

extension RepositoryError {
    /// The error of an upload that was refused. If the caller has gone, it is `cancelled`, because that ends the decoder too.
    init(_ refusal: ImageRefusal) {
        if Task.isCancelled {
            self = .cancelled
        } else if case .storeUnavailable(let failure, let detail) = refusal {
            self = .storeUnavailable(failure, detail: detail)
        } else {
            self = .imageRefused(refusal)
        }
    }
}

/// A user's picture in an answer.
public struct ShownImage: Hashable, Sendable {
    /// Whose picture it is.
    public let userID: UserID
    /// The present picture.
    public let id: ImageID
    /// The bytes as WebP; `nil` if the client has the picture already.
    public let bytes: [UInt8]?
}

/// Whether pictures may be removed.
private final class Removals: Sendable {
    private let holds = Atomic(0)

    var areAllowed: Bool { holds.load(ordering: .acquiring) == 0 }
    func hold() { holds.add(1, ordering: .acquiringAndReleasing) }
    func allow() { holds.subtract(1, ordering: .acquiringAndReleasing) }
}
