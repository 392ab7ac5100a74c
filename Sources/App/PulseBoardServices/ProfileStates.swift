import PulseBoardDomain

/// A profile as it is, and again after every change; a reader that is slow gets the newest state and no older one.
struct ProfileStates: AsyncSequence, Sendable {
    let id: UserID
    let caller: Caller
    let profiles: CurrentProfiles
    let dependencies: WatchDependencies

    func makeAsyncIterator() -> Iterator { Iterator(states: self) }

    struct Iterator: AsyncIteratorProtocol {
        let states: ProfileStates
        private var watch: Watch?
        private var last: Profile?

        init(states: ProfileStates) { self.states = states }

        mutating func next(isolation: isolated (any Actor)? = #isolation) async throws(RepositoryError) -> Profile? {
            let watch =
                if let watch { watch } else {
                    try Watch([.profile(of: states.id)], by: states.caller, states.dependencies)
                }
            self.watch = watch
            while let reasons = try await watch.wait() {
                // Before the session is asked for: who withdraws is told that the profile has gone.
                let profile = try await states.profiles.profile(of: states.id)
                try await watch.requireSession(reasons)
                guard let last else { return remember(profile) }
                // Withdrawn and made anew since the last look: the profile that was watched has gone.
                guard profile.createTime == last.createTime else { throw .userNotFound }
                if profile.etag != last.etag { return remember(profile) }
            }
            return nil
        }

        private mutating func remember(_ profile: Profile) -> Profile {
            last = profile
            return profile
        }
    }
}
