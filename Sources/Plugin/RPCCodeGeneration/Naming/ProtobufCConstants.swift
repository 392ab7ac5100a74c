/// A name in capitals in protoc-c's C: an enumerator or a macro. C has all of them in one scope.
struct ProtobufCConstant {
    var name: String
    /// The full name of the message, field, oneof, enum or enum value that it is for.
    var declaration: String
    /// The number of an enumerator; nil for anything else.
    var number: Int32?

    /// Both can be in one header, where ``CFiles`` leaves one out.
    func isSameEnumerator(as other: ProtobufCConstant) -> Bool { number != nil && number == other.number }
}

extension EnumSchema {
    /// What protoc-c writes for the enum.
    var cConstants: [ProtobufCConstant] {
        let prefix = ProtobufCNames.constantPrefix(fullName)
        return values.map { ProtobufCConstant(name: prefix + "__" + $0.name, declaration: fullName + "." + $0.name, number: $0.number) }
            + [ProtobufCConstant(name: "_\(prefix)_IS_INT_SIZE", declaration: fullName)]
    }
}

extension MessageSchema {
    /// What protoc-c writes for the message and its oneofs, without the types inside.
    var cConstants: [ProtobufCConstant] {
        let prefix = ProtobufCNames.constantPrefix(fullName)
        var constants = [ProtobufCConstant(name: prefix + "__INIT", declaration: fullName)]
        for (index, oneof) in oneofs.enumerated() {
            let prefix = ProtobufCNames.constantPrefix(fullName + "." + oneof.name)
            let declaration = fullName + "." + oneof.name
            constants.append(ProtobufCConstant(name: prefix + "__NOT_SET", declaration: declaration, number: 0))
            constants.append(ProtobufCConstant(name: "_\(prefix)__CASE_IS_INT_SIZE", declaration: declaration))
            for field in fields where field.oneofIndex == index {
                let name = prefix + "_" + ProtobufCNames.constantPrefix(field.name)
                constants.append(ProtobufCConstant(name: name, declaration: fullName + "." + field.name, number: field.number))
            }
        }
        return constants
    }
}
