import CProtobufC

/// The layout of a message's fields in its C struct.
///
/// The order is free, because no C code names the members. Sizes and alignments are those of the C types that protobuf-c reads and writes.
struct StructLayout {
    /// One field's place.
    struct Place: Hashable {
        var label: ProtobufCLabel
        var flags: UInt32 = 0
        /// Bytes from the start of the struct to the value, or to the array's address.
        var offset = 0
        /// Bytes from the start of the struct to the count, the presence flag or the oneof's case; 0 for none.
        var quantifierOffset = 0
    }

    /// The fields that protobuf-c supports, in ascending order of numbers.
    let fields: [SchemaField]
    private(set) var places: [Place] = []
    /// Bytes of the struct.
    private(set) var size = MemoryLayout<ProtobufCMessage>.stride

    init(_ message: SchemaMessage, syntax: String) throws(SchemaFault) {
        fields = message.fields.filter { !$0.type.isGroup && !$0.isDelimited }.sorted { $0.number < $1.number }
        try Self.checkNumbers(fields)
        var oneofs: [Int: (caseOffset: Int, valueOffset: Int)] = [:]
        for field in fields {
            var place = Place(label: Self.label(field, syntax))
            if let index = field.oneofIndex, !field.isProto3Optional {
                guard message.oneofs.indices.contains(index), field.label != .repeated else {
                    throw .badOneof(field: field.fullName)
                }
                // Room for the widest possible member, so that all members fit.
                let oneof = oneofs[index]
                    ?? (take(4, 4), take(MemoryLayout<ProtobufCBinaryData>.stride, 8))
                oneofs[index] = oneof
                place.label = PROTOBUF_C_LABEL_NONE
                place.flags |= PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue
                place.quantifierOffset = oneof.caseOffset
                place.offset = oneof.valueOffset
            } else if field.label == .repeated {
                place.quantifierOffset = take(MemoryLayout<Int>.stride, 8)
                place.offset = take(8, 8)
                if Self.isPacked(field, syntax) { place.flags |= PROTOBUF_C_FIELD_FLAG_PACKED.rawValue }
            } else {
                if place.label == PROTOBUF_C_LABEL_OPTIONAL, !field.type.isPointer { place.quantifierOffset = take(4, 4) }
                place.offset = take(field.type.byteCount, min(field.type.byteCount, 8))
            }
            places.append(place)
        }
        size = (size + 7) & ~7
    }

    private mutating func take(_ byteCount: Int, _ alignment: Int) -> Int {
        let offset = (size + alignment - 1) & ~(alignment - 1)
        size = offset + byteCount
        return offset
    }

    private static func checkNumbers(_ fields: [SchemaField]) throws(SchemaFault) {
        var last: Int32 = 0
        for field in fields {
            guard field.number > last, field.number < 1 << 29, !(19_000...19_999).contains(field.number) else {
                throw .badFieldNumber(field: field.fullName)
            }
            last = field.number
        }
    }

    /// In proto3, only `optional` fields have presence. In proto2 and editions, all fields have presence by default.
    private static func label(_ field: SchemaField, _ syntax: String) -> ProtobufCLabel {
        switch field.label {
        case .repeated: PROTOBUF_C_LABEL_REPEATED
        case .required: PROTOBUF_C_LABEL_REQUIRED
        case .singular: syntax == "proto3" && !field.isProto3Optional ? PROTOBUF_C_LABEL_NONE : PROTOBUF_C_LABEL_OPTIONAL
        }
    }

    private static func isPacked(_ field: SchemaField, _ syntax: String) -> Bool {
        guard field.type.isPackable else { return false }
        return field.isPacked ?? (syntax != "proto2")
    }
}

extension SchemaFieldType {
    /// protobuf-c's type. protobuf-c has no groups, so a group has the type of bytes.
    var c: ProtobufCType {
        switch self {
        case .double: PROTOBUF_C_TYPE_DOUBLE
        case .float: PROTOBUF_C_TYPE_FLOAT
        case .int64: PROTOBUF_C_TYPE_INT64
        case .uint64: PROTOBUF_C_TYPE_UINT64
        case .int32: PROTOBUF_C_TYPE_INT32
        case .fixed64: PROTOBUF_C_TYPE_FIXED64
        case .fixed32: PROTOBUF_C_TYPE_FIXED32
        case .bool: PROTOBUF_C_TYPE_BOOL
        case .string: PROTOBUF_C_TYPE_STRING
        case .bytes, .group: PROTOBUF_C_TYPE_BYTES
        case .uint32: PROTOBUF_C_TYPE_UINT32
        case .sfixed32: PROTOBUF_C_TYPE_SFIXED32
        case .sfixed64: PROTOBUF_C_TYPE_SFIXED64
        case .sint32: PROTOBUF_C_TYPE_SINT32
        case .sint64: PROTOBUF_C_TYPE_SINT64
        case .message: PROTOBUF_C_TYPE_MESSAGE
        case .enumeration: PROTOBUF_C_TYPE_ENUM
        }
    }

    /// Bytes of one value in the struct.
    var byteCount: Int {
        switch self {
        case .double, .int64, .uint64, .fixed64, .sfixed64, .sint64, .string, .message: 8
        case .bytes, .group: MemoryLayout<ProtobufCBinaryData>.stride
        case .float, .int32, .fixed32, .bool, .uint32, .sfixed32, .sint32, .enumeration: 4
        }
    }

    /// Whether the value is a pointer. A null pointer means that the field is absent.
    var isPointer: Bool {
        switch self {
        case .string, .message: true
        default: false
        }
    }

    /// Whether elements of a repeated field can be packed into one record.
    var isPackable: Bool {
        switch self {
        case .string, .bytes, .message, .group: false
        default: true
        }
    }

    var isGroup: Bool {
        if case .group = self { true } else { false }
    }
}
