import Foundation
import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardVocabulary
import RPCCore
import SocketTransport

/// The subject of a failed call. It decides what the error means to the user.
enum CallSubject: Sendable, Hashable {
    /// The caller's own profile. Having none is a state, not a failure (B8).
    case ownProfile
    /// The user named by this text.
    case user(String)
    /// A session, or signing in.
    case session
    /// A backup, of which there is one at a time.
    case backup
    case nothing
}

extension RPCError {
    /// The reason that the server gives; `nil` without one.
    var reason: String? { StatusDetails(self, language: .english).reason }
}

extension CommandFailure {
    /// Explains a failed call to the user.
    ///
    /// It uses the server's text in the user's language, else the catalogue's text, else the developer's message.
    init(_ error: RPCError, about subject: CallSubject, in context: FailureContext) {
        let details = StatusDetails(error, language: context.language)
        let known = details.reason.flatMap(Reason.init(rawValue:))?.text().text(in: context.language)
        self.init(
            code: error.code, reason: details.reason,
            message: details.localizedMessage ?? known ?? Self.fallback(error, context), violations: details.violations)
        if let wait = details.retrySeconds, details.reason == Reason.rateLimited.rawValue {
            message = Phrase.rateLimited(minutes: (min(wait, 1 << 40) + 59) / 60).text(in: context.language)
        } else if let seconds = details.availableSeconds {
            message += " " + Phrase.possible(from: LocalTime(timeZone: context.timeZone).text(seconds: seconds)).text(in: context.language)
        }
        refine(about: subject, context, isFromPeer: error.origin == .peer, developerMessage: error.message)
    }

    /// The meaning of the code, with the developer's message.
    private static func fallback(_ error: RPCError, _ context: FailureContext) -> String {
        let meaning = Phrase(statusCode: error.code.rawValue).text(in: context.language)
        return error.message.isEmpty ? meaning : meaning + " (" + error.message + ")"
    }

    /// Adds what only the client knows: the socket, the user, the next command.
    private mutating func refine(
        about subject: CallSubject, _ context: FailureContext, isFromPeer: Bool, developerMessage: String
    ) {
        switch (code, reason.flatMap(Reason.init(rawValue:))) {
        case _ where reason?.hasPrefix("ID_TOKEN_") ?? false:
            nextCommand = context.command("auth nonce")
        case (_, .identityNotFound), (_, .identityLast), (_, .identityLimit), (_, .identityInUse):
            nextCommand = context.command("account identities")
        case (_, .identityNotProven):
            nextCommand = "pulseboard auth login --id-token \(context.wordForFile)" + context.socketOption
        case (_, .notAuthenticated), (_, .signInTooOld), (.unauthenticated, _):
            nextCommand = context.loginCommand
        case (_, .userNotFound):
            refineMissingUser(subject, context)
        case (_, .profileExists), (_, .etagMismatch), (_, .notWithdrawing):
            nextCommand = context.command("profile show")
        case (_, .withdrawing):
            nextCommand = context.command("account restore")
            isState = true
        case (_, .profileRequired):
            refineMissingUser(.ownProfile, context)
        case (_, .invalidResumeToken):
            nextCommand = context.command("follow watch")
        case (_, .sessionNotFound), (_, .watchLimit):
            nextCommand = context.command("auth sessions")
        case (_, .identifierInvalid):
            nextCommand = context.command(subject == .session ? "auth sessions" : "profile search \(context.wordForText)")
        case (_, .selfFollow):
            nextCommand = context.command("profile search \(context.wordForText)")
        case (.permissionDenied, _) where subject == .session:
            message = Phrase.namedAccountsNeedTrust.text(in: context.language)
            nextCommand = "pulseboard auth login" + context.socketOption
        case (_, .rateLimited) where subject == .backup:
            message = Phrase("Another backup is running. Try again when it has ended.", "다른 백업이 실행 중입니다. 끝난 뒤에 다시 시도하세요.").text(in: context.language)
        case (_, .usernameChangedRecently), (_, .rateLimited):
            break
        case _ where reason?.hasPrefix("USERNAME_") ?? false:
            nextCommand = context.command("profile check-username \(context.wordForName)")
        case _ where reason?.hasPrefix("STORE_") ?? false:
            nextCommand = "pulseboard admin status" + context.socketOption
        case (_, .notTrusted) where context.isRoot:
            message = Phrase(
                "Administration needs the server's own socket, and \(context.socket) is that of its gateway.",
                "관리 명령에는 서버 자신의 소켓이 필요합니다. \(context.socket)은(는) 게이트웨이의 소켓입니다.").text(in: context.language)
        case (_, .notTrusted):
            message += " " + Phrase(
                "The server's configuration names them (--admin-uid); root and its own user are among them.",
                "서버 설정(--admin-uid)에 있는 사용자와 root, 서버 자신의 사용자입니다.").text(in: context.language)
        case _ where code == .unavailable && reason == nil && !isFromPeer:
            refineMissingServer(context, developerMessage)
        case (.deadlineExceeded, _):
            nextCommand = context.command("ping")
        default:
            break
        }
    }

    /// Says why nobody answered at the socket, as far as its file tells.
    private mutating func refineMissingServer(_ context: FailureContext, _ developerMessage: String) {
        var information = stat()
        if (access(context.socket, F_OK) != 0 || access(context.socket, R_OK | W_OK) != 0) && errno == EACCES {
            reason = "SOCKET_FORBIDDEN"
            message = Phrase(
                "You may not use \(context.socket). Its owner decides who may (--socket-mode, and the mode of its directory).",
                "\(context.socket)을(를) 사용할 권한이 없습니다. 소켓 소유자가 --socket-mode와 디렉터리 권한으로 정합니다.").text(in: context.language)
            nextCommand = "ls -l " + context.socket.shellQuoted
        } else if stat(context.socket, &information) == 0, information.st_mode & S_IFMT != S_IFSOCK {
            reason = "NOT_A_SOCKET"
            message = Phrase("\(context.socket) is not a socket.", "\(context.socket)은(는) 소켓이 아닙니다.").text(in: context.language)
            nextCommand = "ls -l " + context.socket.shellQuoted
        } else {
            message = Phrase.noServer(at: context.socket).text(in: context.language) + Self.lastCause(developerMessage, in: context.language)
            // The machine's server is a service with a user of its own: whoever starts its program by hand makes files that it cannot open.
            nextCommand = context.socket == PulseBoardSocket.machine ? "pulseboard doctor" : "pulseboardd" + context.socketOption
        }
    }

    /// The last part of a chain of causes such as `connect /a.sock: No such file or directory`. The text has the first part
    /// already.
    private static func lastCause(_ message: String, in language: Language) -> String {
        let cause = Phrase.systemError(message.split(separator: ": ").last.map(String.init) ?? "").text(in: language)
        return cause.isEmpty ? "" : " (" + cause + ")"
    }

    private mutating func refineMissingUser(_ subject: CallSubject, _ context: FailureContext) {
        switch subject {
        case .ownProfile:
            message = Phrase.noProfileYet.text(in: context.language)
            nextCommand = context.command("profile create --username \(context.wordForName)")
            isState = true
        case .user(let name):
            message += " (" + name + ")"
            nextCommand = context.command("profile search \(context.wordForText)")
        case .session, .backup, .nothing:
            nextCommand = context.command("profile show")
        }
    }
}

/// What the text of a failure depends on besides the error: the language, the socket, and the options for the next command.
struct FailureContext: Sendable, Hashable {
    var language: Language
    /// The socket that was called.
    var socket: String
    /// Whether the user chose the socket by option. Then the next command needs the option too.
    var socketWasGiven = false
    /// The account that the user chose by option.
    var account: String?
    /// The saved session with which the call was made.
    var session: SavedSession?
    /// The directory of a diary that the user chose by option.
    var diaryDirectory: String?
    /// Whether root types the commands. A server trusts root on its own socket.
    var isRoot = false
    /// The zone in which times are shown.
    var timeZone = TimeZone.current

    /// ` --socket PATH` if the user gave it, quoted for a shell.
    var socketOption: String { socketWasGiven ? " --socket " + socket.shellQuoted : "" }

    /// The word in a command for a name that the user chooses.
    var wordForName: String { Phrase("NAME", "이름").text(in: language) }

    /// Stands in a command for the text that its reader looks for.
    var wordForText: String { Phrase("TEXT", "검색어").text(in: language) }

    /// Stands in a command for the file that its reader chooses.
    var wordForFile: String { Phrase.wordForFile.text(in: language) }

    /// The command that signs in again as the same user. Another sign-in would make another account the current one.
    var loginCommand: String {
        guard let session else { return command("auth login") }
        let proof = session.isFromIDToken ?? false ? " --id-token \(wordForFile)" : ""
        let name = session.account.isEmpty ? "" : " --account " + session.account.shellQuoted
        return "pulseboard auth login" + proof + socketOption + name
    }

    /// A `pulseboard` command that reaches the same socket, account and diary as the failed one.
    func command(_ words: String) -> String {
        let directory = words.hasPrefix("diary ") ? diaryDirectory.map { " --directory " + $0.shellQuoted } ?? "" : ""
        return "pulseboard " + words + socketOption + (account.map { " --account " + $0.shellQuoted } ?? "") + directory
    }
}

extension String {
    /// The text as one word of a POSIX shell.
    var shellQuoted: String {
        let isPlain = !isEmpty && utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "="), UInt8(ascii: "+"):
                true
            default: false
            }
        }
        return isPlain ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// The decoded details of an error. Details of unknown types or with damaged bytes are skipped, because the error itself
/// must still be shown.
struct StatusDetails: Sendable {
    private(set) var reason: String?
    private(set) var localizedMessage: String?
    private(set) var violations: [CommandFailure.Violation] = []
    /// When the call becomes possible, in seconds since 1970, rounded up.
    private(set) var availableSeconds: Int64?
    /// How long to wait before the next try.
    private(set) var retrySeconds: Int64?

    init(_ error: RPCError, language: Language) {
        for detail in error.details {
            switch detail.typeURL.split(separator: "/").last {
            case "google.rpc.ErrorInfo":
                guard let info: Google_Rpc_ErrorInfo = Self.decoded(detail), !info.reason.isEmpty else { continue }
                reason = info.reason
                availableSeconds = info.metadata["available_time"].flatMap(Self.seconds)
            case "google.rpc.LocalizedMessage":
                guard let text: Google_Rpc_LocalizedMessage = Self.decoded(detail), !text.message.isEmpty else { continue }
                localizedMessage = text.message
            case "google.rpc.RetryInfo":
                guard let info: Google_Rpc_RetryInfo = Self.decoded(detail) else { continue }
                retrySeconds = info.retryDelay?.seconds
            case "google.rpc.BadRequest":
                guard let request: Google_Rpc_BadRequest = Self.decoded(detail) else { continue }
                violations = request.fieldViolations.map { Self.violation($0, language: language) }
            default:
                continue
            }
        }
    }

    /// Reads RFC 3339 in UTC, with or without a fraction of a second.
    private static func seconds(_ text: String) -> Int64? {
        let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
        return styles.compactMap { try? $0.parse(text) }.first.map { Int64($0.timeIntervalSince1970.rounded(.up)) }
    }

    private static func decoded<Detail: Message>(_ detail: StatusDetail) -> Detail? {
        try? Detail(serializedBytes: detail.value)
    }

    private static func violation(
        _ violation: Google_Rpc_BadRequest.FieldViolation, language: Language
    ) -> CommandFailure.Violation {
        // PulseBoard's server writes the description in the caller's language and with the exceeded limit.
        let texts = [violation.localizedMessage?.message ?? "", violation.description_]
        let known = Reason(rawValue: violation.reason)?.text(of: ProfileTextField(path: violation.field)).text(in: language)
        return CommandFailure.Violation(
            field: violation.field, reason: violation.reason,
            message: texts.first { !$0.isEmpty } ?? known ?? violation.reason)
    }
}
