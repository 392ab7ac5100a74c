// Written by protoc-gen-pulseboard-swift from pulseboard/profile/v1/profile_image.proto.
// Do not edit: change that file and generate again.

internal import PulseBoardC
import ProtobufC
import ProtobufWellKnownTypes

/// The picture of a profile, without its bytes.
public struct PBProfileImage: Message {
    /// Names the picture; another picture of the same user has another path. What is kept under a path never changes.
    public var path: String = ""
    /// What `GetProfileImage` returns: image/webp. More may come.
    public var contentType: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        path: String = "",
        contentType: String = ""
    ) {
        self.path = path
        self.contentType = contentType
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__ProfileImage.self,
        initializedBy: pulseboard__profile__v1__profile_image__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__ProfileImage.self)
        self.path = MessageReader.string(message.pointee.path)
        self.contentType = MessageReader.string(message.pointee.content_type)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__ProfileImage.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.path.isEmpty {
            message.pointee.path = try encoder.string(self.path, field: "path")
        }
        if !self.contentType.isEmpty {
            message.pointee.content_type = try encoder.string(self.contentType, field: "content_type")
        }
    }
}

/// One message of an upload.
public struct PBUploadProfileImageRequest: Message {
    /// The header once, first; then chunks.
    public var part: OneOf_Part?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(part: OneOf_Part? = nil) {
        self.part = part
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__UploadProfileImageRequest.self,
        initializedBy: pulseboard__profile__v1__upload_profile_image_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__UploadProfileImageRequest.self)
        switch message.pointee.part_case.rawValue {
        case 1: self.part = MessageReader.message(message.pointee.header).map { .header($0) }
        case 2: self.part = .chunk(MessageReader.bytes(message.pointee.chunk))
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__UploadProfileImageRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        switch self.part {
        case .header(let value)?:
            message.pointee.part_case = .init(rawValue: 1)
            message.pointee.header = try encoder.message(
                value, as: Pulseboard__Profile__V1__UploadProfileImageHeader.self, field: "header")
        case .chunk(let value)?:
            message.pointee.part_case = .init(rawValue: 2)
            message.pointee.chunk = encoder.bytes(value)
        case nil: break
        }
    }

    /// What ``part`` can be.
    public enum OneOf_Part: Hashable, Sendable {
        /// What will come.
        case header(PBUploadProfileImageHeader)
        /// The next bytes, at most 1 MiB.
        case chunk([UInt8])
    }
}

/// What an upload will bring.
public struct PBUploadProfileImageHeader: Message {
    /// How many bytes will come: 1 to 8,388,608.
    public var sizeBytes: Int64 = 0
    /// The SHA-256 of them, 32 bytes; empty: unchecked.
    public var sha256: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        sizeBytes: Int64 = 0,
        sha256: [UInt8] = []
    ) {
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__UploadProfileImageHeader.self,
        initializedBy: pulseboard__profile__v1__upload_profile_image_header__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__UploadProfileImageHeader.self)
        self.sizeBytes = message.pointee.size_bytes
        self.sha256 = MessageReader.bytes(message.pointee.sha256)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__UploadProfileImageHeader.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.size_bytes = self.sizeBytes
        if !self.sha256.isEmpty {
            message.pointee.sha256 = encoder.bytes(self.sha256)
        }
    }
}

/// A picture that waits for its profile.
public struct PBStagedImage: Message {
    /// What `CreateProfileRequest.image_id` and `UpdateProfileRequest.image_id` take: lower-case UUID text.
    public var imageID: String = ""
    /// When it is forgotten, unless it is in a profile by then: an hour after the upload.
    public var expireTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        imageID: String = "",
        expireTime: Google_Protobuf_Timestamp? = nil
    ) {
        self.imageID = imageID
        self.expireTime = expireTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__StagedImage.self,
        initializedBy: pulseboard__profile__v1__staged_image__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__StagedImage.self)
        self.imageID = MessageReader.string(message.pointee.image_id)
        self.expireTime = MessageReader.message(message.pointee.expire_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__StagedImage.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.imageID.isEmpty {
            message.pointee.image_id = try encoder.string(self.imageID, field: "image_id")
        }
        message.pointee.expire_time = try encoder.message(
            self.expireTime, as: Google__Protobuf__Timestamp.self, field: "expire_time")
    }
}

/// Asks for a picture.
public struct PBGetProfileImageRequest: Message {
    /// The account: lower-case UUID text. Empty: the caller.
    public var userID: String = ""
    /// Which size.
    public var size: PBGetProfileImageRequest.Size = .init()
    /// `ProfileImage.path` of the picture that the client has already: if it is still the user's, the answer has no bytes.
    public var unlessPath: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        userID: String = "",
        size: PBGetProfileImageRequest.Size = .init(),
        unlessPath: String = ""
    ) {
        self.userID = userID
        self.size = size
        self.unlessPath = unlessPath
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__GetProfileImageRequest.self,
        initializedBy: pulseboard__profile__v1__get_profile_image_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__GetProfileImageRequest.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.size = MessageReader.enumeration(message.pointee.size)
        self.unlessPath = MessageReader.string(message.pointee.unless_path)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__GetProfileImageRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        message.pointee.size = encoder.enumeration(
            self.size, as: Pulseboard__Profile__V1__GetProfileImageRequest__Size.self)
        if !self.unlessPath.isEmpty {
            message.pointee.unless_path = try encoder.string(self.unlessPath, field: "unless_path")
        }
    }

    /// The sizes that there are. More may come.
    public enum Size: ProtobufEnum {
        /// As SIZE_MEDIUM.
        case unspecified
        /// 96 pixels, at most 16 KiB: for lists.
        case small
        /// 400 pixels, at most 128 KiB.
        case medium
        /// 1,024 pixels, at most 512 KiB.
        case large
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 1: .small
            case 2: .medium
            case 3: .large
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .small: 1
            case .medium: 2
            case .large: 3
            case .unrecognized(let number): number
            }
        }
    }
}

/// A picture.
public struct PBGetProfileImageResponse: Message {
    /// The picture's path and type.
    public var image: PBProfileImage?
    /// Its bytes; empty when `unless_path` is the present one.
    public var data: [UInt8] = []
    /// The SHA-256 of the bytes, 32 bytes; empty when there are none.
    public var sha256: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        image: PBProfileImage? = nil,
        data: [UInt8] = [],
        sha256: [UInt8] = []
    ) {
        self.image = image
        self.data = data
        self.sha256 = sha256
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__GetProfileImageResponse.self,
        initializedBy: pulseboard__profile__v1__get_profile_image_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__GetProfileImageResponse.self)
        self.image = MessageReader.message(message.pointee.image)
        self.data = MessageReader.bytes(message.pointee.data)
        self.sha256 = MessageReader.bytes(message.pointee.sha256)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__GetProfileImageResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.image = try encoder.message(
            self.image, as: Pulseboard__Profile__V1__ProfileImage.self, field: "image")
        if !self.data.isEmpty {
            message.pointee.data = encoder.bytes(self.data)
        }
        if !self.sha256.isEmpty {
            message.pointee.sha256 = encoder.bytes(self.sha256)
        }
    }
}

/// Asks for several small pictures.
public struct PBBatchGetProfileImagesRequest: Message {
    /// Accounts, at most 100: lower-case UUID text.
    public var userIds: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(userIds: [String] = []) {
        self.userIds = userIds
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__BatchGetProfileImagesRequest.self,
        initializedBy: pulseboard__profile__v1__batch_get_profile_images_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__BatchGetProfileImagesRequest.self)
        self.userIds = MessageReader.strings(message.pointee.n_user_ids, message.pointee.user_ids)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__BatchGetProfileImagesRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_user_ids, message.pointee.user_ids) = try encoder.strings(self.userIds, field: "user_ids")
    }
}

/// The pictures that there are.
public struct PBBatchGetProfileImagesResponse: Message {
    /// In the order of the request; users without a picture are left out, and so is a caller who is leaving.
    public var images: [PBUserImage] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(images: [PBUserImage] = []) {
        self.images = images
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__BatchGetProfileImagesResponse.self,
        initializedBy: pulseboard__profile__v1__batch_get_profile_images_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__BatchGetProfileImagesResponse.self)
        self.images = MessageReader.messages(message.pointee.n_images, message.pointee.images)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__BatchGetProfileImagesResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_images, message.pointee.images) = try encoder.messages(
            self.images, as: Pulseboard__Profile__V1__UserImage.self, field: "images")
    }
}

/// One user's small picture.
public struct PBUserImage: Message {
    /// The account.
    public var userID: String = ""
    /// The picture's path and type.
    public var image: PBProfileImage?
    /// Its bytes.
    public var data: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        userID: String = "",
        image: PBProfileImage? = nil,
        data: [UInt8] = []
    ) {
        self.userID = userID
        self.image = image
        self.data = data
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__UserImage.self,
        initializedBy: pulseboard__profile__v1__user_image__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__UserImage.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.image = MessageReader.message(message.pointee.image)
        self.data = MessageReader.bytes(message.pointee.data)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__UserImage.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        message.pointee.image = try encoder.message(
            self.image, as: Pulseboard__Profile__V1__ProfileImage.self, field: "image")
        if !self.data.isEmpty {
            message.pointee.data = encoder.bytes(self.data)
        }
    }
}

/// `pulseboard/profile/v1/profile_image.proto` in protobuf's own terms, for server reflection.
public enum PBProfileImageFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "pulseboard/profile/v1/profile_image.proto",
        dependencies: [
            Google_Protobuf_TimestampFile.descriptor,
        ],
        serialized: """
            \n)pulseboard/profile/v1/profile_image.proto\u{12}\u{15}pulseboard.profile.v1\u{1a}\u{1f}google/pro\
            tobuf/timestamp.proto\"E\n\u{c}ProfileImage\u{12}\u{12}\n\u{4}path\u{18}\u{1} \u{1}(\tR\u{4}path\
            \u{12}!\n\u{c}content_type\u{18}\u{2} \u{1}(\tR\u{b}contentType\"\u{86}\u{1}\n\u{19}UploadProfileIm\
            ageRequest\u{12}I\n\u{6}header\u{18}\u{1} \u{1}(\u{b}2/.pulseboard.profile.v1.UploadProfileImageHea\
            derH\0R\u{6}header\u{12}\u{16}\n\u{5}chunk\u{18}\u{2} \u{1}(\u{c}H\0R\u{5}chunkB\u{6}\n\u{4}part\"Q\
            \n\u{18}UploadProfileImageHeader\u{12}\u{1d}\n\nsize_bytes\u{18}\u{1} \u{1}(\u{3}R\tsizeBytes\u{12}\
            \u{16}\n\u{6}sha256\u{18}\u{2} \u{1}(\u{c}R\u{6}sha256\"e\n\u{b}StagedImage\u{12}\u{19}\n\u{8}image\
            _id\u{18}\u{1} \u{1}(\tR\u{7}imageId\u{12};\n\u{b}expire_time\u{18}\u{2} \u{1}(\u{b}2\u{1a}.google.\
            protobuf.TimestampR\nexpireTime\"\u{e9}\u{1}\n\u{16}GetProfileImageRequest\u{12}\u{17}\n\u{7}user_i\
            d\u{18}\u{1} \u{1}(\tR\u{6}userId\u{12}F\n\u{4}size\u{18}\u{2} \u{1}(\u{e}22.pulseboard.profile.v1.\
            GetProfileImageRequest.SizeR\u{4}size\u{12}\u{1f}\n\u{b}unless_path\u{18}\u{3} \u{1}(\tR\nunlessPat\
            h\"M\n\u{4}Size\u{12}\u{14}\n\u{10}SIZE_UNSPECIFIED\u{10}\0\u{12}\u{e}\n\nSIZE_SMALL\u{10}\u{1}\
            \u{12}\u{f}\n\u{b}SIZE_MEDIUM\u{10}\u{2}\u{12}\u{e}\n\nSIZE_LARGE\u{10}\u{3}\"\u{80}\u{1}\n\u{17}Ge\
            tProfileImageResponse\u{12}9\n\u{5}image\u{18}\u{1} \u{1}(\u{b}2#.pulseboard.profile.v1.ProfileImag\
            eR\u{5}image\u{12}\u{12}\n\u{4}data\u{18}\u{2} \u{1}(\u{c}R\u{4}data\u{12}\u{16}\n\u{6}sha256\u{18}\
            \u{3} \u{1}(\u{c}R\u{6}sha256\"9\n\u{1c}BatchGetProfileImagesRequest\u{12}\u{19}\n\u{8}user_ids\
            \u{18}\u{1} \u{3}(\tR\u{7}userIds\"Y\n\u{1d}BatchGetProfileImagesResponse\u{12}8\n\u{6}images\u{18}\
            \u{1} \u{3}(\u{b}2 .pulseboard.profile.v1.UserImageR\u{6}images\"s\n\tUserImage\u{12}\u{17}\n\u{7}u\
            ser_id\u{18}\u{1} \u{1}(\tR\u{6}userId\u{12}9\n\u{5}image\u{18}\u{2} \u{1}(\u{b}2#.pulseboard.profi\
            le.v1.ProfileImageR\u{5}image\u{12}\u{12}\n\u{4}data\u{18}\u{3} \u{1}(\u{c}R\u{4}data2\u{fa}\u{2}\n\
            \u{13}ProfileImageService\u{12}l\n\u{12}UploadProfileImage\u{12}0.pulseboard.profile.v1.UploadProfi\
            leImageRequest\u{1a}\".pulseboard.profile.v1.StagedImage(\u{1}\u{12}p\n\u{f}GetProfileImage\u{12}-.\
            pulseboard.profile.v1.GetProfileImageRequest\u{1a}..pulseboard.profile.v1.GetProfileImageResponse\
            \u{12}\u{82}\u{1}\n\u{15}BatchGetProfileImages\u{12}3.pulseboard.profile.v1.BatchGetProfileImagesRe\
            quest\u{1a}4.pulseboard.profile.v1.BatchGetProfileImagesResponseBU\n\u{18}io.pulseboard.profile.v1B\
            \u{11}ProfileImageProtoP\u{1}Z\u{1f}pulseboard/profile/v1;profilev1\u{ba}\u{2}\u{2}PBb\u{6}proto3
            """)
}
