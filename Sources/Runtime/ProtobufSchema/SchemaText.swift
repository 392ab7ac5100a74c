/// Writes declarations as in a `.proto` file, for people.
///
///     print(SchemaText.describing("greeter.v1.Greeter", in: schema) ?? "unknown")
///
/// Names of the same package are written without the package. Options for code generators,
/// custom options and comments are left out.
public struct SchemaText {
    private let package: String
    private let syntax: String
    private var lines: [String] = []
    private var depth = 0

    private init(_ file: SchemaFile) {
        package = file.package
        syntax = file.syntax
    }

    /// The text of the declaration of a full name, with a newline at its end; nil if it is not in the schema.
    ///
    /// A method is shown with both of its messages. For a field, oneof or enum value, the whole message or enum is shown.
    public static func describing(_ fullName: String, in schema: Schema) -> String? {
        guard let declaration = schema[fullName], let file = schema.file(declaring: fullName) else { return nil }
        switch declaration {
        case .message(let message): return text(file) { $0.message(message) }
        case .enumeration(let type), .enumValue(_, of: let type): return text(file) { $0.enumeration(type) }
        case .service(let service): return text(file) { $0.service(service) }
        case .oneof(_, of: let message): return text(file) { $0.message(message) }
        case .field(let field):
            if field.extendee != nil { return text(file) { $0.extensionField(field) } }
            // A field with an empty full name would be part of itself.
            let scope = String(field.fullName.dropLast(field.name.count + 1))
            return scope.isEmpty ? nil : describing(scope, in: schema)
        case .method(let method, of: _):
            let types = [method.request, method.response].uniqued.compactMap { name -> String? in
                guard case .message(let message)? = schema[name], let file = schema.file(declaring: name) else { return nil }
                return text(file) { $0.message(message) }
            }
            return ([text(file) { $0.method(method) }] + types).joined(separator: "\n")
        }
    }

    private static func text(_ file: SchemaFile, _ write: (inout SchemaText) -> Void) -> String {
        var text = SchemaText(file)
        write(&text)
        return text.lines.joined(separator: "\n") + "\n"
    }

    // MARK: Declarations

    private mutating func service(_ service: SchemaService) {
        block("service \(service.name)") { text in
            if service.isDeprecated { text.line("option deprecated = true;") }
            for method in service.methods { text.method(method) }
        }
    }

    private mutating func method(_ method: SchemaMethod) {
        let request = (method.streamsRequests ? "stream " : "") + short(method.request)
        let response = (method.streamsResponses ? "stream " : "") + short(method.response)
        let end = method.isDeprecated ? " { option deprecated = true; }" : ";"
        line("rpc \(method.name)(\(request)) returns (\(response))\(end)")
    }

    private mutating func message(_ message: SchemaMessage) {
        block("message \(message.name)") { text in
            if message.isDeprecated { text.line("option deprecated = true;") }
            for type in message.enums { text.enumeration(type) }
            for inner in message.messages where !inner.isMapEntry { text.message(inner) }
            text.reserved(message)
            var written: Set<Int> = []
            for field in message.fields {
                guard let index = field.oneofIndex, !field.isProto3Optional, message.oneofs.indices.contains(index) else {
                    text.field(field, in: message)
                    continue
                }
                guard written.insert(index).inserted else { continue }
                text.block("oneof \(message.oneofs[index])") { text in
                    for member in message.fields where member.oneofIndex == index { text.field(member, in: message) }
                }
            }
            for range in message.extensionRanges { text.line("extensions \(Self.text(range, last: 536_870_911));") }
            for field in message.extensions { text.extensionField(field) }
        }
    }

    private mutating func reserved(_ message: SchemaMessage) {
        let ranges = message.reservedRanges.map { Self.text($0, last: 536_870_911) }
        if !ranges.isEmpty { line("reserved \(ranges.joined(separator: ", "));") }
        let names = message.reservedNames.map { "\"\($0)\"" }
        if !names.isEmpty { line("reserved \(names.joined(separator: ", "));") }
    }

    private mutating func field(_ field: SchemaField, in message: SchemaMessage?) {
        let entry = message.flatMap { Self.mapEntry(of: field, in: $0) }
        var label = ""
        if entry == nil {
            switch field.label {
            case .repeated: label = "repeated "
            case .required: label = "required "
            case .singular where field.isProto3Optional || (syntax == "proto2" && field.oneofIndex == nil): label = "optional "
            case .singular: break
            }
        }
        line("\(label)\(entry.map { mapType($0) } ?? name(of: field.type)) \(field.name) = \(field.number)\(options(field));")
    }

    private mutating func extensionField(_ field: SchemaField) {
        block("extend \(short(field.extendee ?? ""))") { $0.field(field, in: nil) }
    }

    private mutating func enumeration(_ type: SchemaEnum) {
        block("enum \(type.name)") { text in
            if type.allowsAliases { text.line("option allow_alias = true;") }
            if type.isDeprecated { text.line("option deprecated = true;") }
            for value in type.values {
                text.line("\(value.name) = \(value.number)\(value.isDeprecated ? " [deprecated = true]" : "");")
            }
        }
    }

    // MARK: Pieces

    private func options(_ field: SchemaField) -> String {
        var options: [String] = []
        if let value = field.defaultValue {
            switch field.type {
            case .string, .bytes: options.append("default = \"\(value)\"")
            default: options.append("default = \(value)")
            }
        }
        if let name = field.chosenJSONName { options.append("json_name = \"\(name)\"") }
        if let isPacked = field.isPacked { options.append("packed = \(isPacked)") }
        if field.isDelimited { options.append("features.message_encoding = DELIMITED") }
        if field.isDeprecated { options.append("deprecated = true") }
        return options.isEmpty ? "" : " [" + options.joined(separator: ", ") + "]"
    }

    private static func mapEntry(of field: SchemaField, in message: SchemaMessage) -> SchemaMessage? {
        guard field.label == .repeated, case .message(let name) = field.type else { return nil }
        return message.messages.first { $0.isMapEntry && $0.fullName == name && $0.fields.count == 2 }
    }

    private func mapType(_ entry: SchemaMessage) -> String {
        "map<\(name(of: entry.fields[0].type)), \(name(of: entry.fields[1].type))>"
    }

    private func name(of type: SchemaFieldType) -> String {
        switch type {
        case .group(let name): "group " + short(name)
        case .message(let name), .enumeration(let name): short(name)
        default: "\(type)"
        }
    }

    /// A full name without the present package.
    private func short(_ name: String) -> String {
        !package.isEmpty && name.hasPrefix(package + ".") ? String(name.dropFirst(package.count + 1)) : name
    }

    private static func text(_ range: ClosedRange<Int32>, last: Int32) -> String {
        if range.count == 1 { return "\(range.lowerBound)" }
        return "\(range.lowerBound) to " + (range.upperBound >= last ? "max" : "\(range.upperBound)")
    }

    private mutating func line(_ text: String) { lines.append(String(repeating: "  ", count: depth) + text) }

    private mutating func block(_ head: String, _ body: (inout SchemaText) -> Void) {
        let start = lines.count
        depth += 1
        body(&self)
        depth -= 1
        if lines.count == start { return line(head + " {}") }
        lines.insert(String(repeating: "  ", count: depth) + head + " {", at: start)
        line("}")
    }
}

extension Array where Element: Hashable {
    /// The elements without duplicates.
    fileprivate var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
