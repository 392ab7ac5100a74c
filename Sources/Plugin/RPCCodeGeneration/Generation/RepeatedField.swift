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

    func writeReading(_ writer: inout SourceWriter) {
        let reading = schema.type.readingAll(
            count: cMember(ProtobufCNames.countMember(schema.name)), source: cMember(ProtobufCNames.member(schema.name)))
        writer.line("\(property) = \(reading)")
    }

    func writeWriting(_ writer: inout SourceWriter) {
        let count = cMember(ProtobufCNames.countMember(schema.name))
        writer.line("(\(count), \(cMember(ProtobufCNames.member(schema.name)))) = \(writing)")
    }
}
