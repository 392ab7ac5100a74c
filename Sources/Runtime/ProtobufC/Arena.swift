import CProtobufC
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The memory of one decode or encode. It is allocated from front to back, and freed all at once.
///
/// The first KiB is on the stack, so a small message needs no `malloc`. (Swift puts a temporary allocation on the stack only
/// up to 1 KiB.) Later blocks double from 8 KiB to 1 MiB. One block of 8 KiB is kept for the next arena. The budget counts whole heap blocks, so it
/// limits the memory that the process really takes.
@usableFromInline
struct Arena {
    /// Why the arena gave no memory.
    @usableFromInline enum Failure { case overBudget, outOfMemory }

    @usableFromInline var next: UnsafeMutableRawPointer
    @usableFromInline var available: Int
    @usableFromInline var newestBlock: UnsafeMutableRawPointer?
    @usableFromInline var nextBlockSize = keptBlockSize
    @usableFromInline var remainingBudget: Int
    /// Set when the arena could not give memory. Check it before you use the result.
    @usableFromInline var failure: Failure?
    /// The stack that reading the message in the arena needs: see ``StackNeed``.
    @usableFromInline var stackNeed = 0
    private var largestStruct = 0
    private var deepestLevel = 0

    /// Every piece starts at a multiple of this; nothing in a protobuf-c struct needs more.
    private static let alignment = 8
    /// Room at the start of a block for the address of the block before it, and for its own size.
    private static let blockHeader = 16
    /// Bytes of the first heap block, and of the one that is kept between two arenas.
    @usableFromInline static var keptBlockSize: Int { 8 << 10 }
    /// The address of an unused block, or 0. It is kept, because glibc is slow with blocks of this size.
    private static let keptBlock = Atomic<UInt>(0)

    @inlinable
    init(firstBlock: UnsafeMutableRawBufferPointer, budget: Int) {
        // A temporary allocation of more than zero bytes always has an address.
        next = firstBlock.baseAddress.unsafelyUnwrapped
        available = firstBlock.count
        remainingBudget = budget
    }

    /// Runs `body` with an arena, and frees the arena afterwards.
    @inlinable
    static func withArena<Result: ~Copyable, Failure: Error>(
        budget: Int, _ body: (UnsafeMutablePointer<Arena>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { (block) throws(Failure) -> Result in
            var arena = Arena(firstBlock: block, budget: budget)
            defer { if arena.newestBlock != nil { arena.freeBlocks() } }
            return try withUnsafeMutablePointer(to: &arena, body)
        }
    }

    /// The bytes that were given out of heap blocks.
    @inlinable
    func usedHeapByteCount(ofBudget budget: Int) -> Int { newestBlock == nil ? 0 : budget - remainingBudget - available }

    /// `byteCount` bytes of uninitialised memory, or `nil` with ``failure`` set.
    mutating func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
        // No overflow is possible: each request is limited by an input or an array in memory.
        let rounded = (byteCount &+ (Self.alignment - 1)) & ~(Self.alignment - 1)
        guard rounded <= available || addBlock(for: rounded) else { return nil }
        defer {
            next += rounded
            available -= rounded
        }
        return next
    }

    /// Adds a struct to the stack need of a message that is not made from checked bytes. It counts all levels as if they had the largest size.
    mutating func noteLevel(_ level: Int, structSize: Int) {
        largestStruct = max(largestStruct, structSize)
        deepestLevel = max(deepestLevel, level)
        stackNeed = (deepestLevel + 1) * StackNeed.ofLevel(structSize: largestStruct)
    }

    private mutating func addBlock(for byteCount: Int) -> Bool {
        let needed = byteCount + Self.blockHeader
        guard needed <= remainingBudget else {
            failure = failure ?? .overBudget
            return false
        }
        let size = min(max(needed, nextBlockSize), remainingBudget)
        let kept = size == Self.keptBlockSize ? Self.keptBlock.exchange(0, ordering: .acquiring) : 0
        guard let block = UnsafeMutableRawPointer(bitPattern: kept) ?? malloc(size) else {
            failure = failure ?? .outOfMemory
            return false
        }
        block.storeBytes(of: newestBlock, as: UnsafeMutableRawPointer?.self)
        block.storeBytes(of: size, toByteOffset: 8, as: Int.self)
        newestBlock = block
        next = block + Self.blockHeader
        available = size - Self.blockHeader
        remainingBudget -= size
        nextBlockSize = min(nextBlockSize * 2, 1 << 20)
        return true
    }

    @usableFromInline
    mutating func freeBlocks() {
        while let block = newestBlock {
            newestBlock = block.load(as: UnsafeMutableRawPointer?.self)
            let size = block.load(fromByteOffset: 8, as: Int.self)
            guard size == Self.keptBlockSize else {
                free(block)
                continue
            }
            // The second block replaces the first. The ordering is also acquiring, because another thread may have written the other block.
            free(UnsafeMutableRawPointer(bitPattern: Self.keptBlock.exchange(UInt(bitPattern: block), ordering: .acquiringAndReleasing)))
        }
    }
}

extension UnsafeMutablePointer<Arena> {
    /// The allocator for protobuf-c. Its `free` does nothing, because the arena frees everything at its end.
    var allocator: ProtobufCAllocator {
        ProtobufCAllocator(
            alloc: { data, size in
                // protobuf-c passes back the pointer set below.
                data.unsafelyUnwrapped.assumingMemoryBound(to: Arena.self).pointee.allocate(byteCount: size)
            },
            free: { _, _ in },
            allocator_data: UnsafeMutableRawPointer(self))
    }

    /// Uninitialised room for `count` values, or `nil` with the arena's failure set.
    func allocate<Element>(_ type: Element.Type, count: Int) -> UnsafeMutablePointer<Element>? {
        pointee.allocate(byteCount: count * MemoryLayout<Element>.stride)?.bindMemory(to: type, capacity: count)
    }
}
