import CNGHTTP2
import RPCCore
import WireBytes

/// Counts the HTTP/2 frames that a client begins, however their bytes arrive. It also knows whether a frame is incomplete, and which streams the
/// client or the server has ended lately.
///
/// nghttp2 does not report the frames that it skips: frames for streams that are over, and frames of unknown types.
struct FrameScanner {
    /// Bytes before each frame's payload (RFC 9113, 4.1).
    static let headerByteCount = 9

    /// The work of a part of a burst, in frames. nghttp2 handles many frames alone, and cannot be stopped within the bytes that it gets. So frames
    /// are counted before it gets them.
    static let workInPart = 512
    /// Bytes of a header block that are as much work as a frame. A byte can be a header field.
    static let blockBytesEach = 64
    /// The work of trailers, besides that of their bytes.
    static let workOfTrailers = 31

    /// Frames that have begun.
    private(set) var begun = 0
    /// The work that the present part has left.
    private var workLeft = workInPart
    /// Bytes of the present frame, or of the connection's preface, that have not come yet.
    private var rest = Int(NGHTTP2_CLIENT_MAGIC_LEN)
    /// The number of bytes of an incomplete frame header, and the bytes themselves.
    private var headerCount = 0
    private var header: UInt64 = 0
    /// The highest id of a stream that was opened.
    private var newestID: CallID = 0
    /// The last ids below ``newestID`` that the client passed over when it opened a stream. They can never be opened.
    private var passedOver = InlineArray<8, Range<CallID>>(repeating: 0..<0)
    private var nextPassedOver = 0
    private var ended = EndedStreams()
    private var closedHere = StreamsEndedHere(byteCount: mostLateBytes)
    /// DATA frames that nghttp2 skips and that are no mistake, because of their streams in `closedHere` (RFC 9113, 5.1).
    private(set) var lateCount = 0
    /// Whether the last HEADERS or CONTINUATION frame does not end its block. (HTTP/2 permits no other frame between them.)
    private(set) var isInBlock = false

    /// Whether a frame is incomplete. (The preface counts too.)
    var isMidFrame: Bool { rest > 0 || headerCount > 0 }

    /// Whether a frame with a complete header is incomplete.
    var isInPayload: Bool { rest > 0 && begun > 0 }

    /// A frame of a request to which nghttp2 gives a wrong answer. It opens no stream.
    struct MishandledFrame {
        enum Cause {
            /// HEADERS for a stream that the client did not end, or long ago.
            case headers
            /// HEADERS or DATA for a stream that the client has ended.
            case ended
            /// HEADERS with an id that the client passed over lately.
            case passedOver
            /// PRIORITY on stream 0 (RFC 9113, 6.3). nghttp2 ignores all PRIORITY frames.
            case priorityOfConnection
        }

        let cause: Cause
        let id: CallID
        /// The number of bytes before this frame.
        let offset: Int
    }

    /// The streams that the client has ended lately, by END_STREAM or RST_STREAM. Each id has one place, and the 32nd id after it takes that place.
    /// So an id is found without a search (docs/performance.md).
    private struct EndedStreams {
        private var ids = InlineArray<32, CallID>(repeating: 0)

        /// Ids of clients are odd.
        @inline(__always)
        private static func place(of id: CallID) -> Int { Int(id >> 1 & 31) }

        @inline(__always)
        mutating func append(_ id: CallID) { ids[Self.place(of: id)] = id }

        @inline(__always)
        func contains(_ id: CallID) -> Bool { id != 0 && ids[Self.place(of: id)] == id }
    }

    /// The most bytes of frames that a client may have sent on a stream before it knew that the server had ended it: 1 MiB. Its window is smaller,
    /// but each frame has a header, and messages can be short.
    static let mostLateBytes = 1 << 20

    /// Notes that the server has closed a stream whose client had not ended its half.
    mutating func noteClosedHere(_ id: CallID) { closedHere.append(id) }

    func wasClosedHere(_ id: CallID) -> Bool { closedHere.contains(id) }

    /// Begins a part of a burst. If the last frame of the part before needed more work than was left, its payload is read in this part, and the
    /// excess counts here.
    mutating func beginPart() { workLeft = Self.workInPart + min(0, workLeft) }

    /// Counts the frames that begin in these bytes. At the first one to which nghttp2 would give a wrong answer it stops, and returns that frame. Nil
    /// if there is none, or if the part has enough work. In the second case the part ends before the next frame, or before the payload of a frame
    /// that needs more work than is left.
    /// - Parameter at: where to begin; afterwards, where to continue.
    mutating func take(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> MishandledFrame? {
        guard let start = bytes.baseAddress else { return nil }
        while at < bytes.count {
            if rest > 0 {
                guard workLeft >= 0 else { return nil }
                let count = min(rest, bytes.count - at)
                rest -= count
                at += count
                continue
            }
            if workLeft <= 0, headerCount == 0 { return nil }
            if headerCount == 0, bytes.count - at >= Self.headerByteCount {
                let offset = at
                at += Self.headerByteCount
                // Length and type, and after the flags the stream's id.
                let length = UInt32(bigEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                let flags = start.load(fromByteOffset: offset + 4, as: UInt8.self)
                let id = UInt32(bigEndian: start.loadUnaligned(fromByteOffset: offset + 5, as: UInt32.self))
                if let mishandled = begin(length, flags, id, offset) { return mishandled }
            } else {
                let offset = at
                at += 1
                // A header has nine bytes. The last one is kept separately, because the number has eight.
                let byte = start.load(fromByteOffset: offset, as: UInt8.self)
                headerCount += 1
                guard headerCount == Self.headerByteCount else {
                    header = header << 8 | UInt64(byte)
                    continue
                }
                headerCount = 0
                let id = UInt32(truncatingIfNeeded: header) << 8 | UInt32(byte)
                let flags = UInt8(truncatingIfNeeded: header >> 24)
                if let mishandled = begin(UInt32(truncatingIfNeeded: header >> 32), flags, id, offset) { return mishandled }
            }
        }
        return nil
    }

    /// - Parameter length: the frame's length, and its type in the lowest byte.
    @inline(__always)
    private mutating func begin(_ length: UInt32, _ flags: UInt8, _ id: UInt32, _ offset: Int) -> MishandledFrame? {
        rest = Int(length >> 8)
        begun &+= 1
        workLeft &-= 1
        let type = length & 0xFF
        if type == NGHTTP2_HEADERS.rawValue || type == NGHTTP2_CONTINUATION.rawValue {
            workLeft &-= rest / Self.blockBytesEach
            isInBlock = UInt32(flags) & NGHTTP2_FLAG_END_HEADERS.rawValue == 0
        }
        // The highest bit is reserved.
        let id = id & 0x7FFF_FFFF
        // DATA is 0, HEADERS is 1, PRIORITY is 2 and RST_STREAM is 3.
        guard type <= NGHTTP2_RST_STREAM.rawValue else { return nil }
        guard type != NGHTTP2_PRIORITY.rawValue else {
            return id == 0 ? MishandledFrame(cause: .priorityOfConnection, id: id, offset: offset) : nil
        }
        let opens = type == NGHTTP2_HEADERS.rawValue && id > newestID
        if opens {
            if id > newestID + 2 {
                passedOver[nextPassedOver] = newestID + 1..<id
                nextPassedOver = (nextPassedOver + 1) % passedOver.count
            }
            newestID = id
        }
        // Trailers may name long fields of HPACK's table with one byte each, and all of them are checked.
        if !opens, type == NGHTTP2_HEADERS.rawValue { workLeft &-= Self.workOfTrailers }
        let wasEnded = !opens && ended.contains(id)
        if type == NGHTTP2_RST_STREAM.rawValue || UInt32(flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0, !wasEnded { ended.append(id) }
        guard !opens, type != NGHTTP2_RST_STREAM.rawValue else { return nil }
        if wasEnded { return MishandledFrame(cause: .ended, id: id, offset: offset) }
        guard type == NGHTTP2_HEADERS.rawValue else {
            // An empty frame that ends nothing is never needed, so it is idle.
            let movesNothing = rest == 0 && UInt32(flags) & NGHTTP2_FLAG_END_STREAM.rawValue == 0
            if !movesNothing, closedHere.take(Self.headerByteCount + rest, of: id) { lateCount &+= 1 }
            return nil
        }
        let wasPassedOver = passedOver.indices.contains { passedOver[$0].contains(id) }
        return MishandledFrame(cause: wasPassedOver ? .passedOver : .headers, id: id, offset: offset)
    }
}
