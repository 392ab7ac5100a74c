import CLinuxSockets
import Glibc

/// How the process's `malloc` treats large blocks.
enum ProcessMemory {
    /// Blocks above this come from `mmap` and go back to the kernel when they are freed, bytes.
    private static let mapThreshold: Int32 = 8 << 20
    /// Free memory at a heap's end above which it goes back, bytes.
    private static let trimThreshold: Int32 = 16 << 20

    /// Keeps the memory of large messages for the next ones, in this process, once.
    ///
    /// By glibc's defaults a message of 256 KiB is given back to the kernel after each call and taken anew, page by page, in the next: 500 µs of
    /// CPU a call instead of 80 (measured). What a burst of them has taken stays, 16 MiB a thread at most. A program that sets
    /// `MALLOC_TRIM_THRESHOLD_` or `MALLOC_MMAP_THRESHOLD_` itself has its way.
    static let keepsLargeBlocks: Bool = {
        guard getenv("MALLOC_TRIM_THRESHOLD_") == nil, getenv("MALLOC_MMAP_THRESHOLD_") == nil else { return false }
        return mallopt(M_MMAP_THRESHOLD, mapThreshold) == 1 && mallopt(M_TRIM_THRESHOLD, trimThreshold) == 1
    }()
}
