import WireBytes

/// Cuts a byte stream into frames, however it arrives, keeping only what is left of an unfinished one.
///
/// A frame that lies whole in the received bytes is read in place. A frame over the limit is discarded to the byte, without being stored,
/// so that the connection survives it.
struct FrameReader: ~Copyable {
    /// What the stream holds next.
    enum Frame {
        /// A frame; the bytes are valid until the next call on the reader.
        case complete(FrameHeader, UnsafeRawBufferPointer)
        /// The header of a frame whose data is over the limit; its data is skipped.
        case oversized(FrameHeader)
    }

    private let limit: Int
    /// The unfinished frame, its header included.
    private var partial = ByteBuffer()
    /// Bytes of an oversized frame that are still to come.
    private var discarding = 0
    /// Whether `partial` holds a finished frame that has been handed out and may now be forgotten.
    private var partialIsSpent = false
    /// There was no memory for a frame's first bytes, and with them the place is lost where the next one begins.
    private(set) var isLost = false
    /// Memory that is asked for as soon as a longer frame begins, bytes. Once as much has come there is room for all of it: who only announces a long
    /// frame gets none. (Pages are the process's from when they are filled on. A block that grows by steps leaves its earlier ones with the allocator.)
    private static let firstByteCount = 32 << 10

    init(limit: Int) { self.limit = limit }

    /// Whether a frame has begun whose end has not come.
    var isMidFrame: Bool { discarding > 0 || (partial.count > 0 && !partialIsSpent) }

    /// Bytes of a frame that is not whole, and of the memory that is kept for the next one.
    var heldByteCount: Int { partial.heldByteCount }

    /// Forgets the frame that is not whole, and passes over the rest of it when that comes; its header, or nil where none is there.
    mutating func dropPartial() -> FrameHeader? {
        guard !partialIsSpent, partial.count >= FrameHeader.byteCount, let start = partial.bytes.baseAddress else { return nil }
        let header = FrameHeader(reading: start)
        discarding = FrameHeader.byteCount + header.dataLength - partial.count
        partial.giveBack()
        return header
    }

    /// The next frame in `input`, which is shortened by what was used; nil when `input` is used up.
    @inline(__always)
    mutating func next(_ input: inout UnsafeRawBufferPointer) -> Frame? {
        if partialIsSpent {
            partial.removeAll()
            partialIsSpent = false
        }
        if discarding > 0 {
            let count = min(discarding, input.count)
            discarding -= count
            input = UnsafeRawBufferPointer(rebasing: input[count...])
            if discarding > 0 { return nil }
        }
        return partial.count > 0 ? continuePartial(&input) : readInPlace(&input)
    }

    @inline(__always)
    private mutating func readInPlace(_ input: inout UnsafeRawBufferPointer) -> Frame? {
        guard input.count >= FrameHeader.byteCount, let base = input.baseAddress else {
            keep(&input)
            return nil
        }
        let header = FrameHeader(reading: base)
        let rest = UnsafeRawBufferPointer(rebasing: input[FrameHeader.byteCount...])
        if header.dataLength > limit { return skip(header, rest, &input) }
        guard rest.count >= header.dataLength else {
            guard partial.tryReserve(Self.room(for: FrameHeader.byteCount + header.dataLength, having: input.count)) else {
                return skip(header, rest, &input)
            }
            keep(&input)
            return nil
        }
        input = UnsafeRawBufferPointer(rebasing: rest[header.dataLength...])
        return .complete(header, UnsafeRawBufferPointer(rebasing: rest[..<header.dataLength]))
    }

    private mutating func continuePartial(_ input: inout UnsafeRawBufferPointer) -> Frame? {
        guard fill(to: FrameHeader.byteCount, &input), partial.count >= FrameHeader.byteCount else { return nil }
        let header = FrameHeader(reading: partial.bytes.baseAddress!)
        if header.dataLength > limit {
            partial.removeAll()
            return skip(header, input, &input)
        }
        guard fill(to: FrameHeader.byteCount + header.dataLength, &input) else { return skipPartial(header, &input) }
        guard partial.count == FrameHeader.byteCount + header.dataLength else { return nil }
        partialIsSpent = true
        return .complete(header, UnsafeRawBufferPointer(rebasing: partial.bytes[FrameHeader.byteCount...]))
    }

    /// Memory for a frame of so many bytes, of which some have come.
    private static func room(for byteCount: Int, having arrived: Int) -> Int {
        arrived < firstByteCount ? min(byteCount, firstByteCount) : byteCount
    }

    private mutating func keep(_ input: inout UnsafeRawBufferPointer) {
        if partial.tryReserve(input.count) { partial.append(input) } else { isLost = true }
        input = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// False where there is no memory for it.
    private mutating func fill(to count: Int, _ input: inout UnsafeRawBufferPointer) -> Bool {
        let missing = min(max(count - partial.count, 0), input.count)
        guard missing > 0 else { return true }
        guard partial.tryReserve(Self.room(for: count, having: partial.count + missing) - partial.count) else { return false }
        partial.append(UnsafeRawBufferPointer(rebasing: input[..<missing]))
        input = UnsafeRawBufferPointer(rebasing: input[missing...])
        return true
    }

    /// Passes over the rest of a frame for which there is no memory.
    private mutating func skipPartial(_ header: FrameHeader, _ input: inout UnsafeRawBufferPointer) -> Frame {
        let missing = FrameHeader.byteCount + header.dataLength - partial.count
        partial.removeAll(keeping: 0)
        let count = min(missing, input.count)
        discarding = missing - count
        input = UnsafeRawBufferPointer(rebasing: input[count...])
        return .oversized(header)
    }

    private mutating func skip(
        _ header: FrameHeader, _ rest: UnsafeRawBufferPointer, _ input: inout UnsafeRawBufferPointer
    ) -> Frame {
        let count = min(header.dataLength, rest.count)
        discarding = header.dataLength - count
        input = UnsafeRawBufferPointer(rebasing: rest[count...])
        return .oversized(header)
    }
}
