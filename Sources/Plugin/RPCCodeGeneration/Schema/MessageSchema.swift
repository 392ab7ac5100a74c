/// One message type.
struct MessageSchema: Hashable, Sendable {
    var name: String
    /// With package and outer messages, without a leading dot.
    var fullName: String
    /// The text above the declaration, one element a line; empty when there is none.
    var comment: [String] = []
    /// In the order of declaration.
    var fields: [FieldSchema] = []
    var oneofs: [OneofSchema] = []
    var messages: [MessageSchema] = []
    var enums: [EnumSchema] = []
    /// Whether protoc made it up to carry the pairs of a `map` field.
    var isMapEntry = false
}

/// One `oneof` of a message; its fields point at it by index.
struct OneofSchema: Hashable, Sendable {
    var name: String
    var comment: [String] = []
}
