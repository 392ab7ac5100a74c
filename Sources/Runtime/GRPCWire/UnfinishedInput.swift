import RPCCore

/// Decides which streams may send more while incomplete messages take much of a connection's memory.
///
/// A client with many large messages sends a piece of each in turn, so all are incomplete at the same time. Above a small part of the limit, only one
/// stream may send until its message is complete, and then the next one. So none fails because of the others. Complete messages that wait for a
/// half-close count too. But no stream waits for them, because only the client can close its half.
struct UnfinishedBudget {
    private let limit: Int
    /// Bytes of incomplete messages, and of complete ones that wait for their client's half-close.
    private(set) var byteCount = 0
    /// The stream that may send although there is little room.
    private var favoured: CallID?
    /// Waiting streams, from `next` on, in order.
    private var waiting: [CallID] = []
    private var next = 0
    private var isWaiting: Set<CallID> = []

    /// - Parameter limit: bytes of incomplete and held messages, of all streams.
    init(limit: Int) { self.limit = limit }

    var isExceeded: Bool { byteCount > limit }
    /// Whether little room is left: with the default limit, above 4 MiB.
    private var isTight: Bool { byteCount > limit / 16 }

    /// Notes a change of the bytes of a stream's incomplete message.
    mutating func changed(_ id: CallID, from before: Int, to now: Int) {
        byteCount += now - before
        if now == 0, favoured == id { favoured = nil }
    }

    /// Notes a change of the bytes of held messages.
    mutating func heldChanged(from before: Int, to now: Int) { byteCount += now - before }

    /// Whether a stream may send more now. If not, ``takeReady(answersWait:)`` returns it later.
    /// - Parameter answersWait: whether so many answers are unread that the client must not send more requests.
    mutating func mayGoOn(_ id: CallID, answersWait: Bool = false) -> Bool {
        if !answersWait, !isTight || favoured == nil || favoured == id {
            if isTight { favoured = id }
            return true
        }
        // A waiting stream blocks no other. It gets its turn again when there is room for answers.
        if favoured == id { favoured = nil }
        if isWaiting.insert(id).inserted { waiting.append(id) }
        return false
    }

    /// A stream waits for its reader, so others may send meanwhile.
    mutating func giveWay(_ id: CallID) {
        if favoured == id { favoured = nil }
    }

    /// A stream that has waited and may send more now.
    mutating func takeReady(answersWait: Bool = false) -> CallID? {
        guard !isWaiting.isEmpty, !answersWait, !isTight || favoured == nil else { return nil }
        var id = waiting[next]
        next += 1
        // Skips streams that have gone.
        while isWaiting.remove(id) == nil {
            id = waiting[next]
            next += 1
        }
        compact()
        return id
    }

    /// A stream has gone.
    mutating func forget(_ id: CallID) {
        if favoured == id { favoured = nil }
        if !isWaiting.isEmpty, isWaiting.remove(id) != nil { compact() }
    }

    /// Removes the entries of streams that do not wait any more, when they are the majority.
    private mutating func compact() {
        guard waiting.count > 2 * isWaiting.count + Self.slackPlaceCount || isWaiting.isEmpty else { return }
        waiting = isWaiting.isEmpty ? [] : waiting[next...].filter(isWaiting.contains)
        next = 0
    }

    /// The number of unused entries that are always permitted.
    private static let slackPlaceCount = 64
    /// The number of entries, for tests.
    var placeCount: Int { waiting.count }
}

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
