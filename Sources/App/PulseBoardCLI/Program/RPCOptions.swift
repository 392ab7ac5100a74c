import ArgumentParser
import CommandHelp
import PulseBoardVocabulary
import RPCClient
import RPCCore

/// The options of `pulseboard rpc`.
struct RPCOptions: ParsableArguments {
    @Option(name: .customLong("protocol"), help: ArgumentHelp(Phrase("The protocol to speak: ttrpc or grpc.", "쓸 프로토콜: ttrpc 또는 grpc.")))
    var wireProtocol = WireProtocol.ttrpc

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp(
            Phrase("Metadata to send with every call; may be repeated.", "모든 호출에 함께 보낼 메타데이터. 여러 번 쓸 수 있습니다."), valueName: "name: value"))
    var headers: [String] = []

    @Flag(help: ArgumentHelp(Phrase("Send the token of the session that is signed in on this socket.", "이 소켓에 로그인한 세션의 토큰을 보냅니다.")))
    var auth = false

    func validate() throws {
        for header in headers where Self.pair(header) == nil {
            throw ValidationError(Phrase("-H takes 'name: value', not '\(header)'.", "-H는 'name: value' 꼴이어야 합니다. '\(header)'은(는) 아닙니다."))
        }
    }

    /// The name and value of one header; `nil` if the text is not a header.
    static func pair(_ header: String) -> (name: String, value: String)? {
        guard let colon = header.firstIndex(of: ":") else { return nil }
        let name = header[..<colon].trimmingPrefix { $0 == " " }
        let isName = !name.isEmpty && name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isName else { return nil }
        return (String(name), String(header[header.index(after: colon)...].trimmingPrefix { $0 == " " }))
    }

    /// Options of the calls: the headers, the invocation's metadata with other names, and with `--auth` the session's
    /// token.
    func callOptions(_ invocation: Invocation) throws(CommandFailure) -> CallOptions {
        var options = auth ? invocation.callOptions(token: try invocation.requiredToken()) : invocation.callOptions()
        let pairs = headers.compactMap(Self.pair)
        let given = Set(pairs.map { $0.name.lowercased() })
        let said = options.metadata
        options.metadata = Metadata()
        for entry in said where !given.contains(entry.key) { options.metadata.append(entry.value, for: entry.key) }
        for pair in pairs { options.metadata.append(pair.value, for: pair.name) }
        return options
    }
}

extension WireProtocol: ExpressibleByArgument {
    /// The names on the command line.
    public init?(argument: String) {
        switch argument.lowercased() {
        case "ttrpc": self = .ttrpc
        case "grpc": self = .grpc
        default: return nil
        }
    }

    public var defaultValueDescription: String { "\(self)" }
    public static var allValueStrings: [String] { allCases.map { "\($0)" } }
}
