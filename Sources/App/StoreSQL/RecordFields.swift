import PulseBoardDomain

/// Encodes a remembered result as fields. A field is a tag of one byte, a length of two bytes (big-endian) and that many bytes.
///
/// A tag never changes its meaning. A later version adds fields with new tags, which earlier results lack. A reader skips unknown tags. So a retry
/// after an upgrade still gets the first result.
struct RecordFieldsWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ value: Int64, as tag: UInt8) { withUnsafeBytes(of: value.bigEndian) { put($0, as: tag) } }

    mutating func put(_ text: String, as tag: UInt8) { put(text.utf8, as: tag) }

    mutating func put(_ id: some UUIDIdentifier, as tag: UInt8) { put(id.bits.bytes, as: tag) }

    /// - Precondition: at most 65,535 bytes; the longest text of a profile has 1,120.
    private mutating func put(_ value: some Collection<UInt8>, as tag: UInt8) {
        bytes.append(tag)
        withUnsafeBytes(of: UInt16(value.count).bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: value)
    }
}

/// Decodes what ``RecordFieldsWriter`` wrote. Every method returns `nil` for a field that is missing or has another type.
struct RecordFields {
    private var fields: [UInt8: ArraySlice<UInt8>] = [:]

    /// `nil` for malformed bytes, and for a repeated tag.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let tag = rest.popFirst() {
            guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
            let count = Int(high) << 8 | Int(low)
            guard count <= rest.count, fields.updateValue(rest.prefix(count), forKey: tag) == nil else { return nil }
            rest = rest.dropFirst(count)
        }
    }

    func has(_ tag: UInt8) -> Bool { fields[tag] != nil }

    func integer(_ tag: UInt8) -> Int64? {
        guard let field = fields[tag], field.count == 8 else { return nil }
        return field.reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }

    func text(_ tag: UInt8) -> String? { fields[tag].flatMap { String(validating: $0, as: UTF8.self) } }

    func identifier<ID: UUIDIdentifier>(_ tag: UInt8, as type: ID.Type = ID.self) -> ID? {
        fields[tag].flatMap { UUIDBits(bytes: [UInt8]($0)) }.map(ID.init(bits:))
    }
}

/// Decodes a result of an older version, which has no tags: its parts one after another, integers big-endian, texts after their length in 8 bytes.
/// Every method returns `nil` when the bytes do not hold the value.
struct RecordBytesReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func integer() -> Int64? {
        guard let part = fixed(8) else { return nil }
        return part.reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }

    mutating func text() -> String? {
        guard let count = integer(), count >= 0, count <= rest.count, let part = fixed(Int(count)) else { return nil }
        return String(validating: part, as: UTF8.self)
    }

    mutating func fixed(_ count: Int) -> [UInt8]? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return [UInt8](rest.prefix(count))
    }
}
