// Written by protoc-gen-pulseboard-swift from pulseboard/profile/v1/profile.proto.
// Do not edit: change that file and generate again.

internal import PulseBoardC
import ProtobufC
import ProtobufWellKnownTypes

/// What one account shows to the others. It is the same for everybody who asks; how the caller stands to the user is `Relationship`.
public struct PBProfile: Message {
    /// The account: lower-case UUID text. Set by the server.
    public var userID: String = ""
    /// The unique name: 2…9 graphemes of a–z, A–Z, 0–9, composed Hangul syllables and `_`, not a reserved name, and not like another user's.
    ///
    /// Kept in the normal form NFC with the caller's letter case; two names that differ only in case are one name.
    public var username: String = ""
    /// A free name: at most 50 graphemes and 400 bytes of UTF-8, without control characters, with something to see, and not the name of a
    /// reserved account. May be empty.
    public var displayName: String = ""
    /// A free text: at most 140 graphemes and 1,120 bytes of UTF-8, without control characters but line breaks. May be empty.
    public var statusMessage: String = ""
    /// The picture; unset when there is none. Changed by `UpdateProfileRequest.image_id`.
    public var image: PBProfileImage?
    /// When the profile was made (UTC, microseconds). Set by the server.
    public var createTime: Google_Protobuf_Timestamp?
    /// When the profile last changed (UTC, microseconds). Set by the server.
    public var updateTime: Google_Protobuf_Timestamp?
    /// Names this version of the profile; opaque, and new after every change. Set by the server.
    public var etag: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        userID: String = "",
        username: String = "",
        displayName: String = "",
        statusMessage: String = "",
        image: PBProfileImage? = nil,
        createTime: Google_Protobuf_Timestamp? = nil,
        updateTime: Google_Protobuf_Timestamp? = nil,
        etag: String = ""
    ) {
        self.userID = userID
        self.username = username
        self.displayName = displayName
        self.statusMessage = statusMessage
        self.image = image
        self.createTime = createTime
        self.updateTime = updateTime
        self.etag = etag
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__Profile.self,
        initializedBy: pulseboard__profile__v1__profile__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__Profile.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.username = MessageReader.string(message.pointee.username)
        self.displayName = MessageReader.string(message.pointee.display_name)
        self.statusMessage = MessageReader.string(message.pointee.status_message)
        self.image = MessageReader.message(message.pointee.image)
        self.createTime = MessageReader.message(message.pointee.create_time)
        self.updateTime = MessageReader.message(message.pointee.update_time)
        self.etag = MessageReader.string(message.pointee.etag)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__Profile.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        if !self.username.isEmpty {
            message.pointee.username = try encoder.string(self.username, field: "username")
        }
        if !self.displayName.isEmpty {
            message.pointee.display_name = try encoder.string(self.displayName, field: "display_name")
        }
        if !self.statusMessage.isEmpty {
            message.pointee.status_message = try encoder.string(self.statusMessage, field: "status_message")
        }
        message.pointee.image = try encoder.message(
            self.image, as: Pulseboard__Profile__V1__ProfileImage.self, field: "image")
        message.pointee.create_time = try encoder.message(
            self.createTime, as: Google__Protobuf__Timestamp.self, field: "create_time")
        message.pointee.update_time = try encoder.message(
            self.updateTime, as: Google__Protobuf__Timestamp.self, field: "update_time")
        if !self.etag.isEmpty {
            message.pointee.etag = try encoder.string(self.etag, field: "etag")
        }
    }
}

/// Asks for the caller's own profile.
public struct PBGetMyProfileRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__GetMyProfileRequest.self,
        initializedBy: pulseboard__profile__v1__get_my_profile_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// Names one profile.
public struct PBGetProfileRequest: Message {
    /// Exactly one must be set.
    public var key: OneOf_Key?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(key: OneOf_Key? = nil) {
        self.key = key
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__GetProfileRequest.self,
        initializedBy: pulseboard__profile__v1__get_profile_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__GetProfileRequest.self)
        switch message.pointee.key_case.rawValue {
        case 1: self.key = .userID(MessageReader.string(message.pointee.user_id))
        case 2: self.key = .username(MessageReader.string(message.pointee.username))
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__GetProfileRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        switch self.key {
        case .userID(let value)?:
            message.pointee.key_case = .init(rawValue: 1)
            message.pointee.user_id = try encoder.string(value, field: "user_id")
        case .username(let value)?:
            message.pointee.key_case = .init(rawValue: 2)
            message.pointee.username = try encoder.string(value, field: "username")
        case nil: break
        }
    }

    /// What ``key`` can be.
    public enum OneOf_Key: Hashable, Sendable {
        /// The account: lower-case UUID text.
        case userID(String)
        /// The username, compared without regard to case and after normalisation.
        case username(String)
    }
}

/// Names several profiles.
public struct PBBatchGetProfilesRequest: Message {
    /// Accounts, at most 100: lower-case UUID text. A repeated id is answered each time.
    public var userIds: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(userIds: [String] = []) {
        self.userIds = userIds
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__BatchGetProfilesRequest.self,
        initializedBy: pulseboard__profile__v1__batch_get_profiles_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__BatchGetProfilesRequest.self)
        self.userIds = MessageReader.strings(message.pointee.n_user_ids, message.pointee.user_ids)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__BatchGetProfilesRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_user_ids, message.pointee.user_ids) = try encoder.strings(self.userIds, field: "user_ids")
    }
}

/// The profiles that were found, and the ids that were not.
public struct PBBatchGetProfilesResponse: Message {
    /// In the order of the request.
    public var profiles: [PBProfile] = []
    /// Accounts without a profile, in the order of the request.
    public var missingUserIds: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        profiles: [PBProfile] = [],
        missingUserIds: [String] = []
    ) {
        self.profiles = profiles
        self.missingUserIds = missingUserIds
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__BatchGetProfilesResponse.self,
        initializedBy: pulseboard__profile__v1__batch_get_profiles_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__BatchGetProfilesResponse.self)
        self.profiles = MessageReader.messages(message.pointee.n_profiles, message.pointee.profiles)
        self.missingUserIds = MessageReader.strings(
            message.pointee.n_missing_user_ids, message.pointee.missing_user_ids)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__BatchGetProfilesResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_profiles, message.pointee.profiles) = try encoder.messages(
            self.profiles, as: Pulseboard__Profile__V1__Profile.self, field: "profiles")
        (message.pointee.n_missing_user_ids, message.pointee.missing_user_ids) = try encoder.strings(
            self.missingUserIds, field: "missing_user_ids")
    }
}

/// The caller's new profile.
public struct PBCreateProfileRequest: Message {
    /// As `Profile.username`. Required.
    public var username: String = ""
    /// As `Profile.display_name`.
    public var displayName: String = ""
    /// As `Profile.status_message`.
    public var statusMessage: String = ""
    /// Makes a retry safe: for 24 hours the same id of the same caller gets the first call's answer again, and is refused for
    /// a different request (INVALID_ARGUMENT, REQUEST_ID_REUSED).
    ///
    /// 1…64 bytes of printable ASCII without the blank; empty: not idempotent.
    public var requestID: String = ""
    /// The picture: `StagedImage.image_id` of an upload. Empty: none. A call that fails leaves the upload as it is.
    public var imageID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        username: String = "",
        displayName: String = "",
        statusMessage: String = "",
        requestID: String = "",
        imageID: String = ""
    ) {
        self.username = username
        self.displayName = displayName
        self.statusMessage = statusMessage
        self.requestID = requestID
        self.imageID = imageID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__CreateProfileRequest.self,
        initializedBy: pulseboard__profile__v1__create_profile_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__CreateProfileRequest.self)
        self.username = MessageReader.string(message.pointee.username)
        self.displayName = MessageReader.string(message.pointee.display_name)
        self.statusMessage = MessageReader.string(message.pointee.status_message)
        self.requestID = MessageReader.string(message.pointee.request_id)
        self.imageID = MessageReader.string(message.pointee.image_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__CreateProfileRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.username.isEmpty {
            message.pointee.username = try encoder.string(self.username, field: "username")
        }
        if !self.displayName.isEmpty {
            message.pointee.display_name = try encoder.string(self.displayName, field: "display_name")
        }
        if !self.statusMessage.isEmpty {
            message.pointee.status_message = try encoder.string(self.statusMessage, field: "status_message")
        }
        if !self.requestID.isEmpty {
            message.pointee.request_id = try encoder.string(self.requestID, field: "request_id")
        }
        if !self.imageID.isEmpty {
            message.pointee.image_id = try encoder.string(self.imageID, field: "image_id")
        }
    }
}

/// The change to the caller's profile.
public struct PBUpdateProfileRequest: Message {
    /// The new values of the masked fields. An empty masked field is cleared.
    ///
    /// `user_id`: empty or the caller's. `etag`: when set, the change happens only if it is still the stored one.
    public var profile: PBProfile? {
        get { profileStorage_.first }
        set { profileStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `profile` out of line: in line it would take much memory also when it is not set.
    private var profileStorage_: [PBProfile] = []
    /// Which fields to change: `username`, `display_name`, `status_message`, `image`. Any other path is refused, `*` too.
    /// An empty mask names those of the first three whose value in `profile` is not empty.
    public var updateMask: Google_Protobuf_FieldMask?
    /// As `CreateProfileRequest.request_id`.
    public var requestID: String = ""
    /// The picture that the path `image` puts into the profile: `StagedImage.image_id`. Empty: that path clears the picture.
    public var imageID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        profile: PBProfile? = nil,
        updateMask: Google_Protobuf_FieldMask? = nil,
        requestID: String = "",
        imageID: String = ""
    ) {
        self.profile = profile
        self.updateMask = updateMask
        self.requestID = requestID
        self.imageID = imageID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__UpdateProfileRequest.self,
        initializedBy: pulseboard__profile__v1__update_profile_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__UpdateProfileRequest.self)
        self.profile = MessageReader.message(message.pointee.profile)
        self.updateMask = MessageReader.message(message.pointee.update_mask)
        self.requestID = MessageReader.string(message.pointee.request_id)
        self.imageID = MessageReader.string(message.pointee.image_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__UpdateProfileRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.profile = try encoder.message(
            self.profile, as: Pulseboard__Profile__V1__Profile.self, field: "profile")
        message.pointee.update_mask = try encoder.message(
            self.updateMask, as: Google__Protobuf__FieldMask.self, field: "update_mask")
        if !self.requestID.isEmpty {
            message.pointee.request_id = try encoder.string(self.requestID, field: "request_id")
        }
        if !self.imageID.isEmpty {
            message.pointee.image_id = try encoder.string(self.imageID, field: "image_id")
        }
    }
}

/// Asks to withdraw.
public struct PBDeleteMyProfileRequest: Message {
    /// As `CreateProfileRequest.request_id`.
    public var requestID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(requestID: String = "") {
        self.requestID = requestID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__DeleteMyProfileRequest.self,
        initializedBy: pulseboard__profile__v1__delete_my_profile_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__DeleteMyProfileRequest.self)
        self.requestID = MessageReader.string(message.pointee.request_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__DeleteMyProfileRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.requestID.isEmpty {
            message.pointee.request_id = try encoder.string(self.requestID, field: "request_id")
        }
    }
}

/// The profile is gone.
public struct PBDeleteMyProfileResponse: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__DeleteMyProfileResponse.self,
        initializedBy: pulseboard__profile__v1__delete_my_profile_response__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// A name to judge.
public struct PBCheckUsernameRequest: Message {
    /// The text as typed, whatever it is.
    public var username: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(username: String = "") {
        self.username = username
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__CheckUsernameRequest.self,
        initializedBy: pulseboard__profile__v1__check_username_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__CheckUsernameRequest.self)
        self.username = MessageReader.string(message.pointee.username)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__CheckUsernameRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.username.isEmpty {
            message.pointee.username = try encoder.string(self.username, field: "username")
        }
    }
}

/// One text on the way to a name.
public struct PBCheckUsernamesRequest: Message {
    /// The text as typed so far, whatever it is. Of a text of more than 4,096 bytes, the answer names only the first 4,096.
    public var username: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(username: String = "") {
        self.username = username
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__CheckUsernamesRequest.self,
        initializedBy: pulseboard__profile__v1__check_usernames_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__CheckUsernamesRequest.self)
        self.username = MessageReader.string(message.pointee.username)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__CheckUsernamesRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.username.isEmpty {
            message.pointee.username = try encoder.string(self.username, field: "username")
        }
    }
}

/// The judgement on a name.
public struct PBCheckUsernameResponse: Message {
    /// Everything that keeps the caller from taking the name, the first to be shown first. Whether it is taken is asked only for a
    /// well-formed name.
    public var violations: [PBUsernameViolation] = []
    /// Whether the caller could take the name now. The caller's own present name is available to it.
    public var available: Bool = false
    /// The form in which the name would be kept (NFC): the text that this answer is about.
    public var normalized: String = ""
    /// The text that this answer is for, as it was sent: an answer for another text than the one on the screen is stale.
    public var username: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        violations: [PBUsernameViolation] = [],
        available: Bool = false,
        normalized: String = "",
        username: String = ""
    ) {
        self.violations = violations
        self.available = available
        self.normalized = normalized
        self.username = username
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__CheckUsernameResponse.self,
        initializedBy: pulseboard__profile__v1__check_username_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__CheckUsernameResponse.self)
        self.violations = MessageReader.messages(message.pointee.n_violations, message.pointee.violations)
        self.available = MessageReader.bool(message.pointee.available)
        self.normalized = MessageReader.string(message.pointee.normalized)
        self.username = MessageReader.string(message.pointee.username)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__CheckUsernameResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_violations, message.pointee.violations) = try encoder.messages(
            self.violations, as: Pulseboard__Profile__V1__UsernameViolation.self, field: "violations")
        message.pointee.available = self.available ? 1 : 0
        if !self.normalized.isEmpty {
            message.pointee.normalized = try encoder.string(self.normalized, field: "normalized")
        }
        if !self.username.isEmpty {
            message.pointee.username = try encoder.string(self.username, field: "username")
        }
    }
}

/// The judgement on a text that is being typed.
public struct PBCheckUsernamesResponse: Message {
    /// The text that this answer is for, as it was sent: an answer for another text than the one on the screen is stale.
    public var username: String = ""
    /// How far the judgement is.
    public var state: PBCheckUsernamesResponse.State = .init()
    /// The form in which the name would be kept (NFC).
    public var normalized: String = ""
    /// With `STATE_UNAVAILABLE`: everything that keeps the caller from taking the name, the first to be shown first.
    public var violations: [PBUsernameViolation] = []
    /// With `STATE_FAILED`: a reason of `pulseboard.errors.v1.ErrorReason`, such as STORE_FULL.
    public var reason: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        username: String = "",
        state: PBCheckUsernamesResponse.State = .init(),
        normalized: String = "",
        violations: [PBUsernameViolation] = [],
        reason: String = ""
    ) {
        self.username = username
        self.state = state
        self.normalized = normalized
        self.violations = violations
        self.reason = reason
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__CheckUsernamesResponse.self,
        initializedBy: pulseboard__profile__v1__check_usernames_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__CheckUsernamesResponse.self)
        self.username = MessageReader.string(message.pointee.username)
        self.state = MessageReader.enumeration(message.pointee.state)
        self.normalized = MessageReader.string(message.pointee.normalized)
        self.violations = MessageReader.messages(message.pointee.n_violations, message.pointee.violations)
        self.reason = MessageReader.string(message.pointee.reason)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__CheckUsernamesResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.username.isEmpty {
            message.pointee.username = try encoder.string(self.username, field: "username")
        }
        message.pointee.state = encoder.enumeration(
            self.state, as: Pulseboard__Profile__V1__CheckUsernamesResponse__State.self)
        if !self.normalized.isEmpty {
            message.pointee.normalized = try encoder.string(self.normalized, field: "normalized")
        }
        (message.pointee.n_violations, message.pointee.violations) = try encoder.messages(
            self.violations, as: Pulseboard__Profile__V1__UsernameViolation.self, field: "violations")
        if !self.reason.isEmpty {
            message.pointee.reason = try encoder.string(self.reason, field: "reason")
        }
    }

    /// How far the judgement is. More may come: treat one that you do not know as `STATE_CHECKING`.
    public enum State: ProtobufEnum {
        /// Never sent.
        case unspecified
        /// The text is well-formed, and its verdict comes.
        case checking
        /// The caller could take the name now.
        case available
        /// The caller cannot take it: `violations` say why.
        case unavailable
        /// The server could not check it: `reason` says why. It may be sent again.
        case failed
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 1: .checking
            case 2: .available
            case 3: .unavailable
            case 4: .failed
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .checking: 1
            case .available: 2
            case .unavailable: 3
            case .failed: 4
            case .unrecognized(let number): number
            }
        }
    }
}

/// One thing wrong with a username.
public struct PBUsernameViolation: Message {
    /// USERNAME_EMPTY, USERNAME_TOO_SHORT, USERNAME_TOO_LONG, USERNAME_INVALID_CHARACTERS, USERNAME_RESERVED, USERNAME_DUPLICATED,
    /// USERNAME_CONFUSABLE or USERNAME_CHANGED_RECENTLY.
    public var reason: String = ""
    /// The same for a person, in the language of the call's `accept-language` (Korean or English).
    public var message: Google_Rpc_LocalizedMessage?
    /// With USERNAME_CHANGED_RECENTLY: when the caller may change the username again.
    public var availableTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        reason: String = "",
        message: Google_Rpc_LocalizedMessage? = nil,
        availableTime: Google_Protobuf_Timestamp? = nil
    ) {
        self.reason = reason
        self.message = message
        self.availableTime = availableTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__UsernameViolation.self,
        initializedBy: pulseboard__profile__v1__username_violation__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__UsernameViolation.self)
        self.reason = MessageReader.string(message.pointee.reason)
        self.message = MessageReader.message(message.pointee.message)
        self.availableTime = MessageReader.message(message.pointee.available_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__UsernameViolation.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.reason.isEmpty {
            message.pointee.reason = try encoder.string(self.reason, field: "reason")
        }
        message.pointee.message = try encoder.message(
            self.message, as: Google__Rpc__LocalizedMessage.self, field: "message")
        message.pointee.available_time = try encoder.message(
            self.availableTime, as: Google__Protobuf__Timestamp.self, field: "available_time")
    }
}

/// A name to keep.
public struct PBReserveUsernameRequest: Message {
    /// As `Profile.username`.
    public var username: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(username: String = "") {
        self.username = username
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__ReserveUsernameRequest.self,
        initializedBy: pulseboard__profile__v1__reserve_username_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__ReserveUsernameRequest.self)
        self.username = MessageReader.string(message.pointee.username)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__ReserveUsernameRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.username.isEmpty {
            message.pointee.username = try encoder.string(self.username, field: "username")
        }
    }
}

/// A name that is kept for the caller.
public struct PBReserveUsernameResponse: Message {
    /// The form in which it would be shown (NFC).
    public var username: String = ""
    /// Until when nobody else can take it. Unset when it is the caller's present name.
    public var expireTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        username: String = "",
        expireTime: Google_Protobuf_Timestamp? = nil
    ) {
        self.username = username
        self.expireTime = expireTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__ReserveUsernameResponse.self,
        initializedBy: pulseboard__profile__v1__reserve_username_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__ReserveUsernameResponse.self)
        self.username = MessageReader.string(message.pointee.username)
        self.expireTime = MessageReader.message(message.pointee.expire_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__ReserveUsernameResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.username.isEmpty {
            message.pointee.username = try encoder.string(self.username, field: "username")
        }
        message.pointee.expire_time = try encoder.message(
            self.expireTime, as: Google__Protobuf__Timestamp.self, field: "expire_time")
    }
}

/// Whose profile to watch.
public struct PBWatchProfileRequest: Message {
    /// The account: lower-case UUID text. Empty: the caller.
    public var userID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(userID: String = "") {
        self.userID = userID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__WatchProfileRequest.self,
        initializedBy: pulseboard__profile__v1__watch_profile_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__WatchProfileRequest.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__WatchProfileRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
    }
}

/// One message of a watch.
public struct PBWatchProfileResponse: Message {
    /// Exactly one is set. More may come: pass over a message that sets none you know.
    public var update: OneOf_Update?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(update: OneOf_Update? = nil) {
        self.update = update
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__WatchProfileResponse.self,
        initializedBy: pulseboard__profile__v1__watch_profile_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__WatchProfileResponse.self)
        switch message.pointee.update_case.rawValue {
        case 1: self.update = MessageReader.message(message.pointee.profile).map { .profile($0) }
        case 2: self.update = MessageReader.message(message.pointee.withdrawn).map { .withdrawn($0) }
        case 3: self.update = MessageReader.message(message.pointee.heartbeat).map { .heartbeat($0) }
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__WatchProfileResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        switch self.update {
        case .profile(let value)?:
            message.pointee.update_case = .init(rawValue: 1)
            message.pointee.profile = try encoder.message(
                value, as: Pulseboard__Profile__V1__Profile.self, field: "profile")
        case .withdrawn(let value)?:
            message.pointee.update_case = .init(rawValue: 2)
            message.pointee.withdrawn = try encoder.message(
                value, as: Pulseboard__Profile__V1__ProfileWithdrawn.self, field: "withdrawn")
        case .heartbeat(let value)?:
            message.pointee.update_case = .init(rawValue: 3)
            message.pointee.heartbeat = try encoder.message(
                value, as: Pulseboard__Profile__V1__ProfileHeartbeat.self, field: "heartbeat")
        case nil: break
        }
    }

    /// What ``update`` can be.
    public enum OneOf_Update: Hashable, Sendable {
        /// The profile, at first and after every change.
        case profile(PBProfile)
        /// The profile is gone. This is the last message.
        case withdrawn(PBProfileWithdrawn)
        /// Nothing has changed. It comes at least every 30 s, so that whoever forwards the stream keeps it.
        case heartbeat(PBProfileHeartbeat)
    }
}

/// A profile that is gone.
public struct PBProfileWithdrawn: Message {
    /// The account: lower-case UUID text.
    public var userID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(userID: String = "") {
        self.userID = userID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__ProfileWithdrawn.self,
        initializedBy: pulseboard__profile__v1__profile_withdrawn__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__ProfileWithdrawn.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__ProfileWithdrawn.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
    }
}

/// Says nothing but that the stream lives.
public struct PBProfileHeartbeat: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__ProfileHeartbeat.self,
        initializedBy: pulseboard__profile__v1__profile_heartbeat__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// A user in lists, searches and events.
public struct PBUserSummary: Message {
    /// The account: lower-case UUID text.
    public var userID: String = ""
    /// `Profile.username`. Empty when there is no profile any more.
    public var username: String = ""
    /// `Profile.display_name`.
    public var displayName: String = ""
    /// `Profile.image`.
    public var image: PBProfileImage?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        userID: String = "",
        username: String = "",
        displayName: String = "",
        image: PBProfileImage? = nil
    ) {
        self.userID = userID
        self.username = username
        self.displayName = displayName
        self.image = image
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__UserSummary.self,
        initializedBy: pulseboard__profile__v1__user_summary__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__UserSummary.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.username = MessageReader.string(message.pointee.username)
        self.displayName = MessageReader.string(message.pointee.display_name)
        self.image = MessageReader.message(message.pointee.image)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__UserSummary.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        if !self.username.isEmpty {
            message.pointee.username = try encoder.string(self.username, field: "username")
        }
        if !self.displayName.isEmpty {
            message.pointee.display_name = try encoder.string(self.displayName, field: "display_name")
        }
        message.pointee.image = try encoder.message(
            self.image, as: Pulseboard__Profile__V1__ProfileImage.self, field: "image")
    }
}

/// What to search and which page of it.
public struct PBSearchProfilesRequest: Message {
    /// The start of a username or display name, compared without regard to case: 1…50 graphemes and at most 400 bytes.
    public var query: String = ""
    /// The most users to return. 0: 50. More than 200 counts as 200. Negative: INVALID_ARGUMENT (PAGE_SIZE_NEGATIVE).
    public var pageSize: Int32 = 0
    /// `next_page_token` of the page before, for the same query. Empty: the first page.
    public var pageToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        query: String = "",
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) {
        self.query = query
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__SearchProfilesRequest.self,
        initializedBy: pulseboard__profile__v1__search_profiles_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__SearchProfilesRequest.self)
        self.query = MessageReader.string(message.pointee.query)
        self.pageSize = message.pointee.page_size
        self.pageToken = MessageReader.string(message.pointee.page_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__SearchProfilesRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.query.isEmpty {
            message.pointee.query = try encoder.string(self.query, field: "query")
        }
        message.pointee.page_size = self.pageSize
        if !self.pageToken.isEmpty {
            message.pointee.page_token = try encoder.string(self.pageToken, field: "page_token")
        }
    }
}

/// One page of a search.
public struct PBSearchProfilesResponse: Message {
    /// In order of the name that matched. A page may hold fewer than asked for; only an empty `next_page_token` is the end.
    public var users: [PBUserSummary] = []
    /// Fetches the next page. Empty: this is the last one. Opaque, and good only for this search of this caller.
    public var nextPageToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        users: [PBUserSummary] = [],
        nextPageToken: String = ""
    ) {
        self.users = users
        self.nextPageToken = nextPageToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__SearchProfilesResponse.self,
        initializedBy: pulseboard__profile__v1__search_profiles_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__SearchProfilesResponse.self)
        self.users = MessageReader.messages(message.pointee.n_users, message.pointee.users)
        self.nextPageToken = MessageReader.string(message.pointee.next_page_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__SearchProfilesResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_users, message.pointee.users) = try encoder.messages(
            self.users, as: Pulseboard__Profile__V1__UserSummary.self, field: "users")
        if !self.nextPageToken.isEmpty {
            message.pointee.next_page_token = try encoder.string(self.nextPageToken, field: "next_page_token")
        }
    }
}

/// Has no fields: the limits are the same for everybody.
public struct PBGetLimitsRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__GetLimitsRequest.self,
        initializedBy: pulseboard__profile__v1__get_limits_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// The limits of this server.
public struct PBGetLimitsResponse: Message {
    /// `Profile.username`.
    public var username: PBTextLimits?
    /// `Profile.display_name`.
    public var displayName: PBTextLimits?
    /// `Profile.status_message`.
    public var statusMessage: PBTextLimits?
    /// `SearchProfilesRequest.query`.
    public var query: PBTextLimits?
    /// The most items on a page of any list.
    public var maximumPageSize: Int32 = 0
    /// The items on a page of a list that asks for 0.
    public var defaultPageSize: Int32 = 0
    /// The most ids in a request for many profiles, relationships or pictures.
    public var maximumBatchSize: Int32 = 0
    /// `UploadProfileImage`. Unset on a server that takes no pictures.
    public var image: PBUploadLimits?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        username: PBTextLimits? = nil,
        displayName: PBTextLimits? = nil,
        statusMessage: PBTextLimits? = nil,
        query: PBTextLimits? = nil,
        maximumPageSize: Int32 = 0,
        defaultPageSize: Int32 = 0,
        maximumBatchSize: Int32 = 0,
        image: PBUploadLimits? = nil
    ) {
        self.username = username
        self.displayName = displayName
        self.statusMessage = statusMessage
        self.query = query
        self.maximumPageSize = maximumPageSize
        self.defaultPageSize = defaultPageSize
        self.maximumBatchSize = maximumBatchSize
        self.image = image
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__GetLimitsResponse.self,
        initializedBy: pulseboard__profile__v1__get_limits_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__GetLimitsResponse.self)
        self.username = MessageReader.message(message.pointee.username)
        self.displayName = MessageReader.message(message.pointee.display_name)
        self.statusMessage = MessageReader.message(message.pointee.status_message)
        self.query = MessageReader.message(message.pointee.query)
        self.maximumPageSize = message.pointee.maximum_page_size
        self.defaultPageSize = message.pointee.default_page_size
        self.maximumBatchSize = message.pointee.maximum_batch_size
        self.image = MessageReader.message(message.pointee.image)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__GetLimitsResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.username = try encoder.message(
            self.username, as: Pulseboard__Profile__V1__TextLimits.self, field: "username")
        message.pointee.display_name = try encoder.message(
            self.displayName, as: Pulseboard__Profile__V1__TextLimits.self, field: "display_name")
        message.pointee.status_message = try encoder.message(
            self.statusMessage, as: Pulseboard__Profile__V1__TextLimits.self, field: "status_message")
        message.pointee.query = try encoder.message(
            self.query, as: Pulseboard__Profile__V1__TextLimits.self, field: "query")
        message.pointee.maximum_page_size = self.maximumPageSize
        message.pointee.default_page_size = self.defaultPageSize
        message.pointee.maximum_batch_size = self.maximumBatchSize
        message.pointee.image = try encoder.message(
            self.image, as: Pulseboard__Profile__V1__UploadLimits.self, field: "image")
    }
}

/// How long a text may be. 0: no such bound.
public struct PBTextLimits: Message {
    /// The fewest graphemes.
    public var minimumCharacters: Int32 = 0
    /// The most graphemes.
    public var maximumCharacters: Int32 = 0
    /// The most bytes of UTF-8.
    public var maximumBytes: Int32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        minimumCharacters: Int32 = 0,
        maximumCharacters: Int32 = 0,
        maximumBytes: Int32 = 0
    ) {
        self.minimumCharacters = minimumCharacters
        self.maximumCharacters = maximumCharacters
        self.maximumBytes = maximumBytes
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__TextLimits.self,
        initializedBy: pulseboard__profile__v1__text_limits__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__TextLimits.self)
        self.minimumCharacters = message.pointee.minimum_characters
        self.maximumCharacters = message.pointee.maximum_characters
        self.maximumBytes = message.pointee.maximum_bytes
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__TextLimits.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.minimum_characters = self.minimumCharacters
        message.pointee.maximum_characters = self.maximumCharacters
        message.pointee.maximum_bytes = self.maximumBytes
    }
}

/// What an uploaded picture may be.
public struct PBUploadLimits: Message {
    /// The most bytes.
    public var maximumBytes: Int64 = 0
    /// The most pixels, width times height.
    public var maximumPixels: Int64 = 0
    /// The most bytes of one chunk of the upload.
    public var maximumChunkBytes: Int32 = 0
    /// What is taken, such as `image/jpeg`.
    public var contentTypes: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        maximumBytes: Int64 = 0,
        maximumPixels: Int64 = 0,
        maximumChunkBytes: Int32 = 0,
        contentTypes: [String] = []
    ) {
        self.maximumBytes = maximumBytes
        self.maximumPixels = maximumPixels
        self.maximumChunkBytes = maximumChunkBytes
        self.contentTypes = contentTypes
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__UploadLimits.self,
        initializedBy: pulseboard__profile__v1__upload_limits__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__UploadLimits.self)
        self.maximumBytes = message.pointee.maximum_bytes
        self.maximumPixels = message.pointee.maximum_pixels
        self.maximumChunkBytes = message.pointee.maximum_chunk_bytes
        self.contentTypes = MessageReader.strings(message.pointee.n_content_types, message.pointee.content_types)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__UploadLimits.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.maximum_bytes = self.maximumBytes
        message.pointee.maximum_pixels = self.maximumPixels
        message.pointee.maximum_chunk_bytes = self.maximumChunkBytes
        (message.pointee.n_content_types, message.pointee.content_types) = try encoder.strings(
            self.contentTypes, field: "content_types")
    }
}

/// `pulseboard/profile/v1/profile.proto` in protobuf's own terms, for server reflection.
public enum PBProfileFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "pulseboard/profile/v1/profile.proto",
        dependencies: [
            Google_Protobuf_FieldMaskFile.descriptor,
            Google_Protobuf_TimestampFile.descriptor,
            Google_Rpc_ErrorDetailsFile.descriptor,
            PBProfileImageFile.descriptor,
        ],
        serialized: """
            \n#pulseboard/profile/v1/profile.proto\u{12}\u{15}pulseboard.profile.v1\u{1a} google/protobuf/field\
            _mask.proto\u{1a}\u{1f}google/protobuf/timestamp.proto\u{1a}\u{1e}google/rpc/error_details.proto\
            \u{1a})pulseboard/profile/v1/profile_image.proto\"\u{d1}\u{2}\n\u{7}Profile\u{12}\u{17}\n\u{7}user_\
            id\u{18}\u{1} \u{1}(\tR\u{6}userId\u{12}\u{1a}\n\u{8}username\u{18}\u{2} \u{1}(\tR\u{8}username\
            \u{12}!\n\u{c}display_name\u{18}\u{3} \u{1}(\tR\u{b}displayName\u{12}%\n\u{e}status_message\u{18}\
            \u{4} \u{1}(\tR\rstatusMessage\u{12}9\n\u{5}image\u{18}\u{5} \u{1}(\u{b}2#.pulseboard.profile.v1.Pr\
            ofileImageR\u{5}image\u{12};\n\u{b}create_time\u{18}\u{6} \u{1}(\u{b}2\u{1a}.google.protobuf.Timest\
            ampR\ncreateTime\u{12};\n\u{b}update_time\u{18}\u{7} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\
            \nupdateTime\u{12}\u{12}\n\u{4}etag\u{18}\u{8} \u{1}(\tR\u{4}etag\"\u{15}\n\u{13}GetMyProfileReques\
            t\"S\n\u{11}GetProfileRequest\u{12}\u{19}\n\u{7}user_id\u{18}\u{1} \u{1}(\tH\0R\u{6}userId\u{12}\
            \u{1c}\n\u{8}username\u{18}\u{2} \u{1}(\tH\0R\u{8}usernameB\u{5}\n\u{3}key\"4\n\u{17}BatchGetProfil\
            esRequest\u{12}\u{19}\n\u{8}user_ids\u{18}\u{1} \u{3}(\tR\u{7}userIds\"\u{80}\u{1}\n\u{18}BatchGetP\
            rofilesResponse\u{12}:\n\u{8}profiles\u{18}\u{1} \u{3}(\u{b}2\u{1e}.pulseboard.profile.v1.ProfileR\
            \u{8}profiles\u{12}(\n\u{10}missing_user_ids\u{18}\u{2} \u{3}(\tR\u{e}missingUserIds\"\u{b6}\u{1}\n\
            \u{14}CreateProfileRequest\u{12}\u{1a}\n\u{8}username\u{18}\u{1} \u{1}(\tR\u{8}username\u{12}!\n\
            \u{c}display_name\u{18}\u{2} \u{1}(\tR\u{b}displayName\u{12}%\n\u{e}status_message\u{18}\u{3} \u{1}\
            (\tR\rstatusMessage\u{12}\u{1d}\n\nrequest_id\u{18}\u{4} \u{1}(\tR\trequestId\u{12}\u{19}\n\u{8}ima\
            ge_id\u{18}\u{5} \u{1}(\tR\u{7}imageId\"\u{c7}\u{1}\n\u{14}UpdateProfileRequest\u{12}8\n\u{7}profil\
            e\u{18}\u{1} \u{1}(\u{b}2\u{1e}.pulseboard.profile.v1.ProfileR\u{7}profile\u{12};\n\u{b}update_mask\
            \u{18}\u{2} \u{1}(\u{b}2\u{1a}.google.protobuf.FieldMaskR\nupdateMask\u{12}\u{1d}\n\nrequest_id\
            \u{18}\u{3} \u{1}(\tR\trequestId\u{12}\u{19}\n\u{8}image_id\u{18}\u{4} \u{1}(\tR\u{7}imageId\"7\n\
            \u{16}DeleteMyProfileRequest\u{12}\u{1d}\n\nrequest_id\u{18}\u{1} \u{1}(\tR\trequestId\"\u{19}\n\
            \u{17}DeleteMyProfileResponse\"2\n\u{14}CheckUsernameRequest\u{12}\u{1a}\n\u{8}username\u{18}\u{1} \
            \u{1}(\tR\u{8}username\"3\n\u{15}CheckUsernamesRequest\u{12}\u{1a}\n\u{8}username\u{18}\u{1} \u{1}(\
            \tR\u{8}username\"\u{bb}\u{1}\n\u{15}CheckUsernameResponse\u{12}H\n\nviolations\u{18}\u{1} \u{3}(\
            \u{b}2(.pulseboard.profile.v1.UsernameViolationR\nviolations\u{12}\u{1c}\n\tavailable\u{18}\u{2} \
            \u{1}(\u{8}R\tavailable\u{12}\u{1e}\n\nnormalized\u{18}\u{3} \u{1}(\tR\nnormalized\u{12}\u{1a}\n\
            \u{8}username\u{18}\u{4} \u{1}(\tR\u{8}username\"\u{f3}\u{2}\n\u{16}CheckUsernamesResponse\u{12}\
            \u{1a}\n\u{8}username\u{18}\u{1} \u{1}(\tR\u{8}username\u{12}I\n\u{5}state\u{18}\u{2} \u{1}(\u{e}23\
            .pulseboard.profile.v1.CheckUsernamesResponse.StateR\u{5}state\u{12}\u{1e}\n\nnormalized\u{18}\u{3}\
             \u{1}(\tR\nnormalized\u{12}H\n\nviolations\u{18}\u{4} \u{3}(\u{b}2(.pulseboard.profile.v1.Username\
            ViolationR\nviolations\u{12}\u{16}\n\u{6}reason\u{18}\u{5} \u{1}(\tR\u{6}reason\"p\n\u{5}State\
            \u{12}\u{15}\n\u{11}STATE_UNSPECIFIED\u{10}\0\u{12}\u{12}\n\u{e}STATE_CHECKING\u{10}\u{1}\u{12}\
            \u{13}\n\u{f}STATE_AVAILABLE\u{10}\u{2}\u{12}\u{15}\n\u{11}STATE_UNAVAILABLE\u{10}\u{3}\u{12}\u{10}\
            \n\u{c}STATE_FAILED\u{10}\u{4}\"\u{a6}\u{1}\n\u{11}UsernameViolation\u{12}\u{16}\n\u{6}reason\u{18}\
            \u{1} \u{1}(\tR\u{6}reason\u{12}6\n\u{7}message\u{18}\u{2} \u{1}(\u{b}2\u{1c}.google.rpc.LocalizedM\
            essageR\u{7}message\u{12}A\n\u{e}available_time\u{18}\u{3} \u{1}(\u{b}2\u{1a}.google.protobuf.Times\
            tampR\ravailableTime\"4\n\u{16}ReserveUsernameRequest\u{12}\u{1a}\n\u{8}username\u{18}\u{1} \u{1}(\
            \tR\u{8}username\"r\n\u{17}ReserveUsernameResponse\u{12}\u{1a}\n\u{8}username\u{18}\u{1} \u{1}(\tR\
            \u{8}username\u{12};\n\u{b}expire_time\u{18}\u{2} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\nex\
            pireTime\".\n\u{13}WatchProfileRequest\u{12}\u{17}\n\u{7}user_id\u{18}\u{1} \u{1}(\tR\u{6}userId\"\
            \u{ee}\u{1}\n\u{14}WatchProfileResponse\u{12}:\n\u{7}profile\u{18}\u{1} \u{1}(\u{b}2\u{1e}.pulseboa\
            rd.profile.v1.ProfileH\0R\u{7}profile\u{12}G\n\twithdrawn\u{18}\u{2} \u{1}(\u{b}2'.pulseboard.profi\
            le.v1.ProfileWithdrawnH\0R\twithdrawn\u{12}G\n\theartbeat\u{18}\u{3} \u{1}(\u{b}2'.pulseboard.profi\
            le.v1.ProfileHeartbeatH\0R\theartbeatB\u{8}\n\u{6}update\"+\n\u{10}ProfileWithdrawn\u{12}\u{17}\n\
            \u{7}user_id\u{18}\u{1} \u{1}(\tR\u{6}userId\"\u{12}\n\u{10}ProfileHeartbeat\"\u{a0}\u{1}\n\u{b}Use\
            rSummary\u{12}\u{17}\n\u{7}user_id\u{18}\u{1} \u{1}(\tR\u{6}userId\u{12}\u{1a}\n\u{8}username\u{18}\
            \u{2} \u{1}(\tR\u{8}username\u{12}!\n\u{c}display_name\u{18}\u{3} \u{1}(\tR\u{b}displayName\u{12}9\
            \n\u{5}image\u{18}\u{4} \u{1}(\u{b}2#.pulseboard.profile.v1.ProfileImageR\u{5}image\"i\n\u{15}Searc\
            hProfilesRequest\u{12}\u{14}\n\u{5}query\u{18}\u{1} \u{1}(\tR\u{5}query\u{12}\u{1b}\n\tpage_size\
            \u{18}\u{2} \u{1}(\u{5}R\u{8}pageSize\u{12}\u{1d}\n\npage_token\u{18}\u{3} \u{1}(\tR\tpageToken\"z\
            \n\u{16}SearchProfilesResponse\u{12}8\n\u{5}users\u{18}\u{1} \u{3}(\u{b}2\".pulseboard.profile.v1.U\
            serSummaryR\u{5}users\u{12}&\n\u{f}next_page_token\u{18}\u{2} \u{1}(\tR\rnextPageToken\"\u{12}\n\
            \u{10}GetLimitsRequest\"\u{dc}\u{3}\n\u{11}GetLimitsResponse\u{12}=\n\u{8}username\u{18}\u{1} \u{1}\
            (\u{b}2!.pulseboard.profile.v1.TextLimitsR\u{8}username\u{12}D\n\u{c}display_name\u{18}\u{2} \u{1}(\
            \u{b}2!.pulseboard.profile.v1.TextLimitsR\u{b}displayName\u{12}H\n\u{e}status_message\u{18}\u{3} \
            \u{1}(\u{b}2!.pulseboard.profile.v1.TextLimitsR\rstatusMessage\u{12}7\n\u{5}query\u{18}\u{4} \u{1}(\
            \u{b}2!.pulseboard.profile.v1.TextLimitsR\u{5}query\u{12}*\n\u{11}maximum_page_size\u{18}\u{5} \
            \u{1}(\u{5}R\u{f}maximumPageSize\u{12}*\n\u{11}default_page_size\u{18}\u{6} \u{1}(\u{5}R\u{f}defaul\
            tPageSize\u{12},\n\u{12}maximum_batch_size\u{18}\u{7} \u{1}(\u{5}R\u{10}maximumBatchSize\u{12}9\n\
            \u{5}image\u{18}\u{8} \u{1}(\u{b}2#.pulseboard.profile.v1.UploadLimitsR\u{5}image\"\u{8f}\u{1}\n\nT\
            extLimits\u{12}-\n\u{12}minimum_characters\u{18}\u{1} \u{1}(\u{5}R\u{11}minimumCharacters\u{12}-\n\
            \u{12}maximum_characters\u{18}\u{2} \u{1}(\u{5}R\u{11}maximumCharacters\u{12}#\n\rmaximum_bytes\
            \u{18}\u{3} \u{1}(\u{5}R\u{c}maximumBytes\"\u{af}\u{1}\n\u{c}UploadLimits\u{12}#\n\rmaximum_bytes\
            \u{18}\u{1} \u{1}(\u{3}R\u{c}maximumBytes\u{12}%\n\u{e}maximum_pixels\u{18}\u{2} \u{1}(\u{3}R\rmaxi\
            mumPixels\u{12}.\n\u{13}maximum_chunk_bytes\u{18}\u{3} \u{1}(\u{5}R\u{11}maximumChunkBytes\u{12}#\n\
            \rcontent_types\u{18}\u{4} \u{3}(\tR\u{c}contentTypes2\u{f2}\t\n\u{e}ProfileService\u{12}Z\n\u{c}Ge\
            tMyProfile\u{12}*.pulseboard.profile.v1.GetMyProfileRequest\u{1a}\u{1e}.pulseboard.profile.v1.Profi\
            le\u{12}V\n\nGetProfile\u{12}(.pulseboard.profile.v1.GetProfileRequest\u{1a}\u{1e}.pulseboard.profi\
            le.v1.Profile\u{12}s\n\u{10}BatchGetProfiles\u{12}..pulseboard.profile.v1.BatchGetProfilesRequest\
            \u{1a}/.pulseboard.profile.v1.BatchGetProfilesResponse\u{12}\\\n\rCreateProfile\u{12}+.pulseboard.p\
            rofile.v1.CreateProfileRequest\u{1a}\u{1e}.pulseboard.profile.v1.Profile\u{12}\\\n\rUpdateProfile\
            \u{12}+.pulseboard.profile.v1.UpdateProfileRequest\u{1a}\u{1e}.pulseboard.profile.v1.Profile\u{12}p\
            \n\u{f}DeleteMyProfile\u{12}-.pulseboard.profile.v1.DeleteMyProfileRequest\u{1a}..pulseboard.profil\
            e.v1.DeleteMyProfileResponse\u{12}j\n\rCheckUsername\u{12}+.pulseboard.profile.v1.CheckUsernameRequ\
            est\u{1a},.pulseboard.profile.v1.CheckUsernameResponse\u{12}q\n\u{e}CheckUsernames\u{12},.pulseboar\
            d.profile.v1.CheckUsernamesRequest\u{1a}-.pulseboard.profile.v1.CheckUsernamesResponse(\u{1}0\u{1}\
            \u{12}p\n\u{f}ReserveUsername\u{12}-.pulseboard.profile.v1.ReserveUsernameRequest\u{1a}..pulseboard\
            .profile.v1.ReserveUsernameResponse\u{12}i\n\u{c}WatchProfile\u{12}*.pulseboard.profile.v1.WatchPro\
            fileRequest\u{1a}+.pulseboard.profile.v1.WatchProfileResponse0\u{1}\u{12}m\n\u{e}SearchProfiles\
            \u{12},.pulseboard.profile.v1.SearchProfilesRequest\u{1a}-.pulseboard.profile.v1.SearchProfilesResp\
            onse\u{12}^\n\tGetLimits\u{12}'.pulseboard.profile.v1.GetLimitsRequest\u{1a}(.pulseboard.profile.v1\
            .GetLimitsResponseBP\n\u{18}io.pulseboard.profile.v1B\u{c}ProfileProtoP\u{1}Z\u{1f}pulseboard/profi\
            le/v1;profilev1\u{ba}\u{2}\u{2}PBb\u{6}proto3
            """)
}
