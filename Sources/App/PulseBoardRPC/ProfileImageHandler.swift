import Crypto
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore

/// Serves `pulseboard.profile.v1.ProfileImageService` with ``ImageService``. It contains no rules.
struct ProfileImageHandler: PBProfileImageServiceHandler {
    let images: ImageService

    func uploadProfileImage(
        _ requests: MessageStream<PBUploadProfileImageRequest>, context: CallContext
    ) async throws -> PBStagedImage {
        let caller = try context.caller
        let staged = try await images.upload(requests.map { try chunk($0.chunk) }, caller) {
            var parts = requests.makeAsyncIterator()
            guard case .header(let header)? = try await parts.next()?.part else { throw RepositoryError.invalid("header", .fieldMissing) }
            guard [0, SHA256.byteCount].contains(header.sha256.count) else { throw RepositoryError.invalid("sha256", .identifierInvalid) }
            return UploadHeader(byteCount: header.sizeBytes, sha256: header.sha256)
        }
        return PBStagedImage(imageID: staged.id.description, expireTime: Google_Protobuf_Timestamp(staged.expireTime))
    }

    func getProfileImage(_ request: PBGetProfileImageRequest, context: CallContext) async throws -> PBGetProfileImageResponse {
        let caller = try context.caller
        let owner = try user(request.userID, caller)
        let place = try await images.place(for: caller)
        context.keepUntilSent(place)
        defer { withExtendedLifetime(place) {} }
        let image = try await images.image(
            of: owner, size: ImageSize(request.size), unless: ImageID(path: request.unlessPath, of: owner), caller)
        guard let bytes = image.bytes else { return PBGetProfileImageResponse(image: PBProfileImage(image.id, of: owner)) }
        return PBGetProfileImageResponse(
            image: PBProfileImage(image.id, of: owner), data: bytes, sha256: await Self.sha256(of: bytes))
    }

    /// Hashes on another thread, because half a mebibyte would hold up the event loop. A small picture is hashed here, because that takes less time
    /// than the change of threads.
    private static func sha256(of bytes: [UInt8]) async -> [UInt8] {
        guard bytes.count > smallByteCount else { return Array(SHA256.hash(data: bytes)) }
        return await withTaskExecutorPreference(globalConcurrentExecutor) { await hashElsewhere(bytes) }
    }

    private static let smallByteCount = 8 << 10

    @concurrent
    private static func hashElsewhere(_ bytes: [UInt8]) async -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    func batchGetProfileImages(
        _ request: PBBatchGetProfileImagesRequest, context: CallContext
    ) async throws -> PBBatchGetProfileImagesResponse {
        let caller = try context.caller
        let owners: [UserID] = try identifiers(request.userIds, field: "user_ids")
        let place = try await images.place(for: caller)
        context.keepUntilSent(place)
        defer { withExtendedLifetime(place) {} }
        let shown = try await images.images(of: owners, caller)
        return PBBatchGetProfileImagesResponse(
            images: shown.map { image in
                PBUserImage(
                    userID: image.userID.description, image: PBProfileImage(image.id, of: image.userID), data: image.bytes ?? [])
            })
    }
}

extension PBUploadProfileImageRequest {
    fileprivate var chunk: [UInt8]? { if case .chunk(let bytes)? = part { bytes } else { nil } }
}
