import RPCCore

/// Decides which streams may go on sending while incomplete messages take much of a connection's memory.
///
/// A client with many large messages sends a piece of each in turn, so all are incomplete together. Above a small part of the limit, only one stream
/// may go on until its message is whole, and then the next. So none fails because of the others. Messages that are held count too, but nobody waits
/// for them: only their clients decide when they close.
struct UnfinishedBudget {
    private let limit: Int
    /// Of unfinished messages, and of whole ones that are held until their client's half closes.
    private(set) var byteCount = 0
    /// The stream that is let on although there is little room.
    private var favoured: CallID?
    /// Streams that wait, from `next` on in the order they came.
    private var waiting: [CallID] = []
    private var next = 0
    private var isWaiting: Set<CallID> = []

    /// - Parameter limit: bytes of unfinished and held messages, of all streams.
    init(limit: Int) { self.limit = limit }

    var isExceeded: Bool { byteCount > limit }
    /// With the default limit: 4 MiB.
    private var isTight: Bool { byteCount > limit / 16 }

    /// Notes how much of an unfinished message of a stream there is now, and was before.
    mutating func changed(_ id: CallID, from before: Int, to now: Int) {
        byteCount += now - before
        if now == 0, favoured == id { favoured = nil }
    }

    /// Notes how much is held of whole messages of a stream now, and was before.
    mutating func heldChanged(from before: Int, to now: Int) { byteCount += now - before }

    /// Whether a stream may send more now. When not, ``takeReady(answersWait:)`` gives it later.
    /// - Parameter answersWait: so many answers wait for the client that it gets no more to ask for.
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

    /// Lets go of the places of those that wait no more, as soon as they are most.
    private mutating func compact() {
        guard waiting.count > 2 * isWaiting.count + Self.slackPlaceCount || isWaiting.isEmpty else { return }
        waiting = isWaiting.isEmpty ? [] : waiting[next...].filter(isWaiting.contains)
        next = 0
    }

    /// Places that are kept for nothing, at most, beside as many as are taken.
    private static let slackPlaceCount = 64
    /// For tests: how many places there are.
    var placeCount: Int { waiting.count }
}
