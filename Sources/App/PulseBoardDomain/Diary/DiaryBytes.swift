/// Encodes rows and mutations as bytes. A value has exactly one encoding, so equal bytes mean equal values.
///
/// Integers are big-endian. A text follows its length, which takes four bytes. A list follows its count and has a fixed order. The first byte of a
/// row or mutation is the version of the encoding.
public struct DiaryBytesWriter {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    mutating func put(_ byte: UInt8) { bytes.append(byte) }
    mutating func put(_ count: Int) { withUnsafeBytes(of: UInt32(count).bigEndian) { bytes.append(contentsOf: $0) } }
    mutating func put(_ value: Int64) { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }
    mutating func put(_ id: some UUIDIdentifier) { id.bits.withBytes { bytes.append(contentsOf: $0) } }

    mutating func put(_ text: String) {
        put(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func put(_ stamp: DiaryStamp) {
        put(stamp.time)
        put(stamp.device)
    }

    mutating func put(_ value: DiaryValue) {
        put(value.field.rawValue)
        switch value {
        case .time(let time): put(time.microseconds)
        case .emotion(let text), .text(let text): put(text)
        case .images(let images):
            put(images.count)
            for image in images {
                bytes.append(contentsOf: image.hash.bytes)
                put(image.contentType)
                put(image.byteCount)
            }
        }
    }

    mutating func put(_ stamps: some Collection<DiaryFieldStamp>) {
        put(stamps.count)
        for name in stamps.sorted(by: { ($0.field, $0.stamp) < ($1.field, $1.stamp) }) {
            put(name.field.rawValue)
            put(name.stamp)
        }
    }
}

/// Decodes what ``DiaryBytesWriter`` wrote. Every method returns `nil` when the bytes do not hold the value.
struct DiaryBytesReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func count() -> Int? { number(4).map { Int($0) } }

    mutating func integer() -> Int64? { number(8).map { Int64(bitPattern: $0) } }

    /// An integer of `count` bytes. It is fast because a row has a dozen and a list reads thousands of rows.
    private mutating func number(_ count: Int) -> UInt64? {
        guard count <= bytes.count - position else { return nil }
        var number: UInt64 = 0
        for place in position..<(position + count) { number = number << 8 | UInt64(bytes[place]) }
        position += count
        return number
    }

    mutating func identifier<ID: UUIDIdentifier>(as type: ID.Type = ID.self) -> ID? {
        guard let high = number(8), let low = number(8) else { return nil }
        return ID(bits: UUIDBits(high: high, low: low))
    }

    mutating func text() -> String? {
        guard let count = count(), let part = fixed(count) else { return nil }
        return String(validating: part, as: UTF8.self)
    }

    mutating func field() -> DiaryField? { byte().flatMap(DiaryField.init(rawValue:)) }

    mutating func stamp() -> DiaryStamp? {
        guard let time = integer(), let device = identifier(as: DiaryDeviceID.self) else { return nil }
        return DiaryStamp(time: time, device: device)
    }

    mutating func value() -> DiaryValue? {
        switch field() {
        case .entryTime: integer().map { .time(Timestamp(microseconds: $0)) }
        case .emotion: text().map(DiaryValue.emotion)
        case .text: text().map(DiaryValue.text)
        case .images:
            list { reader in
                guard let hash = reader.fixed(DiaryImageHash.byteCount).flatMap({ DiaryImageHash(bytes: $0) }), let type = reader.text(),
                    let count = reader.count()
                else { return nil }
                return DiaryImage(hash: hash, contentType: type, byteCount: count)
            }.map(DiaryValue.images)
        case nil: nil
        }
    }

    mutating func stamps() -> [DiaryFieldStamp]? {
        list { reader in
            guard let field = reader.field(), let stamp = reader.stamp() else { return nil }
            return DiaryFieldStamp(field, stamp)
        }
    }

    /// A list after its count. No memory is reserved for a count that is larger than the bytes can hold.
    mutating func list<Element>(_ element: (inout DiaryBytesReader) -> Element?) -> [Element]? {
        guard let count = count(), count <= bytes.count - position else { return nil }
        var elements: [Element] = []
        for _ in 0..<count {
            guard let next = element(&self) else { return nil }
            elements.append(next)
        }
        return elements
    }

    fileprivate mutating func fixed(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<(position + count)]
    }
}

extension DiaryStamp {
    /// 24 bytes.
    public var bytes: [UInt8] {
        var writer = DiaryBytesWriter()
        writer.put(self)
        return writer.bytes
    }

    /// Reads a stamp; `nil` for other bytes.
    public init?(bytes: [UInt8]) {
        var reader = DiaryBytesReader(bytes)
        guard let stamp = reader.stamp(), reader.isAtEnd else { return nil }
        self = stamp
    }

    /// Reads stamps that follow each other, as in ``DiaryRow/stampBytes``; `nil` for other bytes.
    public static func list(bytes: [UInt8]) -> [DiaryStamp]? {
        var reader = DiaryBytesReader(bytes)
        var stamps: [DiaryStamp] = []
        while !reader.isAtEnd {
            guard let stamp = reader.stamp() else { return nil }
            stamps.append(stamp)
        }
        return stamps
    }
}

extension DiaryValue {
    /// The encoded field and value.
    public var bytes: [UInt8] {
        var writer = DiaryBytesWriter()
        writer.put(self)
        return writer.bytes
    }

    /// Reads a value; `nil` for other bytes.
    public init?(bytes: [UInt8]) {
        var reader = DiaryBytesReader(bytes)
        guard let value = reader.value(), reader.isAtEnd else { return nil }
        self = value
    }
}

extension DiaryRow {
    /// Versions of a row without and with pictures. A row that never had pictures keeps the older version.
    private static let form: UInt8 = 1, formWithImages: UInt8 = 2

    /// The encoded row. Two rows are equal when their bytes are.
    public var bytes: [UInt8] {
        var writer = DiaryBytesWriter()
        let fields = stampedFields
        writer.put(fields.contains(.images) ? Self.formWithImages : Self.form)
        writer.put(isDeleted ? 1 : 0 as UInt8)
        writer.put(createTime.microseconds)
        for field in fields {
            writer.put(self[field].stamp)
            writer.put(self[field].value == nil ? 0 : 1 as UInt8)
            if let value = self[field].value { writer.put(value) }
        }
        writer.put(conflicts.count)
        for conflict in orderedConflicts {
            writer.put(conflict.stamp)
            writer.put(conflict.value)
        }
        return writer.bytes
    }

    /// Reads a row; `nil` for other bytes.
    public init?(bytes: [UInt8]) {
        var reader = DiaryBytesReader(bytes)
        let form = reader.byte()
        guard form == Self.form || form == Self.formWithImages, let deleted = reader.byte(), deleted <= 1, let time = reader.integer()
        else { return nil }
        self.init(createTime: Timestamp(microseconds: time), isDeleted: deleted == 1)
        if deleted == 0 { self[.images].value = .images([]) }
        for field in DiaryField.allCases where field != .images || form == Self.formWithImages {
            guard let stamp = reader.stamp(), let hasValue = reader.byte(), hasValue <= 1 else { return nil }
            var cell = Cell(value: nil, stamp: stamp)
            if hasValue == 1 {
                guard let value = reader.value(), value.field == field else { return nil }
                cell.value = value
            }
            guard isDeleted == (cell.value == nil) else { return nil }
            self[field] = cell
        }
        let kept = reader.list { reader -> DiaryConflict? in
            guard let stamp = reader.stamp(), let value = reader.value() else { return nil }
            return DiaryConflict(field: value.field, stamp: stamp, value: value)
        }
        guard let kept, reader.isAtEnd else { return nil }
        conflicts = Set(kept)
    }
}

extension DiaryMutation {
    private static let form: UInt8 = 1

    /// The encoded mutation, the same on every device. An outbox keeps it, and a fingerprint is its hash.
    public var bytes: [UInt8] {
        var writer = DiaryBytesWriter()
        writer.put(Self.form)
        writer.put(entryID)
        writer.put(stamp)
        switch kind {
        case .create(let content):
            // An entry without pictures keeps the older encoding. So a push that an earlier version began keeps its fingerprint.
            writer.put(content.images.isEmpty ? 1 : 5 as UInt8)
            for field in DiaryField.allCases where field != .images || !content.images.isEmpty { writer.put(content[field]) }
        case .patch(let patch):
            writer.put(2 as UInt8)
            writer.put(patch.values.count)
            for (_, value) in patch.values.sorted(by: { $0.key < $1.key }) { writer.put(value) }
            writer.put(patch.bases.map { DiaryFieldStamp($0.key, $0.value) })
            writer.put(patch.covers)
        case .delete(let seen):
            writer.put(3 as UInt8)
            writer.put(seen.map { DiaryFieldStamp($0.key, $0.value) })
        case .dismiss(let covers):
            writer.put(4 as UInt8)
            writer.put(covers)
        }
        return writer.bytes
    }

    /// Reads a mutation; `nil` for other bytes.
    public init?(bytes: [UInt8]) {
        var reader = DiaryBytesReader(bytes)
        guard reader.byte() == Self.form, let id = reader.identifier(as: DiaryEntryID.self), let stamp = reader.stamp(),
            let kind = Self.kind(&reader), reader.isAtEnd
        else { return nil }
        self.init(entryID: id, stamp: stamp, kind: kind)
    }

    private static func kind(_ reader: inout DiaryBytesReader) -> Kind? {
        let number = reader.byte()
        switch number {
        case 1, 5:
            guard case .time(let time)? = reader.value(), case .emotion(let emotion)? = reader.value(), case .text(let text)? = reader.value()
            else { return nil }
            guard number == 5 else { return .create(DiaryContent(stored: time, emotion: emotion, text: text)) }
            guard case .images(let images)? = reader.value(), !images.isEmpty else { return nil }
            return .create(DiaryContent(stored: time, emotion: emotion, text: text, images: images))
        case 2:
            guard let values = reader.list({ $0.value() }), let bases = reader.stamps(), let covers = reader.stamps() else { return nil }
            return .patch(DiaryPatch(
                values: Dictionary(values.map { ($0.field, $0) }, uniquingKeysWith: { one, _ in one }), bases: Dictionary(of: bases),
                covers: Set(covers)))
        case 3: return reader.stamps().map { .delete(seen: Dictionary(of: $0)) }
        case 4: return reader.stamps().map { .dismiss(Set($0)) }
        default: return nil
        }
    }
}

extension [DiaryField: DiaryStamp] {
    /// The stamps by field. If a field occurs twice, the first one counts.
    public init(of stamps: [DiaryFieldStamp]) {
        self.init(stamps.map { ($0.field, $0.stamp) }, uniquingKeysWith: { one, _ in one })
    }
}
