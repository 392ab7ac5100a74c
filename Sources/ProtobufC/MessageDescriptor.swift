import CProtobufC

/// What protobuf-c knows of one message type: its full name, its fields and the size of its C struct.
///
/// Two descriptors are equal when they are the same C object; a program holds one per message type.
public struct MessageDescriptor: Sendable, Hashable {
    /// The C object. `nonisolated(unsafe)` is sound: `protoc-c` emits every descriptor as a `const` object of static
    /// storage, which nobody writes to and which lives as long as the program.
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

    /// Bytes of the C struct.
    var structSize: Int { c.pointee.sizeof_message }
}
