import Foundation
import PulseBoardDomain
import TestIdentityProvider
import Testing

@testable import PulseBoardServices

/// Sign-in with ID tokens, and identities, with tokens of the test's own issuer.
@Suite("IdentityService") struct IdentityServiceTests {
    let key: TestKey
    let issuer: TestIssuer
    let bench: Bench
    var auth: AuthService { bench.services.auth }
    var identities: IdentityService { bench.services.identities }

    init() async throws {
        key = try TestKey(.edDSA)
        issuer = try TestIssuer([key.jwk()], ["nonce": "\"server\"", "sign_ins_per_second": "2"])
        bench = try await Bench(idTokens: issuer.tokens)
    }

    /// A valid token for a nonce.
    private func token(_ subject: String = "minji", nonce: String) throws -> String {
        try TestToken(key, subject: subject, nonce: nonce, at: bench.clock.now()).signed(by: key)
    }

    private func nonce() throws -> String { try auth.makeSignInNonce(from: .inProcess).text }

    private func signIn(_ subject: String = "minji") async throws -> SignedIn {
        let nonce = try nonce()
        return try await auth.signIn(idToken: try token(subject, nonce: nonce), nonce: nonce, from: .inProcess)
    }

    private func caller(_ subject: String = "minji") async throws -> Caller {
        try await auth.authenticate(try await signIn(subject).token)
    }

    @Test("B27: A token signs its subject in, always as the same user, and nobody as a Unix or named account")
    func signsIn() async throws {
        let first = try await signIn()
        let second = try await signIn()
        let other = try await signIn("1000")
        #expect(first.session.account.description == "https://id.example:minji")
        #expect(first.session.userID == second.session.userID && first.token != second.token)
        let unix = try await auth.signIn(peerUID: 1000)
        let named = try await auth.signIn(peerUID: Bench.trustedUID, account: "1000")
        #expect(Set([first, other, unix, named].map(\.session.userID)).count == 4)
        #expect(first.state == .needsProfile(first.session.userID))
    }

    @Test("C3, C4: a token signs in once; under its request id again it takes the place of the session that it opened")
    func once() async throws {
        let nonce = try nonce()
        let token = try token(nonce: nonce)
        let requestID = "r-1"
        let first = try await auth.signIn(idToken: token, nonce: nonce, requestID: requestID, from: .inProcess)
        _ = try await auth.authenticate(first.token)
        await #expect(throws: RepositoryError.idTokenRefused(.replayed)) {
            try await auth.signIn(idToken: token, nonce: nonce, from: .inProcess)
        }
        let second = try await auth.signIn(idToken: token, nonce: nonce, requestID: requestID, from: .inProcess)
        await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(first.token) }
        let caller = try await auth.authenticate(second.token)
        #expect(try await auth.listSessions(PageRequest(), caller).items == [second.session])
    }

    @Test("C4: after a sign-out everywhere nobody comes back with the request of an earlier sign-in")
    func signedOutEverywhere() async throws {
        let nonce = try nonce()
        let token = try token(nonce: nonce)
        func signIn() async throws(RepositoryError) -> SignedIn {
            try await auth.signIn(idToken: token, nonce: nonce, requestID: "r-1", from: .inProcess)
        }
        let first = try await signIn()
        try await auth.signOut(try await auth.authenticate(first.token), allSessions: true)
        await #expect(throws: RepositoryError.idTokenRefused(.replayed)) { try await signIn() }
        // A new token of the identity signs in.
        let caller = try await caller()
        #expect(caller.userID == first.session.userID)
        #expect(try await auth.listSessions(PageRequest(), caller).items.map(\.id) == [caller.sessionID])
    }

    @Test("C1: a nonce is this server's, ten minutes old at most, and one token's")
    func nonces() async throws {
        let refused = RepositoryError.idTokenRefused(.nonce)
        let stranger = String(repeating: "A", count: 76)
        await #expect(throws: refused) { try await auth.signIn(idToken: try token(nonce: stranger), nonce: stranger, from: .inProcess) }
        let (used, late) = (try nonce(), try nonce())
        let forged = String(late.dropLast()) + (late.hasSuffix("A") ? "B" : "A")
        await #expect(throws: refused) { try await auth.signIn(idToken: try token(nonce: forged), nonce: forged, from: .inProcess) }
        _ = try await auth.signIn(idToken: try token(nonce: used), nonce: used, from: .inProcess)
        await #expect(throws: refused) { try await auth.signIn(idToken: try token("other", nonce: used), nonce: used, from: .inProcess) }
        bench.clock.advance(.seconds(600))
        await #expect(throws: refused) { try await auth.signIn(idToken: try token(nonce: late), nonce: late, from: .inProcess) }
    }

    @Test("C1: a nonce that lasts over a minute longer than a new one is refused, because the clock was ahead when it was made")
    func nonceOfTheFuture() {
        let sealer = SignInNonceSealer(secret: [UInt8](repeating: 1, count: 32))
        let nonce = sealer.make(at: TestToken.now, using: CountingRandomSource(first: 1))
        func isTaken(after seconds: Int64) -> Bool {
            sealer.use(of: nonce.text, at: TestToken.now.advanced(by: .seconds(seconds))) != nil
        }
        for seconds: Int64 in [-60, 0, 599] { #expect(isTaken(after: seconds), "\(seconds)") }
        for seconds: Int64 in [-86_400, -61, 600] { #expect(!isTaken(after: seconds), "\(seconds)") }
    }

    @Test("C7: what was refused uses up neither the token nor its nonce")
    func refusedUse() async throws {
        let nonce = try nonce()
        let good = try token(nonce: nonce)
        for bad in [good + "A", String(good.dropLast(2)), try token(nonce: "other")] {
            await #expect(throws: RepositoryError.self) { try await auth.signIn(idToken: bad, nonce: nonce, from: .inProcess) }
        }
        bench.counted.fail("openSession", with: .storeUnavailable(detail: "a test's"))
        await #expect(throws: RepositoryError.storeUnavailable(detail: "a test's")) {
            try await auth.signIn(idToken: good, nonce: nonce, from: .inProcess)
        }
        bench.counted.fail("openSession", with: nil)
        _ = try await auth.signIn(idToken: good, nonce: nonce, from: .inProcess)
    }

    @Test("Without configured issuers every token is an unknown one's")
    func unconfigured() async throws {
        let bench = try await Bench()
        await #expect(throws: RepositoryError.idTokenRefused(.issuerUnknown)) {
            try await bench.services.auth.signIn(idToken: try token(nonce: "n"), nonce: "n", from: .inProcess)
        }
    }

    @Test("A caller is limited before anything is done, an issuer after its token was good, and both have room again")
    func pace() async throws {
        let source = CallSource.connection(7)
        var wait: RepositoryError?
        // The clock advances with every reading, so a little more than a burst of four seconds is permitted.
        var taken = 0
        for _ in 0..<100_000 where wait == nil {
            do throws(RepositoryError) {
                _ = try pacedNonce(source)
                taken += 1
            } catch {
                wait = error
            }
        }
        #expect(taken == 200)
        guard case .rateLimited(let retryAfter) = wait else {
            Issue.record("\(String(describing: wait))")
            return
        }
        #expect((1...20_000).contains(retryAfter.microseconds))
        // Another connection is another caller.
        _ = try pacedNonce(.connection(8))
    }

    /// Counts calls at one instant.
    private let callers = SignInPace<CallSource>()
    private func pacedNonce(_ source: CallSource) throws(RepositoryError) {
        try callers.count(source, perSecond: 50, at: TestToken.now)
    }

    @Test("An issuer's room: two a second, eight at once, and again after a while; a clock that is set back locks nobody out")
    func issuerPace() throws {
        let pace = SignInPace<String>()
        let start = TestToken.now
        for _ in 1...8 { try pace.count("a", perSecond: 2, at: start) }
        #expect(throws: RepositoryError.rateLimited(retryAfter: .init(microseconds: 500_000))) { try pace.count("a", perSecond: 2, at: start) }
        try pace.count("b", perSecond: 2, at: start)
        try pace.count("a", perSecond: 2, at: start.advanced(by: .init(microseconds: 500_000)))
        try pace.count("a", perSecond: 2, at: start.advanced(by: .seconds(-3_600)))
    }

    @Test("A token that is used again and again takes nothing of its issuer's rate from others; its account has room again")
    func replays() async throws {
        // 200 a second for the issuer, 800 at once; 10 and 40 for an account.
        let issuer = try TestIssuer([key.jwk()], ["nonce": "\"off\"", "sign_ins_per_second": "200"])
        let clock = TestTime()
        let proofs = IDTokenProofs(
            verifier: issuer.tokens, nonces: SignInNonceSealer(secret: [UInt8](repeating: 1, count: 32)),
            configuration: ServicesConfiguration(trustedUIDs: [], clock: clock))
        func prove(_ subject: String) async throws {
            let token = try TestToken(key, subject: subject, nonce: "", at: TestToken.now).signed(by: key)
            _ = try await proofs.prove(token, nonce: "", requestID: nil, from: .inProcess)
        }
        var proved = 0
        for _ in 0..<1_000 {
            do {
                try await prove("minji")
                proved += 1
            } catch RepositoryError.rateLimited {}
        }
        #expect(proved == 40)
        try await prove("jun")
        clock.advance(4)
        try await prove("minji")
    }

    @Test(
        "An account has a twentieth of its issuer's rate, at least 1 and at most 10",
        arguments: [(1, 1), (20, 1), (100, 5), (500, 10), (100_000, 10)])
    func accountRate(issuer: Int, account: Int) {
        #expect(IDTokenProofs.accountRate(ofIssuerRate: issuer) == account)
    }

    @Test("Instants that come out of order give no second burst")
    func disorder() throws {
        let pace = SignInPace<String>()
        let start = TestToken.now
        for _ in 1...8 { try pace.count("a", perSecond: 2, at: start) }
        let earlier = start.advanced(by: .init(microseconds: -20_000))
        #expect(throws: RepositoryError.rateLimited(retryAfter: .init(microseconds: 520_000))) { try pace.count("a", perSecond: 2, at: earlier) }
    }

    @Test("C8: a second identity is linked, signs in the same user, and either can go but not both")
    func linking() async throws {
        let caller = try await caller()
        let nonce = try nonce()
        let linked = try await identities.link(idToken: try token("work", nonce: nonce), nonce: nonce, from: .inProcess, caller)
        #expect(linked.account.subject == "work")
        #expect(identities.name(ofIssuer: linked.account.issuer) == "example")
        #expect(try await signIn("work").session.userID == caller.userID)
        #expect(try await identities.list(caller).map(\.account.subject) == ["minji", "work"])
        let other = try await signIn("minji")
        _ = try await auth.authenticate(other.token)
        try await identities.unlink(AccountID(issuer: "https://id.example", subject: "minji"), caller)
        // The identity's other sessions have ended, in memory too. The session of the call has not.
        await #expect(throws: RepositoryError.notAuthenticated) { try await auth.authenticate(other.token) }
        #expect(try await identities.list(caller).map(\.account.subject) == ["work"])
        await #expect(throws: RepositoryError.identityLast) {
            try await identities.unlink(AccountID(issuer: "https://id.example", subject: "work"), caller)
        }
        #expect(try await signIn("minji").session.userID != caller.userID)
    }

    @Test("Nothing is linked that signs in another user, not even one that holds the token")
    func inUse() async throws {
        let (mine, other) = (try await caller(), try await caller("other"))
        let nonce = try nonce()
        await #expect(throws: RepositoryError.identityInUse) {
            try await identities.link(idToken: try token("other", nonce: nonce), nonce: nonce, from: .inProcess, mine)
        }
        #expect(try await identities.list(other).count == 1)
        await #expect(throws: RepositoryError.identityNotFound) {
            try await identities.unlink(AccountID(issuer: "https://id.example", subject: "other"), mine)
        }
    }

    @Test("A session of more than ten minutes touches no identities")
    func tooOld() async throws {
        let caller = try await caller()
        bench.clock.advance(.seconds(590))
        _ = try await identities.list(caller)
        bench.clock.advance(.seconds(10))
        await #expect(throws: RepositoryError.signInTooOld) { try await identities.list(caller) }
        let nonce = try nonce()
        let late = try token("work", nonce: nonce)
        await #expect(throws: RepositoryError.signInTooOld) {
            try await identities.link(idToken: late, nonce: nonce, from: .inProcess, caller)
        }
        await #expect(throws: RepositoryError.signInTooOld) {
            try await identities.unlink(AccountID(issuer: "https://id.example", subject: "minji"), caller)
        }
        #expect(try await identities.list(try await self.caller()).count == 1)
    }

    @Test("A session that was opened while the clock was ahead touches no identities")
    func fromTheFuture() async throws {
        let caller = try await caller()
        bench.clock.advance(.seconds(-30))
        _ = try await identities.list(caller)
        bench.clock.advance(.seconds(-90))
        await #expect(throws: RepositoryError.signInTooOld) { try await identities.list(caller) }
    }
}
