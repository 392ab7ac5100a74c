import PulseBoardVocabulary

/// A username as its owner wrote it (in NFC), together with the key that makes it unique.
///
/// Only `UsernameRules` makes one from a request, so a `Username` in hand has passed every rule (B18, X15).
public struct Username: Hashable, Sendable, CustomStringConvertible {
    /// The name as shown, in NFC.
    public let text: String
    /// The case-folded name: two users cannot have the same key.
    public let key: String
    /// What the name looks like. Nobody may take a name whose skeleton is that of somebody else's name.
    public var skeleton: String { key.usernameSkeleton }

    init(normalized text: String) {
        self.text = text
        key = text.uniquenessKey
    }

    private init(text: String, key: String) {
        self.text = text
        self.key = key
    }

    /// Reads a stored name. `nil` means that the row is corrupt: the alphabet or the key is wrong. The length and
    /// reserved names are not checked, because those rules may have changed since.
    public init?(storedText: String, storedKey: String) {
        if Self.isKey(storedKey, ofASCII: storedText) {
            self.init(text: storedText, key: storedKey)
            return
        }
        guard !storedText.isEmpty, storedText.unicodeScalars.allSatisfy(UsernameRules.alphabetContains) else {
            return nil
        }
        self.init(normalized: storedText)
        guard key == storedKey else { return nil }
    }

    /// Whether a name has only ASCII letters, digits and underscores, and the key is the same in small letters. Most names are so, and this needs no
    /// table.
    private static func isKey(_ key: String, ofASCII text: String) -> Bool {
        let text = text.utf8Span.span, key = key.utf8Span.span
        guard !text.isEmpty, text.count == key.count else { return false }
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                guard key[index] == byte else { return false }
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                guard key[index] == byte | 0x20 else { return false }
            default: return false
            }
        }
        return true
    }

    public var description: String { text }
}

/// The rules for usernames (B18, X15): `^[a-zA-Z0-9가-힣_]+$`, 2…9 characters, not reserved.
///
/// The text is converted to NFC first, so decomposed Hangul is accepted. Every broken rule is reported, in this order:
/// empty, too short, too long, invalid characters, reserved. Whether a name is taken is checked by the store.
public struct UsernameRules: Sendable {
    /// Permitted length in characters (grapheme clusters), ``defaultLength`` unless configured.
    public let length: ClosedRange<Int>
    /// Maximum bytes of UTF-8 before composing, at least 256. No valid name has more, even in decomposed Hangul (9 bytes a syllable). Longer
    /// texts are refused without looking at their characters.
    public let maximumBytes: Int
    private let reservedSkeletons: Set<String>
    private let reservedDisplayNames: Set<[UInt8]>

    /// The length in characters where nothing else is configured.
    public static let defaultLength = 2...9

    /// - Parameter reserved: names that nobody may take, in either case and in any look-alike spelling.
    public init(length: ClosedRange<Int> = defaultLength, reserved: some Sequence<String> = UsernameRules.defaultReserved) {
        precondition(length.lowerBound >= 1, "a username has at least one character")
        self.length = length
        maximumBytes = max(256, 9 * length.upperBound)
        reservedSkeletons = Set(reserved.map(Self.skeleton))
        reservedDisplayNames = Set(reserved.filter { !Self.words.contains($0) }.map { Array($0.displaySkeleton.utf8) })
    }

    /// Names with which a user could pretend to be the service, or that could confuse a client.
    public static let defaultReserved: [String] = accounts + words

    /// Names with which a user could pretend to be the service. They are not permitted as display names either.
    private static let accounts = [
        "admin", "administrator", "root", "system", "pulseboard", "official", "support", "help", "helpdesk",
        "moderator", "mod", "staff", "security",
        "관리자", "운영자", "운영팀", "공식", "고객센터", "시스템", "펄스보드", "탈퇴회원",
    ]

    /// Names with a meaning in addresses and programs. They are permitted as display names.
    private static let words = ["null", "nil", "undefined", "none", "me", "self", "anonymous", "everyone", "익명"]

    /// The result of checking a text.
    public struct Verdict: Hashable, Sendable {
        /// The text in NFC, as it would be stored. Empty for a text of more than `maximumBytes`.
        public let normalized: String
        /// Every broken rule in the fixed order; empty for a well-formed name.
        public let violations: [FieldViolation]
        /// The name, when no rule is broken.
        public let username: Username?
    }

    /// Checks a text. `field` is the path that violations name. A text of more than `maximumBytes` is reported only as too long.
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

    /// Whether a display name looks like the name of a reserved account.
    func isReserved(displayName: String) -> Bool { reservedDisplayNames.contains(Array(displayName.displaySkeleton.utf8)) }

    /// What a username looks like, for comparison with reserved names. Underscores are ignored, because a reader easily overlooks them.
    private static func skeleton(_ name: String) -> String { name.uniquenessKey.filter { $0 != "_" }.usernameSkeleton }
}

/// How long names are kept for their owners. A store has one policy, and applies it in its transactions.
public struct UsernamePolicy: Hashable, Sendable {
    /// How long after a change of the username the next change is refused. Zero refuses none. Changes in the first ``freePeriod`` of a profile do
    /// not count.
    public let cooldown: Timestamp.Interval
    /// How long a former name is kept for its owner. Zero keeps none. A name given up in the first ``freePeriod`` is free at once.
    public let hold: Timestamp.Interval

    /// How long after its creation a profile may change its username freely.
    public static let freePeriod = Timestamp.Interval.days(1)
    /// How long a reserved name waits for its profile.
    public static let leaseLifetime = Timestamp.Interval.seconds(600)
    /// Maximum former names that are kept for one owner. One more frees the oldest. Otherwise, without a cool-down, a user could collect names.
    public static let heldNamesPerUser = 10
    /// Maximum reservations of a user in an hour.
    public static let leasesPerHour = 20
    /// Permitted length of the cool-down and of the hold, in days.
    public static let days: ClosedRange<Int64> = 0...3_650

    /// 30 days between changes, and 60 days for a former name.
    public static let standard = UsernamePolicy(cooldown: .days(30), hold: .days(60))

    public init(cooldown: Timestamp.Interval, hold: Timestamp.Interval) {
        self.cooldown = cooldown
        self.hold = hold
    }
}

/// A username that belongs to a user, and why.
public struct ClaimedUsername: Hashable, Sendable {
    /// Why a name belongs to somebody. Stores keep the numbers.
    public enum Kind: Int64, Sendable {
        /// A profile has it.
        case owned = 0
        /// It was given up and is held for its former owner.
        case held = 1
        /// It was reserved.
        case leased = 2
    }

    /// The name as names are compared, in small letters.
    public let key: String
    public let kind: Kind
    /// When it was taken or reserved.
    public let takeTime: Timestamp
    /// Until when nobody else can take it; `nil` while a profile has it.
    public let expireTime: Timestamp?

    public init(key: String, kind: Kind, takeTime: Timestamp, expireTime: Timestamp?) {
        self.key = key
        self.kind = kind
        self.takeTime = takeTime
        self.expireTime = expireTime
    }
}

/// A username that is kept for a user who has not taken it yet.
public struct UsernameLease: Hashable, Sendable {
    public let username: Username
    /// Until when nobody else can take it; `nil` when it is the user's own.
    public let expireTime: Timestamp?

    public init(username: Username, expireTime: Timestamp?) {
        self.username = username
        self.expireTime = expireTime
    }
}
