import CNGHTTP2
import RPCCore
import TestHarness
import Testing

@testable import GRPCWire

/// Endless frames of any kind that make no progress end their connection.
@Suite struct FloodTests {
    /// A kind of flood: the bytes before it, and its frames by number.
    struct Flood: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var before: [String] = []
        let frame: @Sendable (UInt32) -> [UInt8]

        init(_ name: String, before: [String] = [], _ frame: @escaping @Sendable (UInt32) -> [UInt8]) {
            testDescription = name
            self.before = before
            self.frame = frame
        }

        init(over line: String) {
            self.init("\(line), the stream is over", before: Self.call) { _ in TestFrames.bytes(line) }
        }

        private static let call = ["headers 1 gRPC:/test.v1.S/Echo", "data 1 end 0000000000"]

        static let all = [
            Flood(over: "data 1 00"), Flood(over: "data 1"), Flood(over: "headers 1 x=y"), Flood(over: "headers 1 end x=y"),
            Flood(over: "priority 1"), Flood(over: "window 1 1"),
            Flood("an unknown type, the stream is over", before: call) { _ in TestFrames.frame(99, 0, 1, [1, 2, 3]) },
            Flood("an unknown type, the connection") { _ in TestFrames.frame(99, 0, 0, []) },
            Flood("PRIORITY_UPDATE") { _ in TestFrames.frame(16, 0, 0, [0, 0, 0, 1, 0x75]) },
            Flood("windows of the connection") { _ in TestFrames.bytes("window 0 1") },
            Flood("windows of an open stream", before: ["headers 3 gRPC:/test.v1.S/Chat"]) { _ in TestFrames.bytes("window 3 1") },
            Flood("an answer to a ping that nobody sent") { _ in TestFrames.frame(6, 1, 0, [UInt8](repeating: 0, count: 8)) },
            Flood("DATA of nothing but padding", before: ["headers 3 gRPC:/test.v1.S/Chat"]) { _ in TestFrames.frame(0, 8, 3, [3, 0, 0, 0]) },
            Flood("calls that are refused") { TestFrames.bytes("headers \(2 * $0 + 1) end gRPC:/test.v1.S/None") },
            Flood("calls that are malformed") { TestFrames.bytes("headers \(2 * $0 + 1) end :method=POST") },
            Flood("resets that this side is made to send (CVE-2025-8671)") {
                TestFrames.bytes("headers \(2 * $0 + 1) gRPC:/test.v1.S/Chat") + TestFrames.bytes("window \(2 * $0 + 1) 2147483647")
            },
        ]
    }

    private func started(_ flood: Flood, _ clock: TestClock) throws -> ServerRecorder {
        let recorder = try ServerRecorder(answers: ["1 ok x"], now: { clock.now })
        for line in ["preface"] + flood.before { try recorder.receive(TestFrames.bytes(line)) }
        _ = recorder.frames()
        return recorder
    }

    @Test("6,000 of them at once", arguments: Flood.all)
    func atOnce(_ flood: Flood) throws {
        let recorder = try started(flood, TestClock())
        #expect(throws: ProtocolViolation.self) {
            for number in 0..<6000 { try recorder.receive(flood.frame(UInt32(number))) }
        }
        let last = recorder.frames().last
        #expect(last?.hasPrefix("goaway") == true && last?.hasSuffix("11 too_many_glitches") == true, "\(last ?? "")")
    }

    @Test("what a client has sent on a stream before it could know that the server has ended it is no mistake, up to a mebibyte", arguments: [1, 20])
    func lateData(_ streamCount: UInt32) throws {
        let recorder = try ServerRecorder()
        try recorder.receive(TestFrames.bytes("preface") + TestFrames.bytes("headers 1 gRPC:/test.v1.S/Chat"))
        let ids = (1...streamCount).map { 2 * $0 + 1 }
        for id in ids {
            let messages = Array(repeatElement(TestFrames.bytes("data \(id) 00000000020801"), count: 6000 / Int(streamCount)).joined())
            try recorder.receive(TestFrames.bytes("headers \(id) gRPC:/test.v1.S/None") + messages)
        }
        try recorder.receive(TestFrames.bytes("data 1 0000000000"))
        #expect(recorder.log == ["open 1 test.v1.S/Chat", "message 1"])
        #expect(recorder.frames().count == 2 * Int(streamCount))
        #expect(throws: ProtocolViolation.self) {
            let last = ids[ids.count - 1]
            for _ in 0..<64 { try recorder.receive(TestFrames.frame(0, 0, last, [UInt8](repeating: 0, count: 16 << 10))) }
            for _ in 0..<8000 { try recorder.receive(TestFrames.bytes("data \(last) 00")) }
        }
    }

    @Test("6,000 empty frames on a stream that the server has ended end the connection")
    func emptyLateData() throws {
        let recorder = try ServerRecorder()
        try recorder.receive(TestFrames.bytes("preface") + TestFrames.bytes("headers 1 gRPC:/test.v1.S/None"))
        #expect(throws: ProtocolViolation.self) {
            for _ in 0..<6000 { try recorder.receive(TestFrames.frame(0, 0, 1, [])) }
        }
    }

    @Test("an id that was passed over ends the connection, also when others were passed over since")
    func passedOver() throws {
        for id in [3, 7, 11] as [UInt32] {
            let recorder = try ServerRecorder()
            try recorder.receive(TestFrames.bytes("preface"))
            for opened in [1, 5, 9, 13] { try recorder.receive(TestFrames.bytes("headers \(opened) gRPC:/test.v1.S/Chat")) }
            #expect(throws: ProtocolViolation.self) { try recorder.receive(TestFrames.bytes("headers \(id) gRPC:/test.v1.S/Chat")) }
            #expect(recorder.frames().last?.hasSuffix("stream_id_went_back") == true)
        }
    }

    @Test("the number that ends a connection can be set")
    func limit() throws {
        var limits = SessionLimits()
        limits.maximumGlitchCount = 100
        let recorder = try ServerRecorder(limits: limits, now: { 1 })
        try recorder.receive(TestFrames.bytes("preface"))
        let pingAnswer = TestFrames.frame(6, 1, 0, [UInt8](repeating: 0, count: 8))
        for _ in 0..<100 { try recorder.receive(pingAnswer) }
        #expect(throws: ProtocolViolation.self) { for _ in 0..<2 { try recorder.receive(pingAnswer) } }
    }

    @Test("as many, but a hundred each second, end nothing", arguments: Flood.all)
    func slowly(_ flood: Flood) throws {
        let clock = TestClock()
        let recorder = try started(flood, clock)
        for number in 0..<6000 {
            clock.advance(milliseconds: 10)
            try recorder.receive(flood.frame(UInt32(number)))
            _ = recorder.frames()
        }
        #expect(!recorder.frames().contains { $0.hasPrefix("goaway") })
    }

    @Test("a client that reads much and says so for each piece is no flood")
    func windowsForData() throws {
        let answers = (0..<400).map { "\(2 * $0 + 1) ok a*15000" }
        let recorder = try ServerRecorder(answers: answers)
        try recorder.receive(TestFrames.bytes("preface"))
        for index in 0..<400 {
            let id = 2 * index + 1
            try recorder.receive(TestFrames.bytes("headers \(id) gRPC:/test.v1.S/Echo") + TestFrames.bytes("data \(id) end 0000000000"))
            _ = recorder.frames()
            for _ in 0..<12 { try recorder.receive(TestFrames.bytes("window 0 1250")) }
        }
        #expect(recorder.log.count == 400)
    }

    @Test("one stream too many is refused, with REFUSED_STREAM, and the others live on; when one ends there is room again")
    func streamLimit() throws {
        var limits = SessionLimits()
        limits.maximumConcurrentStreams = 2
        for acknowledges in [true, false] {
            let recorder = try ServerRecorder(limits: limits)
            try recorder.receive(TestFrames.bytes("preface") + (acknowledges ? TestFrames.frame(4, 1, 0, []) : []))
            for id in [1, 3, 5, 7] { try recorder.receive(TestFrames.bytes("headers \(id) gRPC:/test.v1.S/Chat")) }
            #expect(recorder.frames() == ["reset 5 7", "reset 7 7"])
            try recorder.receive(TestFrames.bytes("reset 1 8") + TestFrames.bytes("headers 9 gRPC:/test.v1.S/Chat"))
            try recorder.receive(TestFrames.bytes("data 3 0000000000") + TestFrames.bytes("headers 11 gRPC:/test.v1.S/Chat"))
            #expect(recorder.frames().suffix(1) == ["reset 11 7"] && recorder.frames().count == 3)
            #expect(recorder.log == ["open 1 test.v1.S/Chat", "open 3 test.v1.S/Chat", "ended 1", "open 9 test.v1.S/Chat", "message 3"])
        }
    }

    @Test("a server says how many streams a client may have")
    func settings() throws {
        var limits = SessionLimits()
        limits.maximumConcurrentStreams = 77
        let session = try #require(ServerSession(limits: limits, now: { 1 }))
        var output: [UInt8] = []
        session.withOutput { bytes in
            output = array(bytes)
            return bytes.byteCount
        }
        let count = Int(output[0]) << 16 | Int(output[1]) << 8 | Int(output[2])
        let entries = stride(from: 9, to: 9 + count, by: 6).map { Array(output[$0..<$0 + 6]) }
        #expect(output[3] == 4 && entries.contains([0, 3, 0, 0, 0, 77]), "\(entries)")
    }

    @Test("the rest of a refused request is dropped for ten seconds and up to the size of a message, then the stream is reset")
    func restOfRefused() throws {
        let clock = TestClock()
        var limits = SessionLimits()
        limits.maximumMessageByteCount = 5000
        let recorder = try ServerRecorder(limits: limits, now: { clock.now })
        let head = ":method=POST :scheme=http :path=/ content-type=text/plain"
        try recorder.receive(TestFrames.bytes("preface") + TestFrames.bytes("headers 1 \(head)") + TestFrames.bytes("headers 3 \(head)"))
        let answers = recorder.frames()
        try recorder.receive(TestFrames.bytes("data 1 00*5000") + TestFrames.bytes("data 3 00*5000"))
        #expect(recorder.frames() == answers && answers.count == 4)
        try recorder.receive(TestFrames.bytes("data 3 00"))
        #expect(recorder.frames() == answers + ["reset 3 0"])
        clock.advance(seconds: 10)
        #expect(recorder.session.nextExpiry <= clock.now)
        try recorder.session.expireUnfinished(at: clock.now, events: recorder)
        #expect(recorder.frames() == answers + ["reset 3 0", "reset 1 0"])
        #expect(recorder.session.nextExpiry == .max && recorder.session.streams.isEmpty)
    }
}
