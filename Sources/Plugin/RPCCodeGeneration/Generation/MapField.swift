/// A `map` field: a Dictionary in Swift, a repeated entry message in C and on the wire.
///
/// Entries are written in the order of their keys, so that equal messages have equal bytes.
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

    func writeReading(_ writer: inout SourceWriter) {
        let entries = schema.type.readingAll(
            count: cMember(ProtobufCNames.countMember(schema.name)), source: cMember(ProtobufCNames.member(schema.name)))
        // An entry may leave its value out, which then is the default; of equal keys the last one counts.
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

    func writeWriting(_ writer: inout SourceWriter) {
        writer.line("let \(entryList) = \(property).\(sorting)")
        writer.line("    .\(mapping)")
        let count = cMember(ProtobufCNames.countMember(schema.name))
        writer.line("(\(count), \(cMember(ProtobufCNames.member(schema.name)))) = \(writing)")
    }

    private var entryList: String { name + "Entries" }
}
