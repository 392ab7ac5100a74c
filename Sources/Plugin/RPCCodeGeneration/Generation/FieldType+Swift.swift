// One element of each field type in Swift: its type, its default, and the conversion from and to the C struct. `source` and
// `value` are Swift expressions: a member of the C struct, and the element itself.

extension FieldType {
    /// The Swift type of one element.
    func swiftType(at place: String, _ context: GenerationContext) throws(GenerationError) -> String {
        switch self {
        case .scalar(let scalar): scalar.rawValue
        case .string: "String"
        case .bytes: "[UInt8]"
        case .bool: "Bool"
        case .enumeration(let name), .message(let name): try context.index.entry(name, usedAt: place).swiftName
        case .group: throw GenerationError(at: place, "groups are not supported")
        }
    }

    /// The default of a singular field; nil for a message.
    var swiftDefault: String {
        switch self {
        case .scalar: "0"
        case .string: "\"\""
        case .bytes: "[]"
        case .bool: "false"
        case .enumeration: ".init()"
        case .message, .group: "nil"
        }
    }

    /// Reads one element; an optional one for a message.
    func reading(_ source: String) -> String {
        switch self {
        case .scalar: source
        case .string: "MessageReader.string(\(source))"
        case .bytes: "MessageReader.bytes(\(source))"
        case .bool: "MessageReader.bool(\(source))"
        case .enumeration: "MessageReader.enumeration(\(source))"
        case .message, .group: "MessageReader.message(\(source))"
        }
    }

    /// Reads all elements of a repeated field.
    func readingAll(count: String, source: String) -> String {
        let function =
            switch self {
            case .scalar: "scalars"
            case .string: "strings"
            case .bytes: "bytesArray"
            case .bool: "bools"
            case .enumeration: "enums"
            case .message, .group: "messages"
            }
        return "MessageReader.\(function)(\(count), \(source))"
    }

    /// Makes the C form of one element. `field` names it in errors.
    func writing(
        _ value: String, field: String, at place: String, _ context: GenerationContext
    ) throws(GenerationError) -> String {
        switch self {
        case .scalar: return value
        case .string: return "try encoder.string(\(value), field: \"\(field)\")"
        case .bytes: return "encoder.bytes(\(value))"
        case .bool: return "\(value) ? 1 : 0"
        case .enumeration(let name):
            return "encoder.enumeration(\(value), as: \(try cType(name, at: place, context)).self)"
        case .message(let name):
            return "try encoder.message(\(value), as: \(try cType(name, at: place, context)).self, field: \"\(field)\")"
        case .group: throw GenerationError(at: place, "groups are not supported")
        }
    }

    /// Makes the C form of a repeated field: its count and its elements.
    func writingAll(
        _ value: String, field: String, at place: String, _ context: GenerationContext
    ) throws(GenerationError) -> String {
        switch self {
        case .scalar: return "encoder.scalars(\(value))"
        case .string: return "try encoder.strings(\(value), field: \"\(field)\")"
        case .bytes: return "encoder.bytesArray(\(value))"
        case .bool: return "encoder.bools(\(value))"
        case .enumeration(let name):
            return "encoder.enums(\(value), as: \(try cType(name, at: place, context)).self)"
        case .message(let name):
            return "try encoder.messages(\(value), as: \(try cType(name, at: place, context)).self, field: \"\(field)\")"
        case .group: throw GenerationError(at: place, "groups are not supported")
        }
    }

    private func cType(
        _ name: String, at place: String, _ context: GenerationContext
    ) throws(GenerationError) -> String {
        try context.cType(context.index.entry(name, usedAt: place).cName, usedAt: place)
    }
}
