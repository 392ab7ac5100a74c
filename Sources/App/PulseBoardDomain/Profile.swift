/// What a user shows to others.
public struct Profile: Hashable, Sendable {
    public let id: UserID
    public let username: Username
    public let displayName: DisplayName
    public let statusMessage: StatusMessage
    public let createTime: Timestamp
    /// When the profile last changed; equal to `createTime` until then.
    public let updateTime: Timestamp
    /// Changes with every write of the profile.
    public let etag: Etag

    public init(
        id: UserID, username: Username, displayName: DisplayName, statusMessage: StatusMessage,
        createTime: Timestamp, updateTime: Timestamp, etag: Etag
    ) {
        self.id = id
        self.username = username
        self.displayName = displayName
        self.statusMessage = statusMessage
        self.createTime = createTime
        self.updateTime = updateTime
        self.etag = etag
    }
}

/// The state of a resource as one opaque token: who sends it back with a change asks that nothing has changed since (X6).
public struct Etag: Hashable, Sendable, CustomStringConvertible {
    /// Longest etag in bytes; a longer text is none that a store ever gave.
    public static let maximumBytes = 64

    public let text: String

    /// Takes what a caller sent; a text that no store ever gave simply never matches.
    public init(text: String) { self.text = text }

    /// The etag of the `version`-th state of something created at `createTime`; the time keeps a profile that was
    /// withdrawn and made anew apart from its predecessor.
    public init(version: Int64, createTime: Timestamp) {
        text = String(createTime.microseconds, radix: 36) + "-" + String(version, radix: 36)
    }

    public var description: String { text }
}

/// A new profile that has passed every rule.
public struct ProfileDraft: Hashable, Sendable {
    public let username: Username
    public let displayName: DisplayName
    public let statusMessage: StatusMessage

    public init(username: Username, displayName: DisplayName = .empty, statusMessage: StatusMessage = .empty) {
        self.username = username
        self.displayName = displayName
        self.statusMessage = statusMessage
    }

    /// Judges all fields of a request and reports every violation of every field at once.
    public init(
        username: String, displayName: String, statusMessage: String, rules: UsernameRules
    ) throws(ValidationError) {
        var violations: [FieldViolation] = []
        let verdict = rules.judge(username)
        violations += verdict.violations
        let name = violations.collecting { () throws(ValidationError) in try DisplayName(displayName) }
        let message = violations.collecting { () throws(ValidationError) in try StatusMessage(statusMessage) }
        guard let username = verdict.username, let name, let message else { throw ValidationError(violations) }
        self.init(username: username, displayName: name, statusMessage: message)
    }
}

extension [FieldViolation] {
    /// Runs one check, keeping its violations and giving its value when there are none.
    package mutating func collecting<Value>(_ check: () throws(ValidationError) -> Value) -> Value? {
        do {
            return try check()
        } catch {
            append(contentsOf: error.violations)
            return nil
        }
    }
}

/// The name a profile shows, free text of at most 50 characters (graphemes) and 400 UTF-8 bytes, without control
/// characters. Empty means "show the username".
public struct DisplayName: Hashable, Sendable, CustomStringConvertible {
    /// Longest name in characters (grapheme clusters).
    public static let maximumCharacters = 50
    /// Longest name in UTF-8 bytes: one grapheme can be arbitrarily long, so both are bounded (X10).
    public static let maximumBytes = 400

    /// The name in NFC.
    public let text: String

    public static let empty = DisplayName(stored: "")

    /// - Throws: `ValidationError` with every broken rule for the field `display_name`.
    public init(_ text: String) throws(ValidationError) {
        guard !Self.isTooLong(text) else {
            throw ValidationError(field: "display_name", reason: .displayNameTooLong, limit: Self.maximumCharacters)
        }
        let normalized = text.normalizedNFC
        var violations: [FieldViolation] = []
        if normalized.utf8.count > Self.maximumBytes || normalized.count > Self.maximumCharacters {
            violations.append(
                FieldViolation(field: "display_name", reason: .displayNameTooLong, limit: Self.maximumCharacters))
        }
        if normalized.unicodeScalars.contains(where: \.isControl) {
            violations.append(FieldViolation(field: "display_name", reason: .displayNameInvalidCharacters))
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
        self.text = normalized
    }

    /// Whether a text has too many bytes, whatever they are; told without looking at its characters.
    static func isTooLong(_ text: String) -> Bool { !text.mayCompose(within: maximumBytes) }

    /// Takes a stored name as it is: the rules may have changed since it was written.
    public init(stored text: String) { self.text = text }

    /// The case-folded name, by which it is searched.
    public var key: String { text.caseFoldedKey }

    public var description: String { text }
}

/// What a user says about themself (B13): at most 140 characters (graphemes) **and** 1,120 UTF-8 bytes (X10), without
/// control characters but line breaks.
public struct StatusMessage: Hashable, Sendable, CustomStringConvertible {
    /// Longest message in characters (grapheme clusters).
    public static let maximumCharacters = 140
    /// Longest message in UTF-8 bytes.
    public static let maximumBytes = 1_120

    /// The message in NFC.
    public let text: String

    public static let empty = StatusMessage(stored: "")

    /// - Throws: `ValidationError` with every broken rule for the field `status_message`.
    public init(_ text: String) throws(ValidationError) {
        guard !Self.isTooLong(text) else {
            throw ValidationError(field: "status_message", reason: .statusMessageTooLong, limit: Self.maximumCharacters)
        }
        let normalized = text.normalizedNFC
        var violations: [FieldViolation] = []
        if normalized.utf8.count > Self.maximumBytes || normalized.count > Self.maximumCharacters {
            violations.append(
                FieldViolation(field: "status_message", reason: .statusMessageTooLong, limit: Self.maximumCharacters))
        }
        if normalized.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" }) {
            violations.append(FieldViolation(field: "status_message", reason: .statusMessageInvalidCharacters))
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
        self.text = normalized
    }

    /// Whether a text has too many bytes, whatever they are; told without looking at its characters.
    static func isTooLong(_ text: String) -> Bool { !text.mayCompose(within: maximumBytes) }

    /// Takes a stored message as it is: the rules may have changed since it was written.
    public init(stored text: String) { self.text = text }

    public var description: String { text }
}

/// A partial change of a profile: each field is kept, set, or cleared, and nothing else is touched (B5, X5).
public struct ProfileChange: Hashable, Sendable {
    /// What happens to one field.
    public enum FieldChange<Value: Hashable & Sendable>: Hashable, Sendable {
        case keep
        case set(Value)
        case clear
    }

    /// The new username, or `nil` to keep it; a username can be changed but not cleared.
    public let username: Username?
    public let displayName: FieldChange<DisplayName>
    public let statusMessage: FieldChange<StatusMessage>

    public init(
        username: Username? = nil, displayName: FieldChange<DisplayName> = .keep,
        statusMessage: FieldChange<StatusMessage> = .keep
    ) {
        self.username = username
        self.displayName = displayName
        self.statusMessage = statusMessage
    }

    /// The fields a caller may change, as a mask spells them.
    public static let writablePaths: Set<String> = ["username", "display_name", "status_message"]
    /// Most paths in a mask, repetitions included.
    public static let maximumPaths = 32
    /// Longest path in bytes that an error repeats; a longer one is told as `update_mask`.
    static let maximumPathBytes = 64
    /// The fields of a profile that only the service writes.
    public static let readOnlyPaths: Set<String> = ["user_id", "image", "create_time", "update_time", "etag"]

    /// Reads an update mask and the values it selects (google.protobuf.FieldMask, AIP-134).
    ///
    /// A selected field with an empty value is cleared. An empty mask selects the fields that have a value; `*`
    /// selects every writable field. An unknown path is refused (X8), and so is one that only the service writes;
    /// the error names every offending path and every violated field at once. A text with too many bytes is refused whether or not it is
    /// selected.
    public init(
        paths: [String], username: String, displayName: String, statusMessage: String, rules: UsernameRules
    ) throws(ValidationError) {
        guard paths.count <= Self.maximumPaths else {
            throw ValidationError(field: "update_mask", reason: .tooManyItems, limit: Self.maximumPaths)
        }
        var violations: [FieldViolation] = []
        var selected: Set<String> = []
        for path in paths {
            if path.utf8.count > Self.maximumPathBytes {
                violations.append(FieldViolation(field: "update_mask", reason: .fieldUnknown))
            } else if path == "*" {
                selected.formUnion(Self.writablePaths)
            } else if Self.writablePaths.contains(path) {
                selected.insert(path)
            } else {
                let isReadOnly = Self.readOnlyPaths.contains(path.prefix { $0 != "." }.description)
                violations.append(FieldViolation(field: path, reason: isReadOnly ? .fieldReadOnly : .fieldUnknown))
            }
        }
        if paths.isEmpty {
            if !username.isEmpty { selected.insert("username") }
            if !displayName.isEmpty { selected.insert("display_name") }
            if !statusMessage.isEmpty { selected.insert("status_message") }
        }

        if username.utf8.count > rules.maximumBytes { selected.insert("username") }
        if DisplayName.isTooLong(displayName) { selected.insert("display_name") }
        if StatusMessage.isTooLong(statusMessage) { selected.insert("status_message") }
        var newUsername: Username?
        if selected.contains("username") {
            let verdict = rules.judge(username)
            violations += verdict.violations
            newUsername = verdict.username
        }
        let newName: FieldChange<DisplayName>? = violations.collecting { () throws(ValidationError) in
            guard selected.contains("display_name") else { return .keep }
            return displayName.isEmpty ? .clear : .set(try DisplayName(displayName))
        }
        let newMessage: FieldChange<StatusMessage>? = violations.collecting { () throws(ValidationError) in
            guard selected.contains("status_message") else { return .keep }
            return statusMessage.isEmpty ? .clear : .set(try StatusMessage(statusMessage))
        }
        guard violations.isEmpty, let newName, let newMessage else { throw ValidationError(violations) }
        self.init(username: newUsername, displayName: newName, statusMessage: newMessage)
    }

    /// The fields of `profile` after this change.
    public func applied(to profile: Profile) -> ProfileDraft {
        ProfileDraft(
            username: username ?? profile.username,
            displayName: displayName.applied(to: profile.displayName, empty: .empty),
            statusMessage: statusMessage.applied(to: profile.statusMessage, empty: .empty))
    }
}

extension ProfileChange.FieldChange {
    func applied(to value: Value, empty: Value) -> Value {
        switch self {
        case .keep: value
        case .set(let new): new
        case .clear: empty
        }
    }
}
