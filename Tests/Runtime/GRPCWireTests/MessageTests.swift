import TestHarness
import Testing

@testable import GRPCWire

/// Messages within DATA, and their compression.
@Suite struct MessageTests {
    private func framed(_ message: [UInt8], flag: UInt8 = 0) -> [UInt8] {
        let count = UInt32(message.count)
        return [flag] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + message
    }

    /// Feeds the bytes in pieces of a size and records the events.
    private func assemble(_ bytes: [UInt8], pieces size: Int, limit: Int = 1000) -> [String] {
        var assembler = MessageAssembler(limit: limit)
        var log: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { piece in
                var input = piece
                while let step = assembler.next(&input) {
                    switch step {
                    case .message(let isCompressed, let message): log.append((isCompressed ? "compressed " : "") + "\(Array(message))")
                    case .oversized(let count): return log.append("oversized \(count)")
                    case .malformed: return log.append("malformed")
                    case .noMemory: return log.append("no memory")
                    }
                }
            }
        }
        log.append("unfinished \(assembler.unfinishedByteCount)")
        return log
    }

    @Test("messages are the same however DATA cuts them", arguments: 1...40)
    func pieces(_ size: Int) {
        let bytes = framed([1, 2, 3]) + framed([]) + framed([4], flag: 1) + framed(Array(repeating: 5, count: 30)) + [0, 0]
        let expected = ["[1, 2, 3]", "[]", "compressed [4]", "\([UInt8](repeating: 5, count: 30))", "unfinished 2"]
        #expect(assemble(bytes, pieces: size) == expected)
    }

    @Test("a message over the limit is known by its prefix; so is an unknown flag", arguments: [1, 5, 100])
    func refused(_ size: Int) {
        #expect(assemble([0, 0, 0, 3, 233], pieces: size).first == "oversized 1001")
        #expect(assemble([0, 0, 0, 3, 232], pieces: size) == ["unfinished 5"])
        #expect(assemble([0, 255, 255, 255, 255], pieces: size).first == "oversized 4294967295")
        #expect(assemble([2, 0, 0, 0, 0], pieces: size).first == "malformed")
    }

    @Test("what is compressed comes back", arguments: [MessageEncoding.gzip, .deflate], [0, 1, 1000, 100_000])
    func compression(_ encoding: MessageEncoding, _ count: Int) throws {
        var random = SeededRandom(seed: 7)
        for message in [[UInt8](repeating: 1, count: count), (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }] {
            let compressed = try #require(encoding.compress(message))
            #expect(try compressed.withUnsafeBytes { try encoding.decompress($0, limit: count) } == message)
            guard count > 0 else { continue }
            #expect(throws: MessageEncoding.Failure.self) { try compressed.withUnsafeBytes { try encoding.decompress($0, limit: count - 1) } }
            #expect(throws: MessageEncoding.Failure.self) { try compressed.dropLast().withUnsafeBytes { try encoding.decompress($0, limit: count) } }
            #expect(throws: MessageEncoding.Failure.self) { try (compressed + [0]).withUnsafeBytes { try encoding.decompress($0, limit: count) } }
        }
    }

    @Test("a message that compression does not make smaller is sent as it is", arguments: [MessageEncoding.gzip, .deflate])
    func incompressible(_ encoding: MessageEncoding) throws {
        var random = SeededRandom(seed: 7)
        let noise = (0..<1_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let body = OutboundBody()
        #expect(body.append(serialized: noise, encoding: encoding) == 1_005)
        #expect(Array(body.buffer.bytes) == [0, 0, 0, 3, 232] + noise)
        let count = try #require(body.append(serialized: [UInt8](repeating: 1, count: 1_000), encoding: encoding))
        #expect(count < 100)
        #expect(body.buffer.bytes[1_005] == 1)
    }

    @Test("a bomb stops at the limit")
    func bomb() throws {
        let bomb = try #require(MessageEncoding.gzip.compress([UInt8](repeating: 0, count: 50 << 20)))
        #expect(bomb.count < 100_000)
        #expect {
            try bomb.withUnsafeBytes { try MessageEncoding.gzip.decompress($0, limit: 1 << 20) }
        } throws: { error in
            if case MessageEncoding.Failure.oversized(limit: 1 << 20) = error { true } else { false }
        }
    }

    @Test("gzip is taken before deflate, and neither where the peer reads neither")
    func preference() {
        let choices: [(String, MessageEncoding)] = [
            ("gzip ,deflate", .gzip), ("identity ,\t gzip \t, br", .gzip), ("deflate ", .deflate), ("g zip", .identity), (" , ,", .identity),
            ("identity,deflate,gzip", .gzip), ("deflate, identity", .deflate), ("br, gzip", .gzip), ("identity", .identity), ("", .identity),
        ]
        for (names, choice) in choices { #expect(Array(names.utf8).withUnsafeBytes { MessageEncoding.preferred(among: $0) } == choice) }
    }
}
