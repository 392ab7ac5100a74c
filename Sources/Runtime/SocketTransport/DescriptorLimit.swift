import Glibc

/// How many descriptors this process may have open (RLIMIT_NOFILE), and how many of them connections may not take.
public enum DescriptorLimit {
    /// Descriptors that connections leave to everything else, the store's files among it. A process that may open fewer than twice as many leaves half.
    public static let mostReserved = 64

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

    /// Has the kernel make the table of descriptors as long as it may become. In a process of several threads it takes up to 16 ms to lengthen it (it
    /// waits until no processor reads the old one), and otherwise does that in the middle of accepting the 64th, 256th, 512th … connection.
    /// - Parameter descriptor: any that is open.
    static func makeRoom(duplicating descriptor: Int32) {
        let last = fcntl(descriptor, F_DUPFD_CLOEXEC, Int32(min(current, longestTable) - 1))
        if last >= 0 { close(last) }
    }

    /// Descriptors for which room is made at once: 128 KiB of the kernel's memory.
    private static let longestTable = 16_384

    /// The soft limit now. It may be changed from outside (prlimit(1)).
    public static var current: Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Descriptors that connections leave to everything else, of so many.
    static func reserve(of limit: Int) -> Int { min(mostReserved, limit / 2) }

    /// Descriptors that all connections may take together.
    public static var forConnections: Int {
        let limit = current
        return limit - reserve(of: limit)
    }

    /// Of so many descriptors for connections, the number from which on they are scarce.
    static func scarce(of count: Int) -> Int { count - min(mostReserved, count / 4) }

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}
