import PulseBoardVocabulary

/// The id of a diary entry. The device that writes the entry makes the id, so writing needs no server.
public struct DiaryEntryID: UUIDIdentifier {
    public let bits: UUIDBits
    public init(bits: UUIDBits) { self.bits = bits }
}

/// The id of a device that writes a diary: one directory of one user on one machine.
public struct DiaryDeviceID: UUIDIdentifier {
    public let bits: UUIDBits
    public init(bits: UUIDBits) { self.bits = bits }

    /// The device of the server's own writes. No client can register it.
    public static let server = DiaryDeviceID(bits: UUIDBits(high: 0, low: 1))
}

/// One entry of a diary, as its owner sees it (B22, B35).
public struct DiaryEntry: Hashable, Sendable {
    public let id: DiaryEntryID
    /// What the owner wrote.
    public let content: DiaryContent
    /// When the entry was created, by the clock of the device.
    public let createTime: Timestamp
    /// When it was last changed; equal to `createTime` until then.
    public let updateTime: Timestamp
    /// A token of the entry's state. It changes with every change, and is equal on all devices that have the same state.
    public let etag: Etag

    public init(id: DiaryEntryID, content: DiaryContent, createTime: Timestamp, updateTime: Timestamp, etag: Etag) {
        self.id = id
        self.content = content
        self.createTime = createTime
        self.updateTime = updateTime
        self.etag = etag
    }
}

/// What the owner of a diary writes into one entry: a value for each ``DiaryField``.
public struct DiaryContent: Hashable, Sendable {
    /// The instant that the entry is about. Lists are sorted by it.
    public let entryTime: Timestamp
    /// What the owner felt: a word that the app defines, such as `calm`. Empty for none.
    public let emotion: String
    /// In NFC.
    public let text: String
    /// The entry's pictures in the owner's order, each once, at most ``DiaryLimits/maximumImages``.
    public let images: [DiaryImage]

    /// Checks all fields.
    /// - Throws: `ValidationError` with every rule that is broken, for the fields `entry_time`, `emotion`, `text` and `images`.
    public init(entryTime: Timestamp, emotion: String, text: String, images: [DiaryImage] = []) throws(ValidationError) {
        var violations: [FieldViolation] = []
        let values = [DiaryValue.time(entryTime), .emotion(emotion), .text(text), .images(images)].compactMap { value in
            do throws(ValidationError) { return try value.checked() } catch {
                violations += error.violations
                return nil
            }
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
        self.init(stored: entryTime, emotion: emotion, text: values[2].writtenText ?? text, images: images)
    }

    /// Checks the content again. Use it for content that came from outside.
    public func checked() throws(ValidationError) -> DiaryContent {
        try DiaryContent(entryTime: entryTime, emotion: emotion, text: text, images: images)
    }

    /// Takes stored content without checking it: the rules may have changed since it was written.
    public init(stored entryTime: Timestamp, emotion: String, text: String, images: [DiaryImage] = []) {
        self.entryTime = entryTime
        self.emotion = emotion
        self.text = text
        self.images = images
    }

    /// Whether all fields have the same bytes.
    public static func == (one: DiaryContent, other: DiaryContent) -> Bool { DiaryField.allCases.allSatisfy { one[$0] == other[$0] } }

    public func hash(into hasher: inout Hasher) {
        for field in DiaryField.allCases { hasher.combine(self[field]) }
    }

    /// The value of one field.
    public subscript(field: DiaryField) -> DiaryValue {
        switch field {
        case .entryTime: .time(entryTime)
        case .emotion: .emotion(emotion)
        case .text: .text(text)
        case .images: .images(images)
        }
    }
}

/// A change of some fields of an entry. A field that is `nil` stays.
public struct DiaryChange: Hashable, Sendable {
    /// The checked values of the fields that change.
    public let values: [DiaryField: DiaryValue]

    /// - Throws: `ValidationError` with every rule that is broken.
    public init(
        entryTime: Timestamp? = nil, emotion: String? = nil, text: String? = nil, images: [DiaryImage]? = nil
    ) throws(ValidationError) {
        var violations: [FieldViolation] = []
        var values: [DiaryField: DiaryValue] = [:]
        let given = [entryTime.map(DiaryValue.time), emotion.map(DiaryValue.emotion), text.map(DiaryValue.text), images.map(DiaryValue.images)]
        for value in given {
            guard let value else { continue }
            do throws(ValidationError) { values[value.field] = try value.checked() } catch { violations += error.violations }
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
        self.values = values
    }
}

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

    /// The field with this path, or `nil`.
    public init?(path: String) {
        guard let field = Self.allCases.first(where: { $0.path == path }) else { return nil }
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

    /// Bytes that count towards ``DiaryLimits/maximumTotalBytes`` and ``DiaryLimits/maximumPageBytes``: the bytes of texts, and 64 for each picture's name.
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
            guard images.allSatisfy(\.isPermitted), Set(images.map(\.hash)).count == images.count else {
                throw ValidationError(field: field.path, reason: .imageInvalid)
            }
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

/// Limits of a diary. Everything that a caller can send has one of these bounds.
public enum DiaryLimits {
    /// Characters of a text, 0…10,000.
    public static let maximumTextCharacters = 10_000
    /// Bytes of a text in UTF-8 and NFC.
    public static let maximumTextBytes = 40_000
    /// Bytes of an emotion's name. It consists of the letters a to z and underscores.
    public static let maximumEmotionBytes = 32
    /// Years 1 to 9999, the range of `google.protobuf.Timestamp`, in microseconds.
    public static let entryTimes: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999
    /// Entries of an owner that are not deleted.
    public static let maximumEntries: Int64 = 20_000
    /// Entries of an owner, including remembered deleted ones.
    public static let maximumRows: Int64 = 40_000
    /// Pictures of an entry.
    public static let maximumImages = 4
    /// Bytes of a picture: 5 MiB.
    public static let maximumImageBytes = 5 << 20
    /// Pictures of an owner, including those that wait for an entry.
    public static let maximumStoredImages: Int64 = 10_000
    /// Bytes of all pictures of an owner: 1 GiB.
    public static let maximumStoredImageBytes: Int64 = 1 << 30
    /// Bytes of one part. Pictures are stored and sent in parts.
    public static let imagePartBytes = 256 << 10
    /// How long a picture without an entry is kept: while it waits for its entry, or after its last entry dropped it.
    public static let unusedImageLifetime = Timestamp.Interval.hours(24)
    /// Names of pictures in one request: as many as the longest push has.
    public static let maximumImageNames = 400
    /// Bytes of all texts of an owner, including those in conflicts: 64 MiB.
    public static let maximumTotalBytes: Int64 = 64 << 20
    /// Devices of an owner.
    public static let maximumDevices: Int64 = 32
    /// Bytes of a device's name in UTF-8.
    public static let maximumDeviceNameBytes = 100
    /// Conflicts that are kept for one entry.
    public static let maximumConflicts = 32
    /// Mutations in one push.
    public static let maximumBatch = 100
    /// Bytes of the mutations in one push, as they are stored: 1 MiB. One mutation always fits.
    public static let maximumBatchBytes = 1 << 20
    /// Bytes of rows, with their conflicts, that one transaction of a push reads and writes: 16 MiB. The rest of the push follows in further
    /// transactions, so that other users' writes come between them. A push of entries without conflicts takes one transaction.
    public static let maximumTransactionBytes = 16 << 20
    /// Results of a device that the server keeps for a repeated push: enough for the last two pushes.
    public static let keptResults: Int64 = 200
    /// Rows on one page of changes: the maximum and the default.
    public static let maximumChanges = 500
    /// Bytes of text after which a page of entries or changes ends: 1 MiB. A page has at least one row of any length.
    public static let maximumPageBytes = 1 << 20
    /// Entries that one page of a search looks at, at most. Then the page ends, and may be empty. It bounds the work of a search.
    public static let maximumScannedEntries = 4_000
    /// Bytes of entries that one page of a search looks at, at most: 8 MiB.
    public static let maximumScannedBytes = 8 << 20
    /// How far a stamp may be ahead of the server's clock.
    public static let maximumSkew = Timestamp.Interval.hours(24)
    /// How far a stamp may be ahead of the newest one in the diary, wherever that is. It is enough for a million edits of one device.
    public static let stepPastSeenStamps = Timestamp.Interval.seconds(1)
    /// How long a deleted entry is remembered, so that other devices learn of the deletion.
    public static let tombstoneLifetime = Timestamp.Interval.days(90)
    /// Characters of a search text.
    public static let maximumQueryCharacters = 100
}
