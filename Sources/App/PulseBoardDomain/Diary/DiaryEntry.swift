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
