/// A field that holds at most one value and stands in no `oneof`.
struct SingularField: MessageMember {
    let name: String
    let type: String
    var defaultValue: String { schema.type.swiftDefault }

    private let schema: FieldSchema
    private let access: String
    /// Whether the value would hold itself, so that it is kept in an array of at most one element.
    private let isBoxed: Bool
    private let writing: String

    init(
        _ schema: FieldSchema, of message: MessageSchema, access: String, _ context: GenerationContext
    ) throws(GenerationError) {
        let place = message.fullName + "." + schema.name
        let element = try schema.type.swiftType(at: place, context)
        self.schema = schema
        self.access = access
        name = Self.memberName(schema.name)
        isBoxed = Recursion(index: context.index).leadsBack(schema, to: message)
        if case .message = schema.type { type = element + "?" } else { type = element }
        writing = try schema.type.writing(
            "self." + SwiftNames.escaped(name), field: schema.name, at: place, context)
    }

    func writeDeclaration(_ writer: inout SourceWriter) {
        writer.documentation(schema.comment, otherwise: "`\(schema.name)`, field \(schema.number).")
        guard isBoxed else {
            let initialValue = type.hasSuffix("?") ? "" : " = \(defaultValue)"
            writer.line("\(access)var \(SwiftNames.escaped(name)): \(type)\(initialValue)")
            return
        }
        writer.block("\(access)var \(SwiftNames.escaped(name)): \(type)") { writer in
            writer.line("get { \(storage).first }")
            writer.line("set { \(storage) = newValue.map { [$0] } ?? [] }")
        }
        writer.line("/// Holds `\(name)` out of line: the type contains itself.")
        writer.line("private var \(storage): [\(type.dropLast())] = []")
    }

    func writeReading(_ writer: inout SourceWriter) {
        writer.line("\(property) = \(schema.type.reading(cMember(ProtobufCNames.member(schema.name))))")
    }

    func writeWriting(_ writer: inout SourceWriter) {
        let assignment = "\(cMember(ProtobufCNames.member(schema.name))) = \(writing)"
        switch schema.type {
        case .string, .bytes:
            // The struct starts out with the empty value, which needs no memory.
            writer.block("if !\(property).isEmpty") { $0.line(assignment) }
        default:
            writer.line(assignment)
        }
    }

    private var storage: String { name + "Storage_" }
}
