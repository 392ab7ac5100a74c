import Foundation
import ProtobufWellKnownTypes
import RPCCore
import TestHarness
import Testing

@testable import TTRPCWire

/// Random and mutated conversations. Each run prints its seed. `PULSEBOARD_FUZZ_SEED` repeats a run; `PULSEBOARD_FUZZ_ROUNDS` sets its
/// length.
@Suite struct FuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    static let seed = environment["PULSEBOARD_FUZZ_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0 ... .max)
    static let rounds = environment["PULSEBOARD_FUZZ_ROUNDS"].flatMap(Int.init) ?? 4_000

    /// Answers at random, and keeps the counts that must hold.
    private final class Peer: ServerCallEvents {
        let session: ServerSession
        var random: SeededRandom
        var begun: Set<CallID> = []
        var open: Set<CallID> = []
        var answers = 0
        /// Refused frames and cancels. Only refused frames are answered.
        var ends = 0

        init(limit: Int, random: SeededRandom) {
            session = ServerSession(maximumMessageByteCount: limit, now: { 1 })
            self.random = random
        }

        /// Every name is a unary method.
        func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? {
            _ = array(service) + array(method)
            return testMethod("test.v1.S", "Echo")
        }

        func unaryRequest(
            _ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, since start: Int64, metadata: Metadata
        ) {
            #expect(id % 2 == 1)
            #expect(begun.insert(id).inserted, "a call begins once")
            #expect(id == begun.max(), "ids rise")
            _ = array(payload)
            #expect(metadata.count <= 128)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: answer(id)
            case 1:
                session.respond(
                    to: id, with: RPCError(.notFound, String(repeating: "x", count: Int.random(in: 0...300, using: &random))),
                    metadata: nil)
                answers += 1
            default: open.insert(id)
            }
        }

        func streamOpened(_ id: CallID, _ method: RegisteredMethod, timeout: Int64, metadata: Metadata) {
            Issue.record("no stream was registered")
        }

        func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) { Issue.record("no stream is open") }

        func streamHalfClosed(_ id: CallID) { Issue.record("no stream is open") }

        func streamWritable(_ id: CallID) { Issue.record("no stream is open") }

        func wireProtocolEnded(_ id: CallID, _ code: StatusCode, unreported method: RegisteredMethod?) {
            ends += 1
            open.remove(id)
        }

        /// Ends a call that is still open, at random.
        func answerSomething() {
            guard let id = open.min() else { return }
            open.remove(id)
            answer(id)
        }

        private func answer(_ id: CallID) {
            var response = Google_Protobuf_StringValue()
            response.value = String(repeating: "y", count: Int.random(in: 0...400, using: &random))
            session.respond(to: id, with: response, metadata: nil)
            answers += 1
        }
    }

    @Test func serverSession() throws {
        print("fuzz seed \(Self.seed)")
        var random = SeededRandom(seed: Self.seed)
        let corpus = Vector.all.filter(\.isServer).map(\.input)
        for _ in 0..<Self.rounds {
            let limit = [8, 64, 300, 4 << 20].randomElement(using: &random)!
            let input = Self.conversation(corpus, &random)
            let seed = random.next()
            let whole = Peer(limit: limit, random: SeededRandom(seed: seed))
            try whole.session.receive(input.span.bytes, events: whole)
            let output = whole.session.drainOutput()
            let frames = try #require(TestFrame.parse(output), "seed \(Self.seed): output is whole frames")
            // Every answer and every refusal is one Response. Nothing else is sent to such a peer.
            #expect(frames.count >= whole.answers, "seed \(Self.seed)")
            #expect(frames.count <= whole.answers + whole.ends, "seed \(Self.seed)")
            for frame in frames {
                #expect(frame.kind == 2)
                #expect(frame.data.count <= max(limit, 16))
            }
            // When the input comes in pieces, the same calls begin and the same bytes are sent.
            let pieces = Peer(limit: limit, random: SeededRandom(seed: seed))
            var offset = 0
            while offset < input.count {
                let end = min(input.count, offset + Int.random(in: 1...40, using: &random))
                try pieces.session.receive(Array(input[offset..<end]).span.bytes, events: pieces)
                offset = end
            }
            #expect(pieces.begun == whole.begun, "seed \(Self.seed)")
            #expect(pieces.session.drainOutput() == output, "seed \(Self.seed)")
            while !whole.open.isEmpty { whole.answerSomething() }
            #expect(TestFrame.parse(whole.session.drainOutput()) != nil)
        }
    }

    @Test func clientSession() throws {
        print("fuzz seed \(Self.seed)")
        var random = SeededRandom(seed: Self.seed &+ 1)
        let corpus = Vector.all.filter { !$0.isServer }.map(\.input)
        for _ in 0..<Self.rounds {
            let limit = [64, 300, 4 << 20].randomElement(using: &random)!
            let input = Self.conversation(corpus, &random)
            var logs: [[String]] = []
            for maximumPiece in [Int.max, 1, 40] {
                let session = ClientSession(maximumMessageByteCount: limit)
                let caller = Caller(session)
                caller.callsAgain = true
                var offset = 0
                while offset < input.count {
                    let end = maximumPiece >= input.count ? input.count : min(input.count, offset + Int.random(in: 1...maximumPiece, using: &random))
                    try session.receive(Array(input[offset..<end]).span.bytes, events: caller)
                    offset = end
                }
                logs.append(caller.ends.map { "\($0.id) \($0.end) \($0.payload)" })
                let frames = try #require(TestFrame.parse(session.drainOutput()), "seed \(Self.seed)")
                #expect(frames.count == caller.ends.count)
                #expect(frames.enumerated().allSatisfy { $1.streamID == UInt32($0 * 2 + 1) })
            }
            #expect(logs[0] == logs[1], "seed \(Self.seed)")
            #expect(logs[0] == logs[2], "seed \(Self.seed)")
        }
    }

    /// A mutated conversation from the vectors, frames with random contents, or noise.
    static func conversation(_ corpus: [[UInt8]], _ random: inout SeededRandom) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes += corpus.randomElement(using: &random)!
            case 1: bytes += mutated(corpus.randomElement(using: &random)!, &random)
            case 2:
                let count = Int.random(in: 0...80, using: &random)
                let data = (0..<count).map { _ in UInt8.random(in: 0...60, using: &random) }
                bytes += TestFrame(
                    streamID: .random(in: 0...40, using: &random), kind: [0, 1, 1, 2, 3, 3, 3, 4, 0x10, 0x11, 0x12].randomElement(using: &random)!,
                    flags: .random(in: 0...7, using: &random), data: data
                ).bytes
            default: bytes += (0..<Int.random(in: 0...30, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
        }
        return bytes
    }

    private static func mutated(_ original: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.remove(at: index)
            default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            }
        }
        return bytes
    }
}
