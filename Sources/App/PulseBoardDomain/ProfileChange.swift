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
