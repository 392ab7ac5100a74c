import ProtobufC

/// Lets JSON show each `google.protobuf.Any` in a message, also one of a type that nobody describes: the type URL, and the bytes as base64.
///
///     {"@type":"type.googleapis.com/pkg.Stranger","value":"CAE="}
///
/// JSON needs the type of each `Any`. So such an `Any` gets a stand-in as its content: a message with the type URL and the bytes. All have one type,
/// because types are never freed. Its own type URL is then cut out of the JSON.
package struct AnyStandIns: Sendable {
    /// The longest full name of a type that is asked for, in bytes. To hash a string takes time that grows with the square of its combining marks.
    package static let longestName = 1_000

    /// The name of the one type. No full name has a question mark.
    private static let standInName = "?stand-in"
    private static let standInURL = "/" + standInName

    private static let standIn: MessageDescriptor? = {
        // In proto2 a field has presence, so an empty text and empty bytes are shown too.
        var file = SchemaFile(name: "", package: "", syntax: "proto2", dependencies: [])
        let fields = [
            SchemaField(name: "@type", fullName: standInName + ".@type", number: 1, type: .string),
            SchemaField(name: "value", fullName: standInName + ".value", number: 2, type: .bytes),
        ]
        file.messages = [SchemaMessage(name: standInName, fullName: standInName, fields: fields)]
        return try? SchemaTypes(Schema([file]))[standInName]
    }()

    /// What the files say of types, and the types made of them.
    private struct Known {
        let schema: Schema
        let types: TypeRegistry
    }

    /// The bytes of the names, as in a `TypeRegistry`.
    private var names: Set<[UInt8]> = []
    /// Whether every type that is not described has a stand-in.
    package var coversAll = false

    package init() {}

    /// The name in a type URL; nil if there is none that anybody can be asked for. An `Any` with such a type URL always has a stand-in.
    package static func name(in typeURL: String) -> String? {
        // It comes after the last slash, as for a `TypeRegistry`.
        guard let slash = typeURL.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let name = typeURL[typeURL.utf8.index(after: slash)...]
        return canBeAsked(name.utf8) ? String(name) : nil
    }

    /// A question to a server cannot have a NUL.
    private static func canBeAsked(_ name: some Collection<UInt8>) -> Bool {
        !name.isEmpty && name.count <= longestName && !name.contains(0)
    }

    /// Whether a type that is not described has a stand-in.
    package func covers(_ fullName: String) -> Bool { coversAll || names.contains(Array(fullName.utf8)) }

    /// From now on, a type has a stand-in, unless it is described.
    package mutating func add(_ fullName: String) { names.insert(Array(fullName.utf8)) }

    /// A message as JSON.
    /// - Parameters:
    ///   - schema: the files of the types in the options.
    ///   - options: `typeRegistry` has the described types.
    /// - Throws: `JSONEncodingError` for a type that is neither described nor has a stand-in, and as JSON without stand-ins does; `DecodingError` for
    ///   bytes that are no such message.
    package func json(
        of bytes: [UInt8], as type: MessageDescriptor, _ schema: Schema, options: JSONEncodingOptions
    ) throws -> [UInt8] {
        let known = Known(schema: schema, types: options.typeRegistry)
        // The parts of an `Any` may be apart. In the normal form they are together.
        let whole = try DynamicMessage(serializedBytes: bytes, as: type).normalized()
        let placed = rewritten(whole.serializedBytes[...], type.fullName, known, depth: 0) ?? bytes
        var format = options
        if let standIn = Self.standIn { format.typeRegistry.register(standIn) }
        let json = try DynamicMessage(serializedBytes: placed, as: type).jsonUTF8Bytes(options: format)
        return Self.withoutStandInURLs(json, isPretty: options.prettyPrinted)
    }

    // MARK: Before JSON

    /// Nil for a message that is not rewritten: it has no description, it is damaged, or it is nested deeper than JSON can show.
    private func rewritten(_ bytes: ArraySlice<UInt8>, _ type: String, _ known: Known, depth: Int) -> [UInt8]? {
        guard depth <= DecodingOptions.maximumNestingDepth, case .message(let message)? = known.schema[type] else { return nil }
        if type == "google.protobuf.Any" { return rewrittenAny(bytes, known, depth: depth) }
        var result: [UInt8] = []
        var records = WireRecords(bytes)
        while let record = records.next() {
            if case .bytes(let content) = record.value, let field = message.fields.first(where: { $0.number == record.number }),
                case .message(let inner) = field.type, let rewritten = rewritten(content, inner, known, depth: depth + 1)
            {
                result.appendRecord(record.number, rewritten)
            } else {
                result += record.bytes
            }
        }
        return records.isAtEnd ? result : nil
    }

    private func rewrittenAny(_ bytes: ArraySlice<UInt8>, _ known: Known, depth: Int) -> [UInt8]? {
        var typeURL: ArraySlice<UInt8> = []
        var content: ArraySlice<UInt8> = []
        var records = WireRecords(bytes)
        while let record = records.next() {
            guard case .bytes(let value) = record.value else { continue }
            if record.number == 1 { typeURL = value }
            if record.number == 2 { content = value }
        }
        // An empty `Any` has a JSON form without a type.
        guard records.isAtEnd, !typeURL.isEmpty || !content.isEmpty else { return nil }
        var result: [UInt8] = []
        if let inner = rewrittenContent(content, typeURL, known, depth: depth) {
            result.appendRecord(1, typeURL)
            result.appendRecord(2, inner)
            return result
        }
        guard needsStandIn(typeURL, known) else { return nil }
        var standIn: [UInt8] = []
        standIn.appendRecord(1, typeURL)
        standIn.appendRecord(2, content)
        result.appendRecord(1, Self.standInURL.utf8)
        result.appendRecord(2, standIn)
        return result
    }

    /// The content of an `Any` of a described type; nil for another one, and for one that is not rewritten.
    private func rewrittenContent(
        _ content: ArraySlice<UInt8>, _ typeURL: ArraySlice<UInt8>, _ known: Known, depth: Int
    ) -> [UInt8]? {
        let limits = DecodingOptions(maxNestingDepth: DecodingOptions.maximumNestingDepth)
        guard let name = Self.name(in: String(decoding: typeURL, as: UTF8.self)), let type = known.types[name],
            let whole = try? DynamicMessage(serializedBytes: Array(content), as: type, options: limits).normalized()
        else { return nil }
        return rewritten(whole.serializedBytes[...], name, known, depth: depth + 1)
    }

    private func needsStandIn(_ typeURL: ArraySlice<UInt8>, _ known: Known) -> Bool {
        guard let name = Self.name(in: String(decoding: typeURL, as: UTF8.self)) else { return true }
        return known.types[name] == nil && covers(name)
    }

    // MARK: After JSON

    /// JSON without the type URL of stand-ins. In each of them, the next member is the type URL that came.
    private static func withoutStandInURLs(_ json: [UInt8], isPretty: Bool) -> [UInt8] {
        let member = Array("\"@type\":\(isPretty ? " " : "")\"\(standInURL)\",".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        var index = 0
        while index < json.count {
            if json[index...].starts(with: member) {
                index += member.count
                while json[index] == UInt8(ascii: "\n") || json[index] == UInt8(ascii: " ") { index += 1 }
            }
            // After a cut this is the quotation mark of the next member. So that one stays, even if it looks the same.
            result.append(json[index])
            index += 1
        }
        return result
    }
}
