import Foundation
import PulseBoardMessages
import RPCCore
import Testing

@testable import PulseBoardCLI

@Suite struct AuthTests {
    private static let answer = PBSignInResponse(
        session: PBSession(sessionID: "s-1", userID: "u-1"), token: "very-secret",
        state: PBAuthState(state: .needsProfile, userID: "u-1"))

    private static let handlers: [String: StubChannel.Handler] = [
        "SignIn": { (_, _) throws(RPCError) in answer },
        "SignOut": { (_, _) throws(RPCError) in PBSignOutResponse() },
    ]

    @Test("Signing in keeps the token in the file and shows it to nobody", arguments: [[], ["--json"]])
    func login(_ options: [String]) async throws {
        let program = try TestProgram(Self.handlers)
        #expect(try await program.run("auth", "login", "--account", "alice", options.first ?? "--timeout=10") == 0)
        let saved = try program.store.sessions(forSocket: TestProgram.socket).session(for: nil)
        #expect(saved == SavedSession(account: "alice", token: "very-secret", userID: "u-1", sessionID: "s-1", isFromIDToken: false))
        let request = try #require(program.channel.calls.first?.request as? PBSignInRequest)
        guard case .peer(let peer) = request.credential else {
            Issue.record("no peer credential")
            return
        }
        #expect(peer.account == "alice")
        #expect(request.device?.name == "laptop")
        #expect(request.device?.platform == "linux")
        // At the next sign-in, the same machine is the same device.
        #expect(try await program.run("auth", "login") == 0)
        let again = try #require(program.channel.calls.last?.request as? PBSignInRequest)
        #expect(again.device?.id.isEmpty == false)
        #expect(again.device == request.device)
        #expect(!(program.standardOutput + program.standardError).contains("very-secret"))
        #expect(program.standardOutput.contains(options.isEmpty ? "profile create --username NAME" : "STATE_NEEDS_PROFILE"))
    }

    @Test("--quiet leaves the next command out")
    func quiet() async throws {
        let program = try TestProgram(Self.handlers)
        #expect(try await program.run("auth", "login", "-q") == 0)
        #expect(program.standardOutput == "Signed in.\n")
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

    @Test("A session that has ended already cannot end the others, and the command says so")
    func logoutEverywhereTooLate() async throws {
        let ended = try RPCError.with(.unauthenticated, reason: "NOT_AUTHENTICATED")
        let program = try TestProgram(["SignOut": { (_, _) throws(RPCError) in throw ended }])
        try program.signIn(account: "other", token: "live")
        try program.signIn(token: "ended")
        #expect(try await program.run("auth", "logout", "--all") == 80)
        #expect(program.standardError.contains("has ended no others now") && program.standardError.contains("Next: pulseboard auth login"))
        // A live session of the same user stays saved.
        #expect(try program.store.sessions(forSocket: TestProgram.socket).sessions.map(\.token) == ["live"])
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

    @Test("The accounts signed in here are listed without their tokens, one is chosen for good, and its token is shown when asked for")
    func savedAccounts() async throws {
        let program = try TestProgram()
        try program.signIn(account: "", token: "t-unix", userID: "u-0")
        try program.signIn(account: "alice", token: "t-alice", userID: "u-1")
        #expect(try await program.run("auth", "list") == 0)
        #expect(program.standardOutput == """
            ACCOUNT      USER ID  EXPIRES
            (Unix user)  u-0
            alice        u-1               current

            """)
        #expect(try await program.run("auth", "token") == 0)
        #expect(program.standardOutput.hasSuffix("\nt-alice\n"))
        #expect(try await program.run("auth", "switch") == 0)
        #expect(program.standardOutput.hasSuffix("From now on you use your Unix user's account.\n"))
        #expect(try await program.run("auth", "token") == 0)
        #expect(program.standardOutput.hasSuffix("\nt-unix\n"))
        #expect(try await program.run("auth", "switch", "bob") == 69)
        #expect(program.standardError == "Error: This account is not signed in here.\nNext: pulseboard auth list\n")
        let json = try TestProgram()
        try json.store.update(forSocket: TestProgram.socket) {
            $0.add(SavedSession(account: "alice", token: "t-alice", userID: "u-1", sessionID: "s-1"))
        }
        #expect(try await json.run("auth", "list", "--json") == 0)
        #expect(json.standardOutput.contains("\"current\" : true") && !json.standardOutput.contains("t-alice"))
        #expect(json.channel.calls.isEmpty && program.channel.calls.isEmpty)
    }
}
