import PulseBoardDomain
import TestHarness
import TestIdentityProvider
import Testing

@testable import IDTokens

/// Tokens and key sets with random changes, the same in each run.
@Suite("Changed tokens and key sets") struct MutationTests {
    private func mutate(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[at] ^= 1 << UInt8.random(in: 0...6, using: &random)
            case 1: bytes[at] = .random(in: 0...127, using: &random)
            case 2: bytes.insert(.random(in: 0...127, using: &random), at: at)
            default: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...8, using: &random)))
            }
        }
        return bytes
    }

    @Test("No changed token signs in, whatever was changed", arguments: [IDTokenAlgorithm.edDSA, .es256, .rs256])
    func tokens(_ algorithm: IDTokenAlgorithm) async throws {
        let key = try TestKey(algorithm)
        let issuer = try TestIssuer([key.jwk()])
        let token = try TestToken(key).signed(by: key)
        var random = SeededRandom(seed: 0x1D70)
        for _ in 0..<1_000 {
            let changed = String(decoding: mutate(Array(token.utf8), &random), as: UTF8.self)
            guard changed != token else { continue }
            #expect(await issuer.judge(changed).refusal != nil, "\(changed)")
        }
        #expect(await issuer.judge(token).refusal == nil)
    }

    @Test("Changed claims and headers under a good signature are judged, and nothing ends the process")
    func signedChanges() async throws {
        let key = try TestKey(.edDSA)
        let issuer = try TestIssuer([key.jwk()])
        var random = SeededRandom(seed: 0x1D71)
        for round in 0..<1_000 {
            var token = TestToken(key)
            if round % 2 == 0 {
                token.payloadBytes = mutate(Array(json(token.claims).utf8), &random)
            } else {
                token.headerBytes = mutate(Array(json(token.header).utf8), &random)
            }
            if let account = await issuer.judge(try token.signed(by: key)).account { #expect(account.issuer == "https://id.example") }
        }
    }

    @Test("A changed file of keys is read or refused, and every key in it is read by itself")
    func keySets() throws {
        let keys = try [TestKey(.edDSA, name: "a"), TestKey(.es256, name: "b"), TestKey(.rs256, name: "c")].map { try $0.jwk() }
        let text = Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8)
        var random = SeededRandom(seed: 0x1D72)
        var read = 0
        for _ in 0..<1_000 {
            guard let set = try? JSONWebKeySet(json: mutate(text, &random), algorithms: IDTokenAlgorithm.allCases) else { continue }
            read += 1
            #expect(set.count <= 3)
        }
        #expect(read > 0)
    }
}
