import CProtobufC

/// A message whose type is known only while the program runs: its descriptor, and its wire bytes.
///
///     // `type` is a descriptor, for example one of `SchemaTypes`.
///     let request = try DynamicMessage(jsonUTF8Bytes: Array(#"{"name": "world"}"#.utf8), as: type)
///     let reply = try DynamicMessage(serializedBytes: request.serializedBytes, as: type)
///     print(String(decoding: try reply.jsonUTF8Bytes(), as: UTF8.self))       // {"name":"world"}
///
/// It goes through the same checks, the same arena and the same JSON as generated messages, because all of these follow
/// protobuf-c's descriptors and not Swift types.
public struct DynamicMessage: Sendable, Hashable {
    /// The type of the message.
    public let descriptor: MessageDescriptor
    /// The wire form.
    public let serializedBytes: [UInt8]

    /// Takes a message in wire form, after all checks of ``Message/init(serializedBytes:options:)-([UInt8],_)``.
    /// - Throws: ``DecodingError`` with the path of the field at fault.
    public init(
        serializedBytes: [UInt8], as descriptor: MessageDescriptor, options: DecodingOptions = DecodingOptions()
    ) throws(DecodingError) {
        try serializedBytes.withUnsafeBufferPointer { (bytes) throws(DecodingError) in
            _ = try withUnpacked(bytes, as: descriptor, options: options) { _, _ in }
        }
        self.descriptor = descriptor
        self.serializedBytes = serializedBytes
    }

    /// Reads a message from proto3 JSON in UTF-8, as ``Message/init(jsonUTF8Bytes:options:)``.
    /// - Throws: ``JSONDecodingError`` with the path of the field at fault.
    public init(
        jsonUTF8Bytes: [UInt8], as descriptor: MessageDescriptor, options: JSONDecodingOptions = JSONDecodingOptions()
    ) throws(JSONDecodingError) {
        var packed: [UInt8] = []
        try jsonUTF8Bytes.withUnsafeBufferPointer { (text) throws(JSONDecodingError) in
            try withStruct(fromJSON: text, as: descriptor, options: options) { packed = Self.packed($0, as: descriptor) }
        }
        self.descriptor = descriptor
        serializedBytes = packed
    }

    /// The message as proto3 JSON in UTF-8, as ``Message/jsonUTF8Bytes(options:)``.
    /// - Throws: ``JSONEncodingError``.
    public func jsonUTF8Bytes(options: JSONEncodingOptions = JSONEncodingOptions()) throws(JSONEncodingError) -> [UInt8] {
        var result: Result<[UInt8], JSONEncodingError> = .success([])
        do {
            // The bytes have already passed the caller's limits, which are not higher than these.
            let limits = DecodingOptions(maxNestingDepth: DecodingOptions.maximumNestingDepth, arenaBudget: Int.max >> 1)
            try serializedBytes.withUnsafeBufferPointer { (bytes) throws(DecodingError) in
                _ = try withUnpacked(bytes, as: descriptor, options: limits) { memory, _ in
                    let view = StructView(memory: UnsafeMutableRawPointer(mutating: memory), descriptor: descriptor.c)
                    result = json(of: view, options: options)
                }
            }
        } catch {
            throw .undecodableAny(field: "", error)
        }
        return try result.get()
    }

    /// The same message as this program would encode it: fields in the order of numbers, the last of several singular values, no default values
    /// without presence, repeated numbers packed as the schema says, and unknown fields at the end.
    /// - Throws: ``DecodingError`` only if there is no memory, because the bytes have already been checked.
    public func normalized() throws(DecodingError) -> DynamicMessage {
        let limits = DecodingOptions(maxNestingDepth: DecodingOptions.maximumNestingDepth, arenaBudget: Int.max >> 1)
        var bytes: [UInt8] = []
        try serializedBytes.withUnsafeBufferPointer { (buffer) throws(DecodingError) in
            _ = try withUnpacked(buffer, as: descriptor, options: limits) { memory, _ in bytes = Self.packed(memory, as: descriptor) }
        }
        return DynamicMessage(packed: bytes, as: descriptor)
    }

    private init(packed bytes: [UInt8], as descriptor: MessageDescriptor) {
        self.descriptor = descriptor
        serializedBytes = bytes
    }

    private static func packed(_ memory: UnsafeRawPointer, as descriptor: MessageDescriptor) -> [UInt8] {
        Arena.withArena(budget: Int.max >> 1) { arena in
            StructView(memory: UnsafeMutableRawPointer(mutating: memory), descriptor: descriptor.c).keepNegativeZeros(in: arena)
            let message = memory.assumingMemoryBound(to: ProtobufCMessage.self)
            let size = protobuf_c_message_get_packed_size(message)
            guard size > 0 else { return [] }
            return [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
                // An array of a capacity above zero has an address.
                initialized = protobuf_c_message_pack(message, buffer.baseAddress.unsafelyUnwrapped)
            }
        }
    }
}

extension MessageDescriptor {
    /// Checks and unpacks `bytes` and lends the C struct to `body`, once. For readers of C structs without a
    /// generated message.
    /// - Throws: ``DecodingError`` with the path of the field at fault.
    package func withUnpacked<Value>(
        _ bytes: [UInt8], options: DecodingOptions = DecodingOptions(), _ body: (UnsafeRawPointer) -> Value
    ) throws(DecodingError) -> Value {
        var value: Value?
        try bytes.withUnsafeBufferPointer { (bytes) throws(DecodingError) in
            _ = try ProtobufC.withUnpacked(bytes, as: self, options: options) { memory, _ in value = body(memory) }
        }
        // `withUnpacked` either throws or has called its closure.
        return value.unsafelyUnwrapped
    }
}

extension MessageDescriptor {
    /// The JSON name that protoc makes of a field's name: `user_id` → `userId`.
    package static func jsonName(ofField name: String) -> String { JSONFieldName.lowerCamelCase(name) }
}
