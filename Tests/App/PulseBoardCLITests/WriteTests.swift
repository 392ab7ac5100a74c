import PulseBoardMessages
import RPCCore
import Synchronization
import Testing

@testable import PulseBoardCLI

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

    @Test("an empty name that is checked is shown as one")
    func emptyUsername() async throws {
        let program = try TestProgram(["CheckUsername": { (_, _) throws(RPCError) in PBCheckUsernameResponse() }])
        try program.signIn()
        #expect(try await program.run("profile", "check-username", "") == 0)
        #expect(program.standardOutput.hasPrefix("'' cannot be taken:\n"))
    }

    @Test("a picture that cannot be read is a failure with its cause, and - is no file for a picture")
    func pictureFiles() async throws {
        let program = try TestProgram()
        try program.signIn()
        let path = program.home.path + "/none.jpg"
        #expect(try await program.run("profile", "image", "set", path) == 67)
        #expect(program.standardError == "Error: \(path) cannot be read: No such file or directory.\n")
        // It has no size to ask for.
        #expect(try await program.run("profile", "image", "set", "/dev/zero") == 67)
        #expect(program.standardError.contains("8 MiB"))
        #expect(try await program.run("profile", "image", "get", "--output", "-") == 64)
        #expect(program.standardError.contains("--output takes a file, not standard output."))
        #expect(program.channel.calls.isEmpty)
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

    @Test("A withdrawal whose answer is lost is made once more; an ended session then means that it was probably done")
    func lostWithdrawal() async throws {
        let calls = Mutex(0)
        let program = try TestProgram(["RequestWithdrawal": { (_, _) throws(RPCError) in
            throw calls.withLock({ $0 += 1; return $0 }) == 1 ? RPCError(.unavailable, "lost") : RPCError(.unauthenticated, "ended")
        }])
        try program.signIn()
        #expect(try await program.run("account", "withdraw", "--yes") == 0)
        #expect(calls.withLock { $0 } == 2)
        #expect(program.standardOutput == "Your session has ended. Sign in to see whether you have left, and until when you can come back.\n")
        #expect(try program.store.sessions(forSocket: TestProgram.socket).sessions.isEmpty)
    }

    @Test("A lost answer and an ended session mean that the profile is deleted; a refusal and an ended session do not")
    func endedBetweenAttempts() async throws {
        let ended = try RPCError.with(.unauthenticated, reason: "NOT_AUTHENTICATED")
        let first: [(RPCError, Int32)] = [
            (RPCError(.unavailable, ""), 0), (try RPCError.with(.unavailable, reason: "STORE_UNREACHABLE"), 0),
            (try RPCError.with(.unavailable, reason: "STORE_FULL"), 80),
        ]
        for (failure, exitCode) in first {
            let attempts = Atomic(0)
            let program = try TestProgram(handlers.merging([
                "DeleteMyProfile": { (_, _) throws(RPCError) in
                    let isFirst = attempts.wrappingAdd(1, ordering: .relaxed).oldValue == 0
                    throw isFirst ? failure : ended
                }
            ]) { $1 })
            try program.signIn()
            #expect(try await program.run("profile", "delete", "--yes") == exitCode)
            #expect(attempts.load(ordering: .relaxed) == 2)
            #expect(program.standardOutput.contains("is deleted") == (exitCode == 0))
            #expect(try program.store.sessions(forSocket: TestProgram.socket).sessions.isEmpty == (exitCode == 0))
        }
    }

    @Test("What was confirmed is done to the account that was shown, although another one becomes current meanwhile", arguments: [
        (["profile", "delete"], "하늘", "DeleteMyProfile"), (["account", "withdraw"], "yes", "RequestWithdrawal"),
    ])
    func otherAccountMeanwhile(_ command: [String], _ answer: String, _ method: String) async throws {
        let meanwhile = Mutex<TestProgram?>(nil)
        let withdraws: StubChannel.Handler = { (_, _) throws(RPCError) in PBRequestWithdrawalResponse() }
        let program = try TestProgram(
            handlers.merging(["RequestWithdrawal": withdraws]) { $1 }, typed: [],
            nextLine: {
                try? meanwhile.withLock { $0 }?.signIn(account: "jun", token: "other", userID: "u-2")
                return answer
            })
        meanwhile.withLock { $0 = program }
        try program.signIn()
        #expect(try await program.run(arguments: command) == 0)
        let call = try #require(program.channel.calls.last)
        #expect(call.method == method && call.options.metadata.values(for: "authorization") == ["Bearer secret"])
        #expect(try program.store.sessions(forSocket: TestProgram.socket).sessions.map(\.account) == ["jun"])
        meanwhile.withLock { $0 = nil }
    }

    @Test("What is done stays done where no session file can be made", arguments: [["profile", "delete", "--yes"], ["account", "withdraw", "--yes"]])
    func noSessionFile(_ command: [String]) async throws {
        let withdraws: StubChannel.Handler = { (_, _) throws(RPCError) in PBRequestWithdrawalResponse() }
        let program = try TestProgram(
            handlers.merging(["RequestWithdrawal": withdraws]) { $1 }, variables: ["PULSEBOARD_TOKEN": "t", "XDG_STATE_HOME": "/dev/null/state"])
        #expect(try await program.run(arguments: command) == 0)
        #expect(!program.standardOutput.isEmpty && program.standardError.isEmpty)
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
