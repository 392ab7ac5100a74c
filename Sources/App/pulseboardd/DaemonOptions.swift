import ArgumentParser
import CommandHelp
import PulseBoardVocabulary

/// The server's command line. ``DaemonSettings`` has the defaults.
struct DaemonOptions: ParsableArguments {
    @Option(help: ArgumentHelp(
        Phrase("The configuration file (TOML). Options and variables win over it.", "설정 파일(TOML). 옵션과 환경 변수가 설정 파일보다 앞섭니다."),
        discussion: Phrase(
                "PULSEBOARD_CONFIG. Default: /etc/pulseboard/pulseboardd.toml for root and ~/.config/pulseboard/pulseboardd.toml for others, if it is there. "
                + "docs/operating.md has its form.",
            "PULSEBOARD_CONFIG. 기본값: root는 /etc/pulseboard/pulseboardd.toml, 나머지는 ~/.config/pulseboard/pulseboardd.toml이 있으면 그것. "
                + "형식은 docs/operating.md에 있습니다."),
        valueName: "path"))
    var config: String?

    @Flag(help: ArgumentHelp(Phrase(
        "Check options, variables and the configuration file, say what the server would run with, and end.",
        "옵션, 환경 변수, 설정 파일을 검사하고, 서버가 쓸 값을 알려 준 뒤 끝납니다.")))
    var checkConfig = false

    @Option(help: ArgumentHelp(
        Phrase("Path of the socket, at most 107 bytes.", "소켓의 경로, 최대 107바이트."),
        discussion: Phrase(
            "PULSEBOARD_SOCKET. Default: $XDG_RUNTIME_DIR/pulseboard/pulseboard.sock, else /run/pulseboard/pulseboard.sock for "
                + "root and /tmp/pulseboard-<uid>/pulseboard.sock for others.",
            "PULSEBOARD_SOCKET. 기본값: $XDG_RUNTIME_DIR/pulseboard/pulseboard.sock, 없으면 root는 /run/pulseboard/pulseboard.sock, "
                + "나머지는 /tmp/pulseboard-<uid>/pulseboard.sock."),
        valueName: "path"))
    var socket: String?

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase("The socket's permission bits, octal.", "소켓의 권한 비트, 8진수."),
        discussion: Phrase(
            "PULSEBOARD_SOCKET_MODE. Default: 600, only the server's own uid and root may connect.",
            "PULSEBOARD_SOCKET_MODE. 기본값: 600. 서버의 uid와 root만 연결할 수 있습니다."), valueName: "mode"))
    var socketMode: String?

    @Option(help: ArgumentHelp(
        Phrase(
            "Path of a second socket, for a gateway. Only a session's token says who calls by it.",
            "게이트웨이를 위한 두 번째 소켓의 경로. 이 소켓의 호출자는 세션 토큰으로만 신원을 증명합니다."),
        discussion: Phrase(
            "PULSEBOARD_REMOTE_SOCKET. No sign-in by uid, no administration, no reflection. Default: none.",
            "PULSEBOARD_REMOTE_SOCKET. uid 로그인, 관리, 리플렉션을 할 수 없습니다. 기본값: 없음."), valueName: "path"))
    var remoteSocket: String?

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase(
            "The permission bits of the socket for a gateway, octal.",
            "게이트웨이 소켓의 권한 비트, 8진수."), discussion: Phrase("PULSEBOARD_REMOTE_SOCKET_MODE. Default: 600.", "PULSEBOARD_REMOTE_SOCKET_MODE. 기본값: 600."),
        valueName: "mode"))
    var remoteSocketMode: String?

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase(
            "How often a PING is sent on a connection of the gateway with calls under way, seconds; 0 for none.",
            "호출이 진행 중인 게이트웨이 연결에 PING을 보내는 간격(초). 0이면 보내지 않습니다."),
        discussion: Phrase(
            "PULSEBOARD_REMOTE_HEARTBEAT. Default: 20; nginx gives up a silent call after 60.",
            "PULSEBOARD_REMOTE_HEARTBEAT. 기본값: 20. nginx는 60초 동안 조용한 호출을 포기합니다."), valueName: "seconds"))
    var remoteHeartbeat: String?

    @Flag(help: ArgumentHelp(
        Phrase(
            "Let the gateway's callers ask what the server offers (gRPC reflection).",
                "게이트웨이를 거친 호출자도 서버가 무엇을 제공하는지 물을 수 있게 합니다(gRPC 리플렉션)."),
            discussion: Phrase("PULSEBOARD_REMOTE_REFLECTION=1.", "환경 변수: PULSEBOARD_REMOTE_REFLECTION=1.")))
    var remoteReflection = false

    @Option(help: ArgumentHelp(
        Phrase("Where the database is kept.", "데이터베이스를 두는 곳."),
        discussion: Phrase(
            "PULSEBOARD_DATA_DIRECTORY. Default: $XDG_DATA_HOME/pulseboard, else /var/lib/pulseboard for root and "
                + "~/.local/share/pulseboard for others.",
            "PULSEBOARD_DATA_DIRECTORY. 기본값: $XDG_DATA_HOME/pulseboard, 없으면 root는 /var/lib/pulseboard, 나머지는 ~/.local/share/pulseboard."),
        valueName: "path"))
    var dataDirectory: String?

    @Option(help: ArgumentHelp(
        Phrase(
            "Where what is committed is kept, so that a backup can be brought forward to any instant after it (SQLite).",
            "백업을 그 뒤의 어느 시점으로든 되살릴 수 있도록 커밋된 내용을 보관하는 곳(SQLite)."),
        discussion: Phrase("PULSEBOARD_WAL_ARCHIVE. Default: none.", "PULSEBOARD_WAL_ARCHIVE. 기본값: 없음."), valueName: "path"))
    var walArchive: String?

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase("How long that is kept, 1 to 3650 days.", "그것을 보관하는 기간, 1일에서 3650일."),
        discussion: Phrase("PULSEBOARD_WAL_ARCHIVE_DAYS. Default: 14.", "PULSEBOARD_WAL_ARCHIVE_DAYS. 기본값: 14."), valueName: "days"))
    var walArchiveDays: String?

    @Option(help: ArgumentHelp(
        Phrase(
                "A database for several servers: postgresql://[user@][host]/database, or postgresql:///?service=name. Passwords stay in ~/.pgpass or a service file.",
            "여러 서버가 함께 쓰는 데이터베이스: postgresql://[user@][host]/database 또는 postgresql:///?service=name. 비밀번호는 ~/.pgpass나 서비스 파일에 둡니다."),
        discussion: Phrase(
            "PULSEBOARD_STORE. Default: SQLite in the data directory. docs/scaling.md says when to use which.",
            "PULSEBOARD_STORE. 기본값: 데이터 디렉터리의 SQLite. 무엇을 언제 쓸지는 docs/scaling.md에 있습니다."), valueName: "address"))
    var store: String?

    @Option(help: ArgumentHelp(
        Phrase("Where pictures are kept.", "사진을 두는 곳."),
        discussion: Phrase(
            "PULSEBOARD_IMAGE_DIRECTORY. Default: images in the data directory. Several servers on one store need one that all have.",
            "PULSEBOARD_IMAGE_DIRECTORY. 기본값: 데이터 디렉터리의 images. 한 저장소를 쓰는 서버가 여럿이면 모두가 쓸 수 있는 곳이어야 합니다."), valueName: "path"))
    var imageDirectory: String?

    @Option(help: ArgumentHelp(
        Phrase("The program that decodes uploaded pictures.", "올라온 사진을 디코딩하는 프로그램."),
        discussion: Phrase(
            "PULSEBOARD_IMAGE_PROGRAM. Default: pulseboard-image beside pulseboardd.",
            "PULSEBOARD_IMAGE_PROGRAM. 기본값: pulseboardd 옆의 pulseboard-image."), valueName: "path"))
    var imageProgram: String?

    @Option(help: ArgumentHelp(
            Phrase(
                "What is logged: trace, debug, info, notice, warning, error or critical.",
                "로그에 남길 수준: trace, debug, info, notice, warning, error, critical."),
        discussion: Phrase(
            "PULSEBOARD_LOG_LEVEL. Default: notice. Tokens and profile texts are never logged.",
            "PULSEBOARD_LOG_LEVEL. 기본값: notice. 토큰과 프로필 글은 절대 남기지 않습니다."), valueName: "level"))
    var logLevel: String?

    @Option(help: ArgumentHelp(
        Phrase("How the log is written: text, json or journal.", "로그를 쓰는 형식: text, json, journal."),
        discussion: Phrase(
            "PULSEBOARD_LOG_FORMAT. Default: journal where standard error is systemd's journal, else text.",
            "PULSEBOARD_LOG_FORMAT. 기본값: 표준 오류가 systemd 저널이면 journal, 아니면 text."), valueName: "format"))
    var logFormat: String?

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase(
            "Where Prometheus may read the server's figures: a port of 127.0.0.1, or the path of a Unix socket.",
            "Prometheus가 서버의 수치를 읽는 곳: 127.0.0.1의 포트나 유닉스 소켓의 경로."),
        discussion: Phrase(
            "PULSEBOARD_METRICS. Default: none. Who can reach it can read it: http://127.0.0.1:PORT/metrics.",
            "PULSEBOARD_METRICS. 기본값: 없음. 접근할 수 있으면 누구나 읽습니다: http://127.0.0.1:PORT/metrics."), valueName: "port-or-path"))
    var metrics: String?

    @Option(name: .customLong("trusted-uid"), parsing: .unconditionalSingleValue, help: ArgumentHelp(
        Phrase(
            "A Unix uid that may sign in to named accounts, for a program of yours that signs users in; may be given several times.",
            "이름 있는 계정으로 로그인할 수 있는 유닉스 uid. 사용자를 대신 로그인시키는 프로그램에 씁니다. 여러 번 쓸 수 있습니다."),
        discussion: Phrase(
            "PULSEBOARD_TRUSTED_UIDS, separated by commas. Root and the server's own uid always may.",
            "PULSEBOARD_TRUSTED_UIDS, 쉼표로 구분. root와 서버의 uid는 언제나 할 수 있습니다."), valueName: "uid"))
    var trustedUIDs: [UInt32] = []

    @Option(name: .customLong("oidc-config"), help: ArgumentHelp(
        Phrase("Whose ID tokens sign people in: a JSON file.", "누구의 ID 토큰으로 로그인할 수 있는지 적은 JSON 파일."),
        discussion: Phrase(
            "PULSEBOARD_OIDC_CONFIG. Default: none, and nobody signs in with one. docs/id-tokens.md has its form.",
            "PULSEBOARD_OIDC_CONFIG. 기본값: 없음. 없으면 아무도 ID 토큰으로 로그인할 수 없습니다. 형식은 docs/id-tokens.md에 있습니다."), valueName: "path"))
    var oidcConfig: String?

    @Option(name: .customLong("admin-uid"), parsing: .unconditionalSingleValue, help: ArgumentHelp(
        Phrase("A Unix uid that may look at the server and end it; may be given several times.", "서버를 살펴보고 종료할 수 있는 유닉스 uid. 여러 번 쓸 수 있습니다."),
        discussion: Phrase(
            "PULSEBOARD_ADMIN_UIDS, separated by commas. Root and the server's own uid always may.",
            "PULSEBOARD_ADMIN_UIDS, 쉼표로 구분. root와 서버의 uid는 언제나 할 수 있습니다."), valueName: "uid"))
    var adminUIDs: [UInt32] = []

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase("Shortest and longest username in characters.", "사용자 이름의 최소 글자 수와 최대 글자 수."),
        discussion: Phrase(
            "PULSEBOARD_USERNAME_LENGTH. Default: \(DaemonSettings.defaultUsernameLength).",
            "PULSEBOARD_USERNAME_LENGTH. 기본값: \(DaemonSettings.defaultUsernameLength)."), valueName: "shortest-longest"))
    var usernameLength: String?

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase("How long who has asked to leave may come back, days, 0 to 90.", "탈퇴를 취소할 수 있는 날수, 0에서 90."),
        discussion: Phrase(
            "PULSEBOARD_WITHDRAWAL_GRACE. Default: 30. Then everything of theirs is removed.",
            "PULSEBOARD_WITHDRAWAL_GRACE. 기본값: 30. 그 뒤에는 모든 것이 지워집니다."), valueName: "days"))
    var withdrawalGrace: String?

    @Option(parsing: .unconditional, help: ArgumentHelp(
            Phrase(
                "How long after a change of the username the next one is refused, days; 0 refuses none.", "이름을 바꾼 뒤 다시 바꿀 수 없는 날수. 0이면 언제든 바꿀 수 있습니다."
            ),
        discussion: Phrase(
            "PULSEBOARD_USERNAME_COOLDOWN. Default: 30. The first day of a profile does not count.",
            "PULSEBOARD_USERNAME_COOLDOWN. 기본값: 30. 프로필의 첫날은 치지 않습니다."), valueName: "days"))
    var usernameCooldown: String?

    @Option(parsing: .unconditional, help: ArgumentHelp(
            Phrase(
                "How long a username that was given up is kept for its former owner, days; 0 keeps none.", "버린 이름을 전 주인을 위해 남겨 두는 날수. 0이면 남겨 두지 않습니다."
            ),
        discussion: Phrase(
            "PULSEBOARD_USERNAME_HOLD. Default: 60. Names given up on the first day of a profile are free at once.",
            "PULSEBOARD_USERNAME_HOLD. 기본값: 60. 프로필의 첫날에 버린 이름은 바로 쓸 수 있습니다."), valueName: "days"))
    var usernameHold: String?

    @Option(help: ArgumentHelp(
        Phrase(
            "The keys that seal what is written in diaries: a file with a key of 64 hexadecimal digits on each line.",
            "일기를 암호화하는 키. 한 줄에 16진수 64자리 키 하나가 있는 파일."),
        discussion: Phrase(
            "PULSEBOARD_DIARY_KEY_FILE. Default: none, and diaries are not sealed. The first key writes; docs/operating.md tells how to change it.",
            "PULSEBOARD_DIARY_KEY_FILE. 기본값: 없음. 없으면 암호화하지 않습니다. 첫 키로 쓰며, 바꾸는 방법은 docs/operating.md에 있습니다."),
        valueName: "path"))
    var diaryKeyFile: String?

    @Option(name: .customLong("limit"), help: ArgumentHelp(
        Phrase("What clients may take of the server, as NAME=VALUE; may be given several times.", "클라이언트가 서버에서 쓸 수 있는 만큼, 이름=값. 여러 번 쓸 수 있습니다."),
        discussion: Phrase(
            "PULSEBOARD_LIMITS, separated by commas. Memory is in MiB. Names: \(DaemonLimit.names).",
            "PULSEBOARD_LIMITS, 쉼표로 구분. 메모리는 MiB입니다. 이름: \(DaemonLimit.names)."), valueName: "name=value"))
    var limits: [String] = []

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase("How long running calls may take to finish at shutdown, seconds.", "종료할 때 실행 중인 호출을 기다리는 시간(초)."),
        discussion: Phrase("PULSEBOARD_GRACE_PERIOD. Default: 10.", "PULSEBOARD_GRACE_PERIOD. 기본값: 10."), valueName: "seconds"))
    var gracePeriod: String?
}
