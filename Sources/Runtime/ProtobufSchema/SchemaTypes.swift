import CProtobufC
import ProtobufC

/// Message types made from a schema at run time: protobuf-c descriptors, as `protoc-c` would write them.
///
/// A call of a method whose file is known only at run time:
///
///     let types = try SchemaTypes(schema)
///     guard let request = types["greeter.v1.HelloRequest"], let reply = types["greeter.v1.HelloReply"] else { return }
///     let method = MethodDescriptor<OpaqueMessage, OpaqueMessage>(service: "greeter.v1.Greeter", method: "SayHello", shape: .unary)
///     let world = try DynamicMessage(jsonUTF8Bytes: Array(#"{"name": "world"}"#.utf8), as: request)
///     let answer = try await channel.unary(method, OpaqueMessage(world), options: CallOptions())
///     print(String(decoding: try DynamicMessage(serializedBytes: answer.wireBytes, as: reply).jsonUTF8Bytes(), as: UTF8.self))
///
/// They have the same checked decoding and the same JSON as generated messages (``DynamicMessage``). Their memory is
/// never freed, because descriptors live as long as the program. So make them once for each schema, and only for a few schemas.
///
/// Groups, fields that are encoded like them (``SchemaField/isDelimited``) and extensions are not supported; their contents are kept as unknown
/// fields. Enums of proto2 are closed: an unknown number is an unknown field too.
public struct SchemaTypes: Sendable {
    private let descriptors: [String: MessageDescriptor]
    /// The types that `google.protobuf.Any` may hold in JSON: all of them.
    public let registry: TypeRegistry

    /// The types of all messages of a schema.
    /// - Throws: ``SchemaFault`` for a schema that `protoc` would not write.
    public init(_ schema: Schema) throws(SchemaFault) {
        var builder = DescriptorBuilder()
        let files = schema.files.values.sorted { $0.name < $1.name }
        // First reserve the places of all types, because messages may refer to each other in cycles.
        for file in files { try builder.reserve(file) }
        for file in files { try builder.fill(file) }
        descriptors = builder.messageDescriptors
        var registry = TypeRegistry()
        for descriptor in descriptors.values { registry.register(descriptor) }
        self.registry = registry
    }

    /// The type of that full name, without a leading dot.
    public subscript(fullName: String) -> MessageDescriptor? { descriptors[fullName] }

    /// The types of a registry, and these types in the place of those with the same names.
    package func added(to registry: TypeRegistry) -> TypeRegistry {
        var registry = registry
        for descriptor in descriptors.values { registry.register(descriptor) }
        return registry
    }
}

/// Why a schema is invalid.
public enum SchemaFault: Error, Sendable, Hashable {
    /// A field has a type that no file of the schema declares.
    case missingType(field: String, type: String)
    /// Two types have this full name.
    case duplicateType(String)
    /// The number of a field is used by another field too, or is not allowed. Allowed are 1 to 536,870,911 without 19,000 to 19,999.
    case badFieldNumber(field: String)
    /// A field names a oneof that its message does not have, or is repeated in one.
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

/// Makes protobuf-c's descriptors. Their memory is never freed: see ``SchemaTypes``.
private struct DescriptorBuilder {
    private typealias MessagePlace = UnsafeMutablePointer<ProtobufCMessageDescriptor>
    private typealias EnumPlace = UnsafeMutablePointer<ProtobufCEnumDescriptor>

    private var messages: [String: MessagePlace] = [:]
    private var enums: [String: EnumPlace] = [:]

    /// The types, after all files are filled in.
    var messageDescriptors: [String: MessageDescriptor] { messages.mapValues { MessageDescriptor($0) } }

    // MARK: Places

    /// Makes a place for every type of a file, so that others can point at it.
    mutating func reserve(_ file: SchemaFile) throws(SchemaFault) {
        for type in file.enums { try reserve(type) }
        for message in file.messages { try reserve(message) }
    }

    private mutating func reserve(_ message: SchemaMessage) throws(SchemaFault) {
        guard messages[message.fullName] == nil else { throw .duplicateType(message.fullName) }
        messages[message.fullName] = Self.place(ProtobufCMessageDescriptor())
        for inner in message.messages { try reserve(inner) }
        for type in message.enums { try reserve(type) }
    }

    private mutating func reserve(_ type: SchemaEnum) throws(SchemaFault) {
        guard enums[type.fullName] == nil else { throw .duplicateType(type.fullName) }
        enums[type.fullName] = Self.place(ProtobufCEnumDescriptor())
    }

    // MARK: Contents

    /// Fills in the types of a file, whose imports have their places.
    func fill(_ file: SchemaFile) throws(SchemaFault) {
        let package = Self.text(file.package)
        for type in file.enums { fill(type, package, file) }
        for message in file.messages { try fill(message, package, file) }
    }

    private func fill(
        _ message: SchemaMessage, _ package: UnsafePointer<CChar>, _ file: SchemaFile
    ) throws(SchemaFault) {
        let layout = try StructLayout(message, syntax: file.syntax)
        var fields: [ProtobufCFieldDescriptor] = []
        for (field, place) in zip(layout.fields, layout.places) { fields.append(try descriptor(of: field, place)) }
        // Its place was reserved.
        let place = messages[message.fullName].unsafelyUnwrapped
        place.pointee.magic = UInt32(PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC)
        place.pointee.name = Self.text(message.fullName)
        place.pointee.short_name = Self.text(message.name)
        place.pointee.c_name = place.pointee.name
        place.pointee.package_name = package
        place.pointee.sizeof_message = layout.size
        place.pointee.n_fields = UInt32(fields.count)
        place.pointee.fields = Self.array(fields)
        let byName = fields.indices.sorted { Self.precedes(layout.fields[$0].name, layout.fields[$1].name) }
        place.pointee.fields_sorted_by_name = Self.array(byName.map { UInt32($0) })
        let ranges = Self.ranges(layout.fields.map(\.number))
        place.pointee.n_field_ranges = UInt32(ranges.count - 1)
        place.pointee.field_ranges = Self.array(ranges)
        for inner in message.messages { try fill(inner, package, file) }
        for type in message.enums { fill(type, package, file) }
    }

    private func descriptor(
        of field: SchemaField, _ place: StructLayout.Place
    ) throws(SchemaFault) -> ProtobufCFieldDescriptor {
        var descriptor = ProtobufCFieldDescriptor()
        descriptor.name = Self.text(field.name)
        // StructLayout has checked that the number is positive.
        descriptor.id = UInt32(field.number)
        descriptor.label = place.label
        descriptor.type = field.type.c
        descriptor.quantifier_offset = UInt32(place.quantifierOffset)
        descriptor.offset = UInt32(place.offset)
        descriptor.flags = place.flags
        descriptor.reserved2 = field.chosenJSONName.map { UnsafeMutableRawPointer(mutating: Self.text($0)) }
        switch field.type {
        case .message(let name):
            guard let type = messages[name] else { throw .missingType(field: field.fullName, type: name) }
            descriptor.descriptor = UnsafeRawPointer(type)
        case .enumeration(let name):
            guard let type = enums[name] else { throw .missingType(field: field.fullName, type: name) }
            descriptor.descriptor = UnsafeRawPointer(type)
        default: break
        }
        return descriptor
    }

    /// protobuf-c has two lists: the numbers in ascending order, each with its first name, and the sorted names, each with the index of its number.
    private func fill(_ type: SchemaEnum, _ package: UnsafePointer<CChar>, _ file: SchemaFile) {
        var firstNames: [Int32: String] = [:]
        for value in type.values where firstNames[value.number] == nil { firstNames[value.number] = value.name }
        let numbers = firstNames.keys.sorted()
        let indices = Dictionary(uniqueKeysWithValues: zip(numbers, 0...))
        let values = numbers.map { number in
            let name = Self.text(firstNames[number, default: ""])
            return ProtobufCEnumValue(name: name, c_name: name, value: number)
        }
        let names = type.values.sorted { Self.precedes($0.name, $1.name) }.map {
            ProtobufCEnumValueIndex(name: Self.text($0.name), index: UInt32(indices[$0.number, default: 0]))
        }
        let ranges = Self.ranges(numbers)
        // Its place was reserved.
        let place = enums[type.fullName].unsafelyUnwrapped
        place.pointee.magic = UInt32(PROTOBUF_C__ENUM_DESCRIPTOR_MAGIC)
        place.pointee.name = Self.text(type.fullName)
        place.pointee.short_name = Self.text(type.name)
        place.pointee.c_name = place.pointee.name
        place.pointee.package_name = package
        place.pointee.n_values = UInt32(values.count)
        place.pointee.values = Self.array(values)
        place.pointee.n_value_names = UInt32(names.count)
        place.pointee.values_by_name = Self.array(names)
        place.pointee.n_value_ranges = UInt32(ranges.count - 1)
        place.pointee.value_ranges = Self.array(ranges)
        // Any address works, because ProtobufC only checks whether there is one.
        if file.syntax == "proto2" { place.pointee.reserved1 = UnsafeMutableRawPointer(place) }
    }

    // MARK: Pieces

    /// protobuf-c's index of ascending numbers: the start of each run of consecutive numbers, and one more range for the end.
    static func ranges(_ numbers: [Int32]) -> [ProtobufCIntRange] {
        var ranges: [ProtobufCIntRange] = []
        for (index, number) in numbers.enumerated() where index == 0 || numbers[index - 1] != number - 1 {
            ranges.append(ProtobufCIntRange(start_value: number, orig_index: UInt32(index)))
        }
        ranges.append(ProtobufCIntRange(start_value: 0, orig_index: UInt32(numbers.count)))
        return ranges
    }

    /// The order of `strcmp`, by which protobuf-c searches names.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    private static func place<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        place.initialize(to: value)
        return place
    }

    private static func array<Value>(_ values: [Value]) -> UnsafePointer<Value>? {
        guard !values.isEmpty else { return nil }
        let place = UnsafeMutableBufferPointer<Value>.allocate(capacity: values.count)
        _ = place.initialize(from: values)
        return UnsafePointer(place.baseAddress)
    }

    /// A C string. Names were decoded, so they contain no NUL.
    private static func text(_ text: String) -> UnsafePointer<CChar> {
        let place = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count + 1)
        _ = place.initialize(from: text.utf8.map { CChar(bitPattern: $0) } + [0])
        // A buffer of at least one byte has an address.
        return UnsafePointer(place.baseAddress.unsafelyUnwrapped)
    }
}
