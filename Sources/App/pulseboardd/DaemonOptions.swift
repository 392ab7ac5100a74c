import ArgumentParser

/// The server's command line. ``DaemonSettings`` has the defaults.
struct DaemonOptions: ParsableArguments {
    @Option(help: ArgumentHelp(
        "Path of the socket, at most 107 bytes.",
        discussion: "PULSEBOARD_SOCKET. Default: $XDG_RUNTIME_DIR/pulseboard/pulseboard.sock, else /run/pulseboard/pulseboard.sock for "
            + "root and /tmp/pulseboard-<uid>/pulseboard.sock for others.",
        valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp(
        "The socket's permission bits, octal.",
        discussion: "PULSEBOARD_SOCKET_MODE. Default: 600, only the server's own uid and root may connect.", valueName: "mode"))
    var socketMode: String?

    @Option(help: ArgumentHelp(
        "Path of a second socket, for a gateway: who calls by it is nobody but whom a session's token proves.",
        discussion: "PULSEBOARD_REMOTE_SOCKET. No sign-in by uid, no administration, no reflection. Default: none.", valueName: "path"))
    var remoteSocket: String?

    @Option(help: ArgumentHelp(
        "The permission bits of the socket for a gateway, octal.", discussion: "PULSEBOARD_REMOTE_SOCKET_MODE. Default: 600.",
        valueName: "mode"))
    var remoteSocketMode: String?

    @Option(help: ArgumentHelp(
        "How long a connection of the gateway with calls under way may be silent before a PING is sent, seconds; 0 for ever.",
        discussion: "PULSEBOARD_REMOTE_HEARTBEAT. Default: 20; nginx gives up a silent call after 60.", valueName: "seconds"))
    var remoteHeartbeat: String?

    @Flag(help: ArgumentHelp(
        "Let the gateway's callers ask what the server offers (gRPC reflection).", discussion: "PULSEBOARD_REMOTE_REFLECTION=1."))
    var remoteReflection = false

    @Option(help: ArgumentHelp(
        "Where the database is kept.",
        discussion: "PULSEBOARD_DATA_DIRECTORY. Default: $XDG_DATA_HOME/pulseboard, else /var/lib/pulseboard for root and "
            + "~/.local/share/pulseboard for others.",
        valueName: "path"))
    var dataDirectory: String?

    @Option(help: ArgumentHelp(
        "A database for several servers: postgresql://[user@][host]/database, or postgresql:///?service=name. Passwords stay in ~/.pgpass or a service file.",
        discussion: "PULSEBOARD_STORE. Default: SQLite in the data directory. docs/scaling.md says when to use which.", valueName: "address"))
    var store: String?

    @Option(help: ArgumentHelp(
        "Where pictures are kept.",
        discussion: "PULSEBOARD_IMAGE_DIRECTORY. Default: images in the data directory. Several servers on one store need one that all have.",
        valueName: "path"))
    var imageDirectory: String?

    @Option(help: ArgumentHelp(
        "The program that decodes uploaded pictures.",
        discussion: "PULSEBOARD_IMAGE_PROGRAM. Default: pulseboard-image beside pulseboardd.", valueName: "path"))
    var imageProgram: String?

    @Option(help: ArgumentHelp(
        "What is logged: trace, debug, info, notice, warning, error or critical.",
        discussion: "PULSEBOARD_LOG_LEVEL. Default: notice. Tokens and profile texts are never logged.", valueName: "level"))
    var logLevel: String?

    @Option(name: .customLong("trusted-uid"), help: ArgumentHelp(
        "A Unix uid that may sign in to named accounts, as a gateway does; may be given several times.",
        discussion: "PULSEBOARD_TRUSTED_UIDS, separated by commas. Root and the server's own uid always may.", valueName: "uid"))
    var trustedUIDs: [UInt32] = []

    @Option(name: .customLong("oidc-config"), help: ArgumentHelp(
        "Whose ID tokens sign people in: a JSON file.",
        discussion: "PULSEBOARD_OIDC_CONFIG. Default: none, and nobody signs in with one. docs/id-tokens.md has its form.", valueName: "path"))
    var oidcConfig: String?

    @Option(name: .customLong("admin-uid"), help: ArgumentHelp(
        "A Unix uid that may look at the server and end it; may be given several times.",
        discussion: "PULSEBOARD_ADMIN_UIDS, separated by commas. Root and the server's own uid always may.", valueName: "uid"))
    var adminUIDs: [UInt32] = []

    @Option(help: ArgumentHelp(
        "Shortest and longest username in characters.",
        discussion: "PULSEBOARD_USERNAME_LENGTH. Default: 2-9.", valueName: "shortest-longest"))
    var usernameLength: String?

    @Option(help: ArgumentHelp(
        "How long who has asked to leave may come back, days, 0 to 90.",
        discussion: "PULSEBOARD_WITHDRAWAL_GRACE. Default: 30. Then everything of theirs is removed.", valueName: "days"))
    var withdrawalGrace: String?

    @Option(help: ArgumentHelp(
        "How long after a change of the username the next one is refused, days; 0 refuses none.",
        discussion: "PULSEBOARD_USERNAME_COOLDOWN. Default: 30. The first day of a profile does not count.", valueName: "days"))
    var usernameCooldown: String?

    @Option(help: ArgumentHelp(
        "How long a username that was given up is kept for its former owner, days; 0 keeps none.",
        discussion: "PULSEBOARD_USERNAME_HOLD. Default: 60. Names given up on the first day of a profile are free at once.", valueName: "days"))
    var usernameHold: String?

    @Option(help: ArgumentHelp(
        "The keys that seal what is written in diaries: a file with a key of 64 hexadecimal digits on each line.",
        discussion: "PULSEBOARD_DIARY_KEY_FILE. Default: none, and diaries are not sealed. The first key writes; docs/operating.md tells how to "
            + "change it.",
        valueName: "path"))
    var diaryKeyFile: String?

    @Option(name: .customLong("limit"), help: ArgumentHelp(
        "What clients may take of the server, as NAME=VALUE; may be given several times.",
        discussion: "PULSEBOARD_LIMITS, separated by commas. Memory is in MiB. Names: \(DaemonLimit.names).", valueName: "name=value"))
    var limits: [String] = []

    @Option(help: ArgumentHelp(
        "How long running calls may take to finish at shutdown, seconds.",
        discussion: "PULSEBOARD_GRACE_PERIOD. Default: 10.", valueName: "seconds"))
    var gracePeriod: String?
}
