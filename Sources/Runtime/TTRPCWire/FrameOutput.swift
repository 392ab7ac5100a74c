import ProtobufC
import RPCCore
import WireBytes

/// The frames of one session that wait to be written. Client and server append all their frames here.
struct FrameOutput: ~Copyable {
    private var buffer = ByteBuffer()
    /// The most data of one frame, bytes.
    let limit: Int
    /// Whether a frame is missing because there was no memory for it. The connection cannot continue then.
    private(set) var isIncomplete = false

    init(limit: Int) { self.limit = limit }

    var count: Int { buffer.count }
    /// Memory of the frames, bytes.
    var heldByteCount: Int { buffer.heldByteCount }

    /// Frees the frames and their memory.
    mutating func giveBack() { buffer.giveBack() }

    mutating func write(_ write: (RawSpan) -> Int) { buffer.consume(write(buffer.bytes.bytes)) }

    /// Appends a frame with a message, encoded in place.
    /// - Parameters:
    ///   - payloadTag: tag byte of the message's field in the envelope; nil if there is no envelope.
    ///   - prefix: encoded envelope fields before the message.
    ///   - suffix: encoded envelope fields after it.
    /// - Throws: ``RPCError``: `RESOURCE_EXHAUSTED` over the limit. Then nothing is appended.
    ///
    ///     Request  { …; bytes payload=3; … }
    ///     Response { google.rpc.Status status=1; bytes payload=2 }
    ///     Data     the message, without an envelope
    mutating func append(
        _ message: borrowing PackableMessage, _ kind: FrameKind, _ streamID: UInt32, flags: UInt8 = 0, payloadTag: UInt8?,
        prefix: [UInt8] = [], suffix: [UInt8] = []
    ) throws(RPCError) {
        // An empty payload is left out, like every empty field in proto3.
        let tagBytes = payloadTag == nil || message.byteCount == 0 ? 0 : 1 + Varint.byteCount(UInt64(message.byteCount))
        let dataLength = prefix.count + tagBytes + message.byteCount + suffix.count
        guard dataLength <= limit else { throw .oversized(dataLength, limit: limit) }
        guard buffer.tryReserve(FrameHeader.byteCount + dataLength) else { throw .noMemory(dataLength) }
        var at = buffer.appendRoom(FrameHeader.byteCount + dataLength)
        FrameHeader(dataLength: dataLength, streamID: streamID, kind: kind, flags: flags).write(to: at)
        at = Self.copy(prefix, to: at + FrameHeader.byteCount)
        if message.byteCount > 0 {
            if let payloadTag {
                at.storeBytes(of: payloadTag, as: UInt8.self)
                at = Varint.write(UInt64(message.byteCount), to: at + 1)
            }
            message.pack(to: at)
            at += message.byteCount
        }
        _ = Self.copy(suffix, to: at)
    }

    private static func copy(_ bytes: [UInt8], to at: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        guard !bytes.isEmpty else { return at }
        bytes.withUnsafeBytes { at.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        return at + bytes.count
    }

    /// Appends a frame of bytes that are within the limit. If there is no memory for it, the output is ``isIncomplete``.
    mutating func append(_ data: [UInt8], _ kind: FrameKind, _ streamID: UInt32, flags: UInt8 = 0) {
        guard buffer.tryReserve(FrameHeader.byteCount + data.count) else { return isIncomplete = true }
        let room = buffer.appendRoom(FrameHeader.byteCount + data.count)
        FrameHeader(dataLength: data.count, streamID: streamID, kind: kind, flags: flags).write(to: room)
        guard !data.isEmpty else { return }
        data.withUnsafeBytes { (room + FrameHeader.byteCount).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    }

    /// Appends a window frame with the total number of bytes that may be sent on a stream.
    mutating func appendWindow(_ limit: UInt64, _ streamID: UInt32) {
        append((0..<8).map { UInt8(truncatingIfNeeded: limit >> (56 - 8 * $0)) }, .window, streamID)
    }

    /// Reads the data of a window frame; nil if it has not eight bytes.
    static func windowLimit(_ data: UnsafeRawBufferPointer) -> UInt64? {
        data.count == 8 ? UInt64(bigEndian: data.loadUnaligned(as: UInt64.self)) : nil
    }
}
