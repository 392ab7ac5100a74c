import CProtobufC

extension Message {
    /// Reads a message from proto3 JSON in UTF-8.
    ///
    /// Takes names in lowerCamelCase and as in the `.proto` file. No input crashes or takes more than the limits of `options`.
    /// - Throws: ``JSONDecodingError`` with the path of the field at fault.
    public init(
        jsonUTF8Bytes: [UInt8], options: JSONDecodingOptions = JSONDecodingOptions()
    ) throws(JSONDecodingError) {
        var message: Self?
        try jsonUTF8Bytes.withUnsafeBufferPointer { (text) throws(JSONDecodingError) in
            try withStruct(fromJSON: text, as: Self.descriptor, options: options) { message = Self(unpacked: $0) }
        }
        // `withStruct` either throws or has called its closure.
        self = message.unsafelyUnwrapped
    }

    /// Reads a message from proto3 JSON, as ``init(jsonUTF8Bytes:options:)``.
    public init(jsonString: String, options: JSONDecodingOptions = JSONDecodingOptions()) throws(JSONDecodingError) {
        try self.init(jsonUTF8Bytes: Array(jsonString.utf8), options: options)
    }

    /// The message as proto3 JSON in UTF-8; equal messages give equal bytes.
    /// - Throws: ``JSONEncodingError``.
    public func jsonUTF8Bytes(
        options: JSONEncodingOptions = JSONEncodingOptions()
    ) throws(JSONEncodingError) -> [UInt8] {
        var result: Result<[UInt8], JSONEncodingError> = .success([])
        do {
            try withFilledStruct { message in
                let memory = UnsafeMutableRawPointer(mutating: message)
                result = json(of: StructView(memory: memory, descriptor: Self.descriptor.c), options: options)
            }
        } catch {
            throw .encoding(error)
        }
        return try result.get()
    }

    /// The message as proto3 JSON, as ``jsonUTF8Bytes(options:)``.
    public func jsonString(options: JSONEncodingOptions = JSONEncodingOptions()) throws(JSONEncodingError) -> String {
        String(decoding: try jsonUTF8Bytes(options: options), as: UTF8.self)
    }
}

/// The JSON form of a filled struct.
func json(of view: StructView, options: JSONEncodingOptions) -> Result<[UInt8], JSONEncodingError> {
    Result { () throws(JSONEncodingError) in
        var writer = MessageJSONWriter(options: options)
        try writer.message(view, depth: 0)
        return writer.text.bytes
    }
}

/// Builds the C struct that `text` says and hands it to `body`, once; it is gone afterwards.
func withStruct(
    fromJSON text: UnsafeBufferPointer<UInt8>, as descriptor: MessageDescriptor, options: JSONDecodingOptions,
    _ body: (UnsafeRawPointer) -> Void
) throws(JSONDecodingError) {
    let value = try JSONParser.parse(text, nestingLimit: options.nestingLimit)
    let budget = options.budget(forInputOf: text.count)
    try Arena.withArena(budget: budget) { (arena) throws(JSONDecodingError) in
        let reader = MessageJSONReader(arena: arena, options: options, budget: budget)
        body(UnsafeRawPointer(try reader.message(value, as: descriptor.c).memory))
    }
}
