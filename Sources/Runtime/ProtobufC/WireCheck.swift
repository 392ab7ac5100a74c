import CProtobufC

/// The pass over wire bytes that protobuf-c's parser leaves out, made before it runs.
///
/// protobuf-c takes invalid UTF-8, cuts strings at a NUL, takes any wire type for a `bool`, recurses without limit, and
/// merges a submessage that was sent twice wrongly (it loses scalar and unknown fields, and fails when a `oneof` is unset
/// in both). This pass refuses the first four and reports the last, for ``SubmessageMerge`` to put right.
struct WireCheck {
    private let nestingLimit: Int

    /// Whether some singular message field came more than once, so that protobuf-c would have to merge.
    private(set) var needsMerge = false

    init(nestingLimit: Int) {
        self.nestingLimit = nestingLimit
    }

    /// Checks the bytes of one message and of all messages inside it.
    mutating func check(
        _ bytes: WireCursor, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>, depth: Int = 0
    ) throws(DecodingError) {
        guard depth <= nestingLimit else { throw .nestingTooDeep(field: "", limit: nestingLimit) }
        var cursor = bytes
        var lookup = FieldLookup(descriptor)
        var seenSubmessages: UInt64 = 0
        while !cursor.isAtEnd {
            let recordStart = cursor.position
            let tag: WireCursor.Tag
            do { tag = try cursor.readTag() } catch { throw .malformed(field: "", reason: error) }
            guard let field = lookup.field(number: tag.number) else {
                do { try cursor.skipValue(tag.wireType) } catch {
                    throw .malformed(field: "#\(tag.number)", reason: error)
                }
                continue
            }
            do throws(DecodingError) {
                if field.pointee.type == PROTOBUF_C_TYPE_MESSAGE {
                    if !field.isRepeated {
                        // Fields from the 64th on share a bit: at worst a merge finds nothing to do.
                        let bit: UInt64 = 1 &<< UInt64(min(lookup.index(of: field), 63))
                        if seenSubmessages & bit != 0 { needsMerge = true }
                        seenSubmessages |= bit
                    }
                    let payload = try Self.readPayload(&cursor, tag.wireType)
                    try check(payload, as: field.messageDescriptor, depth: depth + 1)
                } else {
                    try Self.checkScalar(&cursor, tag.wireType, field)
                }
            } catch {
                let index = field.isRepeated ? Self.occurrences(of: tag.number, from: bytes.position, to: recordStart) : nil
                throw error.inside(field.pathComponent(index: index))
            }
        }
    }

    @inline(__always)
    private static func readPayload(_ cursor: inout WireCursor, _ wireType: UInt8) throws(DecodingError) -> WireCursor {
        do throws(Malformation) {
            guard wireType == 2 else { throw wireTypeFault(wireType) }
            return try cursor.readLengthDelimited()
        } catch {
            throw .malformed(field: "", reason: error)
        }
    }

    @inline(__always)
    private static func checkScalar(
        _ cursor: inout WireCursor, _ wireType: UInt8, _ field: FieldDescriptor
    ) throws(DecodingError) {
        let elementWireType = field.elementWireType
        if elementWireType == 2 {
            let payload = try readPayload(&cursor, wireType)
            guard field.pointee.type == PROTOBUF_C_TYPE_STRING else { return }
            switch TextCheck.of(payload.position, count: payload.remaining) {
            case .valid: return
            case .containsNUL: throw .nulInString(field: "")
            case .invalidUTF8: throw .invalidUTF8(field: "")
            }
        }
        do throws(Malformation) {
            if wireType == elementWireType {
                try cursor.skipValue(wireType)
            } else {
                guard wireType == 2, field.isRepeated else { throw wireTypeFault(wireType) }
                try checkPacked(cursor.readLengthDelimited(), elementWireType)
            }
        } catch {
            throw .malformed(field: "", reason: error)
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

    /// Why a known field cannot have this wire type.
    private static func wireTypeFault(_ wireType: UInt8) -> Malformation {
        switch wireType {
        case 3, 4: .group
        case 6, 7: .unknownWireType
        default: .wrongWireType
        }
    }

    /// How often a field came in bytes that have been checked; runs only to name the place of an error.
    private static func occurrences(of number: UInt32, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Int {
        var cursor = WireCursor(position: start, end: end)
        var count = 0
        while !cursor.isAtEnd, let tag = try? cursor.readTag(), (try? cursor.skipValue(tag.wireType)) != nil {
            if tag.number == number { count += 1 }
        }
        return count
    }
}

extension UnsafePointer<ProtobufCFieldDescriptor> {
    /// The field as part of an error's path: `name`, or `name[3]`.
    func pathComponent(index: Int?) -> String {
        guard let index else { return name }
        return "\(name)[\(index)]"
    }
}
