/// Names that generated declarations must not take as they are.
enum ReservedNames {
    /// Words of Swift: a member or parameter of that name stands in backticks.
    static let words: Set<String> = [
        "Any", "Protocol", "Self", "Type", "actor", "any", "as", "associatedtype", "async", "await", "break", "case", "catch",
        "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "indirect", "init", "inout", "internal", "is", "let",
        "nil", "operator", "package", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
        "self", "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias",
        "var", "where", "while",
    ]

    /// Members that every message has: a field of that name gets `_` behind it.
    static let messageMembers: Set<String> = [
        "Type", "Protocol", "self", "init", "description", "debugDescription", "descriptor", "unknownFields", "hashValue",
        "hash", "fill", "serializedBytes", "serialize", "jsonUTF8Bytes", "jsonString",
    ]

    /// Members that every enum has, and the cases of Optional, for which they would be taken: a case of that name gets `_`
    /// behind it.
    static let enumMembers: Set<String> = [
        "Type", "Protocol", "self", "init", "description", "debugDescription", "hashValue", "hash", "rawValue",
        "unrecognized", "none", "some",
    ]

    /// Members that every client or enum of methods has: a method of that name gets `_` behind it.
    static let serviceMembers: Set<String> = ["self", "init", "channel"]

    /// Types that generated code names, and words that no type can be called: a message gets `Message` behind it, an enum
    /// `Enum`.
    static let types: Set<String> = [
        "Any", "Protocol", "Self", "Type", "Array", "Bool", "Dictionary", "Double", "Float", "Int", "Int32", "Int64",
        "Optional", "String", "UInt32", "UInt64", "UInt8", "UnsafeRawPointer", "UnsafeMutableRawPointer", "Hashable",
        "Sendable", "Message", "MessageDescriptor", "MessageEncoder", "MessageReader", "EncodingError", "ProtobufEnum",
        "UnknownFields", "CallContext", "CallOptions", "CallChannel", "MethodDescriptor", "RPCError", "Router", "Methods",
        "MessageStream", "MessageWriter", "ServerStream", "ClientStream", "BidirectionalStream", "FileDescriptor", "RPCService",
        "ServiceClient",
    ]
}
