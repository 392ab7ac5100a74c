import RPCCore

/// When the incomplete input of a connection expires: half a frame, an incomplete message, or the missing single request of a call.
struct UnfinishedExpiry {
    /// The time for each, nanoseconds.
    let timeout: Int64
    /// The number of calls that wait for their single request.
    private var awaitedCount = 0
    /// The expiry of the first call or message, or an earlier time, nanoseconds on the monotonic clock.
    private var firstCall = Int64.max
    /// When the incomplete frame or header block began; 0 if there is none. And how many frames had begun then.
    private var frameSince: Int64 = 0
    private var frameCount = 0

    init(timeout: Int64) { self.timeout = timeout }

    /// The first expiry, or an earlier time.
    var next: Int64 { min(firstCall, frameExpiry) }

    /// When the incomplete frame expires.
    var frameExpiry: Int64 { frameSince == 0 ? .max : end(frameSince) }

    /// The expiry of input that began at `start`.
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

    /// Sets the first expiry: all incomplete input expires at `first` or later.
    mutating func isKnown(_ first: Int64) { firstCall = first }

    /// Whether no call waits for its single request.
    var awaitsNothing: Bool { awaitedCount == 0 }

    // MARK: Frames

    /// Notes at the end of a part whether a frame is incomplete. If it is the same frame as before, it keeps its time.
    mutating func noteFrame(_ frames: FrameScanner, _ now: () -> Int64) {
        guard frames.isMidFrame || frames.isInBlock else { return frameSince = 0 }
        guard frameSince == 0 || (frames.begun != frameCount && !frames.isInBlock) else { return }
        frameSince = now()
        frameCount = frames.begun
    }
}
