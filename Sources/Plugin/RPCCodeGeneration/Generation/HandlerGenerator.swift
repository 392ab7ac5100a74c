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
            guard hasUnary else { return }
            writer.line(
                "/// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.")
            writer.line("var synchronousHandlers: \(name).SynchronousHandlers { get }")
        }
        writer.line()
        writer.block("extension \(name)Handler") { writer in
            if hasUnary {
                writer.line("\(access) var synchronousHandlers: \(name).SynchronousHandlers { \(name).SynchronousHandlers() }")
                writer.line()
            }
            writer.line("/// Registers every method of the service.")
            writer.line("/// - Precondition: none of them is registered yet.")
            writer.block("\(access) func register(on router: inout Router)") { writer in
                if hasUnary { writer.line("let synchronous = synchronousHandlers") }
                for method in methods { writeRegistration(of: method, &writer) }
            }
        }
    }

    private var hasUnary: Bool { methods.contains { $0.shape == .unary } }

    private func writeRegistration(of method: ServiceMethod, _ writer: inout SourceWriter) {
        let synchronous = method.shape == .unary ? ", synchronous: synchronous.\(method.name)" : ""
        writer.block("router.\(method.registration)(\(method.descriptor)\(synchronous))") { writer in
            writer.line("try await self.\(method.name)(\(method.handlerArguments))")
        }
    }

    /// Writes the struct of the synchronous handlers, inside the service's enum.
    func writeSynchronousHandlers(_ writer: inout SourceWriter) {
        let unary = methods.filter { $0.shape == .unary }
        guard !unary.isEmpty else { return }
        writer.line()
        writer.line("/// Handlers that never wait and never block, by method: they run on the event loop, without a task.")
        writer.block("\(access) struct SynchronousHandlers: Sendable") { writer in
            for method in unary {
                writer.line("/// `\(method.path)`.")
                writer.line("\(access) var \(method.name): (@Sendable (\(method.request), CallContext) throws -> \(method.response))?")
            }
            writer.line()
            writer.line("/// Methods without a handler here may wait.")
            writer.line("\(access) init(")
            for (index, method) in unary.enumerated() {
                let comma = index < unary.count - 1 ? "," : ""
                writer.line("    \(method.name): (@Sendable (\(method.request), CallContext) throws -> \(method.response))? = nil\(comma)")
            }
            writer.block(")") { writer in
                for method in unary { writer.line("self.\(method.name) = \(method.name)") }
            }
        }
    }
}

extension ServiceMethod {
    /// A single response is returned. A stream of responses is written to a parameter.
    fileprivate var handlerParameters: String {
        let incoming = shape.streamsRequests ? "_ requests: MessageStream<\(request)>" : "_ request: \(request)"
        let outgoing = shape.streamsResponses ? ", responses: MessageWriter<\(response)>" : ""
        return incoming + outgoing + ", context: CallContext"
    }

    fileprivate var handlerResult: String { shape.streamsResponses ? "" : " -> \(response)" }

    /// The arguments that the registered closure passes on.
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
