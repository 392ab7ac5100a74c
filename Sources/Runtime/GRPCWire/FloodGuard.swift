import CNGHTTP2
import RPCCore
import WireBytes

/// Ends a connection that is kept busy with frames that move nothing (CVE-2019-9511 to 9518, CVE-2025-8671).
///
/// Some frames move nothing and are sent by clients of good will too: windows, priorities, types that are not known here, frames for a stream
/// that has just ended. Each frame that moves something forgives a few of those; beyond that they are glitches, as others are from the first on.
struct FloodGuard {
    /// SETTINGS frames in the life of a connection: each has to be answered, and nobody has more than a few to say.
    static let maximumSettings = 64
    /// Frames that move nothing and cost nothing, at once.
    static let maximumIdleFrames = 1000
    /// Frames that move nothing and are forgiven for one that does.
    static let idleFramesEach = 8

    private var settings = 0
    private var allowance = maximumIdleFrames
    private(set) var glitches = GlitchBudget()

    mutating func receivedSettings() -> Bool {
        settings += 1
        return settings <= Self.maximumSettings
    }

    /// Counts frames that move nothing.
    /// - Parameter now: the monotonic clock, nanoseconds. It is asked only if there are too many frames.
    @inline(__always)
    mutating func idle(_ count: Int, _ now: () -> Int64) {
        allowance -= count
        if allowance < 0 { overdraw(now()) }
    }

    private mutating func overdraw(_ now: Int64) {
        for _ in allowance..<0 { glitches.take(at: now) }
        allowance = 0
    }

    /// What no client of good will does more than now and then.
    mutating func glitch(at now: Int64) { glitches.take(at: now) }

    /// Frames that move something, either way.
    @inline(__always)
    mutating func moved(_ count: Int = 1) { allowance = min(allowance + count * Self.idleFramesEach, Self.maximumIdleFrames) }
}

/// Counts the HTTP/2 frames that a client begins, however their bytes arrive. It also knows whether a frame has begun whose end has not come.
///
/// nghttp2 does not report the frames that it skips: frames for streams that are over, and frames of unknown types.
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

    /// Counts the frames that begin in these bytes, up to HEADERS for a stream that was open before. Nil if there are none of those.
    /// - Parameter at: where to begin; afterwards, where to continue.
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

/// How many of nghttp2's reports have been judged, so that each frame is judged once.
struct JudgedFrames {
    private var idle = 0
    private var passedOver = 0
    private var sent = 0
    var sentBeforePing = 0
    var resets = 0

    /// Frames since the last call that moved nothing. They include those that nghttp2 skipped.
    mutating func idleFrames(begun frames: FrameCount, _ http2: HTTP2Session) -> Int {
        // A frame that is still arriving is reported later.
        let passedOver = max(self.passedOver, frames.begun &- http2.reportedFrameCount - (frames.isInPayload ? 1 : 0))
        let new = http2.idleFrameCount &- idle + passedOver - self.passedOver
        idle = http2.idleFrameCount
        self.passedOver = passedOver
        return new
    }

    /// HEADERS and DATA frames that were sent since this was last asked: a client may answer each with windows.
    mutating func sentFrames(_ http2: HTTP2Session) -> Int {
        defer { sent = http2.sentCallFrameCount }
        return http2.sentCallFrameCount &- sent
    }
}

/// Keeps clients from pinging without end: gRPC's keepalive rules for servers (gRFC A8).
///
/// A client may ping once in five minutes; after each HEADERS or DATA frame that it was sent it may ping at once again, as it does to measure
/// the bandwidth. The third ping too early is one too many.
struct KeepalivePolicy {
    /// Nanoseconds between two pings: five minutes.
    static let minimumInterval: Int64 = 300_000_000_000
    /// Pings that may come too early.
    static let maximumStrikes = 2

    private var lastPing: Int64?
    private var strikes = 0

    mutating func sentCallFrame() {
        lastPing = nil
        strikes = 0
    }

    /// Notes a ping; false when it was one too many.
    /// - Parameter now: nanoseconds on the monotonic clock.
    mutating func receivedPing(at now: Int64) -> Bool {
        if let lastPing, now - lastPing < Self.minimumInterval {
            strikes += 1
        } else {
            lastPing = now
        }
        return strikes <= Self.maximumStrikes
    }
}
