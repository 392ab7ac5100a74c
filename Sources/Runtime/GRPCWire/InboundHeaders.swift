/// A header block that was received; its fields are held as long as it is there.
final class InboundBlock {
    let fields: UnsafeBufferPointer<HTTP2Field>
    /// The index of `grpc-timeout` among them, if it is there. Its value differs from call to call and does not belong to the block.
    let timeoutIndex: Int?
    /// Its size as HTTP/2 counts it.
    let byteCount: Int
    /// What the server's side has read in it.
    var requestHead: RequestHead?
    /// The block that came after it last.
    fileprivate var next = 0

    /// - Parameter fields: their maker holds them. They are released here.
    fileprivate init(_ fields: [HTTP2Field], timeoutIndex: Int?, byteCount: Int) {
        self.byteCount = byteCount
        let copy = UnsafeMutableBufferPointer<HTTP2Field>.allocate(capacity: fields.count)
        _ = copy.initialize(from: fields)
        self.fields = UnsafeBufferPointer(copy)
        self.timeoutIndex = timeoutIndex
    }

    deinit {
        for field in fields { field.release() }
        fields.deallocate()
    }
}

/// Receives header blocks, and recognizes the last few.
///
/// A peer's calls are similar: the same methods, the same metadata. A block with the fields of an earlier one is not read again; reading it was a
/// quarter of a call. A new block is compared with the one that followed the last block the time before.
struct InboundHeaders: ~Copyable {
    /// Blocks that are known: a peer that says a few things in turn finds each again.
    private static let capacity = 4
    /// Fields, and bytes as HTTP/2 counts them, that a known block has at most.
    private static let maximumFieldCount = 24
    private static let maximumByteCount = 4 << 10

    /// A block that is complete.
    struct Received {
        let block: InboundBlock
        /// Nanoseconds of its `grpc-timeout`. 0 if there is none, negative if it has passed.
        let timeout: Int64
        /// There were more bytes than the limit. The block lacks what came after it.
        let isOversized: Bool
    }

    private let limit: Int
    private var known: [InboundBlock] = []
    /// The one that is forgotten next.
    private var oldest = 0
    /// The last block, if it is a known one.
    private var last = 0
    /// The one that the block being received is like so far.
    private var candidate = 0
    private var expected = UnsafeBufferPointer<HTTP2Field>(start: nil, count: 0)
    private var expectedTimeout = -1
    /// Fields that were as expected; no more are compared once one was not.
    private var matched = 0
    private var isMatching = false
    /// The fields of an unexpected block, held, and their bytes.
    private var fields: [HTTP2Field] = []
    private var byteCount = 0
    private var timeoutIndex: Int?
    private var timeout: Int64 = 0
    /// Nothing is wanted of this block.
    private var isPassedOver = false

    /// - Parameter limit: bytes of one block, as HTTP/2 counts them.
    init(limit: Int) { self.limit = limit }

    deinit { for field in fields { field.release() } }

    /// Bytes of the block that is being received, as HTTP/2 counts them.
    var heldByteCount: Int { fields.isEmpty ? 0 : min(byteCount, limit) }

    // MARK: A block

    mutating func begin(isWanted: Bool) {
        // One that was broken off has left something.
        if !fields.isEmpty { drop() }
        isPassedOver = !isWanted
        matched = 0
        byteCount = 0
        timeoutIndex = nil
        timeout = 0
        isMatching = !known.isEmpty
        guard isMatching else { return }
        candidate = known[last].next
        expected = known[candidate].fields
        expectedTimeout = known[candidate].timeoutIndex ?? -1
    }

    mutating func take(_ field: HTTP2Field) {
        guard !isPassedOver else { return }
        if isMatching {
            if matched < expected.count, matches(field) {
                matched += 1
                return
            }
            stopMatching()
        }
        append(field)
    }

    mutating func end() -> Received {
        if isMatching, matched == expected.count { return received(candidate) }
        if isMatching { stopMatching() }
        let isOversized = byteCount > limit
        if !isOversized, let again = known.firstIndex(where: { isSame($0) }) {
            drop()
            return received(again)
        }
        let block = InboundBlock(fields, timeoutIndex: timeoutIndex, byteCount: min(byteCount, limit))
        if fields.count <= Self.maximumFieldCount, byteCount <= min(Self.maximumByteCount, limit) { remember(block) }
        fields.removeAll()
        return Received(block: block, timeout: timeout, isOversized: isOversized)
    }

    // MARK: Known blocks

    private mutating func matches(_ field: HTTP2Field) -> Bool {
        guard matched == expectedTimeout else { return expected[matched].isSame(as: field) }
        guard expected[matched].hasSameName(as: field), let value = Timeout.ofCall(field.value) else { return false }
        timeout = value
        return true
    }

    private mutating func received(_ index: Int) -> Received {
        known[last].next = index
        last = index
        return Received(block: known[index], timeout: timeout, isOversized: false)
    }

    /// Whether the fields that were received are a known block's.
    private func isSame(_ block: InboundBlock) -> Bool {
        block.fields.count == fields.count && block.timeoutIndex == timeoutIndex
            && fields.indices.allSatisfy { $0 == timeoutIndex || block.fields[$0].isSame(as: fields[$0]) }
    }

    private mutating func remember(_ block: InboundBlock) {
        var index = known.count
        if index < Self.capacity {
            known.append(block)
        } else {
            index = oldest
            oldest = (oldest + 1) % Self.capacity
            known[index] = block
        }
        // Until something else follows it, it is expected again.
        block.next = index
        known[last].next = index
        last = index
    }

    // MARK: Other blocks

    private mutating func stopMatching() {
        isMatching = false
        // The timeout has been read; here its field is only a place.
        let value = timeout
        for index in 0..<matched { append(expected[index]) }
        if timeoutIndex != nil { timeout = value }
    }

    private mutating func append(_ field: HTTP2Field) {
        byteCount += field.name.count + field.value.count + HeaderBlock.fieldOverhead
        guard byteCount <= limit else { return }
        // One that cannot be read is a field like any other, and makes its block another one.
        if HeaderName.equal(field.name, "grpc-timeout"), let value = Timeout.ofCall(field.value) {
            timeoutIndex = fields.count
            timeout = value
        }
        field.hold()
        fields.append(field)
    }

    private mutating func drop() {
        for field in fields { field.release() }
        fields.removeAll(keepingCapacity: true)
    }
}
