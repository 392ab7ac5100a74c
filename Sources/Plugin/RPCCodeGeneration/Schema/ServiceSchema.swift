/// One service.
struct ServiceSchema: Hashable, Sendable {
    var name: String
    /// With package, without a leading dot.
    var fullName: String
    var comment: [String] = []
    var methods: [MethodSchema] = []
}

/// One method of a service.
struct MethodSchema: Hashable, Sendable {
    var name: String
    var comment: [String] = []
    /// Full name of the request message, without a leading dot.
    var input: String
    /// Full name of the response message, without a leading dot.
    var output: String
    var shape = MethodShape.unary
}
