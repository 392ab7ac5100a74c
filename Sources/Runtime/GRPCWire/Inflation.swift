import CZlib
import RPCCore
import WireBytes

/// A compressed message that is inflated in pieces. A few KiB may become some MiB, and other calls must not wait for that.
final class Inflation {
    /// The ``work`` that is done at once for all messages of a connection together, so that other calls wait for little (docs/performance.md). It may
    /// become twice as much, because output and input of one step are limited separately.
    static let pieceWork = 128 << 10
    /// The work of a byte that is read. It counts, because blocks without content take zlib much time and give no output (docs/performance.md).
    static let inputWork = InboundMessage.compressedByteWork
    /// zlib's own memory: its window and its state.
    private static let stateByteCount = 40 << 10
    /// The highest permitted ratio of a message's size to its compressed size. It holds only for messages that become larger than
    /// ``ratioFreeByteCount``. (DEFLATE permits at most 1,032; ordinary text has about ten.)
    static let maximumRatio = 200
    static let ratioFreeByteCount = 1 << 20
    /// The highest permitted ratio of the compressed size to the message's size. The first ``paddingFreeByteCount`` compressed bytes do not count.
    /// Only blocks without content exceed it, and they cost the most time. (A writer that flushes after every byte has a ratio of seven.)
    static let maximumPadding = 8
    static let paddingFreeByteCount = 64 << 10

    /// zlib's state points back at it, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Bytes that the message may have.
    private let limit: Int
    /// Whether it may grow and shrink without the limits of the ratio.
    private let isTrusted: Bool
    /// Kept input that was not read yet, from `restStart` on.
    private var rest: [UInt8] = []
    private var restStart = 0
    private var readByteCount = 0
    /// What was done so far: bytes of output, and ``inputWork`` for each byte of input.
    private(set) var work = 0
    private(set) var message = ByteBuffer()

    /// - Parameters:
    ///   - limit: bytes that the message may have.
    ///   - isTrusted: whether it may grow and shrink without the limits of the ratio.
    init(_ encoding: MessageEncoding, limit: Int, isTrusted: Bool = false) throws(MessageEncoding.Failure) {
        // Sums with it must not overflow.
        self.limit = min(limit, Int(Int32.max))
        self.isTrusted = isTrusted
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, encoding.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .noMemory
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Memory of the inflation, bytes.
    var heldByteCount: Int { message.count + rest.count + Self.stateByteCount }

    /// Copies the input that is not read yet, because it is only lent.
    func keep(_ bytes: UnsafeRawBufferPointer) { rest = Array(bytes) }

    /// Continues with the kept input.
    func advance(by budget: Int) throws(MessageEncoding.Failure) -> Bool {
        try rest.withUnsafeBufferPointer { (rest) throws(MessageEncoding.Failure) in
            var input = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(rest)[restStart...])
            defer { restStart = rest.count - input.count }
            return try advance(&input, by: budget)
        }
    }

    /// Inflates `input` for at most `budget` of work, and removes the bytes that were read from `input`. True if the message is complete.
    func advance(_ input: inout UnsafeRawBufferPointer, by budget: Int) throws(MessageEncoding.Failure) -> Bool {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        let end = budget == .max ? Int.max : work + budget
        var used = 0
        defer {
            readByteCount += used
            input = UnsafeRawBufferPointer(rebasing: input[used...])
        }
        while work < end {
            let before = message.count
            // One byte over the limit distinguishes a message of exactly the limit from a longer one.
            let room = min(max(1024, input.count * 4, before), limit + 1 - before, end - work)
            guard room > 0 else { throw .oversized(limit: limit) }
            let offered = min(input.count - used, max(1, (end - work) / Self.inputWork))
            stream.pointee.avail_in = UInt32(offered)
            let result = try inflate(room)
            let read = offered - Int(stream.pointee.avail_in)
            used += read
            work += message.count - before + read * Self.inputWork
            if result == Z_STREAM_END { return try finish(hasMore: used < input.count) }
            guard result == Z_OK else { throw result == Z_MEM_ERROR ? MessageEncoding.Failure.noMemory : .malformed }
            try checkRatio(used)
        }
        return false
    }

    private func inflate(_ room: Int) throws(MessageEncoding.Failure) -> Int32 {
        let before = message.count
        guard message.tryReserve(room) else { throw .noMemory }
        stream.pointee.next_out = message.appendRoom(room).assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room)
        let result = CZlib.inflate(stream, Z_NO_FLUSH)
        message.truncate(to: before + room - Int(stream.pointee.avail_out))
        return result
    }

    private func finish(hasMore: Bool) throws(MessageEncoding.Failure) -> Bool {
        guard !hasMore else { throw .malformed }
        guard message.count <= limit else { throw .oversized(limit: limit) }
        return true
    }

    private func checkRatio(_ used: Int) throws(MessageEncoding.Failure) {
        guard !isTrusted else { return }
        let read = readByteCount + used
        guard (read - Self.paddingFreeByteCount) / Self.maximumPadding <= message.count else { throw .padded }
        guard message.count > Self.ratioFreeByteCount else { return }
        guard message.count / Self.maximumRatio <= read else { throw .bomb }
    }
}
