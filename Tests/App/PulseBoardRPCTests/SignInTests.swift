import Foundation
import IDTokens
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import RPCClient
import RPCCore
import Synchronization
import TestIdentityProvider
import Testing

@Suite("Sign-in with an ID token, over sockets", .timeLimit(.minutes(2))) struct SignInTests {
    /// The reason of a refusal and how long to wait; `nil` if the call succeeds.
    private func refusal(_ call: () async throws -> Void) async -> (code: StatusCode, reason: String?, wait: Duration?)? {
        do {
            try await call()
            return nil
        } catch let error as RPCError {
            let info = error.details.first { $0.typeURL.hasSuffix("google.rpc.RetryInfo") }
            let delay = info.flatMap { try? Google_Rpc_RetryInfo(serializedBytes: $0.value).retryDelay }
            return (error.code, error.reason, delay.flatMap { Duration($0) })
        } catch {
            return (.unknown, "\(error)", nil)
        }
    }

    @Test("Each connection of a gateway has room of its own for sign-ins, and is told when there is more", arguments: [WireProtocol.ttrpc, .grpc])
    func pace(_ wireProtocol: WireProtocol) async throws {
        // The clock stands still, so used room does not become free.
        try await TestBoard.with(clock: TestTime(), signInsPerSecond: 2) { board in
            func remote() throws -> Channel {
                var configuration = Channel.Configuration(socketPath: board.remoteSocket)
                configuration.wireProtocol = wireProtocol
                return try Channel(configuration)
            }
            func nonce(_ channel: Channel) async throws {
                _ = try await PBAuthServiceClient(channel: channel).createSignInNonce(PBCreateSignInNonceRequest())
            }
            let (first, second) = (try remote(), try remote())
            for _ in 1...8 { try await nonce(first) }
            let refused = await refusal { try await nonce(first) }
            #expect(refused?.code == .resourceExhausted && refused?.reason == "RATE_LIMITED")
            #expect(refused?.wait == .milliseconds(500))
            // Bad tokens use room too.
            for _ in 1...8 {
                let bad = await refusal {
                    _ = try await PBAuthServiceClient(channel: second).signIn(PBSignInRequest(credential: .idToken(PBIdTokenCredential(token: "x"))))
                }
                #expect(bad?.reason == "ID_TOKEN_ISSUER_UNKNOWN")
            }
            #expect(await refusal { try await nonce(second) }?.reason == "RATE_LIMITED")
            // Neither connection used room of local callers.
            try await nonce(board.channel)
            await first.close()
            await second.close()
        }
    }

    @Test("A token whose check takes its time holds no other call up")
    func offTheLoop() async throws {
        let key = try TestKey(.es256)
        let gate = Gate()
        let issuer = try TestIssuer([key.jwk()], ["nonce": "\"off\""])
        let text = "{\"issuers\":[{\"name\":\"slow\",\"issuer\":\"https://id.example\",\"audiences\":[\"app\"],\"algorithms\":[\"ES256\"],"
            + "\"jwks_file\":\"keys.json\",\"nonce\":\"off\"}]}"
        let slow = ConfiguredIDTokens(
            try IDTokenConfiguration(json: Array(text.utf8), directory: issuer.folder), clock: issuer.time, logger: issuer.log.logger,
            uptime: { gate.pass() })
        try await TestBoard.with(clock: issuer.time, idTokens: slow) { board in
            gate.close()
            let token = try TestToken(key).signed(by: key)
            async let signedIn = board.auth.signIn(PBSignInRequest(credential: .idToken(PBIdTokenCredential(token: token))))
            await gate.isHeld()
            // The server has one event loop. It answers this call while the check waits.
            let other = try Channel(Channel.Configuration(socketPath: board.socket))
            _ = try await PBAuthServiceClient(channel: other).getAuthState(PBGetAuthStateRequest())
            await other.close()
            gate.open()
            #expect(try await signedIn.session?.account == "slow")
        }
    }

    @Test("Over the remote listener a token signs in where a uid does not; an unknown key may be tried again")
    func remote() async throws {
        let key = try TestKey(.es256)
        let issuer = try TestIssuer([key.jwk()])
        try await TestBoard.with(clock: issuer.time, idTokens: issuer.tokens) { board in
            let channel = try Channel(Channel.Configuration(socketPath: board.remoteSocket))
            let auth = PBAuthServiceClient(channel: channel)
            let peer = await refusal { _ = try await auth.signIn(PBSignInRequest(credential: .peer(PBPeerCredential()))) }
            #expect(peer?.reason == "IDENTITY_NOT_PROVEN")
            let stranger = try TestKey(.es256, name: "k9")
            let unknown = await refusal {
                let credential = PBIdTokenCredential(token: try TestToken(stranger).signed(by: stranger), nonce: "n-1")
                _ = try await auth.signIn(PBSignInRequest(credential: .idToken(credential)))
            }
            #expect(unknown?.code == .unauthenticated && unknown?.reason == "ID_TOKEN_KEY_UNKNOWN" && unknown?.wait == .seconds(5))
            let malformed = await refusal { _ = try await auth.signIn(PBSignInRequest(credential: .idToken(PBIdTokenCredential(token: "x")))) }
            #expect(malformed?.code == .invalidArgument && malformed?.reason == "ID_TOKEN_MALFORMED")
            let missing = await refusal { _ = try await auth.signIn(PBSignInRequest()) }
            #expect(missing?.reason == "FIELD_MISSING")
            let credential = PBIdTokenCredential(token: try TestToken(key).signed(by: key), nonce: "n-1")
            let answer = try await auth.signIn(PBSignInRequest(credential: .idToken(credential), requestID: "r"))
            #expect(answer.session?.account == "example" && answer.state?.state == .needsProfile)
            await channel.close()
        }
    }
}

/// A gate that blocks threads while it is closed.
private final class Gate: Sendable {
    private let state = Mutex((isClosed: false, isHeld: false))
    private let opened = DispatchSemaphore(value: 0)
    private let (held, heldSource) = AsyncStream.makeStream(of: Void.self)

    func close() { state.withLock { $0.isClosed = true } }

    func open() {
        let isHeld = state.withLock { state in
            state.isClosed = false
            return state.isHeld
        }
        if isHeld { opened.signal() }
    }

    /// A clock reading that blocks while the gate is closed.
    func pass() -> Duration {
        let isClosed = state.withLock { state in
            if state.isClosed { state.isHeld = true }
            return state.isClosed
        }
        if isClosed {
            heldSource.yield()
            opened.wait()
        }
        return .zero
    }

    /// Returns when a thread is blocked.
    func isHeld() async {
        var iterator = held.makeAsyncIterator()
        await iterator.next()
    }
}
