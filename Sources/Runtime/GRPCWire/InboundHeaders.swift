/// A received header block. It holds its fields.
final class InboundBlock {
    let fields: UnsafeBufferPointer<HTTP2Field>
    /// The index of `grpc-timeout` among the fields, if it is there. Its value differs from call to call and does not belong to the block.
    let timeoutIndex: Int?
    /// Its size as HTTP/2 counts it.
    let byteCount: Int
    /// The request head that the server has read from it.
    var requestHead: RequestHead?
    /// The index of the block that followed it the last time.
    fileprivate var next = 0

    /// - Parameter fields: held by the caller. They are released in the deinit.
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
/// A peer's calls are similar: the same methods, the same metadata. A block with the fields of an earlier one is not read again, which saves much
/// time. A new block is first compared with the one that followed the last block before.
struct InboundHeaders: ~Copyable {
    /// The number of known blocks. A peer with a few kinds of calls finds each of them again.
    static let capacity = 4
    /// The most fields, and the most bytes as HTTP/2 counts them, of a known block.
    static let maximumFieldCount = 24
    static let maximumByteCount = 4 << 10

    /// A complete block.
    struct Received {
        let block: InboundBlock
        /// Nanoseconds of its `grpc-timeout`. 0 if there is none, negative if it has passed.
        let timeout: Int64
        /// Whether there were more bytes than the limit. The block does not have the fields after it.
        let isOversized: Bool
    }

    /// Bytes of one block, as HTTP/2 counts them.
    let limit: Int
    private var known: [InboundBlock] = []
    /// The bytes of the known blocks. (Not a sum over them, because it is asked for after each read.)
    private var knownByteCount = 0
    /// The known block that is replaced next.
    private var oldest = 0
    /// The last block, if it is a known one.
    private var last = 0
    /// The known block that the present block equals so far.
    private var candidate = 0
    private var expected = UnsafeBufferPointer<HTTP2Field>(start: nil, count: 0)
    private var expectedTimeout = -1
    /// The number of equal fields. After the first difference, no more are compared.
    private var matched = 0
    private var isMatching = false
    /// The held fields of an unknown block, and their bytes.
    private var fields: [HTTP2Field] = []
    private var byteCount = 0
    private var timeoutIndex: Int?
    private var timeout: Int64 = 0
    /// Whether this block is ignored.
    private var isIgnored = false

    /// - Parameter limit: bytes of one block, as HTTP/2 counts them.
    init(limit: Int) { self.limit = limit }

    deinit { for field in fields { field.release() } }

    /// Bytes of the known blocks and of the one that is being received, as HTTP/2 counts them.
    var heldByteCount: Int { knownByteCount + (fields.isEmpty ? 0 : min(byteCount, limit)) }

    // MARK: A block

    mutating func begin(isWanted: Bool) {
        // Remove the fields of a block that was not completed.
        if !fields.isEmpty { drop() }
        isIgnored = !isWanted
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
        guard !isIgnored else { return }
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

    /// Whether the received fields are those of a known block.
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
            knownByteCount -= known[index].byteCount
            known[index] = block
        }
        knownByteCount += block.byteCount
        // Until another block follows, the same block is expected.
        block.next = index
        known[last].next = index
        last = index
    }

    // MARK: Other blocks

    private mutating func stopMatching() {
        isMatching = false
        // If the timeout has been read, only the place of its field counts here.
        let value = expectedTimeout >= 0 && matched > expectedTimeout ? timeout : nil
        for index in 0..<matched { append(expected[index]) }
        if let value { timeout = value }
    }

    private mutating func append(_ field: HTTP2Field) {
        byteCount += field.listByteCount
        guard byteCount <= limit else { return }
        // An invalid timeout is an ordinary field, so its block is a different one.
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
