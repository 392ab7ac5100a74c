/// Why a message cannot be written.
///
/// `field` is the path of field names from the outermost message, as in ``DecodingError``.
public enum EncodingError: Error, Sendable, Hashable {
    /// A string holds a NUL, at which protobuf-c would silently cut it off.
    case nulInString(field: String)

    /// Messages lie inside each other deeper than ``DecodingOptions/maximumNestingDepth``.
    case nestingTooDeep(field: String, limit: Int)

    /// The wire form takes `byteCount` bytes, more than the 2 GiB − 1 that a protobuf message may have.
    case tooLarge(byteCount: Int)

    /// The system has no memory left.
    case outOfMemory
}

extension EncodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .nulInString(let field): "\(field): a string holds a NUL"
        case .nestingTooDeep(let field, let limit): "\(field): nested deeper than \(limit) messages"
        case .tooLarge(let byteCount): "the message takes \(byteCount) bytes, more than 2 GiB"
        case .outOfMemory: "out of memory"
        }
    }

    /// The same error seen from the message that holds the field `component`.
    @usableFromInline
    func inside(_ component: String) -> EncodingError {
        switch self {
        case .nulInString(let field): .nulInString(field: component.joinedPath(field))
        case .nestingTooDeep(let field, let limit): .nestingTooDeep(field: component.joinedPath(field), limit: limit)
        case .tooLarge, .outOfMemory: self
        }
    }
}
