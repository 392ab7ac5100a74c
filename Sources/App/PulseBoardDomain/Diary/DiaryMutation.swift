import PulseBoardVocabulary

/// One edit of one entry, made on one device.
public struct DiaryMutation: Hashable, Sendable {
    /// What it does.
    public enum Kind: Hashable, Sendable {
        /// Creates the entry. An existing entry stays as it is.
        case create(DiaryContent)
        /// Changes fields.
        case patch(DiaryPatch)
        /// Deletes the entry. Edits that the device has not seen are kept as conflicts.
        case delete(seen: [DiaryField: DiaryStamp])
        /// Removes conflicts that the owner has looked at.
        case dismiss(Set<DiaryFieldStamp>)
    }

    public let entryID: DiaryEntryID
    /// The stamp of the edit.
    public let stamp: DiaryStamp
    public let kind: Kind

    public init(entryID: DiaryEntryID, stamp: DiaryStamp, kind: Kind) {
        self.entryID = entryID
        self.stamp = stamp
        self.kind = kind
    }

    /// Whether it creates its entry.
    public var isCreation: Bool { if case .create = kind { true } else { false } }
}

/// A change of some fields, with the state that its author saw.
public struct DiaryPatch: Hashable, Sendable {
    /// The new values of the fields that change.
    public let values: [DiaryField: DiaryValue]
    /// For each field that changes, the stamp of the value that it replaces.
    public let bases: [DiaryField: DiaryStamp]
    /// Conflicts that the change settles.
    public let covers: Set<DiaryFieldStamp>

    public init(values: [DiaryField: DiaryValue], bases: [DiaryField: DiaryStamp], covers: Set<DiaryFieldStamp> = []) {
        self.values = values
        self.bases = bases
        self.covers = covers
    }

    /// A change of the values that an author sees in a row. Each field has a base: for pictures that were never set it is ``DiaryStamp/none``.
    public init(_ values: [DiaryField: DiaryValue], of row: DiaryRow, covers: Set<DiaryFieldStamp> = []) {
        self.init(values: values, bases: Dictionary(uniqueKeysWithValues: values.keys.map { ($0, row[$0].stamp) }), covers: covers)
    }
}

/// A mutation with its place among those of its device: 1, 2, 3…
public struct NumberedDiaryMutation: Hashable, Sendable {
    /// From 1, without gaps.
    public let number: Int64
    public let mutation: DiaryMutation

    public init(number: Int64, mutation: DiaryMutation) {
        self.number = number
        self.mutation = mutation
    }
}

extension DiaryMutation {
    /// Checks a mutation from outside: every value is in its stored form, and each field that changes has a base. Only pictures may lack one: then
    /// the author knows of none that were ever set.
    /// - Throws: `ValidationError` with every rule that is broken.
    public func check() throws(ValidationError) {
        var violations: [FieldViolation] = []
        if !stamp.isPermitted {
            violations.append(FieldViolation(field: "stamp", reason: .entryTimeInvalid))
        }
        switch kind {
        case .create(let content):
            for field in DiaryField.allCases { violations += content[field].violations }
        case .patch(let patch):
            if patch.values.isEmpty { violations.append(FieldViolation(field: "update_mask", reason: .fieldMissing)) }
            let fields = Set(patch.values.keys), bases = Set(patch.bases.keys)
            if !bases.isSubset(of: fields) || !fields.subtracting(bases).isSubset(of: [.images]) {
                violations.append(FieldViolation(field: "bases", reason: .fieldMissing))
            }
            if patch.covers.count > DiaryLimits.maximumCovers {
                violations.append(FieldViolation(field: "covers", reason: .tooManyItems, limit: DiaryLimits.maximumCovers))
            }
            for value in patch.values.values { violations += value.violations }
        case .delete(let seen):
            // A client that does not know pictures sends no stamp for them.
            if !Set(DiaryField.allCases).subtracting(seen.keys).isSubset(of: [.images]) {
                violations.append(FieldViolation(field: "seen", reason: .fieldMissing))
            }
        case .dismiss(let covers):
            if covers.isEmpty { violations.append(FieldViolation(field: "covers", reason: .fieldMissing)) }
            if covers.count > DiaryLimits.maximumCovers {
                violations.append(FieldViolation(field: "covers", reason: .tooManyItems, limit: DiaryLimits.maximumCovers))
            }
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
    }
}

extension DiaryRow {
    /// Checks a row from a server by the rules for mutations (``DiaryMutation/check()``).
    /// - Throws: `ValidationError` with every rule that is broken.
    public func check() throws(ValidationError) {
        var violations: [FieldViolation] = []
        if !DiaryLimits.entryTimes.contains(createTime.microseconds) {
            violations.append(FieldViolation(field: "create_time", reason: .entryTimeInvalid))
        }
        // A field that nobody has written has no stamp of an edit.
        let stamps = DiaryField.allCases.map { self[$0].stamp }.filter { $0 != .none } + conflicts.map(\.stamp)
        if !stamps.allSatisfy(\.isPermitted) { violations.append(FieldViolation(field: "stamp", reason: .entryTimeInvalid)) }
        for value in DiaryField.allCases.compactMap({ self[$0].value }) + conflicts.map(\.value) {
            // A later server may take more types of pictures. They must not stop a device that does not know them.
            violations += value.violations.filter { $0.reason != .imageFormatUnsupported || !value.hasOnlyImageTypes }
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
    }
}

extension DiaryStamp {
    /// Whether an edit may have this time: after 1970, and at most in the year 9999.
    fileprivate var isPermitted: Bool { time > 0 && time <= DiaryLimits.entryTimes.upperBound }
}

extension DiaryValue {
    /// Whether each picture has a type such as `image/avif`, known here or not.
    fileprivate var hasOnlyImageTypes: Bool {
        guard case .images(let images) = self else { return true }
        return images.allSatisfy { image in
            let subtype = image.contentType.dropFirst("image/".count)
            return image.contentType.hasPrefix("image/") && !subtype.isEmpty && subtype.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || "+-.".utf8.contains(byte)
            }
        }
    }

    /// The rules that a value from outside breaks. It must be in its stored form.
    fileprivate var violations: [FieldViolation] {
        do throws(ValidationError) {
            // The value must be in NFC already: otherwise the server and the device that sent it would have different
            // texts.
            let isKeptAsIs = try checked() == self
            return isKeptAsIs ? [] : [FieldViolation(field: field.path, reason: .diaryTextInvalidCharacters)]
        } catch { return error.violations }
    }
}
