import CNGHTTP2
import RPCCore

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
    /// Of a frame's header that was cut by the end of what came: how much, and what it says so far.
    private var headerCount = 0
    private var header: UInt64 = 0
    /// The highest id that a stream was opened with.
    private var newestID: CallID = 0

    /// Whether something has begun to arrive and is not whole. (The preface counts: a client that has sent a byte of it sends the rest.)
    var isMidFrame: Bool { rest > 0 || headerCount > 0 }

    /// Whether a frame whose header is there is not whole.
    var isInPayload: Bool { rest > 0 && begun > 0 }

    /// HEADERS that open no stream.
    struct LaterHeaders {
        let id: CallID
        /// How many of the bytes may be read before nghttp2 acts upon them.
        let offset: Int
    }

    /// Counts the frames that begin in what came next, up to HEADERS for a stream that was open before; nil when there are no such.
    /// - Parameter at: where to begin, and then where to go on.
    mutating func take(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> LaterHeaders? {
        guard let start = bytes.baseAddress else { return nil }
        while at < bytes.count {
            if rest > 0 {
                let count = min(rest, bytes.count - at)
                rest -= count
                at += count
            } else if headerCount == 0, bytes.count - at >= Self.headerByteCount {
                let offset = at
                at += Self.headerByteCount
                // Length and type, and behind the flags the stream's id.
                let length = UInt32(bigEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                let id = UInt32(bigEndian: start.loadUnaligned(fromByteOffset: offset + 5, as: UInt32.self))
                if let later = begin(length, id, offset) { return later }
            } else {
                let offset = at
                at += 1
                // Nine bytes, of which the last is kept apart, as a number has eight.
                let byte = start.load(fromByteOffset: offset, as: UInt8.self)
                headerCount += 1
                guard headerCount == Self.headerByteCount else {
                    header = header << 8 | UInt64(byte)
                    continue
                }
                headerCount = 0
                let id = UInt32(truncatingIfNeeded: header) << 8 | UInt32(byte)
                if let later = begin(UInt32(truncatingIfNeeded: header >> 32), id, offset) { return later }
            }
        }
        return nil
    }

    /// - Parameter length: the frame's, and its type in the lowest byte.
    @inline(__always)
    private mutating func begin(_ length: UInt32, _ id: UInt32, _ offset: Int) -> LaterHeaders? {
        rest = Int(length >> 8)
        begun &+= 1
        guard length & 0xFF == NGHTTP2_HEADERS.rawValue else { return nil }
        // The highest bit means nothing.
        let id = id & 0x7FFF_FFFF
        guard id <= newestID else {
            newestID = id
            return nil
        }
        return LaterHeaders(id: id, offset: offset)
    }
}
