/// How much more of a stream its peer may send: as much as the reader takes.
///
/// Counted in bytes of DATA. Bytes of a message that is still arriving are granted at once only when the reader has taken what came before
/// (else a message larger than the window would never arrive); bytes of a message that waits for its reader are granted when it is taken.
struct InboundPace {
    /// Arrived, and not granted again.
    private(set) var owed = 0
    /// In messages that were delivered and not taken. Part of it may have been granted before the message was whole.
    private var unread = 0

    mutating func arrived(_ byteCount: Int) { owed += byteCount }

    mutating func delivered(_ byteCount: Int) { unread += byteCount }

    mutating func taken(_ byteCount: Int) { unread = max(0, unread - byteCount) }

    /// Bytes that the peer may send in place of those that came.
    /// - Parameters:
    ///   - unfinished: bytes of the message that is still arriving.
    ///   - slack: bytes that a reader may have taken without having said so.
    mutating func grant(unfinished: Int, slack: Int) -> Int {
        let kept = unread <= slack ? unread : unread + unfinished
        let granted = max(0, owed - kept)
        owed -= granted
        return granted
    }
}
