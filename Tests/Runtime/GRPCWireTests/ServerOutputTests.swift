import RPCCore
import TestHarness
import Testing

@testable import GRPCWire

/// When a server session writes its answers.
@Suite struct ServerOutputTests {
    private func open(_ id: UInt32, _ path: String) -> [UInt8] { TestFrames.bytes("headers \(id) gRPC:\(path)") }

    private func started(_ recorder: ServerRecorder) throws -> ServerRecorder {
        try recorder.receive(TestFrames.bytes("preface"))
        return recorder
    }

    @Test("a client may ping after each answer, as it does to measure the bandwidth; without one between them the third ping too early is too many")
    func pings() throws {
        let ids = stride(from: UInt32(1), to: 21, by: 2)
        let recorder = try started(ServerRecorder(answers: ids.map { "\($0) ok x" }))
        for id in ids {
            try recorder.receive(open(id, "/test.v1.S/Echo") + TestFrames.bytes("data \(id) end 0000000000"))
            try recorder.receive(TestFrames.bytes("ping 0"))
        }
        try recorder.receive(TestFrames.bytes("ping 0") + TestFrames.bytes("ping 0"))
        #expect(recorder.frames().filter { $0 == "pong" }.count == 12)
        #expect(throws: ProtocolViolation.self) { try recorder.receive(TestFrames.bytes("ping 0")) }
        #expect(recorder.frames().last == "goaway 19 11 too_many_pings")
    }

    @Test(
        "the answers of a burst all come out of it, however many they are, and something is known to wait after the first",
        arguments: [1, 5, 6, 7, 100])
    func burst(_ count: Int) throws {
        let ids = (0..<count).map { UInt32(2 * $0 + 1) }
        let recorder = try started(ServerRecorder(answers: ids.map { "\($0) ok x" }))
        _ = recorder.frames()
        try recorder.receive(ids.flatMap { open($0, "/test.v1.S/Echo") + TestFrames.bytes("data \($0) end 0000000000") })
        #expect(recorder.session.outputByteCount > 0)
        #expect(recorder.frames().filter { $0.hasSuffix("end grpc-status=0") } == ids.map { "headers \($0) end grpc-status=0" })
        #expect(recorder.session.streams.isEmpty)
    }

    @Test("a server's SETTINGS begin with the refusal of RFC 7540's priorities, and end with its own limit of streams")
    func settings() throws {
        var limits = SessionLimits()
        limits.maximumConcurrentStreams = 77
        let recorder = try ServerRecorder(limits: limits)
        var output: [UInt8] = []
        #expect(recorder.session.outputByteCount > 0)
        recorder.session.withOutput { bytes in
            output = array(bytes)
            return bytes.byteCount
        }
        // The length, the type and the flags.
        try #require(output.starts(with: [0, 0, 24, 4, 0]))
        #expect(output[9..<15] == [0, 9, 0, 0, 0, 1])
        #expect(output[27..<33] == [0, 3, 0, 0, 0, 77])
    }

    @Test("large answers take turns, whichever of them their client prefers by PRIORITY, PRIORITY_UPDATE or a header", arguments: [0, 1, 2, 3])
    func turns(_ kind: Int) throws {
        let recorder = try started(ServerRecorder(answers: ["1 ok x*100000", "3 ok x*100000"]))
        try recorder.receive(TestFrames.bytes("settings 0 000401000000") + TestFrames.bytes("window 0 16777216"))
        let update = TestFrames.frame(16, 0, 0, TestFrames.bigEndian(1) + Array("u=0".utf8))
        let preference = [
            [],
            // Stream 3 depends on stream 1.
            TestFrames.frame(2, 0, 3, TestFrames.bigEndian(1) + [15]), update, [],
        ]
        let header = kind == 3 ? " priority=u=0" : ""
        try recorder.receive(
            TestFrames.bytes("headers 1 gRPC:/test.v1.S/Echo" + header) + open(3, "/test.v1.S/Echo") + preference[kind]
                + TestFrames.bytes("data 1 end 0000000000") + TestFrames.bytes("data 3 end 0000000000"))
        let turns = recorder.frames().filter { $0.hasPrefix("data") }.map { $0.split(separator: " ")[1] }
        #expect(turns.count > 8)
        // The first part was sent before there was another answer.
        #expect(zip(turns.dropFirst(), turns.dropFirst(2)).prefix(6).allSatisfy { $0 != $1 }, "\(turns)")
    }

    @Test("a call ends although its client has no window: by its status, or by a reset if a part of a message was sent", arguments: [0, 3])
    func endBehindWindow(_ window: UInt32) throws {
        let recorder = try watching(window: window)
        try recorder.session.send(text("a*1000"), on: 1, metadata: nil)
        _ = recorder.frames()
        #expect(recorder.session.blockedByteCount > 0)
        recorder.session.dropUnsent(on: 1)
        recorder.session.respond(to: 1, with: RPCError(.deadlineExceeded, "late"), metadata: nil)
        #expect(recorder.frames().last == (window == 0 ? "headers 1 end grpc-status=4 grpc-message=late" : "reset 1 8"))
        #expect(recorder.session.blockedByteCount == 0 && recorder.session.streams.isEmpty)
    }

    @Test("what the windows permit is sent before the rest is dropped, and a handler's own failure drops nothing", arguments: [true, false])
    func endWithinWindow(_ drops: Bool) throws {
        let recorder = try watching(window: 65_535)
        try recorder.session.send(text("a"), on: 1, metadata: nil)
        if drops { recorder.session.dropUnsent(on: 1) }
        recorder.session.respond(to: 1, with: RPCError(.deadlineExceeded, "x"), metadata: nil)
        #expect(recorder.frames().suffix(2) == ["data 1 00000000030a0161", "headers 1 end grpc-status=4 grpc-message=x"])
    }

    @Test("a frame that waits for the socket keeps its bytes when the rest of its message is dropped", arguments: [1, 65])
    func packedFrame(_ streamCount: UInt32) throws {
        let recorder = try watching(window: 16 << 20)
        try recorder.receive(TestFrames.bytes("window 0 \(1 << 30)"))
        let ids = (0..<streamCount).map { 2 * $0 + 1 }
        for id in ids where id > 1 {
            try recorder.receive(TestFrames.bytes("headers \(id) gRPC:/test.v1.S/Watch") + TestFrames.bytes("data \(id) end 0000000000"))
        }
        // More than the output takes at once.
        for id in ids { try recorder.session.send(text("a*\(2_000_000 / streamCount)"), on: id, metadata: nil) }
        for id in ids {
            recorder.session.dropUnsent(on: id)
            recorder.session.respond(to: id, with: RPCError(.deadlineExceeded, "late"), metadata: nil)
        }
        #expect(recorder.session.blockedByteCount < 64 << 10)
        var begun: Set<Substring> = []
        var byteCount = 0
        for frame in recorder.frames() where frame.hasPrefix("data ") {
            let words = frame.split(separator: " ")
            byteCount += words[2].utf8.count / 2
            // Behind the two lengths of the message, there is nothing but its text.
            let text = words[2].utf8.dropFirst(begun.insert(words[1]).inserted ? 2 * 9 : 0)
            #expect(Array(text) == (0..<text.count).map { UInt8(ascii: $0 % 2 == 0 ? "6" : "1") })
        }
        #expect(byteCount > 1 << 20 && byteCount < 2_000_000)
        #expect(recorder.session.blockedByteCount == 0 && recorder.session.streams.isEmpty)
    }

    @Test("what a handler keeps until its answer is sent outlives the stream, until the output has been written")
    func keptUntilWritten() throws {
        final class Place: Sendable {}
        let recorder = try watching(window: 16 << 20)
        try recorder.receive(TestFrames.bytes("window 0 \(16 << 20)"))
        let session = recorder.session, metadata = session.makeResponseMetadata(for: 1)
        weak var place: Place?
        do {
            let kept = Place()
            place = kept
            CallContext(peer: nil, metadata: Metadata(), deadline: .never, method: "m", responseMetadata: metadata).keepUntilSent(kept)
        }
        #expect(place != nil)
        try session.send(text("a*300000"), on: 1, metadata: metadata)
        session.finish(1, metadata: metadata)
        #expect(place != nil)
        let waiting = session.outputByteCount
        #expect(waiting > 300_000 && session.streams.isEmpty && place != nil)
        // Nothing but the trailers and a part of the message is left.
        session.withOutput { $0.byteCount - 100 }
        #expect(place != nil)
        session.withOutput { $0.byteCount }
        #expect(session.outputByteCount == 0 && place == nil)
    }

    @Test("streams that wait for their windows end for themselves, unless all of them do")
    func blockedStreams() throws {
        let recorder = try watching(window: 0)
        try recorder.session.send(text("a"), on: 1, metadata: nil)
        _ = recorder.frames()
        #expect(recorder.session.blockedStreams.isEmpty)
        try recorder.receive(TestFrames.bytes("headers 3 gRPC:/test.v1.S/Watch") + TestFrames.bytes("data 3 end 0000000000"))
        #expect(recorder.session.blockedStreams == [1])
        // Only those that still wait.
        recorder.session.endBlockedStreams([1, 3, 5], events: recorder)
        #expect(recorder.frames().last == "reset 1 11" && recorder.log.last == "ended 1")
        #expect(recorder.session.blockedByteCount == 0 && recorder.session.streams.count == 1)
    }

    @Test("a stream of which its client takes too little is neglected, whatever the client takes of others")
    func neglectedStreams() throws {
        let recorder = try watching(window: 0)
        let session = recorder.session
        try recorder.receive(TestFrames.bytes("headers 3 gRPC:/test.v1.S/Watch") + TestFrames.bytes("data 3 end 0000000000"))
        for id in [1, 3] as [CallID] { try session.send(text("a*2000"), on: id, metadata: nil) }
        _ = recorder.frames()
        // Noted.
        #expect(session.neglectedStreams(unlessTaken: 1_000).isEmpty)
        try recorder.receive(TestFrames.bytes("window 3 1000"))
        try recorder.receive(TestFrames.bytes("window 1 999"))
        _ = recorder.frames()
        #expect(session.neglectedStreams(unlessTaken: 1_000) == [1])
        // All that waits is enough.
        try recorder.receive(TestFrames.bytes("window 3 2000"))
        _ = recorder.frames()
        try session.send(text("a*3000"), on: 3, metadata: nil)
        _ = recorder.frames()
        #expect(session.neglectedStreams(unlessTaken: 1_000) == [1])
        try recorder.receive(TestFrames.bytes("window 1 1"))
        _ = recorder.frames()
        #expect(session.neglectedStreams(unlessTaken: 1_000) == [3])
    }

    @Test("a stream that waits because of others goes on when their messages are dropped", arguments: [false, true])
    func roomOfDropped(byDeadline: Bool) throws {
        let recorder = try watching(window: 0, buffering: 100_000)
        let session = recorder.session
        try session.send(text("a*120000"), on: 1, metadata: nil)
        try recorder.receive(TestFrames.bytes("headers 3 gRPC:/test.v1.S/Watch") + TestFrames.bytes("data 3 end 0000000000"))
        #expect(!session.canSend(on: 3) && !session.hasUnreportedEvents)
        if byDeadline { session.dropUnsent(on: 1) } else { session.endBlockedStreams([1], events: recorder) }
        #expect(session.hasUnreportedEvents)
        try session.reportEvents(to: recorder)
        #expect(recorder.log.last == "writable 3" && session.canSend(on: 3) && !session.hasUnreportedEvents)
    }

    /// A session with a running stream 1, whose client has this window.
    private func watching(window: UInt32, buffering limit: Int = SessionLimits().maximumBufferedByteCount) throws -> ServerRecorder {
        var limits = SessionLimits()
        limits.maximumBufferedByteCount = limit
        let recorder = try started(ServerRecorder(limits: limits))
        try recorder.receive(TestFrames.bytes("settings 0 0004" + TestFrames.hex(TestFrames.bigEndian(window))))
        try recorder.receive(TestFrames.bytes("headers 1 gRPC:/test.v1.S/Watch") + TestFrames.bytes("data 1 end 0000000000"))
        return recorder
    }

    @Test("a failure comes behind the messages that wait")
    func failureBehindWindow() throws {
        let recorder = try started(ServerRecorder())
        try recorder.receive(TestFrames.bytes("settings 0 000400000000"))
        try recorder.receive(TestFrames.bytes("headers 1 gRPC:/test.v1.S/Watch grpc-timeout=300m") + TestFrames.bytes("data 1 end 0000000000"))
        try recorder.session.send(text("a"), on: 1, metadata: nil)
        recorder.session.respond(to: 1, with: RPCError(.aborted, "x"), metadata: nil)
        #expect(recorder.frames().last?.hasPrefix("headers 1 :status=200") == true)
        try recorder.receive(TestFrames.bytes("window 1 1000"))
        #expect(recorder.frames().suffix(2) == ["data 1 00000000030a0161", "headers 1 end grpc-status=10 grpc-message=x"])
    }

    @Test("the value of te is written in any case", arguments: ["trailers", "Trailers", "TRAILERS"])
    func te(_ value: String) throws {
        let recorder = try started(ServerRecorder(answers: ["1 ok x"]))
        let head = ":method=POST :scheme=http :path=/test.v1.S/Echo content-type=application/grpc te=\(value)"
        try recorder.receive(TestFrames.bytes("headers 1 \(head)") + TestFrames.bytes("data 1 end 0000000000"))
        #expect(recorder.frames().last == "headers 1 end grpc-status=0")
    }

    @Test("a long text leaves room for the details of its failure")
    func longTextWithDetails() throws {
        let recorder = try started(ServerRecorder())
        try recorder.receive(open(1, "/test.v1.S/Echo") + TestFrames.bytes("data 1 end 0000000000"))
        let detail = StatusDetail(typeURL: "t", value: Array(repeating: 7, count: 1_000))
        recorder.session.respond(
            to: 1, with: RPCError(.aborted, String(repeating: "m", count: 10_000), details: [detail]), metadata: nil)
        let header = try #require(recorder.frames().last?.split(separator: " ").first { $0.hasPrefix("grpc-status-details-bin=") })
        // The bytes of the detail as base64, wherever they begin in it.
        let texts = (0..<3).map { MetadataHeaders.base64(Array(repeating: 7, count: 900 + $0)).prefix(1_100) }
        #expect(texts.contains { header.contains($0) } && header.utf8.count < 4_200)
    }

    @Test("answers that come later, one by one, are all counted sooner or later and all come out", arguments: [1, 6, 20])
    func later(_ count: Int) throws {
        let recorder = try started(ServerRecorder())
        let ids = (0..<count).map { UInt32(2 * $0 + 1) }
        try recorder.receive(ids.flatMap { open($0, "/test.v1.S/Echo") + TestFrames.bytes("data \($0) end 0000000000") })
        _ = recorder.frames()
        for id in ids {
            recorder.session.respond(to: id, with: text("a*1000"), metadata: nil)
            #expect(recorder.session.outputByteCount > 0)
        }
        #expect(recorder.session.outputByteCount > (count - 7) * 1000)
        #expect(recorder.frames().filter { $0.hasSuffix("end grpc-status=0") } == ids.map { "headers \($0) end grpc-status=0" })
        #expect(recorder.session.outputByteCount == 0)
    }
}
