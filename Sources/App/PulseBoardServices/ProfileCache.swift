import PulseBoardDomain
import Synchronization

/// A cache of profiles by user, with a maximum size. A profile is read from the store once, and then from memory until it is written.
///
/// It is the only cache of profiles. It exists only in memory (B3). Its key is the user (X2): a username leads only to the entry of its user. It
/// holds only what the store returned (X3). Sign-out, withdrawal and every write remove the profile. A profile is not kept while it is being
/// written, or if it was requested before such a write ended. All callers can share it, because every write of a profile goes through
/// `ProfileService` or is announced by another server (``Freshness``). Many threads use it under one lock, which is held only briefly.
///
/// A username is remembered when a profile was read by it, because only that read shows that the user owns the name. On a store that several
/// servers share (``SharedStore``) no username is remembered. There, another server may give the name to somebody else, and nothing tells this
/// server which name that was.
final class ProfileCache: Sendable {
    /// Proof of when a read of the store began.
    struct Ticket: Sendable {
        fileprivate let writes: WriteFence<UserID>.Ticket
        fileprivate let mark: Freshness.Mark
    }

    private struct State {
        var profiles: ClockCache<UserID, CachedProfile>
        /// The users of usernames, by `Username.key`. Each is in `profiles`, with that name.
        var idsByName: [String: UserID] = [:]
        var writes = WriteFence<UserID>()

        /// Forgets the username of a profile that was removed from `profiles`.
        mutating func forgetName(of removed: CachedProfile?) {
            guard let profile = removed?.profile, idsByName[profile.username.key] == profile.id else { return }
            idsByName[profile.username.key] = nil
        }
    }

    private let users: any ProfileRepository
    private let freshness: Freshness
    private let state: Mutex<State>

    init(users: any ProfileRepository, capacity: Int, freshness: Freshness = Freshness()) {
        self.users = users
        self.freshness = freshness
        state = Mutex(State(profiles: ClockCache(capacity: capacity)))
    }

    var usage: CacheUsage { state.withLock { $0.profiles.usage("profiles") } }

    /// The profile of a user. Does not suspend when it is in memory. It is the same for every viewer, so one copy serves all.
    /// - Throws: `userNotFound`.
    func profile(of id: UserID, viewer: UserID, _ consistency: Consistency) async throws(RepositoryError) -> Profile {
        if let cached = cached(of: id, consistency) { return cached.profile }
        let ticket = ticket()
        let profile = try await users.profile(of: id, viewer: viewer)
        fill(profile, ticket: ticket)
        return profile
    }

    /// The profile with a username's key. Does not suspend when it is in memory.
    /// - Throws: `userNotFound`.
    func profile(usernameKey: String, viewer: UserID) async throws(RepositoryError) -> Profile {
        guard remembersUsernames else { return try await users.profile(usernameKey: usernameKey, viewer: viewer) }
        if let cached = cached(usernameKey: usernameKey) { return cached.profile }
        let ticket = ticket()
        let profile = try await users.profile(usernameKey: usernameKey, viewer: viewer)
        fill(profile, foundBy: usernameKey, ticket: ticket)
        return profile
    }

    /// Whether a profile can be found in memory by its username.
    var remembersUsernames: Bool { freshness.isExclusive }

    /// The profile of a user, if it is in memory.
    func cached(of id: UserID, _ consistency: Consistency) -> CachedProfile? {
        state.withLock { state in
            guard let cached = state.profiles.value(for: id), freshness.admits(id, cached.mark, consistency) else { return nil }
            state.profiles.countHit()
            return cached
        }
    }

    /// The profile with a username's key, if it is in memory and was read by that name.
    func cached(usernameKey: String) -> CachedProfile? {
        state.withLock { state in
            guard let id = state.idsByName[usernameKey], let cached = state.profiles.value(for: id) else { return nil }
            state.profiles.countHit()
            return cached
        }
    }

    /// Returns a ticket. Take it before you ask the store. It counts a miss.
    func ticket() -> Ticket {
        let mark = freshness.mark
        return state.withLock { state in
            state.profiles.countMiss()
            return Ticket(writes: state.writes.ticket, mark: mark)
        }
    }

    /// Keeps a profile from the store, unless it is being written or was written since the ticket.
    /// - Parameter usernameKey: the name by which the store found it, if it was asked by name.
    func fill(_ profile: Profile, foundBy usernameKey: String? = nil, ticket: Ticket) {
        state.withLock { state in
            guard state.writes.admits(profile.id, ticket.writes) else { return }
            state.forgetName(of: state.profiles.remove(profile.id))
            state.forgetName(of: state.profiles.insert(CachedProfile(profile, ticket.mark), for: profile.id))
            if usernameKey == profile.username.key { state.idsByName[profile.username.key] = profile.id }
        }
    }

    /// The present number of usernames.
    var usernameCount: Int { state.withLock { $0.idsByName.count } }

    /// Begins a write of a user's profile. Until it ends, every read of the profile goes to the store. Call it before the write is queued.
    func beginWrite(of id: UserID) {
        state.withLock { state in
            state.writes.begin(id)
            state.forgetName(of: state.profiles.remove(id))
        }
    }

    /// Ends a write: it was acknowledged, or it failed.
    func endWrite(of id: UserID) { state.withLock { $0.writes.end(id) } }

    /// Forgets the profile of a user, and refuses one with an earlier ticket.
    func forget(_ id: UserID) {
        beginWrite(of: id)
        endWrite(of: id)
    }
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
