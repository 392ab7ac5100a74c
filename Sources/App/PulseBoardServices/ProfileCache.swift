import PulseBoardDomain
import Synchronization

/// Profiles by user, read from the store once and then from memory until a write touches them.
///
/// The one cache of profiles: keyed by user (X2), filled only with what the store answered (X3), and cleared by sign-out,
/// withdrawal and every write of the profile. Its server-side lifetime spans sessions; it is right to share it among
/// callers because every write of a profile goes through `ProfileService`, or is heard of (``Freshness``).
final class ProfileCache: Sendable {
    private let users: any UserRepository
    private let cache: BoundedCache<UserID, CachedProfile>

    private let freshness: Freshness

    init(users: any UserRepository, capacity: Int, freshness: Freshness = Freshness()) {
        self.users = users
        self.freshness = freshness
        cache = BoundedCache(capacity: capacity)
    }

    /// The profile of a user; does not suspend when it is in memory. It is the same for every viewer, so one is kept for all.
    /// - Throws: `userNotFound`.
    func profile(of id: UserID, viewer: UserID, _ consistency: Consistency) async throws(RepositoryError) -> Profile {
        if let cached = cached(of: id, consistency) { return cached.profile }
        let ticket = cache.ticket(), mark = freshness.mark
        let profile = try await users.profile(of: id, viewer: viewer)
        cache.fill(CachedProfile(profile, mark), for: id, ticket: ticket)
        return profile
    }

    var usage: CacheUsage { cache.usage("profiles") }

    /// The profile of a user, if it is in memory.
    func cached(of id: UserID, _ consistency: Consistency) -> CachedProfile? {
        guard let cached = cache.value(for: id), freshness.admits(id, cached.mark, consistency) else { return nil }
        return cached
    }

    /// Forgets what is known about a user.
    func forget(_ id: UserID) { cache.invalidate(id) }

    /// A user's profile is about to be written. Until the write ends, the store answers everybody who asks for it.
    func beginWrite(of id: UserID) { cache.beginWrite(id) }

    /// A write that has begun was acknowledged, or failed.
    func endWrite(of id: UserID) { cache.endWrite(id) }
}

/// A profile that is in memory, and with it the form in which it is sent, once somebody has asked for that.
///
/// It shows the profile as it was when it was found: a write puts another in its place and leaves this one as it is.
public final class CachedProfile: Sendable {
    public let profile: Profile
    /// When it was asked for.
    fileprivate let mark: Freshness.Mark
    private let encoded = Mutex<[UInt8]?>(nil)

    init(_ profile: Profile, _ mark: Freshness.Mark) {
        self.profile = profile
        self.mark = mark
    }

    /// The profile's bytes as `encode` gives them, which is called the first time only: all who ask mean the same encoding.
    public func encoded<Failure>(by encode: (Profile) throws(Failure) -> [UInt8]) throws(Failure) -> [UInt8] {
        if let known = encoded.withLock({ $0 }) { return known }
        // Outside of the lock: two who ask at once make the same.
        let bytes = try encode(profile)
        encoded.withLock { $0 = bytes }
        return bytes
    }
}
