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
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return current }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
        return current
    }

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

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}
