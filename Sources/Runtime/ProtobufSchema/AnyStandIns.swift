import ProtobufC

/// Lets JSON show each `google.protobuf.Any` in a message, also one of a type that nobody describes: the type, and the bytes as base64.
///
///     {"@type":"type.googleapis.com/pkg.Stranger","value":"CAE="}
///
/// JSON needs the type of each `Any`. So an unknown type gets a stand-in: a type of its name, with one field `value` for the bytes. In the message,
/// the content of such an `Any` is packed as its stand-in.
package struct AnyStandIns: Sendable {
    /// The longest full name of a type, in bytes. To hash a string takes time that grows with the square of its combining marks.
    package static let longestName = 1_000

    /// By the bytes of the name, as in a `TypeRegistry`.
    private var types: [[UInt8]: MessageDescriptor] = [:]

    package init() {}

    /// Whether a type has a stand-in.
    package func contains(_ fullName: String) -> Bool { types[Array(fullName.utf8)] != nil }

    /// Makes a stand-in for a type. Like ``SchemaTypes``, it is never freed.
    package mutating func add(_ fullName: String) {
        // In proto2 a field has presence, so empty bytes are shown too.
        var file = SchemaFile(name: "", package: "", syntax: "proto2", dependencies: [])
        let value = SchemaField(name: "value", fullName: fullName + ".value", number: 1, type: .bytes)
        file.messages = [SchemaMessage(name: fullName, fullName: fullName, fields: [value])]
        types[Array(fullName.utf8)] = try? SchemaTypes(Schema([file]))[fullName]
    }

    /// The types of a registry, and the stand-ins.
    package func added(to registry: TypeRegistry) -> TypeRegistry {
        var registry = registry
        for type in types.values { registry.register(type) }
        return registry
    }

    /// A message whose unknown contents are packed as their stand-ins. Bytes that are no such message stay as they are.
    package func placed(in bytes: [UInt8], of type: String, _ schema: Schema) -> [UInt8] {
        types.isEmpty ? bytes : rewritten(bytes[...], type, schema, depth: 0) ?? bytes
    }

    /// Nil for a message that is not rewritten: it has no description, it is damaged, or it is nested deeper than JSON can show.
    private func rewritten(_ bytes: ArraySlice<UInt8>, _ type: String, _ schema: Schema, depth: Int) -> [UInt8]? {
        guard depth <= DecodingOptions.maximumNestingDepth, case .message(let message)? = schema[type] else { return nil }
        if type == "google.protobuf.Any" { return rewrittenAny(bytes, schema, depth: depth) }
        var result: [UInt8] = []
        var records = WireRecords(bytes)
        while let record = records.next() {
            if case .bytes(let content) = record.value, let field = message.fields.first(where: { $0.number == record.number }),
                case .message(let inner) = field.type, let rewritten = rewritten(content, inner, schema, depth: depth + 1)
            {
                result.appendRecord(record.number, rewritten)
            } else {
                result += record.bytes
            }
        }
        return records.isAtEnd ? result : nil
    }

    private func rewrittenAny(_ bytes: ArraySlice<UInt8>, _ schema: Schema, depth: Int) -> [UInt8]? {
        var typeURL: ArraySlice<UInt8> = []
        var content: ArraySlice<UInt8> = []
        var records = WireRecords(bytes)
        while let record = records.next() {
            guard case .bytes(let value) = record.value else { continue }
            if record.number == 1 { typeURL = value }
            if record.number == 2 { content = value }
        }
        // The type's name comes after the last slash, as for a `TypeRegistry`.
        guard records.isAtEnd, let slash = typeURL.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let name = Array(typeURL[(slash + 1)...])
        guard name.count <= Self.longestName else { return nil }
        var value: [UInt8] = []
        if types[name] != nil {
            value.appendRecord(1, content)
        } else if let inner = rewritten(content, String(decoding: name, as: UTF8.self), schema, depth: depth + 1) {
            value = inner
        } else {
            return nil
        }
        var result: [UInt8] = []
        result.appendRecord(1, typeURL)
        result.appendRecord(2, value)
        return result
    }
}
