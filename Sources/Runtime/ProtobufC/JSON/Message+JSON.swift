import CProtobufC

/// The message types that `google.protobuf.Any` may hold, by full name.
///
/// The JSON form of an `Any` is that of its message, so the program must know the type.
///
///     let packed = try Google_Protobuf_Any(packing: HelloRequest(name: "world"))
///     let options = JSONEncodingOptions(typeRegistry: TypeRegistry([HelloRequest.self]))
///     print(try packed.jsonString(options: options))
///     // {"@type":"type.googleapis.com/greeter.v1.HelloRequest","name":"world"}
public struct TypeRegistry: Sendable {
    /// By the bytes of the name. A URL from outside can end with any text, and to hash a string takes time that grows with the square of its
    /// combining marks.
    private var descriptors: [[UInt8]: MessageDescriptor] = [:]

    /// A registry of these types.
    public init(_ types: [any Message.Type] = []) {
        for type in types { register(type.descriptor) }
    }

    /// Adds a type.
    public mutating func register(_ descriptor: MessageDescriptor) {
        descriptors[Array(descriptor.fullName.utf8)] = descriptor
    }

    /// The type of that full name, without a leading dot.
    public subscript(fullName: String) -> MessageDescriptor? { descriptors[Array(fullName.utf8)] }

    /// The type that a type URL names: the text after its last slash.
    func descriptor(forTypeURL typeURL: String) -> MessageDescriptor? {
        guard let slash = typeURL.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return descriptors[Array(typeURL.utf8[typeURL.utf8.index(after: slash)...])]
    }
}

/// How a message is written as JSON.
///
///     let options = JSONEncodingOptions(alwaysPrintDefaults: true, prettyPrinted: true)
///     print(try HelloRequest().jsonString(options: options))      // with `"name": ""`
public struct JSONEncodingOptions: Sendable {
    /// Writes fields without presence also if they have their default value.
    public var alwaysPrintDefaults: Bool
    /// Writes field names as in the `.proto` file instead of in lowerCamelCase.
    public var preserveProtoFieldNames: Bool
    /// Breaks lines and indents by two spaces.
    public var prettyPrinted: Bool
    /// The types that `google.protobuf.Any` may hold.
    public var typeRegistry: TypeRegistry
    /// Whether an `Any` of a type that is not registered is written all the same, as its type URL and its bytes:
    /// `{"@type":"a/pkg.Stranger","value":"CAE="}`. It gets the type URL. Default: no such `Any` is, and the message fails.
    package var showsBytes: @Sendable (_ typeURL: String) -> Bool = { _ in false }

    /// The defaults, or other choices.
    public init(
        alwaysPrintDefaults: Bool = false, preserveProtoFieldNames: Bool = false, prettyPrinted: Bool = false,
        typeRegistry: TypeRegistry = TypeRegistry()
    ) {
        self.alwaysPrintDefaults = alwaysPrintDefaults
        self.preserveProtoFieldNames = preserveProtoFieldNames
        self.prettyPrinted = prettyPrinted
        self.typeRegistry = typeRegistry
    }
}

/// How JSON is read, and its limits.
///
///     let options = JSONDecodingOptions(ignoreUnknownFields: true)
///     let request = try HelloRequest(jsonString: #"{"name": "world", "color": "blue"}"#, options: options)
public struct JSONDecodingOptions: Sendable {
    /// Ignores unknown fields and enum names instead of failing.
    public var ignoreUnknownFields: Bool
    /// The types that `google.protobuf.Any` may hold.
    public var typeRegistry: TypeRegistry
    /// How deeply messages may be nested below the outermost one, counted as in the wire form
    /// (``DecodingOptions/maxNestingDepth``). A map entry is a level too, as in the wire form. So whatever was read from JSON can also be read back
    /// from bytes.
    /// Values outside 0…``DecodingOptions/maximumNestingDepth`` are changed to the nearest limit. Default 32.
    public var maxNestingDepth: Int
    /// Bytes that the message may take in memory; `nil` = 8 MiB + 8 × input.
    public var arenaBudget: Int?

    /// The defaults, or other choices.
    public init(
        ignoreUnknownFields: Bool = false, typeRegistry: TypeRegistry = TypeRegistry(), maxNestingDepth: Int = 32,
        arenaBudget: Int? = nil
    ) {
        self.ignoreUnknownFields = ignoreUnknownFields
        self.typeRegistry = typeRegistry
        self.maxNestingDepth = maxNestingDepth
        self.arenaBudget = arenaBudget
    }

    /// The nesting limit within its bounds.
    var nestingLimit: Int { min(max(maxNestingDepth, 0), DecodingOptions.maximumNestingDepth) }

    /// How deeply arrays and objects may be nested, with the outermost: two levels for each message, because it may be an element of an array.
    var textNestingLimit: Int { 2 * (nestingLimit + 1) }

    /// The budget in bytes for a text of `inputSize` bytes.
    func budget(forInputOf inputSize: Int) -> Int {
        DecodingOptions(arenaBudget: arenaBudget).budget(forInputOf: inputSize)
    }
}

extension Message {
    /// Reads a message from proto3 JSON in UTF-8.
    ///
    /// Takes names in lowerCamelCase and as in the `.proto` file. No input crashes, or makes a message over the limits of `options`. The parsed
    /// text is not counted. It can take about 20 times the bytes of the text.
    /// - Throws: ``JSONDecodingError`` with the path of the field at fault.
    public init(
        jsonUTF8Bytes: [UInt8], options: JSONDecodingOptions = JSONDecodingOptions()
    ) throws(JSONDecodingError) {
        var message: Self?
        try jsonUTF8Bytes.withUnsafeBufferPointer { (text) throws(JSONDecodingError) in
            try withStruct(fromJSON: text, as: Self.descriptor, options: options) { message = Self(unpacked: UnpackedStruct($0)) }
        }
        // `withStruct` either throws or has called its closure.
        self = message.unsafelyUnwrapped
    }

    /// Reads a message from proto3 JSON, as ``init(jsonUTF8Bytes:options:)``.
    public init(jsonString: String, options: JSONDecodingOptions = JSONDecodingOptions()) throws(JSONDecodingError) {
        try self.init(jsonUTF8Bytes: Array(jsonString.utf8), options: options)
    }

    /// The message as proto3 JSON in UTF-8. The same message always gives the same bytes.
    /// - Throws: ``JSONEncodingError``.
    public func jsonUTF8Bytes(
        options: JSONEncodingOptions = JSONEncodingOptions()
    ) throws(JSONEncodingError) -> [UInt8] {
        var result: Result<[UInt8], JSONEncodingError> = .success([])
        do {
            try withFilledStruct(as: Self.descriptor) { message in
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

/// Builds the C struct of `text` and lends it to `body`, once.
func withStruct(
    fromJSON text: UnsafeBufferPointer<UInt8>, as descriptor: MessageDescriptor, options: JSONDecodingOptions,
    _ body: (UnsafeRawPointer) -> Void
) throws(JSONDecodingError) {
    let depth = min(JSONParser.nesting(of: text), options.textNestingLimit)
    guard depth > StackNeed.textLevelsOfCaller else {
        return try withStructHere(fromJSON: text, as: descriptor, options: options, body)
    }
    var result: Result<Void, JSONDecodingError> = .failure(.outOfMemory)
    _ = StackNeed.onNewStack(byteCount: depth * StackNeed.ofTextLevel + StackNeed.ofRest) {
        result = Result { () throws(JSONDecodingError) in
            try withStructHere(fromJSON: text, as: descriptor, options: options, body)
        }
    }
    try result.get()
}

private func withStructHere(
    fromJSON text: UnsafeBufferPointer<UInt8>, as descriptor: MessageDescriptor, options: JSONDecodingOptions,
    _ body: (UnsafeRawPointer) -> Void
) throws(JSONDecodingError) {
    let value = try JSONParser.parse(text, nestingLimit: options.textNestingLimit)
    let budget = options.budget(forInputOf: text.count)
    try Arena.withArena(budget: budget) { (arena) throws(JSONDecodingError) in
        let reader = MessageJSONReader(arena: arena, options: options, budget: budget)
        let message = UnsafeRawPointer(try reader.message(value, as: descriptor.c).memory)
        if arena.pointee.stackNeed <= StackNeed.ofCaller { return body(message) }
        let stack = arena.pointee.stackNeed + StackNeed.ofRest
        guard StackNeed.onNewStack(byteCount: stack, { body(message) }) else { throw .outOfMemory }
    }
}
