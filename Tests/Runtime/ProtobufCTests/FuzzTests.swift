import ProtobufWellKnownTypes
import TestHarness
import Testing

@testable import ProtobufC

/// Seeded fuzz tests of all parsers. A failure names the seed and the input. Each failure that was found has its own test.
@Suite struct FuzzTests {
    private static let seed: UInt64 = 0x5015_EB0A_2D00_0001

    /// A copy of `bytes` with one to four changes that often find errors in parsers.
    static func mutated(_ bytes: [UInt8], _ generator: inout SeededRandom) -> [UInt8] {
        var result = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let at = Int.random(in: 0...result.count, using: &generator)
            let end = min(result.count, at + Int.random(in: 0...8, using: &generator))
            switch Int.random(in: 0..<6, using: &generator) {
            case 0 where at < result.count: result[at] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            case 1 where at < result.count: result[at] = .random(in: 0...255, using: &generator)
            case 2: result.insert(.random(in: 0...255, using: &generator), at: at)
            case 3: result.removeSubrange(at..<end)
            case 4: result.insert(contentsOf: result[at..<end], at: Int.random(in: 0...result.count, using: &generator))
            default: result = Array(result.prefix(max(at, result.count / 2)))
            }
        }
        return result
    }

    /// Decodes bytes. An accepted message must be the same after encoding and decoding. Bytes are compared, because NaN is
    /// not equal to NaN.
    private func decodeAndCompare<M: Message>(_ type: M.Type, _ bytes: [UInt8]) -> Bool {
        do {
            let message = try M(serializedBytes: bytes)
            let encoded = try message.serializedBytes()
            let again = try M(serializedBytes: encoded)
            if try again.serializedBytes() != encoded {
                Issue.record("seed \(Self.seed): \(M.self) changes on its second way: \(bytes)")
            }
            return true
        } catch DecodingError.malformed(_, .refusedByParser) {
            Issue.record("seed \(Self.seed): the checks passed what protobuf-c refuses: \(M.self) \(bytes)")
        } catch is DecodingError {
        } catch {
            Issue.record("seed \(Self.seed): \(M.self) \(bytes): \(error)")
        }
        return false
    }

    @Test("Random bytes are decoded or refused, never more")
    func randomBytes() {
        print("seed \(Self.seed)")
        var generator = SeededRandom(seed: Self.seed)
        for _ in 0..<5000 {
            let count = Int.random(in: 0...40, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = decodeAndCompare(Node.self, bytes)
            _ = decodeAndCompare(Lists.self, bytes)
            _ = decodeAndCompare(Scalars.self, bytes)
        }
    }

    @Test("Mutations of good messages are decoded or refused, and what is decoded comes back the same")
    func mutations() throws {
        print("seed \(Self.seed)")
        var generator = SeededRandom(seed: Self.seed)
        let tree = try SampleMessages.tree.serializedBytes()
        let lists = try SampleMessages.lists.serializedBytes()
        let scalars = try SampleMessages.highScalars.serializedBytes()
        let wellKnown = try WellKnown(jsonString: JSONWellKnownTests.everything, options: JSONWellKnownTests.decoding)
            .serializedBytes()
        var accepted = 0
        for _ in 0..<2500 {
            if decodeAndCompare(Node.self, Self.mutated(tree, &generator)) { accepted += 1 }
            if decodeAndCompare(Node.self, Self.mutated(tree + tree, &generator)) { accepted += 1 }
            if decodeAndCompare(Lists.self, Self.mutated(lists, &generator)) { accepted += 1 }
            if decodeAndCompare(Scalars.self, Self.mutated(scalars, &generator)) { accepted += 1 }
            if decodeAndCompare(WellKnown.self, Self.mutated(wellKnown, &generator)) { accepted += 1 }
        }
        #expect(accepted > 500, "the mutations are so wild that nothing gets past the first check")
    }

    @Test("Mutated JSON is read or refused, and what is read is written the same twice")
    func json() throws {
        print("seed \(Self.seed)")
        var generator = SeededRandom(seed: Self.seed)
        let texts = [
            try SampleMessages.tree.jsonUTF8Bytes(), Array(#"{"name":"\ud83d\ude00\n","number":1e2,"nodesById":{"-1":{}}}"#.utf8),
        ]
        let wellKnown = Array(JSONWellKnownTests.everything.utf8)
        var accepted = 0
        for _ in 0..<1500 {
            for text in texts where jsonIsStable(Node.self, Self.mutated(text, &generator)) { accepted += 1 }
            if jsonIsStable(WellKnown.self, Self.mutated(wellKnown, &generator)) { accepted += 1 }
        }
        #expect(accepted > 40, "the mutations are so wild that nothing gets past the parser")
    }

    private func jsonIsStable<M: Message>(_ type: M.Type, _ text: [UInt8]) -> Bool {
        guard let message = try? M(jsonUTF8Bytes: text, options: JSONWellKnownTests.decoding) else { return false }
        do {
            let written = try message.jsonUTF8Bytes(options: JSONWellKnownTests.encoding)
            let again = try M(jsonUTF8Bytes: written, options: JSONWellKnownTests.decoding)
            if try again.jsonUTF8Bytes(options: JSONWellKnownTests.encoding) != written {
                Issue.record("seed \(Self.seed): \(String(decoding: text, as: UTF8.self))")
            }
        } catch {
            Issue.record("seed \(Self.seed): \(String(decoding: text, as: UTF8.self)): \(error)")
        }
        return true
    }
}
