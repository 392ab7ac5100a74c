/// Why wire bytes are not an acceptable message.
///
///     do throws(DecodingError) {
///         print(try HelloRequest(serializedBytes: bytes).name)
///     } catch .overBudget(let limit) {
///         print("takes more than \(limit) bytes of memory")
///     } catch {
///         print(error)        // for example `name: not valid UTF-8`
///     }
///
/// `field` is the path of field names from the outermost message (`profile.username`, `users[3].name`). A field that is not in the
/// schema is shown by its number (`#15`). An empty path means the outermost message itself.
public enum DecodingError: Error, Sendable, Hashable {
    /// The bytes break the wire format.
    case malformed(field: String, reason: Malformation)

    /// A `string` field is not valid UTF-8.
    case invalidUTF8(field: String)

    /// A `string` field holds a NUL, at which protobuf-c would cut it off (`admin\0x` would become `admin`).
    case nulInString(field: String)

    /// Messages are nested deeper than ``DecodingOptions/maxNestingDepth``.
    case nestingTooDeep(field: String, limit: Int)

    /// The unpacked form would take more than ``DecodingOptions/arenaBudget`` bytes.
    case overBudget(limit: Int)

    /// A `required` field (proto2) is absent.
    case missingRequiredField(field: String)

    /// The system has no memory left.
    case outOfMemory
}

/// Why wire bytes are malformed.
public enum Malformation: Error, Sendable, Hashable {
    /// The bytes end within a tag, a value or a length.
    case truncated
    /// A tag takes more than 5 bytes.
    case tagTooLong
    /// The field number is 0 or above 536,870,911.
    case fieldNumberOutOfRange
    /// A varint takes more than 10 bytes.
    case varintTooLong
    /// A length takes more than 5 bytes or says more than 2 GiB.
    case lengthOutOfRange
    /// An end of a group (wire types 3 and 4) without its beginning, or of a group that is not the innermost one. Or 100 nested groups. Any other
    /// group is kept as an unknown field.
    case group
    /// Wire type 6 or 7, which do not exist.
    case unknownWireType
    /// The length of a packed field is not a whole number of elements.
    case packedLength
    /// A map's key has more than 30 combining marks in a row. Swift could not hash it in bounded time.
    case mapKeyMarks
    /// A name in the descriptor of a file is none that protoc permits, a full name or a path has more than 512 bytes, or a path is not ASCII. Names
    /// and paths are keys of dictionaries, and each declaration has its full name.
    case schemaName
    /// The message itself is over 2 GiB.
    case messageTooLarge
    /// protobuf-c refused bytes that had passed the checks.
    case refusedByParser
}

extension Malformation: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated: "they end too early"
        case .tagTooLong: "a tag has more than 5 bytes"
        case .fieldNumberOutOfRange: "a field number is 0 or above 536,870,911"
        case .varintTooLong: "a varint has more than 10 bytes"
        case .lengthOutOfRange: "a length has more than 5 bytes or is above 2 GiB"
        case .group: "a group has no beginning or no end, or 100 groups are nested"
        case .unknownWireType: "there is no wire type 6 or 7"
        case .packedLength: "the length of a packed field is not a whole number of elements"
        case .mapKeyMarks: "a map's key has more than \(MapKeyText.mostMarks) combining marks in a row"
        case .schemaName: "a declaration's name is no identifier, a file's path is not ASCII, or one of them is too long"
        case .messageTooLarge: "they are more than 2 GiB"
        case .refusedByParser: "the parser refuses them"
        }
    }
}

extension DecodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let field, let reason): "\(Self.place(field)): malformed wire bytes: \(reason)"
        case .invalidUTF8(let field): "\(Self.place(field)): not valid UTF-8"
        case .nulInString(let field): "\(Self.place(field)): a string holds a NUL"
        case .nestingTooDeep(let field, let limit): "\(Self.place(field)): nested deeper than \(limit) messages"
        case .overBudget(let limit): "the unpacked message takes more than \(limit) bytes"
        case .missingRequiredField(let field): "\(Self.place(field)): required field is missing"
        case .outOfMemory: "out of memory"
        }
    }

    private static func place(_ field: String) -> String { field.isEmpty ? "message" : field }

    /// The same error seen from the message that holds the field `component`.
    func inside(_ component: String) -> DecodingError {
        switch self {
        case .malformed(let field, let reason): .malformed(field: component.joinedPath(field), reason: reason)
        case .invalidUTF8(let field): .invalidUTF8(field: component.joinedPath(field))
        case .nulInString(let field): .nulInString(field: component.joinedPath(field))
        case .nestingTooDeep(let field, let limit): .nestingTooDeep(field: component.joinedPath(field), limit: limit)
        case .missingRequiredField(let field): .missingRequiredField(field: component.joinedPath(field))
        case .overBudget, .outOfMemory: self
        }
    }
}

extension String {
    /// `self.inner`, `self[inner]` when `inner` begins with an index, or `self` when it names nothing.
    func joinedPath(_ inner: String) -> String {
        inner.isEmpty || inner.utf8.first == UInt8(ascii: "[") ? self + inner : self + "." + inner
    }
}
