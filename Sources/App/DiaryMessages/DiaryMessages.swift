import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import RPCCore

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

    /// Reads the time without checking the rules.
    /// - Throws: `ValidationError` for a time that is missing or out of range.
    public func time() throws(ValidationError) -> Timestamp {
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

extension PBDiaryStamp {
    /// The message of a stamp.
    public init(_ stamp: DiaryStamp) { self.init(time: stamp.time, deviceID: stamp.device.description) }
}

extension DiaryStamp {
    /// Reads a stamp.
    /// - Throws: `ValidationError` for the field `stamp` or `stamp.device_id`.
    public init(_ message: PBDiaryStamp?) throws(ValidationError) {
        guard let message else { throw ValidationError(field: "stamp", reason: .fieldMissing) }
        // The stamp of a field that nobody has written.
        guard message.time != 0 || !message.deviceID.isEmpty else {
            self = .none
            return
        }
        self.init(time: message.time, device: try DiaryDeviceID.parse(message.deviceID, field: "stamp.device_id"))
    }
}

extension PBDiaryFieldStamp {
    /// The message of a field's stamp.
    public init(_ name: DiaryFieldStamp) { self.init(field: name.field.path, stamp: PBDiaryStamp(name.stamp)) }

    /// The messages of several stamps, in their order.
    public static func list(_ names: some Sequence<DiaryFieldStamp>) -> [PBDiaryFieldStamp] {
        names.sorted { ($0.field, $0.stamp) < ($1.field, $1.stamp) }.map { PBDiaryFieldStamp($0) }
    }
}

extension DiaryFieldStamp {
    /// Reads a field's stamp.
    /// - Throws: `ValidationError` for the field `field` or `stamp`.
    public init(_ message: PBDiaryFieldStamp) throws(ValidationError) {
        guard let field = DiaryField(path: message.field) else { throw ValidationError(field: "field", reason: .fieldUnknown) }
        self.init(field, try DiaryStamp(message.stamp))
    }

    /// Reads several stamps.
    /// - Throws: `ValidationError` for a field in one of them, such as `bases[1].stamp`, and for more than `limit`.
    public static func list(_ messages: [PBDiaryFieldStamp], limit: Int, field: String) throws(ValidationError) -> [DiaryFieldStamp] {
        guard messages.count <= limit else { throw ValidationError(field: field, reason: .tooManyItems, limit: limit) }
        var stamps: [DiaryFieldStamp] = []
        for (index, message) in messages.enumerated() {
            do throws(ValidationError) { stamps.append(try DiaryFieldStamp(message)) } catch { throw error.inside("\(field)[\(index)]") }
        }
        return stamps
    }
}

extension PBDiaryMutation {
    /// The message of a mutation.
    public init(_ numbered: NumberedDiaryMutation) {
        let mutation = numbered.mutation
        let change: OneOf_Change =
            switch mutation.kind {
            case .create(let content): .create(PBDiaryEntry(DiaryField.allCases.map { content[$0] }))
            case .patch(let patch):
                .patch(PBDiaryPatch(
                    entry: PBDiaryEntry(patch.values.values), updateMask: Google_Protobuf_FieldMask(patch.values.keys),
                    bases: PBDiaryFieldStamp.list(patch.bases.map { DiaryFieldStamp($0.key, $0.value) }),
                    covers: PBDiaryFieldStamp.list(patch.covers)))
            case .delete(let seen): .delete(PBDiaryDelete(seen: PBDiaryFieldStamp.list(seen.map { DiaryFieldStamp($0.key, $0.value) })))
            case .dismiss(let covers): .dismiss(PBDiaryDismiss(covers: PBDiaryFieldStamp.list(covers)))
            }
        self.init(
            number: numbered.number, entryID: mutation.entryID.description, stamp: PBDiaryStamp(mutation.stamp), change: change)
    }
}

extension NumberedDiaryMutation {
    /// Reads a mutation without checking its values.
    /// - Throws: `ValidationError` for a malformed message.
    public init(_ message: PBDiaryMutation) throws(ValidationError) {
        let id = try DiaryEntryID.parse(message.entryID, field: "entry_id")
        let stamp = try DiaryStamp(message.stamp)
        let limit = DiaryLimits.maximumCovers
        let kind: DiaryMutation.Kind
        switch message.change {
        case .create(let entry)?: kind = .create(try entry.content())
        case .patch(let patch)?:
            guard let entry = patch.entry else { throw ValidationError(field: "entry", reason: .fieldMissing) }
            var values: [DiaryField: DiaryValue] = [:]
            for field in try Self.fields(patch.updateMask) { values[field] = try entry.value(of: field) }
            kind = .patch(DiaryPatch(
                values: values, bases: Dictionary(of: try DiaryFieldStamp.list(patch.bases, limit: limit, field: "bases")),
                covers: Set(try DiaryFieldStamp.list(patch.covers, limit: limit, field: "covers"))))
        case .delete(let delete)?:
            kind = .delete(seen: Dictionary(of: try DiaryFieldStamp.list(delete.seen, limit: limit, field: "seen")))
        case .dismiss(let dismiss)?: kind = .dismiss(Set(try DiaryFieldStamp.list(dismiss.covers, limit: limit, field: "covers")))
        case nil: throw ValidationError(field: "change", reason: .fieldMissing)
        }
        self.init(number: message.number, mutation: DiaryMutation(entryID: id, stamp: stamp, kind: kind))
    }

    /// The fields of a patch's mask. A path of the mask is not a field of the mutation, so the violated field is the mask.
    private static func fields(_ mask: Google_Protobuf_FieldMask?) throws(ValidationError) -> Set<DiaryField> {
        do throws(ValidationError) { return try (mask ?? Google_Protobuf_FieldMask()).diaryFields() } catch {
            throw ValidationError(error.violations.map { FieldViolation(field: "update_mask", reason: $0.reason, limit: $0.limit) })
        }
    }
}

extension StatusCode {
    /// The code of a refusal, on the server and for a client that refuses by itself (`docs/api.md`).
    package init(_ refusal: DiaryRefusal) {
        switch refusal {
        case .entryNotFound, .imageNotFound: self = .notFound
        case .entryExists: self = .alreadyExists
        case .full, .tooManyDevices: self = .resourceExhausted
        case .deviceUnknown, .mutationGap, .deviceCloned, .clockSkewed, .imageNotStaged: self = .failedPrecondition
        case .imageDiffers: self = .invalidArgument
        case .resyncRequired: self = .outOfRange
        case .locked: self = .unavailable
        }
    }
}
