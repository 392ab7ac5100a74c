import PulseBoardDomain

/// The fixed start of the cases' instants: 2026-01-04T00:00:00Z.
let epoch = Timestamp(microseconds: 1_767_484_800_000_000)

/// The `offset`-th second after `epoch`.
func at(_ offset: Int64) -> Timestamp {
    epoch.advanced(by: .seconds(offset))
}

/// The same user for the same number, in the order of the numbers.
func user(_ number: UInt64) -> UserID {
    UserID(bits: UUIDBits(high: 0x0000_0000_0000_4000, low: 0x8000_0000_0000_0000 | number))
}

func sessionID(_ number: UInt64) -> SessionID {
    SessionID(bits: UUIDBits(high: 0xFFFF_0000_0000_4000, low: 0x8000_0000_0000_0000 | number))
}

func draft(_ username: String, _ displayName: String = "", _ message: String = "") throws -> ProfileDraft {
    try ProfileDraft(
        username: username, texts: [.displayName: displayName, .statusMessage: message], rules: UsernameRules())
}

/// A key with request id `id` for the request `what`.
func key(_ id: String, asking what: UInt8 = 0) throws -> IdempotencyKey {
    guard let requestID = try RequestID.parse(id) else { throw ContractFailure(description: "empty request id") }
    return IdempotencyKey(requestID: requestID, fingerprint: [UInt8](repeating: what, count: 32))
}

extension PulseBoardStore {
    /// Gives users 1…count the profiles `user1`…, created one second apart.
    func addUsers(_ count: UInt64) async throws {
        for number in 1...count { try await addUser(number) }
    }

    func addUser(_ number: UInt64) async throws {
        _ = try await createProfile(
            try draft("user\(number)"), for: user(number), at: at(Int64(number)), idempotency: nil)
    }

    /// The user who owns a name; `nil` if there is none.
    package func owner(ofKey key: String) async throws(RepositoryError) -> UserID? {
        do throws(RepositoryError) {
            return try await profile(usernameKey: key).id
        } catch .userNotFound {
            return nil
        } catch {
            throw error
        }
    }

    func openSession(
        _ number: UInt64, account: AccountID = .unix(uid: 1000), user newUserID: UserID, from time: Timestamp = epoch,
        until end: Timestamp = at(1000), limit: Int = 100, using idToken: IDTokenUse? = nil
    ) async throws -> OpenedSession {
        let opening = SessionOpening(
            id: sessionID(number), account: account, tokenHash: try tokenHash(number), createTime: time, expireTime: end, idToken: idToken)
        return try await openSession(opening, newUserID: newUserID, limit: limit)
    }
}

func tokenHash(_ number: UInt64) throws -> TokenHash {
    guard let hash = TokenHash(bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32)) else {
        throw ContractFailure(description: "a token hash has 32 bytes")
    }
    return hash
}

private let onlooker = user(0xFFFF_FFFF)

/// Reads by another user, because a store may tell the user themself more.
extension PulseBoardStore {
    package func profile(of id: UserID) async throws(RepositoryError) -> Profile { try await profile(of: id, viewer: onlooker) }

    package func profile(usernameKey: String) async throws(RepositoryError) -> Profile {
        try await profile(usernameKey: usernameKey, viewer: onlooker)
    }

    package func profiles(of ids: [UserID]) async throws(RepositoryError) -> [UserID: Profile] {
        try await profiles(of: ids, viewer: onlooker)
    }

    package func searchProfiles(
        _ search: NameSearch, after cursor: SearchCursor?, limit: Int
    ) async throws(RepositoryError) -> [SearchMatch] {
        try await searchProfiles(search, viewer: onlooker, after: cursor, limit: limit).matches
    }

    package func followers(
        of userID: UserID, after cursor: FollowCursor?, limit: Int
    ) async throws(RepositoryError) -> [FollowListEntry] {
        try await followers(of: userID, viewer: onlooker, after: cursor, limit: limit)
    }

    package func following(
        of userID: UserID, after cursor: FollowCursor?, limit: Int
    ) async throws(RepositoryError) -> [FollowListEntry] {
        try await following(of: userID, viewer: onlooker, after: cursor, limit: limit)
    }

    package func counts(of userID: UserID) async throws(RepositoryError) -> FollowCounts {
        try await counts(of: userID, viewer: onlooker)
    }
}
