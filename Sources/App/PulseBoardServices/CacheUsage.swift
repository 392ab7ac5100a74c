/// How a part of the memory that spares the store is used.
public struct CacheUsage: Sendable, Hashable {
    /// What it holds, such as `profiles`.
    public let name: String
    /// Entries held now.
    public let entries: Int
    /// Most entries held.
    public let capacity: Int
    /// Look-ups since the start that found their entry.
    public let hits: UInt64
    /// Look-ups since the start that did not.
    public let misses: UInt64
}

extension ClockCache {
    func usage(_ name: String) -> CacheUsage {
        CacheUsage(name: name, entries: count, capacity: capacity, hits: hits, misses: misses)
    }
}
