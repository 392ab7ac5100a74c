// Written by protoc-gen-pulseboard-swift from pulseboard/follow/v1/follow.proto.
// Do not edit: change that file and generate again.

internal import PulseBoardC
import ProtobufC
import ProtobufWellKnownTypes

/// How the caller stands to one user.
public struct PBRelationship: Message {
    /// The user: lower-case UUID text.
    public var userID: String = ""
    /// Whether the caller follows the user.
    public var state: PBRelationship.State = .init()
    /// Whether the user follows the caller.
    public var followedBy: Bool = false
    /// Since when the caller follows the user (UTC, microseconds). Not set unless `STATE_FOLLOWED`.
    public var followTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        userID: String = "",
        state: PBRelationship.State = .init(),
        followedBy: Bool = false,
        followTime: Google_Protobuf_Timestamp? = nil
    ) {
        self.userID = userID
        self.state = state
        self.followedBy = followedBy
        self.followTime = followTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__Relationship.self,
        initializedBy: pulseboard__follow__v1__relationship__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__Relationship.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.state = MessageReader.enumeration(message.pointee.state)
        self.followedBy = MessageReader.bool(message.pointee.followed_by)
        self.followTime = MessageReader.message(message.pointee.follow_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__Relationship.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        message.pointee.state = encoder.enumeration(self.state, as: Pulseboard__Follow__V1__Relationship__State.self)
        message.pointee.followed_by = self.followedBy ? 1 : 0
        message.pointee.follow_time = try encoder.message(
            self.followTime, as: Google__Protobuf__Timestamp.self, field: "follow_time")
    }

    /// The caller's side. More will come: one that you do not know means "not following, and no button to follow".
    public enum State: ProtobufEnum {
        /// Never sent.
        case unspecified
        /// The user is the caller.
        case personal
        /// The caller follows the user.
        case followed
        /// The caller does not follow the user.
        case unfollowed
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 1: .personal
            case 2: .followed
            case 3: .unfollowed
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .personal: 1
            case .followed: 2
            case .unfollowed: 3
            case .unrecognized(let number): number
            }
        }
    }
}

/// Whom to follow.
public struct PBFollowRequest: Message {
    /// The user: lower-case UUID text.
    public var userID: String = ""
    /// Makes a retry safe: for 24 hours the same id of the same caller gets the first call's answer again, and is refused for
    /// a different request (INVALID_ARGUMENT, REQUEST_ID_REUSED).
    ///
    /// 1…64 bytes of printable ASCII without the blank; empty: not idempotent.
    public var requestID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        userID: String = "",
        requestID: String = ""
    ) {
        self.userID = userID
        self.requestID = requestID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__FollowRequest.self,
        initializedBy: pulseboard__follow__v1__follow_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__FollowRequest.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.requestID = MessageReader.string(message.pointee.request_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__FollowRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        if !self.requestID.isEmpty {
            message.pointee.request_id = try encoder.string(self.requestID, field: "request_id")
        }
    }
}

/// Whom to stop following.
public struct PBUnfollowRequest: Message {
    /// The user: lower-case UUID text.
    public var userID: String = ""
    /// As `FollowRequest.request_id`.
    public var requestID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        userID: String = "",
        requestID: String = ""
    ) {
        self.userID = userID
        self.requestID = requestID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__UnfollowRequest.self,
        initializedBy: pulseboard__follow__v1__unfollow_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__UnfollowRequest.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.requestID = MessageReader.string(message.pointee.request_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__UnfollowRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        if !self.requestID.isEmpty {
            message.pointee.request_id = try encoder.string(self.requestID, field: "request_id")
        }
    }
}

/// Whose following of the caller to end.
public struct PBRemoveFollowerRequest: Message {
    /// The user: lower-case UUID text.
    public var userID: String = ""
    /// As `FollowRequest.request_id`.
    public var requestID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        userID: String = "",
        requestID: String = ""
    ) {
        self.userID = userID
        self.requestID = requestID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__RemoveFollowerRequest.self,
        initializedBy: pulseboard__follow__v1__remove_follower_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__RemoveFollowerRequest.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.requestID = MessageReader.string(message.pointee.request_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__RemoveFollowerRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        if !self.requestID.isEmpty {
            message.pointee.request_id = try encoder.string(self.requestID, field: "request_id")
        }
    }
}

/// Names the other side.
public struct PBGetRelationshipRequest: Message {
    /// The user: lower-case UUID text. The caller's own id is answered with `STATE_PERSONAL`.
    public var userID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(userID: String = "") {
        self.userID = userID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__GetRelationshipRequest.self,
        initializedBy: pulseboard__follow__v1__get_relationship_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__GetRelationshipRequest.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__GetRelationshipRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
    }
}

/// Names the other sides.
public struct PBBatchGetRelationshipsRequest: Message {
    /// Users, at most 100: lower-case UUID text. A repeated id is answered each time.
    public var userIds: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(userIds: [String] = []) {
        self.userIds = userIds
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__BatchGetRelationshipsRequest.self,
        initializedBy: pulseboard__follow__v1__batch_get_relationships_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__BatchGetRelationshipsRequest.self)
        self.userIds = MessageReader.strings(message.pointee.n_user_ids, message.pointee.user_ids)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__BatchGetRelationshipsRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_user_ids, message.pointee.user_ids) = try encoder.strings(self.userIds, field: "user_ids")
    }
}

/// The relationships that were found, and the ids that were not.
public struct PBBatchGetRelationshipsResponse: Message {
    /// In the order of the request.
    public var relationships: [PBRelationship] = []
    /// Users without a profile, in the order of the request.
    public var missingUserIds: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        relationships: [PBRelationship] = [],
        missingUserIds: [String] = []
    ) {
        self.relationships = relationships
        self.missingUserIds = missingUserIds
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__BatchGetRelationshipsResponse.self,
        initializedBy: pulseboard__follow__v1__batch_get_relationships_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__BatchGetRelationshipsResponse.self)
        self.relationships = MessageReader.messages(message.pointee.n_relationships, message.pointee.relationships)
        self.missingUserIds = MessageReader.strings(
            message.pointee.n_missing_user_ids, message.pointee.missing_user_ids)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__BatchGetRelationshipsResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_relationships, message.pointee.relationships) = try encoder.messages(
            self.relationships, as: Pulseboard__Follow__V1__Relationship.self, field: "relationships")
        (message.pointee.n_missing_user_ids, message.pointee.missing_user_ids) = try encoder.strings(
            self.missingUserIds, field: "missing_user_ids")
    }
}

/// Whose followers, and which page of them.
public struct PBListFollowersRequest: Message {
    /// The user: lower-case UUID text. Empty: the caller.
    public var userID: String = ""
    /// The most users to return. 0: 50. More than 200 counts as 200. Negative: INVALID_ARGUMENT (PAGE_SIZE_NEGATIVE).
    public var pageSize: Int32 = 0
    /// `next_page_token` of the page before, of the same list. Empty: the first page.
    public var pageToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        userID: String = "",
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) {
        self.userID = userID
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__ListFollowersRequest.self,
        initializedBy: pulseboard__follow__v1__list_followers_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__ListFollowersRequest.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.pageSize = message.pointee.page_size
        self.pageToken = MessageReader.string(message.pointee.page_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__ListFollowersRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        message.pointee.page_size = self.pageSize
        if !self.pageToken.isEmpty {
            message.pointee.page_token = try encoder.string(self.pageToken, field: "page_token")
        }
    }
}

/// One page of followers.
public struct PBListFollowersResponse: Message {
    /// Newest follow first. A page may hold fewer than asked for; only an empty `next_page_token` is the end.
    public var users: [PBFollowUser] = []
    /// Fetches the next page. Empty: this is the last one. Opaque, and good only for this list.
    public var nextPageToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        users: [PBFollowUser] = [],
        nextPageToken: String = ""
    ) {
        self.users = users
        self.nextPageToken = nextPageToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__ListFollowersResponse.self,
        initializedBy: pulseboard__follow__v1__list_followers_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__ListFollowersResponse.self)
        self.users = MessageReader.messages(message.pointee.n_users, message.pointee.users)
        self.nextPageToken = MessageReader.string(message.pointee.next_page_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__ListFollowersResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_users, message.pointee.users) = try encoder.messages(
            self.users, as: Pulseboard__Follow__V1__FollowUser.self, field: "users")
        if !self.nextPageToken.isEmpty {
            message.pointee.next_page_token = try encoder.string(self.nextPageToken, field: "next_page_token")
        }
    }
}

/// Whose followed users, and which page of them.
public struct PBListFollowingRequest: Message {
    /// The user: lower-case UUID text. Empty: the caller.
    public var userID: String = ""
    /// As `ListFollowersRequest.page_size`.
    public var pageSize: Int32 = 0
    /// `next_page_token` of the page before, of the same list. Empty: the first page.
    public var pageToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        userID: String = "",
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) {
        self.userID = userID
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__ListFollowingRequest.self,
        initializedBy: pulseboard__follow__v1__list_following_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__ListFollowingRequest.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.pageSize = message.pointee.page_size
        self.pageToken = MessageReader.string(message.pointee.page_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__ListFollowingRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        message.pointee.page_size = self.pageSize
        if !self.pageToken.isEmpty {
            message.pointee.page_token = try encoder.string(self.pageToken, field: "page_token")
        }
    }
}

/// One page of followed users.
public struct PBListFollowingResponse: Message {
    /// Newest follow first. A page may hold fewer than asked for; only an empty `next_page_token` is the end.
    public var users: [PBFollowUser] = []
    /// Fetches the next page. Empty: this is the last one. Opaque, and good only for this list.
    public var nextPageToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        users: [PBFollowUser] = [],
        nextPageToken: String = ""
    ) {
        self.users = users
        self.nextPageToken = nextPageToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__ListFollowingResponse.self,
        initializedBy: pulseboard__follow__v1__list_following_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__ListFollowingResponse.self)
        self.users = MessageReader.messages(message.pointee.n_users, message.pointee.users)
        self.nextPageToken = MessageReader.string(message.pointee.next_page_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__ListFollowingResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_users, message.pointee.users) = try encoder.messages(
            self.users, as: Pulseboard__Follow__V1__FollowUser.self, field: "users")
        if !self.nextPageToken.isEmpty {
            message.pointee.next_page_token = try encoder.string(self.nextPageToken, field: "next_page_token")
        }
    }
}

/// One user in a list of follows.
public struct PBFollowUser: Message {
    /// The user.
    public var user: PBUserSummary?
    /// When this follow began (UTC, microseconds).
    public var followTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        user: PBUserSummary? = nil,
        followTime: Google_Protobuf_Timestamp? = nil
    ) {
        self.user = user
        self.followTime = followTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__FollowUser.self,
        initializedBy: pulseboard__follow__v1__follow_user__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__FollowUser.self)
        self.user = MessageReader.message(message.pointee.user)
        self.followTime = MessageReader.message(message.pointee.follow_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__FollowUser.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.user = try encoder.message(
            self.user, as: Pulseboard__Profile__V1__UserSummary.self, field: "user")
        message.pointee.follow_time = try encoder.message(
            self.followTime, as: Google__Protobuf__Timestamp.self, field: "follow_time")
    }
}

/// Whose counts.
public struct PBGetFollowCountsRequest: Message {
    /// The user: lower-case UUID text. Empty: the caller.
    public var userID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(userID: String = "") {
        self.userID = userID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__GetFollowCountsRequest.self,
        initializedBy: pulseboard__follow__v1__get_follow_counts_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__GetFollowCountsRequest.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__GetFollowCountsRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
    }
}

/// Both counts of one user, taken at one instant.
public struct PBFollowCounts: Message {
    /// How many users follow this one.
    public var followers: Int64 = 0
    /// How many users this one follows.
    public var following: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        followers: Int64 = 0,
        following: Int64 = 0
    ) {
        self.followers = followers
        self.following = following
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__FollowCounts.self,
        initializedBy: pulseboard__follow__v1__follow_counts__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__FollowCounts.self)
        self.followers = message.pointee.followers
        self.following = message.pointee.following
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__FollowCounts.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.followers = self.followers
        message.pointee.following = self.following
    }
}

/// From where to watch.
public struct PBWatchFollowsRequest: Message {
    /// `WatchFollowsResponse.resume_token` of the last message that arrived. Empty: from now on.
    public var resumeToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(resumeToken: String = "") {
        self.resumeToken = resumeToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__WatchFollowsRequest.self,
        initializedBy: pulseboard__follow__v1__watch_follows_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__WatchFollowsRequest.self)
        self.resumeToken = MessageReader.string(message.pointee.resume_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__WatchFollowsRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.resumeToken.isEmpty {
            message.pointee.resume_token = try encoder.string(self.resumeToken, field: "resume_token")
        }
    }
}

/// One message of a watch.
public struct PBWatchFollowsResponse: Message {
    /// Exactly one is set. More may come: pass over a message that sets none you know, and keep its token.
    public var update: OneOf_Update?
    /// Resumes after this message. Opaque, good only for this caller.
    public var resumeToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        update: OneOf_Update? = nil,
        resumeToken: String = ""
    ) {
        self.update = update
        self.resumeToken = resumeToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__WatchFollowsResponse.self,
        initializedBy: pulseboard__follow__v1__watch_follows_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__WatchFollowsResponse.self)
        switch message.pointee.update_case.rawValue {
        case 1: self.update = MessageReader.message(message.pointee.position).map { .position($0) }
        case 2: self.update = MessageReader.message(message.pointee.event).map { .event($0) }
        case 3: self.update = MessageReader.message(message.pointee.resync).map { .resync($0) }
        default: break
        }
        self.resumeToken = MessageReader.string(message.pointee.resume_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__WatchFollowsResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        switch self.update {
        case .position(let value)?:
            message.pointee.update_case = .init(rawValue: 1)
            message.pointee.position = try encoder.message(
                value, as: Pulseboard__Follow__V1__FollowPosition.self, field: "position")
        case .event(let value)?:
            message.pointee.update_case = .init(rawValue: 2)
            message.pointee.event = try encoder.message(
                value, as: Pulseboard__Follow__V1__FollowEvent.self, field: "event")
        case .resync(let value)?:
            message.pointee.update_case = .init(rawValue: 3)
            message.pointee.resync = try encoder.message(
                value, as: Pulseboard__Follow__V1__FollowResync.self, field: "resync")
        case nil: break
        }
        if !self.resumeToken.isEmpty {
            message.pointee.resume_token = try encoder.string(self.resumeToken, field: "resume_token")
        }
    }

    /// What ``update`` can be.
    public enum OneOf_Update: Hashable, Sendable {
        /// Nothing has happened: where the stream begins, and again at least every 30 s, so that whoever forwards the stream keeps it.
        case position(PBFollowPosition)
        /// One change.
        case event(PBFollowEvent)
        /// Events before this message are lost to this reader: read the lists again. Later ones follow.
        case resync(PBFollowResync)
    }
}

/// A place among the events.
public struct PBFollowPosition: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__FollowPosition.self,
        initializedBy: pulseboard__follow__v1__follow_position__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// A gap in the events.
public struct PBFollowResync: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__FollowResync.self,
        initializedBy: pulseboard__follow__v1__follow_resync__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// One change of a follow, as the caller sees it.
public struct PBFollowEvent: Message {
    /// What changed.
    public var kind: PBFollowEvent.Kind = .init()
    /// Why.
    public var cause: PBFollowEvent.Cause = .init()
    /// The other side as it was when the event was sent. Only `user_id` is set when the user has no profile by then.
    public var user: PBUserSummary?
    /// When it happened (UTC, microseconds). No two events of one caller share an instant.
    public var eventTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        kind: PBFollowEvent.Kind = .init(),
        cause: PBFollowEvent.Cause = .init(),
        user: PBUserSummary? = nil,
        eventTime: Google_Protobuf_Timestamp? = nil
    ) {
        self.kind = kind
        self.cause = cause
        self.user = user
        self.eventTime = eventTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Follow__V1__FollowEvent.self,
        initializedBy: pulseboard__follow__v1__follow_event__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Follow__V1__FollowEvent.self)
        self.kind = MessageReader.enumeration(message.pointee.kind)
        self.cause = MessageReader.enumeration(message.pointee.cause)
        self.user = MessageReader.message(message.pointee.user)
        self.eventTime = MessageReader.message(message.pointee.event_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Follow__V1__FollowEvent.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.kind = encoder.enumeration(self.kind, as: Pulseboard__Follow__V1__FollowEvent__Kind.self)
        message.pointee.cause = encoder.enumeration(self.cause, as: Pulseboard__Follow__V1__FollowEvent__Cause.self)
        message.pointee.user = try encoder.message(
            self.user, as: Pulseboard__Profile__V1__UserSummary.self, field: "user")
        message.pointee.event_time = try encoder.message(
            self.eventTime, as: Google__Protobuf__Timestamp.self, field: "event_time")
    }

    /// What changed for the caller. More will come: pass over one that you do not know.
    public enum Kind: ProtobufEnum {
        /// Never sent.
        case unspecified
        /// The caller follows the user.
        case followed
        /// The caller no longer follows the user.
        case unfollowed
        /// The user follows the caller.
        case followerGained
        /// The user no longer follows the caller.
        case followerLost
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 1: .followed
            case 2: .unfollowed
            case 3: .followerGained
            case 4: .followerLost
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .followed: 1
            case .unfollowed: 2
            case .followerGained: 3
            case .followerLost: 4
            case .unrecognized(let number): number
            }
        }
    }

    /// Whose doing it was.
    public enum Cause: ProtobufEnum {
        /// Never sent.
        case unspecified
        /// The one who follows: `Follow`, `Unfollow`.
        case follower
        /// The one who is followed: `RemoveFollower`.
        case followee
        /// The user has withdrawn.
        case withdrawal
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 1: .follower
            case 2: .followee
            case 3: .withdrawal
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .follower: 1
            case .followee: 2
            case .withdrawal: 3
            case .unrecognized(let number): number
            }
        }
    }
}

/// `pulseboard/follow/v1/follow.proto` in protobuf's own terms, for server reflection.
public enum PBFollowFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "pulseboard/follow/v1/follow.proto",
        dependencies: [
            Google_Protobuf_TimestampFile.descriptor,
            PBProfileFile.descriptor,
        ],
        serialized: """
            \n!pulseboard/follow/v1/follow.proto\u{12}\u{14}pulseboard.follow.v1\u{1a}\u{1f}google/protobuf/tim\
            estamp.proto\u{1a}#pulseboard/profile/v1/profile.proto\"\u{a3}\u{2}\n\u{c}Relationship\u{12}\u{17}\
            \n\u{7}user_id\u{18}\u{1} \u{1}(\tR\u{6}userId\u{12}>\n\u{5}state\u{18}\u{2} \u{1}(\u{e}2(.pulseboa\
            rd.follow.v1.Relationship.StateR\u{5}state\u{12}\u{1f}\n\u{b}followed_by\u{18}\u{3} \u{1}(\u{8}R\nf\
            ollowedBy\u{12};\n\u{b}follow_time\u{18}\u{4} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\nfollow\
            Time\"\\\n\u{5}State\u{12}\u{15}\n\u{11}STATE_UNSPECIFIED\u{10}\0\u{12}\u{12}\n\u{e}STATE_PERSONAL\
            \u{10}\u{1}\u{12}\u{12}\n\u{e}STATE_FOLLOWED\u{10}\u{2}\u{12}\u{14}\n\u{10}STATE_UNFOLLOWED\u{10}\
            \u{3}\"G\n\rFollowRequest\u{12}\u{17}\n\u{7}user_id\u{18}\u{1} \u{1}(\tR\u{6}userId\u{12}\u{1d}\n\n\
            request_id\u{18}\u{2} \u{1}(\tR\trequestId\"I\n\u{f}UnfollowRequest\u{12}\u{17}\n\u{7}user_id\u{18}\
            \u{1} \u{1}(\tR\u{6}userId\u{12}\u{1d}\n\nrequest_id\u{18}\u{2} \u{1}(\tR\trequestId\"O\n\u{15}Remo\
            veFollowerRequest\u{12}\u{17}\n\u{7}user_id\u{18}\u{1} \u{1}(\tR\u{6}userId\u{12}\u{1d}\n\nrequest_\
            id\u{18}\u{2} \u{1}(\tR\trequestId\"1\n\u{16}GetRelationshipRequest\u{12}\u{17}\n\u{7}user_id\u{18}\
            \u{1} \u{1}(\tR\u{6}userId\"9\n\u{1c}BatchGetRelationshipsRequest\u{12}\u{19}\n\u{8}user_ids\u{18}\
            \u{1} \u{3}(\tR\u{7}userIds\"\u{93}\u{1}\n\u{1d}BatchGetRelationshipsResponse\u{12}H\n\rrelationshi\
            ps\u{18}\u{1} \u{3}(\u{b}2\".pulseboard.follow.v1.RelationshipR\rrelationships\u{12}(\n\u{10}missin\
            g_user_ids\u{18}\u{2} \u{3}(\tR\u{e}missingUserIds\"k\n\u{14}ListFollowersRequest\u{12}\u{17}\n\
            \u{7}user_id\u{18}\u{1} \u{1}(\tR\u{6}userId\u{12}\u{1b}\n\tpage_size\u{18}\u{2} \u{1}(\u{5}R\u{8}p\
            ageSize\u{12}\u{1d}\n\npage_token\u{18}\u{3} \u{1}(\tR\tpageToken\"w\n\u{15}ListFollowersResponse\
            \u{12}6\n\u{5}users\u{18}\u{1} \u{3}(\u{b}2 .pulseboard.follow.v1.FollowUserR\u{5}users\u{12}&\n\
            \u{f}next_page_token\u{18}\u{2} \u{1}(\tR\rnextPageToken\"k\n\u{14}ListFollowingRequest\u{12}\u{17}\
            \n\u{7}user_id\u{18}\u{1} \u{1}(\tR\u{6}userId\u{12}\u{1b}\n\tpage_size\u{18}\u{2} \u{1}(\u{5}R\
            \u{8}pageSize\u{12}\u{1d}\n\npage_token\u{18}\u{3} \u{1}(\tR\tpageToken\"w\n\u{15}ListFollowingResp\
            onse\u{12}6\n\u{5}users\u{18}\u{1} \u{3}(\u{b}2 .pulseboard.follow.v1.FollowUserR\u{5}users\u{12}&\
            \n\u{f}next_page_token\u{18}\u{2} \u{1}(\tR\rnextPageToken\"\u{81}\u{1}\n\nFollowUser\u{12}6\n\u{4}\
            user\u{18}\u{1} \u{1}(\u{b}2\".pulseboard.profile.v1.UserSummaryR\u{4}user\u{12};\n\u{b}follow_time\
            \u{18}\u{2} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\nfollowTime\"1\n\u{16}GetFollowCountsRequ\
            est\u{12}\u{17}\n\u{7}user_id\u{18}\u{1} \u{1}(\tR\u{6}userId\"J\n\u{c}FollowCounts\u{12}\u{1c}\n\t\
            followers\u{18}\u{1} \u{1}(\u{3}R\tfollowers\u{12}\u{1c}\n\tfollowing\u{18}\u{2} \u{1}(\u{3}R\tfoll\
            owing\"8\n\u{13}WatchFollowsRequest\u{12}!\n\u{c}resume_token\u{18}\u{1} \u{1}(\tR\u{b}resumeToken\
            \"\u{80}\u{2}\n\u{14}WatchFollowsResponse\u{12}B\n\u{8}position\u{18}\u{1} \u{1}(\u{b}2$.pulseboard\
            .follow.v1.FollowPositionH\0R\u{8}position\u{12}9\n\u{5}event\u{18}\u{2} \u{1}(\u{b}2!.pulseboard.f\
            ollow.v1.FollowEventH\0R\u{5}event\u{12}<\n\u{6}resync\u{18}\u{3} \u{1}(\u{b}2\".pulseboard.follow.\
            v1.FollowResyncH\0R\u{6}resync\u{12}!\n\u{c}resume_token\u{18}\u{4} \u{1}(\tR\u{b}resumeTokenB\u{8}\
            \n\u{6}update\"\u{10}\n\u{e}FollowPosition\"\u{e}\n\u{c}FollowResync\"\u{d1}\u{3}\n\u{b}FollowEvent\
            \u{12}:\n\u{4}kind\u{18}\u{1} \u{1}(\u{e}2&.pulseboard.follow.v1.FollowEvent.KindR\u{4}kind\u{12}=\
            \n\u{5}cause\u{18}\u{2} \u{1}(\u{e}2'.pulseboard.follow.v1.FollowEvent.CauseR\u{5}cause\u{12}6\n\
            \u{4}user\u{18}\u{3} \u{1}(\u{b}2\".pulseboard.profile.v1.UserSummaryR\u{4}user\u{12}9\n\nevent_tim\
            e\u{18}\u{4} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\teventTime\"v\n\u{4}Kind\u{12}\u{14}\n\
            \u{10}KIND_UNSPECIFIED\u{10}\0\u{12}\u{11}\n\rKIND_FOLLOWED\u{10}\u{1}\u{12}\u{13}\n\u{f}KIND_UNFOL\
            LOWED\u{10}\u{2}\u{12}\u{18}\n\u{14}KIND_FOLLOWER_GAINED\u{10}\u{3}\u{12}\u{16}\n\u{12}KIND_FOLLOWE\
            R_LOST\u{10}\u{4}\"\\\n\u{5}Cause\u{12}\u{15}\n\u{11}CAUSE_UNSPECIFIED\u{10}\0\u{12}\u{12}\n\u{e}CA\
            USE_FOLLOWER\u{10}\u{1}\u{12}\u{12}\n\u{e}CAUSE_FOLLOWEE\u{10}\u{2}\u{12}\u{14}\n\u{10}CAUSE_WITHDR\
            AWAL\u{10}\u{3}2\u{a6}\u{7}\n\rFollowService\u{12}Q\n\u{6}Follow\u{12}#.pulseboard.follow.v1.Follow\
            Request\u{1a}\".pulseboard.follow.v1.Relationship\u{12}U\n\u{8}Unfollow\u{12}%.pulseboard.follow.v1\
            .UnfollowRequest\u{1a}\".pulseboard.follow.v1.Relationship\u{12}a\n\u{e}RemoveFollower\u{12}+.pulse\
            board.follow.v1.RemoveFollowerRequest\u{1a}\".pulseboard.follow.v1.Relationship\u{12}c\n\u{f}GetRel\
            ationship\u{12},.pulseboard.follow.v1.GetRelationshipRequest\u{1a}\".pulseboard.follow.v1.Relations\
            hip\u{12}\u{80}\u{1}\n\u{15}BatchGetRelationships\u{12}2.pulseboard.follow.v1.BatchGetRelationships\
            Request\u{1a}3.pulseboard.follow.v1.BatchGetRelationshipsResponse\u{12}h\n\rListFollowers\u{12}*.pu\
            lseboard.follow.v1.ListFollowersRequest\u{1a}+.pulseboard.follow.v1.ListFollowersResponse\u{12}h\n\
            \rListFollowing\u{12}*.pulseboard.follow.v1.ListFollowingRequest\u{1a}+.pulseboard.follow.v1.ListFo\
            llowingResponse\u{12}c\n\u{f}GetFollowCounts\u{12},.pulseboard.follow.v1.GetFollowCountsRequest\
            \u{1a}\".pulseboard.follow.v1.FollowCounts\u{12}g\n\u{c}WatchFollows\u{12}).pulseboard.follow.v1.Wa\
            tchFollowsRequest\u{1a}*.pulseboard.follow.v1.WatchFollowsResponse0\u{1}BL\n\u{17}io.pulseboard.fol\
            low.v1B\u{b}FollowProtoP\u{1}Z\u{1d}pulseboard/follow/v1;followv1\u{ba}\u{2}\u{2}PBb\u{6}proto3
            """)
}
