import PulseBoardDomain

/// One element of a watch of follows.
public struct FollowUpdate: Hashable, Sendable {
    /// What happened; `nil` in the first element, which says where the watch begins.
    public let event: FollowEvent?
    /// Resumes after this element.
    public let resumeToken: ResumeToken
}

/// The caller's events of follows: those after a resume token, then those that happen, each once and in order.
///
/// Announcements only wake it: all events are read from the store after the position of the last one, so there is no seam
/// between what was missed and what happens now. It holds at most one page of them.
struct FollowUpdates: AsyncSequence, Sendable {
    /// Most events read at once.
    static let pageSize = 100

    /// Empty: from now on.
    let resumeToken: String
    let caller: Caller
    let events: any FollowEventRepository
    let tokens: PageTokenSealer
    let dependencies: WatchDependencies

    func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

    struct Iterator: AsyncIteratorProtocol {
        let updates: FollowUpdates
        private var watch: Watch?
        /// After the last element; `nil` before the first.
        private var position: FollowEventPosition?
        private var page: ArraySlice<FollowEvent> = []
        /// Whether the store may hold more than the page.
        private var isBehind = false
        /// When the store is next to be asked to keep the caller's events.
        private var renewal = Timestamp(microseconds: .min)

        init(updates: FollowUpdates) { self.updates = updates }

        mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws(RepositoryError) -> FollowUpdate? {
            if let event = page.popFirst() { return update(event) }
            let watch =
                if let watch { watch } else {
                    try Watch(
                        [.follows(of: updates.caller.userID), .allFollows], by: updates.caller, updates.dependencies)
                }
            self.watch = watch
            repeat {
                // Also in the middle of a long replay: the session may have ended, or the services.
                if isBehind { watch.wake() }
                guard let reasons = try await watch.wait() else { return nil }
                try await watch.requireSession(reasons)
                do throws(RepositoryError) {
                    guard let position else { return try await begin() }
                    try await renew()
                    try await read(after: position)
                } catch .userNotFound {
                    // Who withdraws may be woken by the follows that end, before the end of the session has been announced.
                    try await watch.requireSession(.session)
                    throw .userNotFound
                }
            } while page.isEmpty
            return page.popFirst().map { update($0) }
        }

        /// Finds the first position: where the token says, else with what happens from now on.
        private mutating func begin() async throws(RepositoryError) -> FollowUpdate {
            let resumed: FollowEventPosition? =
                if updates.resumeToken.isEmpty { nil } else {
                    try updates.tokens.openEventPosition(
                        ResumeToken(text: updates.resumeToken), of: updates.caller.userID)
                }
            let newest = try await keep()
            let start = resumed ?? newest
            // Before anything is told: a token that is too old is refused at once.
            try await read(after: start)
            position = start
            return FollowUpdate(event: nil, resumeToken: token(start))
        }

        /// Has the caller's events kept, as long as the watch lasts and beyond it as long as a token is good.
        private mutating func keep() async throws(RepositoryError) -> FollowEventPosition {
            let now = updates.dependencies.clock.now()
            let newest = try await updates.events.keepFollowEvents(of: updates.caller.userID, at: now)
            renewal = now.advanced(by: FollowEventRetention.renewal)
            return newest
        }

        private mutating func renew() async throws(RepositoryError) {
            if updates.dependencies.clock.now() >= renewal { _ = try await keep() }
        }

        private mutating func read(after start: FollowEventPosition) async throws(RepositoryError) {
            let found = try await updates.events.followEvents(
                of: updates.caller.userID, after: start, at: updates.dependencies.clock.now(),
                limit: FollowUpdates.pageSize)
            isBehind = found.count == FollowUpdates.pageSize
            page = found[...]
        }

        private mutating func update(_ event: FollowEvent) -> FollowUpdate {
            position = event.position
            return FollowUpdate(event: event, resumeToken: token(event.position))
        }

        private func token(_ position: FollowEventPosition) -> ResumeToken {
            updates.tokens.seal(position, of: updates.caller.userID)
        }
    }
}
