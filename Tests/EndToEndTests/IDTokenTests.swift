import Foundation
import PulseBoardDomain
import PulseBoardMessages
import RPCClient
import RPCCore
import Synchronization
import TestIdentityProvider
import Testing

/// Sign-in with ID tokens, with the built programs. `GatewayTests` does it through nginx.
@Suite("Sign-in with an ID token, end to end", .serialized, .timeLimit(.minutes(3)))
struct IDTokenTests {
    private let key: TestKey

    init() throws { key = try TestKey(.es256) }

    /// Writes the household's configuration of one issuer with changed members.
    private func configure(_ house: Household, _ settings: [String: String] = [:]) throws -> String {
        try write([key.jwk()], to: house.root + "/keys.json")
        let members = [
            "name": "\"example\"", "issuer": "\"https://id.example\"", "audiences": "[\"app\"]", "algorithms": "[\"ES256\"]",
            "jwks_file": "\"keys.json\"",
        ].merging(settings) { $1 }
        try replace(
            house.root + "/oidc.json", "{\"caller_sign_ins_per_second\":100000,\"issuers\":[\(json(members))]}")
        return house.root + "/oidc.json"
    }

    private func token(_ subject: String = "minji", nonce: String = "n-1") throws -> String {
        try TestToken(key, subject: subject, nonce: nonce, at: SystemWallClock().now()).signed(by: key)
    }

    /// Writes a file with a token for a nonce of the server.
    private func tokenFile(_ house: Household, _ subject: String = "minji") async throws -> String {
        let nonce = try await house.pulseboard("auth", "nonce")
        try #require(nonce.exit == .success, "\(nonce)")
        let path = house.root + "/" + UUID().uuidString + ".jwt"
        let text = try token(subject, nonce: nonce.output.trimmingCharacters(in: .whitespacesAndNewlines))
        try Data((text + "\n").utf8).write(to: URL(filePath: path))
        return path
    }

    @Test("C8: a person signs in, links a second identity and drops the first, in English and Korean")
    func commands() async throws {
        try await Household.with { house in
            _ = try await house.startServer(["--oidc-config", try configure(house)])
            let file = try await tokenFile(house)
            let signedIn = try await house.pulseboard("auth", "login", "--id-token", file)
            #expect(signedIn.exit == .success && signedIn.output.contains("Signed in with example.\n"), "\(signedIn)")
            let again = try await house.pulseboard("auth", "login", "--id-token", file, "--json")
            #expect(try again.failure()["reason"] == "ID_TOKEN_REPLAYED")
            let korean = try await house.pulseboard("auth", "login", "--id-token", try await tokenFile(house), language: "ko_KR.UTF-8")
            #expect(korean.output.contains("example 계정으로 로그인했습니다.\n"), "\(korean)")
            let work = try await tokenFile(house, "work")
            let linked = try await house.pulseboard("account", "link", "--id-token", work)
            #expect(linked.output == "From now on you can sign in with example too.\n", "\(linked)")
            let identities = try await house.answer("account", "identities")["identities"].elements
            #expect(identities.compactMap { $0["subject"].text } == ["minji", "work"])
            #expect(identities.compactMap { $0["issuerName"].text } == ["example", "example"])
            let unclear = try await house.pulseboard("account", "unlink", "example")
            #expect(unclear.exit == .invalidArgument, "\(unclear)")
            let unlinked = try await house.pulseboard("account", "unlink", "example", "minji")
            #expect(unlinked.output == "minji of example does not sign you in any more.\n", "\(unlinked)")
            let last = try await house.pulseboard("account", "unlink", "example", "work", "--json", language: "ko_KR.UTF-8")
            #expect(try last.failure()["message"] == "하나뿐인 로그인 수단은 연결을 끊을 수 없습니다.")
        }
    }

    @Test("SIGHUP changes whose tokens sign in: audiences, issuers, keys, and whether there are any")
    func reloaded() async throws {
        try await Household.with { house in
            let path = try configure(house)
            let server = try await house.startServer(["--oidc-config", path])
            var round = 0
            func reload() async {
                round += 1
                server.send(SIGHUP)
                let wanted = round
                _ = await server.progress.first { progress in
                    progress.errorText.split(separator: "\n").count { $0.contains("SIGHUP: the configuration") } >= wanted || progress.exit != nil
                        ? true : nil
                }
            }
            func reason() async throws -> JSON? {
                let run = try await house.pulseboard("auth", "login", "--id-token", try await tokenFile(house), "--json")
                return run.exit == .success ? nil : try run.failure()["reason"]
            }
            #expect(try await reason() == nil)
            _ = try configure(house, ["audiences": "[\"other\"]"])
            #expect(try await reason() == nil, "not before the signal")
            await reload()
            #expect(try await reason() == "ID_TOKEN_AUDIENCE")
            _ = try configure(house, ["issuer": "\"https://other.example\""])
            await reload()
            #expect(try await reason() == "ID_TOKEN_ISSUER_UNKNOWN")
            // After an invalid file the last valid configuration stays.
            try replace(path, "{}")
            await reload()
            #expect(try await house.answer("admin", "status")["issuers"].elements.first?["issuer"] == "https://other.example")
            _ = try configure(house)
            await reload()
            #expect(try await reason() == nil)
            // An issuer whose keys cannot be read keeps the keys from before.
            try FileManager.default.removeItem(atPath: house.root + "/keys.json")
            await reload()
            #expect(try await reason() == nil)
        }
    }

    @Test("Tokens from standard input; the account of a Unix user has identities too, and keeps its last one")
    func standardInput() async throws {
        try await Household.with { house in
            _ = try await house.startServer(["--oidc-config", try configure(house)])
            _ = try await house.answer("auth", "login")
            let file = try await tokenFile(house)
            let linked = try await house.run(
                "/bin/sh", ["-c", "exec \"$0\" account link --id-token - < \"$1\"", Programs.commandLine, file], ["PULSEBOARD_SOCKET": house.socket])
            #expect(linked.exit == .success, "\(linked)")
            let identities = try await house.answer("account", "identities")["identities"].elements
            #expect(identities.compactMap { $0["issuer"].text } == ["unix", "https://id.example"])
            _ = try await house.answer("account", "unlink", "unix")
            // The uid is another user now.
            let stranger = try await house.answer("auth", "login")
            #expect(stranger["state"] == "STATE_NEEDS_PROFILE")
            let alone = try await house.pulseboard("account", "unlink", "unix", "--json")
            #expect(try alone.failure()["reason"] == "IDENTITY_LAST")
        }
    }

    @Test("A configuration that is no good ends the start with 64 and says which part it is", arguments: [
        ("issuer", "\"http://id.example\""), ("algorithms", "[\"none\"]"), ("audiences", "[]"), ("clock_skew", "5"),
    ])
    func badConfiguration(_ member: String, _ value: String) async throws {
        try await Household.with { house in
            let server = try house.launchServer(["--oidc-config", try configure(house, [member: value])])
            #expect(try await server.ended() == .status(64))
            #expect(server.progress.current.errorText.contains(member), "\(server.progress.current.errorText)")
        }
    }

    @Test("C5, C6: admin status shows the keys of an issuer; new ones count without a restart, and a bad file is told")
    func keys() async throws {
        try await Household.with { house in
            let server = try await house.startServer(["--oidc-config", try configure(house), "--log-level", "error"])
            let issuer = try await house.answer("admin", "status")["issuers"].elements
            #expect(issuer.count == 1 && issuer[0]["name"] == "example" && issuer[0]["keys"].integer == 1 && issuer[0]["problem"] == "")
            let other = try TestKey(.es256, name: "k2")
            try write([key.jwk(), other.jwk()], to: house.root + "/keys.json")
            let channel = try Channel(socketPath: house.socket)
            let auth = PBAuthServiceClient(channel: channel)
            // The key file is read only when somebody signs in or asks for the status, at most once a second.
            while try await house.answer("admin", "status")["issuers"].elements[0]["keys"].integer != 2 {
                _ = try? await auth.signIn(PBSignInRequest(credential: .idToken(PBIdTokenCredential(token: try token(), nonce: "n-2"))))
            }
            try replace(house.root + "/keys.json", "{\"keys\":")
            while try await house.answer("admin", "status")["issuers"].elements[0]["problem"] == "" {
                _ = try? await auth.signIn(PBSignInRequest(credential: .idToken(PBIdTokenCredential(token: try token(), nonce: "n-2"))))
            }
            let status = try await house.pulseboard("admin", "status")
            #expect(status.output.contains("keys: example"), "\(status)")
            #expect(server.progress.current.errorText.contains("cannot be read"), "\(server.progress.current.errorText)")
            await channel.close()
        }
    }

    @Test("admin check-jwks takes a set with a key that signs, and refuses everything else with 67")
    func checkedKeys() async throws {
        try await Household.with { house in
            let path = house.root + "/new.json"
            try write([key.jwk(), "{\"kty\":\"future\"}"], to: path)
            let good = try await house.pulseboard("admin", "check-jwks", path)
            #expect(good.exit == .success && good.output.contains("k1 ES256") && good.output.contains("passed over: key 1"), "\(good)")
            for text in ["", "<html>", "{\"keys\":[]}", "{\"keys\":[{\"kty\":\"future\"}]}", "{\"keys\":["] {
                try replace(path, text)
                #expect(try await house.pulseboard("admin", "check-jwks", path).exit == .invalidArgument, "\(text)")
            }
            #expect(try await house.pulseboard("admin", "check-jwks", house.root + "/none.json").exit == .invalidArgument)
        }
    }

    @Test("C3: of two sign-ins with one token one opens a session, also when the server is killed between them")
    func killedAmidSignIns() async throws {
        try await Household.with { house in
            let file = try configure(house, ["nonce": "\"client\"", "sign_ins_per_second": "100000"])
            let server = try await house.startServer(["--oidc-config", file])
            let tokens = try (0..<200).map { try token("s\($0)") }
            let opened = Opened(count: tokens.count)
            let channel = try Channel(socketPath: house.socket)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for round in 0..<2 * tokens.count {
                    let number = round / 2
                    group.addTask {
                        guard try await Self.signIn(tokens[number], channel) else { return }
                        // Some answers are still on their way at that moment.
                        if opened.add(number) == 60 { server.send(SIGKILL) }
                    }
                }
                try await group.waitForAll()
            }
            await channel.close()
            #expect(try await server.ended() == .signal(SIGKILL))
            #expect(opened.counts.max() == 1)
            _ = try await house.startServer(["--oidc-config", file])
            let next = try Channel(socketPath: house.socket)
            for (number, token) in tokens.enumerated() {
                let isNew = try await Self.signIn(token, next)
                #expect(!isNew || opened.counts[number] == 0, "an acknowledged sign-in is not forgotten")
                #expect(try await !Self.signIn(token, next))
                // A user who signs in now has one more session, the token's.
                let auth = PBAuthServiceClient(channel: next)
                let later = try await auth.signIn(
                    PBSignInRequest(credential: .idToken(PBIdTokenCredential(token: try self.token("s\(number)", nonce: "n-3"), nonce: "n-3"))))
                let sessions = try await auth.listSessions(
                    PBListSessionsRequest(), options: CallOptions(metadata: ["authorization": "Bearer " + later.token])).sessions
                #expect(sessions.count == 2)
            }
            await next.close()
        }
    }

    /// Whether a token signs in. Returns false for a used token, and if the server is gone.
    private static func signIn(_ token: String, _ channel: Channel) async throws -> Bool {
        let auth = PBAuthServiceClient(channel: channel)
        let request = PBSignInRequest(credential: .idToken(PBIdTokenCredential(token: token, nonce: "n-1")))
        var failure: RPCError?
        do { _ = try await auth.signIn(request) } catch { failure = error }
        if let failure, failure.code != .unauthenticated, failure.code != .unavailable { throw failure }
        return failure == nil
    }
}

/// How often each of many tokens signed in.
private final class Opened: Sendable {
    private let state: Mutex<[Int]>

    init(count: Int) { state = Mutex(Array(repeating: 0, count: count)) }

    var counts: [Int] { state.withLock { $0 } }

    /// Counts one more sign-in. - Returns: the count over all tokens.
    func add(_ number: Int) -> Int {
        state.withLock { counts in
            counts[number] += 1
            return counts.reduce(0, +)
        }
    }
}
