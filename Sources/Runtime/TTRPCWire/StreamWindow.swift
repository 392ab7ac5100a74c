/// How much of a stream may be sent: the sender's side of the flow control that ttrpc lacks.
///
/// Counted in bytes of Data frames, headers included, from the stream's beginning, so a window that arrives twice or late does no harm. A
/// message may be sent while anything is left, so one message may go over.
struct SendWindow {
    /// Bytes that may be sent in all; nil while the peer has named none: then the socket alone sets the pace.
    private(set) var limit: UInt64?
    private var sent: UInt64 = 0

    init(limit: UInt64? = nil) { self.limit = limit }

    var isOpen: Bool { limit.map { sent < $0 } ?? true }

    mutating func sent(_ byteCount: Int) { sent += UInt64(byteCount) }

    /// What a word of the peer's should give at least, bytes: our own client gives 128 KiB at a time.
    private static let leastRaise: UInt64 = 1 << 10

    /// Whether such a word of the peer's is worth saying.
    func gives(_ newLimit: UInt64) -> Bool { limit.map { newLimit > $0 && newLimit - $0 >= Self.leastRaise } ?? true }

    /// Takes the peer's word; true when a closed window has opened by it.
    mutating func raise(to newLimit: UInt64) -> Bool {
        let wasOpen = isOpen
        // The first word counts as it is; later ones only upward.
        limit = limit.map { max($0, newLimit) } ?? newLimit
        return !wasOpen && isOpen
    }
}

/// The receiver's side: how much of a stream the peer may send.
struct ReceiveWindow {
    /// Bytes that a peer may be ahead of the reader.
    static let defaultByteCount: UInt64 = 256 << 10

    private var consumed: UInt64 = 0
    private var announced = Self.defaultByteCount

    /// The limit that the peer starts with.
    static var initialLimit: UInt64 { defaultByteCount }

    /// Notes that messages were taken; gives the new limit when it is worth telling.
    mutating func consumed(_ byteCount: Int) -> UInt64? {
        consumed += UInt64(byteCount)
        let limit = consumed + Self.defaultByteCount
        guard limit - announced >= Self.defaultByteCount / 2 else { return nil }
        announced = limit
        return limit
    }
}
