import PulseBoardDomain

/// Lets users leave with time to come back, and purges users whose time is over.
///
///     let purgeTime = try await services.withdrawals.request(caller)
///     try await services.withdrawals.cancel(caller)       // the user has come back
///
/// ``ProfileService/deleteProfile(requestID:_:)`` removes a profile at once, and keeps the account.
public struct WithdrawalService: Sendable {
    private let withdrawals: any WithdrawalRepository
    private let leaving: Leaving
    private let rules: ServiceRules
    private let configuration: ServicesConfiguration
    /// Users who could not be purged because a row of theirs is damaged.
    private let damaged = FailedRemovals<UserID>()

    init(withdrawals: any WithdrawalRepository, leaving: Leaving, rules: ServiceRules, configuration: ServicesConfiguration) {
        self.withdrawals = withdrawals
        self.leaving = leaving
        self.rules = rules
        self.configuration = configuration
    }

    /// Hides the caller from everybody and ends all their sessions, including this one. Their follows and the counts of others stay until the
    /// purge. If called again, the first call's times stay. Of a damaged profile, what can be read is kept.
    /// - Returns: the time until which ``cancel(_:)`` works at least.
    /// - Throws: `notAuthenticated` if the session has ended meanwhile, unless the caller is leaving already.
    public func request(_ caller: Caller) async throws(RepositoryError) -> Timestamp {
        let now = configuration.clock.now()
        return try await leaving.hiding(caller.userID) { () async throws(RepositoryError) in
            try await withdrawals.requestWithdrawal(
                of: caller.userID, in: caller.sessionID, at: now, purging: now.advanced(by: rules.withdrawalGrace))
        }
    }

    /// Restores the caller (C23). It works until the purge. The purge never comes before the time that ``request(_:)`` has returned, but may come
    /// later. Nobody is harmed by a user who comes back then, so they may.
    /// - Throws: `notWithdrawing`; `notAuthenticated` if the session has ended meanwhile; `corruptRow` if what was kept of the profile cannot be
    ///   read.
    public func cancel(_ caller: Caller) async throws(RepositoryError) {
        leaving.profiles.beginWrite(of: caller.userID)
        defer {
            leaving.profiles.endWrite(of: caller.userID)
            leaving.hub.announce(.profile(of: caller.userID))
        }
        try await withdrawals.cancelWithdrawal(of: caller.userID, in: caller.sessionID)
    }

    /// Maximum users that one call of ``purgeDue()`` purges.
    public static let purgedAtOnce = 20

    /// Removes all data of users whose time is over, with their accounts (B6). It ends early when its task is cancelled. The next call does the rest.
    /// - Returns: how many due users were handled, also those who came back meanwhile. If it is ``purgedAtOnce``, there may be more.
    @discardableResult
    public func purgeDue() async throws(RepositoryError) -> Int {
        let due = try await damaged.next(Self.purgedAtOnce) { limit async throws(RepositoryError) in
            try await withdrawals.dueWithdrawals(at: configuration.clock.now(), limit: limit)
        }
        var damage: RepositoryError?
        var count = 0
        purging: for id in due {
            guard !Task.isCancelled else { break }
            do throws(RepositoryError) {
                try await leaving.hiding(id) { () async throws(RepositoryError) in
                    try await withdrawals.purge(id, at: configuration.clock.now())
                }
            } catch {
                switch error {
                // The user has come back meanwhile.
                case .notWithdrawing: break
                // This purge has ended between two steps.
                case .cancelled: break purging
                // One user's damage must not keep the others.
                case .corruptRow, .emptyValue:
                    damage = damage ?? error
                    damaged.note(id)
                default: throw error
                }
            }
            count += 1
        }
        if let damage { throw damage }
        return count
    }
}

/// What has to learn that a user leaves: the memory of sessions and profiles, and the watchers.
struct Leaving: Sendable {
    let sessions: SessionCache
    let profiles: ProfileCache
    let hub: ChangeHub

    /// Performs a write that ends a user's sessions and hides the profile. Meanwhile memory gives no answers about the user.
    func hiding<Result>(_ id: UserID, _ write: () async throws(RepositoryError) -> Result) async throws(RepositoryError) -> Result {
        sessions.beginEndingSessions(of: id)
        profiles.beginWrite(of: id)
        defer {
            sessions.didEndSessions(of: id)
            profiles.endWrite(of: id)
            hub.announce(.profile(of: id), .sessions(of: id))
        }
        return try await write()
    }
}
