import PulseBoardVocabulary

/// Why the domain refused a call: the one error family of repositories and services.
///
/// `PulseBoardRPC` maps each case to a status code and a reason; nothing below the services knows about statuses.
public enum RepositoryError: Error, Hashable, Sendable {
    /// The caller is not signed in, or the session has ended (X21).
    case notAuthenticated
    /// The peer's Unix uid may not use the named account.
    case accountNotPermitted
    /// There is no such profile for the caller. About the caller's own it is a state, the one that starts onboarding, not a failure (B8, B15).
    case userNotFound
    /// The caller has no profile, and what was asked needs one (B8, B15).
    case profileRequired
    /// The caller has asked to leave, and has no profile unless they come back before the given time.
    case withdrawing(purgeTime: Timestamp)
    /// The caller has not asked to leave.
    case notWithdrawing
    /// The caller has no such session.
    case sessionNotFound
    /// The username belongs to somebody else, or is kept for them (B18, X11).
    case usernameDuplicated
    /// The username looks like somebody else's (X15).
    case usernameConfusable
    /// The caller's username was changed a short time ago. The next change is possible at this instant.
    case usernameChangedRecently(availableTime: Timestamp)
    /// The caller has a profile already; creating never overwrites (X4).
    case profileExists
    /// The resource has changed since the caller read the given etag (X6).
    case etagMismatch
    /// A user cannot follow themself (X19).
    case selfFollow
    /// The data belongs to another user.
    case notOwner
    /// The request breaks rules; every violated field is named.
    case invalid(ValidationError)
    /// The page token is forged, damaged, or another list's.
    case invalidPageToken
    /// The resume token is forged, damaged, or another user's.
    case invalidResumeToken
    /// What the call says of consistency is neither `latest` nor a token.
    case consistencyInvalid
    /// Events after the position have been forgotten: whoever follows them has to begin again from the present state.
    case eventsForgotten
    /// The request id was used before for a different request.
    case requestIDReused
    /// A value that must be there is not (B12). Names the table and the key, for the log and not for the caller.
    case emptyValue(table: String, key: String)
    /// A stored row cannot be understood (X17). Names the table and the key, for the log and not for the caller.
    case corruptRow(table: String, key: String)
    /// The store could not do it: full, damaged, failing, or closed. The detail is for the log and not for the caller.
    case storeUnavailable(_ failure: StoreFailure = .other, detail: String)
    /// An uploaded picture was not taken.
    case imageRefused(ImageRefusal)
    /// The caller has no staged picture of this id: it was never staged, has expired, or belongs to a profile already (X14).
    case imageNotStaged
    /// The user has no picture, or not this one any more.
    case imageNotFound
    /// An ID token was not believed, or has been used before.
    case idTokenRefused(IDTokenRefusal)
    /// The caller has asked too often. - Parameter retryAfter: when it may ask again.
    case rateLimited(retryAfter: Timestamp.Interval)
    /// The session was opened too long ago for what is asked: the caller signs in once more.
    case signInTooOld
    /// The identity belongs to another user.
    case identityInUse
    /// The user has no such identity.
    case identityNotFound
    /// The user's only identity cannot go: nobody could sign in any more.
    case identityLast
    /// The user has as many identities as one may have.
    case identityLimit
    /// A diary refused the call.
    case diary(DiaryRefusal)
    /// The services are being shut down, which ends every watch; another server takes it up again.
    case shuttingDown

    /// Whether the store could not do its work, which says nothing of what was asked.
    public var isOfStore: Bool {
        switch self {
        case .corruptRow, .emptyValue, .storeUnavailable: true
        default: false
        }
    }

    /// The reason on the wire and in the catalogue of texts. A validation error has its first violation's.
    public var reason: Reason {
        switch self {
        case .notAuthenticated: .notAuthenticated
        case .accountNotPermitted: .accountNotPermitted
        case .userNotFound: .userNotFound
        case .profileRequired: .profileRequired
        case .withdrawing: .withdrawing
        case .notWithdrawing: .notWithdrawing
        case .sessionNotFound: .sessionNotFound
        case .usernameDuplicated: .usernameDuplicated
        case .usernameConfusable: .usernameConfusable
        case .usernameChangedRecently: .usernameChangedRecently
        case .profileExists: .profileExists
        case .etagMismatch: .etagMismatch
        case .selfFollow: .selfFollow
        case .notOwner: .notOwner
        case .invalid(let error): error.violations[0].reason
        case .invalidPageToken: .invalidPageToken
        case .invalidResumeToken: .invalidResumeToken
        case .consistencyInvalid: .consistencyInvalid
        case .eventsForgotten: .unavailable
        case .requestIDReused: .requestIDReused
        case .emptyValue, .corruptRow: .dataLoss
        case .storeUnavailable(let failure, _): Reason(failure)
        case .imageRefused(let refusal): Reason(refusal)
        case .imageNotStaged: .imageNotStaged
        case .imageNotFound: .imageNotFound
        case .idTokenRefused(let refusal): Reason(refusal)
        case .rateLimited: .rateLimited
        case .signInTooOld: .signInTooOld
        case .identityInUse: .identityInUse
        case .identityNotFound: .identityNotFound
        case .identityLast: .identityLast
        case .identityLimit: .identityLimit
        case .diary(let refusal): refusal.reason
        case .shuttingDown: .unavailable
        }
    }
}
