import PulseBoardDomain

/// Makes, ends, reads and watches follows. The follower is always the caller (X19). A call states the wanted result, and never toggles (X20).
///
///     let jun = try await services.profiles.profile(username: "jun", caller)
///     _ = try await services.follows.follow(jun.id, caller)
///     let page = try await services.follows.following(of: caller.userID, PageRequest(), caller)
///     print(page.items.map(\.user.username))
public struct FollowService: Sendable {
    private let follows: any FollowRepository
    private let events: any FollowEventRepository
    private let pageTokens: PageTokenSealer
    private let watches: WatchDependencies
    private let configuration: ServicesConfiguration

    init(
        follows: any FollowRepository, events: any FollowEventRepository, pageTokens: PageTokenSealer,
        watches: WatchDependencies, configuration: ServicesConfiguration
    ) {
        self.follows = follows
        self.events = events
        self.pageTokens = pageTokens
        self.watches = watches
        self.configuration = configuration
    }

    // MARK: Writing

    /// Makes the caller follow a user. Repeating it changes nothing (X18).
    /// - Throws: `selfFollow` without asking the store, `userNotFound` when the target has no profile, `profileRequired` when the caller has none
    ///   (B15, X19), `withdrawing`, `requestIDReused`, `rateLimited`, `invalid` (field `request_id`).
    public func follow(
        _ target: UserID, requestID: String = "", _ caller: Caller
    ) async throws(RepositoryError) -> Relationship {
        let key = try Self.key("Follow", target, requestID)
        guard target != caller.userID else { throw .selfFollow }
        let relationship = try await follows.follow(
            target, by: caller.userID, in: caller.sessionID, at: configuration.clock.now(), idempotency: key)
        watches.hub.announce(.follows(of: target), .follows(of: caller.userID))
        return relationship
    }

    /// Ends the caller's follow of a user. Repeating it changes nothing. For the caller's own id it returns `personal`.
    /// - Throws: `userNotFound`, `withdrawing`, `requestIDReused`, `rateLimited`, `invalid` (field `request_id`).
    public func unfollow(
        _ target: UserID, requestID: String = "", _ caller: Caller
    ) async throws(RepositoryError) -> Relationship {
        let key = try Self.key("Unfollow", target, requestID)
        guard target != caller.userID else { return .personal(target) }
        let relationship = try await follows.unfollow(
            target, by: caller.userID, in: caller.sessionID, at: configuration.clock.now(), idempotency: key)
        watches.hub.announce(.follows(of: target), .follows(of: caller.userID))
        return relationship
    }

    /// Removes a user from the caller's followers. Repeating it changes nothing. For the caller's own id it returns `personal`.
    /// - Returns: the caller's relationship to that user.
    /// - Throws: `userNotFound`, `withdrawing`, `requestIDReused`, `rateLimited`, `invalid` (field `request_id`).
    public func removeFollower(
        _ follower: UserID, requestID: String = "", _ caller: Caller
    ) async throws(RepositoryError) -> Relationship {
        let key = try Self.key("RemoveFollower", follower, requestID)
        guard follower != caller.userID else { return .personal(follower) }
        let relationship = try await follows.removeFollower(
            follower, of: caller.userID, in: caller.sessionID, at: configuration.clock.now(), idempotency: key)
        watches.hub.announce(.follows(of: follower), .follows(of: caller.userID))
        return relationship
    }

    private static func key(
        _ method: StaticString, _ user: UserID, _ requestID: String
    ) throws(RepositoryError) -> IdempotencyKey? {
        // Most calls have no request id. Then there is nothing to hash.
        guard !requestID.isEmpty else { return nil }
        let id = try validated { () throws(ValidationError) in try RequestID.parse(requestID) }
        var fingerprint = RequestFingerprint(method: method)
        fingerprint.add(user)
        return fingerprint.key(id)
    }

    // MARK: Watching

    /// Watches the caller's follows in both directions: each event once, in order.
    ///
    /// The first element is the position where the watch begins. With a resume token, all events since the token follow, then new ones. With an
    /// empty token, only new events follow. If some events are no longer kept, because the token is too old or the reader too slow, `resync` comes
    /// instead, and later events follow.
    ///
    /// It throws `invalidResumeToken` if the token is forged or belongs to another user, `profileRequired` or `withdrawing` if the caller has no
    /// profile, `watchLimit` if the user has too many watches, `notAuthenticated` when the caller's session ends, and `shuttingDown` when the
    /// services shut down. It ends when the reading task is cancelled.
    public func watchFollows(
        resumeToken: String = "", _ caller: Caller
    ) -> some AsyncSequence<FollowUpdate, RepositoryError> & Sendable {
        FollowUpdates(
            resumeToken: resumeToken, caller: caller, events: events, tokens: pageTokens, dependencies: watches)
    }

    // MARK: Reading

    /// The caller's relationship to a user. For the caller's own id it is `personal`, without asking the store (B26).
    /// - Throws: `userNotFound`, `withdrawing` for another user's id.
    public func relationship(to target: UserID, _ caller: Caller) async throws(RepositoryError) -> Relationship {
        guard target != caller.userID else { return .personal(target) }
        guard let relationship = try await follows.relationships(of: caller.userID, to: [target])[target] else {
            throw .userNotFound
        }
        return relationship
    }

    /// The caller's relationships to up to 100 users, in the order of the request, and the ids that have no profile.
    /// - Throws: `invalid` (field `user_ids`) for more than 100, `withdrawing` if other users are among them.
    public func relationships(to targets: [UserID], _ caller: Caller) async throws(RepositoryError) -> RelationshipBatch {
        try requireAtMost(BatchRequest.maximumSize, itemsIn: "user_ids", targets.count)
        let others = targets.distinct(without: caller.userID)
        var found = others.isEmpty ? [:] : try await follows.relationships(of: caller.userID, to: others)
        if targets.contains(caller.userID) { found[caller.userID] = .personal(caller.userID) }
        let (relationships, missing) = targets.divided(by: found)
        return RelationshipBatch(relationships: relationships, missing: missing)
    }

    /// Who follows a user, newest first.
    /// - Throws: `userNotFound`; for the caller's own list `profileRequired` or `withdrawing`; `invalidPageToken`.
    public func followers(
        of user: UserID, _ page: PageRequest, _ caller: Caller
    ) async throws(RepositoryError) -> Page<FollowListEntry> {
        let list = PageTokenSealer.List.followers(of: user, viewer: caller.userID)
        let cursor = try self.cursor(page, in: list)
        let found = try await follows.followers(
            of: user, viewer: caller.userID, after: cursor, limit: page.size + 1, last: .proof)
        return self.page(found, size: page.size, of: list)
    }

    /// Whom a user follows, newest first.
    /// - Throws: as ``followers(of:_:_:)``.
    public func following(
        of user: UserID, _ page: PageRequest, _ caller: Caller
    ) async throws(RepositoryError) -> Page<FollowListEntry> {
        let list = PageTokenSealer.List.following(of: user, viewer: caller.userID)
        let cursor = try self.cursor(page, in: list)
        let found = try await follows.following(
            of: user, viewer: caller.userID, after: cursor, limit: page.size + 1, last: .proof)
        return self.page(found, size: page.size, of: list)
    }

    /// The numbers of a user's followers and followed users.
    /// - Throws: `userNotFound`; for the caller's own `profileRequired` or `withdrawing`.
    public func counts(of user: UserID, _ caller: Caller) async throws(RepositoryError) -> FollowCounts {
        try await follows.counts(of: user, viewer: caller.userID)
    }

    private func cursor(_ page: PageRequest, in list: PageTokenSealer.List) throws(RepositoryError) -> FollowCursor? {
        guard let token = page.token else { return nil }
        return try pageTokens.openFollowCursor(token, in: list)
    }

    /// Makes a page. One more entry than its size was read; that entry shows that there is a next page, and is dropped.
    private func page(
        _ found: FollowEntries, size: Int, of list: PageTokenSealer.List
    ) -> Page<FollowListEntry> {
        let items = Array(found.entries.prefix(size))
        let place = found.entries.count > size ? items.last?.cursor : found.continuation
        return Page(items: items, nextToken: place.map { pageTokens.seal($0, in: list) })
    }
}

/// The relationships of one batch request.
public struct RelationshipBatch: Hashable, Sendable {
    /// In the order of the request.
    public let relationships: [Relationship]
    /// The users without a profile, in the order of the request.
    public let missing: [UserID]
}

/// One element of a watch of follows.
public struct FollowUpdate: Hashable, Sendable {
    /// The content of an element.
    public enum Content: Hashable, Sendable {
        /// No event. It comes at the beginning and then every 25 s without an event.
        case position
        case event(FollowEvent)
        /// Some events before this element are lost. The reader has to read the lists again.
        case resync
    }

    /// What the element says.
    public let content: Content
    /// A token to resume after this element.
    public let resumeToken: ResumeToken

    /// The event, if the element is one.
    public var event: FollowEvent? {
        if case .event(let event) = content { event } else { nil }
    }
}

/// The caller's follow events: those after a resume token, then new ones, each once and in order.
///
/// Announcements only wake it. All events are read from the store, after the position of the last one. So there is no gap between old and new
/// events. It holds at most one page of events.
private struct FollowUpdates: AsyncSequence, Sendable {
    /// Maximum events read at once.
    static let pageSize = 100

    /// Empty to begin with new events.
    let resumeToken: String
    let caller: Caller
    let events: any FollowEventRepository
    let tokens: PageTokenSealer
    let dependencies: WatchDependencies

    func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

    struct Iterator: AsyncIteratorProtocol {
        let updates: FollowUpdates
        private var watch: Watch?
        /// The position after the last element; `nil` before the first.
        private var position: FollowEventPosition?
        private var page: ArraySlice<FollowEvent> = []
        /// Whether the store may have more events than the page.
        private var isBehind = false
        /// When to ask the store again to keep the caller's events.
        private var renewal = Timestamp(microseconds: .min)

        init(updates: FollowUpdates) { self.updates = updates }

        mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws(RepositoryError) -> FollowUpdate? {
            if let watch, watch.sessionIsInDoubt {
                // The reader may have been slow, so what was read before is read again too.
                isBehind = isBehind || !page.isEmpty
                page = []
            } else if let event = page.popFirst() {
                return update(event)
            }
            let watch =
                if let watch { watch } else {
                    try Watch([.follows(of: updates.caller.userID)], by: updates.caller, updates.dependencies)
                }
            self.watch = watch
            repeat {
                // Check during a long replay too: the session may have ended, or the services may be shutting down.
                if isBehind { watch.wake() }
                guard let reasons = try await watch.wait() else { return nil }
                try await watch.requireSession(reasons)
                do throws(RepositoryError) {
                    guard let position else { return try await begin() }
                    try await renew()
                    guard try await read(after: position) else { return resync(to: try await keep()) }
                    if page.isEmpty, reasons.contains(.heartbeat) { return update(.position, at: position) }
                } catch { throw await watch.end(for: error) }
            } while page.isEmpty
            return page.popFirst().map { update($0) }
        }

        /// Finds the first position: the token's, or the present one without a token.
        private mutating func begin() async throws(RepositoryError) -> FollowUpdate {
            let resumed: FollowEventPosition? =
                if updates.resumeToken.isEmpty { nil } else {
                    try updates.tokens.openEventPosition(
                        ResumeToken(text: updates.resumeToken), of: updates.caller.userID)
                }
            let newest = try await keep()
            let start = resumed ?? newest
            // Read before the first element, so that a token that is too old is reported at once.
            guard try await read(after: start) else { return resync(to: newest) }
            position = start
            return update(.position, at: start)
        }

        /// Continues from a later position. The events in between are lost.
        private mutating func resync(to newest: FollowEventPosition) -> FollowUpdate {
            position = newest
            return update(.resync, at: newest)
        }

        /// Asks the store to keep the caller's events while the watch lasts, and afterwards as long as a token is valid.
        private mutating func keep() async throws(RepositoryError) -> FollowEventPosition {
            let now = updates.dependencies.clock.now()
            let newest = try await updates.events.keepFollowEvents(of: updates.caller.userID, at: now)
            renewal = now.advanced(by: FollowEventRetention.renewal)
            return newest
        }

        private mutating func renew() async throws(RepositoryError) {
            if updates.dependencies.clock.now() >= renewal { _ = try await keep() }
        }

        /// - Returns: `false` when events after the position are no longer kept.
        private mutating func read(after start: FollowEventPosition) async throws(RepositoryError) -> Bool {
            isBehind = false
            do throws(RepositoryError) {
                let found = try await updates.events.followEvents(
                    of: updates.caller.userID, after: start, at: updates.dependencies.clock.now(),
                    limit: FollowUpdates.pageSize)
                isBehind = found.count == FollowUpdates.pageSize
                page = found[...]
                return true
            } catch .eventsForgotten {
                return false
            } catch {
                throw error
            }
        }

        private mutating func update(_ event: FollowEvent) -> FollowUpdate {
            position = event.position
            return update(.event(event), at: event.position)
        }

        private func update(_ content: FollowUpdate.Content, at position: FollowEventPosition) -> FollowUpdate {
            FollowUpdate(content: content, resumeToken: token(position))
        }

        private func token(_ position: FollowEventPosition) -> ResumeToken {
            updates.tokens.seal(position, of: updates.caller.userID)
        }
    }
}
