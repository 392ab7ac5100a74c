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
    /// A configuration of issuers whose keys are in one folder. Each has the usual members, in JSON, and others in addition or instead of them.
    private func configuration(_ folder: String, _ issuers: [[String: String]]) throws -> IDTokenConfiguration {
        let usual = [
            "name": "\"example\"", "issuer": "\"https://id.example\"", "audiences": "[\"app\"]", "algorithms": "[\"RS256\",\"ES256\",\"EdDSA\"]",
            "jwks_file": "\"keys.json\"", "nonce": "\"client\"",
        ]
        let entries = issuers.map { changes in json(usual.merging(changes) { $1 }) }
        return try IDTokenConfiguration(json: Array("{\"issuers\":[\(entries.joined(separator: ","))]}".utf8), directory: folder)
    }

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
        let tokens = ConfiguredIDTokens(
            try configuration(issuer.folder, [[:]]), clock: time, logger: issuer.log.logger, uptime: time.uptime, files: { disk })
        let (former, latter) = (try TestToken(old).signed(by: old), try TestToken(new).signed(by: new))
        try write([new.jwk()], to: issuer.path)
        time.advance(1)
        let waiting = Task { await tokens.refusal(latter, at: time) }
        await until { disk.waitingCount == 1 }
        for _ in 1...3 {
            time.advance(1)
            #expect(tokens.issuers()[0].keyCount == 1)
            #expect(await tokens.refusal(former, at: time) == nil)
            #expect(await tokens.refusal(latter, at: time) == .keyUnknown)
        }
        #expect(disk.waitingCount == 1)
        disk.mend()
        #expect(await waiting.value == nil)
        await until { await tokens.refusal(latter, at: time) == nil }
        #expect(await tokens.refusal(former, at: time) == .keyUnknown)
    }

    @Test("C5: issuers whose file systems hang keep no other issuer from its new keys")
    func hangingNeighbours() async throws {
        let (old, new) = (try TestKey(.es256, name: "old"), try TestKey(.es256, name: "new"))
        let issuer = try TestIssuer([old.jwk()])
        let (time, disks) = (issuer.time, HangingDisks())
        let names = ["a", "b", "c"]
        let tokens = ConfiguredIDTokens(
            try configuration(issuer.folder, names.map { ["name": quoted($0), "issuer": quoted("https://\($0).example")] }), clock: time,
            logger: issuer.log.logger, uptime: time.uptime, files: { disks.next() })
        // Otherwise a sign-in below would wait for a disk that is mended only after it.
        try #require(disks.all.count == names.count)
        let (first, second, third) = (disks.all[0], disks.all[1], disks.all[2])
        let texts = try names.map { name in
            var token = TestToken(new)
            token.claims["iss"] = quoted("https://\(name).example")
            return try token.signed(by: new)
        }
        try write([new.jwk()], to: issuer.path)
        time.advance(1)
        third.mend()
        let waiting = texts.prefix(2).map { text in Task { await tokens.refusal(text, at: time) } }
        await until { first.waitingCount == 1 && second.waitingCount == 1 }
        #expect(await tokens.refusal(texts[2], at: time) == nil)
        first.mend()
        second.mend()
        for task in waiting { #expect(await task.value == nil) }
    }

    @Test("C6: an edited issuer keeps its keys across a reload that cannot read its file, if it is the same issuer, file and algorithms")
    func editedIssuer() async throws {
        let key = try TestKey(.es256)
        let issuer = try TestIssuer([key.jwk()])
        let (time, token) = (issuer.time, try TestToken(key).signed(by: key))
        try FileManager.default.removeItem(atPath: issuer.path)
        func reload(_ changes: [String: String]) throws -> ConfiguredIDTokens {
            ConfiguredIDTokens(
                try configuration(issuer.folder, [changes]), succeeding: issuer.tokens, clock: time, logger: issuer.log.logger, uptime: time.uptime)
        }
        let edited = try reload(["name": "\"renamed\"", "clock_skew_seconds": "0"])
        #expect(await edited.refusal(token, at: time) == nil)
        let status = edited.issuers()[0]
        #expect(status.name == "renamed" && status.keyCount == 1 && status.problem != nil)
        #expect(issuer.log.lines.count == 1 && issuer.log.lines[0].contains("renamed"), "\(issuer.log.lines)")
        let others = [
            ["issuer": "\"https://other.example\"", "aliases": "[\"https://id.example\"]"], ["jwks_file": "\"other.json\""],
            ["algorithms": "[\"ES256\"]"],
        ]
        for other in others { #expect(try await reload(other).refusal(token, at: time) == .keyUnknown, "\(other)") }
    }

    @Test("C6: a file of keys is read whatever time it has, and a time that no message has becomes the nearest one")
    func anyTime() async throws {
        #expect(IssuerKeys.instant(seconds: 1_800_000_000, nanoseconds: 7_000) == Timestamp(microseconds: 1_800_000_000_000_007))
        #expect(IssuerKeys.instant(seconds: .max, nanoseconds: 999_999_999) == Timestamp(microseconds: 253_402_300_799_999_999))
        #expect(IssuerKeys.instant(seconds: .min, nanoseconds: 0) == Timestamp(microseconds: -62_135_596_800_000_000))
        let key = try TestKey(.es256)
        let issuer = try TestIssuer([])
        let token = try TestToken(key).signed(by: key)
        for seconds in [Int.max, Int.min] {
            try write([], to: issuer.path)
            issuer.time.advance(1)
            #expect(await issuer.judge(token).refusal == .keyUnknown)
            try write([key.jwk()], to: issuer.path)
            // Some file systems, such as tmpfs, keep this time. The others take the nearest that they can.
            let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
            try #require(utimensat(AT_FDCWD, issuer.path, times, 0) == 0)
            issuer.time.advance(1)
            #expect(await issuer.judge(token).refusal == nil)
            #expect(issuer.tokens.issuers()[0].keysTime != nil)
        }
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

extension ConfiguredIDTokens {
    /// Why a token is refused at the clock's time; `nil` if it signs in.
    fileprivate func refusal(_ token: String, at time: TestTime) async -> IDTokenRefusal? {
        do throws(IDTokenRefusal) {
            _ = try await verify(token, nonce: "n-1", at: time.now())
            return nil
        } catch {
            return error
        }
    }
}

/// Disks that hang, a new one each time.
private final class HangingDisks: Sendable {
    private let made = Mutex<[HangingDisk]>([])

    var all: [HangingDisk] { made.withLock { $0 } }

    func next() -> HangingDisk {
        let disk = HangingDisk()
        made.withLock { $0.append(disk) }
        return disk
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
