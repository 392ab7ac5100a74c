import RPCCore

/// What nghttp2 has read, noted down by its callbacks and acted upon when it has returned: nothing is submitted from inside of it.
enum HTTP2Event {
    /// A header block is complete; what was in it has been handed to the owner already.
    case headers(CallID, endOfStream: Bool)
    /// Body bytes. They lie in the input, so they are valid until the session's `receive` returns.
    case data(CallID, UnsafeRawBufferPointer)
    /// The peer has closed its half, with or after a DATA frame.
    case endOfData(CallID)
    /// The stream is over, with this HTTP/2 error code.
    case closed(CallID, UInt32)
    case ping
    case pingAcknowledged
    case settings
    /// The peer opens no calls above this id, or answers none above it.
    case goAway(lastID: CallID, code: UInt32)

    /// Bytes of a body that lie elsewhere.
    var byteCount: Int { if case .data(_, let bytes) = self { bytes.count } else { 0 } }
}

/// Who uses an ``HTTP2Session``: told of headers, and of streams that have gone, before the events.
protocol HTTP2SessionOwner: AnyObject {
    /// Whether header blocks other than the one that opens a stream or answers it mean anything.
    var readsTrailers: Bool { get }
    /// A header block is complete; not called for one that means nothing.
    func headers(_ id: CallID, _ headers: InboundHeaders.Received)
    /// A stream has gone; true when nobody needs to hear of it any more.
    func streamClosed(_ id: CallID) -> Bool
    /// Whether what the peer still sends on a stream whose answer is out is taken in and dropped. Else the stream is reset.
    func takesRest(of id: CallID) -> Bool
}
