import ArgumentParser
import CommandHelp
import PulseBoardVocabulary
import SocketTransport

/// The options that every command has.
struct GlobalOptions: ParsableArguments {
    @OptionGroup var server: ServerOptions
    @OptionGroup var answer: AnswerOptions
}

/// Which server a command calls, and as whom.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            Phrase("The server's Unix socket.", "서버의 유닉스 소켓."),
            discussion: Phrase(
                """
                Without it: PULSEBOARD_SOCKET, else the socket of your own server ($XDG_RUNTIME_DIR/pulseboard/pulseboard.sock, \
                without that variable /tmp/pulseboard-UID/pulseboard.sock), else that of the machine, /run/pulseboard/pulseboard.sock.
                """,
                """
                생략하면 PULSEBOARD_SOCKET, 그것도 없으면 내 서버의 소켓($XDG_RUNTIME_DIR/pulseboard/pulseboard.sock, \
                이 변수가 없으면 /tmp/pulseboard-UID/pulseboard.sock), 그것도 없으면 이 시스템의 /run/pulseboard/pulseboard.sock입니다.
                """),
            valueName: "path"),
        completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp(
            Phrase("Which signed-in account to use, if there are several.", "로그인한 계정이 여럿일 때 쓸 계정."),
            discussion: Phrase(
                "Without it: PULSEBOARD_ACCOUNT, else the account that signed in last or that `auth switch` chose. After its sign-out, your Unix user's.",
                "생략하면 PULSEBOARD_ACCOUNT, 그것도 없으면 마지막에 로그인했거나 `auth switch`로 고른 계정입니다. 그 계정이 로그아웃하면 유닉스 사용자의 계정입니다."),
            valueName: "name"),
        completion: ServerCompletion.accounts)
    var account: String?

    func validate() throws {
        if let socket, socket.isEmpty { throw ValidationError(Phrase("--socket must not be empty.", "--socket은 비울 수 없습니다.")) }
    }

    /// The absolute path of the socket, so that a socket has the same name in every working directory.
    func socketPath(in environment: CommandEnvironment) -> String {
        environment.absolutePath(
            environment.value(socket, orVariable: "PULSEBOARD_SOCKET")
                ?? PulseBoardSocket.defaultForClients(environment: environment.variables, uid: environment.userID))
    }

    /// The account from the option or environment; `nil` for the current one.
    func accountName(in environment: CommandEnvironment) -> String? {
        account ?? environment.variables["PULSEBOARD_ACCOUNT"].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// How long a call may take, and in which form its answer is written.
struct AnswerOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            Phrase(
                "How long one call may take, in seconds; without it 10, and longer for pictures, backups and exports. A watch has no limit.",
                "호출 하나가 걸릴 수 있는 시간(초). 생략하면 10초이고 사진, 백업, 내보내기는 더 깁니다. 변경 알림에는 제한이 없습니다."), valueName: "seconds"))
    var timeout: Double?

    @Flag(help: ArgumentHelp(Phrase("Write one JSON document instead of text for people.", "사람이 읽는 글 대신 JSON 문서 하나를 씁니다.")))
    var json = false

    @Option(
        name: .customLong("field"),
        help: ArgumentHelp(
            Phrase(
                "Write only this field of the JSON document, such as users.user.username; may be given several times.",
                "JSON 문서에서 이 필드만 씁니다(예: users.user.username). 여러 번 쓸 수 있습니다."),
            discussion: Phrase(
                "A line for each element of a list, with tabs between the fields.", "목록은 한 줄에 하나씩, 필드 사이에는 탭을 씁니다."), valueName: "path"))
    var fields: [String] = []

    @Flag(name: .shortAndLong, help: ArgumentHelp(Phrase("Write no remarks, only answers and errors.", "알림 없이 응답과 오류만 씁니다.")))
    var quiet = false

    func validate() throws {
        if let timeout, !(timeout > 0 && timeout <= 86_400) {
            throw ValidationError(Phrase(
                "--timeout must be more than 0 and at most 86400 seconds, not \(timeout).", "--timeout은 0초보다 크고 86400초 이하여야 합니다: \(timeout)"))
        }
        if json, !fields.isEmpty { throw ValidationError(Phrase("--json and --field exclude each other.", "--json과 --field는 함께 쓸 수 없습니다.")) }
        if let empty = fields.first(where: { $0.split(separator: ".", omittingEmptySubsequences: false).contains("") }) {
            throw ValidationError(Phrase("--field takes keys with dots between them, not '\(empty)'.", "--field에는 점으로 이은 키를 씁니다: '\(empty)'"))
        }
    }
}
