import PulseBoardVocabulary

/// A username as its owner wrote it (in NFC), together with the key that makes it unique.
///
/// Only `UsernameRules` makes one from a request, so a `Username` in hand has passed every rule (B18, X15).
public struct Username: Hashable, Sendable, CustomStringConvertible {
    /// The name as shown, in NFC.
    public let text: String
    /// The case-folded name: two users cannot have the same key.
    public let key: String
    /// What the name looks like: nobody may take a name that has the skeleton of somebody else's.
    public var skeleton: String { key.usernameSkeleton }

    init(normalized text: String) {
        self.text = text
        key = text.uniquenessKey
    }

    /// Reads a stored name. The store's row is corrupt when this gives `nil`: the alphabet and the key are checked,
    /// the length and the reserved names are not, because those may have changed since the name was given.
    public init?(storedText: String, storedKey: String) {
        guard !storedText.isEmpty, storedText.unicodeScalars.allSatisfy(UsernameRules.alphabetContains) else {
            return nil
        }
        self.init(normalized: storedText)
        guard key == storedKey else { return nil }
    }

    public var description: String { text }
}

/// The rules a username obeys (B18, X15): `^[a-zA-Z0-9가-힣_]+$`, 2…9 characters, not reserved.
///
/// The text is brought to NFC first, so Hangul typed or stored decomposed is accepted. Then every broken rule is
/// reported in the fixed order empty, too short, too long, invalid characters, reserved; "duplicated" is the store's
/// to say.
public struct UsernameRules: Sendable {
    /// Permitted length in characters (grapheme clusters), 2…9 unless configured.
    public let length: ClosedRange<Int>
    /// Most bytes of UTF-8 that a text may have to be judged by its characters: no well-formed name has more, not even one of Hangul letters
    /// that are not composed yet (9 bytes a syllable). At least 256.
    public let maximumBytes: Int
    private let reservedSkeletons: Set<String>
    private let reservedDisplayNames: Set<String>

    /// - Parameter reserved: names nobody may take, in any case and in any look-alike spelling of them.
    public init(length: ClosedRange<Int> = 2...9, reserved: some Sequence<String> = UsernameRules.defaultReserved) {
        precondition(length.lowerBound >= 1, "a username has at least one character")
        self.length = length
        maximumBytes = max(256, 9 * length.upperBound)
        reservedSkeletons = Set(reserved.map(Self.skeleton))
        reservedDisplayNames = Set(reserved.filter { !Self.words.contains($0) }.map(\.displaySkeleton))
    }

    /// Names that would let a user pass for the service or break a client.
    public static let defaultReserved: [String] = accounts + words

    /// Names that would let a user pass for the service: nobody may have one as a display name either.
    private static let accounts = [
        "admin", "administrator", "root", "system", "pulseboard", "official", "support", "help", "helpdesk",
        "moderator", "mod", "staff", "security",
        "관리자", "운영자", "운영팀", "공식", "고객센터", "시스템", "펄스보드", "탈퇴회원",
    ]

    /// Names that mean something in addresses and programs. As display names they mislead nobody.
    private static let words = ["null", "nil", "undefined", "none", "me", "self", "anonymous", "everyone", "익명"]

    /// What the rules say about a text.
    public struct Verdict: Hashable, Sendable {
        /// The text in NFC: what would be stored; empty for a text of more than `maximumBytes`.
        public let normalized: String
        /// Every broken rule in the fixed order; empty for a well-formed name.
        public let violations: [FieldViolation]
        /// The name, when no rule is broken.
        public let username: Username?
    }

    /// Judges a text. `field` is the path that violations name. A text of more than `maximumBytes` is too long, and nothing else is said
    /// of it.
    public func judge(_ text: String, field: String = "username") -> Verdict {
        guard text.utf8.count <= maximumBytes else {
            let violation = FieldViolation(field: field, reason: .usernameTooLong, limit: length.upperBound)
            return Verdict(normalized: "", violations: [violation], username: nil)
        }
        let normalized = text.normalizedNFC
        var violations: [FieldViolation] = []
        func violate(_ reason: Reason, limit: Int? = nil) {
            violations.append(FieldViolation(field: field, reason: reason, limit: limit))
        }
        if normalized.isEmpty {
            violate(.usernameEmpty)
        } else {
            let count = normalized.count
            if count < length.lowerBound { violate(.usernameTooShort, limit: length.lowerBound) }
            if count > length.upperBound { violate(.usernameTooLong, limit: length.upperBound) }
            if !normalized.unicodeScalars.allSatisfy(Self.alphabetContains) { violate(.usernameInvalidCharacters) }
            if reservedSkeletons.contains(Self.skeleton(normalized)) { violate(.usernameReserved) }
        }
        return Verdict(
            normalized: normalized, violations: violations,
            username: violations.isEmpty ? Username(normalized: normalized) : nil)
    }

    /// Whether a scalar may stand in a username.
    fileprivate static func alphabetContains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: Unicode.Scalar.hangulSyllables.contains(scalar)
        }
    }

    /// Whether a display name is, to a reader, the name of a reserved account, however it is spelled.
    func isReserved(displayName: String) -> Bool { reservedDisplayNames.contains(displayName.displaySkeleton) }

    /// What a username looks like beside reserved names. Here an underscore counts for nothing: added to a reserved name, a hurried reader does
    /// not notice it.
    private static func skeleton(_ name: String) -> String { name.uniquenessKey.filter { $0 != "_" }.usernameSkeleton }
}
