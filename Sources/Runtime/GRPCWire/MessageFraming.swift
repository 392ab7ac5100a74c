import ProtobufC
import RPCCore
import WireBytes

extension OutboundBody {
    /// Appends a message with its prefix, encoded in place, and gives the bytes that it took.
    /// - Throws: ``RPCError``: `RESOURCE_EXHAUSTED` over the limit; nothing was appended then.
    func append(_ message: borrowing PackableMessage, encoding: MessageEncoding, limit: Int) throws(RPCError) -> Int {
        guard message.byteCount <= limit else { throw .oversized(message.byteCount, limit: limit) }
        let start = buffer.count
        let byteCount = MessageAssembler.prefixByteCount + message.byteCount
        guard buffer.tryReserve(byteCount) else { throw .noMemory(byteCount) }
        let room = buffer.appendRoom(byteCount)
        Self.writePrefix(room, isCompressed: false, message.byteCount)
        if message.byteCount > 0 { message.pack(to: room + MessageAssembler.prefixByteCount) }
        if encoding != .identity { compress(from: start, encoding) }
        return buffer.count - start
    }

    /// The same for a message that was encoded elsewhere and is within the limit; nil where there is no memory for it.
    func append(serialized message: [UInt8], encoding: MessageEncoding) -> Int? {
        let start = buffer.count
        guard buffer.tryReserve(MessageAssembler.prefixByteCount + message.count) else { return nil }
        Self.writePrefix(buffer.appendRoom(MessageAssembler.prefixByteCount), isCompressed: false, message.count)
        message.withUnsafeBytes { buffer.append($0) }
        if encoding != .identity { compress(from: start, encoding) }
        return buffer.count - start
    }

    private func compress(from start: Int, _ encoding: MessageEncoding) {
        // A message may go out as it is, whatever the headers name.
        guard let compressed = encoding.compress(Array(buffer.bytes[(start + MessageAssembler.prefixByteCount)...])),
            buffer.tryReserve(compressed.count)
        else { return }
        buffer.truncate(to: start)
        Self.writePrefix(buffer.appendRoom(MessageAssembler.prefixByteCount), isCompressed: true, compressed.count)
        compressed.withUnsafeBytes { buffer.append($0) }
    }

    private static func writePrefix(_ at: UnsafeMutableRawPointer, isCompressed: Bool, _ count: Int) {
        at.storeBytes(of: isCompressed ? 1 : 0, as: UInt8.self)
        at.storeBytes(of: UInt32(count).bigEndian, toByteOffset: 1, as: UInt32.self)
    }
}
