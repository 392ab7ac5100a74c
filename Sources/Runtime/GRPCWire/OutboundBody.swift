import WireBytes

/// The messages of one stream that wait for nghttp2 to send them, as fast as the peer's window allows.
///
/// (Not final: a server's stream is one, as an object of its own for it would cost each call an allocation.)
class OutboundBody {
    /// Framed messages that were not sent yet. (Unchecked in release builds: nine accesses a call, 100 instructions each to check.
    /// What changes it calls nobody that knows of it.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    final var buffer = ByteBuffer()
    /// Nothing more will be appended.
    final var isFinished = false
    /// What is sent after the last byte; nil when the last DATA frame ends the stream.
    final var trailers: HeaderBlock?
    /// Whether nghttp2 has asked for bytes in vain and waits to be told of more.
    final var isDeferred = false
}
