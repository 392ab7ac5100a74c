// Written by protoc-gen-pulseboard-swift from pulseboard/account/v1/account.proto.
// Do not edit: change that file and generate again.

internal import PulseBoardC
import ProtobufC
import ProtobufWellKnownTypes

/// One of the ways in which the caller signs in.
public struct PBIdentity: Message {
    /// The identity provider's address, such as `https://accounts.google.com`; `unix` and `account` are the server's own.
    public var issuer: String = ""
    /// Who the caller is to it: 1…255 bytes. Compared byte by byte.
    public var subject: String = ""
    /// The server's name for the issuer, such as `google`, for a person to recognise. The issuer when the server does not know it any more.
    public var issuerName: String = ""
    /// When it first signed in, or was linked.
    public var createTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        issuer: String = "",
        subject: String = "",
        issuerName: String = "",
        createTime: Google_Protobuf_Timestamp? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.issuerName = issuerName
        self.createTime = createTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__Identity.self,
        initializedBy: pulseboard__account__v1__identity__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__Identity.self)
        self.issuer = MessageReader.string(message.pointee.issuer)
        self.subject = MessageReader.string(message.pointee.subject)
        self.issuerName = MessageReader.string(message.pointee.issuer_name)
        self.createTime = MessageReader.message(message.pointee.create_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__Identity.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.issuer.isEmpty {
            message.pointee.issuer = try encoder.string(self.issuer, field: "issuer")
        }
        if !self.subject.isEmpty {
            message.pointee.subject = try encoder.string(self.subject, field: "subject")
        }
        if !self.issuerName.isEmpty {
            message.pointee.issuer_name = try encoder.string(self.issuerName, field: "issuer_name")
        }
        message.pointee.create_time = try encoder.message(
            self.createTime, as: Google__Protobuf__Timestamp.self, field: "create_time")
    }
}

/// Asks for all identities of the caller.
public struct PBListIdentitiesRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__ListIdentitiesRequest.self,
        initializedBy: pulseboard__account__v1__list_identities_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// The identities of the caller.
public struct PBListIdentitiesResponse: Message {
    /// Oldest first; at least one.
    public var identities: [PBIdentity] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(identities: [PBIdentity] = []) {
        self.identities = identities
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__ListIdentitiesResponse.self,
        initializedBy: pulseboard__account__v1__list_identities_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__ListIdentitiesResponse.self)
        self.identities = MessageReader.messages(message.pointee.n_identities, message.pointee.identities)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__ListIdentitiesResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_identities, message.pointee.identities) = try encoder.messages(
            self.identities, as: Pulseboard__Account__V1__Identity.self, field: "identities")
    }
}

/// Which identity to link.
public struct PBLinkIdentityRequest: Message {
    /// Proof of the identity. Required.
    public var idToken: PBIdTokenCredential?
    /// Names this request, so that a retry is answered with the first result: at most 64 bytes of printable ASCII. Empty: no retry is recognised.
    public var requestID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        idToken: PBIdTokenCredential? = nil,
        requestID: String = ""
    ) {
        self.idToken = idToken
        self.requestID = requestID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__LinkIdentityRequest.self,
        initializedBy: pulseboard__account__v1__link_identity_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__LinkIdentityRequest.self)
        self.idToken = MessageReader.message(message.pointee.id_token)
        self.requestID = MessageReader.string(message.pointee.request_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__LinkIdentityRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.id_token = try encoder.message(
            self.idToken, as: Pulseboard__Auth__V1__IdTokenCredential.self, field: "id_token")
        if !self.requestID.isEmpty {
            message.pointee.request_id = try encoder.string(self.requestID, field: "request_id")
        }
    }
}

/// Which identity to unlink.
public struct PBUnlinkIdentityRequest: Message {
    /// `Identity.issuer`.
    public var issuer: String = ""
    /// `Identity.subject`.
    public var subject: String = ""
    /// Names this request, so that a retry is answered with the first result: at most 64 bytes of printable ASCII. Empty: no retry is recognised.
    public var requestID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        issuer: String = "",
        subject: String = "",
        requestID: String = ""
    ) {
        self.issuer = issuer
        self.subject = subject
        self.requestID = requestID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__UnlinkIdentityRequest.self,
        initializedBy: pulseboard__account__v1__unlink_identity_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__UnlinkIdentityRequest.self)
        self.issuer = MessageReader.string(message.pointee.issuer)
        self.subject = MessageReader.string(message.pointee.subject)
        self.requestID = MessageReader.string(message.pointee.request_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__UnlinkIdentityRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.issuer.isEmpty {
            message.pointee.issuer = try encoder.string(self.issuer, field: "issuer")
        }
        if !self.subject.isEmpty {
            message.pointee.subject = try encoder.string(self.subject, field: "subject")
        }
        if !self.requestID.isEmpty {
            message.pointee.request_id = try encoder.string(self.requestID, field: "request_id")
        }
    }
}

/// The identity no longer signs the caller in.
public struct PBUnlinkIdentityResponse: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__UnlinkIdentityResponse.self,
        initializedBy: pulseboard__account__v1__unlink_identity_response__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// Asks to leave.
public struct PBRequestWithdrawalRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__RequestWithdrawalRequest.self,
        initializedBy: pulseboard__account__v1__request_withdrawal_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// The caller is hidden.
public struct PBRequestWithdrawalResponse: Message {
    /// Until when `CancelWithdrawal` brings the caller back.
    public var purgeTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(purgeTime: Google_Protobuf_Timestamp? = nil) {
        self.purgeTime = purgeTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__RequestWithdrawalResponse.self,
        initializedBy: pulseboard__account__v1__request_withdrawal_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__RequestWithdrawalResponse.self)
        self.purgeTime = MessageReader.message(message.pointee.purge_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__RequestWithdrawalResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.purge_time = try encoder.message(
            self.purgeTime, as: Google__Protobuf__Timestamp.self, field: "purge_time")
    }
}

/// Asks to come back.
public struct PBCancelWithdrawalRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__CancelWithdrawalRequest.self,
        initializedBy: pulseboard__account__v1__cancel_withdrawal_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// The caller is back.
public struct PBCancelWithdrawalResponse: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__CancelWithdrawalResponse.self,
        initializedBy: pulseboard__account__v1__cancel_withdrawal_response__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// Asks for everything that is kept about the caller.
public struct PBExportMyDataRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__ExportMyDataRequest.self,
        initializedBy: pulseboard__account__v1__export_my_data_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// One record of the copy.
public struct PBExportMyDataResponse: Message {
    /// Exactly one is set. More kinds will come: keep what you do not know.
    public var record: OneOf_Record?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(record: OneOf_Record? = nil) {
        self.record = record
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__ExportMyDataResponse.self,
        initializedBy: pulseboard__account__v1__export_my_data_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__ExportMyDataResponse.self)
        switch message.pointee.record_case.rawValue {
        case 1: self.record = MessageReader.message(message.pointee.identity).map { .identity($0) }
        case 2: self.record = MessageReader.message(message.pointee.session).map { .session($0) }
        case 3: self.record = MessageReader.message(message.pointee.profile).map { .profile($0) }
        case 4: self.record = MessageReader.message(message.pointee.image).map { .image($0) }
        case 5: self.record = MessageReader.message(message.pointee.following).map { .following($0) }
        case 6: self.record = MessageReader.message(message.pointee.follower).map { .follower($0) }
        case 7: self.record = MessageReader.message(message.pointee.event).map { .event($0) }
        case 8: self.record = MessageReader.message(message.pointee.diary_entry).map { .diaryEntry($0) }
        case 9: self.record = MessageReader.message(message.pointee.diary_conflicts).map { .diaryConflicts($0) }
        case 10: self.record = MessageReader.message(message.pointee.diary_device).map { .diaryDevice($0) }
        case 11: self.record = MessageReader.message(message.pointee.diary_image).map { .diaryImage($0) }
        case 12: self.record = MessageReader.message(message.pointee.username).map { .username($0) }
        case 15: self.record = MessageReader.message(message.pointee.end).map { .end($0) }
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__ExportMyDataResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        switch self.record {
        case .identity(let value)?:
            message.pointee.record_case = .init(rawValue: 1)
            message.pointee.identity = try encoder.message(
                value, as: Pulseboard__Account__V1__Identity.self, field: "identity")
        case .session(let value)?:
            message.pointee.record_case = .init(rawValue: 2)
            message.pointee.session = try encoder.message(
                value, as: Pulseboard__Auth__V1__Session.self, field: "session")
        case .profile(let value)?:
            message.pointee.record_case = .init(rawValue: 3)
            message.pointee.profile = try encoder.message(
                value, as: Pulseboard__Profile__V1__Profile.self, field: "profile")
        case .image(let value)?:
            message.pointee.record_case = .init(rawValue: 4)
            message.pointee.image = try encoder.message(
                value, as: Pulseboard__Account__V1__ExportedImage.self, field: "image")
        case .following(let value)?:
            message.pointee.record_case = .init(rawValue: 5)
            message.pointee.following = try encoder.message(
                value, as: Pulseboard__Follow__V1__FollowUser.self, field: "following")
        case .follower(let value)?:
            message.pointee.record_case = .init(rawValue: 6)
            message.pointee.follower = try encoder.message(
                value, as: Pulseboard__Follow__V1__FollowUser.self, field: "follower")
        case .event(let value)?:
            message.pointee.record_case = .init(rawValue: 7)
            message.pointee.event = try encoder.message(
                value, as: Pulseboard__Follow__V1__FollowEvent.self, field: "event")
        case .diaryEntry(let value)?:
            message.pointee.record_case = .init(rawValue: 8)
            message.pointee.diary_entry = try encoder.message(
                value, as: Pulseboard__Diary__V1__DiaryEntry.self, field: "diary_entry")
        case .diaryConflicts(let value)?:
            message.pointee.record_case = .init(rawValue: 9)
            message.pointee.diary_conflicts = try encoder.message(
                value, as: Pulseboard__Diary__V1__DiaryRow.self, field: "diary_conflicts")
        case .diaryDevice(let value)?:
            message.pointee.record_case = .init(rawValue: 10)
            message.pointee.diary_device = try encoder.message(
                value, as: Pulseboard__Diary__V1__DiaryDevice.self, field: "diary_device")
        case .diaryImage(let value)?:
            message.pointee.record_case = .init(rawValue: 11)
            message.pointee.diary_image = try encoder.message(
                value, as: Pulseboard__Account__V1__ExportedDiaryImage.self, field: "diary_image")
        case .username(let value)?:
            message.pointee.record_case = .init(rawValue: 12)
            message.pointee.username = try encoder.message(
                value, as: Pulseboard__Account__V1__ExportedUsername.self, field: "username")
        case .end(let value)?:
            message.pointee.record_case = .init(rawValue: 15)
            message.pointee.end = try encoder.message(value, as: Pulseboard__Account__V1__ExportEnd.self, field: "end")
        case nil: break
        }
    }

    /// What ``record`` can be.
    public enum OneOf_Record: Hashable, Sendable {
        /// One of the ways in which the caller signs in.
        case identity(PBIdentity)
        /// An open session.
        case session(PBSession)
        /// The profile. Absent when there is none.
        case profile(PBProfile)
        /// The picture in one size.
        case image(PBExportedImage)
        /// Somebody whom the caller follows.
        case following(PBFollowUser)
        /// Somebody who follows the caller.
        case follower(PBFollowUser)
        /// What happened to the caller's follows, as far as it is kept.
        case event(PBFollowEvent)
        /// An entry of the diary.
        case diaryEntry(PBDiaryEntry)
        /// An entry, also a deleted one, of which edits that lost are kept.
        case diaryConflicts(PBDiaryRow)
        /// A device that writes the diary.
        case diaryDevice(PBDiaryDevice)
        /// Some bytes of a picture of the diary.
        case diaryImage(PBExportedDiaryImage)
        /// A username that belongs to the caller.
        case username(PBExportedUsername)
        /// The last record.
        case end(PBExportEnd)
    }
}

/// A username that belongs to the caller: nobody else can take it.
public struct PBExportedUsername: Message {
    /// The name as names are compared: in small letters.
    public var username: String = ""
    /// Why it belongs to the caller.
    public var kind: PBExportedUsername.Kind = .init()
    /// When it was taken or reserved. The epoch for names from before the server noted it.
    public var takeTime: Google_Protobuf_Timestamp?
    /// Until when nobody else can take it. Absent for `KIND_OWNED`.
    public var expireTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        username: String = "",
        kind: PBExportedUsername.Kind = .init(),
        takeTime: Google_Protobuf_Timestamp? = nil,
        expireTime: Google_Protobuf_Timestamp? = nil
    ) {
        self.username = username
        self.kind = kind
        self.takeTime = takeTime
        self.expireTime = expireTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__ExportedUsername.self,
        initializedBy: pulseboard__account__v1__exported_username__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__ExportedUsername.self)
        self.username = MessageReader.string(message.pointee.username)
        self.kind = MessageReader.enumeration(message.pointee.kind)
        self.takeTime = MessageReader.message(message.pointee.take_time)
        self.expireTime = MessageReader.message(message.pointee.expire_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__ExportedUsername.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.username.isEmpty {
            message.pointee.username = try encoder.string(self.username, field: "username")
        }
        message.pointee.kind = encoder.enumeration(self.kind, as: Pulseboard__Account__V1__ExportedUsername__Kind.self)
        message.pointee.take_time = try encoder.message(
            self.takeTime, as: Google__Protobuf__Timestamp.self, field: "take_time")
        message.pointee.expire_time = try encoder.message(
            self.expireTime, as: Google__Protobuf__Timestamp.self, field: "expire_time")
    }

    /// Why it belongs to the caller.
    public enum Kind: ProtobufEnum {
        /// Not sent.
        case unspecified
        /// The profile has it.
        case owned
        /// The profile had it before. It is held for the caller.
        case held
        /// `ReserveUsername` reserved it.
        case reserved
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 1: .owned
            case 2: .held
            case 3: .reserved
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .owned: 1
            case .held: 2
            case .reserved: 3
            case .unrecognized(let number): number
            }
        }
    }
}

/// The caller's picture in one size.
public struct PBExportedImage: Message {
    /// The size.
    public var size: PBGetProfileImageRequest.Size = .init()
    /// `image/webp`.
    public var contentType: String = ""
    /// The bytes.
    public var data: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        size: PBGetProfileImageRequest.Size = .init(),
        contentType: String = "",
        data: [UInt8] = []
    ) {
        self.size = size
        self.contentType = contentType
        self.data = data
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__ExportedImage.self,
        initializedBy: pulseboard__account__v1__exported_image__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__ExportedImage.self)
        self.size = MessageReader.enumeration(message.pointee.size)
        self.contentType = MessageReader.string(message.pointee.content_type)
        self.data = MessageReader.bytes(message.pointee.data)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__ExportedImage.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.size = encoder.enumeration(
            self.size, as: Pulseboard__Profile__V1__GetProfileImageRequest__Size.self)
        if !self.contentType.isEmpty {
            message.pointee.content_type = try encoder.string(self.contentType, field: "content_type")
        }
        if !self.data.isEmpty {
            message.pointee.data = encoder.bytes(self.data)
        }
    }
}

/// Some bytes of a picture of the diary, as it was uploaded. A picture is several records, in the order of its bytes.
public struct PBExportedDiaryImage: Message {
    /// Which picture.
    public var image: PBDiaryImage?
    /// How many of its bytes are before these.
    public var offset: Int64 = 0
    /// The bytes, at most 256 KiB.
    public var data: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        image: PBDiaryImage? = nil,
        offset: Int64 = 0,
        data: [UInt8] = []
    ) {
        self.image = image
        self.offset = offset
        self.data = data
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__ExportedDiaryImage.self,
        initializedBy: pulseboard__account__v1__exported_diary_image__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__ExportedDiaryImage.self)
        self.image = MessageReader.message(message.pointee.image)
        self.offset = message.pointee.offset
        self.data = MessageReader.bytes(message.pointee.data)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__ExportedDiaryImage.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.image = try encoder.message(
            self.image, as: Pulseboard__Diary__V1__DiaryImage.self, field: "image")
        message.pointee.offset = self.offset
        if !self.data.isEmpty {
            message.pointee.data = encoder.bytes(self.data)
        }
    }
}

/// Says that a copy is complete.
public struct PBExportEnd: Message {
    /// The records before this one.
    public var recordCount: Int64 = 0
    /// The SHA-256 of the records before this one, each as it was sent, one after another: 32 bytes.
    public var sha256: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        recordCount: Int64 = 0,
        sha256: [UInt8] = []
    ) {
        self.recordCount = recordCount
        self.sha256 = sha256
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__ExportEnd.self,
        initializedBy: pulseboard__account__v1__export_end__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__ExportEnd.self)
        self.recordCount = message.pointee.record_count
        self.sha256 = MessageReader.bytes(message.pointee.sha256)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__ExportEnd.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.record_count = self.recordCount
        if !self.sha256.isEmpty {
            message.pointee.sha256 = encoder.bytes(self.sha256)
        }
    }
}

/// `pulseboard/account/v1/account.proto` in protobuf's own terms, for server reflection.
public enum PBAccountFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "pulseboard/account/v1/account.proto",
        dependencies: [
            Google_Protobuf_TimestampFile.descriptor,
            PBAuthFile.descriptor,
            PBDiaryFile.descriptor,
            PBFollowFile.descriptor,
            PBProfileFile.descriptor,
            PBProfileImageFile.descriptor,
        ],
        serialized: """
            \n#pulseboard/account/v1/account.proto\u{12}\u{15}pulseboard.account.v1\u{1a}\u{1f}google/protobuf/\
            timestamp.proto\u{1a}\u{1d}pulseboard/auth/v1/auth.proto\u{1a}\u{1f}pulseboard/diary/v1/diary.proto\
            \u{1a}!pulseboard/follow/v1/follow.proto\u{1a}#pulseboard/profile/v1/profile.proto\u{1a})pulseboard\
            /profile/v1/profile_image.proto\"\u{9a}\u{1}\n\u{8}Identity\u{12}\u{16}\n\u{6}issuer\u{18}\u{1} \
            \u{1}(\tR\u{6}issuer\u{12}\u{18}\n\u{7}subject\u{18}\u{2} \u{1}(\tR\u{7}subject\u{12}\u{1f}\n\u{b}i\
            ssuer_name\u{18}\u{3} \u{1}(\tR\nissuerName\u{12};\n\u{b}create_time\u{18}\u{4} \u{1}(\u{b}2\u{1a}.\
            google.protobuf.TimestampR\ncreateTime\"\u{17}\n\u{15}ListIdentitiesRequest\"Y\n\u{16}ListIdentitie\
            sResponse\u{12}?\n\nidentities\u{18}\u{1} \u{3}(\u{b}2\u{1f}.pulseboard.account.v1.IdentityR\nident\
            ities\"v\n\u{13}LinkIdentityRequest\u{12}@\n\u{8}id_token\u{18}\u{1} \u{1}(\u{b}2%.pulseboard.auth.\
            v1.IdTokenCredentialR\u{7}idToken\u{12}\u{1d}\n\nrequest_id\u{18}\u{2} \u{1}(\tR\trequestId\"h\n\
            \u{15}UnlinkIdentityRequest\u{12}\u{16}\n\u{6}issuer\u{18}\u{1} \u{1}(\tR\u{6}issuer\u{12}\u{18}\n\
            \u{7}subject\u{18}\u{2} \u{1}(\tR\u{7}subject\u{12}\u{1d}\n\nrequest_id\u{18}\u{3} \u{1}(\tR\treque\
            stId\"\u{18}\n\u{16}UnlinkIdentityResponse\"\u{1a}\n\u{18}RequestWithdrawalRequest\"V\n\u{19}Reques\
            tWithdrawalResponse\u{12}9\n\npurge_time\u{18}\u{1} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\t\
            purgeTime\"\u{19}\n\u{17}CancelWithdrawalRequest\"\u{1a}\n\u{18}CancelWithdrawalResponse\"\u{15}\n\
            \u{13}ExportMyDataRequest\"\u{ef}\u{6}\n\u{14}ExportMyDataResponse\u{12}=\n\u{8}identity\u{18}\u{1}\
             \u{1}(\u{b}2\u{1f}.pulseboard.account.v1.IdentityH\0R\u{8}identity\u{12}7\n\u{7}session\u{18}\u{2}\
             \u{1}(\u{b}2\u{1b}.pulseboard.auth.v1.SessionH\0R\u{7}session\u{12}:\n\u{7}profile\u{18}\u{3} \
            \u{1}(\u{b}2\u{1e}.pulseboard.profile.v1.ProfileH\0R\u{7}profile\u{12}<\n\u{5}image\u{18}\u{4} \
            \u{1}(\u{b}2$.pulseboard.account.v1.ExportedImageH\0R\u{5}image\u{12}@\n\tfollowing\u{18}\u{5} \
            \u{1}(\u{b}2 .pulseboard.follow.v1.FollowUserH\0R\tfollowing\u{12}>\n\u{8}follower\u{18}\u{6} \u{1}\
            (\u{b}2 .pulseboard.follow.v1.FollowUserH\0R\u{8}follower\u{12}9\n\u{5}event\u{18}\u{7} \u{1}(\u{b}\
            2!.pulseboard.follow.v1.FollowEventH\0R\u{5}event\u{12}B\n\u{b}diary_entry\u{18}\u{8} \u{1}(\u{b}2\
            \u{1f}.pulseboard.diary.v1.DiaryEntryH\0R\ndiaryEntry\u{12}H\n\u{f}diary_conflicts\u{18}\t \u{1}(\
            \u{b}2\u{1d}.pulseboard.diary.v1.DiaryRowH\0R\u{e}diaryConflicts\u{12}E\n\u{c}diary_device\u{18}\n \
            \u{1}(\u{b}2 .pulseboard.diary.v1.DiaryDeviceH\0R\u{b}diaryDevice\u{12}L\n\u{b}diary_image\u{18}\
            \u{b} \u{1}(\u{b}2).pulseboard.account.v1.ExportedDiaryImageH\0R\ndiaryImage\u{12}E\n\u{8}username\
            \u{18}\u{c} \u{1}(\u{b}2'.pulseboard.account.v1.ExportedUsernameH\0R\u{8}username\u{12}4\n\u{3}end\
            \u{18}\u{f} \u{1}(\u{b}2 .pulseboard.account.v1.ExportEndH\0R\u{3}endB\u{8}\n\u{6}record\"\u{b6}\
            \u{2}\n\u{10}ExportedUsername\u{12}\u{1a}\n\u{8}username\u{18}\u{1} \u{1}(\tR\u{8}username\u{12}@\n\
            \u{4}kind\u{18}\u{2} \u{1}(\u{e}2,.pulseboard.account.v1.ExportedUsername.KindR\u{4}kind\u{12}7\n\t\
            take_time\u{18}\u{3} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\u{8}takeTime\u{12};\n\u{b}expire\
            _time\u{18}\u{4} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\nexpireTime\"N\n\u{4}Kind\u{12}\
            \u{14}\n\u{10}KIND_UNSPECIFIED\u{10}\0\u{12}\u{e}\n\nKIND_OWNED\u{10}\u{1}\u{12}\r\n\tKIND_HELD\
            \u{10}\u{2}\u{12}\u{11}\n\rKIND_RESERVED\u{10}\u{3}\"\u{8e}\u{1}\n\rExportedImage\u{12}F\n\u{4}size\
            \u{18}\u{1} \u{1}(\u{e}22.pulseboard.profile.v1.GetProfileImageRequest.SizeR\u{4}size\u{12}!\n\u{c}\
            content_type\u{18}\u{2} \u{1}(\tR\u{b}contentType\u{12}\u{12}\n\u{4}data\u{18}\u{3} \u{1}(\u{c}R\
            \u{4}data\"w\n\u{12}ExportedDiaryImage\u{12}5\n\u{5}image\u{18}\u{1} \u{1}(\u{b}2\u{1f}.pulseboard.\
            diary.v1.DiaryImageR\u{5}image\u{12}\u{16}\n\u{6}offset\u{18}\u{2} \u{1}(\u{3}R\u{6}offset\u{12}\
            \u{12}\n\u{4}data\u{18}\u{3} \u{1}(\u{c}R\u{4}data\"F\n\tExportEnd\u{12}!\n\u{c}record_count\u{18}\
            \u{1} \u{1}(\u{3}R\u{b}recordCount\u{12}\u{16}\n\u{6}sha256\u{18}\u{2} \u{1}(\u{c}R\u{6}sha2562\
            \u{a3}\u{5}\n\u{e}AccountService\u{12}m\n\u{e}ListIdentities\u{12},.pulseboard.account.v1.ListIdent\
            itiesRequest\u{1a}-.pulseboard.account.v1.ListIdentitiesResponse\u{12}[\n\u{c}LinkIdentity\u{12}*.p\
            ulseboard.account.v1.LinkIdentityRequest\u{1a}\u{1f}.pulseboard.account.v1.Identity\u{12}m\n\u{e}Un\
            linkIdentity\u{12},.pulseboard.account.v1.UnlinkIdentityRequest\u{1a}-.pulseboard.account.v1.Unlink\
            IdentityResponse\u{12}v\n\u{11}RequestWithdrawal\u{12}/.pulseboard.account.v1.RequestWithdrawalRequ\
            est\u{1a}0.pulseboard.account.v1.RequestWithdrawalResponse\u{12}s\n\u{10}CancelWithdrawal\u{12}..pu\
            lseboard.account.v1.CancelWithdrawalRequest\u{1a}/.pulseboard.account.v1.CancelWithdrawalResponse\
            \u{12}i\n\u{c}ExportMyData\u{12}*.pulseboard.account.v1.ExportMyDataRequest\u{1a}+.pulseboard.accou\
            nt.v1.ExportMyDataResponse0\u{1}BP\n\u{18}io.pulseboard.account.v1B\u{c}AccountProtoP\u{1}Z\u{1f}pu\
            lseboard/account/v1;accountv1\u{ba}\u{2}\u{2}PBb\u{6}proto3
            """)
}
