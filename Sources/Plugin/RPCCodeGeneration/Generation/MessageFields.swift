/// One property of a generated message: a field, or all fields of a `oneof`.
protocol MessageMember {
    /// The property's name, not escaped.
    var name: String { get }
    /// The property's type as source.
    var type: String { get }
    /// The property's default as source.
    var defaultValue: String { get }
    /// Writes the property.
    func writeDeclaration(_ writer: inout SourceWriter)
    /// Writes the statements that set the property from the C struct at `message`.
    func writeDecoding(_ writer: inout SourceWriter)
    /// Writes the statements that set the C struct at `message` from the property.
    func writeEncoding(_ writer: inout SourceWriter)
}

extension MessageMember {
    /// The property as source.
    var property: String { "self." + SwiftNames.escaped(name) }

    /// The name of a field's or oneof's property. It never equals a member that every message has.
    static func memberName(_ schemaName: String) -> String {
        let name = SwiftNames.lowerCamel(schemaName)
        return ReservedNames.messageMembers.contains(name) ? name + "_" : name
    }
}

/// A member of the C struct as source.
func cMember(_ name: String) -> String {
    "message.pointee." + SwiftNames.escapedCMember(name)
}

/// A field with at most one value, outside of a `oneof`.
struct SingularField: MessageMember {
    let name: String
    let type: String
    var defaultValue: String { hasPresence ? "nil" : schema.type.swiftDefault }

    private let schema: FieldSchema
    private let access: String
    /// Why the value is stored in an array of at most one element; nil if it is not.
    private let outOfLine: FieldStorage.Reason?
    /// Declared `optional`: the property is optional, and the C struct has a oneof of this one field.
    private var hasPresence: Bool { schema.isProto3Optional }
    /// The C struct's member that says whether an `optional` field is set.
    private let caseMember: String
    private let writing: String

    init(
        _ schema: FieldSchema, of message: MessageSchema, outOfLine: FieldStorage.Reason?, access: String, _ context: GenerationContext
    ) throws(GenerationError) {
        let place = message.fullName + "." + schema.name
        let element = try schema.type.swiftType(at: place, context)
        self.schema = schema
        self.outOfLine = outOfLine
        self.access = access
        name = Self.memberName(schema.name)
        if case .message = schema.type { type = element + "?" } else { type = schema.isProto3Optional ? element + "?" : element }
        let oneof = schema.oneofIndex.flatMap { message.oneofs.indices.contains($0) ? message.oneofs[$0].name : nil } ?? ""
        caseMember = cMember(ProtobufCNames.caseMember(oneof))
        writing = try schema.type.writing(
            schema.isProto3Optional ? "value" : "self." + SwiftNames.escaped(name), field: schema.name, at: place, context)
    }

    func writeDeclaration(_ writer: inout SourceWriter) {
        writer.documentation(schema.comment, otherwise: "`\(schema.name)`, field \(schema.number).")
        guard let outOfLine else {
            let initialValue = type.hasSuffix("?") ? "" : " = \(defaultValue)"
            writer.line("\(access)var \(SwiftNames.escaped(name)): \(type)\(initialValue)")
            return
        }
        writer.block("\(access)var \(SwiftNames.escaped(name)): \(type)") { writer in
            writer.line("get { \(storage).first }")
            writer.line("set { \(storage) = newValue.map { [$0] } ?? [] }")
        }
        let reason =
            switch outOfLine {
            case .containsItself: "the type contains itself"
            case .isLarge: "in line it would take much memory also when it is not set"
            }
        writer.line("/// Holds `\(name)` out of line: \(reason).")
        writer.line("private var \(storage): [\(type.dropLast())] = []")
    }

    func writeDecoding(_ writer: inout SourceWriter) {
        let reading = "\(property) = \(schema.type.reading(cMember(ProtobufCNames.member(schema.name))))"
        guard hasPresence else { return writer.line(reading) }
        writer.block("if \(caseMember).rawValue == \(schema.number)") { $0.line(reading) }
    }

    func writeEncoding(_ writer: inout SourceWriter) {
        let assignment = "\(cMember(ProtobufCNames.member(schema.name))) = \(writing)"
        if hasPresence {
            return writer.block("if let value = \(property)") { writer in
                writer.line("\(caseMember) = .init(rawValue: \(schema.number))")
                writer.line(assignment)
            }
        }
        switch schema.type {
        case .string, .bytes:
            // The struct begins with the empty value, which needs no memory.
            writer.block("if !\(property).isEmpty") { $0.line(assignment) }
        case .scalar(.float), .scalar(.double):
            writer.line(assignment)
            // protobuf-c treats −0.0 as 0.0 and omits it.
            writer.line("encoder.negativeZero(\(property), number: \(schema.number), into: blank)")
        default:
            writer.line(assignment)
        }
    }

    private var storage: String { name + "Storage_" }
}

/// A `repeated` field that is not a map.
struct RepeatedField: MessageMember {
    let name: String
    let type: String
    var defaultValue: String { "[]" }

    private let schema: FieldSchema
    private let access: String
    private let writing: String

    init(
        _ schema: FieldSchema, of message: MessageSchema, access: String, _ context: GenerationContext
    ) throws(GenerationError) {
        let place = message.fullName + "." + schema.name
        self.schema = schema
        self.access = access
        name = Self.memberName(schema.name)
        type = "[\(try schema.type.swiftType(at: place, context))]"
        writing = try schema.type.writingAll(
            "self." + SwiftNames.escaped(name), field: schema.name, at: place, context)
    }

    func writeDeclaration(_ writer: inout SourceWriter) {
        writer.documentation(schema.comment, otherwise: "`\(schema.name)`, field \(schema.number).")
        writer.line("\(access)var \(SwiftNames.escaped(name)): \(type) = []")
    }

    func writeDecoding(_ writer: inout SourceWriter) {
        let reading = schema.type.readingAll(
            count: cMember(ProtobufCNames.countMember(schema.name)), source: cMember(ProtobufCNames.member(schema.name)))
        writer.line("\(property) = \(reading)")
    }

    func writeEncoding(_ writer: inout SourceWriter) {
        let count = cMember(ProtobufCNames.countMember(schema.name))
        writer.line("(\(count), \(cMember(ProtobufCNames.member(schema.name)))) = \(writing)")
    }
}

/// A `map` field: a Dictionary in Swift, a repeated entry message in C and on the wire.
///
/// Entries are written in the order of their keys, so that the bytes do not depend on the order in memory.
struct MapField: MessageMember {
    let name: String
    let type: String
    var defaultValue: String { "[:]" }

    private let schema: FieldSchema
    private let access: String
    private let entry: MessageSchema
    private let sorting: String
    private let mapping: String
    private let writing: String

    init(
        _ schema: FieldSchema, entry: MessageSchema, of message: MessageSchema, access: String, _ context: GenerationContext
    ) throws(GenerationError) {
        let place = message.fullName + "." + schema.name
        guard let key = entry.fields.first(where: { $0.number == 1 }),
            let value = entry.fields.first(where: { $0.number == 2 })
        else {
            throw GenerationError(at: place, "the map entry lacks key or value")
        }
        self.schema = schema
        self.access = access
        self.entry = entry
        name = Self.memberName(schema.name)
        type = "[\(try key.type.swiftType(at: place, context)): \(try value.type.swiftType(at: place, context))]"
        let isOrdered = key.type == .bool ? "!$0.key && $1.key" : "$0.key < $1.key"
        sorting = "sorted { \(isOrdered) }"
        mapping = "map { \(entry.name)(key: $0.key, value: $0.value) }"
        writing = try schema.type.writingAll(name + "Entries", field: schema.name, at: place, context)
    }

    func writeDeclaration(_ writer: inout SourceWriter) {
        writer.documentation(schema.comment, otherwise: "`\(schema.name)`, field \(schema.number).")
        writer.line("\(access)var \(SwiftNames.escaped(name)): \(type) = [:]")
    }

    func writeDecoding(_ writer: inout SourceWriter) {
        let entries = schema.type.readingAll(
            count: cMember(ProtobufCNames.countMember(schema.name)), source: cMember(ProtobufCNames.member(schema.name)))
        // An entry without a value has the default value. If keys are equal, the last one counts.
        let value: String
        if case .message? = entry.fields.first(where: { $0.number == 2 })?.type {
            value = "$0.value ?? .init()"
        } else {
            value = "$0.value"
        }
        writer.line("let \(entryList): [\(entry.name)] = \(entries)")
        writer.line(
            "\(property) = Dictionary(\(entryList).map { ($0.key, \(value)) }, uniquingKeysWith: { $1 })")
    }

    func writeEncoding(_ writer: inout SourceWriter) {
        writer.line("let \(entryList) = \(property).\(sorting)")
        writer.line("    .\(mapping)")
        let count = cMember(ProtobufCNames.countMember(schema.name))
        writer.line("(\(count), \(cMember(ProtobufCNames.member(schema.name)))) = \(writing)")
    }

    private var entryList: String { name + "Entries" }
}

/// A `oneof`: an optional Swift enum with the value as payload.
struct OneofMember: MessageMember {
    let name: String
    var type: String { enumName + "?" }
    var defaultValue: String { "nil" }

    /// One field of the `oneof`.
    private struct Case {
        let schema: FieldSchema
        let name: String
        let payload: String
        let isIndirect: Bool
        let writing: String
    }

    private let schema: OneofSchema
    private let message: MessageSchema
    private let access: String
    private let enumName: String
    private let cases: [Case]

    init(
        _ index: Int, of message: MessageSchema, outOfLine: [Int32: FieldStorage.Reason], access: String, _ context: GenerationContext
    ) throws(GenerationError) {
        schema = message.oneofs[index]
        self.message = message
        self.access = access
        name = Self.memberName(schema.name)
        enumName = SwiftNames.oneof(schema.name)
        var cases: [Case] = []
        for field in message.fields where field.oneofIndex == index {
            let place = message.fullName + "." + field.name
            let name = SwiftNames.lowerCamel(field.name)
            cases.append(
                Case(
                    schema: field, name: ReservedNames.enumMembers.contains(name) ? name + "_" : name,
                    payload: try field.type.swiftType(at: place, context),
                    isIndirect: outOfLine[field.number] != nil,
                    writing: try field.type.writing("value", field: field.name, at: place, context)))
        }
        self.cases = cases
    }

    /// The names of the enum's cases, not escaped.
    var caseNames: [String] { cases.map(\.name) }

    func writeDeclaration(_ writer: inout SourceWriter) {
        writer.documentation(schema.comment, otherwise: "The `\(schema.name)` that is set, if any.")
        writer.line("\(access)var \(SwiftNames.escaped(name)): \(type)")
    }

    /// Writes the enum that is the property's type.
    func writeType(_ writer: inout SourceWriter) {
        writer.line("/// What ``\(name)`` can be.")
        writer.block("\(access)enum \(enumName): Hashable, Sendable") { writer in
            for item in cases {
                writer.documentation(item.schema.comment, otherwise: "`\(item.schema.name)`, field \(item.schema.number).")
                let keyword = item.isIndirect ? "indirect case" : "case"
                writer.line("\(keyword) \(SwiftNames.escaped(item.name))(\(item.payload))")
            }
        }
    }

    func writeDecoding(_ writer: inout SourceWriter) {
        writer.switchBlock("switch \(caseMember).rawValue") { writer in
            for item in cases {
                let reading = item.schema.type.reading(cMember(ProtobufCNames.member(item.schema.name)))
                let value: String
                if case .message = item.schema.type {
                    value = "\(reading).map { .\(SwiftNames.escaped(item.name))($0) }"
                } else {
                    value = ".\(SwiftNames.escaped(item.name))(\(reading))"
                }
                writer.line("case \(item.schema.number): \(property) = \(value)")
            }
            writer.line("default: break")
        }
    }

    func writeEncoding(_ writer: inout SourceWriter) {
        writer.switchBlock("switch \(property)") { writer in
            for item in cases {
                writer.line("case .\(SwiftNames.escaped(item.name))(let value)?:")
                writer.line("    \(caseMember) = .init(rawValue: \(item.schema.number))")
                writer.line("    \(cMember(ProtobufCNames.member(item.schema.name))) = \(item.writing)")
            }
            writer.line("case nil: break")
        }
    }

    private var caseMember: String { cMember(ProtobufCNames.caseMember(schema.name)) }
}
