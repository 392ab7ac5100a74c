import CNGHTTP2
import RPCCore
import TestHarness
import Testing

@testable import GRPCWire

/// A recognised header block has the same meaning as when it was decoded.
@Suite struct InboundHeadersTests {
    /// Encodes header blocks like a client with a dynamic table.
    private final class Encoder {
        private var deflater: OpaquePointer?

        init(tableByteCount: Int = 4096) { nghttp2_hd_deflate_new(&deflater, tableByteCount) }

        deinit { nghttp2_hd_deflate_del(deflater) }

        func block(_ fields: [(String, String)]) -> [UInt8] {
            // The names and values live as long as the call.
            let texts = fields.map { (Array($0.0.utf8), Array($0.1.utf8)) }
            var pairs = texts.map { name, value in
                nghttp2_nv(name: copy(name), value: copy(value), namelen: name.count, valuelen: value.count, flags: 0)
            }
            defer { for pair in pairs { pair.name.deallocate(); pair.value.deallocate() } }
            var bytes = [UInt8](repeating: 0, count: nghttp2_hd_deflate_bound(deflater, &pairs, pairs.count))
            let count = nghttp2_hd_deflate_hd(deflater, &bytes, bytes.count, &pairs, pairs.count)
            return Array(bytes.prefix(count))
        }

        private func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<UInt8> {
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
            copy.initialize(from: bytes, count: bytes.count)
            return copy
        }
    }

    private static let usual = [(":method", "POST"), (":scheme", "http")]

    private static func head(_ path: String, _ more: [(String, String)] = []) -> [(String, String)] {
        usual + [(":path", "/test.v1.S/\(path)"), ("content-type", "application/grpc"), ("te", "trailers")] + more
    }

    /// The events of a request with this header block; `id` is written `?`.
    private func outcome(_ recorder: ServerRecorder, _ id: UInt32, _ block: [UInt8]) throws -> [String] {
        let before = (recorder.log.count, recorder.frames().count)
        try recorder.receive(TestFrames.frame(1, 4, id, block) + TestFrames.bytes("data \(id) end 0000000000"))
        let new = Array(recorder.log[before.0...]) + Array(recorder.frames()[before.1...])
        return new.map { $0.split(separator: " ").enumerated().map { $0 == 1 ? "?" : String($1) }.joined(separator: " ") }
    }

    private func started(limits: SessionLimits = SessionLimits()) throws -> ServerRecorder {
        let recorder = try ServerRecorder(limits: limits)
        try recorder.receive(TestFrames.bytes("preface"))
        return recorder
    }

    @Test("each call has its own method, metadata and timeout, whatever the calls before it had", arguments: 0..<30)
    func likeTheFirst(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        // With a small table, fields come as indices, as literals, and after the table has evicted them.
        let encoder = Encoder(tableByteCount: [0, 150, 4096][seed % 3])
        let recorder = try started()
        let paths = ["Echo", "Other", "None", "Chat"]
        let fields: [[(String, String)]] = [
            [], [("grpc-timeout", "1S")], [("grpc-timeout", "250m")], [("grpc-timeout", "0n")], [("grpc-timeout", "soon")], [("a", "1")],
            [("a", "2")],
            [("a", "1"), ("a", "1")], [("grpc-timeout", "5S"), ("b", "2")], [("b", "2"), ("grpc-timeout", "5S")], [("grpc-encoding", "gzip")],
            [("grpc-encoding", "unknown")], [("key-bin", "AAA")], [("key-bin", "!")], [("connection", "close")],
            [("grpc-timeout", "1S"), ("grpc-timeout", "2S")], [("grpc-timeout", "2S"), ("grpc-timeout", "x")],
        ]
        let used = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            Self.head(paths.randomElement(using: &random)!, fields.randomElement(using: &random)! + fields.randomElement(using: &random)!)
        }
        for call in 0..<80 {
            let head = used.randomElement(using: &random)!
            let here = try outcome(recorder, UInt32(2 * call + 1), encoder.block(head))
            let alone = try outcome(try started(), 1, Encoder().block(head))
            #expect(here == alone, "\(head)")
            #expect(!here.isEmpty)
        }
    }

    @Test("a call keeps its timeout although the headers before it began like its own and had two")
    func twoTimeouts() throws {
        let recorder = try started()
        let encoder = Encoder()
        let heads: [[(String, String)]] = [
            [("grpc-timeout", "5S"), ("grpc-timeout", "9S"), ("x", "1")], [("grpc-timeout", "5S"), ("x", "2")],
        ]
        for (index, head) in heads.enumerated() {
            try recorder.receive(TestFrames.frame(1, 4, UInt32(2 * index + 1), encoder.block(Self.head("Chat", head))))
        }
        #expect(recorder.log.last == "open 3 test.v1.S/Chat timeout=5000000000 x=2")
    }

    @Test("a call of known headers is read no more, but for its timeout")
    func isKnown() throws {
        let recorder = try started()
        let encoder = Encoder()
        for (index, timeout) in ["1S", "2S", "3S"].enumerated() {
            let block = encoder.block(Self.head("Chat", [("grpc-timeout", timeout), ("a", "1")]))
            try recorder.receive(TestFrames.frame(1, 4, UInt32(2 * index + 1), block))
        }
        #expect(recorder.log == [1, 3, 5].enumerated().map { "open \($1) test.v1.S/Chat timeout=\($0 + 1)000000000 a=1" })
        let heads = [1, 3, 5].compactMap { recorder.session.streams[$0]?.head }
        #expect(heads.count == 3)
        #expect(heads.allSatisfy { $0 === heads[0] })
    }

    @Test("of headers over the limit nothing is kept, and those that follow are read as ever")
    func oversized() throws {
        var limits = SessionLimits()
        limits.maximumHeaderListByteCount = 1024
        let recorder = try started(limits: limits)
        let encoder = Encoder()
        let long = Self.head("Echo", [("a", String(repeating: "x", count: 1000))])
        for id in stride(from: UInt32(1), to: 13, by: 4) {
            #expect(try outcome(recorder, id, encoder.block(long)).last?.contains("grpc-status=8") == true)
            #expect(try outcome(recorder, id + 2, encoder.block(Self.head("Echo", [("a", "y")]))) == ["request ? test.v1.S/Echo a=y"])
        }
    }

    @Test("headers are over the limit too if the path itself is, and no field that must be there was read")
    func oversizedPath() throws {
        var limits = SessionLimits()
        limits.maximumHeaderListByteCount = 1024
        let recorder = try started(limits: limits)
        let encoder = Encoder()
        let answer = try outcome(recorder, 1, encoder.block(Self.head(String(repeating: "x", count: 1_100))))
        #expect(answer.count == 1 && answer[0].contains("grpc-status=8"))
        #expect(try outcome(recorder, 3, encoder.block(Self.head("Echo", [("a", "y")]))) == ["request ? test.v1.S/Echo a=y"])
    }

    @Test("a client that names ever other things is answered, and only a few heads are kept of it")
    func manyHeads() throws {
        let recorder = try started()
        let encoder = Encoder()
        weak var first: RequestHead?
        for call in 0..<100 {
            let id = UInt32(2 * call + 1)
            try recorder.receive(TestFrames.frame(1, 4, id, encoder.block(Self.head("Chat", [("a", "\(call)")]))))
            if call == 0 { first = recorder.session.streams[id]?.head }
            #expect(recorder.log.last == "open \(id) test.v1.S/Chat a=\(call)")
            #expect(call > 0 || first != nil)
            recorder.session.finish(id, metadata: nil)
            _ = recorder.frames()
            try recorder.receive(TestFrames.bytes("reset \(id) 8"))
        }
        #expect(first == nil)
    }
}
