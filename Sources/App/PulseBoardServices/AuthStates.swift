import PulseBoardDomain

/// The state of one session, now and after every change, up to its end: `signedOut` is the last state.
///
/// A token that proves no session gives `signedOut` and the end: no session can come to it later, a new sign-in has a new
/// token.
struct AuthStates: AsyncSequence, Sendable {
    let token: String?
    let auth: AuthService
    let dependencies: WatchDependencies

    func makeAsyncIterator() -> Iterator { Iterator(states: self) }

    struct Iterator: AsyncIteratorProtocol {
        let states: AuthStates
        private var watch: Watch?
        private var last: AuthState?

        init(states: AuthStates) { self.states = states }

        mutating func next(isolation: isolated (any Actor)? = #isolation) async throws(RepositoryError) -> AuthState? {
            guard last != .signedOut else { return nil }
            guard let watch = try await begin() else { return remember(.signedOut) }
            while try await watch.wait() != nil {
                let state = try await state(watch)
                if state != last { return remember(state) }
            }
            return nil
        }

        /// The present state. In the middle of a withdrawal the profile has gone while memory still knows the session, so the
        /// store is asked for it before somebody is told to make a profile.
        private func state(_ watch: Watch) async throws(RepositoryError) -> AuthState {
            let state = try await states.auth.authState(states.token)
            guard case .needsProfile = state else { return state }
            do {
                try await watch.requireSession(.session)
            } catch .notAuthenticated {
                return .signedOut
            }
            return state
        }

        /// The watch of the token's session; `nil` when there is none.
        private mutating func begin() async throws(RepositoryError) -> Watch? {
            if let watch { return watch }
            do {
                let caller = try await states.auth.authenticate(states.token)
                watch = try Watch([.profile(of: caller.userID)], by: caller, states.dependencies)
            } catch .notAuthenticated {
                return nil
            }
            return watch
        }

        private mutating func remember(_ state: AuthState) -> AuthState {
            last = state
            return state
        }
    }
}
