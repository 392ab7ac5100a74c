/// One field of a message.
struct FieldSchema: Hashable, Sendable {
    /// As declared.
    var name: String
    var number: Int32
    var type: FieldType
    var isRepeated = false
    /// Index into ``MessageSchema/oneofs``.
    var oneofIndex: Int?
    /// Declared with proto3's `optional`.
    var isProto3Optional = false
    var comment: [String] = []
}

/// The type of a field, or of a repeated field's element.
enum FieldType: Hashable, Sendable {
    case scalar(ScalarType)
    case string
    case bytes
    case bool
    /// Full name without a leading dot.
    case enumeration(String)
    /// Full name without a leading dot.
    case message(String)
    /// Only proto2 has it.
    case group
}

/// The number types, told apart as far as their Swift and C forms differ: their wire forms are protobuf-c's concern.
enum ScalarType: String, Hashable, Sendable {
    case int32 = "Int32"
    case int64 = "Int64"
    case uint32 = "UInt32"
    case uint64 = "UInt64"
    case float = "Float"
    case double = "Double"
}
