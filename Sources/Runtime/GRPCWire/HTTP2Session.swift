import CNGHTTP2
import RPCCore
import WireBytes

/// One HTTP/2 connection, without any I/O: nghttp2 for frames, header compression and windows; bytes in → events; calls → bytes out.
///
/// Its callbacks (`+Callbacks`) only note down what came. Whoever owns the session acts on that when `receive` has returned.
final class HTTP2Session {
    enum Role { case server, client }

    private let session: OpaquePointer
    let role: Role
    /// Whose streams these are; set before anything is received. It owns this session and lends it to nobody, so it is there as long as anything is
    /// called here. (Not weak: then every retain of the owner would go by a side table. Not checked either: that was 1 % of a call.)
    unowned(unsafe) var owner: (any HTTP2SessionOwner)?
    // Those marked below are changed by calls that know nothing of the session. They are unchecked in release builds: checking took a sixth of a call.
    /// What was read and not acted upon, from `nextEvent` on.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var events: [HTTP2Event] = []
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var nextEvent = 0
    /// Bodies of theirs that had to be kept.
    private(set) var kept = ByteBuffer()
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var output = ByteBuffer()
    /// What the header block that is being received has; nghttp2 lets no other frame come between its parts.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var inbound: InboundHeaders
    var blockIsWanted = false
    /// Whether a header block has begun whose end has not come.
    var isInBlock = false
    /// Bytes in the bodies of all streams, waiting for the peer's windows.
    private(set) var bufferedByteCount = 0
    /// Streams that have sent their end and whose peer has not: to be reset, so that it stops sending.
    var endedEarly: [CallID] = []
    /// Bytes that wait for the socket, above which nghttp2 is asked for no more: what it keeps is sent after whatever is more urgent, such as
    /// windows. More than a connection lets its streams write ahead of the socket, so that a stream that waits here waits there.
    private static let outputLimit = 1 << 20
    /// Answers that nghttp2 is asked for at once, and bytes of theirs: few enough that they are still in the processor's cache, and that the memory
    /// of one serves the next.
    private static let burst = 6
    private static let burstByteCount = 64 << 10
    private var unsentAnswerCount = 0
    /// Whether nghttp2 may have more to send than it was asked for.
    var needsPump = true
    /// HEADERS and DATA frames that were sent.
    var sentCallFrameCount = 0
    /// Frames that nghttp2 has told of; those of them that move nothing; and resets that a mistake of the peer's made this side send.
    var reportedFrameCount = 0
    var idleFrameCount = 0
    var resetCount = 0
    /// Streams that a client has open, and may have.
    private(set) var streamCount = 0
    let streamLimit: Int
    private static let settingByteCount = 6
    /// Whether the DATA frame that is being received has had a byte of a body.
    var frameHasData = false
    private var isPumping = false
    /// Heartbeats that the peer has not answered.
    private var heartbeatCount = 0
    private var isBroken = false

    init(_ role: Role, _ limits: SessionLimits) {
        self.role = role
        streamLimit = limits.maximumConcurrentStreams
        inbound = InboundHeaders(limit: limits.maximumHeaderListByteCount)
        session = Self.make(role, limits)
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        var settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: UInt32(SessionLimits.streamWindow)),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue), value: UInt32(limits.maximumHeaderListByteCount)),
        ]
        switch role {
        case .server:
            // The last one, see `sendSettings`.
            settings.append(nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: UInt32(Int32.max)))
        case .client:
            settings.append(nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0))
        }
        nghttp2_submit_settings(session, 0, settings, settings.count)
        if role == .server { sendSettings() }
        nghttp2_session_set_local_window_size(session, 0, 0, SessionLimits.connectionWindow)
    }

    deinit { nghttp2_session_del(session) }

    /// Sends a server's SETTINGS, of which nghttp2 knows another limit of streams than the client: its own answer to one stream too many is the end of
    /// the connection, with all the calls on it. So the streams are counted here, and one too many is refused alone (RFC 9113, 5.1.2).
    private func sendSettings() {
        var bytes: UnsafePointer<UInt8>?
        let count = nghttp2_session_mem_send(session, &bytes)
        guard count > Self.settingByteCount, output.tryReserve(count), let bytes else { return isBroken = true }
        let frame = output.appendRoom(count)
        frame.copyMemory(from: bytes, byteCount: count)
        frame.storeBytes(of: UInt32(streamLimit).bigEndian, toByteOffset: count - MemoryLayout<UInt32>.size, as: UInt32.self)
    }

    // MARK: In

    /// Reads what the socket gave. What it means waits in ``takeEvent()``.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(ProtocolViolation) {
        needsPump = true
        let count = nghttp2_session_mem_recv(session, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        guard count < 0 else { return }
        if let reason = Self.reason(count) {
            submitGoAway(NGHTTP2_ENHANCE_YOUR_CALM, reason)
            pump()
        }
        isBroken = true
        throw ProtocolViolation(String(cString: nghttp2_strerror(Int32(count))))
    }

    /// What a peer is told for whom nghttp2 finds no words: it stops in the middle of a frame.
    private static func reason(_ error: Int) -> StaticString? {
        switch Int32(error) {
        case NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue: "too_many_continuations"
        case NGHTTP2_ERR_FLOODED.rawValue: "too_many_unread_acknowledgements"
        default: nil
        }
    }

    func note(_ event: HTTP2Event) { events.append(event) }

    /// Ends the connection, for which there is no memory.
    func fail() { isBroken = true }

    /// Keeps the bodies of the events that were not taken yet beyond the input in which they lie.
    func keepEvents() {
        guard kept.count == 0 else { return }
        let byteCount = events[nextEvent...].reduce(0) { $0 + $1.byteCount }
        guard kept.tryReserve(byteCount) else { return fail() }
        for index in nextEvent..<events.count {
            guard case .data(let id, let bytes) = events[index], let from = bytes.baseAddress else { continue }
            // There is room, so what was kept before stays where it is.
            let room = kept.appendRoom(bytes.count)
            room.copyMemory(from: from, byteCount: bytes.count)
            events[index] = .data(id, UnsafeRawBufferPointer(start: room, count: bytes.count))
        }
    }

    /// The oldest event that was not taken yet.
    func takeEvent() -> HTTP2Event? {
        guard nextEvent < events.count else {
            if kept.count > 0 { kept.removeAll(keeping: 0) }
            events.removeAll(keepingCapacity: events.count <= 1024)
            nextEvent = 0
            return nil
        }
        defer { nextEvent += 1 }
        return events[nextEvent]
    }

    /// Whether the next event says that the peer has closed its half of this stream.
    func endComesNext(_ id: CallID) -> Bool {
        if nextEvent < events.count, case .endOfData(id) = events[nextEvent] { return true }
        return false
    }

    /// Counts a stream that a client has opened, until it has gone. (Not every stream that goes was counted: one too many was refused.)
    func countStream(_ id: Int32) {
        if nghttp2_session_set_stream_user_data(session, id, Unmanaged.passUnretained(self).toOpaque()) == 0 { streamCount += 1 }
    }

    func uncountStream(_ id: Int32) {
        if nghttp2_session_get_stream_user_data(session, id) != nil { streamCount -= 1 }
    }

    /// Whether the stream is still there: its peer may have reset it in what was received with it.
    func isOpen(_ id: CallID) -> Bool { nghttp2_session_find_stream(session, Int32(id)) != nil }

    /// Whether the stream is there, and its peer has closed its half.
    func isHalfClosed(_ id: CallID) -> Bool { nghttp2_session_get_stream_remote_close(session, Int32(id)) == 1 }

    /// Whether the connection is over: nothing is read any more, and all that there was to say has been said.
    var isOver: Bool {
        isBroken || (nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0)
    }

    // MARK: Windows

    /// Lets the peer send so many bytes more on the connection.
    func consumeOnConnection(_ byteCount: Int) {
        nghttp2_session_consume_connection(session, byteCount)
        needsPump = true
    }

    /// Lets the peer send so many bytes more on a stream.
    func consume(_ byteCount: Int, on id: CallID) {
        nghttp2_session_consume_stream(session, Int32(id), byteCount)
        needsPump = true
    }

    // MARK: Out

    /// Bytes that wait to be written to the socket. Where there are some, a few answers that nghttp2 has not been asked for yet are left out: it
    /// is asked for several at once.
    var outputByteCount: Int {
        if output.count == 0 || unsentAnswerCount >= Self.burst || bufferedByteCount > Self.burstByteCount { pump() }
        return output.count
    }

    /// Opens a stream, and gives its id; nil when none can be opened here any more.
    func submitRequest(_ headers: HeaderBlock, body: OutboundBody) -> CallID? {
        needsPump = true
        var provider = Self.provider(body)
        let id = headers.withFields { nghttp2_submit_request(session, nil, $0, $1, &provider, nil) }
        return id > 0 ? CallID(id) : nil
    }

    /// Answers with headers, and a body unless the headers are all there is.
    func submitResponse(_ id: CallID, _ headers: HeaderBlock, body: OutboundBody?) {
        needsPump = true
        unsentAnswerCount += 1
        guard let body else {
            _ = headers.withFields { nghttp2_submit_response(session, Int32(id), $0, $1, nil) }
            return
        }
        var provider = Self.provider(body)
        _ = headers.withFields { nghttp2_submit_response(session, Int32(id), $0, $1, &provider) }
    }

    /// The body has grown by so many bytes, or is finished.
    func bodyHasGrown(_ id: CallID, _ body: OutboundBody, by byteCount: Int) {
        needsPump = true
        bufferedByteCount += byteCount
        guard body.isDeferred else { return }
        body.isDeferred = false
        nghttp2_session_resume_data(session, Int32(id))
    }

    /// So many bytes of a body were sent, or will never be.
    func bodyHasShrunk(by byteCount: Int) { bufferedByteCount -= byteCount }

    func submitTrailers(_ id: Int32, _ trailers: HeaderBlock) {
        _ = trailers.withFields { nghttp2_submit_trailer(session, id, $0, $1) }
    }

    func reset(_ id: CallID, _ code: nghttp2_error_code) {
        needsPump = true
        nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), Int32(id), code.rawValue)
    }

    /// Whether more could be sent if the socket took what waits.
    var outputIsFull: Bool { output.count > Self.outputLimit }

    /// Turns what was submitted into bytes, as far as the peer's windows allow and the socket is not too far behind.
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

    /// What a heartbeat's PING carries, to be told from those of a drain.
    private static let heartbeat: [UInt8] = Array("pb-beat".utf8) + [0]
    /// Heartbeats that are sent without an answer to any of them: a peer that does not read is not told again and again.
    private static let unansweredHeartbeats = 4

    /// Sends a PING, which resets whatever time a gateway gives the connection. It ends at the gateway.
    func submitHeartbeat() {
        guard heartbeatCount < Self.unansweredHeartbeats else { return }
        heartbeatCount += 1
        needsPump = true
        nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), Self.heartbeat)
    }

    /// Notes the answer to a PING; false when it was to none of the heartbeats.
    func takeHeartbeatAnswer(_ frame: UnsafePointer<nghttp2_frame>) -> Bool {
        let answers = withUnsafeBytes(of: frame.pointee.ping.opaque_data) { $0.elementsEqual(Self.heartbeat) }
        guard answers, heartbeatCount > 0 else { return false }
        heartbeatCount -= 1
        return true
    }

    // MARK: The end of the connection

    /// Says that the connection will be closed, while calls that are under way to us still count.
    func submitShutdownNotice() {
        needsPump = true
        nghttp2_submit_shutdown_notice(session)
        nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Says which call is the last that was taken.
    func submitGoAway(_ code: nghttp2_error_code, _ reason: StaticString) {
        needsPump = true
        nghttp2_submit_goaway(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(session), code.rawValue,
            reason.utf8Start, reason.utf8CodeUnitCount)
    }

    /// The most bytes of headers that the peer takes.
    var peerHeaderListLimit: Int { Int(nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE)) }

    /// The id that the next stream will have; nil when there is none left.
    var nextStreamID: CallID? {
        let id = nghttp2_session_get_next_stream_id(session)
        return id <= UInt32(Int32.max) ? id : nil
    }
}

/// What nghttp2 has read, noted down by its callbacks and acted upon when it has returned: nothing is submitted from inside of it.
enum HTTP2Event {
    /// A header block is complete. It is nil where it means nothing: a client's trailers, in gRPC.
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

    /// Bytes of a body that lie elsewhere.
    var byteCount: Int { if case .data(_, let bytes) = self { bytes.count } else { 0 } }
}

/// Who uses an ``HTTP2Session``. What its peer sends are events. What ends with this side's own frames, long after the last event, is told at once.
protocol HTTP2SessionOwner: AnyObject {
    /// A stream has gone; false when its end is to be an event, behind others that are still to come of it.
    func streamClosed(_ id: CallID) -> Bool
    /// Whether what the peer still sends on a stream whose answer is out is taken in and dropped. Else the stream is reset.
    func takesRest(of id: CallID) -> Bool
}
