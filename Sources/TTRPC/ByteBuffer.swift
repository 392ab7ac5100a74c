import Glibc

/// Growing memory for bytes on their way in or out: appended at the end, used up from the front.
struct ByteBuffer: ~Copyable {
    /// Memory that is kept when the buffer is empty, bytes at most; more is given back.
    private static let keptCapacity = 1 << 18

    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private var start = 0
    private var end = 0

    init() {}

    deinit { free(base) }

    var count: Int { end - start }

    /// The bytes, valid until the buffer is next changed.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base.map { UnsafeRawPointer($0 + start) }, count: count)
    }

    mutating func append(_ source: UnsafeRawBufferPointer) {
        guard let from = source.baseAddress, source.count > 0 else { return }
        appendRoom(source.count).copyMemory(from: from, byteCount: source.count)
    }

    /// Lengthens the buffer by `count` uninitialised bytes, which the caller fills before anything else.
    mutating func appendRoom(_ count: Int) -> UnsafeMutableRawPointer {
        reserve(count)
        let room = base! + end
        end += count
        return room
    }

    /// Makes sure that `count` more bytes fit without another allocation.
    mutating func reserve(_ count: Int) {
        if base != nil, capacity - end >= count { return }
        // Moved to the front only where at least as many bytes have been used up as are moved: otherwise a long queue, drained and
        // filled in small steps, would be moved as a whole at each of them.
        if let base, start > 0, start >= end - start {
            memmove(base, base + start, end - start)
            end -= start
            start = 0
            if capacity - end >= count { return }
        }
        let wanted = max(1024, max(capacity * 2, end + count))
        guard let grown = realloc(base, wanted) else { preconditionFailure("out of memory: \(wanted) bytes") }
        base = grown
        capacity = wanted
    }

    /// Forgets `count` bytes at the front.
    mutating func consume(_ count: Int) {
        start += count
        if start == end { removeAll() }
    }

    /// Cuts the buffer back to its first `count` bytes.
    mutating func truncate(to count: Int) { end = start + count }

    mutating func removeAll() {
        start = 0
        end = 0
        if capacity > Self.keptCapacity {
            free(base)
            base = nil
            capacity = 0
        }
    }
}
