import RPCCore

/// When what has begun to arrive on a connection has taken too long: half a frame, a message that is not whole, or the request of a call that
/// takes one.
struct UnfinishedExpiry {
    /// Nanoseconds that each may take.
    let timeout: Int64
    /// Calls that take one request, which is not whole.
    private var awaitedCount = 0
    /// Not after the first of the calls and messages, nanoseconds on the monotonic clock.
    private var firstCall = Int64.max
    /// Since when a frame, or a header block, has been unfinished; 0 while none is. And how many had begun then.
    private var frameSince: Int64 = 0
    private var frameCount = 0

    init(timeout: Int64) { self.timeout = timeout }

    /// The first of all, or earlier.
    var next: Int64 { min(firstCall, frameExpiry) }

    /// When the frame that is unfinished has taken too long.
    var frameExpiry: Int64 { frameSince == 0 ? .max : end(frameSince) }

    /// When what began at `start` has taken too long.
    func end(_ start: Int64) -> Int64 { Deadline(now: start, timeoutNanoseconds: timeout).nanoseconds }

    // MARK: Calls and messages

    mutating func awaits(until end: Int64) {
        awaitedCount += 1
        firstCall = min(firstCall, end)
    }

    mutating func awaitsNoMore() {
        awaitedCount -= 1
    }

    mutating func messageBegan(_ end: Int64) { firstCall = min(firstCall, end) }

    /// Nothing is unfinished, or only what expires at `first` or later.
    mutating func isKnown(_ first: Int64) { firstCall = first }

    /// Whether nothing can have become late, if no message is incomplete.
    var awaitsNothing: Bool { awaitedCount == 0 }

    // MARK: Frames

    /// Notes at the end of a part whether a frame is unfinished. One that was unfinished before, and is still the same, keeps its time.
    mutating func noteFrame(_ frames: FrameCount, isInBlock: Bool, _ now: () -> Int64) {
        guard frames.isMidFrame || isInBlock else { return frameSince = 0 }
        guard frameSince == 0 || (frames.begun != frameCount && !isInBlock) else { return }
        frameSince = now()
        frameCount = frames.begun
    }
}
