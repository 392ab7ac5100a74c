/// One change of a follow, as one of its two sides sees it: the owner of the event.
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

    /// Whose doing it was.
    public enum Cause: Hashable, Sendable, CaseIterable {
        /// The side that follows, by `Follow` or `Unfollow`.
        case follower
        /// The side that is followed, by `RemoveFollower`.
        case followee
        /// The user has withdrawn. The owner has not: an owner who withdraws takes their events along.
        case withdrawal
    }

    public let change: Change
    public let cause: Cause
    /// The other side.
    public let userID: UserID
    /// How the other side looked when the event was read; `nil` for a user without a profile by then.
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

/// A place in one owner's events: after the event of this instant, before all later ones.
///
/// No two events of an owner share an instant: the store moves one that would on to a microsecond after its predecessor, also
/// when the clock was set back in between. So the instant is the place as well, and it rises with every event.
public struct FollowEventPosition: Hashable, Sendable, Comparable {
    public let time: Timestamp

    public init(time: Timestamp) { self.time = time }

    public static func < (left: FollowEventPosition, right: FollowEventPosition) -> Bool { left.time < right.time }
}

/// How much of an owner's past a store keeps, for owners for whom somebody asks.
public struct FollowEventRetention: Hashable, Sendable {
    /// Older events are forgotten: they count as absent from that instant on, and are removed some time later.
    public let age: Timestamp.Interval
    /// The newest so many events of each owner are kept, and at most 1/32 more.
    public let count: Int

    /// - Precondition: `count` is positive.
    public init(age: Timestamp.Interval, count: Int) {
        precondition(count > 0, "an owner keeps at least the last event")
        self.age = age
        self.count = count
    }

    /// 7 days and 10,000 events.
    public static let standard = FollowEventRetention(age: .days(7), count: 10_000)

    /// How long an owner's events are kept after a watch asked for them: a day longer than `age`, because a watch asks once a day.
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
