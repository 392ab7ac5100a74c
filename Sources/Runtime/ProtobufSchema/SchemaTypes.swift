import CProtobufC
import ProtobufC

/// Message types made from a schema while the program runs: protobuf-c's own descriptors, as `protoc-c` would have written them.
///
/// They take the checked decode and the JSON that generated messages have (``DynamicMessage``). Making them costs memory that is
/// never given back, because descriptors live as long as the program: make them once a schema, in programs that read few.
///
/// Groups and extensions are left out; their contents are kept as unknown fields, except that a group is refused by the decode.
public struct SchemaTypes: Sendable {
    private let descriptors: [String: MessageDescriptor]
    /// The types that `google.protobuf.Any` may hold in JSON: all of them.
    public let registry: TypeRegistry

    /// The types of all messages of a schema.
    /// - Throws: ``SchemaFault`` for a schema that no `protoc` would have written.
    public init(_ schema: Schema) throws(SchemaFault) {
        var builder = DescriptorBuilder()
        let files = schema.files.values.sorted { $0.name < $1.name }
        // All places first: messages name each other in circles.
        for file in files { try builder.reserve(file) }
        for file in files { try builder.fill(file) }
        descriptors = builder.messageDescriptors
        var registry = TypeRegistry()
        for descriptor in descriptors.values { registry.register(descriptor) }
        self.registry = registry
    }

    /// The type of that full name, without a leading dot.
    public subscript(fullName: String) -> MessageDescriptor? { descriptors[fullName] }
}

/// Why no types can be made from a schema.
public enum SchemaFault: Error, Sendable, Hashable {
    /// A field is of a type that no file of the schema declares.
    case missingType(field: String, type: String)
    /// Two types have this full name.
    case duplicateType(String)
    /// The number of a field is used by another field too, or is none that the wire form can hold (1 to 536,870,911).
    case badFieldNumber(field: String)
    /// A field names a oneof that its message lacks, or is repeated in one.
    case badOneof(field: String)
}

extension SchemaFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missingType(let field, let type): "\(field) is of the type \(type), which nobody declares"
        case .duplicateType(let name): "\(name) is declared twice"
        case .badFieldNumber(let field): "\(field) has a number that it cannot have"
        case .badOneof(let field): "\(field) is in a oneof that it cannot be in"
        }
    }
}
