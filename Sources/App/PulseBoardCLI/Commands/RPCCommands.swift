import ArgumentParser
import CommandHelp
import ProtobufC
import ProtobufSchema
import PulseBoardVocabulary
import RPCCore

/// `pulseboard rpc list`
struct RPCList: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: Phrase("List a server's services, or a service's methods.", "서버의 서비스나 서비스의 메서드를 나열합니다."),
            discussion: Phrase(
                """
                Examples:
                  pulseboard rpc list
                  pulseboard rpc list pulseboard.follow.v1.FollowService
                """,
                """
                예:
                  pulseboard rpc list
                  pulseboard rpc list pulseboard.follow.v1.FollowService
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var rpc: RPCOptions

    @Argument(
        help: ArgumentHelp(Phrase("Full name of a service, to list its methods.", "메서드를 나열할 서비스의 전체 이름."), valueName: "service"),
        completion: ServerCompletion.services)
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
private struct ServicesDocument: Encodable, Sendable, Hashable {
    let services: [String]
}

/// The JSON answer of `rpc list SERVICE`.
private struct MethodsDocument: Encodable, Sendable, Hashable {
    let service: String
    let methods: [String]
}

/// `pulseboard rpc describe`
struct RPCDescribe: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "describe",
            abstract: Phrase("Show a service, method, message or enum as in its .proto file.", "서비스, 메서드, 메시지, enum을 .proto 파일에 있는 대로 보여 줍니다."),
            discussion: Phrase(
                """
                A method comes with the messages that it takes and gives.

                Examples:
                  pulseboard rpc describe pulseboard.follow.v1.FollowService
                  pulseboard rpc describe pulseboard.follow.v1.FollowService/Follow
                  pulseboard rpc describe google.protobuf.Timestamp
                """,
                """
                메서드는 주고받는 메시지와 함께 보여 줍니다.

                예:
                  pulseboard rpc describe pulseboard.follow.v1.FollowService
                  pulseboard rpc describe pulseboard.follow.v1.FollowService/Follow
                  pulseboard rpc describe google.protobuf.Timestamp
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var rpc: RPCOptions

    @Argument(
        help: ArgumentHelp(Phrase("Full name of what to describe.", "설명할 것의 전체 이름."), valueName: "symbol"), completion: ServerCompletion.symbols)
    var symbol: String

    func run() async throws {
        try await options.run(over: rpc.wireProtocol) { invocation in
            var name = symbol.split(separator: "/", omittingEmptySubsequences: true).joined(separator: ".")
            if name.hasPrefix(".") { name.removeFirst() }
            let schema = try await invocation.schema(of: name, try rpc.callOptions(invocation))
            guard let text = SchemaText.describing(name, in: schema), let file = schema.file(declaring: name) else {
                throw CommandFailure.unknownSymbol(name, in: invocation.failureContext)
            }
            let document = DescriptionDocument(
                symbol: name, kind: schema[name].map(Self.kind) ?? "", file: file.name, package: file.package, text: text)
            try invocation.show(document: document) { Self.text(document) }
        }
    }

    private static func text(_ document: DescriptionDocument) -> String {
        let origin = document.package.isEmpty ? document.file : "\(document.file), package \(document.package)"
        let lines = ["// \(origin)"] + document.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.map(\.safeForTerminal).joined(separator: "\n")
    }

    private static func kind(_ declaration: Schema.Declaration) -> String {
        switch declaration {
        case .message: "message"
        case .enumeration: "enum"
        case .enumValue: "enum value"
        case .service: "service"
        case .method: "method"
        case .field(let field): field.extendee == nil ? "field" : "extension"
        case .oneof: "oneof"
        }
    }
}

/// The JSON answer of `rpc describe`.
private struct DescriptionDocument: Encodable, Sendable, Hashable {
    let symbol: String
    /// `service`, `method`, `message`, `enum`, `enum value`, `field`, `extension` or `oneof`.
    let kind: String
    /// The file that declares it.
    let file: String
    let package: String
    /// What the file says.
    let text: String
}

/// `pulseboard rpc call`
struct RPCCall: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "call",
            abstract: Phrase("Call a method with JSON, and show its answers as JSON.", "JSON으로 메서드를 호출하고, 답을 JSON으로 보여 줍니다."),
            discussion: Phrase(
                """
                Requests and answers are proto3 JSON. A method that streams takes any number of JSON objects and answers with one a \
                line; Ctrl-C ends it. Errors go to standard error with all their details.

                Examples:
                  pulseboard rpc call pulseboard.auth.v1.AuthService/GetAuthState
                  pulseboard rpc call pulseboard.profile.v1.ProfileService/GetMyProfile --auth
                  pulseboard rpc call grpc.health.v1.Health/Watch -d '{"service":"pulseboard.auth.v1.AuthService"}'
                  pulseboard rpc call example.Chat/Talk -H 'caller: me' -d @ < lines.json
                """,
                """
                요청과 답은 proto3 JSON입니다. 스트리밍 메서드는 JSON 객체를 몇 개든 받고 한 줄에 하나씩 답하며, Ctrl-C를 누르면 끝납니다. \
                오류는 모든 세부 정보와 함께 표준 오류에 나옵니다.

                예:
                  pulseboard rpc call pulseboard.auth.v1.AuthService/GetAuthState
                  pulseboard rpc call pulseboard.profile.v1.ProfileService/GetMyProfile --auth
                  pulseboard rpc call grpc.health.v1.Health/Watch -d '{"service":"pulseboard.auth.v1.AuthService"}'
                  pulseboard rpc call example.Chat/Talk -H 'caller: me' -d @ < lines.json
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var rpc: RPCOptions

    @Argument(
        help: ArgumentHelp(Phrase("The method: package.Service/Method.", "메서드: package.Service/Method."), valueName: "method"),
        completion: ServerCompletion.methods)
    var method: String

    @Option(
        name: [.customShort("d"), .customLong("data")],
        help: ArgumentHelp(Phrase(
            "The request as JSON; @ reads it from standard input. Without it: an empty message.",
            "요청 JSON. @는 표준 입력에서 읽습니다. 생략하면 빈 메시지입니다."), valueName: "json"))
    var data: String?

    @Flag(help: ArgumentHelp(Phrase("Show fields that are at their default, too.", "기본값인 필드도 보여 줍니다.")))
    var emitDefaults = false

    func validate() throws {
        if WrittenMethodName(method) == nil { throw ValidationError(Phrase(
            "A method is package.Service/Method, not '\(method)'.",
            "메서드는 package.Service/Method 꼴이어야 합니다. '\(method)'은(는) 아닙니다.")) }
    }

    func run() async throws {
        try await options.run(over: rpc.wireProtocol) { invocation in
            // `validate` has checked it.
            guard let name = WrittenMethodName(method) else { return }
            let reflection = try rpc.callOptions(invocation)
            let schema = try await invocation.schema(of: name.service, reflection)
            let symbol = name.service + "." + name.method
            guard case .method(let declaration, of: _)? = schema[symbol] else {
                throw CommandFailure.unknownSymbol(name.service + "/" + name.method, in: invocation.failureContext)
            }
            var callOptions = reflection
            // A stream has no timeout unless one was given.
            if declaration.streamsRequests || declaration.streamsResponses { callOptions.timeout = options.answer.timeout.map { .seconds($0) } }
            let call = try DynamicCall(
                name, declaration, schema, invocation: invocation, options: callOptions, reflection: reflection, emitsDefaults: emitDefaults)
            try await call.run(RequestDocuments(data, environment: invocation.environment))
        }
    }
}
