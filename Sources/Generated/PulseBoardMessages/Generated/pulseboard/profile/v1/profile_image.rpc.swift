// Written by protoc-gen-pulseboard-swift from pulseboard/profile/v1/profile_image.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// Takes pictures and shows them.
public enum PBProfileImageService {
    /// The service's name on the wire.
    public static let fullName = "pulseboard.profile.v1.ProfileImageService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { PBProfileImageFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `pulseboard.profile.v1.ProfileImageService/UploadProfileImage`.
        public static let uploadProfileImage = MethodDescriptor<PBUploadProfileImageRequest, PBStagedImage>(
            service: PBProfileImageService.fullName, method: "UploadProfileImage", shape: .clientStreaming)
        /// `pulseboard.profile.v1.ProfileImageService/GetProfileImage`.
        public static let getProfileImage = MethodDescriptor<PBGetProfileImageRequest, PBGetProfileImageResponse>(
            service: PBProfileImageService.fullName, method: "GetProfileImage", shape: .unary)
        /// `pulseboard.profile.v1.ProfileImageService/BatchGetProfileImages`.
        public static let batchGetProfileImages = MethodDescriptor<PBBatchGetProfileImagesRequest, PBBatchGetProfileImagesResponse>(
            service: PBProfileImageService.fullName, method: "BatchGetProfileImages", shape: .unary)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `pulseboard.profile.v1.ProfileImageService/GetProfileImage`.
        public var getProfileImage: (@Sendable (PBGetProfileImageRequest, CallContext) throws -> PBGetProfileImageResponse)?
        /// `pulseboard.profile.v1.ProfileImageService/BatchGetProfileImages`.
        public var batchGetProfileImages: (@Sendable (PBBatchGetProfileImagesRequest, CallContext) throws -> PBBatchGetProfileImagesResponse)?

        /// Methods without a handler here may wait.
        public init(
            getProfileImage: (@Sendable (PBGetProfileImageRequest, CallContext) throws -> PBGetProfileImageResponse)? = nil,
            batchGetProfileImages: (@Sendable (PBBatchGetProfileImagesRequest, CallContext) throws -> PBBatchGetProfileImagesResponse)? = nil
        ) {
            self.getProfileImage = getProfileImage
            self.batchGetProfileImages = batchGetProfileImages
        }
    }
}

/// Implements `pulseboard.profile.v1.ProfileImageService` on a server: `Server(services: […])`.
public protocol PBProfileImageServiceHandler: RPCService {
    /// Uploads a picture: JPEG, PNG or WebP (of an animation the first frame), at most 8 MiB and 32 million pixels.
    ///
    /// The first message is the header, the others are the bytes in order, each at most 1 MiB; then half-close. The picture is turned upright,
    /// converted to sRGB, and kept as three squares without its metadata: 96, 400 and 1,024 pixels, never enlarged. The original is not kept.
    /// A user uploads one picture at a time, and has one staged: a new one takes the place of the one before. In every 30 seconds, at least 128 KiB
    /// must come, or all that is left.
    /// Errors: INVALID_ARGUMENT (IMAGE_EMPTY, IMAGE_TOO_LARGE, IMAGE_DIMENSIONS, IMAGE_FORMAT_UNSUPPORTED, IMAGE_INVALID for a damaged one,
    /// IMAGE_HASH_MISMATCH when other bytes come than the header announces, FIELD_MISSING without a header, IDENTIFIER_INVALID for a sha256 that has not 32 bytes); RESOURCE_EXHAUSTED (IMAGE_BUSY) when
    /// the caller is uploading another one, too many callers are uploading, or too many pictures are being decoded; DEADLINE_EXCEEDED
    /// (IMAGE_TOO_SLOW).
    func uploadProfileImage(
        _ requests: MessageStream<PBUploadProfileImageRequest>, context: CallContext
    ) async throws -> PBStagedImage
    /// A user's picture in one size.
    ///
    /// Errors: INVALID_ARGUMENT (IDENTIFIER_INVALID; IMAGE_SIZE_UNKNOWN); NOT_FOUND (USER_NOT_FOUND; IMAGE_NOT_FOUND when the profile has no
    /// picture).
    func getProfileImage(
        _ request: PBGetProfileImageRequest, context: CallContext
    ) async throws -> PBGetProfileImageResponse
    /// The pictures of several users in the smallest size.
    ///
    /// Errors: INVALID_ARGUMENT (TOO_MANY_ITEMS) for more than 100 ids, (IDENTIFIER_INVALID) for each malformed one.
    func batchGetProfileImages(
        _ request: PBBatchGetProfileImagesRequest, context: CallContext
    ) async throws -> PBBatchGetProfileImagesResponse
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: PBProfileImageService.SynchronousHandlers { get }
}

extension PBProfileImageServiceHandler {
    public var synchronousHandlers: PBProfileImageService.SynchronousHandlers { PBProfileImageService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.registerClientStreaming(PBProfileImageService.Methods.uploadProfileImage) {
            try await self.uploadProfileImage($0, context: $1)
        }
        router.register(PBProfileImageService.Methods.getProfileImage, synchronous: synchronous.getProfileImage) {
            try await self.getProfileImage($0, context: $1)
        }
        router.register(PBProfileImageService.Methods.batchGetProfileImages, synchronous: synchronous.batchGetProfileImages) {
            try await self.batchGetProfileImages($0, context: $1)
        }
    }
}

/// Calls `pulseboard.profile.v1.ProfileImageService` over any channel.
public struct PBProfileImageServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// Uploads a picture: JPEG, PNG or WebP (of an animation the first frame), at most 8 MiB and 32 million pixels.
    ///
    /// The first message is the header, the others are the bytes in order, each at most 1 MiB; then half-close. The picture is turned upright,
    /// converted to sRGB, and kept as three squares without its metadata: 96, 400 and 1,024 pixels, never enlarged. The original is not kept.
    /// A user uploads one picture at a time, and has one staged: a new one takes the place of the one before. In every 30 seconds, at least 128 KiB
    /// must come, or all that is left.
    /// Errors: INVALID_ARGUMENT (IMAGE_EMPTY, IMAGE_TOO_LARGE, IMAGE_DIMENSIONS, IMAGE_FORMAT_UNSUPPORTED, IMAGE_INVALID for a damaged one,
    /// IMAGE_HASH_MISMATCH when other bytes come than the header announces, FIELD_MISSING without a header, IDENTIFIER_INVALID for a sha256 that has not 32 bytes); RESOURCE_EXHAUSTED (IMAGE_BUSY) when
    /// the caller is uploading another one, too many callers are uploading, or too many pictures are being decoded; DEADLINE_EXCEEDED
    /// (IMAGE_TOO_SLOW).
    public func uploadProfileImage(
        options: CallOptions = CallOptions()
    ) -> ClientStream<PBUploadProfileImageRequest, PBStagedImage> {
        channel.clientStream(PBProfileImageService.Methods.uploadProfileImage, options: options)
    }

    /// A user's picture in one size.
    ///
    /// Errors: INVALID_ARGUMENT (IDENTIFIER_INVALID; IMAGE_SIZE_UNKNOWN); NOT_FOUND (USER_NOT_FOUND; IMAGE_NOT_FOUND when the profile has no
    /// picture).
    public func getProfileImage(
        _ request: PBGetProfileImageRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBGetProfileImageResponse {
        try await channel.unary(PBProfileImageService.Methods.getProfileImage, request, options: options)
    }

    /// The pictures of several users in the smallest size.
    ///
    /// Errors: INVALID_ARGUMENT (TOO_MANY_ITEMS) for more than 100 ids, (IDENTIFIER_INVALID) for each malformed one.
    public func batchGetProfileImages(
        _ request: PBBatchGetProfileImagesRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBBatchGetProfileImagesResponse {
        try await channel.unary(PBProfileImageService.Methods.batchGetProfileImages, request, options: options)
    }
}
