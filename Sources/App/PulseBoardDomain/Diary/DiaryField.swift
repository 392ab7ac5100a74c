import PulseBoardVocabulary

/// A field of an entry. Each field is merged by itself. Stores keep the numbers.
public enum DiaryField: UInt8, Sendable, Hashable, CaseIterable, Comparable {
    case entryTime = 1
    case emotion = 2
    case text = 3
    /// Sent and stored only for rows that have had pictures. In other rows its stamp is ``DiaryStamp/none``, so a client without pictures sees them
    /// as before.
    case images = 4

    /// The field's name in requests and masks.
    public var path: String {
        switch self {
        case .entryTime: "entry_time"
        case .emotion: "emotion"
        case .text: "text"
        case .images: "images"
        }
    }

    /// The field with this path, or `nil`. Bytes are compared, because a caller may send any text.
    public init?(path: String) {
        guard let field = Self.allCases.first(where: { $0.path.hasSameBytes(as: path) }) else { return nil }
        self = field
    }

    public static func < (one: DiaryField, other: DiaryField) -> Bool { one.rawValue < other.rawValue }
}

/// The value of a field.
public enum DiaryValue: Hashable, Sendable {
    case time(Timestamp)
    case emotion(String)
    case text(String)
    case images([DiaryImage])

    /// The field of the value.
    public var field: DiaryField {
        switch self {
        case .time: .entryTime
        case .emotion: .emotion
        case .text: .text
        case .images: .images
        }
    }

    /// Bytes that count towards ``DiaryLimits/maximumTotalBytes`` and ``DiaryLimits/maximumPageBytes``: the bytes of texts, and 64 for each
    /// picture's name.
    public var byteCount: Int {
        switch self {
        case .time: 0
        case .emotion(let text), .text(let text): text.utf8.count
        case .images(let images): 64 * images.count
        }
    }

    /// The emotion or the text; `nil` for a time and for pictures.
    public var writtenText: String? {
        switch self {
        case .time, .images: nil
        case .emotion(let text), .text(let text): text
        }
    }

    /// Whether two values have the same bytes. Texts that are only canonically equivalent are different edits.
    public static func == (one: DiaryValue, other: DiaryValue) -> Bool {
        switch (one, other) {
        case (.time(let one), .time(let other)): one == other
        case (.emotion(let one), .emotion(let other)), (.text(let one), .text(let other)): one.hasSameBytes(as: other)
        case (.images(let one), .images(let other)): one == other
        default: false
        }
    }

    /// It reads the beginning of a text, because comparing tells the rest apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(field)
        switch self {
        case .time(let time): hasher.combine(time)
        case .emotion(let text), .text(let text):
            hasher.combine(text.utf8.count)
            for byte in text.utf8.prefix(64) { hasher.combine(byte) }
        case .images(let images): hasher.combine(images)
        }
    }

    /// The checked value in its stored form: a text in NFC.
    /// - Throws: `ValidationError` with every rule that it breaks (``DiaryLimits``).
    public func checked() throws(ValidationError) -> DiaryValue {
        switch self {
        case .time(let time):
            guard DiaryLimits.entryTimes.contains(time.microseconds) else { throw ValidationError(field: field.path, reason: .entryTimeInvalid) }
            return self
        case .emotion(let name):
            let isName = name.utf8.count <= DiaryLimits.maximumEmotionBytes
                && name.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_") }
            guard isName else { throw ValidationError(field: field.path, reason: .emotionInvalid, limit: DiaryLimits.maximumEmotionBytes) }
            return self
        case .text(let text): return .text(try Self.checked(text))
        case .images(let images):
            guard images.count <= DiaryLimits.maximumImages else {
                throw ValidationError(field: field.path, reason: .tooManyItems, limit: DiaryLimits.maximumImages)
            }
            let violations = DiaryImage.violations(of: images, field: field.path)
            guard violations.isEmpty else { throw ValidationError(violations) }
            return self
        }
    }

    private static func checked(_ text: String) throws(ValidationError) -> String {
        let path = DiaryField.text.path
        guard text.mayCompose(within: DiaryLimits.maximumTextBytes) else {
            throw ValidationError(field: path, reason: .diaryTextTooLong, limit: DiaryLimits.maximumTextCharacters)
        }
        let normalized = text.normalizedNFC
        var violations: [FieldViolation] = []
        // A text has at least as many bytes as characters, so those of most texts need not be counted.
        let isLong = normalized.utf8.count > DiaryLimits.maximumTextCharacters
        if isLong, normalized.utf8.count > DiaryLimits.maximumTextBytes || normalized.count > DiaryLimits.maximumTextCharacters {
            violations.append(FieldViolation(field: path, reason: .diaryTextTooLong, limit: DiaryLimits.maximumTextCharacters))
        }
        if normalized.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" && $0 != "\t" }) {
            violations.append(FieldViolation(field: path, reason: .diaryTextInvalidCharacters))
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
        return normalized
    }
}
