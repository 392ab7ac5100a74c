/// Reads tags and values of the protobuf wire format front to back.
///
/// It accepts exactly what protobuf-c 1.4.1's parser accepts (`parse_tag_and_wiretype`, `scan_length_prefixed_data`), with two exceptions:
/// field numbers must be in the range of the specification, and groups are skipped, because ``WireRepair`` hides them from that
/// parser. So both cut the bytes into the same records.
struct WireCursor {
    var position: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>

    /// A tag: a field number and a wire type.
    struct Tag {
        var number: UInt32
        var wireType: UInt8
    }

    init(position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
        self.position = position
        self.end = end
    }

    @inline(__always)
    var isAtEnd: Bool { position == end }

    @inline(__always)
    var remaining: Int { end - position }

    /// Reads a tag of at most 5 bytes.
    @inline(__always)
    mutating func readTag() throws(Malformation) -> Tag {
        let first = position.pointee
        if first < 0x80 {
            guard first >= 8 else { throw .fieldNumberOutOfRange }
            position += 1
            return Tag(number: UInt32(first &>> 3), wireType: first & 7)
        }
        return try readLongTag()
    }

    private mutating func readLongTag() throws(Malformation) -> Tag {
        var value: UInt64 = 0
        for index in 0..<5 {
            guard index < remaining else { throw .truncated }
            let byte = position[index]
            value |= UInt64(byte & 0x7F) &<< UInt64(7 * index)
            guard byte < 0x80 else { continue }
            guard value >= 8, value <= UInt64(UInt32.max) else { throw .fieldNumberOutOfRange }
            position += index + 1
            return Tag(number: UInt32(value >> 3), wireType: UInt8(value & 7))
        }
        throw .tagTooLong
    }

    /// Skips a varint of at most 10 bytes.
    @inline(__always)
    mutating func skipVarint() throws(Malformation) {
        let limit = min(remaining, 10)
        var index = 0
        while index < limit {
            if position[index] < 0x80 {
                position += index + 1
                return
            }
            index += 1
        }
        throw limit == 10 ? .varintTooLong : .truncated
    }

    /// Skips `count` bytes.
    @inline(__always)
    mutating func skip(_ count: Int) throws(Malformation) {
        guard count <= remaining else { throw .truncated }
        position += count
    }

    /// Reads a length of at most 5 bytes and 2 GiB − 1, and returns the next bytes of that length.
    @inline(__always)
    mutating func readLengthDelimited() throws(Malformation) -> WireCursor {
        let limit = min(remaining, 5)
        var length = 0
        var index = 0
        while index < limit {
            let byte = position[index]
            length |= Int(byte & 0x7F) &<< (7 &* index)
            index += 1
            guard byte >= 0x80 else {
                guard length <= Int(Int32.max) else { throw .lengthOutOfRange }
                let start = position + index
                guard length <= end - start else { throw .truncated }
                position = start + length
                return WireCursor(position: start, end: position)
            }
        }
        throw limit == 5 ? .lengthOutOfRange : .truncated
    }

    /// Reads a varint of at most 10 bytes.
    mutating func readVarint() throws(Malformation) -> UInt64 {
        let start = position
        try skipVarint()
        var value: UInt64 = 0
        for index in 0..<(position - start) { value |= UInt64(start[index] & 0x7F) << UInt64(7 * index) }
        return value
    }

    /// Skips the value after a tag of any field.
    mutating func skipValue(of tag: Tag) throws(Malformation) {
        switch tag.wireType {
        case 0: try skipVarint()
        case 1: try skip(8)
        case 2: _ = try readLengthDelimited()
        case 3: try skipGroup(tag.number)
        case 4: throw .group
        case 5: try skip(4)
        default: throw .unknownWireType
        }
    }

    /// Skips a group whose first tag has been read, with all groups inside it.
    private mutating func skipGroup(_ number: UInt32) throws(Malformation) {
        var open = [number]
        while let innermost = open.last {
            guard !isAtEnd else { throw .truncated }
            let tag = try readTag()
            switch tag.wireType {
            case 3:
                guard open.count < DecodingOptions.maximumNestingDepth else { throw .group }
                open.append(tag.number)
            case 4:
                guard tag.number == innermost else { throw .group }
                open.removeLast()
            default: try skipValue(of: tag)
            }
        }
    }
}
