import SocketTransport
import Synchronization

/// The memory that the server holds for all users. After a load it makes `malloc` give the freed memory back to the kernel. Any thread.
///
/// `malloc` keeps freed memory for later. That is right while a load goes on, because the next calls need it. When the load is over, the process
/// would keep the memory of its largest load for good.
final class HeldMemory: Sendable {
    /// The sum from which on a load is noted, bytes.
    static let load = 64 << 20
    /// The looks in a row that must find less than ``load`` before memory is given back. While it is given back, other threads wait for
    /// memory, up to twenty milliseconds. So this is not done between two loads that follow each other.
    static let calmLooks = 5

    private let sum = Atomic<Int>(0)
    /// Whether looks are due.
    private let isLooking = Atomic<Bool>(false)
    /// Whether there was a load since the last look.
    private let wasHigh = Atomic<Bool>(false)
    /// Looks in a row without a load.
    private let calm = Atomic<Int>(0)
    private let later: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let giveBack: @Sendable () -> Void

    /// - Parameters:
    ///   - later: runs a look at the sum after a second, off the loops. There are looks from the beginning of a load until memory was given back.
    ///   - giveBack: gives freed memory back to the kernel.
    init(
        later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { ProcessMemory.inASecond($0) },
        giveBack: @escaping @Sendable () -> Void = { ProcessMemory.giveBackFreed() }
    ) {
        self.later = later
        self.giveBack = giveBack
    }

    /// Bytes, as they are now.
    var byteCount: Int { sum.load(ordering: .relaxed) }

    /// Adds bytes; negative numbers subtract.
    /// - Returns: the new sum.
    func add(_ byteCount: Int) -> Int {
        let now = sum.wrappingAdd(byteCount, ordering: .relaxed).newValue
        if now >= Self.load { isHigh() }
        return now
    }

    private func isHigh() {
        wasHigh.store(true, ordering: .relaxed)
        guard !isLooking.load(ordering: .relaxed), !isLooking.exchange(true, ordering: .relaxed) else { return }
        later { self.look() }
    }

    private func look() {
        let looks = wasHigh.exchange(byteCount >= Self.load, ordering: .relaxed) ? 0 : calm.load(ordering: .relaxed) + 1
        calm.store(looks, ordering: .relaxed)
        guard looks >= Self.calmLooks else { return later { self.look() } }
        giveBack()
        isLooking.store(false, ordering: .sequentiallyConsistent)
        // A load that came meanwhile has not begun to look.
        if wasHigh.load(ordering: .sequentiallyConsistent) { isHigh() }
    }
}
