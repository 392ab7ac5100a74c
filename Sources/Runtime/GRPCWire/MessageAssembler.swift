import ProtobufC
import RPCCore
import WireBytes

/// Cuts a stream's DATA into messages. Each has a prefix of five bytes: `u8 compressed · u32be length · message`.
///
/// A message that is complete in the received bytes is read in place.
struct MessageAssembler: ~Copyable {
    static let prefixByteCount = 5

    enum Step {
        /// A message, valid until the next call.
        case message(isCompressed: Bool, UnsafeRawBufferPointer)
        /// A message over the limit; the call ends with it.
        case oversized(Int)
        /// The first byte of a message is neither 0 nor 1.
        case malformed
        /// There is no memory for a message.
        case noMemory
    }

    private let limit: Int
    private var partial = ByteBuffer()
    private var partialIsSpent = false

    /// - Parameter limit: bytes of one message on the wire.
    init(limit: Int) { self.limit = limit }

    /// Bytes of an incomplete message.
    var unfinishedByteCount: Int { partialIsSpent ? 0 : partial.count }

    /// The missing bytes of an incomplete message. While its prefix is incomplete, the missing bytes of the prefix.
    var missingByteCount: Int {
        guard unfinishedByteCount >= Self.prefixByteCount else { return Self.prefixByteCount - unfinishedByteCount }
        return Self.prefixByteCount + (Self.length(partial.bytes) ?? 0) - partial.count
    }

    /// The next message in `input`; nil at the end of `input`. The used bytes are removed from `input`.
    mutating func next(_ input: inout UnsafeRawBufferPointer) -> Step? {
        if partialIsSpent { forget() }
        if partial.count == 0 {
            guard !input.isEmpty else { return nil }
            guard input.count >= Self.prefixByteCount else { return keep(&input) }
            guard let length = Self.length(input) else { return .malformed }
            guard length <= limit else { return .oversized(length) }
            let end = Self.prefixByteCount + length
            guard input.count >= end else { return keep(&input) }
            defer { input = UnsafeRawBufferPointer(rebasing: input[end...]) }
            return .message(isCompressed: input[0] == 1, UnsafeRawBufferPointer(rebasing: input[Self.prefixByteCount..<end]))
        }
        guard fill(to: Self.prefixByteCount, &input) else { return .noMemory }
        guard partial.count >= Self.prefixByteCount else { return nil }
        guard let length = Self.length(partial.bytes) else { return .malformed }
        guard length <= limit else { return .oversized(length) }
        guard fill(to: Self.prefixByteCount + length, &input) else { return .noMemory }
        guard partial.count == Self.prefixByteCount + length else { return nil }
        partialIsSpent = true
        return .message(isCompressed: partial.bytes[0] == 1, UnsafeRawBufferPointer(rebasing: partial.bytes[Self.prefixByteCount...]))
    }

    /// Drops the last complete message, which is not needed any more.
    mutating func forgetSpent() {
        if partialIsSpent { forget() }
    }

    /// Drops the incomplete message. A complete one may still be lent.
    mutating func forgetUnfinished() {
        if !partialIsSpent { partial.giveBack() }
    }

    /// Frees the memory of complete messages, because no other comes. Nothing may be lent.
    mutating func freeRoom() {
        guard partialIsSpent || partial.count == 0, partial.hasRoom else { return }
        partial.removeAll(keeping: 0)
        partialIsSpent = false
    }

    private mutating func forget() {
        partial.removeAll(keeping: Self.keptByteCount)
        partialIsSpent = false
    }

    /// Memory that a stream keeps for its next message, bytes. There are many streams, and most have no other message.
    private static let keptByteCount = 4 << 10

    private mutating func keep(_ input: inout UnsafeRawBufferPointer) -> Step? {
        guard partial.tryReserve(input.count) else { return .noMemory }
        partial.append(input)
        input = UnsafeRawBufferPointer(start: nil, count: 0)
        return nil
    }

    /// Fills the incomplete message up to `count` bytes. False if there is no memory for it.
    private mutating func fill(to count: Int, _ input: inout UnsafeRawBufferPointer) -> Bool {
        let missing = min(max(count - partial.count, 0), input.count)
        guard missing > 0 else { return true }
        guard partial.tryReserve(missing, of: count) else { return false }
        partial.append(UnsafeRawBufferPointer(rebasing: input[..<missing]))
        input = UnsafeRawBufferPointer(rebasing: input[missing...])
        return true
    }

    private static func length(_ prefix: UnsafeRawBufferPointer) -> Int? {
        guard prefix[0] <= 1 else { return nil }
        return Int(UInt32(bigEndian: prefix.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
    }
}

extension OutboundBody {
    /// Appends a message with its prefix, encoded in place, and returns the number of bytes.
    /// - Throws: ``RPCError``: `RESOURCE_EXHAUSTED` over the limit. Then nothing is appended.
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

    /// The same for a message that was encoded elsewhere and is within the limit; nil if there is no memory for it.
    func append(serialized message: [UInt8], encoding: MessageEncoding) -> Int? {
        let start = buffer.count
        guard buffer.tryReserve(MessageAssembler.prefixByteCount + message.count) else { return nil }
        Self.writePrefix(buffer.appendRoom(MessageAssembler.prefixByteCount), isCompressed: false, message.count)
        message.withUnsafeBytes { buffer.append($0) }
        if encoding != .identity { compress(from: start, encoding) }
        return buffer.count - start
    }

    private func compress(from start: Int, _ encoding: MessageEncoding) {
        // A message may be sent uncompressed, even if the headers name an encoding. One that would not become smaller could break the client's limit.
        guard let compressed = encoding.compress(Array(buffer.bytes[(start + MessageAssembler.prefixByteCount)...])),
            compressed.count < buffer.count - start - MessageAssembler.prefixByteCount, buffer.tryReserve(compressed.count)
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
