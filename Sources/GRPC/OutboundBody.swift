import WireBytes

/// The messages of one stream that wait for nghttp2 to send them, as fast as the peer's window allows.
final class OutboundBody {
    /// Framed messages that were not sent yet. (Unchecked: what changes it calls nobody that knows of it.)
    @exclusivity(unchecked) var buffer = ByteBuffer()
    /// Nothing more will be appended.
    var isFinished = false
    /// What is sent after the last byte; nil when the last DATA frame ends the stream.
    var trailers: HeaderBlock?
    /// Whether nghttp2 has been told of the stream's body.
    var isSubmitted = false
    /// Whether nghttp2 has asked for bytes in vain and waits to be told of more.
    var isDeferred = false
}
