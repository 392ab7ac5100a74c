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
    /// - Throws: `ValidationError` with every field that is malformed, such as `images[1].sha256`.
    public func pictures() throws(ValidationError) -> [DiaryImage] {
        let field = DiaryField.images.path
        guard images.count <= DiaryLimits.maximumImages else {
            throw ValidationError(field: field, reason: .tooManyItems, limit: DiaryLimits.maximumImages)
        }
        var violations: [FieldViolation] = []
        var pictures: [DiaryImage] = []
        for (index, image) in images.enumerated() {
            do throws(ValidationError) { pictures.append(try DiaryImage(image, field: "\(field)[\(index)]")) } catch {
                violations += error.violations
            }
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
        return pictures
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
        guard let image = try? DiaryImage(message, field: DiaryField.images.path) else { return nil }
        self = image
    }

    /// Reads the name of a picture. A later version may have more types.
    /// - Parameter field: the path of the message.
    /// - Throws: `ValidationError` for `sha256`, `content_type` and `size_bytes` in it.
    fileprivate init(_ message: PBDiaryImage, field: String) throws(ValidationError) {
        let hash = DiaryImageHash(bytes: message.sha256)
        var violations: [FieldViolation] = []
        if hash == nil { violations.append(FieldViolation(field: "\(field).sha256", reason: .identifierInvalid)) }
        switch message.contentType.utf8.count {
        case 0: violations.append(FieldViolation(field: "\(field).content_type", reason: .fieldMissing))
        case 1...32: break
        default: violations.append(FieldViolation(field: "\(field).content_type", reason: .imageFormatUnsupported))
        }
        if let violation = Self.violation(ofByteCount: message.sizeBytes, at: field) { violations.append(violation) }
        guard let hash, violations.isEmpty else { throw ValidationError(violations) }
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

    /// Fields of an entry that only the server writes.
    private static let readOnlyPaths: Set<String> = ["id", "create_time", "update_time", "etag"]

    /// The fields of a mask.
    /// - Throws: `ValidationError` with every unknown path, which is the violated field.
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
                violations.append(.refusedPath(path, readOnly: Self.readOnlyPaths))
            }
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
        return fields
    }
}
