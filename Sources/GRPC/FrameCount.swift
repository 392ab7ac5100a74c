import CNGHTTP2

/// Counts the HTTP/2 frames that a client begins, however they arrive, and tells whether one has begun whose end has not come.
///
/// nghttp2 tells nothing of the frames that it passes over: those of streams that are over, and those of types that it does not know.
struct FrameCount {
    /// Bytes before each frame's payload (RFC 9113, 4.1).
    static let headerByteCount = 9

    /// Frames that have begun.
    private(set) var begun = 0
    /// Bytes of the present frame, or of the connection's preface, that are to come.
    private var rest = Int(NGHTTP2_CLIENT_MAGIC_LEN)
    /// Of a frame's header that was cut by the end of what came: its bytes, and the length that they say so far.
    private var headerCount = 0
    private var length = 0

    /// Whether something has begun to arrive and is not whole. (The preface counts: a client that has sent a byte of it sends the rest.)
    var isMidFrame: Bool { rest > 0 || headerCount > 0 }

    /// Whether a frame whose header is there is not whole.
    var isInPayload: Bool { rest > 0 && begun > 0 }

    /// Counts the frames that begin in what came next.
    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        var at = 0
        while at < bytes.count {
            if rest > 0 {
                let count = min(rest, bytes.count - at)
                rest -= count
                at += count
            } else if headerCount == 0, bytes.count - at >= Self.headerByteCount {
                // The type, the flags and the stream's id do not matter here.
                rest = Int(UInt32(bigEndian: start.loadUnaligned(fromByteOffset: at, as: UInt32.self)) >> 8)
                at += Self.headerByteCount
                begun &+= 1
            } else {
                takeByte(of: Int(start.load(fromByteOffset: at, as: UInt8.self)))
                at += 1
            }
        }
    }

    private mutating func takeByte(of byte: Int) {
        if headerCount < 3 { length = length << 8 | byte }
        headerCount += 1
        guard headerCount == Self.headerByteCount else { return }
        (rest, length, headerCount) = (length, 0, 0)
        begun &+= 1
    }
}
