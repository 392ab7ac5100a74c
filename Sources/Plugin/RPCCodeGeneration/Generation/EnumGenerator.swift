/// Writes one enum as an open Swift enum.
struct EnumGenerator {
    private let schema: EnumSchema
    private let context: GenerationContext
    private let name: String
    /// The first value of each number, with its case name.
    private let cases: [(value: EnumValueSchema, name: String)]
    /// The case of number 0.
    private let zero: String
    /// Other values with the same number (aliases), with their names and the case that they are equal to.
    private let aliases: [(value: EnumValueSchema, name: String, original: String)]

    /// `prefix` is the file's for a top-level enum and empty for a nested one.
    init(_ schema: EnumSchema, prefix: String, _ context: GenerationContext) throws(GenerationError) {
        try context.index.checkCNames(of: schema.fullName)
        self.schema = schema
        self.context = context
        name = SwiftNames.type(schema.name, prefix: prefix, suffix: "Enum")
        var cases: [(value: EnumValueSchema, name: String)] = []
        var aliases: [(value: EnumValueSchema, name: String, original: String)] = []
        var originals: [Int32: String] = [:]
        var taken: Set<String> = []
        for value in schema.values {
            let plain = SwiftNames.enumCase(value.name, of: schema.name)
            let name = ReservedNames.enumMembers.contains(plain) ? plain + "_" : plain
            if let original = originals[value.number] {
                // An alias with the same Swift name is not needed.
                if taken.insert(name).inserted { aliases.append((value, name, original)) }
                continue
            }
            guard taken.insert(name).inserted else {
                throw GenerationError(
                    at: schema.fullName + "." + value.name,
                    "it would be called `\(name)` in Swift, as another value is; rename one")
            }
            originals[value.number] = name
            cases.append((value, name))
        }
        guard let zero = originals[0] else {
            throw GenerationError(at: schema.fullName, "an enum of proto3 needs a value of number 0")
        }
        self.zero = zero
        self.cases = cases
        self.aliases = aliases
    }

    func write(_ writer: inout SourceWriter) {
        writer.documentation(schema.comment, otherwise: "`\(schema.fullName)`.")
        writer.block("\(context.access) enum \(name): ProtobufEnum") { writer in
            for item in cases {
                writer.documentation(item.value.comment, otherwise: "`\(item.value.name)`, number \(item.value.number).")
                writer.line("case \(SwiftNames.escaped(item.name))")
            }
            writer.line("/// A number that this schema does not name, sent by a newer peer.")
            writer.line("case unrecognized(Int32)")
            writer.line()
            for alias in aliases {
                writer.documentation(alias.value.comment, otherwise: "Another name of ``\(alias.original)``.")
                let (name, original) = (SwiftNames.escaped(alias.name), SwiftNames.escaped(alias.original))
                writer.line("\(context.access) static let \(name) = Self.\(original)")
                writer.line()
            }
            writeConversions(&writer)
        }
    }

    private func writeConversions(_ writer: inout SourceWriter) {
        writer.line("/// The value of number 0.")
        writer.line("\(context.access) init() { self = .\(SwiftNames.escaped(zero)) }")
        writer.line()
        writer.line("/// The value of that number, or ``unrecognized(_:)``.")
        writer.block("\(context.access) init(rawValue: Int32)") { writer in
            writer.switchBlock("self = switch rawValue") { writer in
                for item in cases {
                    writer.line("case \(item.value.number): .\(SwiftNames.escaped(item.name))")
                }
                writer.line("default: .unrecognized(rawValue)")
            }
        }
        writer.line()
        writer.line("/// The number.")
        writer.block("\(context.access) var rawValue: Int32") { writer in
            writer.switchBlock("switch self") { writer in
                for item in cases {
                    writer.line("case .\(SwiftNames.escaped(item.name)): \(item.value.number)")
                }
                writer.line("case .unrecognized(let number): number")
            }
        }
    }
}
