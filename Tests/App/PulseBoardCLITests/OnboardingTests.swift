import Foundation
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore
import Synchronization
import Testing

@testable import PulseBoardCLI

@Suite("The guided flow without a terminal") struct OnboardingTests {
    @Test("a server whose state never changes is asked a few times, with pauses, and then the flow gives up")
    func stuck() async throws {
        let calls = Mutex(0)
        let program = try TestProgram(
            ["CreateProfile": { (_, _) throws(RPCError) in
                let count = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                // Without an end, the test would have none either.
                if count > 20 { throw RPCError(.internal, "too many calls") }
                return PBProfile(userID: "u-1", username: "minji")
            }],
            streams: ["WatchAuthState": { _, _ in
                ([PBWatchAuthStateResponse(update: .state(PBAuthState(state: .needsProfile, userID: "u-1")))], nil)
            }])
        try program.signIn()
        #expect(try await program.run("onboard", "--username", "minji") == 73)
        #expect(calls.withLock { $0 } == 3)
        #expect(program.waits == [.seconds(1), .seconds(1)])
        #expect(program.standardError.contains("your account's state stays the same"))
    }

    /// A server that has no profile for the caller until `CreateProfile` has been called.
    private static func program(failing failures: Int = 0) throws -> TestProgram {
        let calls = Mutex(0)
        let profile = PBProfile(userID: "u-1", username: "minji")
        let program = try TestProgram(
            [
                "CreateProfile": { (_, _) throws(RPCError) in
                    guard calls.withLock({ $0 += 1; return $0 }) > failures else { throw RPCError(.unavailable, "away") }
                    return profile
                },
                "GetMyProfile": { _, _ in profile },
            ],
            streams: ["WatchAuthState": { _, _ in
                let state = calls.withLock { $0 } > failures ? PBAuthState.State.ready : .needsProfile
                return ([PBWatchAuthStateResponse(update: .state(PBAuthState(state: state, userID: "u-1")))], nil)
            }])
        try program.signIn()
        return program
    }

    private static func created(_ program: TestProgram) -> [PBCreateProfileRequest] {
        program.channel.calls.compactMap { $0.request as? PBCreateProfileRequest }
    }

    @Test("B16: a text of every field that is given as an option is in the new profile")
    func texts() async throws {
        let program = try Self.program()
        let options = ProfileTextField.allCases.flatMap { ["--\($0.facts.option)", "the \($0.facts.path)"] }
        #expect(try await program.run(arguments: ["onboard", "--username", "minji"] + options) == 0)
        let request = try #require(Self.created(program).first)
        #expect(request.username == "minji")
        for field in ProfileTextField.allCases { #expect(request[field] == "the \(field.facts.path)") }
    }

    @Test("options that are not used because there is a profile are named, but for those that say what it has")
    func unused() async throws {
        let program = try Self.program()
        #expect(try await program.run("onboard", "--username", "minji") == 0)
        #expect(try await program.run("onboard", "--username", "minji") == 0)
        #expect(!program.standardError.contains("You already have a profile"))
        #expect(try await program.run("onboard", "--username", "newname", "--status", "hello") == 0)
        let remark = "You already have a profile. Not used: --username, --status.\nNext: pulseboard profile edit\n"
        #expect(program.standardError.hasSuffix(remark), "\(program.standardError)")
        #expect(Self.created(program).count == 1)
    }

    @Test("every text has a step that can be skipped, and a skipped text is empty", arguments: ProfileTextField.allCases)
    func skipped(_ field: ProfileTextField) async throws {
        let program = try Self.program()
        #expect(try await program.run("onboard", "--username", "minji", "--skip", field.facts.option) == 0)
        #expect(Self.created(program).first?[field] == "")
    }

    @Test("the answers of an interrupted run are sent by the next one")
    func resumed() async throws {
        let program = try Self.program(failing: 1)
        let options = ProfileTextField.allCases.flatMap { ["--\($0.facts.option)", "the \($0.facts.path)"] }
        #expect(try await program.run(arguments: ["onboard", "--username", "minji"] + options) == 78)
        #expect(try await program.run("onboard") == 0)
        let requests = Self.created(program)
        #expect(requests.map(\.username) == ["minji", "minji"])
        for field in ProfileTextField.allCases { #expect(requests.map { $0[field] } == ["the \(field.facts.path)", "the \(field.facts.path)"]) }
    }

    @Test("another account that becomes current gets nothing of what was answered for this one")
    func otherAccount() async throws {
        let program = try Self.program(failing: 1)
        try program.signIn(account: "jun", token: "jun's", userID: "u-2")
        #expect(try await program.run("onboard", "--username", "jun", "--status", "jun's words") == 78)
        try program.signIn()
        #expect(try await program.run("onboard", "--username", "minji") == 0)
        #expect(Self.created(program).map(\.statusMessage) == ["jun's words", ""])
    }

    @Test("an account whose session has ended is signed in again by its name, and one that an ID token has proven is not")
    func endedSession() async throws {
        func run(isFromIDToken: Bool) async throws -> (code: Int32, accounts: [String], program: TestProgram) {
            let program = try TestProgram(
                ["SignIn": { (_, _) throws(RPCError) in throw RPCError(.permissionDenied, "not here") }],
                streams: ["WatchAuthState": { _, _ in ([PBWatchAuthStateResponse(update: .state(PBAuthState(state: .signedOut)))], nil) }])
            try program.store.update(forSocket: TestProgram.socket) {
                $0.add(SavedSession(account: "jun", token: "t", userID: "u-2", sessionID: "s", isFromIDToken: isFromIDToken))
            }
            let code = try await program.run("onboard", "--username", "jun")
            let signIns = program.channel.calls.compactMap { $0.request as? PBSignInRequest }
            let accounts = signIns.compactMap { if case .peer(let peer)? = $0.credential { peer.account } else { nil } }
            return (code, accounts, program)
        }
        let named = try await run(isFromIDToken: false)
        #expect(named.code == 71 && named.accounts == ["jun"])
        let proven = try await run(isFromIDToken: true)
        #expect(proven.code == 80 && proven.accounts == [])
        #expect(proven.program.standardError.contains("An ID token is needed to sign in again."))
    }

    /// A run with an ID token in a file, which is interrupted when the profile is made.
    private static func interruptedRun(withToken text: String, variables: [String: String] = [:]) async throws -> (TestProgram, file: String) {
        let calls = Mutex(0)
        let program = try TestProgram(
            [
                "SignIn": { (_, _) throws(RPCError) in
                    PBSignInResponse(session: PBSession(sessionID: "s", userID: "u-7", account: "google"), token: "t\(calls.withLock { $0 })")
                },
                "CreateProfile": { (_, _) throws(RPCError) in
                    guard calls.withLock({ $0 += 1; return $0 }) > 1 else { throw RPCError(.unavailable, "away") }
                    return PBProfile(userID: "u-7", username: "minji")
                },
                "GetMyProfile": { _, _ in PBProfile(userID: "u-7", username: "minji") },
            ],
            streams: ["WatchAuthState": { _, _ in
                let state = calls.withLock { $0 } > 1 ? PBAuthState.State.ready : .needsProfile
                return ([PBWatchAuthStateResponse(update: .state(PBAuthState(state: state, userID: "u-7")))], nil)
            }], variables: variables)
        let file = program.home.path + "/token.jwt"
        try Data(text.utf8).write(to: URL(filePath: file))
        #expect(try await program.run("onboard", "--id-token", file, "--username", "minji", "--status", "hello") == 78)
        return (program, file)
    }

    @Test(
        "the run of an ID token goes on with it, without it, and with another token of the same person; each time with the same answers",
        arguments: [["--id-token", "same"], [], ["--id-token", "other"]])
    func idToken(_ options: [String]) async throws {
        let (program, file) = try await Self.interruptedRun(withToken: "e30.e30.x")
        if options.last == "other" { try Data("e30.e30.y".utf8).write(to: URL(filePath: file)) }
        #expect(try await program.run(arguments: ["onboard"] + (options.isEmpty ? [] : ["--id-token", file])) == 0)
        #expect(Self.created(program).map(\.statusMessage) == ["hello", "hello"])
        let signIns = program.channel.calls.count { $0.request is PBSignInRequest }
        #expect(signIns == (options.last == "other" ? 2 : 1))
    }

    @Test("an ID token and PULSEBOARD_TOKEN together are refused before anything is asked")
    func twoTokens() async throws {
        let program = try TestProgram(variables: ["PULSEBOARD_TOKEN": "t"])
        let file = program.home.path + "/token.jwt"
        try Data("e30.e30.x".utf8).write(to: URL(filePath: file))
        #expect(try await program.run("onboard", "--id-token", file, "--username", "minji") == 67)
        #expect(program.channel.calls.isEmpty)
    }

    @Test("--skip leaves out what an interrupted run has answered")
    func skippedAnswer() async throws {
        let program = try Self.program(failing: 1)
        #expect(try await program.run("onboard", "--username", "minji", "--status", "hello") == 78)
        #expect(try await program.run("onboard", "--skip", "status") == 0)
        #expect(Self.created(program).map(\.statusMessage) == ["hello", ""])
    }

    @Test("the answers that an earlier version saved are sent too")
    func formerDraft() async throws {
        let program = try Self.program()
        let draft = #"{"requestID":"r-1","username":"minji","displayName":"Minji","status":"hello","picture":"","imageID":""}"#
        try program.store.keepDraft([UInt8](draft.utf8), forSocket: TestProgram.socket + "\n")
        #expect(try await program.run("onboard") == 0)
        let expected = PBCreateProfileRequest(username: "minji", displayName: "Minji", statusMessage: "hello", requestID: "r-1")
        #expect(Self.created(program) == [expected])
    }
}
