import CProtobufC

/// A protobuf message: a Swift value whose wire form is made and read by protobuf-c.
///
/// Conformances are written by `protoc-gen-pulseboard-swift`; nobody writes one by hand. The value owns all it holds;
/// the protobuf-c struct exists only inside one decode or encode, in an arena.
public protocol Message: Sendable, Hashable {
    /// A message with every field at its default.
    init()

    /// What protobuf-c knows of this type: full name, fields, size.
    static var descriptor: MessageDescriptor { get }

    /// Fields that the peer sent and this schema lacks, kept so that decode → encode loses nothing.
    var unknownFields: UnknownFields { get set }

    /// Copies the fields out of an unpacked protobuf-c struct that has passed the wire checks.
    ///
    /// For generated code only.
    init(unpacked: UnpackedStruct)

    /// Writes the fields into a protobuf-c struct whose fields have their defaults.
    ///
    /// For generated code only. What the struct points at is allocated by `encoder` and lives as long as it does.
    /// - Throws: ``EncodingError`` when a string holds a NUL, which protobuf-c would silently cut off.
    func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError)
}

/// A protobuf-c struct with the fields of a message, lent to generated code for one call of ``Message/init(unpacked:)``.
public struct UnpackedStruct {
    @usableFromInline let address: UnsafeRawPointer

    @inlinable
    init(_ address: UnsafeRawPointer) { self.address = address }

    /// The struct by its C type, which must be that of the message.
    @inlinable
    public func pointer<CStruct>(to type: CStruct.Type) -> UnsafePointer<CStruct> { address.assumingMemoryBound(to: type) }

    /// What the peer sent and the schema lacks.
    @inlinable
    public var unknownFields: UnknownFields {
        MessageReader.unknownFields(address.assumingMemoryBound(to: ProtobufCMessage.self))
    }
}

/// A protobuf-c struct whose fields have their defaults, lent to generated code for one call of ``Message/fill(_:with:)``.
public struct BlankStruct {
    @usableFromInline let address: UnsafeMutableRawPointer

    @inlinable
    init(_ address: UnsafeMutableRawPointer) { self.address = address }

    /// The struct by its C type, which must be that of the message.
    @inlinable
    public func pointer<CStruct>(to type: CStruct.Type) -> UnsafeMutablePointer<CStruct> { address.assumingMemoryBound(to: type) }
}

/// A protobuf enum: open, so that a value added by a newer peer is kept as its number.
///
/// Generated as a Swift enum with every declared case and `unrecognized(Int32)`.
public protocol ProtobufEnum: Sendable, Hashable, RawRepresentable where RawValue == Int32 {
    /// The zero value, which proto3 makes the default.
    init()

    /// Makes the declared case of that number, or `unrecognized`; never fails although the protocol of the standard library
    /// says it may.
    init?(rawValue: Int32)
}

extension ProtobufEnum {
    /// The value for a number from the wire.
    @inlinable
    init(number: Int32) {
        self = Self(rawValue: number) ?? Self()
    }
}

/// Fields that a peer sent and this schema lacks, as the wire bytes they came in.
///
/// They are written back after the known fields, in the order of arrival, so that an older program in the middle loses
/// nothing of a newer one's message. Only a decode makes a non-empty value, so the bytes are always well-formed records.
public struct UnknownFields: Sendable, Hashable {
    /// Tag and value of every unknown field, one after the other. Empty without any allocation when there is none.
    public let wireBytes: [UInt8]

    /// No unknown fields.
    @inlinable
    public init() {
        wireBytes = []
    }

    /// Takes records that a decode has checked.
    init(checkedWireBytes: [UInt8]) {
        wireBytes = checkedWireBytes
    }

    /// Whether the peer sent nothing that this schema lacks.
    @inlinable public var isEmpty: Bool { wireBytes.isEmpty }
}

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

    public init(unpacked: UnpackedStruct) { unknownFields = unpacked.unknownFields }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(unknownFields, into: blank)
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
