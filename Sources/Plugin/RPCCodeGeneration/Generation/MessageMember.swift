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
    func writeReading(_ writer: inout SourceWriter)
    /// Writes the statements that set the C struct at `message` from the property.
    func writeWriting(_ writer: inout SourceWriter)
}

extension MessageMember {
    /// The property as source.
    var property: String { "self." + SwiftNames.escaped(name) }

    /// The name of a field's or oneof's property: never that of a member that every message has.
    static func memberName(_ schemaName: String) -> String {
        let name = SwiftNames.lowerCamel(schemaName)
        return ReservedNames.messageMembers.contains(name) ? name + "_" : name
    }
}

/// A member of the C struct as source.
func cMember(_ name: String) -> String {
    "message.pointee." + SwiftNames.escapedCMember(name)
}
