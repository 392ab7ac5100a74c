/// The parts of HTTP/2 for a server that refuses calls, and for a client that ignores a drain.
enum RawHTTP2 {
    static let settings = frame(4, 0, 0, [])

    /// A client's answer to the server's SETTINGS. From then on its streams have the server's window.
    static let settingsAcknowledgement = frame(4, 1, 0, [])

    /// SETTINGS with the most streams that a client may open at once.
    static func settings(streams: UInt32) -> [UInt8] { frame(4, 0, 0, [0, 3] + bigEndian(streams)) }

    /// The first bytes of a client.
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings

    /// The first bytes of a client with windows of 0, so that no answer comes before it opens them.
    static let closedPreface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, 0, [0, 4] + bigEndian(0))

    static let ping = frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8])

    /// Opens the window of a stream by `byteCount` bytes.
    static func window(_ id: UInt32, _ byteCount: UInt32) -> [UInt8] { frame(8, 0, id, bigEndian(byteCount)) }

    /// A call with an empty message. - Parameter flag: the first byte of the message: 0, or 1 for a compressed one.
    static func call(_ id: UInt32, _ path: String, flag: UInt8 = 0) -> [UInt8] { open(id, path) + frame(0, 1, id, [flag, 0, 0, 0, 0]) }

    /// The headers of a call.
    /// - Parameter encoding: how its compressed messages are compressed.
    static func open(_ id: UInt32, _ path: String, encoding: String? = nil) -> [UInt8] {
        let head = [(":method", "POST"), (":scheme", "http"), (":path", path), ("content-type", "application/grpc"), ("te", "trailers")]
        return frame(1, 4, id, fields(head + (encoding.map { [("grpc-encoding", $0)] } ?? [])))
    }

    /// A part of a call's request, at most 16 KiB.
    static func data(_ id: UInt32, _ bytes: [UInt8]) -> [UInt8] { frame(0, 0, id, bytes) }

    /// The server's GOAWAY: calls above `last` were not begun.
    static func goAway(last: UInt32) -> [UInt8] { frame(7, 0, 0, bigEndian(last) + bigEndian(0)) }

    /// REFUSED_STREAM: the call was not begun.
    static func refuse(_ id: UInt32) -> [UInt8] { frame(3, 0, id, bigEndian(7)) }

    /// A client's reset of a call.
    static func cancel(_ id: UInt32) -> [UInt8] { frame(3, 0, id, bigEndian(8)) }

    /// The headers that begin an answer.
    static func begin(_ id: UInt32) -> [UInt8] { frame(1, 4, id, fields([(":status", "200"), ("content-type", "application/grpc")])) }

    /// An answer with an empty message.
    static func answer(_ id: UInt32) -> [UInt8] { begin(id) + finish(id) }

    /// The rest of an answer that was begun: a message that contains `text`, and the status.
    static func finish(_ id: UInt32, _ text: String = "") -> [UInt8] {
        let message = text.isEmpty ? [] : RawFrame.field(1, Array(text.utf8))
        return frame(0, 0, id, [0] + bigEndian(UInt32(message.count)) + message) + frame(1, 5, id, fields([("grpc-status", "0")]))
    }

    private static func frame(_ kind: UInt8, _ flags: UInt8, _ id: UInt32, _ payload: [UInt8]) -> [UInt8] {
        var bytes = Array(bigEndian(UInt32(payload.count))[1...])
        bytes += [kind, flags]
        bytes += bigEndian(id)
        return bytes + payload
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    /// Literals that are neither indexed nor compressed, all short.
    private static func fields(_ pairs: [(String, String)]) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in pairs {
            block.append(0)
            for text in [name, value] {
                block.append(UInt8(text.utf8.count))
                block += text.utf8
            }
        }
        return block
    }
}

extension RawPeer {
    /// Begins an HTTP/2 connection with a client that was accepted.
    func beginHTTP2(_ settings: [UInt8] = RawHTTP2.settings) async {
        _ = await read(24)
        await send(settings)
    }

    /// The last accepted call in each GOAWAY until the end of the connection.
    func readGoAways() async -> [UInt32] {
        var all: [UInt32] = []
        while let last = await readGoAway() { all.append(last) }
        return all
    }

    /// The last accepted call in the next GOAWAY; `nil` at the end of the connection.
    func readGoAway() async -> UInt32? {
        while let frame = await readHTTP2Frame() {
            if frame.kind == 7 { return Self.number(frame.payload) }
        }
        return nil
    }

    /// The reason in each GOAWAY until the end of the connection.
    func readGoAwayReasons() async -> [String] {
        var reasons: [String] = []
        while let frame = await readHTTP2Frame() {
            if frame.kind == 7 { reasons.append(String(decoding: frame.payload.dropFirst(8), as: UTF8.self)) }
        }
        return reasons
    }

    /// Waits for the answer to a ping, or the end of the connection.
    func readPingAnswer() async {
        while let frame = await readHTTP2Frame() {
            if frame.kind == 6, frame.flags & 1 != 0 { return }
        }
    }

    /// The id of the next complete call or answer; `nil` at the end of the connection.
    func readHTTP2Call() async -> UInt32? {
        while let frame = await readHTTP2Frame() {
            if frame.endsStream { return frame.id }
        }
        return nil
    }

    /// The end of a call, as its client sees it.
    enum HTTP2End: Equatable {
        case answer(UInt32)
        case reset(UInt32, code: UInt32)
    }

    /// The next end of a call; `nil` at the end of the connection.
    func readHTTP2End() async -> HTTP2End? {
        while let frame = await readHTTP2Frame() {
            if frame.kind == 3 { return .reset(frame.id, code: Self.number(frame.payload)) }
            if frame.endsStream { return .answer(frame.id) }
        }
        return nil
    }

    struct HTTP2Frame {
        let kind: UInt8
        let flags: UInt8
        let id: UInt32
        let payload: [UInt8]

        /// Whether it is HEADERS or DATA, and the last one of its side.
        var endsStream: Bool { kind <= 1 && flags & 1 != 0 }
    }

    func readHTTP2Frame() async -> HTTP2Frame? {
        let header = await read(9)
        guard header.count == 9 else { return nil }
        let payload = await read(Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2]))
        return HTTP2Frame(kind: header[3], flags: header[4], id: Self.number(header[5...]), payload: payload)
    }

    /// The number in the first four bytes.
    private static func number(_ bytes: some Collection<UInt8>) -> UInt32 { bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}
