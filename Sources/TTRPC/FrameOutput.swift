import ProtobufC
import RPCCore
import WireBytes

/// The frames of one session that wait to be written: each kind of frame is appended here, on either side.
struct FrameOutput: ~Copyable {
    private var buffer = ByteBuffer()
    /// Data of one frame, bytes at most.
    let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { buffer.count }

    mutating func write(_ write: (RawSpan) -> Int) { buffer.consume(write(buffer.bytes.bytes)) }

    /// Appends a frame with a message in it, encoded in place.
    /// - Parameters:
    ///   - payloadTag: tag byte of the message's field in the envelope; nil where there is no envelope.
    ///   - prefix: encoded envelope fields before the message.
    ///   - suffix: encoded envelope fields after it.
    /// - Throws: ``RPCError``: `RESOURCE_EXHAUSTED` over the limit, `INVALID_ARGUMENT` when not encodable; nothing was appended then.
    mutating func append<M: Message>(
        _ message: M, _ kind: FrameKind, _ streamID: UInt32, flags: UInt8 = 0, payloadTag: UInt8?, prefix: [UInt8] = [],
        suffix: [UInt8] = []
    ) throws(RPCError) {
        let start = buffer.count
        var taken = ByteBuffer()
        swap(&taken, &buffer)
        var writer = PayloadWriter(
            taken, streamID: streamID, kind: kind, flags: flags, payloadTag: payloadTag, prefix: prefix, suffix: suffix, limit: limit)
        var failure: EncodingError?
        do throws(EncodingError) { try message.serialize(into: &writer) } catch { failure = error }
        let oversize = writer.oversize
        buffer = writer.finish()
        if let failure {
            buffer.truncate(to: start)
            throw .notEncodable(failure)
        }
        if let oversize { throw .oversized(oversize, limit: limit) }
    }

    /// Appends a frame of bytes that are known to be within the limit.
    mutating func append(_ data: [UInt8], _ kind: FrameKind, _ streamID: UInt32, flags: UInt8 = 0) {
        let room = buffer.appendRoom(FrameHeader.byteCount + data.count)
        FrameHeader(dataLength: data.count, streamID: streamID, kind: kind, flags: flags).write(to: room)
        guard !data.isEmpty else { return }
        data.withUnsafeBytes { (room + FrameHeader.byteCount).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    }

    /// Appends the word that so many bytes of a stream may be sent in all.
    mutating func appendWindow(_ limit: UInt64, _ streamID: UInt32) {
        append((0..<8).map { UInt8(truncatingIfNeeded: limit >> (56 - 8 * $0)) }, .window, streamID)
    }

    /// Reads the data of a window frame; nil when it is none.
    static func windowLimit(_ data: UnsafeRawBufferPointer) -> UInt64? {
        data.count == 8 ? UInt64(bigEndian: data.loadUnaligned(as: UInt64.self)) : nil
    }
}
