/// The state of the sign-in. A client decides by it which page to show (B16).
public enum AuthState: Hashable, Sendable {
    /// Nobody is signed in: show the login.
    case signedOut
    /// The user is signed in and has no profile yet: show onboarding (B8, B15).
    case needsProfile(UserID)
    /// The user is signed in and has a profile: show home.
    case ready(UserID)
    /// The user has asked to leave and may come back until `purgeTime`: show how.
    case withdrawing(UserID, purgeTime: Timestamp)

    /// The user, when somebody is signed in.
    public var userID: UserID? {
        switch self {
        case .signedOut: nil
        case .needsProfile(let id), .ready(let id), .withdrawing(let id, _): id
        }
    }
}
