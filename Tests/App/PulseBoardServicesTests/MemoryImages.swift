import PulseBoardDomain
import Synchronization

@testable import PulseBoardServices

/// A decoder that accepts every upload unless it begins with a zero. The real decoder has its own tests.
struct EchoDecoder: ImageDecoding {
    final class Upload: ImageUpload {
        private let bytes = Mutex<[UInt8]>([])

        func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }
        var sha256: [UInt8] { bytes.withLock { [UInt8](repeating: $0.first ?? 0, count: 32) } }
        var byteCount: Int { bytes.withLock { $0.count } }

        func check() async throws(ImageRefusal) { _ = try await decoded() }
        func bytes(in range: Range<Int>) -> [UInt8] { bytes.withLock { Array($0[range]) } }

        func decoded() async throws(ImageRefusal) -> ImageVariants {
            let bytes = bytes.withLock { $0 }
            if bytes.first == 0 { throw .invalid }
            // The real decoder ends with its task, and says so as a failure.
            if bytes.first == EchoDecoder.losesItsCaller {
                withUnsafeCurrentTask { $0?.cancel() }
                throw .unavailable(detail: "CancellationError()")
            }
            return ImageVariants([.small: bytes, .medium: bytes + bytes, .large: bytes + bytes + bytes])
        }
    }

    /// The first byte of a picture whose caller goes while it is decoded.
    static let losesItsCaller: UInt8 = 254

    func beginUpload(of user: UserID) -> any ImageUpload { Upload() }
}

/// Stores pictures in memory, and fails if a test sets it to.
final class MemoryImages: ImageStore {
    struct State {
        var images: [DiscardedImage: ImageVariants] = [:]
        var failure: RepositoryError?
        /// A picture whose files cannot be removed.
        var stuck: ImageID?
        var reads = 0
        /// Whether the disk of the pictures is away, so that none is there.
        var isUnmounted = false
        /// What was said about missing pictures.
        var missing: [String] = []
        /// How many of the next reads fail.
        var failingReads = 0
        /// Is called before the next read, once.
        var beforeRead: (@Sendable () async -> Void)?
        /// Is called before the next picture is stored, once.
        var beforeStore: (@Sendable () async -> Void)?
    }

    let state = Mutex(State())

    func store(_ variants: ImageVariants, as id: ImageID, of owner: UserID) async throws(RepositoryError) {
        await state.withLock { $0.beforeStore.take() }?()
        try check()
        state.withLock { $0.images[DiscardedImage(id: id, owner: owner)] = variants }
    }

    func image(_ id: ImageID, of owner: UserID, size: ImageSize) async throws(RepositoryError) -> [UInt8]? {
        await state.withLock { $0.beforeRead.take() }?()
        let isUnreadable = state.withLock { state in
            defer { state.failingReads = max(0, state.failingReads - 1) }
            return state.failingReads > 0
        }
        if isUnreadable { throw .storeUnavailable(.inputOutput, detail: "\(id)") }
        return state.withLock { state in
            state.reads += 1
            return state.images[DiscardedImage(id: id, owner: owner)]?[size]
        }
    }

    func remove(_ id: ImageID, of owner: UserID) async throws(RepositoryError) {
        try check()
        if state.withLock({ $0.stuck }) == id { throw .storeUnavailable(.readOnly, detail: "\(id)") }
        _ = state.withLock { $0.images.removeValue(forKey: DiscardedImage(id: id, owner: owner)) }
    }

    func isEmpty() async throws(RepositoryError) -> Bool { state.withLock { $0.isUnmounted || $0.images.isEmpty } }

    func notePictures(missing: String?) { state.withLock { if let missing { $0.missing.append(missing) } } }

    private func check() throws(RepositoryError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    var count: Int { state.withLock { $0.images.count } }
    var reads: Int { state.withLock { $0.reads } }
}
