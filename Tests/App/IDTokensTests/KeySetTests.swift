import Dispatch
import FoundationEssentials
import Glibc
import PulseBoardDomain
import Synchronization
import TestHarness
import TestIdentityProvider
import Testing

@testable import IDTokens

@Suite("Keys of an issuer") struct KeySetTests {
    @Test("C5: keys that are added to or removed from the file count within a second")
    func rotation() async throws {
        let (old, new) = (try TestKey(.es256, name: "old"), try TestKey(.es256, name: "new"))
        let issuer = try TestIssuer([old.jwk()])
        let tokens = (try TestToken(old).signed(by: old), try TestToken(new).signed(by: new))
        #expect(await issuer.judge(tokens.0).refusal == nil)
        #expect(await issuer.judge(tokens.1).refusal == .keyUnknown)
        try write([old.jwk(), new.jwk()], to: issuer.path)
        #expect(await issuer.judge(tokens.1).refusal == .keyUnknown, "it is looked at once a second")
        issuer.time.advance(1)
        #expect(await issuer.judge(tokens.1).refusal == nil)
        try write([new.jwk()], to: issuer.path)
        issuer.time.advance(1)
        #expect(await issuer.judge(tokens.0).refusal == .keyUnknown)
        #expect(await issuer.judge(tokens.1).refusal == nil)
        try write([], to: issuer.path)
        issuer.time.advance(1)
        #expect(await issuer.judge(tokens.1).refusal == .keyUnknown, "an empty set is a set")
    }

    @Test("C5: another key of the same name, in a file that is overwritten in place and as long as before, counts too")
    func inPlace() async throws {
        let (old, new) = (try TestKey(.edDSA), try TestKey(.edDSA))
        let issuer = try TestIssuer([old.jwk()])
        #expect(await issuer.judge(try TestToken(old).signed(by: old)).refusal == nil)
        try Data("{\"keys\":[\(new.jwk())]}".utf8).write(to: URL(filePath: issuer.path))
        issuer.time.advance(1)
        #expect(await issuer.judge(try TestToken(new).signed(by: new)).refusal == nil)
        #expect(await issuer.judge(try TestToken(old).signed(by: old)).refusal == .signature)
    }

    @Test(
        "C6: a file that is no set of keys leaves the last good keys and one line in the log, however often it is looked at",
        arguments: ["", "{\"keys\":[", "[]", "{}", "{\"keys\":{}}", "not json", String(repeating: " ", count: 1 << 20) + " {\"keys\":[]}"])
    func badFile(_ text: String) async throws {
        let key = try TestKey(.es256)
        let issuer = try TestIssuer([key.jwk()])
        let token = try TestToken(key).signed(by: key)
        try replace(issuer.path, text)
        for _ in 1...3 {
            issuer.time.advance(1)
            #expect(await issuer.judge(token).refusal == nil)
        }
        #expect(issuer.log.lines.count == 1, "\(issuer.log.lines)")
        let status = issuer.tokens.issuers()[0]
        #expect(status.keyCount == 1 && status.problem != nil && status.keysTime != nil)
        try write([key.jwk()], to: issuer.path)
        issuer.time.advance(1)
        // Asking for the state has the new file read, before anybody signs in.
        await until { issuer.tokens.issuers()[0].problem == nil }
        #expect(await issuer.judge(token).refusal == nil)
        #expect(issuer.log.lines.count == 1)
    }

    @Test("C6: a file that is gone, a folder and a pipe leave the last good keys")
    func noFile() async throws {
        let key = try TestKey(.es256)
        let issuer = try TestIssuer([key.jwk()])
        let token = try TestToken(key).signed(by: key)
        for make in [{ @Sendable _ in 0 }, { @Sendable path in mkdir(path, 0o755) }, { @Sendable path in mkfifo(path, 0o644) }]
            as [@Sendable (String) -> Int32]
        {
            try FileManager.default.removeItem(atPath: issuer.path)
            try #require(make(issuer.path) == 0)
            issuer.time.advance(1)
            #expect(await issuer.judge(token).refusal == nil)
            if access(issuer.path, F_OK) != 0 { try write([], to: issuer.path) }
        }
        #expect(issuer.log.lines.count == 2, "\(issuer.log.lines)")
    }

    @Test("C6: while the file system hangs, one caller waits for it; the others use the last good keys, and nobody looks at the file a second time")
    func hangingFile() async throws {
        let (old, new) = (try TestKey(.es256, name: "old"), try TestKey(.es256, name: "new"))
        let issuer = try TestIssuer([old.jwk()])
        let (time, disk) = (issuer.time, HangingDisk())
        let text = "{\"issuers\":[{\"name\":\"example\",\"issuer\":\"https://id.example\",\"audiences\":[\"app\"],\"algorithms\":[\"ES256\"],"
            + "\"jwks_file\":\"keys.json\",\"nonce\":\"client\"}]}"
        let tokens = ConfiguredIDTokens(
            try IDTokenConfiguration(json: Array(text.utf8), directory: issuer.folder), clock: time, logger: issuer.log.logger, uptime: time.uptime,
            files: disk)
        let (former, latter) = (try TestToken(old).signed(by: old), try TestToken(new).signed(by: new))
        @Sendable func refusal(_ token: String) async -> IDTokenRefusal? {
            do throws(IDTokenRefusal) {
                _ = try await tokens.verify(token, nonce: "n-1", at: time.now())
                return nil
            } catch {
                return error
            }
        }
        try write([new.jwk()], to: issuer.path)
        time.advance(1)
        let waiting = Task { await refusal(latter) }
        await until { disk.waitingCount == 1 }
        for _ in 1...3 {
            time.advance(1)
            #expect(tokens.issuers()[0].keyCount == 1)
            #expect(await refusal(former) == nil)
            #expect(await refusal(latter) == .keyUnknown)
        }
        #expect(disk.waitingCount == 1)
        disk.mend()
        #expect(await waiting.value == nil)
        await until { await refusal(latter) == nil }
        #expect(await refusal(former) == .keyUnknown)
    }

    @Test("C6: an issuer whose file is not there yet starts without keys, and has them once it comes")
    func lateFile() async throws {
        let key = try TestKey(.es256)
        let issuer = try TestIssuer([key.jwk()], ["jwks_file": "\"later.json\""])
        let token = try TestToken(key).signed(by: key)
        #expect(await issuer.judge(token).refusal == .keyUnknown)
        #expect(issuer.log.lines.count == 1)
        try write([key.jwk()], to: issuer.folder + "/later.json")
        issuer.time.advance(1)
        #expect(await issuer.judge(token).refusal == nil)
    }

    @Test("C6: a key that is not understood is passed over and told, and the others stay")
    func strangeKeys() throws {
        let (rsa, curve) = (try TestKey(.rs256, name: "rsa"), try TestKey(.es256, name: "curve"))
        let offCurve = Base64URL.encode(Array(repeating: 7, count: 32))
        let strange = [
            "{\"kty\":\"oct\",\"k\":\"AAAA\",\"kid\":\"shared\"}", "{\"kty\":\"future\",\"kid\":\"f\"}", "7", "null", "[]", "{}", "{\"kty\":7}",
            try rsa.jwk(["use": "enc", "kid": "enc"]), try rsa.jwk(["alg": "RSA-OAEP", "kid": "oaep"]), try rsa.jwk(["alg": "ES256", "kid": "no"]),
            try rsa.jwk(["n": "AQAB", "kid": "short"]), try rsa.jwk(["e": "AQ", "kid": "one"]), try rsa.jwk(["n": nil, "kid": "none"]),
            try rsa.jwk(["n": "!", "kid": "no base64"]), try rsa.jwk(["n": Base64URL.encode(Array(repeating: 0xFF, count: 1_025)), "kid": "long"]),
            try rsa.jwk(["e": "AQABAQAB", "kid": "wide"]), try rsa.jwk(["kid": ""]), try rsa.jwk(["kid": String(repeating: "k", count: 257)]),
            try curve.jwk(["x": offCurve, "kid": "off"]), try curve.jwk(["crv": "secp256k1", "kid": "bitcoin"]),
            try curve.jwk(["crv": "P-384", "kid": "wrong"]), try curve.jwk(["x": "AQ", "kid": "tiny"]), try curve.jwk(["alg": "EdDSA", "kid": "ed"]),
            try rsa.jwk(),
        ]
        let keys = try [rsa.jwk(), curve.jwk()] + strange
        let set = try JSONWebKeySet(json: Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8), algorithms: IDTokenAlgorithm.allCases)
        #expect(set.descriptions == ["rsa RS256", "curve ES256"])
        #expect(set.passedOver.map(\.index) == Array(2..<keys.count), "\(set.passedOver)")
        #expect(set.passedOver.allSatisfy { !$0.why.english.isEmpty && $0.why.korean != $0.why.english })
    }

    @Test("An RSA key that does not say its algorithm has the first of the issuer's, and no token chooses another")
    func settledAlgorithm() async throws {
        let key = try TestKey(.rs256)
        let issuer = try TestIssuer([key.jwk(["alg": nil])], ["algorithms": "[\"ES256\",\"RS256\",\"PS256\"]"])
        var token = TestToken(try TestKey(.ps256))
        #expect(await issuer.judge(try token.signed(by: try TestKey(.ps256))).refusal == .keyUnknown)
        token = TestToken(key)
        #expect(await issuer.judge(try token.signed(by: key)).refusal == nil)
    }

    @Test("A set has at most 100 keys")
    func tooManyKeys() throws {
        let keys = try (0...100).map { try TestKey(.edDSA, name: "k\($0)").jwk() }
        let set = try JSONWebKeySet(json: Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8), algorithms: [.edDSA])
        #expect(set.count == 100 && set.passedOver.map(\.index) == [100])
    }
}

/// Runs what reads files, once the disk no longer hangs.
private final class HangingDisk: TaskExecutor {
    private let state = Mutex((hangs: true, jobs: [UnownedJob]()))

    /// What waits for the disk.
    var waitingCount: Int { state.withLock { $0.jobs.count } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let waits = state.withLock { state in
            if state.hangs { state.jobs.append(job) }
            return state.hangs
        }
        if !waits { run(job) }
    }

    func mend() {
        let jobs = state.withLock { state in
            defer { state = (false, []) }
            return state.jobs
        }
        for job in jobs { run(job) }
    }

    private func run(_ job: UnownedJob) {
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
