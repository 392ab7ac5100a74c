import ProtobufC
import RPCCore
import WireBytes

extension OutboundBody {
    /// Appends a message with its prefix, encoded in place, and gives the bytes that it took.
    /// - Throws: ``RPCError``: `RESOURCE_EXHAUSTED` over the limit; nothing was appended then.
    func append(_ message: borrowing PackableMessage, encoding: MessageEncoding, limit: Int) throws(RPCError) -> Int {
        guard message.byteCount <= limit else { throw .oversized(message.byteCount, limit: limit) }
        let start = buffer.count
        let room = buffer.appendRoom(MessageAssembler.prefixByteCount + message.byteCount)
        Self.writePrefix(room, isCompressed: false, message.byteCount)
        if message.byteCount > 0 { message.pack(to: room + MessageAssembler.prefixByteCount) }
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

    private static func writePrefix(_ at: UnsafeMutableRawPointer, isCompressed: Bool, _ count: Int) {
        at.storeBytes(of: isCompressed ? 1 : 0, as: UInt8.self)
        at.storeBytes(of: UInt32(count).bigEndian, toByteOffset: 1, as: UInt32.self)
    }
}
