/// How long names are kept for whom: one policy for a store, because it decides in its transactions.
public struct UsernamePolicy: Hashable, Sendable {
    /// How long after a change of the username the next one is refused; zero refuses none. The first ``freePeriod`` of a profile does not count.
    public let cooldown: Timestamp.Interval
    /// How long a name that was given up is kept for its former owner; zero keeps none. A name given up in the first ``freePeriod`` is free at once.
    public let hold: Timestamp.Interval

    /// How long after it was made a profile may change its username freely.
    public static let freePeriod = Timestamp.Interval.days(1)
    /// How long a reserved name waits for its profile.
    public static let leaseLifetime = Timestamp.Interval.seconds(600)
    /// Most names that are kept for one former owner; one more frees the oldest. Without a cool-down somebody could collect names.
    public static let heldNamesPerUser = 10
    /// Most reservations of a user in an hour.
    public static let leasesPerHour = 20
    /// Permitted length of the cool-down and of the hold, in days.
    public static let days: ClosedRange<Int64> = 0...3_650

    /// 30 days between changes, and 60 days for a name that was given up.
    public static let standard = UsernamePolicy(cooldown: .days(30), hold: .days(60))

    public init(cooldown: Timestamp.Interval, hold: Timestamp.Interval) {
        self.cooldown = cooldown
        self.hold = hold
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
