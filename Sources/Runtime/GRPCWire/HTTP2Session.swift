import CNGHTTP2
import RPCCore
import WireBytes

/// One HTTP/2 connection, without I/O: input bytes become events, and calls become output bytes. nghttp2 does frames, header compression and windows.
///
/// Its callbacks (`+Callbacks`) record events, which the owner of the session handles after `receive` has returned. `onClose` and `onFrameNotSent`
/// tell the owner of a stream's end at once (``HTTP2SessionOwner``), and record it only if the owner needs it as an event.
final class HTTP2Session {
    enum Role { case server, client }

    private let session: OpaquePointer
    let role: Role
    /// The owner of the streams, set before anything is received. It owns this session and lends it to nobody, so it exists as long as anything is
    /// called here. (Not weak, because then every retain of the owner would use a side table. Not checked either, because the check is expensive.)
    unowned(unsafe) var owner: (any HTTP2SessionOwner)?
    // The marked properties are changed by calls that do not know the session. They are unchecked in release builds, because the checks are
    // expensive.
    /// Events that are not handled yet, from `nextEvent` on.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var events: [HTTP2Event] = []
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var nextEvent = 0
    /// Bodies of these events that had to be copied.
    private var kept = ByteBuffer()
    /// The number of events that were kept, and the bytes of their header blocks.
    private var keptEventCount = 0
    private var keptHeaderByteCount = 0
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var output = ByteBuffer()
    /// The header block that is being received. nghttp2 permits no other frame between its parts.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var inbound: InboundHeaders
    var blockIsWanted = false
    /// Whether the present block is trailers of a request that are too long, or have a field that HTTP/2 does not permit there.
    var trailersAreMalformed = false
    /// The bytes of these trailers, as HTTP/2 counts them.
    var trailerByteCount = 0
    /// Bytes in the bodies of all streams that wait for the peer's windows.
    private(set) var bufferedByteCount = 0
    /// Streams that this side has ended and the peer has not. They must be reset, so that the peer stops sending.
    var endedEarly: [CallID] = []
    /// Waiting output above which nghttp2 is asked for no more, bytes. Output that stays in nghttp2 is sent after more urgent frames, such as
    /// windows. The limit is higher than the one at which a connection's streams wait, so that streams wait there first.
    private static let outputLimit = 1 << 20
    /// How many answers nghttp2 is asked for at once, and how many bytes. Both are small. So the answers are still in the processor's cache, and the
    /// next answer uses the memory of the one before.
    private static let burst = 6
    private static let burstByteCount = 64 << 10
    private var unsentAnswerCount = 0
    /// Whether nghttp2 may have more output.
    var needsPump = true
    /// HEADERS and DATA frames that were sent.
    var sentCallFrameCount = 0
    /// Frames that nghttp2 has reported; the idle ones among them; and resets that this side sent because of the peer's mistakes.
    var reportedFrameCount = 0
    var idleFrameCount = 0
    var resetCount = 0
    /// Open streams that the peer has reset.
    var receivedResetCount = 0
    /// The last request of this side that has left nghttp2's queue. Requests leave it in the order of their ids.
    private var lastDequeuedRequest: CallID = 0
    /// The headers of the requests in that queue, bytes as HTTP/2 counts them.
    private var queuedHeaderByteCount = 0
    /// The number of a client's open streams, and its limit.
    private(set) var streamCount = 0
    /// The most streams that were open at once.
    private var mostStreams = 0
    let streamLimit: Int
    private static let settingByteCount = 6
    /// Whether the DATA frame that is being received has at least one byte of a body.
    var frameHasData = false
    private var isPumping = false
    /// Heartbeats that the peer has not answered.
    private var heartbeatCount = 0
    private var isBroken = false

    /// Nil if there is no memory for it.
    /// - Parameter memory: where nghttp2 gets its memory; nil means `malloc`. What `mem_user_data` points to must live as long as the session.
    init?(_ role: Role, _ limits: SessionLimits, memory: UnsafeMutablePointer<nghttp2_mem>? = nil) {
        self.role = role
        streamLimit = limits.maximumConcurrentStreams
        inbound = InboundHeaders(limit: limits.maximumHeaderListByteCount)
        guard let session = Self.make(role, memory: memory) else { return nil }
        self.session = session
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        var settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: UInt32(SessionLimits.streamWindow)),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue), value: UInt32(limits.maximumHeaderListByteCount)),
        ]
        switch role {
        case .server:
            // First. Without the priorities of RFC 7540, nghttp2 keeps no tree of streams, which a client could make it rearrange at length.
            settings.insert(nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES.rawValue), value: 1), at: 0)
            // It must be the last one, see `sendSettings`.
            settings.append(nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: UInt32(Int32.max)))
        case .client:
            settings.append(nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0))
        }
        guard nghttp2_submit_settings(session, 0, settings, settings.count) == 0 else { return nil }
        if role == .server { sendSettings() }
        guard nghttp2_session_set_local_window_size(session, 0, 0, SessionLimits.connectionWindow) == 0, !isBroken else { return nil }
    }

    deinit { nghttp2_session_del(session) }

    /// Sends a server's SETTINGS. nghttp2 gets a higher limit of streams than the client, because nghttp2 ends the connection, with all its calls, at
    /// a stream over the limit. So streams are counted here, and only the stream over the limit is refused (RFC 9113, 5.1.2).
    private func sendSettings() {
        var bytes: UnsafePointer<UInt8>?
        let count = nghttp2_session_mem_send(session, &bytes)
        guard count > Self.settingByteCount, output.tryReserve(count), let bytes else { return isBroken = true }
        let frame = output.appendRoom(count)
        frame.copyMemory(from: bytes, byteCount: count)
        frame.storeBytes(of: UInt32(streamLimit).bigEndian, toByteOffset: count - MemoryLayout<UInt32>.size, as: UInt32.self)
    }

    // MARK: In

    /// Reads received bytes. ``takeEvent()`` returns their events.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(ProtocolViolation) {
        needsPump = true
        let count = nghttp2_session_mem_recv(session, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        guard count < 0 else { return }
        let reason = Self.reasonOfFlood(count)
        if let reason {
            submitGoAway(NGHTTP2_ENHANCE_YOUR_CALM, reason)
            pump()
        }
        isBroken = true
        throw ProtocolViolation(String(cString: nghttp2_strerror(Int32(count))), isFlood: reason != nil)
    }

    /// The reason for the peer, for floods that nghttp2 notices and does not report itself.
    private static func reasonOfFlood(_ error: Int) -> StaticString? {
        switch Int32(error) {
        case NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue: "too_many_continuations"
        case NGHTTP2_ERR_FLOODED.rawValue: "too_many_unread_acknowledgements"
        default: nil
        }
    }

    func note(_ event: HTTP2Event) { events.append(event) }

    /// Ends the connection, because there is no memory.
    func fail() { isBroken = true }

    /// Whether the connection has ended because of an error.
    var hasFailed: Bool { isBroken }

    /// Ends the session, because its connection has closed. From now on, nothing reads the bodies of its streams.
    /// - Returns: the header blocks of its events.
    func end() -> [InboundBlock] {
        isBroken = true
        let blocks = events.compactMap { if case .headers(_, let headers?, _) = $0 { headers.block } else { nil } }
        dropEvents(freeing: false)
        return blocks
    }

    /// Drops the waiting events, because the connection ends. The bodies of those that were not kept are valid only as long as the input.
    /// - Parameter bodies: whether the bodies of kept events are freed too. None of them may be in use.
    func dropEvents(freeing bodies: Bool) {
        (events, nextEvent, keptEventCount) = ([], 0, 0)
        if bodies { kept.removeAll(keeping: 0) }
    }

    /// Copies the bodies of waiting events, because the input is valid only until `receive` returns.
    func keepEvents() {
        guard kept.count == 0 else { return }
        keptEventCount = events.count - nextEvent
        keptHeaderByteCount = events[nextEvent...].reduce(0) { $0 + $1.headerByteCount }
        let byteCount = events[nextEvent...].reduce(0) { $0 + $1.byteCount }
        guard kept.tryReserve(byteCount) else { return fail() }
        for index in nextEvent..<events.count {
            guard case .data(let id, let bytes) = events[index], let from = bytes.baseAddress else { continue }
            // There is room, so earlier copies do not move.
            let room = kept.appendRoom(bytes.count)
            room.copyMemory(from: from, byteCount: bytes.count)
            events[index] = .data(id, UnsafeRawBufferPointer(start: room, count: bytes.count))
        }
    }

    /// The oldest waiting event.
    func takeEvent() -> HTTP2Event? {
        guard nextEvent < events.count else {
            if kept.count > 0 { kept.removeAll(keeping: 0) }
            keptEventCount = 0
            events.removeAll(keepingCapacity: events.count <= Self.eventRoom)
            nextEvent = 0
            return nil
        }
        defer { nextEvent += 1 }
        return events[nextEvent]
    }

    /// Whether an event waits.
    var hasEvents: Bool { nextEvent < events.count }

    /// Drops the next event, which has been looked at.
    func dropEvent() { nextEvent += 1 }

    /// Memory of the kept events, bytes: the copied bodies, the events that still wait, and their header blocks. Each waiting event counts an equal
    /// part of the header bytes of all kept events.
    var keptByteCount: Int {
        guard keptEventCount > 0 else { return 0 }
        let left = min(events.count - nextEvent, keptEventCount)
        return kept.count + left * MemoryLayout<HTTP2Event>.stride + keptHeaderByteCount / keptEventCount * left
    }

    /// Whether the next event says that the peer has closed its half of this stream.
    func endComesNext(_ id: CallID) -> Bool {
        if nextEvent < events.count, case .endOfData(id) = events[nextEvent] { return true }
        return false
    }

    /// Counts a stream that a client has opened, until it is gone. (Streams over the limit were refused and are not counted.)
    func countStream(_ id: Int32) {
        if nghttp2_session_set_stream_user_data(session, id, Unmanaged.passUnretained(self).toOpaque()) == 0 { streamCount += 1 }
        // All streams send in turn, as RFC 9218 says of incremental ones. Otherwise a large answer would go out before all others.
        var priority = nghttp2_extpri(urgency: UInt32(NGHTTP2_EXTPRI_DEFAULT_URGENCY), inc: 1)
        nghttp2_session_change_extpri_stream_priority(session, id, &priority, 1)
        mostStreams = max(mostStreams, streamCount)
    }

    func uncountStream(_ id: Int32) {
        if nghttp2_session_get_stream_user_data(session, id) != nil { streamCount -= 1 }
    }

    /// Whether the stream still exists. Its peer may have reset it in the same input.
    func isOpen(_ id: CallID) -> Bool { nghttp2_session_find_stream(session, Int32(id)) != nil }

    /// Whether the stream exists, and its peer has closed its half.
    func isHalfClosed(_ id: CallID) -> Bool { nghttp2_session_get_stream_remote_close(session, Int32(id)) == 1 }

    /// The most events whose memory is kept for the next part.
    private static let eventRoom = 128

    /// Memory of the connection itself in nghttp2, bytes. A session takes 24 KiB from the start. An entry of HPACK's table takes at most six
    /// times the bytes that HPACK counts for it. The table of streams grows with the streams that were open at once, and never shrinks.
    var sessionByteCount: Int {
        (24 << 10) + 6 * nghttp2_session_get_hd_inflate_dynamic_table_size(session) + 40 * mostStreams
    }

    /// Whether the connection is over: no input is read, and all output has been sent.
    var isOver: Bool {
        isBroken || (nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0)
    }

    // MARK: Windows

    /// Lets the peer send `byteCount` more bytes on the connection.
    func consumeOnConnection(_ byteCount: Int) {
        nghttp2_session_consume_connection(session, byteCount)
        needsPump = true
    }

    /// Lets the peer send `byteCount` more bytes on a stream.
    func consume(_ byteCount: Int, on id: CallID) {
        nghttp2_session_consume_stream(session, Int32(id), byteCount)
        needsPump = true
    }

    /// Bytes that the peer may send on a stream now. Bytes that were granted count when the peer is told.
    func receiveWindow(of id: CallID) -> Int {
        let window = nghttp2_session_get_stream_effective_local_window_size(session, Int32(id))
        let used = nghttp2_session_get_stream_effective_recv_data_length(session, Int32(id))
        // nghttp2 has no such stream any more.
        guard window >= 0, used >= 0 else { return 0 }
        return Int(window - used)
    }

    // MARK: Out

    /// Bytes that wait to be written to the socket. If there are some, a few answers that are still in nghttp2 are not counted, because it
    /// is asked for several at once.
    var outputByteCount: Int {
        if output.count == 0 || unsentAnswerCount >= Self.burst || bufferedByteCount > Self.burstByteCount { pump() }
        return output.count
    }

    /// Opens a stream, and returns its id; nil if no more streams can be opened here.
    func submitRequest(_ headers: HeaderBlock, body: OutboundBody) -> CallID? {
        needsPump = true
        var provider = Self.provider(body)
        let id = headers.withFields { nghttp2_submit_request(session, nil, $0, $1, &provider, nil) }
        guard id > 0 else { return nil }
        queuedHeaderByteCount += headers.byteCount
        return CallID(id)
    }

    /// Notes that the headers of a request were sent, or cannot be sent.
    func requestWasDequeued(_ headers: nghttp2_headers) {
        lastDequeuedRequest = CallID(headers.hd.stream_id)
        let fields = UnsafeBufferPointer(start: headers.nva, count: headers.nvlen)
        queuedHeaderByteCount -= fields.reduce(0) { $0 + $1.namelen + $1.valuelen + HeaderBlock.fieldOverhead }
    }

    /// Whether nothing of a request was sent, because it waits for the peer's limit of streams. (While the headers are being sent, the stream is
    /// open.)
    func isQueued(_ id: CallID) -> Bool { id > lastDequeuedRequest && !isOpen(id) }

    /// All bytes that wait to be sent: output, bodies, and the headers of queued requests.
    var unsentByteCount: Int { output.count + bufferedByteCount + queuedHeaderByteCount }

    /// Answers with headers, and with a body unless `body` is nil.
    func submitResponse(_ id: CallID, _ headers: HeaderBlock, body: OutboundBody?) {
        needsPump = true
        unsentAnswerCount += 1
        guard let body else {
            return check(headers.withFields { nghttp2_submit_response(session, Int32(id), $0, $1, nil) })
        }
        var provider = Self.provider(body)
        check(headers.withFields { nghttp2_submit_response(session, Int32(id), $0, $1, &provider) })
    }

    /// The body has grown by `byteCount` bytes, or is finished.
    func bodyHasGrown(_ id: CallID, _ body: OutboundBody, by byteCount: Int) {
        needsPump = true
        bufferedByteCount += byteCount
        guard body.isDeferred else { return }
        body.isDeferred = false
        check(nghttp2_session_resume_data(session, Int32(id)))
    }

    /// `byteCount` bytes of a body were sent, or were dropped.
    func bodyHasShrunk(by byteCount: Int) { bufferedByteCount -= byteCount }

    func submitTrailers(_ id: Int32, _ trailers: HeaderBlock) {
        check(trailers.withFields { nghttp2_submit_trailer(session, id, $0, $1) })
    }

    /// Ends the connection if nghttp2 had no memory for a frame. Otherwise a call would stay without its answer.
    private func check(_ outcome: Int32) {
        if outcome == NGHTTP2_ERR_NOMEM.rawValue { fail() }
    }

    func reset(_ id: CallID, _ code: nghttp2_error_code) {
        needsPump = true
        check(nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), Int32(id), code.rawValue))
    }

    /// Whether so much output waits for the socket that no more is made.
    var outputIsFull: Bool { output.count > Self.outputLimit }

    /// Makes output bytes of submitted frames, while the peer's windows permit it and not too much waits for the socket.
    func pump() {
        guard needsPump, !isPumping, !isBroken else { return }
        isPumping = true
        unsentAnswerCount = 0
        defer { isPumping = false }
        repeat {
            needsPump = false
            var bytes: UnsafePointer<UInt8>?
            var count = 0
            repeat {
                guard !outputIsFull else { return needsPump = true }
                count = nghttp2_session_mem_send(session, &bytes)
                if count > 0 {
                    guard output.tryReserve(count) else { return isBroken = true }
                    output.append(UnsafeRawBufferPointer(start: bytes, count: count))
                }
            } while count > 0
            if count < 0 { isBroken = true }
            for id in endedEarly where owner?.takesRest(of: id) != true { reset(id, NGHTTP2_NO_ERROR) }
            endedEarly.removeAll(keepingCapacity: true)
        } while needsPump && !isBroken
    }

    // MARK: Heartbeats

    /// The data of a heartbeat's PING, which differs from the PING of a drain.
    private static let heartbeat: [UInt8] = Array("pb-beat".utf8) + [0]
    /// The most heartbeats without an answer. A peer that does not read gets no more.
    private static let unansweredHeartbeats = 4

    /// Sends a PING, which resets a gateway's timeout for the connection. The gateway does not forward it.
    func submitHeartbeat() {
        guard heartbeatCount < Self.unansweredHeartbeats else { return }
        heartbeatCount += 1
        needsPump = true
        nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), Self.heartbeat)
    }

    /// Notes the answer to a PING. False if it is not the answer to a heartbeat.
    func takeHeartbeatAnswer(_ frame: UnsafePointer<nghttp2_frame>) -> Bool {
        let answers = withUnsafeBytes(of: frame.pointee.ping.opaque_data) { $0.elementsEqual(Self.heartbeat) }
        guard answers, heartbeatCount > 0 else { return false }
        heartbeatCount -= 1
        return true
    }

    // MARK: The end of the connection

    /// Says that the connection will be closed. Calls that are on their way are still accepted. A PING follows when the notice was sent: nghttp2
    /// would send it first if both were submitted together.
    func submitShutdownNotice() {
        needsPump = true
        nghttp2_submit_shutdown_notice(session)
    }

    /// The last id in the GOAWAY of a shutdown notice: all calls are still accepted (RFC 9113, 6.8).
    static let lastIDOfNotice = Int32.max

    /// Says which call is the last one that was accepted.
    func submitGoAway(_ code: nghttp2_error_code, _ reason: StaticString) {
        needsPump = true
        nghttp2_submit_goaway(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(session), code.rawValue,
            reason.utf8Start, reason.utf8CodeUnitCount)
    }

    /// The most bytes of a request's headers, as HTTP/2 counts them: 60 KiB. nghttp2 sends no header block that may have more than 64 KiB.
    static let longestHeaderList = 60 << 10

    /// The most bytes of a request's headers that can be sent and that the peer accepts.
    var headerListLimit: Int {
        min(Self.longestHeaderList, Int(nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE)))
    }

    /// The id that the next stream will have; nil when there is none left.
    var nextStreamID: CallID? {
        let id = nghttp2_session_get_next_stream_id(session)
        return id <= UInt32(Int32.max) ? id : nil
    }
}

/// An event that nghttp2's callbacks have recorded. Events are handled after nghttp2 has returned, so that nothing is submitted inside a callback.
enum HTTP2Event {
    /// A header block is complete. It is nil if it has no meaning, like a client's trailers in gRPC.
    case headers(CallID, InboundHeaders.Received?, endOfStream: Bool)
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

    /// The bytes of the event's header block. Equal blocks may be one in memory, and count each time.
    var headerByteCount: Int { if case .headers(_, let headers?, _) = self { headers.block.byteCount } else { 0 } }

    /// The number of body bytes of the event.
    var byteCount: Int { if case .data(_, let bytes) = self { bytes.count } else { 0 } }
}

/// The owner of an ``HTTP2Session``. The peer's frames become events. The end of a stream is reported at once.
protocol HTTP2SessionOwner: AnyObject {
    /// A stream has ended. Return false if its end must be an event, after its other waiting events.
    func streamClosed(_ id: CallID) -> Bool
    /// Whether the rest of a request that is already answered is read and dropped. Otherwise the stream is reset.
    func takesRest(of id: CallID) -> Bool
}

/// The limits of one HTTP/2 connection.
public struct SessionLimits: Sendable, Hashable {
    /// Bytes that a peer may be ahead of a stream's reader: 256 KiB.
    static let streamWindow = 256 << 10
    /// Bytes that a peer may be ahead of this side on all streams together: 4 MiB. This window opens at once, because each stream has its own window.
    static let connectionWindow: Int32 = 4 << 20
    /// Bytes of a stream that its reader may have taken without reporting them yet, see `StreamBudgets`.
    static let unreportedSlack = 64 << 10

    /// One message, bytes, both ways, after decompression. Default 4 MiB, the default of gRPC everywhere.
    public var maximumMessageByteCount = 4 << 20
    /// The most open calls of a client on a connection; further calls wait. Default 1,024.
    public var maximumConcurrentStreams = 1024
    /// Messages of all streams of a connection that wait for the peer's flow control, bytes. Default 32 MiB. Over it: streams wait, and
    /// a call with a single answer ends with `RESOURCE_EXHAUSTED`.
    public var maximumBufferedByteCount = 32 << 20
    /// Incomplete messages of all streams of a connection, and single messages that wait for their sender's half-close,
    /// decompressed, bytes. A client counts only the latter, and always takes one. Default 64 MiB. Over it: the call of the message
    /// ends with `RESOURCE_EXHAUSTED`.
    public var maximumUnfinishedByteCount = 64 << 20
    /// Headers of one call, names and values with 32 bytes more for each, as HTTP/2 counts them. Default 16 KiB. Over it: `RESOURCE_EXHAUSTED`.
    public var maximumHeaderListByteCount = 16 << 10
    /// Requests of a client's connection that wait to be sent, with their headers, bytes, while the server takes nothing although calls have ended
    /// meanwhile. Default: no limit; a channel sets its own. Over it: new calls end with `RESOURCE_EXHAUSTED`.
    public var maximumUnsentByteCount = Int.max
    /// How long half a frame, an incomplete message, or the single request of a call may take to arrive. Default 10 s. Over it: the
    /// call ends with `DEADLINE_EXCEEDED`; for half a frame the connection ends.
    public var unfinishedTimeout = Duration.seconds(10)
    /// Glitches of a client that may come at once. Default 4,000. Over it: GOAWAY ENHANCE_YOUR_CALM.
    public var maximumGlitchCount = GlitchBudget.burst

    public init() {}
}
