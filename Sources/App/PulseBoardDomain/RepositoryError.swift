import PulseBoardVocabulary

/// Why the domain refused a call: the one error family of repositories and services.
///
/// `PulseBoardRPC` maps each case to a status code and a reason; nothing below the services knows about statuses.
public enum RepositoryError: Error, Hashable, Sendable {
    /// The caller is not signed in, or the session has ended (X21).
    case notAuthenticated
    /// The peer's Unix uid may not use the named account.
    case accountNotPermitted
    /// There is no such profile for the caller. For the caller's own profile this is a state that starts onboarding, not a failure (B8, B15).
    case userNotFound
    /// The caller has no profile, and the call needs one (B8, B15).
    case profileRequired
    /// The caller has asked to leave, and may come back at least until `purgeTime`. Until they do, they have no profile.
    case withdrawing(purgeTime: Timestamp)
    /// The caller has not asked to leave.
    case notWithdrawing
    /// The caller has no such session.
    case sessionNotFound
    /// The username belongs to somebody else, or is kept for them (B18, X11).
    case usernameDuplicated
    /// The username looks like somebody else's (X15).
    case usernameConfusable
    /// The caller changed the username a short time ago. The next change is possible at `availableTime`.
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
    /// The page token is forged or damaged, or belongs to another list.
    case invalidPageToken
    /// The resume token is forged or damaged, or belongs to another user.
    case invalidResumeToken
    /// The call's consistency is neither `latest` nor a token.
    case consistencyInvalid
    /// Events after the position have been forgotten. A watcher has to begin again from the present state.
    case eventsForgotten
    /// The request id was used before for a different request.
    case requestIDReused
    /// A stored value is missing that must exist (B12). The table and the key are for the log only.
    case emptyValue(table: String, key: String)
    /// A stored row cannot be decoded (X17). The table and the key are for the log only.
    case corruptRow(table: String, key: String)
    /// The store could not do its work: it is full, damaged, failing or closed. The detail is for the log only.
    case storeUnavailable(_ failure: StoreFailure = .other, detail: String)
    /// An uploaded picture was refused.
    case imageRefused(ImageRefusal)
    /// The caller has no staged picture with this id: it was never staged, has expired, or is in a profile already (X14).
    case imageNotStaged
    /// The user has no picture, or no longer has this one.
    case imageNotFound
    /// An ID token was refused, or was used before.
    case idTokenRefused(IDTokenRefusal)
    /// The caller has called too often.
    /// - Parameter retryAfter: how long it must wait.
    case rateLimited(retryAfter: Timestamp.Interval)
    /// The session was opened too long ago for this call. The caller has to sign in again.
    case signInTooOld
    /// The identity belongs to another user.
    case identityInUse
    /// The user has no such identity.
    case identityNotFound
    /// The identity is the user's only one. Without it nobody could sign in.
    case identityLast
    /// The user has ``Identity/maximumCount`` identities already.
    case identityLimit
    /// The user has as many watches as one may have. Waiting helps only if one of them ends.
    case watchLimit(maximum: Int)
    /// A diary refused the call.
    case diary(DiaryRefusal)
    /// The services are shutting down, which ends every watch. The client can resume it at another server.
    case shuttingDown
    /// The caller's task was cancelled while it waited. Nobody hears this answer.
    case cancelled

    /// Whether the error is about the store and not about the request.
    public var isOfStore: Bool {
        switch self {
        case .corruptRow, .emptyValue, .storeUnavailable: true
        default: false
        }
    }

    /// The reason that is sent to the client and has a text in the catalogue. For a validation error it is that of the first violation.
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
        case .watchLimit: .watchLimit
        case .diary(let refusal): refusal.reason
        case .shuttingDown, .cancelled: .unavailable
        }
    }
}

/// The error in words, for logs and for the output of programs: the text of its reason in English, then what the text leaves out. It has no name that
/// people chose.
extension RepositoryError: CustomStringConvertible {
    public var description: String { detail.map { "\(text) (\($0))" } ?? text }

    private var text: String {
        switch self {
        case .invalid(let error): error.violations.map { "\($0.field): \($0.message(in: .english))" }.joined(separator: " ")
        case .watchLimit(let maximum): reason.text(limit: maximum).text(in: .english)
        default: reason.text().text(in: .english)
        }
    }

    private var detail: String? {
        switch self {
        case .storeUnavailable(_, let detail), .imageRefused(.unavailable(let detail)): detail.isEmpty ? nil : detail
        case .emptyValue(let table, let key): "a value of table \(table) is missing, key \(Self.loggable(key))"
        case .corruptRow(let table, let key): "a row of table \(table), key \(Self.loggable(key))"
        case .shuttingDown: "the services are shutting down"
        case .cancelled: "the caller has gone"
        case .eventsForgotten: "the events after this position are not kept any more"
        default: nil
        }
    }

    /// A key as the log may have it. One that is made of ids is shown. Others may be names that people chose, and the log never contains those.
    package static func loggable(_ key: String) -> String {
        key.allSatisfy { $0.isHexDigit || $0 == "-" || $0 == " " } ? key : "withheld"
    }
}
