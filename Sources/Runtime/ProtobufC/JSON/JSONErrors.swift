/// Why JSON text is not an acceptable message.
///
///     func helloRequest(ofJSON text: String) throws(RPCError) -> HelloRequest {
///         do throws(JSONDecodingError) {
///             return try HelloRequest(jsonString: text)
///         } catch {
///             throw RPCError(.invalidArgument, error.description)     // for example `color: no such field`
///         }
///     }
///
/// `field` is the path of the field names of the `.proto` file from the outermost message, as in ``DecodingError``.
public enum JSONDecodingError: Error, Sendable, Hashable {
    /// The text is not JSON (RFC 8259) in UTF-8. `offset` counts bytes from 0.
    case syntax(offset: Int, reason: JSONSyntaxFault)

    /// Messages are nested deeper than ``JSONDecodingOptions/maxNestingDepth``, or arrays and objects deeper than such messages can
    /// be. `limit` is the number of permitted levels.
    case nestingTooDeep(limit: Int)

    /// An object names a field that the message does not have.
    case unknownField(field: String)

    /// A field is given twice, under its two names.
    case duplicateField(field: String)

    /// Two members of one `oneof` are given.
    case duplicateOneof(field: String)

    /// A value does not fit its field.
    case invalidValue(field: String, reason: JSONValueFault)

    /// A `string` field would hold a NUL, which protobuf-c cannot carry.
    case nulInString(field: String)

    /// `google.protobuf.Any` names a type that is not in ``JSONDecodingOptions/typeRegistry``.
    case unknownType(field: String, typeURL: String)

    /// A `required` field (proto2) is absent.
    case missingRequiredField(field: String)

    /// The message would take more than `limit` bytes in memory.
    case overBudget(limit: Int)

    /// The system has no memory left.
    case outOfMemory
}

/// Why a text is not JSON.
public enum JSONSyntaxFault: Error, Sendable, Hashable {
    case unexpectedEnd
    case unexpectedCharacter
    case controlCharacterInString
    case invalidEscape
    case unpairedSurrogate
    case invalidUTF8
    case duplicateName
}

/// Why a JSON value does not fit a field.
public enum JSONValueFault: Error, Sendable, Hashable {
    /// Another kind of JSON value is needed.
    case wrongKind
    /// The field is an integer, and the number has a fraction or the text is not a number.
    case notAnInteger
    /// The text is not a number.
    case notANumber
    /// The number lies outside the field's type.
    case outOfRange
    /// The enum has no value of that name.
    case unknownEnumValue
    /// Not base64 in either alphabet.
    case notBase64
    /// `null` inside an array or as a map's value.
    case nullElement
    /// Not a key of the map's key type, or a text with more than 30 combining marks in a row, which Swift could not hash in bounded time.
    case invalidMapKey
    /// Not an RFC 3339 time between the years 1 and 9999.
    case invalidTimestamp
    /// Not a number of seconds with `s` within ±315,576,000,000.
    case invalidDuration
    /// Not a list of lowerCamelCase paths.
    case invalidFieldMask
    /// `@type` is absent, empty or no string.
    case missingTypeURL
    /// For a type with its own JSON form: `value` is absent, or there are other members beside `@type` and `value`.
    case invalidAny
}

extension JSONSyntaxFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unexpectedEnd: "the text ends too early"
        case .unexpectedCharacter: "another character is needed here"
        case .controlCharacterInString: "a control character in a string"
        case .invalidEscape: "no such escape"
        case .unpairedSurrogate: "half of a surrogate pair"
        case .invalidUTF8: "not UTF-8"
        case .duplicateName: "a name is given twice"
        }
    }
}

extension JSONValueFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .wrongKind: "another kind of JSON value is needed"
        case .notAnInteger: "not an integer"
        case .notANumber: "not a number"
        case .outOfRange: "outside the range of its type"
        case .unknownEnumValue: "no such value of the enum"
        case .notBase64: "not base64"
        case .nullElement: "null inside an array or a map"
        case .invalidMapKey: "not a key of this map"
        case .invalidTimestamp: "not an RFC 3339 time between the years 1 and 9999"
        case .invalidDuration: "not a number of seconds followed by s"
        case .invalidFieldMask: "not a list of lowerCamelCase paths"
        case .missingTypeURL: "@type is missing"
        case .invalidAny: "not the form of its @type"
        }
    }
}

extension JSONDecodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .syntax(let offset, let reason): "not JSON at byte \(offset) (\(reason))"
        case .nestingTooDeep(let limit): "JSON nested deeper than \(limit) levels"
        case .unknownField(let field): "\(field): no such field"
        case .duplicateField(let field): "\(field): given twice"
        case .duplicateOneof(let field): "\(field): another member of its oneof is given as well"
        case .invalidValue(let field, let reason): "\(field.isEmpty ? "message" : field): invalid value (\(reason))"
        case .nulInString(let field): "\(field): a string holds a NUL"
        case .unknownType(let field, let typeURL): "\(field.isEmpty ? "message" : field): unknown type \(typeURL)"
        case .missingRequiredField(let field): "\(field): required field is missing"
        case .overBudget(let limit): "the message takes more than \(limit) bytes"
        case .outOfMemory: "out of memory"
        }
    }

    /// The same error seen from the message that holds the field `component`.
    func inside(_ component: String) -> JSONDecodingError {
        switch self {
        case .unknownField(let field): .unknownField(field: component.joinedPath(field))
        case .duplicateField(let field): .duplicateField(field: component.joinedPath(field))
        case .duplicateOneof(let field): .duplicateOneof(field: component.joinedPath(field))
        case .invalidValue(let field, let reason): .invalidValue(field: component.joinedPath(field), reason: reason)
        case .nulInString(let field): .nulInString(field: component.joinedPath(field))
        case .unknownType(let field, let url): .unknownType(field: component.joinedPath(field), typeURL: url)
        case .missingRequiredField(let field): .missingRequiredField(field: component.joinedPath(field))
        case .syntax, .nestingTooDeep, .overBudget, .outOfMemory: self
        }
    }
}

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
