import ArgumentParser
import ProtobufSchema

/// `pulseboard rpc describe`
struct RPCDescribe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "Show a service, method, message or enum as in its .proto file.",
        discussion: """
            A method comes with the messages that it takes and gives.

            Examples:
              pulseboard rpc describe pulseboard.follow.v1.FollowService
              pulseboard rpc describe pulseboard.follow.v1.FollowService/Follow
              pulseboard rpc describe google.protobuf.Timestamp
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var rpc: RPCOptions

    @Argument(help: ArgumentHelp("Full name of what to describe.", valueName: "symbol"))
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
struct DescriptionDocument: Encodable, Sendable, Hashable {
    let symbol: String
    /// `service`, `method`, `message`, `enum`, `enum value`, `field`, `extension` or `oneof`.
    let kind: String
    /// The file that declares it.
    let file: String
    let package: String
    /// What the file says.
    let text: String
}
