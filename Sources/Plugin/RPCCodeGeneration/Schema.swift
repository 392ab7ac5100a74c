/// One `.proto` file, as far as the generator needs it.
struct FileSchema: Hashable, Sendable {
    /// The path that was given to protoc, such as `pulseboard/auth/v1/auth.proto`.
    var path: String
    /// Empty for a file without a package.
    var package: String
    /// `proto2`, `proto3` or `editions`.
    var syntax: String
    /// `option swift_prefix`; nil when not set.
    var swiftPrefix: String?
    /// Paths of the files it imports.
    var dependencies: [String] = []
    /// Those of ``dependencies`` that it imports with `public`.
    var publicDependencies: [String] = []
    var messages: [MessageSchema] = []
    var enums: [EnumSchema] = []
    var services: [ServiceSchema] = []
    /// The whole file as a `FileDescriptorProto` in wire form, without `source_code_info`.
    var serialized: [UInt8] = []
    /// The line of each declaration by its full name, and of the `syntax` statement by ``path``. Empty if protoc sent none.
    var lines: [String: Int] = [:]

    /// Whether it has a message, enum or service. Other files give no Swift code.
    var declaresAnything: Bool { !messages.isEmpty || !enums.isEmpty || !services.isEmpty }
}

/// One message type.
struct MessageSchema: Hashable, Sendable {
    var name: String
    /// With package and outer messages, without a leading dot.
    var fullName: String
    /// The comment before the declaration, one element a line; empty if there is none.
    var comment: [String] = []
    /// In the order of declaration.
    var fields: [FieldSchema] = []
    var oneofs: [OneofSchema] = []
    var messages: [MessageSchema] = []
    var enums: [EnumSchema] = []
    /// Whether protoc made it for the entries of a `map` field.
    var isMapEntry = false
}

/// One `oneof` of a message; its fields point at it by index.
struct OneofSchema: Hashable, Sendable {
    var name: String
    var comment: [String] = []
}

/// One field of a message.
struct FieldSchema: Hashable, Sendable {
    /// The declared name.
    var name: String
    var number: Int32
    var type: FieldType
    var isRepeated = false
    /// Index into ``MessageSchema/oneofs``.
    var oneofIndex: Int?
    /// Declared with proto3's `optional`.
    var isProto3Optional = false
    var comment: [String] = []
}

/// The type of a field, or of a repeated field's element.
enum FieldType: Hashable, Sendable {
    case scalar(ScalarType)
    case string
    case bytes
    case bool
    /// Full name without a leading dot.
    case enumeration(String)
    /// Full name without a leading dot.
    case message(String)
    /// A group, which only proto2 has.
    case group
}

/// The number types, distinguished by their Swift and C types. protobuf-c handles their wire forms.
enum ScalarType: String, Hashable, Sendable {
    case int32 = "Int32"
    case int64 = "Int64"
    case uint32 = "UInt32"
    case uint64 = "UInt64"
    case float = "Float"
    case double = "Double"
}

/// One enum type.
struct EnumSchema: Hashable, Sendable {
    var name: String
    /// With package and outer messages, without a leading dot.
    var fullName: String
    var comment: [String] = []
    /// In the order of declaration; two of the same number are aliases.
    var values: [EnumValueSchema] = []
}

/// One value of an enum.
struct EnumValueSchema: Hashable, Sendable {
    var name: String
    var number: Int32
    var comment: [String] = []
}

/// One service.
struct ServiceSchema: Hashable, Sendable {
    var name: String
    /// With package, without a leading dot.
    var fullName: String
    var comment: [String] = []
    var methods: [MethodSchema] = []
}

/// One method of a service.
struct MethodSchema: Hashable, Sendable {
    var name: String
    var comment: [String] = []
    /// Full name of the request message, without a leading dot.
    var input: String
    /// Full name of the response message, without a leading dot.
    var output: String
    var shape = MethodShape.unary
}

/// How many messages each side of a call sends: one, or any number. The names are those of `CallShape` in `RPCCore`.
enum MethodShape: String, Hashable, Sendable {
    case unary, clientStreaming, serverStreaming, bidirectionalStreaming

    /// `stream` before the request and before the response.
    init(streamsRequests: Bool, streamsResponses: Bool) {
        self = switch (streamsRequests, streamsResponses) {
        case (false, false): .unary
        case (true, false): .clientStreaming
        case (false, true): .serverStreaming
        case (true, true): .bidirectionalStreaming
        }
    }

    /// Whether the caller may send any number of requests.
    var streamsRequests: Bool { self == .clientStreaming || self == .bidirectionalStreaming }

    /// Whether the server may send any number of responses.
    var streamsResponses: Bool { self == .serverStreaming || self == .bidirectionalStreaming }
}
