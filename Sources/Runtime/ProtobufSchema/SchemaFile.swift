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
    /// - Throws: ``DecodingError`` if the bytes are not one, exceed the default limits of decoding, or have a name that protoc would refuse, a name
    ///   that is too long, or a path that is not ASCII (``Malformation/schemaName``).
    public init(serializedBytes: [UInt8]) throws(DecodingError) {
        let descriptor = MessageDescriptor(
            of: Google__Protobuf__FileDescriptorProto.self, initializedBy: google__protobuf__file_descriptor_proto__init)
        let file: SchemaFile? = try descriptor.withUnpacked(serializedBytes) {
            let file = $0.load(as: Google__Protobuf__FileDescriptorProto.self)
            return SchemaNames.accepts(file) ? SchemaFile(c: file) : nil
        }
        guard let file else { throw .malformed(field: "", reason: .schemaName) }
        self = file
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

/// The rules for names in a file that need not be trusted. A long name would be copied into the full name of each declaration in its scope, and a
/// text with many combining marks could not be hashed in bounded time.
private enum SchemaNames {
    /// The most bytes of a full name, and of a file's path.
    private static let mostBytes = 512

    static func accepts(_ file: Google__Protobuf__FileDescriptorProto) -> Bool {
        let package = MessageReader.string(file.package)
        let paths = [MessageReader.string(file.name)] + MessageReader.strings(file.n_dependency, file.dependency)
        guard paths.allSatisfy({ $0.utf8.count <= mostBytes && $0.utf8.allSatisfy { $0 < 0x80 } }), package.isEmpty || isTypeName(package) else {
            return false
        }
        let scope = package.utf8.count
        return elements(file.n_message_type, file.message_type).allSatisfy { accepts($0, scope) }
            && elements(file.n_enum_type, file.enum_type).allSatisfy { accepts($0, scope) }
            && elements(file.n_extension, file.extension).allSatisfy { accepts($0, scope) }
            && elements(file.n_service, file.service).allSatisfy { accepts($0, scope) }
    }

    private static func accepts(_ service: Google__Protobuf__ServiceDescriptorProto, _ scope: Int) -> Bool {
        guard let inner = lengthOfName(service.name, in: scope) else { return false }
        return elements(service.n_method, service.method).allSatisfy {
            lengthOfName($0.name, in: inner) != nil && isTypeName(MessageReader.string($0.input_type))
                && isTypeName(MessageReader.string($0.output_type))
        }
    }

    private static func accepts(_ message: Google__Protobuf__DescriptorProto, _ scope: Int) -> Bool {
        guard let inner = lengthOfName(message.name, in: scope) else { return false }
        return elements(message.n_field, message.field).allSatisfy { accepts($0, inner) }
            && elements(message.n_extension, message.extension).allSatisfy { accepts($0, inner) }
            && elements(message.n_oneof_decl, message.oneof_decl).allSatisfy { lengthOfName($0.name, in: inner) != nil }
            && elements(message.n_enum_type, message.enum_type).allSatisfy { accepts($0, inner) }
            && elements(message.n_nested_type, message.nested_type).allSatisfy { accepts($0, inner) }
    }

    private static func accepts(_ type: Google__Protobuf__EnumDescriptorProto, _ scope: Int) -> Bool {
        lengthOfName(type.name, in: scope) != nil && elements(type.n_value, type.value).allSatisfy { lengthOfName($0.name, in: scope) != nil }
    }

    private static func accepts(_ field: Google__Protobuf__FieldDescriptorProto, _ scope: Int) -> Bool {
        // A name in JSON may be any text.
        lengthOfName(field.name, in: scope) != nil && MessageReader.string(field.json_name).utf8.count <= mostBytes
            && [field.type_name, field.extendee].map(MessageReader.string).allSatisfy { $0.isEmpty || isTypeName($0) }
    }

    /// The bytes of a declaration's full name; nil if its name is no identifier, or if they are too many.
    /// - Parameter scope: the bytes of the scope's full name.
    private static func lengthOfName(_ text: UnsafeMutablePointer<CChar>?, in scope: Int) -> Int? {
        let name = MessageReader.string(text)
        let length = scope + 1 + name.utf8.count
        return length <= mostBytes && isIdentifier(name.utf8[...]) ? length : nil
    }

    /// Whether it is a full name, perhaps with a leading dot.
    private static func isTypeName(_ name: String) -> Bool {
        guard name.utf8.count <= mostBytes + 1 else { return false }
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.dropFirst(parts.first?.isEmpty == true ? 1 : 0).allSatisfy { isIdentifier($0) }
    }

    private static func isIdentifier(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, !isDigit(first) else { return false }
        return text.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
