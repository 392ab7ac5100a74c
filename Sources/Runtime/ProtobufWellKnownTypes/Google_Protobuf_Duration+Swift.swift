extension Google_Protobuf_Duration {
    /// The seconds a duration may have: 10,000 years either way (duration.proto).
    public static let validSeconds: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

    /// Whether it spans at most 10,000 years and `nanos` is a fraction of a second with the sign of `seconds`.
    public var isValid: Bool {
        Self.validSeconds.contains(seconds) && (-999_999_999...999_999_999).contains(nanos)
            && (seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0))
    }

    /// The same span in whole nanoseconds, rounded towards zero, and at most 10,000 years.
    public init(_ duration: Swift.Duration) {
        let (seconds, attoseconds) = duration.components
        if seconds >= Self.validSeconds.upperBound {
            self.init(seconds: Self.validSeconds.upperBound)
        } else if seconds <= Self.validSeconds.lowerBound {
            self.init(seconds: Self.validSeconds.lowerBound)
        } else {
            self.init(seconds: seconds, nanos: Int32(attoseconds / 1_000_000_000))
        }
    }
}

extension Swift.Duration {
    /// The same span; nil if `duration` is not valid.
    public init?(_ duration: Google_Protobuf_Duration) {
        guard duration.isValid else { return nil }
        self = .seconds(duration.seconds) + .nanoseconds(Int64(duration.nanos))
    }
}
