/// Writes the protocol that a server implements for a service, and its registration on a router.
struct HandlerGenerator {
    /// Full name.
    let service: String
    /// The service's name in Swift.
    let name: String
    let methods: [ServiceMethod]
    let access: String

    func write(_ writer: inout SourceWriter) {
        writer.line("/// Implements `\(service)` on a server: `Server(services: […])`.")
        writer.block("\(access) protocol \(name)Handler: RPCService") { writer in
            for method in methods {
                method.writeDocumentation(&writer)
                writer.line("func \(method.name)(")
                writer.line("    \(method.handlerParameters)")
                writer.line(") async throws\(method.handlerResult)")
            }
        }
        writer.line()
        writer.block("extension \(name)Handler") { writer in
            writer.line("/// Registers every method of the service.")
            writer.line("/// - Precondition: none of them is registered yet.")
            writer.block("\(access) func register(on router: inout Router)") { writer in
                for method in methods {
                    writer.block("router.\(method.registration)(\(method.descriptor))") { writer in
                        writer.line("try await self.\(method.name)(\(method.handlerArguments))")
                    }
                }
            }
        }
    }
}

extension ServiceMethod {
    /// A response that stands alone is returned; a stream of them is written to a parameter.
    fileprivate var handlerParameters: String {
        let incoming = shape.streamsRequests ? "_ requests: MessageStream<\(request)>" : "_ request: \(request)"
        let outgoing = shape.streamsResponses ? ", responses: MessageWriter<\(response)>" : ""
        return incoming + outgoing + ", context: CallContext"
    }

    fileprivate var handlerResult: String { shape.streamsResponses ? "" : " -> \(response)" }

    /// What the registered closure passes on.
    fileprivate var handlerArguments: String {
        shape.streamsResponses ? "$0, responses: $1, context: $2" : "$0, context: $1"
    }

    /// The router's function for a handler of this shape.
    fileprivate var registration: String {
        switch shape {
        case .unary: "register"
        case .clientStreaming: "registerClientStreaming"
        case .serverStreaming: "registerServerStreaming"
        case .bidirectionalStreaming: "registerBidirectionalStreaming"
        }
    }
}
