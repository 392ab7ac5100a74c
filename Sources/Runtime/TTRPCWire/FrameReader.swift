import WireBytes

/// Cuts a byte stream into frames. It keeps only the bytes of an incomplete frame.
///
/// A frame that is complete in the received bytes is read in place. A frame over the limit is skipped without being stored,
/// so that the connection can continue.
struct FrameReader: ~Copyable {
    /// The next frame of the stream.
    enum Frame {
        /// A frame; the bytes are valid until the next call on the reader.
        case complete(FrameHeader, UnsafeRawBufferPointer)
        /// The header of a frame whose data is over the limit; its data is skipped.
        case oversized(FrameHeader)
    }

    private let limit: Int
    /// The incomplete frame, with its header.
    private var partial = ByteBuffer()
    /// Bytes of an oversized frame that are still to come.
    private var discarding = 0
    /// Whether `partial` has a complete frame that was already returned and may be removed.
    private var partialIsSpent = false
    /// Whether there was no memory for a frame's first bytes. The beginning of the next frame is then unknown.
    private(set) var isLost = false

    init(limit: Int) { self.limit = limit }

    /// Whether a frame has begun but is not complete.
    var isMidFrame: Bool { discarding > 0 || (partial.count > 0 && !partialIsSpent) }

    /// Memory of an incomplete frame, and memory that is kept for the next one, bytes.
    var heldByteCount: Int { partial.heldByteCount }

    /// Frees the incomplete frame and its memory. The reader reads nothing more.
    mutating func giveBack() { partial.giveBack() }

    /// Drops the incomplete frame, and skips the rest of it when that comes. Returns its header, or nil if there is no such frame.
    mutating func dropPartial() -> FrameHeader? {
        guard !partialIsSpent, partial.count >= FrameHeader.byteCount, let start = partial.bytes.baseAddress else { return nil }
        let header = FrameHeader(reading: start)
        discarding = FrameHeader.byteCount + header.dataLength - partial.count
        partial.giveBack()
        return header
    }

    /// The next frame in `input`; nil at the end of `input`. The used bytes are removed from `input`.
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
            if !input.isEmpty { keep(&input) }
            return nil
        }
        let header = FrameHeader(reading: base)
        let rest = UnsafeRawBufferPointer(rebasing: input[FrameHeader.byteCount...])
        if header.dataLength > limit { return skip(header, rest, &input) }
        guard rest.count >= header.dataLength else {
            guard partial.tryReserve(input.count, of: FrameHeader.byteCount + header.dataLength) else {
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

    private mutating func keep(_ input: inout UnsafeRawBufferPointer) {
        if partial.tryReserve(input.count) { partial.append(input) } else { isLost = true }
        input = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Fills the incomplete frame up to `count` bytes. False if there is no memory for it.
    private mutating func fill(to count: Int, _ input: inout UnsafeRawBufferPointer) -> Bool {
        let missing = min(max(count - partial.count, 0), input.count)
        guard missing > 0 else { return true }
        guard partial.tryReserve(missing, of: count) else { return false }
        partial.append(UnsafeRawBufferPointer(rebasing: input[..<missing]))
        input = UnsafeRawBufferPointer(rebasing: input[missing...])
        return true
    }

    /// Skips the rest of a frame for which there is no memory.
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
