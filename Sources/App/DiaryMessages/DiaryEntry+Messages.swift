import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages

extension PBDiaryEntry {
    /// The message of an entry.
    public init(_ entry: DiaryEntry) {
        self.init(
            id: entry.id.description, entryTime: Google_Protobuf_Timestamp(microsecondsSinceEpoch: entry.content.entryTime.microseconds),
            emotion: entry.content.emotion, text: entry.content.text, images: entry.content.images.map { PBDiaryImage($0) },
            createTime: Google_Protobuf_Timestamp(microsecondsSinceEpoch: entry.createTime.microseconds),
            updateTime: Google_Protobuf_Timestamp(microsecondsSinceEpoch: entry.updateTime.microseconds), etag: entry.etag.text)
    }

    /// The message of some fields' values. The others are not set.
    public init(_ values: some Sequence<DiaryValue>) {
        self.init()
        for value in values {
            switch value {
            case .time(let time): entryTime = Google_Protobuf_Timestamp(microsecondsSinceEpoch: time.microseconds)
            case .emotion(let name): emotion = name
            case .text(let text): self.text = text
            case .images(let images): self.images = images.map { PBDiaryImage($0) }
            }
        }
    }

    /// Reads a field's value without checking the rules.
    /// - Throws: `ValidationError` for a time that is missing or out of range, and for malformed pictures.
    public func value(of field: DiaryField) throws(ValidationError) -> DiaryValue {
        switch field {
        case .entryTime: .time(try time())
        case .emotion: .emotion(emotion)
        case .text: .text(text)
        case .images: .images(try pictures())
        }
    }

    /// Reads the content without checking the rules.
    /// - Throws: `ValidationError`, as ``value(of:)``.
    public func content() throws(ValidationError) -> DiaryContent {
        DiaryContent(stored: try time(), emotion: emotion, text: text, images: try pictures())
    }

    /// Reads the pictures without checking the rules.
    /// - Throws: `ValidationError` for the field `images` if one is malformed.
    public func pictures() throws(ValidationError) -> [DiaryImage] {
        let field = DiaryField.images.path
        guard images.count <= DiaryLimits.maximumImages else {
            throw ValidationError(field: field, reason: .tooManyItems, limit: DiaryLimits.maximumImages)
        }
        return try images.map { image throws(ValidationError) in
            guard let image = DiaryImage(image) else { throw ValidationError(field: field, reason: .imageInvalid) }
            return image
        }
    }

    private func time() throws(ValidationError) -> Timestamp {
        guard let entryTime else { throw ValidationError(field: "entry_time", reason: .fieldMissing) }
        guard let microseconds = entryTime.microsecondsSinceEpoch else { throw ValidationError(field: "entry_time", reason: .entryTimeInvalid) }
        return Timestamp(microseconds: microseconds)
    }
}

extension PBDiaryImage {
    /// The message of a picture's name.
    public init(_ image: DiaryImage) {
        self.init(sha256: image.hash.bytes, contentType: image.contentType, sizeBytes: Int64(image.byteCount))
    }
}

extension DiaryImage {
    /// Reads the name of a picture; `nil` for a malformed message.
    public init?(_ message: PBDiaryImage) {
        guard let hash = DiaryImageHash(bytes: message.sha256), (1...Int64(DiaryLimits.maximumImageBytes)).contains(message.sizeBytes),
            message.contentType.utf8.count <= 32
        else { return nil }
        self.init(hash: hash, contentType: message.contentType, byteCount: Int(message.sizeBytes))
    }
}

extension DiaryEntry {
    /// Reads an entry from a server; `nil` for a malformed message.
    public init?(_ message: PBDiaryEntry) {
        guard let id = DiaryEntryID(text: message.id), let content = try? message.content(),
            let create = message.createTime?.microsecondsSinceEpoch, let update = message.updateTime?.microsecondsSinceEpoch
        else { return nil }
        self.init(
            id: id, content: content, createTime: Timestamp(microseconds: create), updateTime: Timestamp(microseconds: update),
            etag: Etag(text: message.etag))
    }
}

extension Google_Protobuf_FieldMask {
    /// The mask of some fields, in their order.
    public init(_ fields: some Sequence<DiaryField>) { self.init(paths: fields.sorted().map(\.path)) }

    /// The fields of a mask.
    /// - Throws: `ValidationError` with every unknown path.
    public func diaryFields() throws(ValidationError) -> Set<DiaryField> {
        // A mask with more paths than there are fields is refused.
        guard !paths.isEmpty else { throw ValidationError(field: "update_mask", reason: .fieldMissing) }
        guard paths.count <= 16 else { throw ValidationError(field: "update_mask", reason: .tooManyItems, limit: 16) }
        var violations: [FieldViolation] = []
        var fields: Set<DiaryField> = []
        for path in paths {
            if let field = DiaryField(path: path) {
                fields.insert(field)
            } else {
                let isReadOnly = ["id", "create_time", "update_time", "etag"].contains(path)
                violations.append(FieldViolation(field: "update_mask", reason: isReadOnly ? .fieldReadOnly : .fieldUnknown))
            }
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
        return fields
    }
}
