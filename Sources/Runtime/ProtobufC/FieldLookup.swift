import CProtobufC

typealias FieldDescriptor = UnsafePointer<ProtobufCFieldDescriptor>

/// Finds fields by number, quickly when they come in the order of the schema, as senders write them.
struct FieldLookup {
    private let descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    private let fields: FieldDescriptor?
    private let count: Int
    private var last = 0

    init(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) {
        self.descriptor = descriptor
        fields = descriptor.pointee.fields
        count = Int(descriptor.pointee.n_fields)
    }

    /// The field of that number, or `nil` when the schema lacks it.
    @inline(__always)
    mutating func field(number: UInt32) -> FieldDescriptor? {
        guard let fields, count > 0 else { return nil }
        if fields[last].id == number { return fields + last }
        if last &+ 1 < count, fields[last &+ 1].id == number {
            last &+= 1
            return fields + last
        }
        guard let found = protobuf_c_message_descriptor_get_field(descriptor, number) else { return nil }
        last = found - fields
        return found
    }

    /// The position of a field found here in the message's list of fields.
    @inline(__always)
    func index(of field: FieldDescriptor) -> Int { field - fields.unsafelyUnwrapped }
}

extension UnsafePointer<ProtobufCFieldDescriptor> {
    /// The name in the `.proto` file.
    var name: String { String(cString: pointee.name) }

    @inline(__always)
    var isRepeated: Bool { pointee.label == PROTOBUF_C_LABEL_REPEATED }

    @inline(__always)
    var isOneofMember: Bool { pointee.flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0 }

    /// The descriptor of the message type of this field, whose type must be a message.
    @inline(__always)
    var messageDescriptor: UnsafePointer<ProtobufCMessageDescriptor> {
        // protoc-c sets it in every field of message type.
        pointee.descriptor.unsafelyUnwrapped.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
    }

    /// The wire type of one element of this field.
    @inline(__always)
    var elementWireType: UInt8 {
        switch pointee.type {
        case PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_FLOAT: 5
        case PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_DOUBLE: 1
        case PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_MESSAGE: 2
        default: 0
        }
    }
}
