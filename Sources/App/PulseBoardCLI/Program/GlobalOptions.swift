import ArgumentParser
import SocketTransport

/// The options that every command has.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server's Unix socket.",
            discussion: """
                Without it: PULSEBOARD_SOCKET, else $XDG_RUNTIME_DIR/pulseboard/pulseboard.sock, else \
                /run/pulseboard/pulseboard.sock for root, else /tmp/pulseboard-UID/pulseboard.sock.
                """,
            valueName: "path"),
        completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "Which signed-in account to use, if there are several.",
            discussion: "Without it: PULSEBOARD_ACCOUNT, else the account that signed in last.", valueName: "name"))
    var account: String?

    @Option(help: ArgumentHelp("How long one call may take, in seconds; without it 10.", valueName: "seconds"))
    var timeout: Double?

    @Flag(help: "Write one JSON document instead of text for people.")
    var json = false

    func validate() throws {
        if let timeout, !(timeout > 0 && timeout <= 86_400) {
            throw ValidationError("--timeout must be more than 0 and at most 86400 seconds.")
        }
        if let socket, socket.isEmpty { throw ValidationError("--socket must not be empty.") }
    }
}

extension GlobalOptions {
    /// The socket to call, absolute, so that one socket has one name whatever directory a command runs in.
    func socketPath(in environment: CommandEnvironment) -> String {
        let given = [socket, environment.variables["PULSEBOARD_SOCKET"]].lazy.compactMap { $0 }.first { !$0.isEmpty }
        let path = given ?? SocketPath.default(environment: environment.variables, uid: environment.userID)
        return path.hasPrefix("/") ? path : environment.workingDirectory + "/" + path
    }

    /// The account named by option or environment; nil: the one that signed in last.
    func accountName(in environment: CommandEnvironment) -> String? {
        account ?? environment.variables["PULSEBOARD_ACCOUNT"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
