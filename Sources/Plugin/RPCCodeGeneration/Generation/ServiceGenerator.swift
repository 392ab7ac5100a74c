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
        file = TopLevelNames(context.file).fileDescriptor
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
        }
    }

    private func writeDescriptor(of method: ServiceMethod, _ writer: inout SourceWriter) {
        let type = "MethodDescriptor<\(method.request), \(method.response)>"
        writer.line("/// `\(method.path)`.")
        writer.line("\(access) static let \(method.name) = \(type)(")
        // The type's name stands before `fullName`, as a method may be called so too.
        writer.line("    service: \(name).fullName, method: \"\(method.wireName)\", shape: .\(method.shape.rawValue))")
    }
}
