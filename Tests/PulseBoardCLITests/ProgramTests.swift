import Foundation
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore
import Testing

@testable import PulseBoardCLI

@Suite struct ProgramTests {
    static let profile: PBProfile = {
        var profile = PBProfile()
        profile.userID = "u-1"
        profile.username = "하늘"
        profile.displayName = "김하늘"
        var time = Google_Protobuf_Timestamp()
        time.seconds = 1_795_258_141
        profile.createTime = time
        profile.updateTime = time
        return profile
    }()

    static let showsProfile: [String: StubChannel.Handler] = [
        "GetMyProfile": { (_, _) throws(RPCError) in profile }
    ]

    @Test("The top-level help is the one a newcomer is meant to read")
    func help() async throws {
        let program = try TestProgram()
        #expect(try await program.run("--help") == 0)
        let golden = try #require(Bundle.module.url(forResource: "help", withExtension: "txt"))
        #expect(program.standardOutput == (try String(contentsOf: golden, encoding: .utf8)))
    }

    @Test("Arguments that make no sense are usage errors: 64, with text on standard error or JSON if asked for")
    func usage() async throws {
        let program = try TestProgram()
        #expect(try await program.run("profile", "edit") == 64)
        #expect(try await program.run("ping", "--timeout", "0") == 64)
        #expect(try await program.run("nonsense") == 64)
        #expect(program.standardOutput.isEmpty && program.standardError.contains("Nothing to change"))
        #expect(program.channel.calls.isEmpty)
        let json = try TestProgram()
        #expect(try await json.run("profile", "edit", "--json") == 64)
        #expect(json.standardOutput.isEmpty && json.standardError.contains("\"reason\" : \"USAGE\""))
    }

    @Test("B14: a profile is shown as a card with times of the user's zone")
    func show() async throws {
        let program = try TestProgram(Self.showsProfile)
        try program.signIn()
        #expect(try await program.run("profile", "show") == 0)
        #expect(program.standardOutput == """
            @하늘
              name     김하늘
              user id  u-1
              created  2026-11-21 19:49:01 +09:00

            """)
        #expect(program.standardError.isEmpty)
    }

    @Test("--json writes one document with every key")
    func showJSON() async throws {
        let program = try TestProgram(Self.showsProfile)
        try program.signIn()
        #expect(try await program.run("profile", "show", "--json") == 0)
        let object = try JSONSerialization.jsonObject(with: Data(program.standardOutput.utf8)) as? [String: Any]
        #expect(
            Set(object?.keys.map { $0 } ?? []) == [
                "userId", "username", "displayName", "statusMessage", "createTime", "updateTime", "etag",
            ])
        #expect(object?["createTime"] as? String == "2026-11-21T10:49:01Z")
    }

    @Test("B8: showing a profile that is not there yet exits 69 and says how to make it, in Korean too")
    func state() async throws {
        let missing = try RPCError.with(.notFound, reason: "USER_NOT_FOUND")
        let program = try TestProgram(
            ["GetMyProfile": { (_, _) throws(RPCError) in throw missing }], variables: ["LANG": "ko_KR.UTF-8"])
        try program.signIn()
        #expect(try await program.run("profile", "show") == 69)
        #expect(program.standardOutput.isEmpty)
        #expect(program.standardError == "아직 프로필이 없습니다.\n다음 명령: pulseboard profile create --username NAME\n")
    }

    @Test("Without a session the server is not asked, and the next command is to sign in")
    func signedOut() async throws {
        let program = try TestProgram(Self.showsProfile)
        #expect(try await program.run("profile", "show") == 80)
        #expect(program.channel.calls.isEmpty)
        #expect(program.standardError.contains("pulseboard auth login"))
    }

    @Test("Calls carry the token and the language; PULSEBOARD_TOKEN wins over the saved session")
    func metadata() async throws {
        let program = try TestProgram(Self.showsProfile, variables: ["LC_ALL": "ko_KR.UTF-8"])
        try program.signIn(token: "saved")
        _ = try await program.run("profile", "show", "--timeout", "2.5")
        let options = try #require(program.channel.calls.first?.options)
        #expect(options.metadata["authorization"] == "Bearer saved")
        #expect(options.metadata["accept-language"] == "ko")
        #expect(options.timeout == .seconds(2.5))
        let other = try TestProgram(Self.showsProfile, variables: ["PULSEBOARD_TOKEN": "given"])
        try other.signIn(token: "saved")
        _ = try await other.run("profile", "show")
        #expect(other.channel.calls.first?.options.metadata["authorization"] == "Bearer given")
    }

    @Test("--account and PULSEBOARD_ACCOUNT choose among the saved sessions; the last sign-in is the default")
    func accounts() async throws {
        let program = try TestProgram(Self.showsProfile)
        try program.signIn(account: "alice", token: "a")
        try program.signIn(account: "bob", token: "b")
        _ = try await program.run("profile", "show")
        _ = try await program.run("profile", "show", "--account", "alice")
        #expect(try await program.run("profile", "show", "--account", "eve") == 80)
        #expect(program.channel.calls.map { $0.options.metadata["authorization"] } == ["Bearer b", "Bearer a"])
    }

    @Test("A session file that others can read is refused, and the server is not asked")
    func openFile() async throws {
        let program = try TestProgram(Self.showsProfile)
        try program.signIn()
        try #require(chmod(program.store.path(forSocket: TestProgram.socket), 0o644) == 0)
        #expect(try await program.run("profile", "show") == 73)
        #expect(program.channel.calls.isEmpty && program.standardOutput.isEmpty)
    }
}

@Suite struct WriteTests {
    @Test("A write is made once more when the connection is lost, under the same request id")
    func retry() async throws {
        let program = try TestProgram([
            "CreateProfile": { (_, _) throws(RPCError) in throw RPCError(.unavailable, "reset") }
        ])
        try program.signIn()
        #expect(try await program.run("profile", "create", "--username", "ann") == 78)
        let ids = program.channel.calls.map { ($0.request as? PBCreateProfileRequest)?.requestID }
        #expect(ids == ["request-1", "request-1"])
    }

    @Test("Other failures are not retried, and every write has an id of its own")
    func noRetry() async throws {
        let program = try TestProgram([
            "CreateProfile": { (_, _) throws(RPCError) in throw RPCError(.internal, "") }
        ])
        try program.signIn()
        #expect(try await program.run("profile", "create", "--username", "ann") == 77)
        #expect(try await program.run("profile", "create", "--username", "ann") == 77)
        let ids = program.channel.calls.map { ($0.request as? PBCreateProfileRequest)?.requestID }
        #expect(ids == ["request-1", "request-2"])
    }

    @Test("B18: a name that cannot be taken is an answer with the reason, in the user's language")
    func checkUsername() async throws {
        func output(_ reasons: [String], available: Bool) async throws -> String {
            var response = PBCheckUsernameResponse()
            response.normalized = "하늘"
            response.available = available
            response.violations = reasons.map {
                var violation = PBUsernameViolation()
                violation.reason = $0
                return violation
            }
            let answer = response
            let program = try TestProgram(
                ["CheckUsername": { (_, _) throws(RPCError) in answer }], variables: ["LC_ALL": "ko_KR.UTF-8"])
            try program.signIn()
            #expect(try await program.run("profile", "check-username", "하늘") == 0)
            return program.standardOutput
        }
        #expect(try await output([], available: true) == "하늘: 사용할 수 있습니다.\n")
        let taken = "하늘: 사용할 수 없습니다.\n  - 이미 사용 중인 사용자 이름입니다.\n"
        #expect(try await output([], available: false) == taken)
        #expect(try await output(["USERNAME_DUPLICATED"], available: false) == taken)
    }

    @Test("X5: an edit names exactly the fields that were given, an empty text clears")
    func editMask() async throws {
        let program = try TestProgram(["UpdateProfile": { (_, _) throws(RPCError) in ProgramTests.profile }])
        try program.signIn()
        #expect(try await program.run("profile", "edit", "--status", "", "--etag", "e1") == 0)
        let request = try #require(program.channel.calls.first?.request as? PBUpdateProfileRequest)
        #expect(request.updateMask?.paths == ["status_message"])
        #expect(request.profile?.statusMessage == "" && request.profile?.etag == "e1")
    }

    @Test("A username is resolved to an id, with or without @; an id is taken as it is")
    func users() async throws {
        let handlers: [String: StubChannel.Handler] = [
            "GetProfile": { (_, _) throws(RPCError) in ProgramTests.profile },
            "Follow": StubChannel.answer(PBFollowRequest.self) { (request, _) throws(RPCError) in
                var relationship = PBRelationship()
                relationship.userID = request.userID
                relationship.state = .followed
                return relationship
            },
        ]
        let id = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
        for (typed, methods, resolved) in [
            ("@하늘", ["GetProfile", "Follow"], "u-1"), ("하늘", ["GetProfile", "Follow"], "u-1"),
            (id, ["Follow"], id.lowercased()),
        ] {
            let program = try TestProgram(handlers)
            try program.signIn()
            #expect(try await program.run("follow", "add", typed) == 0)
            #expect(program.channel.calls.map(\.method) == methods)
            #expect((program.channel.calls.last?.request as? PBFollowRequest)?.userID == resolved)
        }
    }

    @Test(
        "What looks like an id and what does not",
        arguments: [
            ("@ab", UserReference.username("ab")), ("ab", .username("ab")),
            ("6f9619ff-8b86-d011-b42d-00c04fc964ff", .userID("6f9619ff-8b86-d011-b42d-00c04fc964ff")),
            ("6f9619ff-8b86-d011-b42d-00c04fc964f", .username("6f9619ff-8b86-d011-b42d-00c04fc964f")),
            ("@6f9619ff-8b86-d011-b42d-00c04fc964ff", .username("6f9619ff-8b86-d011-b42d-00c04fc964ff")),
            ("@", nil), ("", nil),
        ] as [(String, UserReference?)])
    func references(_ text: String, _ reference: UserReference?) {
        #expect(UserReference(argument: text) == reference)
    }
}

@Suite struct DeleteTests {
    private let handlers = ProgramTests.showsProfile.merging([
        "DeleteMyProfile": { (_, _) throws(RPCError) in PBDeleteMyProfileResponse() }
    ]) { $1 }

    @Test("Typing the username deletes, and forgets the account's sessions", arguments: ["하늘", "@하늘"])
    func confirmed(_ typed: String) async throws {
        let program = try TestProgram(handlers, typed: [typed])
        try program.signIn(account: "other", token: "o", userID: "u-2")
        try program.signIn()
        #expect(try await program.run("profile", "delete") == 0)
        #expect(program.channel.calls.map(\.method) == ["GetMyProfile", "DeleteMyProfile"])
        #expect(try program.store.sessions(forSocket: TestProgram.socket).sessions.map(\.userID) == ["u-2"])
        #expect(program.standardError.contains("Type the username"))
    }

    @Test("Anything else does not delete", arguments: ["", "y", "yes", "하", "하늘2"])
    func mistyped(_ typed: String) async throws {
        let program = try TestProgram(handlers, typed: [typed])
        try program.signIn()
        #expect(try await program.run("profile", "delete") == 65)
        #expect(program.channel.calls.map(\.method) == ["GetMyProfile"])
    }

    @Test("The end of input is no consent")
    func endOfInput() async throws {
        let program = try TestProgram(handlers, typed: [])
        try program.signIn()
        #expect(try await program.run("profile", "delete") == 65)
        #expect(program.channel.calls.map(\.method) == ["GetMyProfile"])
    }

    @Test("Without a terminal nothing is deleted unless --yes says so")
    func script() async throws {
        let program = try TestProgram(handlers)
        try program.signIn()
        #expect(try await program.run("profile", "delete") == 73)
        #expect(program.standardError.contains("pulseboard profile delete --yes"))
        #expect(program.channel.calls.map(\.method) == ["GetMyProfile"])
        #expect(try await program.run("profile", "delete", "--yes") == 0)
        #expect(program.channel.calls.map(\.method).last == "DeleteMyProfile")
    }
}

@Suite struct AuthTests {
    private static let session: PBSession = {
        var session = PBSession()
        session.id = "s-1"
        session.token = "very-secret"
        session.userID = "u-1"
        session.state = .needsProfile
        return session
    }()

    private static let handlers: [String: StubChannel.Handler] = [
        "SignIn": { (_, _) throws(RPCError) in session },
        "SignOut": { (_, _) throws(RPCError) in PBSignOutResponse() },
    ]

    @Test("Signing in keeps the token in the file and shows it to nobody", arguments: [[], ["--json"]])
    func login(_ options: [String]) async throws {
        let program = try TestProgram(Self.handlers)
        #expect(try await program.run("auth", "login", "--account", "alice", options.first ?? "--timeout=10") == 0)
        let saved = try program.store.sessions(forSocket: TestProgram.socket).session(for: nil)
        #expect(saved == SavedSession(account: "alice", token: "very-secret", userID: "u-1", sessionID: "s-1"))
        let request = try #require(program.channel.calls.first?.request as? PBSignInRequest)
        guard case .peer(let peer) = request.credential else {
            Issue.record("no peer credential")
            return
        }
        #expect(peer.account == "alice")
        #expect(!(program.standardOutput + program.standardError).contains("very-secret"))
        #expect(program.standardOutput.contains(options.isEmpty ? "profile create --username NAME" : "STATE_NEEDS_PROFILE"))
    }

    @Test("Signing out ends the session and forgets it, also one that had ended by itself")
    func logout() async throws {
        let program = try TestProgram(Self.handlers)
        try program.signIn()
        #expect(try await program.run("auth", "logout", "--all") == 0)
        #expect((program.channel.calls.first?.request as? PBSignOutRequest)?.allSessions == true)
        #expect(try program.store.sessions(forSocket: TestProgram.socket).sessions.isEmpty)
        #expect(try await program.run("auth", "logout") == 80)

        let ended = try RPCError.with(.unauthenticated, reason: "NOT_AUTHENTICATED")
        let expired = try TestProgram(["SignOut": { (_, _) throws(RPCError) in throw ended }])
        try expired.signIn()
        #expect(try await expired.run("auth", "logout") == 0)
        #expect(try expired.store.sessions(forSocket: TestProgram.socket).sessions.isEmpty)
    }

    @Test("A session that the server could not be told to end is kept")
    func logoutOffline() async throws {
        let program = try TestProgram(["SignOut": { (_, _) throws(RPCError) in throw RPCError(.unavailable, "") }])
        try program.signIn()
        #expect(try await program.run("auth", "logout") == 78)
        #expect(try program.store.sessions(forSocket: TestProgram.socket).sessions.count == 1)
    }

    @Test("Signing out a session given by PULSEBOARD_TOKEN leaves the saved one alone")
    func logoutOfGivenToken() async throws {
        let program = try TestProgram(Self.handlers, variables: ["PULSEBOARD_TOKEN": "given"])
        try program.signIn(token: "saved")
        #expect(try await program.run("auth", "logout") == 0)
        #expect(program.channel.calls.first?.options.metadata["authorization"] == "Bearer given")
        #expect(try program.store.sessions(forSocket: TestProgram.socket).sessions.map(\.token) == ["saved"])
    }

    @Test("A refused account name is explained")
    func untrusted() async throws {
        let refusal = try RPCError.with(.permissionDenied, reason: "NOT_OWNER")
        let program = try TestProgram(["SignIn": { (_, _) throws(RPCError) in throw refusal }])
        #expect(try await program.run("auth", "login", "--account", "alice") == 71)
        #expect(program.standardError.contains("trusted users") && program.standardError.contains("Next: pulseboard auth login\n"))
    }

    @Test("Being signed out is an answer")
    func status() async throws {
        let program = try TestProgram([
            "GetAuthState": { (_, _) throws(RPCError) in
                var state = PBAuthState()
                state.state = .signedOut
                return state
            }
        ])
        #expect(try await program.run("auth", "status", "--json") == 0)
        let object = try JSONSerialization.jsonObject(with: Data(program.standardOutput.utf8)) as? [String: String]
        #expect(object == ["socket": TestProgram.socket, "account": "", "state": "STATE_SIGNED_OUT", "userId": ""])
        #expect(program.channel.calls.first?.options.metadata["authorization"] == nil)
    }
}

@Suite struct ListTests {
    /// Five hundred followers in pages of at most 200, as the service gives them.
    private static let handlers: [String: StubChannel.Handler] = [
        "ListFollowers": StubChannel.answer(PBListFollowersRequest.self) { (request, _) throws(RPCError) in
            let start = Int(request.pageToken) ?? 0
            let end = min(500, start + min(200, Int(request.pageSize)))
            var response = PBListFollowersResponse()
            response.users = (start..<end).map {
                var user = PBFollowUser()
                user.username = "u\($0)"
                return user
            }
            response.nextPageToken = end < 500 ? String(end) : ""
            return response
        }
    ]

    private func lines(_ arguments: [String]) async throws -> (count: Int, calls: Int, remark: String) {
        let program = try TestProgram(Self.handlers)
        try program.signIn()
        #expect(try await program.run("follow", "followers", arguments[0], arguments[1]) == 0)
        let rows = program.standardOutput.split(separator: "\n").count - 1
        return (rows, program.channel.calls.count, program.standardError)
    }

    @Test("A list is collected from as many pages as it takes, and says when there is more")
    func pages() async throws {
        let some = try await lines(["--limit", "250"])
        #expect(some.count == 250 && some.calls == 2 && some.remark.contains("--page-token 250"))
        let all = try await lines(["--all", "--timeout=5"])
        #expect(all.count == 500 && all.calls == 3 && all.remark.isEmpty)
        let rest = try await lines(["--page-token", "490"])
        #expect(rest.count == 10 && rest.calls == 1)
    }

    @Test("The median of an even number of round trips is between the middle two")
    func ping() {
        let even = PingDocument(socket: "/s", roundTripsInNanoseconds: [4000, 1000, 3000, 2000])
        #expect((even.minMicroseconds, even.medianMicroseconds, even.maxMicroseconds) == (1, 2.5, 4))
        #expect(PingDocument(socket: "/s", roundTripsInNanoseconds: [9000]).medianMicroseconds == 9)
        #expect([12.34, 0.05, 100].map(\.oneDecimal) == ["12.3", "0.1", "100.0"])
    }

    @Test("Ping calls once to connect and then as often as asked")
    func pingCalls() async throws {
        let program = try TestProgram(["GetAuthState": { (_, _) throws(RPCError) in PBAuthState() }])
        #expect(try await program.run("ping", "--count", "7") == 0)
        #expect(program.channel.calls.count == 8)
        #expect(program.standardOutput.contains(TestProgram.socket))
    }
}
