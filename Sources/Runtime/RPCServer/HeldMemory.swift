import SocketTransport
import Synchronization

/// The memory that the server holds for all users. After a load it makes `malloc` give the freed memory back to the kernel. Any thread.
///
/// `malloc` keeps freed memory for later. That is right while a load goes on, because the next calls need it. When the load is over, the process
/// would keep the memory of its largest load for good.
///
/// The sum says when a load is over. It does not say how much there is to give back, because much of a load's memory is not in it, for example what
/// the store and the tasks use. The resident memory says that.
final class HeldMemory: Sendable {
    /// The change of the sum since the last look that shows a load, bytes.
    static let change = 4 << 20
    /// The looks in a row that must find no load before memory is given back. While it is given back, other threads wait for memory
    /// (docs/performance.md). So this is not done between two loads that follow each other.
    static let calmLooks = 5
    /// The growth of the resident memory, without the sum, from which on it is worth giving some back, bytes.
    static let surplus = 48 << 20

    private let sum = Atomic<Int>(0)
    /// The sum at the last look.
    private let seen = Atomic<Int>(0)
    /// Whether looks are due.
    private let isLooking = Atomic<Bool>(false)
    /// Whether there was a load since the last look.
    private let hasChanged = Atomic<Bool>(false)
    /// Looks in a row without a load.
    private let calm = Atomic<Int>(0)
    /// The least resident memory without the sum, bytes. More could not be given back.
    private let least: Atomic<Int>
    private let later: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let resident: @Sendable () -> Int
    private let giveBack: @Sendable () -> Void

    /// - Parameters:
    ///   - later: runs a look after a second, off the loops. There are looks from the beginning of a load until it has been over for some seconds.
    ///   - resident: the resident memory of the process, bytes.
    ///   - giveBack: gives freed memory back to the kernel.
    init(
        later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { ProcessMemory.inASecond($0) },
        resident: @escaping @Sendable () -> Int = { ProcessMemory.residentByteCount },
        giveBack: @escaping @Sendable () -> Void = { ProcessMemory.giveBackFreed() }
    ) {
        self.later = later
        self.resident = resident
        self.giveBack = giveBack
        least = Atomic(resident())
    }

    /// Bytes, as they are now.
    var byteCount: Int { sum.load(ordering: .relaxed) }

    /// Adds bytes; negative numbers subtract.
    /// - Returns: the new sum.
    func add(_ byteCount: Int) -> Int {
        let now = sum.wrappingAdd(byteCount, ordering: .relaxed).newValue
        if abs(now - seen.load(ordering: .relaxed)) >= Self.change { changed() }
        return now
    }

    private func changed() {
        hasChanged.store(true, ordering: .relaxed)
        guard !isLooking.load(ordering: .relaxed), !isLooking.exchange(true, ordering: .relaxed) else { return }
        later { self.look() }
    }

    private func look() {
        let now = byteCount
        let isLoad = hasChanged.exchange(false, ordering: .relaxed) || abs(now - seen.load(ordering: .relaxed)) >= Self.change
        seen.store(now, ordering: .relaxed)
        let looks = isLoad ? 0 : calm.load(ordering: .relaxed) + 1
        calm.store(looks, ordering: .relaxed)
        guard looks >= Self.calmLooks else { return later { self.look() } }
        calm.store(0, ordering: .relaxed)
        loadIsOver()
        isLooking.store(false, ordering: .sequentiallyConsistent)
        // A load that came meanwhile has not begun to look.
        if hasChanged.load(ordering: .sequentiallyConsistent) { changed() }
    }

    private func loadIsOver() {
        if resident() - byteCount >= least.load(ordering: .relaxed) + Self.surplus {
            giveBack()
            least.store(resident() - byteCount, ordering: .relaxed)
        } else {
            least.min(resident() - byteCount, ordering: .relaxed)
        }
    }
}
