/// A signed-in device. Its id names it and its token proves it. Only the client keeps the token.
public struct Session: Hashable, Sendable {
    public let id: SessionID
    public let userID: UserID
    /// The account that signed in.
    public let account: AccountID
    /// The device that signed in; `nil` when it did not say.
    public let device: Device?
    public let createTime: Timestamp
    /// When the session expires. From then on it counts as absent.
    public let expireTime: Timestamp

    public init(
        id: SessionID, userID: UserID, account: AccountID, device: Device? = nil, createTime: Timestamp, expireTime: Timestamp
    ) {
        self.id = id
        self.userID = userID
        self.account = account
        self.device = device
        self.createTime = createTime
        self.expireTime = expireTime
    }
}

/// The SHA-256 of a session token, 32 bytes. A store never sees the token itself.
public struct TokenHash: Hashable, Sendable {
    public let bytes: [UInt8]

    /// Takes exactly 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }
}

/// The device of a session, as its client describes it. It helps the owner recognise the session and proves nothing.
public struct Device: Hashable, Sendable {
    /// The id among the user's devices: 1…64 bytes of printable ASCII without spaces.
    public let id: String
    /// The name for people: at most 64 characters and 256 bytes in NFC, without control characters.
    public let name: String
    /// The kind of system: at most 32 bytes of printable ASCII without spaces.
    public let platform: String

    /// Longest id in bytes.
    public static let maximumIDBytes = 64
    /// Longest name in characters.
    public static let maximumNameCharacters = 64
    /// Longest name in bytes.
    public static let maximumNameBytes = 256
    /// Longest platform in bytes.
    public static let maximumPlatformBytes = 32

    /// - Throws: `ValidationError` for every field of `device` that is malformed or too long.
    public init(id: String, name: String = "", platform: String = "") throws(ValidationError) {
        var violations: [FieldViolation] = []
        if id.isEmpty || !Self.isPlain(id, within: Self.maximumIDBytes) {
            violations.append(FieldViolation(field: "device.id", reason: .deviceInvalid, limit: Self.maximumIDBytes))
        }
        // The length in bytes is checked first because it is cheap.
        let normalized = name.mayCompose(within: Self.maximumNameBytes) ? name.normalizedNFC : nil
        let isName = normalized.map { name in
            name.utf8.count <= Self.maximumNameBytes && name.count <= Self.maximumNameCharacters
                && name.unicodeScalars.allSatisfy { !$0.isControl }
        }
        if isName != true {
            violations.append(FieldViolation(field: "device.name", reason: .deviceInvalid, limit: Self.maximumNameCharacters))
        }
        if !Self.isPlain(platform, within: Self.maximumPlatformBytes) {
            violations.append(FieldViolation(field: "device.platform", reason: .deviceInvalid, limit: Self.maximumPlatformBytes))
        }
        guard violations.isEmpty, let normalized else { throw ValidationError(violations) }
        self.init(storedID: id, name: normalized, platform: platform)
    }

    /// Takes a stored device as it is: the rules may have changed since it was written.
    public init(storedID id: String, name: String, platform: String) {
        self.id = id
        self.name = name
        self.platform = platform
    }

    private static func isPlain(_ text: String, within limit: Int) -> Bool {
        text.utf8.count <= limit && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

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
