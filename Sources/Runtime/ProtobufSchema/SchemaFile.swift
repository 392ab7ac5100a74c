// Imported before CompilerPluginC, because Clang assigns declarations that both include to the module loaded first.
import CProtobufC
import CompilerPluginC
import ProtobufC

/// One `.proto` file as data, from its `google.protobuf.FileDescriptorProto`, without comments.
///
///     let files = try GreeterFile.descriptor.withAllDependencies.map { try SchemaFile(serializedBytes: $0.serializedBytes) }
///     let types = try SchemaTypes(Schema(files))
public struct SchemaFile: Sendable, Hashable {
    /// The path by which other files import it.
    public var name: String
    /// The package, without a dot at its end; empty for none.
    public var package: String
    /// `proto2`, `proto3` or `editions`.
    public var syntax: String
    /// Names of the imported files.
    public var dependencies: [String]
    /// The message types that are declared directly in it.
    public var messages: [SchemaMessage] = []
    /// The enum types that are declared directly in it.
    public var enums: [SchemaEnum] = []
    /// The services, in the order of the file.
    public var services: [SchemaService] = []
    /// Extensions that are declared outside of messages.
    public var extensions: [SchemaField] = []
}

/// A message type.
public struct SchemaMessage: Sendable, Hashable {
    /// The name in its file, without package or outer message.
    public var name: String
    /// The name with package and outer messages, for example `pkg.Outer.Inner`.
    public var fullName: String
    /// The fields, in the order of the file.
    public var fields: [SchemaField] = []
    /// Names of its oneofs, including those that protoc makes for `optional` fields.
    public var oneofs: [String] = []
    /// The message types that are declared directly in it.
    public var messages: [SchemaMessage] = []
    /// The enum types that are declared directly in it.
    public var enums: [SchemaEnum] = []
    /// Extensions of any message that are declared inside it.
    public var extensions: [SchemaField] = []
    /// Field numbers that must not be used again.
    public var reservedRanges: [ClosedRange<Int32>] = []
    /// Field names that must not be used again.
    public var reservedNames: [String] = []
    /// Field numbers that other files may extend it with.
    public var extensionRanges: [ClosedRange<Int32>] = []
    /// Whether protoc made it for a map's entries.
    public var isMapEntry = false
    /// Whether it has the option `deprecated`.
    public var isDeprecated = false
}

/// A field of a message, or an extension.
public struct SchemaField: Sendable, Hashable {
    /// Whether it is optional, required or repeated.
    public enum Label: Sendable, Hashable {
        case singular, required, repeated
    }

    /// The name in its file, without package or outer message.
    public var name: String
    /// The name with package and outer messages, for example `pkg.Outer.field`.
    public var fullName: String
    /// The number in the wire form.
    public var number: Int32
    /// How many values it may have.
    public var label = Label.singular
    /// The type of its values.
    public var type: SchemaFieldType
    /// The index of its oneof in the message.
    public var oneofIndex: Int?
    /// Whether a proto3 field was declared `optional`.
    public var isProto3Optional = false
    /// The name in JSON, if it differs from the one that protoc makes of ``name``.
    public var chosenJSONName: String?
    /// The default of proto2, as protoc writes it.
    public var defaultValue: String?
    /// The value of the `packed` option; nil if it is not given.
    public var isPacked: Bool?
    /// The extended message's full name, for an extension.
    public var extendee: String?
    /// Whether it has the option `deprecated`.
    public var isDeprecated = false
    /// Whether a message in it is written between two tags, as a group is: `features.message_encoding = DELIMITED` in a file with an edition.
    public var isDelimited = false
}

/// The type of a field. Messages and enums are given by their full name without a leading dot.
public enum SchemaFieldType: Sendable, Hashable {
    case double, float, int64, uint64, int32, fixed64, fixed32, bool, string, bytes, uint32, sfixed32, sfixed64, sint32, sint64
    case group(String), message(String), enumeration(String)
}

/// An enum type.
public struct SchemaEnum: Sendable, Hashable {
    /// One name for a number.
    public struct Value: Sendable, Hashable {
        /// The name in its file, without package or outer message.
        public var name: String
        /// The number in the wire form.
        public var number: Int32
        /// Whether it has the option `deprecated`.
        public var isDeprecated = false
    }

    /// The name in its file, without package or outer message.
    public var name: String
    /// The name with package and outer messages, for example `pkg.Outer.Kind`.
    public var fullName: String
    /// The names and numbers, in the order of the file.
    public var values: [Value] = []
    /// Whether several names may have one number.
    public var allowsAliases = false
    /// Whether it has the option `deprecated`.
    public var isDeprecated = false
}

/// A service.
public struct SchemaService: Sendable, Hashable {
    /// The name in its file, without package or outer message.
    public var name: String
    /// The name with the package, for example `pkg.Greeter`.
    public var fullName: String
    /// The methods, in the order of the file.
    public var methods: [SchemaMethod] = []
    /// Whether it has the option `deprecated`.
    public var isDeprecated = false
}

/// A method of a service.
public struct SchemaMethod: Sendable, Hashable {
    /// The name in its file, without package or outer message.
    public var name: String
    /// The full name of the request's type, for example `pkg.HelloRequest`.
    public var request: String
    /// The full name of the response's type.
    public var response: String
    /// Whether a call has any number of requests.
    public var streamsRequests = false
    /// Whether a call has any number of responses.
    public var streamsResponses = false
    /// Whether it has the option `deprecated`.
    public var isDeprecated = false
}

extension SchemaFile {
    /// Reads the wire form of a `google.protobuf.FileDescriptorProto`. The bytes need not be trusted.
    /// - Throws: ``DecodingError`` if the bytes are not one, or exceed the default limits of decoding.
    public init(serializedBytes: [UInt8]) throws(DecodingError) {
        let descriptor = MessageDescriptor(
            of: Google__Protobuf__FileDescriptorProto.self, initializedBy: google__protobuf__file_descriptor_proto__init)
        self = try descriptor.withUnpacked(serializedBytes) {
            SchemaFile(c: $0.load(as: Google__Protobuf__FileDescriptorProto.self))
        }
    }

    private init(c: Google__Protobuf__FileDescriptorProto) {
        name = MessageReader.string(c.name)
        package = MessageReader.string(c.package)
        let syntax = MessageReader.string(c.syntax)
        self.syntax = syntax.isEmpty ? "proto2" : syntax
        dependencies = MessageReader.strings(c.n_dependency, c.dependency)
        let scope = package
        let features = Features(isDelimited: syntax == "editions" ? false : nil).inside(c.options, number: 50)
        messages = elements(c.n_message_type, c.message_type).map { SchemaMessage(c: $0, scope: scope, features) }
        enums = elements(c.n_enum_type, c.enum_type).map { SchemaEnum(c: $0, scope: scope) }
        services = elements(c.n_service, c.service).map { SchemaService(c: $0, scope: scope) }
        extensions = elements(c.n_extension, c.extension).map { SchemaField(c: $0, scope: scope, features) }
    }
}

extension SchemaMessage {
    fileprivate init(c: Google__Protobuf__DescriptorProto, scope: String, _ outerFeatures: Features) {
        name = MessageReader.string(c.name)
        let fullName = qualified(name, in: scope)
        self.fullName = fullName
        let features = outerFeatures.inside(c.options, number: 12)
        fields = elements(c.n_field, c.field).map { SchemaField(c: $0, scope: fullName, features) }
        oneofs = elements(c.n_oneof_decl, c.oneof_decl).map { MessageReader.string($0.name) }
        messages = elements(c.n_nested_type, c.nested_type).map { SchemaMessage(c: $0, scope: fullName, features) }
        enums = elements(c.n_enum_type, c.enum_type).map { SchemaEnum(c: $0, scope: fullName) }
        extensions = elements(c.n_extension, c.extension).map { SchemaField(c: $0, scope: fullName, features) }
        // In both kinds of ranges, the end is not included.
        reservedRanges = elements(c.n_reserved_range, c.reserved_range).compactMap { range($0.start, $0.end) }
        extensionRanges = elements(c.n_extension_range, c.extension_range).compactMap { range($0.start, $0.end) }
        reservedNames = MessageReader.strings(c.n_reserved_name, c.reserved_name)
        isMapEntry = c.options?.pointee.map_entry == 1
        isDeprecated = c.options?.pointee.deprecated == 1
        // The entries of maps, and the messages in them, are never delimited.
        let entries = Set(messages.filter(\.isMapEntry).map { SchemaFieldType.message($0.fullName) })
        for index in fields.indices where isMapEntry || entries.contains(fields[index].type) { fields[index].isDelimited = false }
    }
}

extension SchemaField {
    fileprivate init(c: Google__Protobuf__FieldDescriptorProto, scope: String, _ features: Features) {
        name = MessageReader.string(c.name)
        fullName = qualified(name, in: scope)
        number = c.number
        label =
            switch c.label {
            case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__LABEL__LABEL_REPEATED: .repeated
            case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__LABEL__LABEL_REQUIRED: .required
            default: .singular
            }
        type = SchemaFieldType(number: Int(c.type.rawValue), typeName: withoutLeadingDot(MessageReader.string(c.type_name)))
        oneofIndex = c.has_oneof_index == 1 ? Int(c.oneof_index) : nil
        isProto3Optional = c.proto3_optional == 1
        let jsonName = MessageReader.string(c.json_name)
        chosenJSONName = jsonName.isEmpty || jsonName == MessageDescriptor.jsonName(ofField: name) ? nil : jsonName
        defaultValue = c.default_value.map { MessageReader.string($0) }
        isPacked = c.options.flatMap { $0.pointee.has_packed == 1 ? $0.pointee.packed == 1 : nil }
        extendee = c.extendee.map { withoutLeadingDot(MessageReader.string($0)) }
        isDeprecated = c.options?.pointee.deprecated == 1
        if case .message = type { isDelimited = features.inside(c.options, number: 21).isDelimited ?? false }
    }
}

/// The features of a declaration in a file with an edition, with those that it inherits. Only `message_encoding` is read.
private struct Features {
    /// Whether messages in fields are written between two tags; nil in a file without an edition, which has no features.
    var isDelimited: Bool?

    /// The features of a declaration inside this one.
    /// - Parameters:
    ///   - options: the options of the declaration.
    ///   - number: the number of the field `features` in them.
    func inside<Options>(_ options: UnsafeMutablePointer<Options>?, number: UInt32) -> Features {
        guard isDelimited != nil, let options else { return self }
        var features = self
        // protobuf-c's table of descriptor.proto is older than features, so they are unknown fields. The base is the first member of each struct.
        let base = UnsafeRawPointer(options).assumingMemoryBound(to: ProtobufCMessage.self)
        for own in MessageReader.unknownFields(base).messages(number) {
            // `message_encoding` is 5, and its value DELIMITED is 2.
            if let encoding = own.varint(5) { features.isDelimited = encoding == 2 }
        }
        return features
    }
}

extension SchemaFieldType {
    /// The number is one of `FieldDescriptorProto.Type`. Unknown numbers count as `bytes`, which reads every value of wire type 2.
    fileprivate init(number: Int, typeName: String) {
        let plain: [SchemaFieldType] = [
            .double, .float, .int64, .uint64, .int32, .fixed64, .fixed32, .bool, .string, .group(typeName), .message(typeName),
            .bytes, .uint32, .enumeration(typeName), .sfixed32, .sfixed64, .sint32, .sint64,
        ]
        self = plain.indices.contains(number - 1) ? plain[number - 1] : .bytes
    }
}

extension SchemaEnum {
    fileprivate init(c: Google__Protobuf__EnumDescriptorProto, scope: String) {
        name = MessageReader.string(c.name)
        fullName = qualified(name, in: scope)
        values = elements(c.n_value, c.value).map {
            Value(name: MessageReader.string($0.name), number: $0.number, isDeprecated: $0.options?.pointee.deprecated == 1)
        }
        allowsAliases = c.options?.pointee.allow_alias == 1
        isDeprecated = c.options?.pointee.deprecated == 1
    }
}

extension SchemaService {
    fileprivate init(c: Google__Protobuf__ServiceDescriptorProto, scope: String) {
        name = MessageReader.string(c.name)
        fullName = qualified(name, in: scope)
        methods = elements(c.n_method, c.method).map {
            SchemaMethod(
                name: MessageReader.string($0.name), request: withoutLeadingDot(MessageReader.string($0.input_type)),
                response: withoutLeadingDot(MessageReader.string($0.output_type)), streamsRequests: $0.client_streaming == 1,
                streamsResponses: $0.server_streaming == 1, isDeprecated: $0.options?.pointee.deprecated == 1)
        }
        isDeprecated = c.options?.pointee.deprecated == 1
    }
}

/// Copies of protobuf-c's repeated message fields. The counts come from protobuf-c's unpacking.
private func elements<Element>(
    _ count: Int, _ pointers: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>?
) -> [Element] {
    UnsafeBufferPointer(start: pointers, count: pointers == nil ? 0 : count).compactMap { $0?.pointee }
}

/// A full name; `scope` is a package or an outer message, or empty.
private func qualified(_ name: String, in scope: String) -> String {
    scope.isEmpty ? name : scope + "." + name
}

private func withoutLeadingDot(_ name: String) -> String {
    name.hasPrefix(".") ? String(name.dropFirst()) : name
}

/// The numbers from `start` up to, not including, `end`; nil for none.
private func range(_ start: Int32, _ end: Int32) -> ClosedRange<Int32>? {
    start < end ? start...(end - 1) : nil
}
