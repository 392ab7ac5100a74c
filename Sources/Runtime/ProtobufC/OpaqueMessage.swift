import CProtobufC

/// Any message, in wire form: a type without fields, to which everything is an unknown field and so is kept as it is.
///
/// For callers who pass messages on, or read them as ``DynamicMessage``: it fits wherever a call wants a message type.
public struct OpaqueMessage: Message {
    public var unknownFields: UnknownFields

    public init() { unknownFields = UnknownFields() }

    /// A message of these wire bytes.
    public init(_ message: DynamicMessage) {
        unknownFields = UnknownFields(checkedWireBytes: message.serializedBytes)
    }

    public init(unpacked pointer: UnsafeRawPointer) { unknownFields = MessageReader.unknownFields(pointer) }

    public func fill(_ pointer: UnsafeMutableRawPointer, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(unknownFields, into: pointer)
    }

    /// The message's wire bytes.
    public var wireBytes: [UInt8] { unknownFields.wireBytes }

    public static let descriptor: MessageDescriptor = {
        let descriptor = UnsafeMutablePointer<ProtobufCMessageDescriptor>.allocate(capacity: 1)
        descriptor.initialize(to: ProtobufCMessageDescriptor())
        descriptor.pointee.magic = UInt32(PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC)
        let name: StaticString = "OpaqueMessage"
        name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount + 1) {
            // A static string's bytes are never given back, and end in a NUL.
            descriptor.pointee.name = $0
            descriptor.pointee.short_name = $0
            descriptor.pointee.c_name = $0
        }
        descriptor.pointee.sizeof_message = MemoryLayout<ProtobufCMessage>.stride
        return MessageDescriptor(descriptor)
    }()
}
