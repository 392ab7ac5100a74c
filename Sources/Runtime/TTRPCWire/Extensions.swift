/// What our client and server can do beyond ttrpc, which has no flow control, no cancel and no notice before closing.
///
/// A client asks in the metadata of a request (`pulse-ttrpc: drain,window=262144`); a server that knows nothing of it passes over the pair, and
/// a client that did not ask is never sent a frame that its implementation does not know. Frames from a client need no asking: servers of
/// other makes ignore types that they do not know.
struct Extensions: Equatable {
    static let metadataKey = "pulse-ttrpc"

    /// The client understands ``FrameKind/drain`` on this connection.
    var drain = false
    /// Bytes of this stream's Data frames that the server may send before it is told of more; nil for no flow control.
    var window: UInt64?

    init(drain: Bool = false, window: UInt64? = nil) {
        self.drain = drain
        self.window = window
    }

    /// Reads the metadata value; words that are not known are passed over, so that later versions can add some.
    init(_ text: String) {
        for word in text.split(separator: ",") {
            if word == "drain" { drain = true }
            if word.hasPrefix("window=") { window = UInt64(word.dropFirst(7)) }
        }
    }

    var text: String {
        var words: [String] = []
        if drain { words.append("drain") }
        if let window { words.append("window=\(window)") }
        return words.joined(separator: ",")
    }
}
