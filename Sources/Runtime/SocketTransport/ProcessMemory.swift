import CLinuxSockets
import Dispatch
import Glibc

/// How `malloc` works in this process. The variables of the environment that `mallopt(3)` names win over these settings.
package enum ProcessMemory {
    /// Blocks above this come from `mmap` and go back to the kernel when they are freed, bytes.
    private static let mapThreshold: Int32 = 8 << 20
    /// Free memory at the end of a heap above which it is returned to the kernel, bytes.
    private static let trimThreshold: Int32 = 16 << 20
    /// Heaps: as many as loops. By default there are up to eight for each processor, and each keeps what its largest load had. An event loop moves
    /// between threads, and so between heaps. So one user's loads in turn could make the process several times as large as each of them.
    private static var heapCount: Int32 { Int32(EventLoop.localDefaultCount) }

    /// Sets `malloc` up, once. A program calls this before it starts threads, because a thread keeps its heap. The first event loop calls it too.
    package static func prepare() { _ = isPrepared }

    private static let isPrepared: Bool = {
        // glibc would return the memory of a 256 KiB message to the kernel after each call, and the next call would get it back page by page.
        if !isSet("MALLOC_TRIM_THRESHOLD_"), !isSet("MALLOC_MMAP_THRESHOLD_") {
            mallopt(M_MMAP_THRESHOLD, mapThreshold)
            mallopt(M_TRIM_THRESHOLD, trimThreshold)
        }
        if !isSet("MALLOC_ARENA_MAX") { mallopt(M_ARENA_MAX, heapCount) }
        // Small freed blocks are joined at once. Otherwise glibc joins all of them when it frees a large one, and this stops the thread for tens of
        // milliseconds after many calls have ended. Each thread still keeps a few blocks of each size for itself.
        mallopt(M_MXFAST, 0)
        return true
    }()

    private static func isSet(_ variable: String) -> Bool { getenv(variable) != nil }

    /// Runs a look at the memory on a background thread, which may give it back.
    package static func inASecond(_ look: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(1), execute: look)
    }

    /// The memory of the process that is in RAM, bytes; 0 if the kernel does not say. Any thread.
    package static var residentByteCount: Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = read(file, &text, text.count)
        // The second number is the resident pages (proc(5)).
        let numbers = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
        guard numbers.count > 1, let pages = Int(String(decoding: numbers[1], as: UTF8.self)) else { return 0 }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Gives the memory that `malloc` keeps for later back to the kernel. Other threads wait for a new block meanwhile (docs/performance.md), unless
    /// they have kept one of that size for themselves. Any thread.
    package static func giveBackFreed() { malloc_trim(0) }
}
