/// What a client should show, as a state and not as a command (B16).
public enum AuthState: Hashable, Sendable {
    /// Nobody is signed in: show the login.
    case signedOut
    /// The user is signed in and has no profile yet: show onboarding (B8, B15).
    case needsProfile(UserID)
    /// The user is signed in and has a profile: show home.
    case ready(UserID)
    /// The user has asked to leave, and may still come back until the given time: show how to.
    case withdrawing(UserID, purgeTime: Timestamp)

    /// The user, when somebody is signed in.
    public var userID: UserID? {
        switch self {
        case .signedOut: nil
        case .needsProfile(let id), .ready(let id), .withdrawing(let id, _): id
        }
    }
}
