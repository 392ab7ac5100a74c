import CLinuxSockets
import Glibc

/// How the process's `malloc` treats large blocks.
enum ProcessMemory {
    /// Blocks above this come from `mmap` and go back to the kernel when they are freed, bytes.
    private static let mapThreshold: Int32 = 8 << 20
    /// Free memory at the end of a heap above which it is returned to the kernel, bytes.
    private static let trimThreshold: Int32 = 16 << 20

    /// Keeps the memory of large messages for the next ones in this process. It is set once.
    ///
    /// By default, glibc returns the memory of a 256 KiB message to the kernel after each call, and the next call gets it back page by page, which is
    /// slow. With this setting a thread keeps at most 16 MiB of unused memory. A program that sets
    /// `MALLOC_TRIM_THRESHOLD_` or `MALLOC_MMAP_THRESHOLD_` overrides this.
    static let keepsLargeBlocks: Bool = {
        guard getenv("MALLOC_TRIM_THRESHOLD_") == nil, getenv("MALLOC_MMAP_THRESHOLD_") == nil else { return false }
        return mallopt(M_MMAP_THRESHOLD, mapThreshold) == 1 && mallopt(M_TRIM_THRESHOLD, trimThreshold) == 1
    }()
}
