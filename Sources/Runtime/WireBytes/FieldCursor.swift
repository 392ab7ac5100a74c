/// Reads the protobuf fields of an envelope in place. It checks bounds. A field that does not fit is malformed.
public struct FieldCursor {
    @usableFromInline var position: UnsafeRawPointer?
    @usableFromInline var remaining: Int

    /// A cursor at the beginning of these bytes, which must stay valid as long as the cursor is used.
    @inlinable public init(_ bytes: UnsafeRawBufferPointer) {
        position = bytes.baseAddress
        remaining = bytes.count
    }

    /// Whether all bytes have been read.
    @inlinable public var isAtEnd: Bool { remaining == 0 }

    /// The bytes that are not read yet.
    @inlinable public var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: position, count: remaining) }

    /// The next byte. The cursor does not move.
    @inlinable public var first: UInt8? { remaining > 0 ? position?.load(as: UInt8.self) : nil }

    /// The next base-128 number, or nil if it is cut off or longer than ten bytes.
    @inlinable @inline(__always) public mutating func varint() -> UInt64? {
        // Tags and most lengths have one byte.
        if remaining > 0, let at = position {
            let byte = at.load(as: UInt8.self)
            if byte < 0x80 {
                position = at + 1
                remaining -= 1
                return UInt64(byte)
            }
        }
        return longVarint()
    }

    @inlinable mutating func longVarint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while remaining > 0, shift < 70, let at = position {
            let byte = at.load(as: UInt8.self)
            position = at + 1
            remaining -= 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// The next length-delimited value.
    @inlinable @inline(__always) public mutating func bytes() -> UnsafeRawBufferPointer? {
        guard let length = varint(), length <= UInt64(remaining) else { return nil }
        let value = UnsafeRawBufferPointer(start: position, count: Int(length))
        advance(Int(length))
        return value
    }

    /// Skips the value of a field that the envelope does not know. A group is skipped up to its end. False if the value is malformed.
    /// - Parameters:
    ///   - tag: the field's tag, which has been read.
    ///   - fieldsLeft: how many fields groups may have. A message has room for millions, which would take an event loop too long.
    @inlinable public mutating func skip(tag: UInt64, fieldsLeft: inout Int) -> Bool {
        switch tag & 7 {
        case 0: return varint() != nil
        case 1: return skip(8)
        case 2: return bytes() != nil
        case 3: return skipGroup(tag, &fieldsLeft)
        case 5: return skip(4)
        default: return false
        }
    }

    /// A usual limit for the fields in unknown groups of one message.
    public static let mostGroupFields = 1 << 10
    /// The deepest nesting of groups that is skipped.
    private static let deepestGroup = 32

    @usableFromInline mutating func skipGroup(_ tag: UInt64, _ fieldsLeft: inout Int) -> Bool {
        var open = [tag >> 3]
        while let number = open.last {
            fieldsLeft -= 1
            guard fieldsLeft >= 0, let tag = varint() else { return false }
            switch tag & 7 {
            case 3:
                guard open.count < Self.deepestGroup else { return false }
                open.append(tag >> 3)
            case 4:
                guard tag >> 3 == number else { return false }
                open.removeLast()
            default: guard skip(tag: tag, fieldsLeft: &fieldsLeft) else { return false }
            }
        }
        return true
    }

    /// Skips `count` bytes, 0 or more. False if there are fewer.
    @inlinable public mutating func skip(_ count: Int) -> Bool {
        guard remaining >= count else { return false }
        advance(count)
        return true
    }

    @inlinable mutating func advance(_ count: Int) {
        position = position.map { $0 + count }
        remaining -= count
    }
}

/// Appends a base-128 number.
@inlinable public func appendVarint(_ value: UInt64, to bytes: inout [UInt8]) {
    var value = value
    while value >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
        value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
}

/// Appends a length-delimited field. `number` is 1…15.
@inlinable public func appendField(_ number: UInt8, _ value: some Collection<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(number << 3 | 2)
    appendVarint(UInt64(value.count), to: &bytes)
    bytes.append(contentsOf: value)
}

/// Writing base-128 numbers.
public enum Varint {
    /// The number of bytes of `value`, 1…10.
    @inlinable public static func byteCount(_ value: UInt64) -> Int { (64 - (value | 1).leadingZeroBitCount + 6) / 7 }

    /// Writes `value` and returns the position after it.
    @inlinable public static func write(_ value: UInt64, to bytes: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        var value = value
        var at = bytes
        while value >= 0x80 {
            at.storeBytes(of: UInt8(truncatingIfNeeded: value) | 0x80, as: UInt8.self)
            value >>= 7
            at += 1
        }
        at.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
        return at + 1
    }
}
