/// One change of a follow, as one of its two sides sees it. That side is the event's owner.
public struct FollowEvent: Hashable, Sendable {
    /// What changed for the owner.
    public enum Change: Hashable, Sendable, CaseIterable {
        /// The owner follows the user.
        case followed
        /// The owner no longer follows the user.
        case unfollowed
        /// The user follows the owner.
        case followerGained
        /// The user no longer follows the owner.
        case followerLost
    }

    /// Who caused the change.
    public enum Cause: Hashable, Sendable, CaseIterable {
        /// The side that follows called `Follow` or `Unfollow`.
        case follower
        /// The side that is followed called `RemoveFollower`.
        case followee
        /// The user has withdrawn. It is never the owner: a withdrawal removes the owner's own events.
        case withdrawal
    }

    public let change: Change
    public let cause: Cause
    /// The other side.
    public let userID: UserID
    /// The other side's profile when the event was read; `nil` if it had none then.
    public let summary: UserSummary?
    /// The place of the event among the owner's events.
    public let position: FollowEventPosition

    public init(change: Change, cause: Cause, userID: UserID, summary: UserSummary?, position: FollowEventPosition) {
        self.change = change
        self.cause = cause
        self.userID = userID
        self.summary = summary
        self.position = position
    }

    /// When it happened.
    public var time: Timestamp { position.time }
}

/// A place in one owner's events: after the event of this instant and before all later ones.
///
/// No two events of an owner share an instant: if needed, the store sets an event's time to a microsecond after its
/// predecessor, even if the clock was set back. So the instant identifies the place, and it rises with every event.
public struct FollowEventPosition: Hashable, Sendable, Comparable {
    public let time: Timestamp

    public init(time: Timestamp) { self.time = time }

    public static func < (left: FollowEventPosition, right: FollowEventPosition) -> Bool { left.time < right.time }
}

/// How many past events a store keeps for an owner. It keeps events only for owners whose events somebody has asked for.
public struct FollowEventRetention: Hashable, Sendable {
    /// The age at which events are forgotten. From then on they count as absent; their rows are removed some time later.
    public let age: Timestamp.Interval
    /// How many of each owner's newest events are kept, and 1/8 more. A store may remove what is beyond that a little later.
    public let count: Int
    /// How many of these places one other user may take in each direction: the follows of the owner, and those of the other user. Of an owner with
    /// too many events, the older ones of such a user go first. So nobody pushes out what others did by following and unfollowing again and
    /// again.
    ///
    /// The newest event of a direction tells its present state, and that event stays. So a reader that lacks the older ones is right in the end.
    public static let placesOfOneUser = 16

    /// - Precondition: `count` is positive.
    public init(age: Timestamp.Interval, count: Int) {
        precondition(count > 0, "an owner keeps at least the last event")
        self.age = age
        self.count = count
    }

    /// 7 days and 10,000 events.
    public static let standard = FollowEventRetention(age: .days(7), count: 10_000)

    /// How long a store keeps an owner's events after a watch asked for them: a day longer than `age`, because a watch asks once a
    /// day.
    public var lease: Timestamp.Interval {
        Timestamp.Interval(microseconds: age.microseconds + Self.renewal.microseconds)
    }

    /// How often a watch asks again: every 24 hours.
    public static let renewal = Timestamp.Interval.hours(24)

    /// Events of this instant and earlier ones are forgotten at `now`.
    public func horizon(at now: Timestamp) -> Timestamp {
        now.advanced(by: Timestamp.Interval(microseconds: -age.microseconds))
    }
}

/// An opaque, tamper-evident place in the events of one user.
public struct ResumeToken: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    public init(text: String) { self.text = text }
    public var description: String { text }
}
