import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages

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
        let limit = DiaryLimits.maximumConflicts
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
