import ProtobufC
import RPCCore
import WireBytes

extension OutboundBody {
    /// Appends a message with its prefix, encoded in place, and gives the bytes that it took.
    /// - Throws: ``RPCError``: `RESOURCE_EXHAUSTED` over the limit, `INVALID_ARGUMENT` when not encodable; nothing was appended then.
    func append<M: Message>(_ message: M, encoding: MessageEncoding, limit: Int) throws(RPCError) -> Int {
        let start = buffer.count
        var taken = ByteBuffer()
        swap(&taken, &buffer)
        var writer = MessageWriterInPlace(taken, limit: limit)
        var failure: EncodingError?
        do throws(EncodingError) { try message.serialize(into: &writer) } catch { failure = error }
        let oversize = writer.oversize
        buffer = writer.finish()
        if let failure {
            buffer.truncate(to: start)
            throw .notEncodable(failure)
        }
        if let oversize { throw .oversized(oversize, limit: limit) }
        if encoding != .identity { compress(from: start, encoding) }
        return buffer.count - start
    }

    /// The same for a message that was encoded elsewhere and is within the limit.
    func append(serialized message: [UInt8], encoding: MessageEncoding) -> Int {
        let start = buffer.count
        Self.writePrefix(buffer.appendRoom(MessageAssembler.prefixByteCount), isCompressed: false, message.count)
        message.withUnsafeBytes { buffer.append($0) }
        if encoding != .identity { compress(from: start, encoding) }
        return buffer.count - start
    }

    private func compress(from start: Int, _ encoding: MessageEncoding) {
        let compressed = encoding.compress(Array(buffer.bytes[(start + MessageAssembler.prefixByteCount)...]))
        buffer.truncate(to: start)
        Self.writePrefix(buffer.appendRoom(MessageAssembler.prefixByteCount), isCompressed: true, compressed.count)
        compressed.withUnsafeBytes { buffer.append($0) }
    }

    fileprivate static func writePrefix(_ at: UnsafeMutableRawPointer, isCompressed: Bool, _ count: Int) {
        at.storeBytes(of: isCompressed ? 1 : 0, as: UInt8.self)
        at.storeBytes(of: UInt32(count).bigEndian, toByteOffset: 1, as: UInt32.self)
    }
}

/// Gives protobuf-c room for a message right behind its prefix.
private struct MessageWriterInPlace: ~Copyable, MessageOutput {
    private var buffer: ByteBuffer
    private let limit: Int
    /// Set when the message would have been over the limit; nothing was written then.
    private(set) var oversize: Int?

    init(_ buffer: consuming ByteBuffer, limit: Int) {
        self.buffer = buffer
        self.limit = limit
    }

    mutating func append(byteCount: Int, _ write: (UnsafeMutableRawPointer) -> Void) {
        guard byteCount <= limit else {
            oversize = byteCount
            return
        }
        let room = buffer.appendRoom(MessageAssembler.prefixByteCount + byteCount)
        OutboundBody.writePrefix(room, isCompressed: false, byteCount)
        if byteCount > 0 { write(room + MessageAssembler.prefixByteCount) }
    }

    consuming func finish() -> ByteBuffer { buffer }
}
