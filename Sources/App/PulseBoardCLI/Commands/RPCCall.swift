import ArgumentParser
import ProtobufC
import ProtobufSchema
import RPCCore

/// `pulseboard rpc call`
struct RPCCall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Call a method with JSON, and show its answers as JSON.",
        discussion: """
            Requests and answers are proto3 JSON. A method that streams takes any number of JSON objects and answers with one a \
            line; Ctrl-C ends it. Errors go to standard error with all their details.

            Examples:
              pulseboard rpc call pulseboard.auth.v1.AuthService/GetAuthState
              pulseboard rpc call pulseboard.profile.v1.ProfileService/GetMyProfile --auth
              pulseboard rpc call grpc.health.v1.Health/Watch -d '{"service":"pulseboard.auth.v1.AuthService"}'
              pulseboard rpc call example.Chat/Talk -H 'caller: me' -d @ < lines.json
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var rpc: RPCOptions

    @Argument(help: ArgumentHelp("The method: package.Service/Method.", valueName: "method"))
    var method: String

    @Option(
        name: [.customShort("d"), .customLong("data")],
        help: ArgumentHelp("The request as JSON; @ reads it from standard input. Without it: an empty message.", valueName: "json"))
    var data: String?

    @Flag(help: "Show fields that are at their default, too.")
    var emitDefaults = false

    func validate() throws {
        if MethodName(method) == nil { throw ValidationError("A method is package.Service/Method, not '\(method)'.") }
    }

    func run() async throws {
        try await options.run(over: rpc.wireProtocol) { invocation in
            // `validate` has seen to it.
            guard let name = MethodName(method) else { return }
            var callOptions = try rpc.callOptions(invocation)
            let schema = try await invocation.schema(of: name.service, callOptions)
            let symbol = name.service + "." + name.method
            guard case .method(let declaration, of: _)? = schema[symbol] else {
                throw CommandFailure.unknownSymbol(name.service + "/" + name.method, in: invocation.failureContext)
            }
            // A stream lasts as long as there is something to tell, unless a time was asked for.
            if declaration.streamsRequests || declaration.streamsResponses { callOptions.timeout = options.timeout.map { .seconds($0) } }
            let call = try DynamicCall(
                name, declaration, schema, invocation: invocation, options: callOptions, emitsDefaults: emitDefaults)
            try await call.run(RequestDocuments(data, environment: invocation.environment))
        }
    }
}
