extension Google_Protobuf_Timestamp {
    /// The seconds a timestamp may have, from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z (timestamp.proto).
    public static let validSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// Whether the instant lies in the years 1 to 9999 and `nanos` is a fraction of a second that counts forward.
    public var isValid: Bool {
        Self.validSeconds.contains(seconds) && (0...999_999_999).contains(nanos)
    }

    /// The instant that is `microseconds` after 1970-01-01T00:00:00Z, or before it if negative. Stores use this form.
    public init(microsecondsSinceEpoch microseconds: Int64) {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // `nanos` counts forward, also before 1970.
        let fraction = remainder < 0 ? remainder + 1_000_000 : remainder
        self.init(seconds: remainder < 0 ? quotient - 1 : quotient, nanos: Int32(fraction * 1_000))
    }

    /// Microseconds since 1970-01-01T00:00:00Z, rounded down; nil if the timestamp
    /// is not valid.
    public var microsecondsSinceEpoch: Int64? {
        isValid ? seconds * 1_000_000 + Int64(nanos / 1_000) : nil
    }
}
