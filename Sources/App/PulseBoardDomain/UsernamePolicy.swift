/// How long names are kept for their owners. A store has one policy, and applies it in its transactions.
public struct UsernamePolicy: Hashable, Sendable {
    /// How long after a change of the username the next change is refused. Zero refuses none. Changes in the first ``freePeriod`` of a profile do
    /// not count.
    public let cooldown: Timestamp.Interval
    /// How long a former name is kept for its owner. Zero keeps none. A name given up in the first ``freePeriod`` is free at once.
    public let hold: Timestamp.Interval

    /// How long after its creation a profile may change its username freely.
    public static let freePeriod = Timestamp.Interval.days(1)
    /// How long a reserved name waits for its profile.
    public static let leaseLifetime = Timestamp.Interval.seconds(600)
    /// Maximum former names that are kept for one owner. One more frees the oldest. Otherwise, without a cool-down, a user could collect names.
    public static let heldNamesPerUser = 10
    /// Maximum reservations of a user in an hour.
    public static let leasesPerHour = 20
    /// Permitted length of the cool-down and of the hold, in days.
    public static let days: ClosedRange<Int64> = 0...3_650

    /// 30 days between changes, and 60 days for a former name.
    public static let standard = UsernamePolicy(cooldown: .days(30), hold: .days(60))

    public init(cooldown: Timestamp.Interval, hold: Timestamp.Interval) {
        self.cooldown = cooldown
        self.hold = hold
    }
}

/// A username that belongs to a user, and why.
public struct ClaimedUsername: Hashable, Sendable {
    /// Why a name belongs to somebody. Stores keep the numbers.
    public enum Kind: Int64, Sendable {
        /// A profile has it.
        case owned = 0
        /// It was given up and is held for its former owner.
        case held = 1
        /// It was reserved.
        case leased = 2
    }

    /// The name as names are compared, in small letters.
    public let key: String
    public let kind: Kind
    /// When it was taken or reserved.
    public let takeTime: Timestamp
    /// Until when nobody else can take it; `nil` while a profile has it.
    public let expireTime: Timestamp?

    public init(key: String, kind: Kind, takeTime: Timestamp, expireTime: Timestamp?) {
        self.key = key
        self.kind = kind
        self.takeTime = takeTime
        self.expireTime = expireTime
    }
}

/// A username that is kept for a user who has not taken it yet.
public struct UsernameLease: Hashable, Sendable {
    public let username: Username
    /// Until when nobody else can take it; `nil` when it is the user's own.
    public let expireTime: Timestamp?

    public init(username: Username, expireTime: Timestamp?) {
        self.username = username
        self.expireTime = expireTime
    }
}
