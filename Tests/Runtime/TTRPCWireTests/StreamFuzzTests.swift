import ProtobufWellKnownTypes
import RPCCore
import TestHarness
import Testing

@testable import TTRPCWire

/// The conversations of ``FuzzTests`` on sessions with streams. For every input, no event of a call comes before its beginning or after
/// its end, whole frames are sent, and the splitting of the bytes makes no difference.
@Suite struct StreamFuzzTests {
    private static let names = ["Echo", "Watch", "Upload", "Chat"]

    /// A server whose handlers answer at random.
    private final class Peer: ServerCallEvents {
        let session: ServerSession
        var random: SeededRandom
        private(set) var log: [String] = []
        private var unary: Set<CallID> = []
        /// Open streams; true once half-closed.
        private var streams: [CallID: Bool] = [:]

        init(limit: Int, random: SeededRandom) {
            session = ServerSession(maximumMessageByteCount: limit, now: { 1 })
            self.random = random
        }

        /// Most names are methods, so that mutated names are too.
        func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? {
            let name = String(decoding: array(method), as: UTF8.self)
            return testMethod("test.v1.S", StreamFuzzTests.names.contains(name) ? name : StreamFuzzTests.names[array(service).count % 4])
        }

        func unaryRequest(_ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, since start: Int64, metadata: Metadata) {
            log.append("unary \(id) \(array(payload))")
            #expect(method.shape == .unary)
            unary.insert(id)
            act(id)
        }

        func streamOpened(_ id: CallID, _ method: RegisteredMethod, timeout: Int64, metadata: Metadata) {
            log.append("open \(id) \(method.path)")
            #expect(method.shape != .unary)
            #expect(streams.updateValue(false, forKey: id) == nil, "a call begins once")
            act(id)
        }

        func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {
            log.append("message \(id) \(array(payload))")
            #expect(streams[id] == false, "a message comes while its stream is open")
            #expect(byteCount == 10 + payload.byteCount)
            session.consumed(byteCount, on: id)
            act(id)
        }

        func streamHalfClosed(_ id: CallID) {
            log.append("half-closed \(id)")
            #expect(streams.updateValue(true, forKey: id) == false, "a stream is half-closed once, while it is open")
            act(id)
        }

        func streamWritable(_ id: CallID) {
            log.append("writable \(id)")
            #expect(streams[id] != nil)
            #expect(session.canSend(on: id))
        }

        func wireProtocolEnded(_ id: CallID, _ code: StatusCode, unreported method: RegisteredMethod?) {
            log.append("ended \(id)")
            unary.remove(id)
            streams[id] = nil
        }

        private func act(_ id: CallID) {
            var message = Google_Protobuf_StringValue()
            message.value = String(repeating: "y", count: Int.random(in: 0...80, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                session.respond(to: id, with: RPCError(.aborted, "fuzzed"), metadata: nil)
                forget(id)
            case 1:
                session.respond(to: id, with: message, metadata: nil)
                forget(id)
            case 2 where streams[id] != nil:
                session.finish(id, metadata: nil)
                forget(id)
            case 3...6 where streams[id] != nil && session.canSend(on: id): try? session.send(message, on: id, metadata: nil)
            default: break
            }
        }

        private func forget(_ id: CallID) {
            unary.remove(id)
            streams[id] = nil
        }

        /// Ends open calls. Then the session should hold nothing.
        func endAll() {
            for id in streams.keys { session.finish(id, metadata: nil) }
            for id in unary { session.respond(to: id, with: RPCError(.aborted, "fuzzed"), metadata: nil) }
        }
    }

    @Test func serverSession() throws {
        var random = SeededRandom(seed: FuzzTests.seed &+ 2)
        let corpus = Vector.all.filter(\.isServer).map(\.input)
        for _ in 0..<(FuzzTests.rounds / 2) {
            let limit = [8, 64, 300, 4 << 20].randomElement(using: &random)!
            let input = FuzzTests.conversation(corpus, &random)
            let seed = random.next()
            var logs: [[String]] = []
            var outputs: [[UInt8]] = []
            for maximumPiece in [Int.max, 1, 40] {
                let peer = Peer(limit: limit, random: SeededRandom(seed: seed))
                try Self.feed(input, maximumPiece, &random) { try peer.session.receive($0.span.bytes, events: peer) }
                peer.endAll()
                #expect(peer.session.streams.isEmpty, "seed \(FuzzTests.seed)")
                logs.append(peer.log)
                outputs.append(peer.session.drainOutput())
            }
            #expect(logs[0] == logs[1] && logs[0] == logs[2], "seed \(FuzzTests.seed)")
            let frames = try #require(TestFrame.parse(outputs[0]), "seed \(FuzzTests.seed): output is whole frames")
            #expect(frames.allSatisfy { [2, 3, 0x11].contains($0.kind) && $0.data.count <= max(limit, 16) }, "seed \(FuzzTests.seed)")
        }
    }

    /// A caller of all four shapes.
    private final class StreamCaller: ClientCallEvents {
        let session: ClientSession
        private(set) var log: [String] = []
        private var streams: Set<CallID> = []

        init(limit: Int) throws {
            session = ClientSession(maximumMessageByteCount: limit)
            for index in 0..<12 {
                let shape = [CallShape.unary, .serverStreaming, .clientStreaming, .bidirectionalStreaming][index % 4]
                let method = MethodDescriptor<Google_Protobuf_StringValue, Google_Protobuf_StringValue>(
                    service: "s", method: "m", shape: shape)
                let id = shape == .clientStreaming || shape == .bidirectionalStreaming
                    ? try session.open(method, timeout: 0, metadata: Metadata())
                    : try session.send(Google_Protobuf_StringValue(), to: method, timeout: 0, metadata: Metadata())
                if shape != .unary { streams.insert(id) }
            }
        }

        func initialMetadata(_ id: CallID, _ metadata: Metadata) { Issue.record("ttrpc has none") }

        func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {
            log.append("message \(id) \(array(payload))")
            #expect(streams.contains(id), "a message comes while its stream is open")
            session.consumed(byteCount, on: id)
        }

        func ended(_ id: CallID, _ end: ClientCallEnd, payload: RawSpan, trailing: Metadata) {
            log.append("ended \(id) \(end) \(array(payload))")
            streams.remove(id)
        }

        func streamWritable(_ id: CallID) {
            log.append("writable \(id)")
            #expect(streams.contains(id) && session.canSend(on: id))
        }

        func serverDrains() { #expect(session.needsRenewal) }

        func endAll() { for id in streams { session.cancel(id, atDeadline: false) } }
    }

    @Test func clientSession() throws {
        var random = SeededRandom(seed: FuzzTests.seed &+ 3)
        let corpus = Vector.all.filter { !$0.isServer }.map(\.input)
        for _ in 0..<(FuzzTests.rounds / 2) {
            let limit = [64, 300, 4 << 20].randomElement(using: &random)!
            let input = FuzzTests.conversation(corpus, &random)
            var logs: [[String]] = []
            for maximumPiece in [Int.max, 1, 40] {
                let caller = try StreamCaller(limit: limit)
                try Self.feed(input, maximumPiece, &random) { try caller.session.receive($0.span.bytes, events: caller) }
                caller.endAll()
                #expect(caller.session.streams.isEmpty, "seed \(FuzzTests.seed)")
                #expect(TestFrame.parse(caller.session.drainOutput()) != nil, "seed \(FuzzTests.seed): output is whole frames")
                logs.append(caller.log)
            }
            #expect(logs[0] == logs[1] && logs[0] == logs[2], "seed \(FuzzTests.seed)")
        }
    }

    private static func feed(
        _ input: [UInt8], _ maximumPiece: Int, _ random: inout SeededRandom, _ receive: ([UInt8]) throws -> Void
    ) rethrows {
        var offset = 0
        while offset < input.count {
            let end = maximumPiece >= input.count ? input.count : min(input.count, offset + Int.random(in: 1...maximumPiece, using: &random))
            try receive(Array(input[offset..<end]))
            offset = end
        }
    }
}
