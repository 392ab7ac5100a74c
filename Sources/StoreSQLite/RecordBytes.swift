/// Writes the parts of a remembered result one after the other: integers big-endian, texts and bytes after their length.
struct RecordBytesWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ byte: UInt8) { bytes.append(byte) }

    mutating func put(_ value: Int64) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ text: String) {
        put(Int64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func putFixed(_ part: [UInt8]) { bytes.append(contentsOf: part) }
}

/// Reads what `RecordBytesWriter` wrote; every method gives `nil` once the bytes do not hold what is asked for.
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
