/// One `.proto` file as data: what its `google.protobuf.FileDescriptorProto` says, comments left out.
public struct SchemaFile: Sendable, Hashable {
    /// The path by which other files import it.
    public var name: String
    /// Without a dot at its end; empty for none.
    public var package: String
    /// `proto2`, `proto3` or `editions`.
    public var syntax: String
    /// Names of the imported files.
    public var dependencies: [String]
    public var messages: [SchemaMessage] = []
    public var enums: [SchemaEnum] = []
    public var services: [SchemaService] = []
    public var extensions: [SchemaField] = []
}

/// A message type.
public struct SchemaMessage: Sendable, Hashable {
    public var name: String
    /// With package and outer messages, without a leading dot.
    public var fullName: String
    public var fields: [SchemaField] = []
    /// Names of its oneofs, those among them that protoc makes up for `optional` fields.
    public var oneofs: [String] = []
    public var messages: [SchemaMessage] = []
    public var enums: [SchemaEnum] = []
    /// Extensions that are declared inside it, of whatever message.
    public var extensions: [SchemaField] = []
    /// Field numbers that must not be used again.
    public var reservedRanges: [ClosedRange<Int32>] = []
    public var reservedNames: [String] = []
    /// Field numbers that other files may extend it with.
    public var extensionRanges: [ClosedRange<Int32>] = []
    /// Whether protoc made it for a map's entries.
    public var isMapEntry = false
    public var isDeprecated = false
}

/// A field of a message, or an extension.
public struct SchemaField: Sendable, Hashable {
    /// How often it may come.
    public enum Label: Sendable, Hashable {
        case singular, required, repeated
    }

    public var name: String
    /// With package and outer messages, without a leading dot.
    public var fullName: String
    /// The number in the wire form.
    public var number: Int32
    public var label = Label.singular
    public var type: SchemaFieldType
    /// The index of its oneof in the message.
    public var oneofIndex: Int?
    /// Whether a proto3 field was declared `optional`.
    public var isProto3Optional = false
    /// The name in JSON, when it is not the one that protoc makes of ``name``.
    public var chosenJSONName: String?
    /// The default of proto2, as protoc writes it.
    public var defaultValue: String?
    /// What the `packed` option says; nil when it is not given.
    public var isPacked: Bool?
    /// The extended message's full name, for an extension.
    public var extendee: String?
    public var isDeprecated = false
}

/// The type of a field; named types by their full name without a leading dot.
public enum SchemaFieldType: Sendable, Hashable {
    case double, float, int64, uint64, int32, fixed64, fixed32, bool, string, bytes, uint32, sfixed32, sfixed64, sint32, sint64
    case group(String), message(String), enumeration(String)
}

/// An enum type.
public struct SchemaEnum: Sendable, Hashable {
    /// One name for a number.
    public struct Value: Sendable, Hashable {
        public var name: String
        /// The number in the wire form.
        public var number: Int32
        public var isDeprecated = false
    }

    public var name: String
    /// With package and outer messages, without a leading dot.
    public var fullName: String
    public var values: [Value] = []
    /// Whether several names may have one number.
    public var allowsAliases = false
    public var isDeprecated = false
}

/// A service.
public struct SchemaService: Sendable, Hashable {
    public var name: String
    /// With the package, without a leading dot.
    public var fullName: String
    public var methods: [SchemaMethod] = []
    public var isDeprecated = false
}

/// A method of a service.
public struct SchemaMethod: Sendable, Hashable {
    public var name: String
    /// Full names of the message types, without a leading dot.
    public var request: String
    public var response: String
    public var streamsRequests = false
    public var streamsResponses = false
    public var isDeprecated = false
}
