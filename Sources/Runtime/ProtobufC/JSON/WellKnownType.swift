import CProtobufC

/// The types of `google.protobuf` whose JSON form is not that of their fields (so not `Empty`).
///
/// A type counts only if it has the name and exactly the fields of the well-known type. Another type of the same name is written by its fields.
enum WellKnownType: String {
    case any = "google.protobuf.Any"
    case duration = "google.protobuf.Duration"
    case fieldMask = "google.protobuf.FieldMask"
    case listValue = "google.protobuf.ListValue"
    case structure = "google.protobuf.Struct"
    case timestamp = "google.protobuf.Timestamp"
    case value = "google.protobuf.Value"
    case boolValue = "google.protobuf.BoolValue"
    case bytesValue = "google.protobuf.BytesValue"
    case doubleValue = "google.protobuf.DoubleValue"
    case floatValue = "google.protobuf.FloatValue"
    case int32Value = "google.protobuf.Int32Value"
    case int64Value = "google.protobuf.Int64Value"
    case stringValue = "google.protobuf.StringValue"
    case uint32Value = "google.protobuf.UInt32Value"
    case uint64Value = "google.protobuf.UInt64Value"

    private static let packageName: StaticString = "google.protobuf"

    init?(_ descriptor: DescriptorPointer) {
        guard let package = descriptor.pointee.package_name, Self.isOurPackage(package),
            let known = WellKnownType(rawValue: String(cString: descriptor.pointee.name)),
            known.hasExpectedFields(descriptor)
        else { return nil }
        self = known
    }

    /// Whether the descriptor is that of this type, by its name and fields.
    private func isType(_ descriptor: DescriptorPointer) -> Bool {
        String(cString: descriptor.pointee.name) == rawValue && hasExpectedFields(descriptor)
    }

    private static func isOurPackage(_ name: UnsafePointer<CChar>) -> Bool {
        for index in 0..<packageName.utf8CodeUnitCount
        where UInt8(bitPattern: name[index]) != packageName.utf8Start[index] {
            return false
        }
        return name[packageName.utf8CodeUnitCount] == 0
    }

    /// The only field of a wrapper type, `nil` for the other types.
    var wrappedType: ProtobufCType? {
        switch self {
        case .boolValue: PROTOBUF_C_TYPE_BOOL
        case .bytesValue: PROTOBUF_C_TYPE_BYTES
        case .doubleValue: PROTOBUF_C_TYPE_DOUBLE
        case .floatValue: PROTOBUF_C_TYPE_FLOAT
        case .int32Value: PROTOBUF_C_TYPE_INT32
        case .int64Value: PROTOBUF_C_TYPE_INT64
        case .stringValue: PROTOBUF_C_TYPE_STRING
        case .uint32Value: PROTOBUF_C_TYPE_UINT32
        case .uint64Value: PROTOBUF_C_TYPE_UINT64
        default: nil
        }
    }

    /// The types of the fields 1, 2, …
    private var fieldTypes: [ProtobufCType] {
        switch self {
        case .any: [PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES]
        case .duration, .timestamp: [PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_INT32]
        case .fieldMask: [PROTOBUF_C_TYPE_STRING]
        case .listValue, .structure: [PROTOBUF_C_TYPE_MESSAGE]
        case .value:
            [
                PROTOBUF_C_TYPE_ENUM, PROTOBUF_C_TYPE_DOUBLE, PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BOOL,
                PROTOBUF_C_TYPE_MESSAGE, PROTOBUF_C_TYPE_MESSAGE,
            ]
        default: wrappedType.map { [$0] } ?? []
        }
    }

    private func hasExpectedFields(_ descriptor: DescriptorPointer) -> Bool {
        let repeats = [.fieldMask, .listValue, .structure].contains(self)
        let types = fieldTypes
        guard Int(descriptor.pointee.n_fields) == types.count else { return false }
        for (index, type) in types.enumerated() {
            let field = descriptor.pointee.fields + index
            guard field.pointee.id == UInt32(index + 1), field.pointee.type == type, field.isRepeated == repeats,
                field.isOneofMember == (self == .value)
            else { return false }
        }
        switch self {
        case .structure: return (descriptor.pointee.fields + 0).isMap(in: descriptor)
        // A value that contains a value instead of an object would be read forever.
        case .value:
            return WellKnownType.structure.isType((descriptor.pointee.fields + 4).messageDescriptor)
                && WellKnownType.listValue.isType((descriptor.pointee.fields + 5).messageDescriptor)
        default: return true
        }
    }
}

extension UnsafePointer<ProtobufCFieldDescriptor> {
    /// Whether the field is of the enum `google.protobuf.NullValue`, which JSON writes as `null`.
    var isNullValue: Bool {
        pointee.type == PROTOBUF_C_TYPE_ENUM
            && String(cString: enumDescriptor.pointee.name) == "google.protobuf.NullValue"
    }

    /// Whether `null` is a value of this field, and does not mean that the field is absent.
    var takesNull: Bool {
        isNullValue || (pointee.type == PROTOBUF_C_TYPE_MESSAGE && WellKnownType(messageDescriptor) == .value)
    }
}
