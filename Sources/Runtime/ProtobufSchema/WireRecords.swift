/// Reads the records of a message in wire form, one by one. It stops at bytes that are no record.
struct WireRecords {
    /// A field: its tag and its value.
    struct Record {
        /// The field's number.
        let number: Int32
        let value: Value
        /// The wire form of the whole record.
        let bytes: ArraySlice<UInt8>
    }

    /// The value of a record.
    enum Value {
        case varint(UInt64)
        /// The bytes after the length.
        case bytes(ArraySlice<UInt8>)
        /// A fixed number of bytes, or a group.
        case other
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Whether all bytes were read.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next record; nil at the end, and at bytes that are no record.
    mutating func next() -> Record? {
        let start = rest
        guard let tag = readVarint(), let value = readValue(wireType: tag & 7) else {
            rest = start
            return nil
        }
        return Record(number: Int32(truncatingIfNeeded: tag >> 3), value: value, bytes: start[start.startIndex..<rest.startIndex])
    }

    private mutating func readValue(wireType: UInt64) -> Value? {
        switch wireType {
        case 0:
            guard let value = readVarint() else { return nil }
            return .varint(value)
        case 1: return skip(8) ? .other : nil
        case 2:
            guard let length = readVarint(), length <= UInt64(rest.count) else { return nil }
            let content = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            return .bytes(content)
        case 3: return skipGroup() ? .other : nil
        case 5: return skip(4) ? .other : nil
        default: return nil
        }
    }

    private mutating func skip(_ count: Int) -> Bool {
        guard count <= rest.count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    /// Skips a group whose first tag has been read, with all groups inside it.
    private mutating func skipGroup() -> Bool {
        var depth = 1
        while depth > 0 {
            guard let tag = readVarint() else { return false }
            switch tag & 7 {
            case 3: depth += 1
            case 4: depth -= 1
            case let wireType:
                guard readValue(wireType: wireType) != nil else { return false }
            }
        }
        return true
    }

    /// A varint has at most 10 bytes.
    private mutating func readVarint() -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<10 {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte < 0x80 { return value }
        }
        return nil
    }
}

extension [UInt8] {
    /// Appends a record of bytes with their length.
    mutating func appendRecord(_ number: Int32, _ content: some Collection<UInt8>) {
        append(varint: UInt64(UInt32(bitPattern: number)) << 3 | 2)
        append(varint: UInt64(content.count))
        append(contentsOf: content)
    }

    private mutating func append(varint: UInt64) {
        var value = varint
        while value >= 0x80 {
            append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        append(UInt8(value))
    }
}
