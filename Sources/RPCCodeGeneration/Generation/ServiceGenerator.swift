/// Writes one service: its method descriptors, the protocol that a server implements, and the client.
struct ServiceGenerator {
    private struct Method {
        let schema: MethodSchema
        /// Not escaped.
        let name: String
        let input: String
        let output: String
    }

    private let schema: ServiceSchema
    private let name: String
    private let methods: [Method]
    private let access: String

    init(_ schema: ServiceSchema, prefix: String, _ context: GenerationContext) throws(GenerationError) {
        self.schema = schema
        name = prefix + schema.name
        access = context.access
        var methods: [Method] = []
        var taken: Set<String> = []
        for method in schema.methods {
            let place = schema.fullName + "." + method.name
            guard !method.isClientStreaming, !method.isServerStreaming else {
                throw GenerationError(at: place, "streaming methods are not supported; only unary ones are")
            }
            guard ProtobufCNames.isUsableMethod(method.name) else {
                throw GenerationError(at: place, "protoc-c's stub for a method of this name does not compile; rename it")
            }
            let plain = SwiftNames.lowerCamel(method.name)
            let name = plain == "self" ? "self_" : plain
            guard taken.insert(name).inserted else {
                throw GenerationError(
                    at: place, "it would be called `\(name)` in Swift, as another method is; rename one")
            }
            methods.append(
                Method(
                    schema: method, name: name,
                    input: try context.index.entry(method.input, usedAt: place).swiftName,
                    output: try context.index.entry(method.output, usedAt: place).swiftName))
        }
        self.methods = methods
    }

    func write(_ writer: inout SourceWriter) {
        writeDescriptors(&writer)
        writer.line()
        writeHandler(&writer)
        writer.line()
        writeClient(&writer)
    }

    private func writeDescriptors(_ writer: inout SourceWriter) {
        writer.documentation(schema.comment, otherwise: "`\(schema.fullName)`.")
        writer.block("\(access) enum \(name)") { writer in
            writer.line("/// The service's name on the wire.")
            writer.line("\(access) static let fullName = \"\(schema.fullName)\"")
            writer.line()
            writer.line("/// The service's methods with the types of their messages.")
            writer.block("\(access) enum Methods") { writer in
                for method in methods {
                    writer.line("/// `\(schema.fullName)/\(method.schema.name)`.")
                    let type = "MethodDescriptor<\(method.input), \(method.output)>"
                    writer.line("\(access) static let \(SwiftNames.escaped(method.name)) = \(type)(")
                    writer.line("    service: fullName, method: \"\(method.schema.name)\", shape: .unary)")
                }
            }
        }
    }

    private func writeHandler(_ writer: inout SourceWriter) {
        writer.line("/// Implements `\(schema.fullName)` on a server; ``register(on:)`` offers it.")
        writer.block("\(access) protocol \(name)Handler: Sendable") { writer in
            for method in methods {
                writer.documentation(method.schema.comment, otherwise: "`\(schema.fullName)/\(method.schema.name)`.")
                writer.line("func \(SwiftNames.escaped(method.name))(")
                writer.line("    _ request: \(method.input), context: CallContext")
                writer.line(") async throws -> \(method.output)")
            }
        }
        writer.line()
        writer.block("extension \(name)Handler") { writer in
            writer.line("/// Registers every method of the service.")
            writer.line("/// - Precondition: none of them is registered yet.")
            writer.block("\(access) func register(on router: inout Router)") { writer in
                for method in methods {
                    let methodName = SwiftNames.escaped(method.name)
                    writer.block("router.register(\(name).Methods.\(methodName))") { writer in
                        writer.line("try await self.\(methodName)($0, context: $1)")
                    }
                }
            }
        }
    }

    private func writeClient(_ writer: inout SourceWriter) {
        writer.line("/// Calls `\(schema.fullName)` over any channel.")
        writer.block("\(access) struct \(name)Client: Sendable") { writer in
            writer.line("/// What carries the calls.")
            writer.line("\(access) let channel: any CallChannel")
            writer.line()
            writer.line("/// A client whose calls go over `channel`.")
            writer.block("\(access) init(channel: any CallChannel)") { writer in
                writer.line("self.channel = channel")
            }
            for method in methods {
                writer.line()
                writer.documentation(method.schema.comment, otherwise: "`\(schema.fullName)/\(method.schema.name)`.")
                writer.line("\(access) func \(SwiftNames.escaped(method.name))(")
                writer.line("    _ request: \(method.input), options: CallOptions = CallOptions()")
                writer.block(") async throws(RPCError) -> \(method.output)") { writer in
                    let descriptor = "\(name).Methods.\(SwiftNames.escaped(method.name))"
                    writer.line("try await channel.unary(\(descriptor), request, options: options)")
                }
            }
        }
    }
}
