import CNGHTTP2
import RPCCore
import WireBytes

/// The callbacks of nghttp2.
extension HTTP2Session {
    /// The most bytes of one DATA frame, if the peer takes more than the usual 16 KiB.
    private static let longestDataFrame = 64 << 10
    /// Bytes before each frame's payload (RFC 9113, 4.1).
    private static let frameHeaderByteCount = 9

    /// A session of nghttp2, or nil if there is no memory for one.
    static func make(_ role: Role, memory: UnsafeMutablePointer<nghttp2_mem>?) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        var session: OpaquePointer?
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else { return nil }
        // The windows open when readers take the messages.
        nghttp2_option_set_no_auto_window_update(options, 1)
        // grpc-java sends the socket's path as `:authority`, which nghttp2 would refuse. So `RequestHead` checks the headers.
        nghttp2_option_set_no_http_messaging(options, 1)
        nghttp2_option_set_no_closed_streams(options, 1)
        // The server's SETTINGS say how many calls it takes at once. Calls wait for them, because calls over the limit would be refused.
        nghttp2_option_set_peer_max_concurrent_streams(options, 0)
        // `FloodGuard` has a lower limit, and gives its reason.
        nghttp2_option_set_stream_reset_rate_limit(options, .max, .max)
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, onBeginHeaders)
        nghttp2_session_callbacks_set_on_header_callback2(callbacks, onHeader)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onData)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onClose)
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, onFrameSent)
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks, onFrameNotSent)
        nghttp2_session_callbacks_set_send_data_callback(callbacks, sendData)
        nghttp2_session_callbacks_set_data_source_read_length_callback(callbacks, dataLength)
        let problem =
            switch role {
            case .server: nghttp2_session_server_new3(&session, callbacks, nil, options, memory)
            case .client: nghttp2_session_client_new3(&session, callbacks, nil, options, memory)
            }
        return problem == 0 ? session : nil
    }

    /// The session that nghttp2 calls back. It is lent, because counting references is expensive here.
    private static func with<Result>(_ userData: UnsafeMutableRawPointer?, _ body: (HTTP2Session) -> Result) -> Result {
        // Set to this session before nghttp2 calls anything, and valid until nghttp2's session is freed.
        Unmanaged<HTTP2Session>.fromOpaque(userData.unsafelyUnwrapped)._withUnsafeGuaranteedRef(body)
    }

    // MARK: In

    private static let onBeginHeaders: nghttp2_on_begin_headers_callback = { raw, frame, userData in
        guard let frame else { return 0 }
        let category = frame.pointee.headers.cat
        let endsStream = UInt32(frame.pointee.hd.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
        return with(userData) { session in
            if category == NGHTTP2_HCAT_REQUEST, session.streamCount >= session.streamLimit {
                nghttp2_submit_rst_stream(raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), frame.pointee.hd.stream_id, NGHTTP2_REFUSED_STREAM.rawValue)
                return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
            }
            session.blockIsWanted =
                category == NGHTTP2_HCAT_REQUEST || category == NGHTTP2_HCAT_RESPONSE || session.role == .client
            session.inbound.begin(isWanted: session.blockIsWanted)
            // Trailers end the stream. Others are malformed, so their fields need no check.
            session.trailersAreMalformed = !session.blockIsWanted && !endsStream
            session.trailerByteCount = 0
            return 0
        }
    }

    private static let onHeader: nghttp2_on_header_callback2 = { _, _, name, value, _, userData in
        guard let name, let value else { return 0 }
        with(userData) { session in
            let field = HTTP2Field(name: name, value: value)
            if session.blockIsWanted { session.inbound.take(field) } else if !session.trailersAreMalformed { session.takeTrailer(field) }
        }
        return 0
    }

    /// Checks a trailer that nobody reads. Trailers with more bytes than headers may have are malformed, so that they cost no more than headers: one
    /// byte on the wire can name a field of thousands.
    private func takeTrailer(_ field: HTTP2Field) {
        trailerByteCount += field.listByteCount
        if trailerByteCount > inbound.limit || !field.mayBeTrailer { trailersAreMalformed = true }
    }

    private static let onFrame: nghttp2_on_frame_recv_callback = { _, frame, userData in
        if let frame { with(userData) { $0.received(frame) } }
        return 0
    }

    private func received(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.pointee.hd
        let id = CallID(header.stream_id)
        let endsStream = UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
        let isAcknowledgement = UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue != 0
        reportedFrameCount &+= 1
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue:
            // Malformed trailers end the stream, as trailers without END_STREAM do (RFC 9113, 8.1).
            note(.headers(id, blockIsWanted ? inbound.end() : nil, endOfStream: endsStream && !trailersAreMalformed))
            if role == .server, blockIsWanted { countStream(header.stream_id) }
        case NGHTTP2_DATA.rawValue:
            if endsStream { note(.endOfData(id)) } else if !frameHasData { idleFrameCount &+= 1 }
            frameHasData = false
        case NGHTTP2_PING.rawValue:
            if isAcknowledgement, takeHeartbeatAnswer(frame) { return }
            note(isAcknowledgement ? .pingAcknowledged : .ping)
        case NGHTTP2_SETTINGS.rawValue: if !isAcknowledgement { note(.settings) }
        case NGHTTP2_PRIORITY.rawValue, NGHTTP2_WINDOW_UPDATE.rawValue: idleFrameCount &+= 1
        case NGHTTP2_RST_STREAM.rawValue: if isOpen(id) { receivedResetCount &+= 1 } else { idleFrameCount &+= 1 }
        case NGHTTP2_GOAWAY.rawValue:
            idleFrameCount &+= 1
            note(.goAway(lastID: CallID(frame.pointee.goaway.last_stream_id), code: frame.pointee.goaway.error_code))
        default: break
        }
    }

    private static let onData: nghttp2_on_data_chunk_recv_callback = { _, _, id, bytes, count, userData in
        with(userData) { session in
            session.frameHasData = true
            session.note(.data(CallID(id), UnsafeRawBufferPointer(start: bytes, count: count)))
        }
        return 0
    }

    private static let onClose: nghttp2_on_stream_close_callback = { _, id, code, userData in
        with(userData) { session in
            if session.role == .server { session.uncountStream(id) }
            if session.owner?.streamClosed(CallID(id)) != true { session.note(.closed(CallID(id), code)) }
        }
        return 0
    }

    // MARK: Out

    static func provider(_ body: OutboundBody) -> nghttp2_data_provider {
        // The body belongs to a stream that its owner keeps until nghttp2 has closed it.
        nghttp2_data_provider(
            source: nghttp2_data_source(ptr: Unmanaged.passUnretained(body).toOpaque()), read_callback: readBody)
    }

    private static let dataLength: nghttp2_data_source_read_length_callback = { _, _, _, sessionWindow, streamWindow, frame, _ in
        min(Int(min(sessionWindow, streamWindow)), Int(frame), longestDataFrame)
    }

    private static let readBody: nghttp2_data_source_read_callback = { _, id, _, length, flags, source, userData in
        guard let source, let flags, let pointer = source.pointee.ptr else { return 0 }
        return Unmanaged<OutboundBody>.fromOpaque(pointer)._withUnsafeGuaranteedRef { body in
            let count = min(length, body.buffer.count)
            if count == 0, !body.isFinished {
                body.isDeferred = true
                return Int(NGHTTP2_ERR_DEFERRED.rawValue)
            }
            body.packedByteCount = count
            flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
            if body.isFinished, count == body.buffer.count {
                flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
                if let trailers = body.trailers.take() {
                    flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
                    with(userData) { $0.submitTrailers(id, trailers) }
                }
            }
            return count
        }
    }

    private static let sendData: nghttp2_send_data_callback = { _, _, header, length, source, userData in
        guard let source, let header, let pointer = source.pointee.ptr else { return 0 }
        return with(userData) { session in
            Unmanaged<OutboundBody>.fromOpaque(pointer)._withUnsafeGuaranteedRef { session.send($0, frameHeader: header, length) }
        }
    }

    private func send(_ body: OutboundBody, frameHeader: UnsafePointer<UInt8>, _ length: Int) -> Int32 {
        // Otherwise nghttp2 would send as much as the peer's window permits at once. It tries this frame again later.
        guard !outputIsFull else {
            needsPump = true
            return NGHTTP2_ERR_WOULDBLOCK.rawValue
        }
        // Never: what is packed stays in the buffer. Without it, the frame would have bytes of other memory.
        guard length <= body.buffer.count else { return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue }
        // There is no padding, so the frame is its header and the bytes.
        guard output.tryReserve(Self.frameHeaderByteCount + length) else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
        let room = output.appendRoom(Self.frameHeaderByteCount + length)
        room.copyMemory(from: frameHeader, byteCount: Self.frameHeaderByteCount)
        if length > 0, let bytes = body.buffer.bytes.baseAddress {
            (room + Self.frameHeaderByteCount).copyMemory(from: bytes, byteCount: length)
        }
        body.buffer.consume(length)
        body.packedByteCount = 0
        body.sentOfWaiting = body.buffer.count == 0 ? 0 : body.sentOfWaiting + length
        if body.buffer.count == 0 {
            body.enough = 0
            // There may be many streams, and only waiting bytes are counted, so empty bodies keep little memory.
            body.buffer.removeAll(keeping: Self.keptBodyByteCount)
        }
        bodyHasShrunk(by: length)
        return 0
    }

    /// Memory that a stream's body keeps while it is empty, bytes.
    private static let keptBodyByteCount = 4 << 10

    private static let onFrameSent: nghttp2_on_frame_send_callback = { raw, frame, userData in
        guard let frame else { return 0 }
        let header = frame.pointee.hd
        if UInt32(header.type) == NGHTTP2_RST_STREAM.rawValue, frame.pointee.rst_stream.error_code != NGHTTP2_NO_ERROR.rawValue {
            with(userData) { $0.resetCount &+= 1 }
        }
        if UInt32(header.type) == NGHTTP2_GOAWAY.rawValue, frame.pointee.goaway.last_stream_id == HTTP2Session.lastIDOfNotice {
            nghttp2_submit_ping(raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
        }
        guard UInt32(header.type) == NGHTTP2_HEADERS.rawValue || UInt32(header.type) == NGHTTP2_DATA.rawValue else { return 0 }
        with(userData) { session in
            session.sentCallFrameCount &+= 1
            if session.role == .client, UInt32(header.type) == NGHTTP2_HEADERS.rawValue { session.requestWasDequeued(frame.pointee.headers) }
            if session.role == .server, UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0,
                nghttp2_session_get_stream_remote_close(raw, header.stream_id) == 0
            {
                session.endedEarly.append(CallID(header.stream_id))
            }
        }
        return 0
    }

    /// Ends a call whose headers cannot be sent. Otherwise it would never end.
    private static let onFrameNotSent: nghttp2_on_frame_not_send_callback = { _, frame, problem, userData in
        guard let frame, UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue else { return 0 }
        with(userData) { session in
            let id = CallID(frame.pointee.hd.stream_id)
            if session.role == .client, frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST {
                session.requestWasDequeued(frame.pointee.headers)
                // Such a stream was never open, so nghttp2 does not close it.
                if session.owner?.streamClosed(id) != true { session.note(.closed(id, NGHTTP2_REFUSED_STREAM.rawValue)) }
            } else if problem != NGHTTP2_ERR_STREAM_CLOSED.rawValue, problem != NGHTTP2_ERR_STREAM_CLOSING.rawValue {
                session.reset(id, NGHTTP2_INTERNAL_ERROR)
            }
        }
        return 0
    }
}
