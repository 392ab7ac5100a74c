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
