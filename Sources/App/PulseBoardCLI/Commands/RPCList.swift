import ArgumentParser
import ProtobufSchema
import RPCCore

/// `pulseboard rpc list`
struct RPCList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List a server's services, or a service's methods.",
        discussion: """
            Examples:
              pulseboard rpc list
              pulseboard rpc list pulseboard.follow.v1.FollowService
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var rpc: RPCOptions

    @Argument(help: ArgumentHelp("Full name of a service, to list its methods.", valueName: "service"))
    var service: String?

    func run() async throws {
        try await options.run(over: rpc.wireProtocol) { invocation in
            let callOptions = try rpc.callOptions(invocation)
            if let service {
                try await listMethods(service, invocation, callOptions)
            } else {
                let names = try await invocation.reflecting(callOptions) { (client) async throws(RPCError) in
                    try await client.serviceNames()
                }
                try invocation.show(document: ServicesDocument(services: names)) { Self.lines(names) }
            }
        }
    }

    private func listMethods(_ service: String, _ invocation: Invocation, _ callOptions: CallOptions) async throws {
        let schema = try await invocation.schema(of: service, callOptions)
        guard case .service(let declaration)? = schema[service] else {
            throw CommandFailure.unknownSymbol(service, in: invocation.failureContext)
        }
        let names = declaration.methods.map { service + "/" + $0.name }
        try invocation.show(document: MethodsDocument(service: service, methods: names)) { Self.lines(names) }
    }

    private static func lines(_ names: [String]) -> String { names.map { $0.safeForTerminal + "\n" }.joined() }
}

/// The JSON answer of `rpc list`.
struct ServicesDocument: Encodable, Sendable, Hashable {
    let services: [String]
}

/// The JSON answer of `rpc list SERVICE`.
struct MethodsDocument: Encodable, Sendable, Hashable {
    let service: String
    let methods: [String]
}
