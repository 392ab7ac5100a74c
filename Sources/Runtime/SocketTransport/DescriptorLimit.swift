import Glibc
import Synchronization

/// How many descriptors this process may have open (RLIMIT_NOFILE), and how many of them connections may take.
public enum DescriptorLimit {
    /// Descriptors that are reserved for other uses, such as the store's files. If half of all descriptors are fewer, half are reserved.
    public static let maximumReserve = 64

    /// Descriptors that are reserved besides, for the files of callers.
    private static let forFiles = Atomic(0)

    /// Reserves descriptors for files that callers have open, such as uploads, beside the 64 for other uses. Otherwise files and connections
    /// together could take all descriptors. Connections have at least half of all. Call it before the first connection is accepted.
    /// - Parameter count: how many files may be open at once.
    public static func reserve(forFiles count: Int) { forFiles.store(count, ordering: .relaxed) }

    /// Raises the soft limit to the hard one, if the system allows it. The lower limit exists for programs that use select(2), which this one does
    /// not.
    /// - Returns: the limit from now on.
    @discardableResult
    public static func raise() -> Int {
        var limit = rlimit()
        if getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            _ = setrlimit(resource, &limit)
        }
        makeRoom(duplicating: STDERR_FILENO)
        return current
    }

    /// Lets the kernel make the table of descriptors with its full length. Otherwise the kernel lengthens it while it accepts the 64th, 256th, 512th
    /// … connection. In a process with several threads that takes long (docs/performance.md), because it waits until no processor reads the old
    /// table.
    /// - Parameter descriptor: any that is open.
    static func makeRoom(duplicating descriptor: Int32) {
        let last = fcntl(descriptor, F_DUPFD_CLOEXEC, Int32(min(current, longestTable) - 1))
        if last >= 0 { close(last) }
    }

    /// Descriptors for which room is made at once: 128 KiB of the kernel's memory.
    static let longestTable = 16_384

    /// The soft limit now. It may be changed from outside (prlimit(1)).
    public static var current: Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// The number of reserved descriptors, for a limit of all descriptors.
    static func reserved(of limit: Int) -> Int { min(maximumReserve + forFiles.load(ordering: .relaxed), limit / 2) }

    /// Descriptors that all connections may take together.
    public static var forConnections: Int {
        let limit = current
        return limit - reserved(of: limit)
    }

    /// The number of connections from which descriptors are scarce, if connections may take `count`.
    static func scarce(of count: Int) -> Int { count - min(maximumReserve, count / 4) }

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}
