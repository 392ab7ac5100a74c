/// Finds fields through which a message would hold itself as a value.
///
/// A Swift struct cannot do that, so those fields are stored out of line. Repeated fields and maps hold their elements out
/// of line anyway and end the search.
struct Recursion {
    let index: TypeIndex

    /// Whether the singular message field leads back to the message that declares it.
    func leadsBack(_ field: FieldSchema, to message: MessageSchema) -> Bool {
        guard let start = Self.singularMessage(of: field) else { return false }
        var visited: Set<String> = []
        var pending = [start]
        while let name = pending.popLast() {
            if name == message.fullName { return true }
            guard visited.insert(name).inserted, let next = index.message(name) else { continue }
            pending += next.fields.compactMap(Self.singularMessage(of:))
        }
        return false
    }

    private static func singularMessage(of field: FieldSchema) -> String? {
        if case .message(let name) = field.type, !field.isRepeated { name } else { nil }
    }
}
