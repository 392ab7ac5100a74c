import PulseBoardDomain
import Synchronization

/// A cache of profiles by user, with a maximum size. A profile is read from the store once, and then from memory until it is written.
///
/// It is the only cache of profiles. It exists only in memory (B3). Its key is the user (X2), and it holds only what the store returned (X3).
/// Sign-out, withdrawal and every write remove the profile. A profile is not kept while it is being written, or if it was requested before such a
/// write ended. All callers can share it, because every write of a profile goes through `ProfileService` or is announced by another server
/// (``Freshness``). Many threads use it under one lock, which is held only briefly.
///
/// A cached profile is also found by its username, but only while no other server uses the store. Otherwise another server could give the name to
/// somebody else, and this server would notice that a moment after the new owner's next call here.
final class ProfileCache: Sendable {
    /// Proof of when a read of the store began.
    struct Ticket: Sendable {
        fileprivate let writes: WriteFence<UserID>.Ticket
        fileprivate let mark: Freshness.Mark
    }

    private struct State {
        var profiles: ClockCache<UserID, CachedProfile>
        /// The user of each username in `profiles`. The key is `Username.key`.
        var users: [String: UserID] = [:]
        var writes = WriteFence<UserID>()

        /// Removes the way to a profile that is no longer in `profiles`.
        mutating func forgetWay(to removed: CachedProfile?) {
            guard let profile = removed?.profile, users[profile.username.key] == profile.id else { return }
            users[profile.username.key] = nil
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
        return try await filling { () async throws(RepositoryError) in try await users.profile(of: id, viewer: viewer) }
    }

    /// The profile with a username's key. Does not suspend when it is in memory.
    /// - Throws: `userNotFound`.
    func profile(usernameKey: String, viewer: UserID) async throws(RepositoryError) -> Profile {
        if let cached = cached(usernameKey: usernameKey) { return cached.profile }
        return try await filling { () async throws(RepositoryError) in try await users.profile(usernameKey: usernameKey, viewer: viewer) }
    }

    private func filling(_ read: () async throws(RepositoryError) -> Profile) async throws(RepositoryError) -> Profile {
        let ticket = ticket()
        let profile = try await read()
        fill(profile, ticket: ticket)
        return profile
    }

    /// The profile of a user, if it is in memory.
    func cached(of id: UserID, _ consistency: Consistency) -> CachedProfile? {
        guard let cached = state.withLock({ $0.profiles.value(for: id) }), freshness.admits(id, cached.mark, consistency) else { return nil }
        return cached
    }

    /// The profile with a username's key, if it is in memory and no other server uses the store.
    func cached(usernameKey: String) -> CachedProfile? {
        guard freshness.isAlone else { return nil }
        return state.withLock { state in
            state.users[usernameKey].flatMap { state.profiles.value(for: $0) }
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
    func fill(_ profile: Profile, ticket: Ticket) {
        state.withLock { state in
            guard state.writes.admits(profile.id, ticket.writes) else { return }
            state.forgetWay(to: state.profiles.remove(profile.id))
            state.forgetWay(to: state.profiles.insert(CachedProfile(profile, ticket.mark), for: profile.id))
            state.users[profile.username.key] = profile.id
        }
    }

    /// Begins a write of a user's profile. Until it ends, every read of the profile goes to the store. Call it before the write is queued.
    func beginWrite(of id: UserID) {
        state.withLock { state in
            state.writes.begin(id)
            state.forgetWay(to: state.profiles.remove(id))
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
