/// How many bytes of a burst are worked on before its first answers are written. nghttp2 cannot be stopped after a number of calls, so it is given
/// as many bytes as had that many before.
struct PartSize {
    /// Bounds, bytes: a few calls with small messages, and all that is read at once.
    static let range = 1 << 10...1 << 18

    /// Nanoseconds that a part may take, and those above which the next one is no larger: frames that cost much for their bytes are no calls, and
    /// 256 KiB of them would hold the loop up.
    private static let longest: Int64 = 200_000
    private static let long: Int64 = 80_000

    private(set) var byteCount = 1 << 11

    /// Notes how many calls began in a part, and how long it took.
    /// - Parameter wasCut: whether the burst continued behind it. The last part of a burst has few calls because it is small.
    mutating func adapt(callCount: Int, wasCut: Bool, nanoseconds: Int64) {
        if callCount > ServerSession.callsInPart || nanoseconds > Self.longest {
            byteCount = max(byteCount / 2, Self.range.lowerBound)
        } else if wasCut, callCount < ServerSession.callsInPart / 2, nanoseconds < Self.long {
            byteCount = min(byteCount * 2, Self.range.upperBound)
        }
    }
}
