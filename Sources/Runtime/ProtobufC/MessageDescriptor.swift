import CProtobufC

/// protobuf-c's descriptor of one message type: its full name, its fields and the size of its C struct.
///
///     let type = HelloRequest.descriptor
///     print(type.fullName)                    // greeter.v1.HelloRequest
///     try type.check(bytes.span.bytes)        // throws a `DecodingError` if `bytes` are not such a message
///     let message = try DynamicMessage(serializedBytes: bytes, as: type)
///
/// Two descriptors are equal when they are the same C object; a program holds one per message type.
public struct MessageDescriptor: Sendable, Hashable {
    /// The C object. `nonisolated(unsafe)` is sound: `protoc-c` makes every descriptor a static `const` object, and
    /// descriptors that the program makes itself (``OpaqueMessage``, `ProtobufSchema`) are never freed. Nobody
    /// changes either, and both live as long as the program.
    nonisolated(unsafe) let c: UnsafePointer<ProtobufCMessageDescriptor>

    /// Wraps a descriptor at its own address.
    ///
    /// The address must be that of the C global itself. Swift may hand out the address of a copy when a C global is passed
    /// with `&`, so generated code uses ``init(of:initializedBy:)`` instead.
    public init(_ c: UnsafePointer<ProtobufCMessageDescriptor>) {
        self.c = c
    }

    /// Finds the descriptor of the C struct `type` by letting its own `…__init` function fill one.
    ///
    /// `protoc-c` makes that function store the descriptor's true address in the struct's first member.
    public init<CStruct>(of type: CStruct.Type, initializedBy initialize: (UnsafeMutablePointer<CStruct>?) -> Void) {
        let memory = UnsafeMutablePointer<CStruct>.allocate(capacity: 1)
        defer { memory.deallocate() }
        initialize(memory)
        self.init(UnsafeRawPointer(memory).load(as: ProtobufCMessage.self).descriptor)
    }

    /// The name with its package, without a leading dot, e.g. `pulseboard.profile.v1.Profile`.
    public var fullName: String { String(cString: c.pointee.name) }

    /// Initializes memory of ``structSize`` bytes as a struct with every field at its default.
    ///
    /// A descriptor that was made at run time has no function for this. All its fields are zero by default, which for a
    /// string is the null pointer. protobuf-c initializes such structs in the same way when it unpacks.
    @inline(__always)
    func initialize(_ memory: UnsafeMutableRawPointer) {
        if let initialize = c.pointee.message_init { return initialize(memory.assumingMemoryBound(to: ProtobufCMessage.self)) }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: structSize)
        memory.assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor = c
    }

    /// Bytes of the C struct.
    var structSize: Int { c.pointee.sizeof_message }
}

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

    /// The field with that number; `nil` if there is none.
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
