/// JSON text in memory, its numbers still as text so that no digit is lost before the field's type is known.
enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// A number exactly as written; its grammar has been checked.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Members in the order of the text; no name comes twice.
    case object([Member])

    struct Member: Sendable {
        var name: String
        var value: JSONValue
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
