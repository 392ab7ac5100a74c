/// Writes the client of a service: a stub over any channel.
struct ClientGenerator {
    /// Full name.
    let service: String
    /// The service's name in Swift.
    let name: String
    let methods: [ServiceMethod]
    let access: String

    func write(_ writer: inout SourceWriter) {
        writer.line("/// Calls `\(service)` over any channel.")
        writer.block("\(access) struct \(name)Client: ServiceClient") { writer in
            writer.line("/// What carries the calls.")
            writer.line("\(access) let channel: any CallChannel")
            writer.line()
            writer.line("/// A client whose calls go over `channel`.")
            writer.block("\(access) init(channel: any CallChannel)") { writer in
                writer.line("self.channel = channel")
            }
            for method in methods {
                writer.line()
                method.writeDocumentation(&writer)
                writer.line("\(access) func \(method.name)(")
                writer.line("    \(method.clientParameters)")
                writer.block(")\(method.clientResult)") { writer in
                    writer.line(method.clientCall)
                }
            }
        }
    }
}

extension ServiceMethod {
    /// A single request is a parameter. A stream of requests is written to the result of the call.
    fileprivate var clientParameters: String {
        (shape.streamsRequests ? "" : "_ request: \(request), ") + "options: CallOptions = CallOptions()"
    }

    fileprivate var clientResult: String {
        switch shape {
        case .unary: " async throws(RPCError) -> \(response)"
        case .clientStreaming: " -> ClientStream<\(request), \(response)>"
        case .serverStreaming: " -> ServerStream<\(response)>"
        case .bidirectionalStreaming: " -> BidirectionalStream<\(request), \(response)>"
        }
    }

    fileprivate var clientCall: String {
        switch shape {
        case .unary: "try await channel.unary(\(descriptor), request, options: options)"
        case .clientStreaming: "channel.clientStream(\(descriptor), options: options)"
        case .serverStreaming: "channel.serverStream(\(descriptor), request, options: options)"
        case .bidirectionalStreaming: "channel.bidirectionalStream(\(descriptor), options: options)"
        }
    }
}
