/// Writes one service: its names, the protocol that a server implements, and the client.
struct ServiceGenerator {
    private let schema: ServiceSchema
    private let name: String
    private let methods: [ServiceMethod]
    private let access: String
    /// The enum with the file's descriptor.
    private let file: String

    init(_ schema: ServiceSchema, prefix: String, _ context: GenerationContext) throws(GenerationError) {
        self.schema = schema
        name = prefix + schema.name
        access = context.access
        file = context.names.fileDescriptor(of: context.file)
        methods = try ServiceMethod.methods(of: schema, service: name, context)
    }

    func write(_ writer: inout SourceWriter) {
        writeNames(&writer)
        writer.line()
        HandlerGenerator(service: schema.fullName, name: name, methods: methods, access: access).write(&writer)
        writer.line()
        ClientGenerator(service: schema.fullName, name: name, methods: methods, access: access).write(&writer)
    }

    private func writeNames(_ writer: inout SourceWriter) {
        writer.documentation(schema.comment, otherwise: "`\(schema.fullName)`.")
        writer.block("\(access) enum \(name)") { writer in
            writer.line("/// The service's name on the wire.")
            writer.line("\(access) static let fullName = \"\(schema.fullName)\"")
            writer.line()
            writer.line("/// The file that declares the service, for server reflection.")
            writer.line("\(access) static var file: FileDescriptor { \(file).descriptor }")
            writer.line()
            writer.line("/// The service's methods with the types of their messages.")
            writer.block("\(access) enum Methods") { writer in
                for method in methods { writeDescriptor(of: method, &writer) }
            }
            HandlerGenerator(service: schema.fullName, name: name, methods: methods, access: access).writeSynchronousHandlers(&writer)
        }
    }

    private func writeDescriptor(of method: ServiceMethod, _ writer: inout SourceWriter) {
        let type = "MethodDescriptor<\(method.request), \(method.response)>"
        writer.line("/// `\(method.path)`.")
        writer.line("\(access) static let \(method.name) = \(type)(")
        // `fullName` is written with the type's name, because a method may have that name too.
        writer.line("    service: \(name).fullName, method: \"\(method.wireName)\", shape: .\(method.shape.rawValue))")
    }
}

/// One method with all its names, for the generators of a service's code.
struct ServiceMethod {
    /// The declared name, which is also the name on the wire.
    let wireName: String
    /// `service/method`.
    let path: String
    let comment: [String]
    /// The Swift name as source.
    let name: String
    /// The Swift types of the messages.
    let request: String
    let response: String
    let shape: MethodShape
    /// The method's descriptor as source.
    let descriptor: String

    /// The methods of a service that is called `service` in Swift, in the order of declaration.
    /// - Throws: ``GenerationError`` naming the method that cannot be generated for.
    static func methods(
        of schema: ServiceSchema, service: String, _ context: GenerationContext
    ) throws(GenerationError) -> [ServiceMethod] {
        var methods: [ServiceMethod] = []
        var taken: Set<String> = []
        for method in schema.methods {
            let made = try ServiceMethod(method, of: schema, service: service, context)
            // In its own type, the service would not be found.
            guard made.name != service else {
                throw GenerationError(
                    at: schema.fullName + "." + method.name,
                    "in Swift it would have the name of its service, `\(service)`; rename one or set swift_prefix")
            }
            guard taken.insert(made.name).inserted else {
                throw GenerationError(
                    at: schema.fullName + "." + method.name,
                    "it would be called `\(made.name)` in Swift, as another method is; rename one")
            }
            methods.append(made)
        }
        return methods
    }

    private init(
        _ schema: MethodSchema, of owner: ServiceSchema, service: String, _ context: GenerationContext
    ) throws(GenerationError) {
        let place = owner.fullName + "." + schema.name
        wireName = schema.name
        path = owner.fullName + "/" + schema.name
        comment = schema.comment
        let plain = SwiftNames.lowerCamel(schema.name)
        name = SwiftNames.escaped(ReservedNames.serviceMembers.contains(plain) ? plain + "_" : plain)
        request = try context.index.entry(schema.input, usedAt: place).swiftName
        response = try context.index.entry(schema.output, usedAt: place).swiftName
        shape = schema.shape
        descriptor = "\(service).Methods.\(name)"
    }

    /// The method's comment, or else its path.
    func writeDocumentation(_ writer: inout SourceWriter) {
        writer.documentation(comment, otherwise: "`\(path)`.")
    }
}
