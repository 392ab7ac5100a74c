import CProtobufC

/// A protobuf message: a Swift value whose wire form is made and read by protobuf-c.
///
///     let bytes = try HelloRequest(name: "world").serializedBytes()
///     let request = try HelloRequest(serializedBytes: bytes)
///     print(request.name, try request.jsonString())       // world {"name":"world"}
///
/// `protoc-gen-pulseboard-swift` generates the conformances. The value owns all its contents.
/// A protobuf-c struct exists only during one decode or encode, in an arena.
public protocol Message: Sendable, Hashable {
    /// A message with every field at its default.
    init()

    /// protobuf-c's descriptor of this type: full name, fields, size.
    static var descriptor: MessageDescriptor { get }

    /// Fields that are not in this schema. They are kept, so that decoding and encoding again loses nothing.
    var unknownFields: UnknownFields { get set }

    /// Copies the fields out of an unpacked protobuf-c struct that has passed the wire checks.
    ///
    /// For generated code only.
    init(unpacked: UnpackedStruct)

    /// Writes the fields into a protobuf-c struct whose fields have their defaults.
    ///
    /// For generated code only. `encoder` allocates the memory that the struct points at, and frees it at its end.
    /// - Throws: ``EncodingError`` if a string contains a NUL, where protobuf-c would silently cut it, or if the message is nested too deeply.
    func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError)
}

/// A protobuf-c struct with the fields of a message, lent to generated code for one call of ``Message/init(unpacked:)``.
public struct UnpackedStruct {
    @usableFromInline let address: UnsafeRawPointer

    @inlinable
    init(_ address: UnsafeRawPointer) { self.address = address }

    /// The struct as its C type, which must be that of the message.
    @inlinable
    public func pointer<CStruct>(to type: CStruct.Type) -> UnsafePointer<CStruct> { address.assumingMemoryBound(to: type) }

    /// Fields that are not in the schema.
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

    /// The struct as its C type, which must be that of the message.
    @inlinable
    public func pointer<CStruct>(to type: CStruct.Type) -> UnsafeMutablePointer<CStruct> { address.assumingMemoryBound(to: type) }
}

/// A protobuf enum: open, so that a value added by a newer peer is kept as its number.
///
/// Generated as a Swift enum with every declared case and `unrecognized(Int32)`.
public protocol ProtobufEnum: Sendable, Hashable, RawRepresentable where RawValue == Int32 {
    /// The zero value, which is the default in proto3.
    init()

    /// Makes the declared case with that number, or `unrecognized`. It never fails, although the protocol of the standard library
    /// permits it.
    init?(rawValue: Int32)
}

extension ProtobufEnum {
    /// The value for a number from the wire.
    @inlinable
    init(number: Int32) {
        self = Self(rawValue: number) ?? Self()
    }
}

/// Fields that are not in this schema, as the wire bytes that were received.
///
/// They are written after the known fields, in the order of arrival. So an older program that forwards a message loses
/// no fields of a newer schema. Only decoding makes a non-empty value, so the bytes are always well-formed records.
public struct UnknownFields: Sendable, Hashable {
    /// Tag and value of every unknown field, one after the other.
    public var wireBytes: [UInt8] { records ?? [] }
    /// The same; nil if there are none. (An empty array has references too, and each copy of a message would count them.)
    @usableFromInline let records: [UInt8]?

    /// No unknown fields.
    @inlinable
    public init() {
        records = nil
    }

    /// Takes records that decoding has checked.
    init(checkedWireBytes: [UInt8]) {
        records = checkedWireBytes.isEmpty ? nil : checkedWireBytes
    }

    /// Whether there are no unknown fields.
    @inlinable public var isEmpty: Bool { records == nil }

    /// The fields of the messages that came under a number, in their order. Bytes that are no message have the fields before the fault.
    package func messages(_ number: UInt32) -> [UnknownFields] {
        var messages: [UnknownFields] = []
        forEach { tag, value in
            guard tag.number == number, tag.wireType == 2, let content = try? value.readLengthDelimited() else { return }
            let bytes = UnsafeBufferPointer(start: content.position, count: content.remaining)
            messages.append(UnknownFields(checkedWireBytes: Array(bytes)))
        }
        return messages
    }

    /// The last varint that came under a number; nil if none did.
    package func varint(_ number: UInt32) -> UInt64? {
        var last: UInt64?
        forEach { tag, value in
            if tag.number == number, tag.wireType == 0, let varint = try? value.readVarint() { last = varint }
        }
        return last
    }

    private func forEach(_ body: (WireCursor.Tag, inout WireCursor) -> Void) {
        wireBytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            var cursor = WireCursor(position: start, end: start + bytes.count)
            while !cursor.isAtEnd, let tag = try? cursor.readTag() {
                var value = cursor
                guard (try? cursor.skipValue(of: tag)) != nil else { return }
                body(tag, &value)
            }
        }
    }
}

/// Any message in wire form: a type without fields, so that all fields are unknown and kept.
///
/// For callers who forward messages, or read them as ``DynamicMessage``. It can be used wherever a call needs a message type.
///
///     // Forwards the calls of a method whose messages this program does not know.
///     let method = MethodDescriptor<OpaqueMessage, OpaqueMessage>(service: "greeter.v1.Greeter", method: "SayHello", shape: .unary)
///     router.register(method) { request, _ in try await channel.unary(method, request, options: CallOptions()) }
public struct OpaqueMessage: Message {
    /// The whole message: no field of it is known.
    public var unknownFields: UnknownFields

    /// An empty message.
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
            // A static string's bytes are never freed, and end in a NUL.
            descriptor.pointee.name = $0
            descriptor.pointee.short_name = $0
            descriptor.pointee.c_name = $0
        }
        descriptor.pointee.sizeof_message = MemoryLayout<ProtobufCMessage>.stride
        return MessageDescriptor(descriptor)
    }()
}
