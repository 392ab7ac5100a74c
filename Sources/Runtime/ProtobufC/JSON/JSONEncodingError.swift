/// Why a message has no JSON form.
///
/// `field` is the path of the field names of the `.proto` file from the outermost message, as in ``DecodingError``.
public enum JSONEncodingError: Error, Sendable, Hashable {
    /// The message cannot be encoded at all.
    case encoding(EncodingError)

    /// A well-known type holds a value without a JSON form: a time outside the years 1 to 9999, a duration of mixed signs, a field-mask path that is
    /// not lower snake case, a `Value` that is unset, NaN or infinite.
    case invalidValue(field: String)

    /// `google.protobuf.Any` names a type that is not in ``JSONEncodingOptions/typeRegistry``.
    case unknownType(field: String, typeURL: String)

    /// The bytes in a `google.protobuf.Any` are not a message of its type.
    case undecodableAny(field: String, DecodingError)

    /// Messages, with those inside `google.protobuf.Any`, are nested deeper than `limit`.
    case nestingTooDeep(field: String, limit: Int)
}

extension JSONEncodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .encoding(let error): error.description
        case .invalidValue(let field): "\(Self.place(field)): the value has no JSON form"
        case .unknownType(let field, let typeURL): "\(Self.place(field)): unknown type \(typeURL)"
        case .undecodableAny(let field, let error): "\(Self.place(field)): \(error)"
        case .nestingTooDeep(let field, let limit): "\(Self.place(field)): nested deeper than \(limit) messages"
        }
    }

    private static func place(_ field: String) -> String { field.isEmpty ? "message" : field }

    /// The same error seen from the message that holds the field `component`.
    func inside(_ component: String) -> JSONEncodingError {
        switch self {
        case .encoding: self
        case .invalidValue(let field): .invalidValue(field: component.joinedPath(field))
        case .unknownType(let field, let url): .unknownType(field: component.joinedPath(field), typeURL: url)
        case .undecodableAny(let field, let error): .undecodableAny(field: component.joinedPath(field), error)
        case .nestingTooDeep(let field, let limit): .nestingTooDeep(field: component.joinedPath(field), limit: limit)
        }
    }
}
