import PulseBoardDomain
import Synchronization

/// A cache of profiles by user. A profile is read from the store once, and then from memory until it is written.
///
/// It is the only cache of profiles. Its key is the user (X2), it holds only what the store returned (X3), and sign-out,
/// withdrawal and every write remove the profile. All callers can share it, because every write of a profile goes through
/// `ProfileService` or is announced by another server (``Freshness``).
final class ProfileCache: Sendable {
    private let users: any ProfileRepository
    private let cache: BoundedCache<UserID, CachedProfile>

    private let freshness: Freshness

    init(users: any ProfileRepository, capacity: Int, freshness: Freshness = Freshness()) {
        self.users = users
        self.freshness = freshness
        cache = BoundedCache(capacity: capacity)
    }

    /// The profile of a user. Does not suspend when it is in memory. It is the same for every viewer, so one copy serves all.
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

    /// Forgets the profile of a user.
    func forget(_ id: UserID) { cache.invalidate(id) }

    /// Begins a write of a user's profile. Until it ends, every read of the profile goes to the store.
    func beginWrite(of id: UserID) { cache.beginWrite(id) }

    /// Ends a write: it was acknowledged, or it failed.
    func endWrite(of id: UserID) { cache.endWrite(id) }
}

/// A profile in memory. It keeps its encoded bytes in two forms, each made when somebody first asks for it.
///
/// The profile never changes: a write replaces it by another object.
public final class CachedProfile: Sendable {
    public let profile: Profile
    /// When the store was asked for it.
    fileprivate let mark: Freshness.Mark
    private let encoded = Mutex<[UInt8]?>(nil)
    private let encodedUpdate = Mutex<[UInt8]?>(nil)

    init(_ profile: Profile, _ mark: Freshness.Mark) {
        self.profile = profile
        self.mark = mark
    }

    /// The encoded profile. `encode` is called only the first time, so every caller must pass the same encoding.
    public func encoded<Failure>(by encode: (Profile) throws(Failure) -> [UInt8]) throws(Failure) -> [UInt8] {
        try Self.known(encoded, profile, encode)
    }

    /// The same for the message of a watch. Thousands may watch one profile.
    public func encodedUpdate<Failure>(by encode: (Profile) throws(Failure) -> [UInt8]) throws(Failure) -> [UInt8] {
        try Self.known(encodedUpdate, profile, encode)
    }

    private static func known<Failure>(
        _ encoded: borrowing Mutex<[UInt8]?>, _ profile: Profile, _ encode: (Profile) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8] {
        if let known = encoded.withLock({ $0 }) { return known }
        // Encode outside the lock. Two callers at once make the same bytes.
        let bytes = try encode(profile)
        encoded.withLock { $0 = bytes }
        return bytes
    }
}
