import PulseBoardVocabulary

/// What a user shows to others.
public struct Profile: Hashable, Sendable {
    public let id: UserID
    public let username: Username
    /// The texts that the user wrote.
    public let texts: ProfileTexts
    /// The picture, in every ``ImageSize``; `nil` when there is none.
    public let image: ImageID?
    public let createTime: Timestamp
    /// When the profile last changed; equal to `createTime` until then.
    public let updateTime: Timestamp
    /// Changes with every write of the profile.
    public let etag: Etag

    public init(
        id: UserID, username: Username, texts: ProfileTexts, image: ImageID? = nil, createTime: Timestamp, updateTime: Timestamp,
        etag: Etag
    ) {
        self.id = id
        self.username = username
        self.texts = texts
        self.image = image
        self.createTime = createTime
        self.updateTime = updateTime
        self.etag = etag
    }

    /// The display name; empty means "show the username".
    public var displayName: DisplayName { DisplayName(stored: texts[.displayName]) }

    /// The part of the profile that lists show.
    public var summary: UserSummary { UserSummary(id: id, username: username, displayName: displayName, image: image) }
}

/// A user with a profile, as lists, searches and events show them.
public struct UserSummary: Hashable, Sendable {
    public let id: UserID
    public let username: Username
    public let displayName: DisplayName
    /// The picture; `nil` when there is none.
    public let image: ImageID?

    public init(id: UserID, username: Username, displayName: DisplayName, image: ImageID?) {
        self.id = id
        self.username = username
        self.displayName = displayName
        self.image = image
    }
}

/// An opaque token of a resource's state. A caller that sends it with a change asks that nothing has changed since (X6).
public struct Etag: Hashable, Sendable, CustomStringConvertible {
    /// Longest etag in bytes. No store makes a longer one.
    public static let maximumBytes = 64

    public let text: String

    /// Takes what a caller sent. A text that no store made never matches.
    public init(text: String) { self.text = text }

    /// Compares bytes. A caller may send any text, and the time to compare characters grows with the square of a run of combining marks.
    public static func == (one: Etag, other: Etag) -> Bool { one.text.hasSameBytes(as: other.text) }

    /// It reads the beginning, because comparing tells the rest apart.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8.prefix(Self.maximumBytes) { hasher.combine(byte) }
    }

    /// The etag of the `version`-th state of a resource that was made at `updateTime`. The version tells apart two states of one instant. The time
    /// tells apart a state from the one of the same version before a restore, or of a profile that was deleted and made again.
    public init(version: Int64, updateTime: Timestamp) {
        text = String(updateTime.microseconds, radix: 36) + "-" + String(version, radix: 36)
    }

    public var description: String { text }
}

// MARK: Texts

/// A text for each ``ProfileTextField``. A missing text is empty.
public struct ProfileTexts: Hashable, Sendable {
    /// In the order of the fields.
    private var texts: [String]

    /// - Parameter text: gives each field its text.
    public init<Failure>(_ text: (ProfileTextField) throws(Failure) -> String) throws(Failure) {
        texts = []
        texts.reserveCapacity(ProfileTextField.allCases.count)
        for field in ProfileTextField.allCases { texts.append(try text(field)) }
    }

    /// All texts empty.
    public init() { self.init { _ in "" } }

    /// The text of one field.
    public subscript(field: ProfileTextField) -> String {
        get { texts[field.rawValue] }
        set { texts[field.rawValue] = newValue }
    }
}

extension ProfileTexts: ExpressibleByDictionaryLiteral {
    /// Sets the given texts; the others are empty.
    public init(dictionaryLiteral elements: (ProfileTextField, String)...) {
        self.init()
        for (field, text) in elements { self[field] = text }
    }
}

extension ProfileTextField {
    /// The checked text in its stored form: in NFC.
    /// - Parameter rules: the reserved names.
    /// - Throws: `ValidationError` with every rule of the field that it breaks.
    public func checked(_ text: String, rules: UsernameRules) throws(ValidationError) -> String {
        let facts = facts
        guard !hasTooManyBytes(text) else {
            throw ValidationError(field: facts.path, reason: facts.tooManyBytes, limit: facts.maximumBytes)
        }
        let normalized = text.normalizedNFC
        var violations: [FieldViolation] = []
        func violate(_ reason: Reason, limit: Int? = nil) {
            violations.append(FieldViolation(field: facts.path, reason: reason, limit: limit))
        }
        if normalized.characterCount > facts.maximumCharacters { violate(facts.tooLong, limit: facts.maximumCharacters) }
        if normalized.utf8.count > facts.maximumBytes { violate(facts.tooManyBytes, limit: facts.maximumBytes) }
        if normalized.unicodeScalars.contains(where: { $0.isControl && !(facts.mayHaveLineBreaks && $0 == "\n") }) {
            violate(facts.invalidCharacters)
        } else if facts.isName, !normalized.isEmpty {
            if !normalized.unicodeScalars.contains(where: \.isVisible) { violate(.displayNameInvisible) }
            if rules.isReserved(displayName: normalized) { violate(.displayNameReserved) }
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
        return normalized
    }

    /// Whether a text has too many bytes. Decides without looking at its characters.
    fileprivate func hasTooManyBytes(_ text: String) -> Bool { !text.mayCompose(within: facts.maximumBytes) }
}

/// The display name of a profile (``ProfileTextField/displayName``) in lists and events. Empty means "show the username".
public struct DisplayName: Hashable, Sendable, CustomStringConvertible {
    /// The name in NFC.
    public let text: String

    /// - Throws: `ValidationError` with every broken rule for the field `display_name`.
    public init(_ text: String, rules: UsernameRules = UsernameRules()) throws(ValidationError) {
        self.text = try ProfileTextField.displayName.checked(text, rules: rules)
    }

    /// Takes a stored name as it is: the rules may have changed since it was written.
    public init(stored text: String) { self.text = text }

    public var description: String { text }
}

// MARK: Making and changing a profile

/// A new profile that has passed every rule.
public struct ProfileDraft: Hashable, Sendable {
    public let username: Username
    public let texts: ProfileTexts
    /// The picture: staged by the user, or the present one.
    public let image: ImageID?

    public init(username: Username, texts: ProfileTexts = ProfileTexts(), image: ImageID? = nil) {
        self.username = username
        self.texts = texts
        self.image = image
    }

    /// Checks all fields of a request.
    /// - Throws: `ValidationError` with every violation of every field.
    /// - Parameter imageID: the id of a staged picture; empty for none.
    public init(username: String, texts: ProfileTexts, imageID: String = "", rules: UsernameRules) throws(ValidationError) {
        let verdict = rules.judge(username)
        var violations = verdict.violations
        let checked = ProfileTexts { field in
            violations.collecting { () throws(ValidationError) in try field.checked(texts[field], rules: rules) } ?? ""
        }
        var image: ImageID?
        if !imageID.isEmpty {
            image = violations.collecting { () throws(ValidationError) in try ImageID.parse(imageID, field: ImageID.field) }
        }
        guard let username = verdict.username, violations.isEmpty else { throw ValidationError(violations) }
        self.init(username: username, texts: checked, image: image)
    }
}

/// A partial change of a profile. Each field is kept or set (B5, X5). An empty text clears a text.
public struct ProfileChange: Hashable, Sendable {
    /// The new username, or `nil` to keep it; a username can be changed but not cleared.
    public let username: Username?
    /// The new texts. A field that is absent is kept.
    public let texts: [ProfileTextField: String]
    /// The change of the picture.
    public let image: ImageChange

    /// A change of a profile's picture.
    public enum ImageChange: Hashable, Sendable {
        case keep
        /// A staged picture replaces the present one.
        case attach(ImageID)
        case clear
    }

    public init(username: Username? = nil, texts: [ProfileTextField: String] = [:], image: ImageChange = .keep) {
        self.username = username
        self.texts = texts
        self.image = image
    }

    /// The path of the username in a mask.
    private static let usernamePath = "username"
    /// The path of the picture in a mask. An empty mask does not select it, because a profile that a client has read does not contain the id to send
    /// back.
    private static let imagePath = "image"
    /// Maximum paths in a mask, including repeated ones.
    public static let maximumPaths = 32
    /// Fields of a profile that only the service writes.
    public static let readOnlyPaths: Set<String> = ["user_id", "create_time", "update_time", "etag"]

    /// Reads an update mask and the values it selects (google.protobuf.FieldMask, AIP-134).
    ///
    /// A selected field with an empty value is cleared. An empty mask selects the fields that have a value. An unknown path (X8), a read-only path
    /// and `*` are refused; the meaning of `*` would change with every new field. The error names every wrong path and every violated field. A text
    /// with too many bytes is refused even if it is not selected.
    /// - Parameter imageID: the id of the new picture if the mask selects it; an empty text clears the picture.
    public init(
        paths: [String], username: String, texts: ProfileTexts, imageID: String = "", rules: UsernameRules
    ) throws(ValidationError) {
        guard paths.count <= Self.maximumPaths else {
            throw ValidationError(field: "update_mask", reason: .tooManyItems, limit: Self.maximumPaths)
        }
        var violations: [FieldViolation] = []
        var selection = Selection()
        for path in paths where !selection.add(path) { violations.append(.refusedPath(path, readOnly: Self.readOnlyPaths)) }
        if paths.isEmpty {
            selection.username = !username.isEmpty
            selection.texts = Set(ProfileTextField.allCases.filter { !texts[$0].isEmpty })
        }
        if username.utf8.count > rules.maximumBytes { selection.username = true }
        selection.texts.formUnion(ProfileTextField.allCases.filter { $0.hasTooManyBytes(texts[$0]) })

        var newUsername: Username?
        if selection.username {
            let verdict = rules.judge(username)
            violations += verdict.violations
            newUsername = verdict.username
        }
        var newTexts: [ProfileTextField: String] = [:]
        for field in ProfileTextField.allCases where selection.texts.contains(field) {
            newTexts[field] = violations.collecting { () throws(ValidationError) in try field.checked(texts[field], rules: rules) }
        }
        var image = ImageChange.keep
        if selection.image {
            image = .clear
            if !imageID.isEmpty, let id = violations.collecting({ () throws(ValidationError) in try ImageID.parse(imageID, field: ImageID.field) }) {
                image = .attach(id)
            }
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
        self.init(username: newUsername, texts: newTexts, image: image)
    }

    /// The fields that a mask selects.
    private struct Selection {
        var username = false
        var texts: Set<ProfileTextField> = []
        var image = false

        /// - Returns: whether the path selects something.
        mutating func add(_ path: String) -> Bool {
            guard path.utf8.count <= FieldViolation.maximumPathBytes else { return false }
            if path == ProfileChange.usernamePath {
                username = true
            } else if let field = ProfileTextField(path: path) {
                texts.insert(field)
            } else if path == ProfileChange.imagePath {
                image = true
            } else {
                return false
            }
            return true
        }
    }

    /// The fields of `profile` after this change.
    public func applied(to profile: Profile) -> ProfileDraft {
        let newImage: ImageID? =
            switch image {
            case .keep: profile.image
            case .attach(let id): id
            case .clear: nil
            }
        return ProfileDraft(
            username: username ?? profile.username, texts: ProfileTexts { texts[$0] ?? profile.texts[$0] }, image: newImage)
    }
}

extension [FieldViolation] {
    /// Runs one check. Adds its violations, or returns its value if there are none.
    package mutating func collecting<Value>(_ check: () throws(ValidationError) -> Value) -> Value? {
        do {
            return try check()
        } catch {
            append(contentsOf: error.violations)
            return nil
        }
    }
}
