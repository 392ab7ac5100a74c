import PulseBoardDomain

/// A request to change the caller's profile, as it arrives.
public struct ProfileUpdate: Hashable, Sendable {
    /// Whose profile; `nil` means the caller's, and any other user's is `notOwner`.
    public var userID: UserID?
    /// The update mask: `username`, `display_name`, `status_message`, or `*`; empty selects the fields with a value.
    public var paths: [String]
    public var username: String
    public var displayName: String
    public var statusMessage: String
    /// When not empty, the change is made only to this state of the profile (X6).
    public var etag: String
    /// When not empty, the name of this write for the retries of it.
    public var requestID: String

    public init(
        userID: UserID? = nil, paths: [String] = [], username: String = "", displayName: String = "",
        statusMessage: String = "", etag: String = "", requestID: String = ""
    ) {
        self.userID = userID
        self.paths = paths
        self.username = username
        self.displayName = displayName
        self.statusMessage = statusMessage
        self.etag = etag
        self.requestID = requestID
    }

    /// What was asked, in one form: the order and repetition of the paths do not matter.
    var fingerprint: RequestFingerprint {
        var fingerprint = RequestFingerprint(method: "UpdateProfile")
        let selected = Set(paths).sorted()
        fingerprint.add(String(selected.count))
        for path in selected { fingerprint.add(path) }
        fingerprint.add(username)
        fingerprint.add(displayName)
        fingerprint.add(statusMessage)
        fingerprint.add(etag)
        return fingerprint
    }
}

/// Profiles that were asked for together.
public struct ProfileBatch: Hashable, Sendable {
    /// In the order asked for.
    public let profiles: [Profile]
    /// The users without a profile, in the order asked for.
    public let missing: [UserID]
}

/// What is known about a username somebody is typing.
public struct UsernameCheck: Hashable, Sendable {
    /// The text this answer is for, as it was sent (X12).
    public let text: String
    /// The text in NFC: what would be stored; empty for a text with too many bytes.
    public let normalized: String
    /// Every broken rule in the fixed order of B18.
    public let violations: [FieldViolation]
    /// Whether the name is well-formed and nobody else's.
    public let isAvailable: Bool
}
