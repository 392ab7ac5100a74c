import CProtobufC

/// Checks of wire bytes that protobuf-c's parser does not make. They run before it.
///
/// protobuf-c accepts invalid UTF-8, cuts strings at a NUL, and recurses without limit. This check refuses all three. protobuf-c also fails on groups
/// and on fields with a wrong wire type, accepts any wire type for a `bool`, and merges repeated submessages of a singular field wrongly: it loses
/// scalar and unknown fields, and fails if a `oneof` is unset in both. This check reports those, and ``WireRepair`` corrects them.
struct WireCheck {
    private let nestingLimit: Int

    /// Whether a singular message field came more than once, so that it must be merged.
    private(set) var needsMerge = false
    /// Whether there are groups, or records of known fields, that count as unknown fields.
    private(set) var hasStrangers = false
    /// Bytes of stack that reading the deepest messages needs: see ``StackNeed``.
    private(set) var stackNeed = 0
    /// The nesting depth of the deepest message.
    private(set) var deepest = 0

    init(nestingLimit: Int) {
        self.nestingLimit = nestingLimit
    }

    /// Where a message is: the field that has it, and that field's message.
    private typealias Holder = (field: FieldDescriptor, message: UnsafePointer<ProtobufCMessageDescriptor>)

    /// Checks the bytes of one message and of all messages inside it.
    mutating func check(_ bytes: WireCursor, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>) throws(DecodingError) {
        try check(bytes, as: descriptor, in: nil, depth: 0, stack: 0)
    }

    private mutating func check(
        _ bytes: WireCursor, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>, in holder: Holder?, depth: Int, stack: Int
    ) throws(DecodingError) {
        guard depth <= nestingLimit else { throw .nestingTooDeep(field: "", limit: nestingLimit) }
        let stack = stack &+ StackNeed.ofLevel(structSize: descriptor.pointee.sizeof_message)
        if stack > stackNeed { stackNeed = stack }
        if depth > deepest { deepest = depth }
        var cursor = bytes
        var lookup = FieldLookup(descriptor)
        var seenSubmessages: UInt64 = 0
        while !cursor.isAtEnd {
            let recordStart = cursor.position
            let tag: WireCursor.Tag
            do { tag = try cursor.readTag() } catch { throw .malformed(field: "", reason: error) }
            guard let field = lookup.field(number: tag.number) else {
                do { try cursor.skipValue(of: tag) } catch {
                    throw .malformed(field: "#\(tag.number)", reason: error)
                }
                if tag.wireType == 3 { hasStrangers = true }
                continue
            }
            do throws(DecodingError) {
                let elementWireType = field.elementWireType
                guard elementWireType == 2 else {
                    try checkNumber(&cursor, tag, field, elementWireType)
                    continue
                }
                guard tag.wireType == 2 else {
                    try skipStranger(&cursor, tag)
                    continue
                }
                let payload: WireCursor
                do { payload = try cursor.readLengthDelimited() } catch { throw .malformed(field: "", reason: error) }
                switch field.pointee.type {
                case PROTOBUF_C_TYPE_MESSAGE:
                    if !field.isRepeated {
                        // Fields from the 64th on share a bit. At worst, a merge has nothing to do.
                        let bit: UInt64 = 1 &<< UInt64(min(lookup.index(of: field), 63))
                        if seenSubmessages & bit != 0 { needsMerge = true }
                        seenSubmessages |= bit
                    }
                    try check(payload, as: field.messageDescriptor, in: (field, descriptor), depth: depth + 1, stack: stack)
                case PROTOBUF_C_TYPE_STRING: try checkText(payload, field, in: holder)
                default: break
                }
            } catch {
                let index = field.isRepeated ? Self.occurrences(of: tag.number, from: bytes.position, to: recordStart) : nil
                throw error.inside(field.pathComponent(index: index))
            }
        }
    }

    /// Skips a record of a known field that counts as unknown.
    private mutating func skipStranger(_ cursor: inout WireCursor, _ tag: WireCursor.Tag) throws(DecodingError) {
        do { try cursor.skipValue(of: tag) } catch { throw .malformed(field: "", reason: error) }
        hasStrangers = true
    }

    private func checkText(_ text: WireCursor, _ field: FieldDescriptor, in holder: Holder?) throws(DecodingError) {
        switch TextCheck.of(text.position, count: text.remaining) {
        case .valid: if field.pointee.id == 1, text.remaining > MapKeyText.harmlessByteCount, let holder { try checkLongKey(text, in: holder) }
        case .containsNUL: throw .nulInString(field: "")
        case .invalidUTF8: throw .invalidUTF8(field: "")
        }
    }

    /// Refuses a long key of a map that would be slow to hash.
    private func checkLongKey(_ text: WireCursor, in holder: Holder) throws(DecodingError) {
        guard holder.field.isMap(in: holder.message) else { return }
        guard MapKeyText.isHashedFast(UnsafeBufferPointer(start: text.position, count: text.remaining)) else {
            throw .malformed(field: "", reason: .mapKeyMarks)
        }
    }

    /// Checks one number, or a record of packed numbers.
    private mutating func checkNumber(
        _ cursor: inout WireCursor, _ tag: WireCursor.Tag, _ field: FieldDescriptor, _ elementWireType: UInt8
    ) throws(DecodingError) {
        guard tag.wireType == elementWireType || (tag.wireType == 2 && field.isRepeated) else { return try skipStranger(&cursor, tag) }
        do throws(Malformation) {
            let numbers: WireCursor
            if tag.wireType == elementWireType {
                let start = cursor.position
                try cursor.skipValue(of: tag)
                numbers = WireCursor(position: start, end: cursor.position)
            } else {
                numbers = try cursor.readLengthDelimited()
                try Self.checkPacked(numbers, elementWireType)
            }
            if field.isClosedEnum { try checkClosed(numbers, field) }
        } catch {
            throw .malformed(field: "", reason: error)
        }
    }

    /// Notes whether one of the numbers is not a value of a closed enum.
    private mutating func checkClosed(_ numbers: WireCursor, _ field: FieldDescriptor) throws(Malformation) {
        var numbers = numbers
        while !numbers.isAtEnd {
            if !field.hasEnumValue(try numbers.readVarint()) { hasStrangers = true }
        }
    }

    private static func checkPacked(_ payload: WireCursor, _ elementWireType: UInt8) throws(Malformation) {
        switch elementWireType {
        case 1: guard payload.remaining % 8 == 0 else { throw .packedLength }
        case 5: guard payload.remaining % 4 == 0 else { throw .packedLength }
        default:
            var elements = payload
            while !elements.isAtEnd { try elements.skipVarint() }
        }
    }

    /// How often a field came in checked bytes. It runs only for an error message.
    private static func occurrences(of number: UInt32, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Int {
        var cursor = WireCursor(position: start, end: end)
        var count = 0
        while !cursor.isAtEnd, let tag = try? cursor.readTag(), (try? cursor.skipValue(of: tag)) != nil {
            if tag.number == number { count += 1 }
        }
        return count
    }
}

/// The keys of maps of strings. Swift hashes and compares a text in the canonical order of its combining marks, which takes time that grows with the
/// square of the longest row of marks: 64 KiB of them would stop an event loop for seconds.
enum MapKeyText {
    /// Marks in a row. No language has more (UAX #15, stream-safe text).
    static let mostMarks = 30
    /// A text of so few bytes needs no check.
    static let harmlessByteCount = 256

    /// Whether a valid text has at most ``mostMarks`` marks in a row.
    static func isHashedFast(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.contains(where: { $0 >= 0x80 }) else { return true }
        var marks = 0
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            guard !scalar.isASCII, scalar.properties.canonicalCombiningClass != .notReordered else {
                marks = 0
                continue
            }
            marks += 1
            if marks > mostMarks { return false }
        }
        return true
    }
}

extension UnsafePointer<ProtobufCFieldDescriptor> {
    /// The field as part of an error's path: `name`, or `name[3]`.
    func pathComponent(index: Int?) -> String {
        guard let index else { return name }
        return "\(name)[\(index)]"
    }

    /// Whether the field has a closed enum, like those of proto2. Only tables that are made at run time
    /// have this information, in `reserved1`, where protoc-c writes a null pointer.
    @inline(__always)
    var isClosedEnum: Bool { pointee.type == PROTOBUF_C_TYPE_ENUM && enumDescriptor.pointee.reserved1 != nil }

    /// Whether the enum of this field has a value with that number.
    func hasEnumValue(_ number: UInt64) -> Bool {
        enumValue(Int32(truncatingIfNeeded: number)) != nil
    }
}
