/// Refuses messages whose members would clash in C or in Swift, so that the error is about the `.proto` and not about generated
/// code that does not compile.
struct MemberCheck {
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
        for case let oneof as OneofMember in members {
            var taken: Set<String> = []
            for name in oneof.caseNames where !taken.insert(name).inserted {
                throw GenerationError(
                    at: message.fullName, "two fields of `\(oneof.name)` would be called `\(name)` in Swift; rename one")
            }
        }
    }
}
