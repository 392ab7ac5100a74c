/// How much may be sent on a stream: the sender's side of PulseBoard's flow control for ttrpc.
///
/// The window counts bytes of Data frames, with headers, from the stream's beginning. So a window that arrives twice or late does no harm. A
/// message may be sent while any of the window is left, so one message may exceed it.
struct SendWindow {
    /// Bytes that may be sent in total; nil if the peer has sent no window. Then only the socket limits the sender.
    private(set) var limit: UInt64?
    private var sent: UInt64 = 0

    init(limit: UInt64? = nil) { self.limit = limit }

    var isOpen: Bool { limit.map { sent < $0 } ?? true }

    mutating func sent(_ byteCount: Int) { sent += UInt64(byteCount) }

    /// The least useful increase of a window, bytes. PulseBoard's client gives 128 KiB at a time.
    static let leastRaise: UInt64 = 1 << 10

    /// Whether a new window of the peer is a useful increase.
    func gives(_ newLimit: UInt64) -> Bool { limit.map { newLimit > $0 && newLimit - $0 >= Self.leastRaise } ?? true }

    /// Takes a new window of the peer. True if the window was closed and is open now.
    mutating func raise(to newLimit: UInt64) -> Bool {
        let wasOpen = isOpen
        // The first window counts as it is. Later ones can only raise it.
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

    /// Notes that messages were taken. Returns the new limit if it should be sent.
    mutating func consumed(_ byteCount: Int) -> UInt64? {
        consumed += UInt64(byteCount)
        let limit = consumed + Self.defaultByteCount
        guard limit - announced >= Self.defaultByteCount / 2 else { return nil }
        announced = limit
        return limit
    }
}
