// Written by protoc-gen-pulseboard-swift from pulseboard/profile/v1/profile.proto.
// Do not edit: change that file and generate again.

internal import PulseBoardC
import ProtobufC
import ProtobufWellKnownTypes

/// What one account shows to the others.
public struct PBProfile: Message {
    /// The account: lower-case UUID text. Set by the server.
    public var userID: String = ""
    /// The unique name: 2…9 graphemes of a–z, A–Z, 0–9, composed Hangul syllables and `_`, and not a reserved name.
    ///
    /// Kept in the normal form NFC with the caller's letter case; two names that differ only in case are one name.
    public var username: String = ""
    /// A free name: at most 50 graphemes and 400 bytes of UTF-8, without control characters. May be empty.
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
    public var profile: PBProfile?
    /// Which fields to change: `username`, `display_name`, `status_message`, or `*` for these three, and `image`. Any other path is refused.
    /// An empty mask names those of the three whose value in `profile` is not empty.
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
    /// The text as typed so far, whatever it is.
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

/// One thing wrong with a username.
public struct PBUsernameViolation: Message {
    /// USERNAME_EMPTY, USERNAME_TOO_SHORT, USERNAME_TOO_LONG, USERNAME_INVALID_CHARACTERS, USERNAME_RESERVED or
    /// USERNAME_DUPLICATED.
    public var reason: String = ""
    /// The same for a person, in the language of the call's `accept-language` (Korean or English).
    public var message: Google_Rpc_LocalizedMessage?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        reason: String = "",
        message: Google_Rpc_LocalizedMessage? = nil
    ) {
        self.reason = reason
        self.message = message
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__UsernameViolation.self,
        initializedBy: pulseboard__profile__v1__username_violation__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__UsernameViolation.self)
        self.reason = MessageReader.string(message.pointee.reason)
        self.message = MessageReader.message(message.pointee.message)
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

/// What to search and which page of it.
public struct PBSearchProfilesRequest: Message {
    /// The start of a username or display name, compared without regard to case: 1…50 graphemes and at most 400 bytes.
    public var prefix: String = ""
    /// The most profiles to return. 0: 50. More than 200 counts as 200. Negative: INVALID_ARGUMENT (PAGE_SIZE_NEGATIVE).
    public var pageSize: Int32 = 0
    /// `next_page_token` of the page before, for the same prefix. Empty: the first page.
    public var pageToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        prefix: String = "",
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) {
        self.prefix = prefix
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__SearchProfilesRequest.self,
        initializedBy: pulseboard__profile__v1__search_profiles_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__SearchProfilesRequest.self)
        self.prefix = MessageReader.string(message.pointee.prefix)
        self.pageSize = message.pointee.page_size
        self.pageToken = MessageReader.string(message.pointee.page_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__SearchProfilesRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.prefix.isEmpty {
            message.pointee.prefix = try encoder.string(self.prefix, field: "prefix")
        }
        message.pointee.page_size = self.pageSize
        if !self.pageToken.isEmpty {
            message.pointee.page_token = try encoder.string(self.pageToken, field: "page_token")
        }
    }
}

/// One page of a search.
public struct PBSearchProfilesResponse: Message {
    /// In order of the name that matched.
    public var profiles: [PBProfile] = []
    /// Fetches the next page. Empty: this is the last one. Opaque, and good only for this search.
    public var nextPageToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        profiles: [PBProfile] = [],
        nextPageToken: String = ""
    ) {
        self.profiles = profiles
        self.nextPageToken = nextPageToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Profile__V1__SearchProfilesResponse.self,
        initializedBy: pulseboard__profile__v1__search_profiles_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Profile__V1__SearchProfilesResponse.self)
        self.profiles = MessageReader.messages(message.pointee.n_profiles, message.pointee.profiles)
        self.nextPageToken = MessageReader.string(message.pointee.next_page_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Profile__V1__SearchProfilesResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_profiles, message.pointee.profiles) = try encoder.messages(
            self.profiles, as: Pulseboard__Profile__V1__Profile.self, field: "profiles")
        if !self.nextPageToken.isEmpty {
            message.pointee.next_page_token = try encoder.string(self.nextPageToken, field: "next_page_token")
        }
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
            \u{8}username\u{18}\u{4} \u{1}(\tR\u{8}username\"c\n\u{11}UsernameViolation\u{12}\u{16}\n\u{6}reaso\
            n\u{18}\u{1} \u{1}(\tR\u{6}reason\u{12}6\n\u{7}message\u{18}\u{2} \u{1}(\u{b}2\u{1c}.google.rpc.Loc\
            alizedMessageR\u{7}message\".\n\u{13}WatchProfileRequest\u{12}\u{17}\n\u{7}user_id\u{18}\u{1} \u{1}\
            (\tR\u{6}userId\"k\n\u{15}SearchProfilesRequest\u{12}\u{16}\n\u{6}prefix\u{18}\u{1} \u{1}(\tR\u{6}p\
            refix\u{12}\u{1b}\n\tpage_size\u{18}\u{2} \u{1}(\u{5}R\u{8}pageSize\u{12}\u{1d}\n\npage_token\u{18}\
            \u{3} \u{1}(\tR\tpageToken\"|\n\u{16}SearchProfilesResponse\u{12}:\n\u{8}profiles\u{18}\u{1} \u{3}(\
            \u{b}2\u{1e}.pulseboard.profile.v1.ProfileR\u{8}profiles\u{12}&\n\u{f}next_page_token\u{18}\u{2} \
            \u{1}(\tR\rnextPageToken2\u{92}\u{8}\n\u{e}ProfileService\u{12}Z\n\u{c}GetMyProfile\u{12}*.pulseboa\
            rd.profile.v1.GetMyProfileRequest\u{1a}\u{1e}.pulseboard.profile.v1.Profile\u{12}V\n\nGetProfile\
            \u{12}(.pulseboard.profile.v1.GetProfileRequest\u{1a}\u{1e}.pulseboard.profile.v1.Profile\u{12}s\n\
            \u{10}BatchGetProfiles\u{12}..pulseboard.profile.v1.BatchGetProfilesRequest\u{1a}/.pulseboard.profi\
            le.v1.BatchGetProfilesResponse\u{12}\\\n\rCreateProfile\u{12}+.pulseboard.profile.v1.CreateProfileR\
            equest\u{1a}\u{1e}.pulseboard.profile.v1.Profile\u{12}\\\n\rUpdateProfile\u{12}+.pulseboard.profile\
            .v1.UpdateProfileRequest\u{1a}\u{1e}.pulseboard.profile.v1.Profile\u{12}p\n\u{f}DeleteMyProfile\
            \u{12}-.pulseboard.profile.v1.DeleteMyProfileRequest\u{1a}..pulseboard.profile.v1.DeleteMyProfileRe\
            sponse\u{12}j\n\rCheckUsername\u{12}+.pulseboard.profile.v1.CheckUsernameRequest\u{1a},.pulseboard.\
            profile.v1.CheckUsernameResponse\u{12}p\n\u{e}CheckUsernames\u{12},.pulseboard.profile.v1.CheckUser\
            namesRequest\u{1a},.pulseboard.profile.v1.CheckUsernameResponse(\u{1}0\u{1}\u{12}\\\n\u{c}WatchProf\
            ile\u{12}*.pulseboard.profile.v1.WatchProfileRequest\u{1a}\u{1e}.pulseboard.profile.v1.Profile0\
            \u{1}\u{12}m\n\u{e}SearchProfiles\u{12},.pulseboard.profile.v1.SearchProfilesRequest\u{1a}-.pulsebo\
            ard.profile.v1.SearchProfilesResponseB\u{5}\u{ba}\u{2}\u{2}PBb\u{6}proto3
            """)
}
