import ArgumentParser
import RPCClient
import RPCCore

/// The options of `pulseboard rpc`.
struct RPCOptions: ParsableArguments {
    @Option(name: .customLong("protocol"), help: "The protocol to speak: ttrpc or grpc.")
    var wireProtocol = WireProtocol.ttrpc

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp("Metadata to send with every call; may be repeated.", valueName: "name: value"))
    var headers: [String] = []

    @Flag(help: "Send the token of the session that is signed in on this socket.")
    var auth = false

    func validate() throws {
        for header in headers where Self.pair(header) == nil {
            throw ValidationError("-H takes 'name: value', not '\(header)'.")
        }
    }

    /// The name and value of one header; nil if the text is no header.
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

    /// Options of the calls: what the invocation says, the headers, and with `--auth` the session's token.
    func callOptions(_ invocation: Invocation) throws(CommandFailure) -> CallOptions {
        var options = auth ? invocation.callOptions(token: try invocation.requiredToken()) : invocation.callOptions()
        for pair in headers.compactMap(Self.pair) { options.metadata.append(pair.value, for: pair.name) }
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
