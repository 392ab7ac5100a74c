import ArgumentParser
import Testing

@testable import PulseBoardCLI
@testable import pulseboardd

/// The options and variables that the pages name are those of `--help`.
@Suite struct OptionTests {
    /// Options of other programs that the pages name.
    private static let foreign = Set<String>([
        // systemctl, adduser, curl, container tools
        ["--user", "--now", "--system", "--home-dir", "--shell", "--http2-prior-knowledge", "--unix-socket", "--uidmap"],
        // swift and its compiler, protoc and its plugins, lld
        ["--filter", "--skip-build", "--product", "--show-bin-path", "--static-swift-stdlib", "--experimental-lto-mode", "--symbol-ordering-file"],
        ["--plugin", "--python_out", "--grpc_python_out", "--pulseboard-swift_out", "--pulseboard-c_out", "--enforce_recommended"],
        // PostgreSQL and its tools
        ["--owner", "--encoding", "--template", "--stanza", "--type", "--target", "--target-action", "--enable-v2"],
        // this project's scripts
        ["--only", "--short", "--write", "--quick", "--rounds", "--build", "--freeze", "--test-case"],
        ["--seconds", "--report", "--list", "--runs", "--skip-peers"],
    ].joined())

    /// The long options in a text: `--name`.
    private static func options(in text: String) -> Set<String> {
        Set(text.matches(of: #/(?:^|[^\w\-])(--[a-z][a-z0-9_\-]*)/#).map { String($0.output.1) })
    }

    /// The help of the command line and of everything below a command.
    private static func help(of command: any ParsableCommand.Type) -> String {
        let below = command.configuration.subcommands.map { help(of: $0) }.joined()
        return PulseBoardCommand.helpMessage(for: command) + below
    }

    private static let ofServer = options(in: PulseBoardDaemon.helpMessage())
    private static let ofCommandLine = options(in: help(of: PulseBoardCommand.self))

    @Test("docs/operating.md lists every option of pulseboardd, and none besides")
    func serverOptions() throws {
        let rows = try Page("docs/operating.md").rows("## Options")
        let documented = Set(rows.filter { $0[0].hasPrefix("`--") }.flatMap { Self.options(in: Page.code(in: $0[0])[0]) })
        #expect(documented == Self.ofServer.subtracting(["--help", "--version"]))
    }

    @Test("docs/operating.md lists every variable of pulseboardd, and none besides")
    func serverVariables() throws {
        func variables(_ text: String) -> Set<String> { Set(text.matches(of: #/PULSEBOARD_[A-Z_]+/#).map { String($0.output) }) }
        let rows = try Page("docs/operating.md").rows("## Options")
        #expect(variables(rows.map { $0.joined() }.joined()) == variables(PulseBoardDaemon.helpMessage()))
    }

    @Test("docs/operating.md lists every limit of --limit, and none besides")
    func limitNames() throws {
        let rows = try Page("docs/operating.md").rows("### Limits of clients")
        #expect(Set(rows.flatMap { Page.code(in: $0[0]) }) == Set(DaemonLimit.allCases.map(\.rawValue)))
    }

    @Test("docs/standard-services.md lists the options of pulseboard rpc call")
    func callOptions() throws {
        let rows = try Page("docs/standard-services.md").rows("## `pulseboard rpc`")
        let documented = Set(rows.flatMap { Self.options(in: $0[0]) })
        let help = Self.options(in: PulseBoardCommand.helpMessage(for: RPCCall.self))
        #expect(documented.isSubset(of: help), "\(documented.subtracting(help).sorted()) is no option")
        let missing = help.subtracting(documented).subtracting(["--help", "--version", "--socket", "--data", "--header", "--no-color"])
        #expect(missing.isEmpty, "the page lacks \(missing.sorted())")
    }

    @Test("No page names an option that no program has", arguments: Page.all)
    func everyOption(page: String) throws {
        let named = try Page(page).code.reduce(into: Set<String>()) { $0.formUnion(Self.options(in: $1)) }
        let unknown = named.subtracting(Self.ofServer).subtracting(Self.ofCommandLine).subtracting(Self.foreign)
        #expect(unknown.isEmpty, "\(unknown.sorted()) is no option")
    }
}
