/// The message types that `google.protobuf.Any` may hold, by full name.
///
/// Any's JSON form is that of the message inside, so its type must be known to the program.
public struct TypeRegistry: Sendable {
    private var descriptors: [String: MessageDescriptor] = [:]

    /// A registry of these types.
    public init(_ types: [any Message.Type] = []) {
        for type in types { register(type.descriptor) }
    }

    /// Adds a type.
    public mutating func register(_ descriptor: MessageDescriptor) {
        descriptors[descriptor.fullName] = descriptor
    }

    /// The type of that full name, without a leading dot.
    public subscript(fullName: String) -> MessageDescriptor? { descriptors[fullName] }

    /// The type that a type URL names: what stands behind its last slash.
    func descriptor(forTypeURL typeURL: String) -> MessageDescriptor? {
        guard let slash = typeURL.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return descriptors[String(typeURL[typeURL.utf8.index(after: slash)...])]
    }
}

/// How a message is written as JSON.
public struct JSONEncodingOptions: Sendable {
    /// Writes fields that are at their default and have no presence, with their default.
    public var alwaysPrintDefaults: Bool
    /// Writes field names as in the `.proto` file instead of in lowerCamelCase.
    public var preserveProtoFieldNames: Bool
    /// Breaks lines and indents by two spaces.
    public var prettyPrinted: Bool
    /// The types that `google.protobuf.Any` may hold.
    public var typeRegistry: TypeRegistry

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
public struct JSONDecodingOptions: Sendable {
    /// Passes over fields and enum names that the schema lacks, instead of failing.
    public var ignoreUnknownFields: Bool
    /// The types that `google.protobuf.Any` may hold.
    public var typeRegistry: TypeRegistry
    /// How many arrays and objects may lie inside each other, the outermost counted. Values outside
    /// 0…``DecodingOptions/maximumNestingDepth`` are taken as the nearer end. Default 64.
    public var maxNestingDepth: Int
    /// Bytes that the message may take in memory; `nil` = 8 MiB + 8 × input.
    public var arenaBudget: Int?

    /// The defaults, or other choices.
    public init(
        ignoreUnknownFields: Bool = false, typeRegistry: TypeRegistry = TypeRegistry(), maxNestingDepth: Int = 64,
        arenaBudget: Int? = nil
    ) {
        self.ignoreUnknownFields = ignoreUnknownFields
        self.typeRegistry = typeRegistry
        self.maxNestingDepth = maxNestingDepth
        self.arenaBudget = arenaBudget
    }

    /// The nesting limit within its bounds.
    var nestingLimit: Int { min(max(maxNestingDepth, 0), DecodingOptions.maximumNestingDepth) }

    /// The budget in bytes for a text of `inputSize` bytes.
    func budget(forInputOf inputSize: Int) -> Int {
        DecodingOptions(arenaBudget: arenaBudget).budget(forInputOf: inputSize)
    }
}
