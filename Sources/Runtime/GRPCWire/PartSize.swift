/// How many bytes of a burst are handled before its first answers are written. nghttp2 cannot be stopped after a number of calls. So it gets as many
/// bytes as that many earlier calls took.
struct PartSize {
    /// The least and the most, bytes: a few calls with small messages, and a whole read.
    static let range = 1 << 10...1 << 18

    /// The longest time of a part, nanoseconds. After a longer part, the next one is not larger. Frames that take much work for their bytes are not
    /// calls, and 256 KiB of them would delay the loop.
    private static let longest: Int64 = 200_000
    private static let long: Int64 = 80_000

    private(set) var byteCount = 1 << 11

    /// Notes how many calls began in a part, and how long it took.
    /// - Parameter wasCut: whether the burst continued after it. The last part of a burst has few calls because it is small.
    mutating func adapt(callCount: Int, wasCut: Bool, nanoseconds: Int64) {
        if callCount > ServerSession.callsInPart || nanoseconds > Self.longest {
            byteCount = max(byteCount / 2, Self.range.lowerBound)
        } else if wasCut, callCount < ServerSession.callsInPart / 2, nanoseconds < Self.long {
            byteCount = min(byteCount * 2, Self.range.upperBound)
        }
    }
}
