import RPCCore

/// How many bytes of a burst are read before its first answers are written. nghttp2 cannot be stopped after a number of calls. So the number of bytes
/// follows from the parts before: it is smaller after a part with too many calls or too much time, and larger after a part with few calls. If a part
/// still has too many calls, ``PartWork`` ends it.
struct PartSize {
    /// The least and the most, bytes: a few calls with small messages, and half a read. Header blocks take nghttp2 longest, and more of them would
    /// occupy the loop for longer than is promised (docs/reliability.md).
    static let range = 1 << 10...1 << 17

    /// The longest time of a part, nanoseconds. After a longer part, the next one is not larger. Frames that take much work for their bytes are not
    /// calls, and the most bytes of them would delay the loop.
    private static let longest: Int64 = 200_000
    private static let long: Int64 = 80_000

    private(set) var byteCount = 1 << 11

    /// Notes how many calls were in a part, and how long it took.
    /// - Parameter wasCut: whether the burst continued after it. The last part of a burst has few calls because it is small.
    mutating func adapt(callCount: Int, wasCut: Bool, nanoseconds: Int64) {
        if callCount > ServerSession.callsInPart || nanoseconds > Self.longest {
            byteCount = max(byteCount / 2, Self.range.lowerBound)
        } else if wasCut, callCount < ServerSession.callsInPart / 2, nanoseconds < Self.long {
            byteCount = min(byteCount * 2, Self.range.upperBound)
        }
    }
}

/// What a part has done, so that it ends in time.
struct PartWork {
    /// The work of half a call, in messages of streams. A call begins with its headers, and runs when its request is complete. The two may lie in
    /// different parts.
    private static var halfCallWork: Int { ServerSession.messagesInPart / ServerSession.callsInPart / 2 }

    private var work = 0
    private var byteCount = 0

    /// Whether the rest waits for the next part.
    @inline(__always)
    var isFull: Bool { work >= ServerSession.messagesInPart || byteCount >= ServerSession.bytesInPart }

    /// How full the part is, counted in calls: by its work or by its bytes, whichever gives more.
    var callCount: Int {
        max(work / (2 * Self.halfCallWork), byteCount / (ServerSession.bytesInPart / ServerSession.callsInPart))
    }

    /// A call has begun, or its client has ended its half, or the whole call.
    @inline(__always)
    mutating func halfCall() { work += Self.halfCallWork }

    /// The only request of a call was reported.
    @inline(__always)
    mutating func request(_ byteCount: Int) {
        work += Self.halfCallWork
        self.byteCount += byteCount
    }

    /// A message of a stream was reported.
    @inline(__always)
    mutating func message(_ byteCount: Int) {
        work += 1
        self.byteCount += byteCount
    }
}
