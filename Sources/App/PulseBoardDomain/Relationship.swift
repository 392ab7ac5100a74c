/// The relationship of the caller to another user (B26).
public struct Relationship: Hashable, Sendable {
    /// The caller's side of it.
    public enum State: Hashable, Sendable {
        /// The other user is the caller themself.
        case personal
        /// The caller follows the other user (the seed's `userIsFollowed`), since the given time.
        case followed(since: Timestamp)
        /// The caller does not follow the other user (the seed's `userIsUnfollowed`).
        case unfollowed
    }

    /// The other user.
    public let userID: UserID
    public let state: State
    /// Whether the other user follows the caller; never for oneself.
    public let isFollowedBy: Bool

    public init(userID: UserID, state: State, isFollowedBy: Bool) {
        self.userID = userID
        self.state = state
        self.isFollowedBy = isFollowedBy
    }

    /// A user's relationship to themself, known without asking a store (B26).
    public static func personal(_ userID: UserID) -> Relationship {
        Relationship(userID: userID, state: .personal, isFollowedBy: false)
    }

    /// Since when the caller follows the other user; `nil` when they do not.
    public var followTime: Timestamp? {
        if case .followed(let time) = state { time } else { nil }
    }
}

/// How many users follow a user, and how many they follow.
public struct FollowCounts: Hashable, Sendable {
    /// Users who follow the user.
    public let followers: Int64
    /// Users whom the user follows.
    public let following: Int64

    public init(followers: Int64, following: Int64) {
        self.followers = followers
        self.following = following
    }
}

/// One row of a list of followers or of followed users.
public struct FollowListEntry: Hashable, Sendable {
    public let user: UserSummary
    public let followTime: Timestamp

    public init(user: UserSummary, followTime: Timestamp) {
        self.user = user
        self.followTime = followTime
    }

    /// The position from which a list continues after this row.
    public var cursor: FollowCursor { FollowCursor(followTime: followTime, userID: user.id) }
}

/// A place in a list of follows. Lists run from the newest follow to the oldest, and by descending user id within one
/// instant.
public struct FollowCursor: Hashable, Sendable {
    public let followTime: Timestamp
    public let userID: UserID

    public init(followTime: Timestamp, userID: UserID) {
        self.followTime = followTime
        self.userID = userID
    }
}

extension FollowCursor: Comparable {
    /// The lesser of two cursors is later in a list.
    public static func < (one: FollowCursor, other: FollowCursor) -> Bool {
        (one.followTime, one.userID) < (other.followTime, other.userID)
    }
}
