import Crypto
import PulseBoardDomain
import TestIdentityProvider
import Testing

@testable import IDTokens

/// The table of checks: a token with exactly one fault is refused for the reason of that fault.
@Suite("Checks of an ID token") struct CheckTests {
    /// One fault of a token.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let refusal: IDTokenRefusal
        let nonce: String
        let apply: @Sendable (inout TestToken) -> Void

        init(_ name: String, _ refusal: IDTokenRefusal, nonce: String = "n-1", _ apply: @escaping @Sendable (inout TestToken) -> Void) {
            testDescription = name
            self.refusal = refusal
            self.nonce = nonce
            self.apply = apply
        }
    }

    static let faults: [Fault] = malformed + [
        Fault("another issuer", .issuerUnknown) { $0.claims["iss"] = "\"https://id.example.org\"" },
        Fault("the issuer with a slash", .issuerUnknown) { $0.claims["iss"] = "\"https://id.example/\"" },
        Fault("the issuer of Unix accounts", .issuerUnknown) { $0.claims["iss"] = "\"unix\"" },
        Fault("the issuer of named accounts", .issuerUnknown) { $0.claims["iss"] = "\"account\"" },
        Fault("no signature", .algorithm) { $0.header["alg"] = "\"none\"" },
        Fault("a shared secret", .algorithm) { $0.header["alg"] = "\"HS256\"" },
        Fault("an algorithm that the issuer does not use", .algorithm) { $0.header["alg"] = "\"RS512\"" },
        Fault("an extension", .algorithm) { $0.header["crit"] = "[\"exp\"]" },
        Fault("an extension of no name", .algorithm) { $0.header["crit"] = "null" },
        Fault("a key that is not there", .keyUnknown) { $0.header["kid"] = "\"k9\"" },
        Fault("a key of another algorithm", .keyUnknown) { $0.header["kid"] = "\"other\"" },
        Fault("no name, and two keys that fit", .keyUnknown) { $0.header["kid"] = nil },
        Fault("another token's signature", .signature) { token in
            token.change = { signed in
                let parts = signed.split(separator: ".")
                    return
                        "\(parts[0]).\(Base64URL.encode(Array("{\"iss\":\"https://id.example\",\"sub\":\"eve\",\"aud\":\"app\",\"exp\":1800003600,\"iat\":1800000000,\"nonce\":\"n-1\"}".utf8))).\(parts[2])"
            }
        },
        Fault("an empty signature", .signature) { $0.change = { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." } },
        Fault("half a signature", .signature) { token in
            token.change = { signed in
                let parts = signed.split(separator: ".")
                let signature = Base64URL.decode(String(parts[2])) ?? []
                return "\(parts[0]).\(parts[1]).\(Base64URL.encode(Array(signature.prefix(signature.count / 2))))"
            }
        },
        Fault("another app", .audience) { $0.claims["aud"] = "\"game\"" },
        Fault("no app", .audience) { $0.claims["aud"] = "[]" },
        Fault("this app's, used by another one", .audience) { $0.claims["azp"] = "\"game\"" },
        Fault("expired a skew ago", .expired) { $0.claims["exp"] = "1799999940" },
        Fault("issued more than a day ago", .expired) { $0.claims["iat"] = "1799913600" },
        Fault("issued in the future", .notYetValid) { $0.claims["iat"] = "1800000061" },
        Fault("not valid yet", .notYetValid) { $0.claims["nbf"] = "1800000061" },
        Fault("no nonce", .nonce) { $0.claims["nonce"] = nil },
        Fault("another nonce", .nonce) { $0.claims["nonce"] = "\"n-2\"" },
        Fault("a nonce that nobody asked for", .nonce, nonce: "") { _ in },
        Fault("an empty nonce on both sides", .nonce, nonce: "") { $0.claims["nonce"] = "\"\"" },
    ]

    private static let malformed: [Fault] = [
        Fault("nothing", .malformed) { $0.change = { _ in "" } },
        Fault("two parts", .malformed) { $0.change = { $0.split(separator: ".").prefix(2).joined(separator: ".") } },
        Fault("four parts", .malformed) { $0.change = { $0 + ".e30" } },
        Fault("padded base64", .malformed) { $0.change = { $0 + "=" } },
        Fault("a line break", .malformed) { $0.change = { $0 + "\n" } },
        Fault("more than 16 KiB", .malformed) { $0.claims["long"] = quoted(String(repeating: "x", count: 13_000)) },
        Fault("a claim with a long name of combining marks", .malformed) {
            $0.claims[String(repeating: "\u{301}\u{323}", count: 65)] = quoted("x")
        },
        Fault("a header that is no JSON", .malformed) { $0.headerBytes = Array("alg=RS256".utf8) },
        Fault("a payload that is no JSON", .malformed) { $0.payloadBytes = Array("{".utf8) },
        Fault("a payload that is no object", .malformed) { $0.payloadBytes = Array("[]".utf8) },
        Fault("a payload that is no UTF-8", .malformed) { $0.payloadBytes = [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D] },
        Fault("JSON of great depth", .malformed) { $0.payloadBytes = Array(repeating: UInt8(ascii: "["), count: 9_000) },
        Fault("a payload after a byte order mark", .malformed) { $0.payloadBytes = [0xEF, 0xBB, 0xBF] + Array(json($0.claims).utf8) },
        Fault("an algorithm given twice", .malformed) { $0.header["alg"] = "\"RS256\",\"alg\":\"RS256\"" },
        Fault("a subject given twice", .malformed) { $0.claims["sub"] = "\"minji\",\"sub\":\"minji\"" },
        Fault("a subject given twice, once in escapes", .malformed) { $0.claims["sub"] = "\"minji\",\"s\\u0075b\":\"minji\"" },
        Fault("a name given twice in an inner object", .malformed) { $0.claims["realm"] = "{\"a\":1,\"a\":2}" },
        Fault("no algorithm", .malformed) { $0.header["alg"] = nil },
        Fault("a key name that is no text", .malformed) { $0.header["kid"] = "7" },
        Fault("no issuer", .malformed) { $0.claims["iss"] = nil },
        Fault("no subject", .malformed) { $0.claims["sub"] = nil },
        Fault("an empty subject", .malformed) { $0.claims["sub"] = "\"\"" },
        Fault("a subject of 256 bytes", .malformed) { $0.claims["sub"] = quoted(String(repeating: "s", count: 256)) },
        Fault("a subject with a NUL", .malformed) { $0.claims["sub"] = "\"min\\u0000ji\"" },
        Fault("a subject with a control character of C1", .malformed) { $0.claims["sub"] = "\"min\\u009bji\"" },
        Fault("a subject that reverses its reading", .malformed) { $0.claims["sub"] = "\"min\\u202eji\"" },
        Fault("a subject that is a number", .malformed) { $0.claims["sub"] = "7" },
        Fault("no audience", .malformed) { $0.claims["aud"] = nil },
        Fault("an audience that is a number", .malformed) { $0.claims["aud"] = "7" },
        Fault("an audience with a number", .malformed) { $0.claims["aud"] = "[\"app\",7]" },
        Fault("no expiry", .malformed) { $0.claims["exp"] = nil },
        Fault("an expiry that is text", .malformed) { $0.claims["exp"] = "\"1800003600\"" },
        Fault("an expiry beyond all time", .malformed) { $0.claims["exp"] = "1e300" },
        Fault("a time before 1970", .malformed) { $0.claims["iat"] = "-1" },
        Fault("no time of issue", .malformed) { $0.claims["iat"] = nil },
        Fault("a beginning that is null", .malformed) { $0.claims["nbf"] = "null" },
        Fault("a nonce that is a number", .malformed) { $0.claims["nonce"] = "1" },
        Fault("the type of a logout token", .malformed) { $0.header["typ"] = "\"logout+jwt\"" },
        Fault("the type of an access token, in full", .malformed) { $0.header["typ"] = "\"application/at+jwt\"" },
        Fault("a type of no name", .malformed) { $0.header["typ"] = "\"\"" },
        Fault("a type that is a number", .malformed) { $0.header["typ"] = "7" },
        Fault("the events of a logout token", .malformed) {
            $0.claims["events"] = "{\"http://schemas.openid.net/event/backchannel-logout\":{}}"
        },
        Fault("events that are null", .malformed) { $0.claims["events"] = "null" },
    ]

    @Test("token and nonce together have at most 16 KiB")
    func longNonce() async throws {
        let key = try TestKey(.rs256)
        let issuer = try TestIssuer([key.jwk()])
        let token = try TestToken(key).signed(by: key)
        let room = (16 << 10) - token.utf8.count
        #expect(await issuer.judge(token, nonce: String(repeating: "n", count: room)).refusal == .nonce)
        #expect(await issuer.judge(token, nonce: String(repeating: "n", count: room + 1)).refusal == .malformed)
    }

    /// The SHA-256 of the nonce `n-1`, as apps for Apple give it to the provider.
    private static let hashedNonce = SHA256.hash(data: Array("n-1".utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()

    @Test("C1, C7: a token broken in one check alone gets that check's reason, and the next good one signs in", arguments: faults)
    func fault(_ fault: Fault) async throws {
        let key = try TestKey(.rs256)
        let other = try TestKey(.es256, name: "other")
        // k2 has the algorithm too, so that a token must name its key.
        let issuer = try TestIssuer([key.jwk(), try TestKey(.rs256, name: "k2", rsaKey: 1).jwk(), other.jwk()])
        var token = TestToken(key)
        fault.apply(&token)
        #expect(await issuer.judge(try token.signed(by: key), nonce: fault.nonce).refusal == fault.refusal)
        #expect(await issuer.judge(try TestToken(key).signed(by: key)).account == AccountID(issuer: "https://id.example", subject: "minji"))
    }

    @Test("C1: of two faults, the one of the earlier check is told", arguments: zip(faults, faults.dropFirst()))
    func order(_ first: Fault, _ second: Fault) async throws {
        // Faults of the same check exclude each other, and faults of the payload's bytes or of the nonce hide others.
        guard first.refusal != second.refusal, second.nonce == "n-1", first.nonce == "n-1" else { return }
        let key = try TestKey(.rs256)
        let issuer = try TestIssuer([key.jwk(), try TestKey(.rs256, name: "k2", rsaKey: 1).jwk(), try TestKey(.es256, name: "other").jwk()])
        var token = TestToken(key)
        second.apply(&token)
        first.apply(&token)
        #expect(await issuer.judge(try token.signed(by: key)).refusal == first.refusal)
    }

    @Test("Every refusal but a replay, which is the store's, has a fault in the table")
    func isComplete() {
        #expect(Set(Self.faults.map(\.refusal)) == Set(IDTokenRefusal.allCases).subtracting([.replayed]))
    }

    @Test("C1: every algorithm signs in, and its signature is no other key's", arguments: IDTokenAlgorithm.allCases)
    func algorithms(_ algorithm: IDTokenAlgorithm) async throws {
        let key = try TestKey(algorithm)
        let stranger = try TestKey(algorithm, rsaKey: 1)
        let issuer = try TestIssuer([key.jwk()], ["algorithms": "[\"\(algorithm.rawValue)\"]"])
        let token = try TestToken(key).signed(by: key)
        let verified = try await issuer.judge(token).get()
        #expect(verified.account == AccountID(issuer: "https://id.example", subject: "minji"))
        #expect(verified.hash == Array(SHA256.hash(data: Array(token.split(separator: ".").prefix(2).joined(separator: ".").utf8))))
        #expect(verified.expireTime == Timestamp(microseconds: 1_800_003_900_000_000))
        #expect(await issuer.judge(try TestToken(key).signed(by: stranger)).refusal == .signature)
    }

    @Test("C1: a public key is no shared secret")
    func confusion() async throws {
        let key = try TestKey(.rs256)
        let issuer = try TestIssuer([key.jwk()])
        var token = TestToken(key)
        token.header["alg"] = "\"HS256\""
        let message = Base64URL.encode(Array(json(token.header).utf8)) + "." + Base64URL.encode(Array(json(token.claims).utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array(message.utf8), using: SymmetricKey(data: Array(try key.jwk().utf8)))
        #expect(await issuer.judge("\(message).\(Base64URL.encode(Array(code)))").refusal == .algorithm)
    }

    @Test("C2: issuer and alias with one subject are one account")
    func alias() async throws {
        let key = try TestKey(.es256)
        let issuer = try TestIssuer([key.jwk()])
        var token = TestToken(key)
        token.claims["iss"] = "\"id.example\""
        let accounts = [await issuer.judge(try token.signed(by: key)).account, await issuer.judge(try TestToken(key).signed(by: key)).account]
        #expect(accounts == Array(repeating: AccountID(issuer: "https://id.example", subject: "minji"), count: 2))
    }

    @Test("Without a name, the one key that fits is taken; a key without a name is not there for tokens that name one")
    func unnamedKey() async throws {
        let key = try TestKey(.es256, name: nil)
        let issuer = try TestIssuer([key.jwk(), try TestKey(.edDSA).jwk()])
        #expect(await issuer.judge(try TestToken(key).signed(by: key)).account != nil)
        var token = TestToken(key)
        token.header["kid"] = "\"k1\""
        #expect(await issuer.judge(try token.signed(by: key)).refusal == .keyUnknown)
    }

    @Test("Audiences, authorised party, times with fractions and a claim that nobody looks at")
    func accepted() async throws {
        let key = try TestKey(.edDSA)
        let issuer = try TestIssuer([key.jwk()])
        let changes: [[String: String]] = [
            ["aud": "[\"game\",\"other\"]", "azp": "\"app\""], ["exp": "1799999940.5"], ["iat": "1800000060", "nbf": "1800000060"],
            ["iat": "1799913601"], ["email": "\"minji@example.org\"", "nested": "{\"deep\":[[[1]]]}"], ["exp": "253402300799"],
            ["nonce": quoted(Self.hashedNonce)],
        ]
        for change in changes {
            var token = TestToken(key)
            for (name, value) in change { token.claims[name] = value }
            #expect(await issuer.judge(try token.signed(by: key)).refusal == nil, "\(change)")
        }
    }

    @Test(
        "The type in the header is that of a JWT, in full or not, or there is none",
        arguments: [nil, "JWT", "jwt", "application/jwt", "Application/JWT"] as [String?])
    func headerType(_ name: String?) async throws {
        let key = try TestKey(.edDSA)
        let issuer = try TestIssuer([key.jwk()])
        var token = TestToken(key)
        token.header["typ"] = name.map(quoted)
        #expect(await issuer.judge(try token.signed(by: key)).refusal == nil)
    }

    @Test(
        "C3: a use is remembered until no permitted setting takes the token, so that a reload permits no second use",
        arguments: [("1800003600", 3_900), ("253402300799", 2_592_000)])
    func remembered(_ expiry: String, seconds: Int) async throws {
        let key = try TestKey(.edDSA)
        var token = TestToken(key)
        token.claims["exp"] = expiry
        let text = try token.signed(by: key)
        let end = TestToken.now.advanced(by: .seconds(Int64(seconds)))
        let lowest = try TestIssuer([key.jwk()], ["maximum_age_seconds": "60", "clock_skew_seconds": "0"])
        #expect(try await lowest.judge(text).get().expireTime == end)
        let highest = try TestIssuer([key.jwk()], ["maximum_age_seconds": "2592000", "clock_skew_seconds": "300"])
        highest.time.advance(Int64(seconds) - 1)
        #expect(try await highest.judge(text).get().expireTime == end)
        highest.time.advance(1)
        #expect(await highest.judge(text).refusal == .expired)
    }

    @Test("A token that would last for ever signs in for the maximum age")
    func longToken() async throws {
        let key = try TestKey(.edDSA)
        let issuer = try TestIssuer([key.jwk()], ["maximum_age_seconds": "600"])
        var token = TestToken(key)
        token.claims["exp"] = "253402300799"
        let text = try token.signed(by: key)
        issuer.time.advance(599)
        #expect(await issuer.judge(text).refusal == nil)
        issuer.time.advance(1)
        #expect(await issuer.judge(text).refusal == .expired)
    }

    @Test("The nonce is this server's, the request's, or nobody's, as the configuration says")
    func noncePolicy() async throws {
        let key = try TestKey(.edDSA)
        var without = TestToken(key)
        without.claims["nonce"] = nil
        let off = try TestIssuer([key.jwk()], ["nonce": "\"off\""])
        #expect(try await off.judge(try without.signed(by: key), nonce: "").get().needsServerNonce == false)
        let server = try TestIssuer([key.jwk()], ["nonce": "\"server\""])
        #expect(try await server.judge(try TestToken(key).signed(by: key)).get().needsServerNonce)
        #expect(await server.judge(try without.signed(by: key)).refusal == .nonce)
    }

    @Test("Where clients hash their nonces, the claim of a found token is no nonce")
    func foundToken() async throws {
        let key = try TestKey(.edDSA)
        let issuer = try TestIssuer([key.jwk()], ["nonce": "\"client-hashed\""])
        let hashed = try TestToken(key, nonce: Self.hashedNonce).signed(by: key)
        #expect(try await issuer.judge(hashed).get().needsServerNonce == false)
        #expect(await issuer.judge(hashed, nonce: Self.hashedNonce).refusal == .nonce)
        #expect(await issuer.judge(try TestToken(key).signed(by: key)).refusal == .nonce)
    }
}
