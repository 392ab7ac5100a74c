import Foundation
import PulseBoardMessages
import RPCCore
import Synchronization
import Testing

@testable import PulseBoardCLI

@Suite("Commands with an ID token") struct IDTokenTests {
    private static func token(_ claims: String) -> String {
        "e30." + Data(claims.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") + ".c2ln"
    }

    private static let answer = PBSignInResponse(
        session: PBSession(sessionID: "s-1", userID: "u-1", account: "google"), token: "very-secret", state: PBAuthState(state: .ready, userID: "u-1")
    )

    private func program(
        _ handlers: [String: StubChannel.Handler] = ["SignIn": { (_, _) throws(RPCError) in answer }], token: String, typed: [String]? = nil,
        language: String = "en_US.UTF-8"
    ) throws -> (TestProgram, path: String) {
        let program = try TestProgram(handlers, typed: typed, variables: ["LANG": language])
        let path = program.home.path + "/token.jwt"
        try Data((token + "\n").utf8).write(to: URL(filePath: path))
        return (program, path)
    }

    @Test("The nonce is the token's unless it is given, and the token is kept nowhere", arguments: [
        ("{\"nonce\":\"n-1\"}", nil, "n-1"), ("{\"nonce\":\"hashed\"}", "n-2", "n-2"), ("{}", nil, ""), ("[", nil, ""), ("{\"nonce\":7}", nil, ""),
    ] as [(String, String?, String)])
    func nonce(_ claims: String, _ given: String?, _ sent: String) async throws {
        let token = Self.token(claims)
        let (program, path) = try program(token: token)
        #expect(try await program.run(arguments: ["auth", "login", "--id-token", path] + (given.map { ["--nonce", $0] } ?? [])) == 0)
        let request = try #require(program.channel.calls.first?.request as? PBSignInRequest)
        #expect(request.credential == .idToken(PBIdTokenCredential(token: token, nonce: sent)))
        #expect(request.requestID == "request-2" || request.requestID == "request-1")
        #expect(program.standardOutput.hasPrefix("Signed in with google.\n"))
        let saved = try program.store.sessions(forSocket: TestProgram.socket)
        #expect(saved.session(for: "google")?.token == "very-secret")
        #expect(!program.standardOutput.contains(token))
    }

    @Test("A lost answer is asked for once more under the same request id; a refusal is not")
    func retry() async throws {
        let attempts = Atomic<Int>(0)
        let lost: StubChannel.Handler = { (_, _) throws(RPCError) in
            guard attempts.wrappingAdd(1, ordering: .relaxed).oldValue == 0 else { return Self.answer }
            throw RPCError(.unavailable, "")
        }
        let (program, path) = try program(["SignIn": lost], token: Self.token("{}"))
        #expect(try await program.run("auth", "login", "--id-token", path) == 0)
        let requests = program.channel.calls.compactMap { ($0.request as? PBSignInRequest)?.requestID }
        #expect(requests.count == 2 && Set(requests).count == 1 && requests[0] != "")
        let refusal = try RPCError.with(.unauthenticated, reason: "ID_TOKEN_EXPIRED")
        let (refused, other) = try self.program(["SignIn": { (_, _) throws(RPCError) in throw refusal }], token: Self.token("{}"))
        #expect(try await refused.run("auth", "login", "--id-token", other) == 80)
        #expect(refused.channel.calls.count == 1)
        #expect(refused.standardError.contains("too old") && refused.standardError.contains("Next: pulseboard auth nonce\n"))
    }

    @Test("Whoever must sign in again is told how to become the same user, because another sign-in would change the current account")
    func signInAgain() async throws {
        let old = try RPCError.with(.unauthenticated, reason: "SIGN_IN_TOO_OLD")
        let handlers: [String: StubChannel.Handler] = [
            "SignIn": { (_, _) throws(RPCError) in Self.answer }, "ListIdentities": { (_, _) throws(RPCError) in throw old },
        ]
        let (program, path) = try program(handlers, token: Self.token("{}"))
        #expect(try await program.run("auth", "login", "--id-token", path) == 0)
        #expect(try await program.run("account", "identities") != 0)
        #expect(program.standardError.contains("Next: pulseboard auth login --id-token FILE --account google\n"), "\(program.standardError)")
        let (named, _) = try self.program(handlers, token: "")
        try named.signIn(account: "alice")
        #expect(try await named.run("account", "identities") != 0)
        #expect(named.standardError.contains("Next: pulseboard auth login --account alice\n"), "\(named.standardError)")
    }

    @Test("A file that is not there or has nothing in it asks nobody", arguments: ["/nonexistent/token.jwt", ""])
    func noToken(_ file: String) async throws {
        let (program, path) = try program(token: "")
        #expect(try await program.run("auth", "login", "--id-token", file.isEmpty ? path : file) == 67)
        #expect(program.channel.calls.isEmpty)
    }

    @Test("- takes the token from standard input")
    func standardInput() async throws {
        let (program, _) = try program(token: "", typed: ["e30.e30.c2ln"], language: "ko_KR.UTF-8")
        #expect(try await program.run("auth", "login", "--id-token", "-") == 0)
        let request = try #require(program.channel.calls.first?.request as? PBSignInRequest)
        #expect(request.credential == .idToken(PBIdTokenCredential(token: "e30.e30.c2ln", nonce: "")))
        #expect(program.standardOutput.hasPrefix("google 계정으로 로그인했습니다.\n"))
    }

    @Test("Unlinking needs no subject where the provider has one identity, and names the choice where it has several")
    func unlink() async throws {
        let identities = [
            PBIdentity(issuer: "https://accounts.google.com", subject: "1", issuerName: "google"),
            PBIdentity(issuer: "https://accounts.google.com", subject: "2", issuerName: "google"),
            PBIdentity(issuer: "unix", subject: "1000", issuerName: "unix")
        ]
        let (program, _) = try program([
            "ListIdentities": { (_, _) throws(RPCError) in PBListIdentitiesResponse(identities: identities) },
            "UnlinkIdentity": { (_, _) throws(RPCError) in PBUnlinkIdentityResponse() },
        ], token: "")
        try program.signIn()
        #expect(try await program.run("account", "unlink", "unix") == 0)
        #expect(try await program.run("account", "unlink", "google") == 67)
        #expect(try await program.run("account", "unlink", "kakao") == 69)
        #expect(try await program.run("account", "unlink", "https://accounts.google.com", "2") == 0)
        let unlinked = program.channel.calls.compactMap { $0.request as? PBUnlinkIdentityRequest }
        #expect(unlinked.map(\.subject) == ["1000", "2"])
        #expect(unlinked.allSatisfy { !$0.requestID.isEmpty })
        #expect(program.standardOutput.contains("1000 of unix does not sign you in any more.\n"))
    }
}
