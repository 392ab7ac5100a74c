import Foundation

/// A JSON document of any structure.
enum JSON: Decodable, Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(_ text: String) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    /// The value of a key; null if there is none.
    subscript(key: String) -> JSON {
        if case .object(let members) = self { members[key] ?? .null } else { .null }
    }

    /// The elements; empty if this is not an array.
    var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The text; `nil` if this is not a string.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// An integer, written as a number or, like a 64-bit integer in proto3 JSON, as a string.
    var integer: Int? {
        switch self {
        case .string(let text): Int(text)
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The document without null members, because proto3 JSON may omit an unset message or write null.
    var withoutNulls: JSON {
        switch self {
        case .object(let members): .object(members.filter { $0.value != .null }.mapValues(\.withoutNulls))
        case .array(let elements): .array(elements.map(\.withoutNulls))
        default: self
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
}
