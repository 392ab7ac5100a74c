/// How many bytes of a burst are worked on before its first answers are written. nghttp2 cannot be stopped after a number of calls, so it is given
/// as many bytes as had that many before.
struct PartSize {
    /// Bounds, bytes: a few calls with small messages, and all that is read at once.
    static let range = 1 << 10...1 << 18

    private(set) var byteCount = 1 << 11

    /// Notes how many calls began in a part.
    /// - Parameter wasCut: whether the burst went on behind it. Its last part has few calls because it happens to be small.
    mutating func adapt(callCount: Int, wasCut: Bool) {
        if callCount > ServerSession.callsInPart {
            byteCount = max(byteCount / 2, Self.range.lowerBound)
        } else if wasCut, callCount < ServerSession.callsInPart / 2 {
            byteCount = min(byteCount * 2, Self.range.upperBound)
        }
    }
}
