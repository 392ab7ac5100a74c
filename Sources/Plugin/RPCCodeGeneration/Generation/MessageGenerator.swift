/// Writes one message as a Swift struct, with the types declared inside it.
struct MessageGenerator {
    private let schema: MessageSchema
    private let context: GenerationContext
    private let name: String
    /// The C struct as source.
    private let cType: String
    private let members: [any MessageMember]
    /// The access level of the struct: the file's, or `fileprivate` for a map entry, which only its message uses.
    private let access: String
    /// The access level of the struct's members.
    private let memberAccess: String

    /// `prefix` is the file's for a top-level message and empty for a nested one.
    init(_ schema: MessageSchema, prefix: String, _ context: GenerationContext) throws(GenerationError) {
        try context.index.checkCNames(of: schema.fullName)
        self.schema = schema
        self.context = context
        cType = try context.cType(ProtobufCNames.type(schema.fullName), usedAt: schema.fullName)
        name = SwiftNames.type(schema.name, prefix: prefix, suffix: "Message")
        access = (schema.isMapEntry ? "fileprivate" : context.access) + " "
        memberAccess = access
        members = try Self.members(of: schema, access: memberAccess, context)
        try MemberCheck(message: schema).check(members)
    }

    func write(_ writer: inout SourceWriter) throws(GenerationError) {
        writer.documentation(
            schema.comment,
            otherwise: schema.isMapEntry ? "One pair of a map: `\(schema.fullName)`." : "`\(schema.fullName)`.")
        try writer.block("\(access)struct \(name): Message") { (writer) throws(GenerationError) in
            for member in members {
                member.writeDeclaration(&writer)
            }
            writer.line("\(memberAccess)var unknownFields = UnknownFields()")
            writer.line()
            writeInitializers(&writer)
            writer.line()
            writeConversions(&writer)
            for case let oneof as OneofMember in members {
                writer.line()
                oneof.writeType(&writer)
            }
            for type in schema.enums {
                writer.line()
                try EnumGenerator(type, prefix: "", context).write(&writer)
            }
            for message in schema.messages {
                writer.line()
                try MessageGenerator(message, prefix: "", context).write(&writer)
            }
        }
    }

    /// The members in the order of declaration. A `oneof` has the place of its first field.
    private static func members(
        of schema: MessageSchema, access: String, _ context: GenerationContext
    ) throws(GenerationError) -> [any MessageMember] {
        var members: [any MessageMember] = []
        var writtenOneofs: Set<Int> = []
        var storage = FieldStorage(index: context.index)
        let outOfLine = storage.outOfLine(of: schema)
        for field in schema.fields {
            if let index = field.oneofIndex, !field.isProto3Optional {
                guard writtenOneofs.insert(index).inserted else { continue }
                members.append(try OneofMember(index, of: schema, outOfLine: outOfLine, access: access, context))
            } else if case .message(let name) = field.type, field.isRepeated,
                let entry = context.index.message(name), entry.isMapEntry
            {
                members.append(try MapField(field, entry: entry, of: schema, access: access, context))
            } else if field.isRepeated {
                members.append(try RepeatedField(field, of: schema, access: access, context))
            } else {
                members.append(try SingularField(field, of: schema, outOfLine: outOfLine[field.number], access: access, context))
            }
        }
        return members
    }

    private func writeInitializers(_ writer: inout SourceWriter) {
        writer.line("/// A message with every field at its default.")
        writer.line("\(memberAccess)init() {}")
        guard !members.isEmpty else { return }
        writer.line()
        writer.line("/// A message with the fields given; the others have their defaults.")
        if members.count == 1, let member = members.first {
            let parameter = "\(SwiftNames.escaped(member.name)): \(member.type) = \(member.defaultValue)"
            writer.block("\(memberAccess)init(\(parameter))") { writer in
                writer.line("\(member.property) = \(SwiftNames.escaped(member.name))")
            }
            return
        }
        writer.line("\(memberAccess)init(")
        for (index, member) in members.enumerated() {
            let comma = index == members.count - 1 ? "" : ","
            writer.line("    \(SwiftNames.escaped(member.name)): \(member.type) = \(member.defaultValue)\(comma)")
        }
        writer.block(")") { writer in
            for member in members {
                writer.line("\(member.property) = \(SwiftNames.escaped(member.name))")
            }
        }
    }

    private func writeConversions(_ writer: inout SourceWriter) {
        writer.line("\(memberAccess)static let descriptor = MessageDescriptor(")
        writer.line("    of: \(cType).self,")
        writer.line("    initializedBy: \(ProtobufCNames.initializer(schema.fullName)))")
        writer.line()
        writer.block("\(memberAccess)init(unpacked: UnpackedStruct)") { writer in
            if !members.isEmpty {
                writer.line("let message = unpacked.pointer(to: \(cType).self)")
            }
            for member in members {
                member.writeDecoding(&writer)
            }
            writer.line("self.unknownFields = unpacked.unknownFields")
        }
        writer.line()
        let signature = "\(memberAccess)func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError)"
        writer.block(signature) { writer in
            if !members.isEmpty {
                writer.line("let message = blank.pointer(to: \(cType).self)")
            }
            // First, so that omitted values of known fields can be added after them.
            writer.line("encoder.unknownFields(self.unknownFields, into: blank)")
            for member in members {
                member.writeEncoding(&writer)
            }
        }
    }
}

/// Refuses messages whose members would have the same name in C or in Swift. So the error is about the `.proto`, and not about generated
/// code that does not compile.
private struct MemberCheck {
    let message: MessageSchema

    /// - Throws: ``GenerationError`` naming the field and what it clashes with.
    func check(_ members: [any MessageMember]) throws(GenerationError) {
        try checkC()
        try checkSwift(members)
    }

    private func checkC() throws(GenerationError) {
        var taken: [String: String] = [:]
        func take(_ member: String, for name: String) throws(GenerationError) {
            if ProtobufCNames.unusableMembers.contains(member) {
                throw GenerationError(
                    at: message.fullName + "." + name,
                    "protoc-c's struct member `\(member)` does not compile; rename the field")
            }
            if let other = taken.updateValue(name, forKey: member) {
                throw GenerationError(
                    at: message.fullName + "." + name,
                    "in protoc-c's struct it would be called `\(member)`, as `\(other)` is; rename one")
            }
        }
        for field in message.fields {
            try take(ProtobufCNames.member(field.name), for: field.name)
            if field.isRepeated { try take(ProtobufCNames.countMember(field.name), for: field.name) }
        }
        for oneof in message.oneofs {
            try take(ProtobufCNames.caseMember(oneof.name), for: oneof.name)
        }
    }

    private func checkSwift(_ members: [any MessageMember]) throws(GenerationError) {
        var taken: Set<String> = []
        for member in members where !taken.insert(member.name).inserted {
            throw GenerationError(
                at: message.fullName, "two of its fields would be called `\(member.name)` in Swift; rename one")
        }
        for type in message.innerTypes where !taken.insert(type.name).inserted {
            throw GenerationError(
                at: type.declaration, "it would be called `\(type.name)` in Swift, as another type or a field of its message is; rename one")
        }
        for case let oneof as OneofMember in members {
            var taken: Set<String> = []
            for name in oneof.caseNames where !taken.insert(name).inserted {
                throw GenerationError(
                    at: message.fullName, "two fields of `\(oneof.name)` would be called `\(name)` in Swift; rename one")
            }
        }
    }
}
