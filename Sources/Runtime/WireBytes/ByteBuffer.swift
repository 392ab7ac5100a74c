import Glibc

/// A growing buffer for input or output bytes. Bytes are appended at the end and removed from the front.
///
/// (Public, like everything in this module that is inlined, because the compiler inlines no `package` function of another module. No product exports
/// the module.)
public struct ByteBuffer: ~Copyable {
    /// The most memory that an empty buffer keeps, bytes. It frees the rest. A connection has two such buffers, and their memory is counted.
    @usableFromInline static var keptCapacity: Int { 1 << 16 }
    /// The least memory that ``giveBack()`` returns to the kernel, bytes.
    private static var smallestReturn: Int { 1 << 14 }

    @usableFromInline var base: UnsafeMutableRawPointer?
    @usableFromInline var capacity = 0
    @usableFromInline var start = 0
    @usableFromInline var end = 0

    /// An empty buffer. It allocates no memory.
    @inlinable public init() {}

    @inlinable deinit {
        if capacity > Self.keptCapacity { returnPages() }
        free(base)
    }

    /// Bytes that wait to be used.
    @inlinable public var count: Int { end - start }

    /// Whether it has memory, with or without bytes in it.
    @inlinable public var hasRoom: Bool { base != nil }

    /// The bytes, valid until the buffer is next changed.
    @inlinable public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base.map { UnsafeRawPointer($0 + start) }, count: count)
    }

    /// The memory of the buffer, bytes. For a small buffer only its bytes count. For a large buffer, which may be allocated long before it is filled,
    /// the part that has been filled counts.
    @inlinable public var heldByteCount: Int { capacity <= Self.smallCapacity ? count : max(end, min(capacity, Self.keptCapacity)) }
    @usableFromInline static var smallCapacity: Int { 1 << 12 }

    /// Appends a copy of these bytes.
    @inlinable public mutating func append(_ source: UnsafeRawBufferPointer) {
        guard let from = source.baseAddress, source.count > 0 else { return }
        appendRoom(source.count).copyMemory(from: from, byteCount: source.count)
    }

    /// Lengthens the buffer by `count` uninitialised bytes, which the caller fills before anything else.
    @inlinable @inline(__always) public mutating func appendRoom(_ count: Int) -> UnsafeMutableRawPointer {
        reserve(count)
        let room = base! + end
        end += count
        return room
    }

    /// Makes sure that `count` more bytes fit without another allocation.
    @inlinable @inline(__always) public mutating func reserve(_ count: Int) {
        if base == nil || capacity - end < count { makeRoomOrStop(count) }
    }

    @usableFromInline @inline(never) mutating func makeRoomOrStop(_ count: Int) {
        guard makeRoom(count) else { preconditionFailure("out of memory: \(count) bytes") }
    }

    /// Makes room for `count` more bytes. False if there is no memory for them; then nothing has changed. Used for sizes that a peer chooses: the
    /// peer's call or connection ends, and the process continues.
    @inlinable public mutating func tryReserve(_ count: Int) -> Bool {
        base != nil && capacity - end >= count || makeRoom(count)
    }

    /// Makes room for the next `count` bytes of a message of `whole` bytes, of which the buffer has the beginning. False as for ``tryReserve(_:)``.
    ///
    /// Once ``firstByteCount`` bytes have arrived, the whole message gets its room. So a long message moves once, and leaves no used blocks of half
    /// its length behind. Before that it gets little, because a peer may announce much and send nothing. Room that is not filled takes no memory.
    public mutating func tryReserve(_ count: Int, of whole: Int) -> Bool {
        let arrived = self.count + count
        return tryReserve((arrived < Self.firstByteCount ? min(whole, Self.firstByteCount) : whole) - self.count)
    }

    /// The bytes of a message that must arrive before it gets room for all of them.
    private static var firstByteCount: Int { 32 << 10 }

    /// Moves the bytes to the front, or all of them to more memory.
    @usableFromInline mutating func makeRoom(_ count: Int) -> Bool {
        // Bytes move to the front only if at least as many have been used up. Otherwise a long queue that is drained in small steps would move as a
        // whole at each step.
        if let base, start > 0, start >= end - start {
            memmove(base, base + start, end - start)
            end -= start
            start = 0
            if capacity - end >= count { return true }
        }
        let wanted = max(1024, max(capacity * 2, end + count))
        guard wanted <= Self.keptCapacity || wanted <= AllocationLimit.byteCount, let grown = realloc(base, wanted) else { return false }
        base = grown
        capacity = wanted
        return true
    }

    /// Removes `count` bytes at the front. The buffer must have at least so many.
    @inlinable public mutating func consume(_ count: Int) {
        start += count
        if start == end { removeAll() }
    }

    /// Shortens the buffer to its first `count` bytes. The buffer must have at least so many.
    @inlinable public mutating func truncate(to count: Int) { end = start + count }

    /// Removes all bytes and returns a large block to the kernel. `free` alone would keep it for the next block. That is right for a message that was
    /// handled, and wrong for one that is dropped because memory is short. A buffer that ends with its connection does the same.
    public mutating func giveBack() {
        if capacity >= Self.smallestReturn { returnPages() }
        removeAll(keeping: 0)
    }

    /// Returns the block's whole pages to the kernel; what they held is lost.
    @usableFromInline func returnPages() {
        guard let base else { return }
        let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
        let first = (UInt(bitPattern: base) + page - 1) / page * page
        let last = (UInt(bitPattern: base) + UInt(capacity)) / page * page
        if last > first { madvise(UnsafeMutableRawPointer(bitPattern: first), Int(last - first), MADV_DONTNEED) }
    }

    /// Removes all bytes, and keeps at most `byteCount` bytes of memory.
    @inlinable public mutating func removeAll(keeping byteCount: Int) {
        start = 0
        end = 0
        if capacity > byteCount {
            free(base)
            base = nil
            capacity = 0
        }
    }

    /// Forgets all bytes.
    @inlinable public mutating func removeAll() { removeAll(keeping: Self.keptCapacity) }
}

/// The largest block that a ``ByteBuffer`` may ask for in the current task. A test sets it to see what happens without memory. Only blocks above 256
/// KiB are checked, so calls pay nothing.
package enum AllocationLimit {
    @TaskLocal package static var byteCount = Int.max
}
