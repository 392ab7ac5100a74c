/// One enum type.
struct EnumSchema: Hashable, Sendable {
    var name: String
    /// With package and outer messages, without a leading dot.
    var fullName: String
    var comment: [String] = []
    /// In the order of declaration; two of the same number are aliases.
    var values: [EnumValueSchema] = []
}

/// One value of an enum.
struct EnumValueSchema: Hashable, Sendable {
    var name: String
    var number: Int32
    var comment: [String] = []
}
