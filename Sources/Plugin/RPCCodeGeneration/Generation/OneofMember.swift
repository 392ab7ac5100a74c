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

    init(_ index: Int, of message: MessageSchema, access: String, _ context: GenerationContext) throws(GenerationError) {
        schema = message.oneofs[index]
        self.message = message
        self.access = access
        name = Self.memberName(schema.name)
        enumName = "OneOf_" + SwiftNames.upperCamel(schema.name)
        var cases: [Case] = []
        for field in message.fields where field.oneofIndex == index {
            let place = message.fullName + "." + field.name
            let name = SwiftNames.lowerCamel(field.name)
            cases.append(
                Case(
                    schema: field, name: ReservedNames.enumMembers.contains(name) ? name + "_" : name,
                    payload: try field.type.swiftType(at: place, context),
                    isIndirect: Recursion(index: context.index).leadsBack(field, to: message),
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

    /// Writes the enum that the property has for its type.
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

    func writeReading(_ writer: inout SourceWriter) {
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

    func writeWriting(_ writer: inout SourceWriter) {
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
