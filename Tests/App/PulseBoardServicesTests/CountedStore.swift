import PulseBoardDomain
import Synchronization

/// A store that counts its calls, with failures and pauses set by a test.
final class CountedStore: PulseBoardStore {
    private struct State {
        var calls: [String: Int] = [:]
        var askedIDs: [UserID] = []
        var failures: [String: RepositoryError] = [:]
        var pauses: [String: @Sendable () async -> Void] = [:]
    }

    let store: any PulseBoardStore
    private let state = Mutex(State())

    init(_ store: any PulseBoardStore) { self.store = store }

    /// The number of calls of a method since the last reset. Without a name, of all methods.
    func calls(_ method: String? = nil) -> Int {
        state.withLock { state in method.map { state.calls[$0] ?? 0 } ?? state.calls.values.reduce(0, +) }
    }

    /// The users of the last read of many profiles or relationships.
    var askedIDs: [UserID] { state.withLock { $0.askedIDs } }

    func resetCalls() { state.withLock { $0.calls = [:] } }

    /// Makes a method fail without reaching the store, until `nil` is set.
    func fail(_ method: String, with error: RepositoryError?) { state.withLock { $0.failures[method] = error } }

    /// Runs `pause` after the store has answered a method and before the caller gets the answer.
    func pause(_ method: String, _ pause: (@Sendable () async -> Void)?) { state.withLock { $0.pauses[method] = pause } }

    func through<Value>(
        _ method: String, _ body: () async throws(RepositoryError) -> Value
    ) async throws(RepositoryError) -> Value {
        let (failure, pause) = state.withLock { state in
            state.calls[method, default: 0] += 1
            return (state.failures[method], state.pauses[method])
        }
        if let failure { throw failure }
        let result: Result<Value, RepositoryError>
        do throws(RepositoryError) { result = .success(try await body()) } catch { result = .failure(error) }
        await pause?()
        return try result.get()
    }

    func profile(of id: UserID, viewer: UserID) async throws(RepositoryError) -> Profile {
        try await through("profile") { () async throws(RepositoryError) in try await store.profile(of: id, viewer: viewer) }
    }

    func profile(usernameKey: String, viewer: UserID) async throws(RepositoryError) -> Profile {
        try await through("profile") { () async throws(RepositoryError) in try await store.profile(usernameKey: usernameKey, viewer: viewer) }
    }

    func profiles(of ids: [UserID], viewer: UserID) async throws(RepositoryError) -> [UserID: Profile] {
        state.withLock { $0.askedIDs = ids }
        return try await through("profiles") { () async throws(RepositoryError) in try await store.profiles(of: ids, viewer: viewer) }
    }

    func checkUsername(_ name: Username, for id: UserID, at time: Timestamp) async throws(RepositoryError) {
        try await through("checkUsername") { () async throws(RepositoryError) in try await store.checkUsername(name, for: id, at: time) }
    }

    func usernames(of id: UserID) async throws(RepositoryError) -> [ClaimedUsername] {
        try await through("usernames") { () async throws(RepositoryError) in try await store.usernames(of: id) }
    }

    func reserveUsername(
        _ name: Username, for id: UserID, in session: SessionID?, at time: Timestamp
    ) async throws(RepositoryError) -> UsernameLease {
        try await through("reserveUsername") { () async throws(RepositoryError) in
            try await store.reserveUsername(name, for: id, in: session, at: time)
        }
    }

    func createProfile(
        _ draft: ProfileDraft, for id: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Profile {
        try await through("createProfile") { () async throws(RepositoryError) in
            try await store.createProfile(draft, for: id, in: session, at: time, idempotency: idempotency)
        }
    }

    func updateProfile(
        of id: UserID, _ change: ProfileChange, ifMatches etag: Etag?, in session: SessionID?, at time: Timestamp,
        idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Profile {
        try await through("updateProfile") { () async throws(RepositoryError) in
            try await store.updateProfile(of: id, change, ifMatches: etag, in: session, at: time, idempotency: idempotency)
        }
    }

    func deleteProfile(of id: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?) async throws(RepositoryError) {
        try await through("deleteProfile") { () async throws(RepositoryError) in
            try await store.deleteProfile(of: id, in: session, at: time, idempotency: idempotency)
        }
    }

    func searchProfiles(
        _ search: NameSearch, viewer: UserID, after cursor: SearchCursor?, limit: Int
    ) async throws(RepositoryError) -> SearchMatches {
        try await through("searchProfiles") { () async throws(RepositoryError) in
            try await store.searchProfiles(search, viewer: viewer, after: cursor, limit: limit)
        }
    }

    func requestWithdrawal(
        of id: UserID, in session: SessionID?, at time: Timestamp, purging purgeTime: Timestamp
    ) async throws(RepositoryError) -> Timestamp {
        try await through("requestWithdrawal") { () async throws(RepositoryError) in
            try await store.requestWithdrawal(of: id, in: session, at: time, purging: purgeTime)
        }
    }

    func cancelWithdrawal(of id: UserID, in session: SessionID?) async throws(RepositoryError) {
        try await through("cancelWithdrawal") { () async throws(RepositoryError) in try await store.cancelWithdrawal(of: id, in: session) }
    }

    func dueWithdrawals(at time: Timestamp, limit: Int) async throws(RepositoryError) -> [UserID] {
        try await through("dueWithdrawals") { () async throws(RepositoryError) in try await store.dueWithdrawals(at: time, limit: limit) }
    }

    func purge(_ id: UserID, at time: Timestamp) async throws(RepositoryError) {
        try await through("purge") { () async throws(RepositoryError) in try await store.purge(id, at: time) }
    }

    func keptFollowEvents(
        of owner: UserID, after position: FollowEventPosition?, limit: Int
    ) async throws(RepositoryError) -> [FollowEvent] {
        try await through("keptFollowEvents") { () async throws(RepositoryError) in
            try await store.keptFollowEvents(of: owner, after: position, limit: limit)
        }
    }

    func follow(
        _ target: UserID, by follower: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        try await through("follow") { () async throws(RepositoryError) in
            try await store.follow(target, by: follower, in: session, at: time, idempotency: idempotency)
        }
    }

    func unfollow(
        _ target: UserID, by follower: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        try await through("unfollow") { () async throws(RepositoryError) in
            try await store.unfollow(target, by: follower, in: session, at: time, idempotency: idempotency)
        }
    }

    func removeFollower(
        _ follower: UserID, of owner: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        try await through("removeFollower") { () async throws(RepositoryError) in
            try await store.removeFollower(follower, of: owner, in: session, at: time, idempotency: idempotency)
        }
    }

    func relationships(
        of viewer: UserID, to targets: [UserID]
    ) async throws(RepositoryError) -> [UserID: Relationship] {
        state.withLock { $0.askedIDs = targets }
        return try await through("relationships") { () async throws(RepositoryError) in try await store.relationships(of: viewer, to: targets) }
    }

    func followers(
        of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int, last: LastEntry
    ) async throws(RepositoryError) -> FollowEntries {
        try await through("followers") { () async throws(RepositoryError) in
            try await store.followers(of: userID, viewer: viewer, after: cursor, limit: limit, last: last)
        }
    }

    func following(
        of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int, last: LastEntry
    ) async throws(RepositoryError) -> FollowEntries {
        try await through("following") { () async throws(RepositoryError) in
            try await store.following(of: userID, viewer: viewer, after: cursor, limit: limit, last: last)
        }
    }

    func counts(of userID: UserID, viewer: UserID) async throws(RepositoryError) -> FollowCounts {
        try await through("counts") { () async throws(RepositoryError) in try await store.counts(of: userID, viewer: viewer) }
    }

    func keepFollowEvents(of owner: UserID, at now: Timestamp) async throws(RepositoryError) -> FollowEventPosition {
        try await through("keepFollowEvents") { () async throws(RepositoryError) in try await store.keepFollowEvents(of: owner, at: now) }
    }

    func onFollowsEnded(_ tell: @escaping @Sendable ([UserID]) -> Void) { store.onFollowsEnded(tell) }

    func followEvents(
        of owner: UserID, after position: FollowEventPosition, at now: Timestamp, limit: Int
    ) async throws(RepositoryError) -> [FollowEvent] {
        try await through("followEvents") { () async throws(RepositoryError) in
            try await store.followEvents(of: owner, after: position, at: now, limit: limit)
        }
    }

    func openSession(
        _ opening: SessionOpening, newUserID: UserID, limit: Int, willEnd: @escaping @Sendable ([SessionID]) -> Void
    ) async throws(RepositoryError) -> OpenedSession {
        try await through("openSession") { () async throws(RepositoryError) in
            try await store.openSession(opening, newUserID: newUserID, limit: limit, willEnd: willEnd)
        }
    }

    func session(tokenHash: TokenHash, for source: CallSource) async throws(RepositoryError) -> Session? {
        try await through("session") { () async throws(RepositoryError) in try await store.session(tokenHash: tokenHash, for: source) }
    }

    func sessions(
        of userID: UserID, endingAfter time: Timestamp
    ) async throws(RepositoryError) -> [Session] {
        try await through("sessions") { () async throws(RepositoryError) in try await store.sessions(of: userID, endingAfter: time) }
    }

    func closeSession(_ id: SessionID, of userID: UserID, at time: Timestamp) async throws(RepositoryError) -> Bool {
        try await through("closeSession") { () async throws(RepositoryError) in try await store.closeSession(id, of: userID, at: time) }
    }

    func closeSessions(of userID: UserID) async throws(RepositoryError) {
        try await through("closeSessions") { () async throws(RepositoryError) in try await store.closeSessions(of: userID) }
    }

    func identities(of userID: UserID) async throws(RepositoryError) -> [Identity] {
        try await through("identities") { () async throws(RepositoryError) in try await store.identities(of: userID) }
    }

    func linkIdentity(
        _ account: AccountID, to userID: UserID, in session: SessionID?, provedBy use: IDTokenUse, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Identity {
        try await through("linkIdentity") { () async throws(RepositoryError) in
            try await store.linkIdentity(account, to: userID, in: session, provedBy: use, at: time, idempotency: idempotency)
        }
    }

    func unlinkIdentity(
        _ account: AccountID, from userID: UserID, keeping kept: SessionID, at time: Timestamp, idempotency: IdempotencyKey?,
        willEnd: @escaping @Sendable ([SessionID]) -> Void
    ) async throws(RepositoryError) -> [SessionID] {
        try await through("unlinkIdentity") { () async throws(RepositoryError) in
            try await store.unlinkIdentity(account, from: userID, keeping: kept, at: time, idempotency: idempotency, willEnd: willEnd)
        }
    }

    func secret(named name: String, orStore candidate: [UInt8]) async throws(RepositoryError) -> [UInt8] {
        try await through("secret") { () async throws(RepositoryError) in try await store.secret(named: name, orStore: candidate) }
    }

    func beginImage(_ id: ImageID, of owner: UserID, expiring expireTime: Timestamp) async throws(RepositoryError) {
        try await through("beginImage") { () async throws(RepositoryError) in
            try await store.beginImage(id, of: owner, expiring: expireTime)
        }
    }

    func stageImage(
        _ id: ImageID, of owner: UserID, at time: Timestamp, expiring expireTime: Timestamp
    ) async throws(RepositoryError) {
        try await through("stageImage") { () async throws(RepositoryError) in
            try await store.stageImage(id, of: owner, at: time, expiring: expireTime)
        }
    }

    func discardedImages(at time: Timestamp, limit: Int) async throws(RepositoryError) -> [DiscardedImage] {
        try await through("discardedImages") { () async throws(RepositoryError) in
            try await store.discardedImages(at: time, limit: limit)
        }
    }

    func hasAttachedImages() async throws(RepositoryError) -> Bool { try await store.hasAttachedImages() }

    func forgetImage(_ image: DiscardedImage) async throws(RepositoryError) {
        try await through("forgetImage") { () async throws(RepositoryError) in try await store.forgetImage(image) }
    }
}
