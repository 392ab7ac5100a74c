import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardVocabulary
import RPCCore
import Testing

@testable import PulseBoardCLI

extension RPCError {
    /// An error as the services send it: with its reason, and optionally a text and violated fields.
    static func with(
        _ code: StatusCode, reason: String, text: String? = nil, violations: [(field: String, reason: String)] = []
    ) throws -> RPCError {
        var details: [StatusDetail] = []
        var info = Google_Rpc_ErrorInfo()
        info.reason = reason
        info.domain = "pulseboard"
        details.append(StatusDetail(typeURL: "type.googleapis.com/google.rpc.ErrorInfo", value: try info.serializedBytes()))
        if let text {
            var message = Google_Rpc_LocalizedMessage()
            message.locale = "en"
            message.message = text
            details.append(
                StatusDetail(typeURL: "type.googleapis.com/google.rpc.LocalizedMessage", value: try message.serializedBytes()))
        }
        if !violations.isEmpty {
            var request = Google_Rpc_BadRequest()
            request.fieldViolations = violations.map {
                var violation = Google_Rpc_BadRequest.FieldViolation()
                violation.field = $0.field
                violation.reason = $0.reason
                return violation
            }
            details.append(
                StatusDetail(typeURL: "type.googleapis.com/google.rpc.BadRequest", value: try request.serializedBytes()))
        }
        return RPCError(code, "for developers", details: details)
    }
}

@Suite struct CommandFailureTests {
    private let context = FailureContext(language: .english, socket: "/s.sock")
    private let plain = TextStyle(isTerminal: false, variables: [:])

    @Test("The exit code is 64 + the gRPC code", arguments: StatusCode.allCases.filter { $0 != .ok })
    func exitCodes(_ code: StatusCode) {
        let failure = CommandFailure(RPCError(code, "x"), about: .nothing, in: context)
        #expect(failure.exitCode == 64 + code.rawValue)
        #expect(failure.exitCode > 64 && failure.exitCode <= 80)
    }

    @Test("The server's own text wins over the catalogue, the catalogue over the developer's message")
    func whoseText() throws {
        let localized = try RPCError.with(.alreadyExists, reason: "USERNAME_DUPLICATED", text: "Taken, sorry.")
        #expect(CommandFailure(localized, about: .nothing, in: context).message == "Taken, sorry.")
        let known = try RPCError.with(.alreadyExists, reason: "USERNAME_DUPLICATED")
        #expect(CommandFailure(known, about: .nothing, in: context).message == "This username is taken.")
        var korean = context
        korean.language = .korean
        #expect(CommandFailure(known, about: .nothing, in: korean).message == "이미 사용 중인 사용자 이름입니다.")
        let unknown = try RPCError.with(.alreadyExists, reason: "OF_THE_FUTURE")
        #expect(CommandFailure(unknown, about: .nothing, in: context).message == "It exists already. (for developers)")
    }

    @Test("B8: the own profile's absence is a state with the command that ends it; another's is an error")
    func missingProfile() throws {
        let error = try RPCError.with(.notFound, reason: "USER_NOT_FOUND")
        let own = CommandFailure(error, about: .ownProfile, in: context)
        #expect(own.text(in: .english, style: plain) == """
            You have no profile yet.
            Next: pulseboard profile create --username NAME

            """)
        let other = CommandFailure(error, about: .user("@bob"), in: context)
        #expect(other.text(in: .english, style: plain) == """
            Error: There is no such profile. (@bob)
            Next: pulseboard profile search TEXT

            """)
        #expect(own.exitCode == 69 && other.exitCode == 69)
    }

    @Test("The next command reaches the same socket and account as the failed one")
    func nextCommand() {
        let error = RPCError(.unauthenticated, "")
        #expect(CommandFailure(error, about: .session, in: context).nextCommand == "pulseboard auth login")
        let chosen = FailureContext(language: .english, socket: "/a b.sock", socketWasGiven: true, account: "al'ice")
        #expect(
            CommandFailure(error, about: .session, in: chosen).nextCommand
                == "pulseboard auth login --socket '/a b.sock' --account 'al'\\''ice'")
    }

    @Test("Without a server the message names the socket, and the next command starts a server there")
    func unavailable() {
        let failure = CommandFailure(RPCError(.unavailable, "connect /s.sock: refused"), about: .nothing, in: context)
        #expect(failure.message == "No server answers at /s.sock. (refused)")
        #expect(failure.nextCommand == "pulseboardd")
    }

    @Test("A path that is no socket is called that, and no server is advised there")
    func notASocket() {
        var context = context
        (context.socket, context.socketWasGiven) = ("/etc/passwd", true)
        let failure = CommandFailure(RPCError(.unavailable, "connect /etc/passwd: Connection refused"), about: .session, in: context)
        #expect(failure.message == "/etc/passwd is not a socket.")
        #expect(failure.nextCommand == "ls -l /etc/passwd")
    }

    @Test("Who is not proven at the gateway's socket signs in with an ID token; root administers at the server's own socket")
    func gateway() throws {
        var context = context
        let unproven = CommandFailure(try RPCError.with(.permissionDenied, reason: "IDENTITY_NOT_PROVEN"), about: .session, in: context)
        #expect(unproven.nextCommand?.hasPrefix("pulseboard auth login --id-token FILE") == true, "\(unproven)")
        context.isRoot = true
        let root = CommandFailure(try RPCError.with(.permissionDenied, reason: "NOT_TRUSTED"), about: .nothing, in: context)
        #expect(root.message.hasPrefix("Administration needs the server's own socket") && root.nextCommand == nil)
    }

    @Test("In Korean nothing stays English: causes, placeholders and times", arguments: [
        (RPCError(.unavailable, "connect /s.sock: No such file or directory"), "파일이나 디렉터리가 없습니다"),
        (RPCError(.unavailable, "the connection was lost before the answer came"), "응답이 오기 전에 연결이 끊겼습니다"),
    ])
    func koreanCauses(_ error: RPCError, _ cause: String) {
        let korean = FailureContext(language: .korean, socket: "/test.sock")
        #expect(CommandFailure(error, about: .nothing, in: korean).message == "/test.sock에서 응답하는 서버가 없습니다. (\(cause))")
    }

    @Test("What the reader puts in is named in the reader's language")
    func koreanPlaceholders() throws {
        let korean = FailureContext(language: .korean, socket: "/test.sock")
        for (reason, subject) in [("SELF_FOLLOW", CallSubject.nothing), ("IDENTIFIER_INVALID", .nothing), ("USER_NOT_FOUND", .user("@none"))] {
            let failure = CommandFailure(try RPCError.with(.notFound, reason: reason), about: subject, in: korean)
            #expect(failure.nextCommand == "pulseboard profile search 검색어")
        }
    }

    @Test("Every violated field is listed")
    func violations() throws {
        let error = try RPCError.with(
            .invalidArgument, reason: "USERNAME_TOO_SHORT",
            violations: [("username", "USERNAME_TOO_SHORT"), ("status_message", "STATUS_MESSAGE_TOO_LONG")])
        let failure = CommandFailure(error, about: .ownProfile, in: context)
        #expect(failure.text(in: .english, style: plain) == """
            Error: The username is too short.
              - status_message: The status message is too long.
            Next: pulseboard profile check-username NAME

            """)
    }

    @Test("A store that is busy is not taken for a server that is absent")
    func storeUnavailable() throws {
        let error = try RPCError.with(.unavailable, reason: "UNAVAILABLE")
        let failure = CommandFailure(error, about: .nothing, in: context)
        #expect(failure.message == "This cannot be done right now. Try again shortly." && failure.nextCommand == nil)
    }

    @Test("The JSON form has stable keys")
    func json() throws {
        let error = try RPCError.with(.invalidArgument, reason: "SELF_FOLLOW", violations: [("user_id", "SELF_FOLLOW")])
        let text = try jsonText(CommandFailure(error, about: .nothing, in: context).document())
        #expect(text == """
            {
              "error" : {
                "code" : 3,
                "message" : "You cannot follow yourself.",
                "nextCommand" : "pulseboard profile search TEXT",
                "reason" : "SELF_FOLLOW",
                "status" : "INVALID_ARGUMENT",
                "violations" : [
                  {
                    "field" : "user_id",
                    "message" : "You cannot follow yourself.",
                    "reason" : "SELF_FOLLOW"
                  }
                ]
              }
            }

            """)
    }

    @Test("Damaged and foreign details do not hide the error")
    func damagedDetails() {
        let error = RPCError(
            .notFound, "gone",
            details: [
                StatusDetail(typeURL: "type.googleapis.com/google.rpc.ErrorInfo", value: [0xFF, 0xFF, 0xFF]),
                StatusDetail(typeURL: "example.org/of.Another", value: [1, 2, 3]),
            ])
        let failure = CommandFailure(error, about: .nothing, in: context)
        #expect(failure.reason == nil && failure.message == "There is no such thing. (gone)")
    }

    @Test("A session file that others can read is named with the command that removes it")
    func sessionFile() {
        let error = SessionStoreError(path: "/home/a/x.json", problem: .openToOthers(mode: 0o644))
        let failure = CommandFailure(error, in: context)
        #expect(failure.message.contains("/home/a/x.json") && failure.message.contains("0644"))
        #expect(failure.nextCommand == "rm /home/a/x.json" && failure.exitCode == 73)
    }

    @Test("A mistake in a file is reported as file:line")
    func csv() {
        let error = CSVError(file: "users.csv", line: 7, problem: .unclosedQuote)
        #expect(CommandFailure(error, in: context).message == "users.csv:7: a quoted field is never closed")
    }
}
