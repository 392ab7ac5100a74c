import Foundation
import PulseBoardDomain
import Synchronization

@testable import PulseBoardDiary

/// Replaces the program that decodes pictures, because a schedule's pictures are only numbers. It can be missing, like the program.
final class SimulatedDecoder: ImageDecoding {
    /// A picture that ends with this byte is refused for good.
    static let damage: UInt8 = 0xFF

    private let presence = Mutex(true)
    var isThere: Bool { presence.withLock { $0 } }
    func set(isThere: Bool) { presence.withLock { $0 = isThere } }

    func beginUpload(of user: UserID) throws(ImageRefusal) -> any ImageUpload {
        guard isThere else { throw .unavailable(detail: "no program decodes pictures here") }
        return Upload()
    }

    private final class Upload: ImageUpload {
        private let bytes = Mutex<[UInt8]>([])

        func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }
        var sha256: [UInt8] { DiaryImageHash(of: bytes.withLock { $0 })?.bytes ?? [] }
        var byteCount: Int { bytes.withLock { $0.count } }
        func check() async throws(ImageRefusal) { if bytes.withLock({ $0.last }) == SimulatedDecoder.damage { throw .invalid } }
        func bytes(in range: Range<Int>) -> [UInt8] { bytes.withLock { Array($0[range]) } }
        func decoded() async throws(ImageRefusal) -> ImageVariants { throw .unavailable(detail: "a diary's picture is only checked") }
    }
}

/// A store without profile pictures, because a schedule has none.
struct NoProfileImages: ImageStore {
    func store(_ variants: ImageVariants, as id: ImageID, of owner: UserID) async throws(RepositoryError) {}
    func image(_ id: ImageID, of owner: UserID, size: ImageSize) async throws(RepositoryError) -> [UInt8]? { nil }
    func remove(_ id: ImageID, of owner: UserID) async throws(RepositoryError) {}
    func isEmpty() async throws(RepositoryError) -> Bool { true }

    func notePictures(missing: String?) {}
}
