/// What a client should show, as a state and not as a command (B16).
public enum AuthState: Hashable, Sendable {
    /// Nobody is signed in: show the login.
    case signedOut
    /// The user is signed in and has no profile yet: show onboarding (B8, B15).
    case needsProfile(UserID)
    /// The user is signed in and has a profile: show home.
    case ready(UserID)

    /// The user, when somebody is signed in.
    public var userID: UserID? {
        switch self {
        case .signedOut: nil
        case .needsProfile(let id), .ready(let id): id
        }
    }
}

/// What the profile set-up screen should do; the client performs it, the domain only says so (B17).
public enum ProfileSetupIntent: Hashable, Sendable {
    case presentProfileSetup
    case dismiss

    /// The intent that follows from a state, or `nil` when the screen is as it should be.
    ///
    /// - Parameter isPresented: whether the profile set-up is on the screen now.
    public init?(state: AuthState, isPresented: Bool) {
        switch (state, isPresented) {
        case (.needsProfile, false): self = .presentProfileSetup
        case (.ready, true), (.signedOut, true): self = .dismiss
        case (.needsProfile, true), (.ready, false), (.signedOut, false): return nil
        }
    }
}
