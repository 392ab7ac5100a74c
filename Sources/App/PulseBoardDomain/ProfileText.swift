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
