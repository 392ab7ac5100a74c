import RPCCore

/// Which streams may go on sending while unfinished messages take much of what a connection may keep of them.
///
/// A client with many large messages sends a piece of each in turn, so all of them are unfinished at once. Above half of the limit only one stream is
/// let on, until its message is whole; then the next: the messages arrive one after another, and none fails for its company.
struct UnfinishedBudget {
    private let limit: Int
    private(set) var byteCount = 0
    /// The stream that is let on although there is little room.
    private var favoured: CallID?
    /// Streams that wait, from `next` on in the order they came.
    private var waiting: [CallID] = []
    private var next = 0
    private var isWaiting: Set<CallID> = []

    /// - Parameter limit: bytes of unfinished messages, of all streams.
    init(limit: Int) { self.limit = limit }

    var isExceeded: Bool { byteCount > limit }
    private var isTight: Bool { byteCount > limit / 2 }

    /// Notes how much of an unfinished message of a stream there is now, and was before.
    mutating func changed(_ id: CallID, from before: Int, to now: Int) {
        byteCount += now - before
        if now == 0, favoured == id { favoured = nil }
    }

    /// Whether a stream may send more now. When not, ``takeReady()`` gives it later.
    mutating func mayGoOn(_ id: CallID) -> Bool {
        guard isTight, let favoured, favoured != id else {
            if isTight { favoured = id }
            return true
        }
        if isWaiting.insert(id).inserted { waiting.append(id) }
        return false
    }

    /// A stream that has waited and may send more now.
    mutating func takeReady() -> CallID? {
        guard !isWaiting.isEmpty, !isTight || favoured == nil else { return nil }
        let id = waiting[next]
        next += 1
        isWaiting.remove(id)
        if isWaiting.isEmpty {
            waiting.removeAll(keepingCapacity: true)
            next = 0
        }
        return id
    }
}
