import CProtobufC

/// What protobuf-c knows of one message type: its full name, its fields and the size of its C struct.
///
/// Two descriptors are equal when they are the same C object; a program holds one per message type.
public struct MessageDescriptor: Sendable, Hashable {
    /// The C object. `nonisolated(unsafe)` is sound: `protoc-c` emits every descriptor as a `const` object of static
    /// storage, and those that the program makes itself (``OpaqueMessage``, `ProtobufSchema`) are never given back; nobody
    /// writes to either, and both live as long as the program.
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

    /// Makes the memory at hand, of ``structSize`` bytes, a struct with every field at its default.
    ///
    /// A descriptor that `protoc-c` did not write has no function for that. Its fields have no defaults but zero, which for a
    /// string is the null pointer, and protobuf-c itself sets such structs up in this way when it unpacks.
    func initialize(_ memory: UnsafeMutableRawPointer) {
        if c.pointee.message_init != nil { return protobuf_c_message_init(c, memory) }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: structSize)
        memory.assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor = c
    }

    /// Bytes of the C struct.
    var structSize: Int { c.pointee.sizeof_message }
}
