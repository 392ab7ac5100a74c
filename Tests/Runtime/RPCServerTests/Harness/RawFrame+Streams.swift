/// The frames of streams, as other clients and servers write them.
extension RawFrame {
    /// Opens a stream to which the client writes.
    static func open(_ id: UInt32, _ method: String, timeout: Int64 = 0) -> RawFrame {
        var frame = request(id, method, timeout: timeout)
        frame.flags = 0x02
        return frame
    }

    /// A message that contains `text`. It is also a valid message of bytes.
    static func data(_ id: UInt32, _ text: String = "", flags: UInt8 = 0) -> RawFrame {
        RawFrame(streamID: id, kind: 3, flags: flags, data: text.isEmpty ? [] : field(1, Array(text.utf8)))
    }

    /// The end of a side of a stream. From a server it means OK.
    static func close(_ id: UInt32) -> RawFrame { RawFrame(streamID: id, kind: 3, flags: 0x05, data: []) }

    static func response(_ id: UInt32, _ text: String) -> RawFrame {
        RawFrame(streamID: id, kind: 2, data: field(2, field(1, Array(text.utf8))))
    }

    static func cancel(_ id: UInt32) -> RawFrame { RawFrame(streamID: id, kind: 0x10, data: []) }

    static func window(_ id: UInt32, _ limit: UInt64) -> RawFrame {
        RawFrame(streamID: id, kind: 0x11, data: (0..<8).map { UInt8(truncatingIfNeeded: limit >> (56 - 8 * $0)) })
    }
}
