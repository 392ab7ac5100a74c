import ProtobufC
import RPCCore
import WireBytes

/// Writes a frame whose payload protobuf-c packs straight into the output buffer: size first, then header, envelope, room.
///
///     Request  { …; bytes payload=3; … }
///     Response { google.rpc.Status status=1; bytes payload=2 }
///     Data     the message, without an envelope
struct PayloadWriter: ~Copyable, MessageOutput {
    /// The output, taken from its owner for the time of writing and put back after.
    var buffer: ByteBuffer
    private let header: FrameHeader
    private let prefix: [UInt8]
    private let suffix: [UInt8]
    private let payloadTag: UInt8?
    private let limit: Int
    /// Set when the frame would have been over the limit; nothing was written then.
    private(set) var oversize: Int?

    /// - Parameters:
    ///   - payloadTag: tag byte of the payload's field in the envelope; nil where there is no envelope.
    ///   - prefix: encoded envelope fields before the payload.
    ///   - suffix: encoded envelope fields after it.
    init(
        _ buffer: consuming ByteBuffer, streamID: UInt32, kind: FrameKind, flags: UInt8 = 0, payloadTag: UInt8?,
        prefix: [UInt8] = [], suffix: [UInt8] = [], limit: Int
    ) {
        self.buffer = buffer
        header = FrameHeader(dataLength: 0, streamID: streamID, kind: kind, flags: flags)
        self.payloadTag = payloadTag
        self.prefix = prefix
        self.suffix = suffix
        self.limit = limit
    }

    mutating func append(byteCount: Int, _ write: (UnsafeMutableRawPointer) -> Void) {
        // An empty payload is left out, as proto3 leaves out every empty field.
        let tagBytes = payloadTag == nil || byteCount == 0 ? 0 : 1 + Varint.byteCount(UInt64(byteCount))
        let fieldBytes = tagBytes + byteCount
        let dataLength = prefix.count + fieldBytes + suffix.count
        guard dataLength <= limit else {
            oversize = dataLength
            return
        }
        var header = header
        header.dataLength = dataLength
        var at = buffer.appendRoom(FrameHeader.byteCount + dataLength)
        header.write(to: at)
        at += FrameHeader.byteCount
        at = Self.copy(prefix, to: at)
        if byteCount > 0 {
            if let payloadTag {
                at.storeBytes(of: payloadTag, as: UInt8.self)
                at = Varint.write(UInt64(byteCount), to: at + 1)
            }
            write(at)
            at += byteCount
        }
        _ = Self.copy(suffix, to: at)
    }

    private static func copy(_ bytes: [UInt8], to at: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        guard !bytes.isEmpty else { return at }
        bytes.withUnsafeBytes { at.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        return at + bytes.count
    }

    /// Ends the writing and gives the buffer back.
    consuming func finish() -> ByteBuffer { buffer }
}
