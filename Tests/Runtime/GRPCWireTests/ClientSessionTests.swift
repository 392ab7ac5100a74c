import RPCCore
import TestHarness
import Testing

@testable import GRPCWire

/// Behaviour of a client session that no scripted conversation covers.
@Suite struct ClientSessionTests {
    @Test("whatever arrives, in any order and damaged, ends each call once at most, and nothing is reported of it afterwards", arguments: 0..<40)
    func damaged(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let vectors = Vector.all.filter(\.isClient)
        for _ in 0..<60 {
            let recorder = try ClientRecorder(vectors.randomElement(using: &random)!)
            _ = recorder.frames()
            var bytes = TestFrames.bytes("settings 0")
            for _ in 0..<Int.random(in: 1...3, using: &random) { bytes += vectors.randomElement(using: &random)!.input.joined().dropFirst(9) }
            for _ in 0..<Int.random(in: 0...6, using: &random) where bytes.count > 10 {
                bytes[Int.random(in: 9..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + Int.random(in: 1...200, using: &random))
                do throws(ProtocolViolation) { try recorder.receive(Array(bytes[start..<end])) } catch { break }
                _ = recorder.frames()
                start = end
            }
            var ended: Set<String> = []
            for line in recorder.log where line != "drains" && !line.hasPrefix("not sent") {
                let words = line.split(separator: " ").map(String.init)
                #expect(!ended.contains(words[1]), "\(recorder.log)")
                if !["metadata", "message", "writable"].contains(words[0]) { ended.insert(words[1]) }
            }
            #expect(recorder.session.http2.bufferedByteCount == recorder.session.streams.values.reduce(0) { $0 + $1.body.buffer.count })
            #expect(recorder.session.heldByteCount == recorder.session.streams.values.reduce(0) { $0 + ($1.held?.count ?? 0) })
        }
    }

    @Test("answers whose calls have not ended are bounded as they are once decompressed, and given back with their calls")
    func heldAnswers() throws {
        let recorder = try ClientRecorder(Vector("client-cancel.frames"), limits: { $0.maximumUnfinishedByteCount = 200_000 })
        let session = recorder.session
        try recorder.receive(TestFrames.bytes("settings 0"))
        let echo = MethodDescriptor<Text, Text>(service: "test.v1.S", method: "Echo", shape: .unary)
        let compressed = try #require(MessageEncoding.gzip.compress([UInt8](repeating: 0, count: 90_000)))
        let message = [1] + TestFrames.bigEndian(UInt32(compressed.count)) + compressed
        let head = ":status=200 content-type=application/grpc grpc-encoding=gzip"
        let ids = try (0..<3).map { _ in try session.send(text("x"), to: echo, timeout: 0, metadata: Metadata()) }
        _ = recorder.frames()
        for id in ids { try recorder.receive(TestFrames.bytes("headers \(id) \(head)") + TestFrames.frame(0, 0, id, message)) }
        #expect(session.heldByteCount == 180_000)
        #expect(recorder.log.last == "RESOURCE_EXHAUSTED \(ids[2])")
        try recorder.receive(TestFrames.bytes("headers \(ids[0]) end grpc-status=0"))
        #expect(recorder.log.last?.hasPrefix("ok \(ids[0])") == true)
        session.cancel(ids[1], atDeadline: false)
        #expect(recorder.frames().last == "reset \(ids[1]) 8")
        #expect(session.heldByteCount == 0)
    }

    @Test("an answer over the limit of held answers is taken if it is the only one")
    func onlyHeldAnswer() throws {
        let recorder = try ClientRecorder(Vector("client-cancel.frames"), limits: { $0.maximumUnfinishedByteCount = 100 })
        let session = recorder.session
        try recorder.receive(TestFrames.bytes("settings 0"))
        let ids = try (0..<2).map { _ in try session.send(text("x"), to: Self.echo, timeout: 0, metadata: Metadata()) }
        _ = recorder.frames()
        let head = ":status=200 content-type=application/grpc"
        for id in ids { try recorder.receive(TestFrames.bytes("headers \(id) \(head)") + TestFrames.bytes("data \(id) 00000003e8 00*1000")) }
        #expect(session.heldByteCount == 1000)
        #expect(recorder.log.last == "RESOURCE_EXHAUSTED \(ids[1])")
        try recorder.receive(TestFrames.bytes("headers \(ids[0]) end grpc-status=0"))
        #expect(recorder.log.last?.hasPrefix("ok \(ids[0])") == true)
    }

    @Test("a reset with CANCEL after the call's deadline means DEADLINE_EXCEEDED, and before it, or without a deadline, CANCELLED")
    func lateReset() throws {
        let clock = TestClock()
        let recorder = try ClientRecorder(Vector("client-cancel.frames"), now: { clock.now })
        let session = recorder.session
        try recorder.receive(TestFrames.bytes("settings 0"))
        let timeouts: [Int64] = [2_000_000_000, 2_000_000_000, 0, 2_000_000_000]
        let ids = try timeouts.map { try session.send(text("x"), to: Self.echo, timeout: $0, metadata: Metadata()) }
        _ = recorder.frames()
        clock.advance(seconds: 1)
        try recorder.receive(TestFrames.bytes("reset \(ids[0]) 8"))
        clock.advance(seconds: 1)
        for id in ids[1...2] { try recorder.receive(TestFrames.bytes("reset \(id) 8")) }
        // Only CANCEL has this meaning.
        try recorder.receive(TestFrames.bytes("reset \(ids[3]) 2"))
        #expect(recorder.errors.map(\.code) == [.cancelled, .deadlineExceeded, .cancelled, .internal])
        #expect(recorder.errors.allSatisfy { $0.origin == .peer })
    }

    @Test("a compressed message of a stream is what it was before; one that is damaged ends the call")
    func compressedStream() throws {
        let recorder = try ClientRecorder(Vector("client-cancel.frames"))
        let session = recorder.session
        try recorder.receive(TestFrames.bytes("settings 0"))
        let watch = MethodDescriptor<Text, Text>(service: "test.v1.S", method: "Watch", shape: .serverStreaming)
        let id = try session.send(text("x"), to: watch, timeout: 0, metadata: Metadata())
        _ = recorder.frames()
        let compressed = try #require(MessageEncoding.gzip.compress([1, 2, 3]))
        let message = [1] + TestFrames.bigEndian(UInt32(compressed.count)) + compressed
        try recorder.receive(TestFrames.bytes("headers \(id) :status=200 content-type=application/grpc grpc-encoding=gzip"))
        try recorder.receive(TestFrames.frame(0, 0, id, message))
        #expect(recorder.log.last == "message \(id) 010203")
        try recorder.receive(TestFrames.frame(0, 0, id, [1, 0, 0, 0, 1, 7]))
        #expect(recorder.log.last == "INTERNAL \(id)")
        #expect(recorder.frames().last == "reset \(id) 8")
    }

    @Test("a call that waits for the server's limit of streams may go on when another one is cancelled here, without input")
    func roomByCancelling() throws {
        // One unary call of the vector runs.
        let recorder = try ClientRecorder(Vector("client-cancel.frames"))
        let session = recorder.session
        try recorder.receive(TestFrames.frame(4, 0, 0, [0, 3] + TestFrames.bigEndian(2)))
        let watch = MethodDescriptor<Text, Text>(service: "test.v1.S", method: "Watch", shape: .serverStreaming)
        let upload = MethodDescriptor<Text, Text>(service: "test.v1.S", method: "Upload", shape: .clientStreaming)
        let first = try session.send(text("x"), to: watch, timeout: 0, metadata: Metadata())
        let second = try session.open(upload, timeout: 0, options: CallOptions())
        try session.send(text("a"), on: second)
        _ = recorder.frames()
        #expect(!session.canSend(on: second))
        #expect(session.takeWritable().isEmpty)
        session.cancel(first, atDeadline: false)
        _ = recorder.frames()
        #expect(session.takeWritable() == [second])
        #expect(session.takeWritable().isEmpty && session.canSend(on: second))
    }

    @Test("requests wait for the server's window, and their writer is told when there is room")
    func window() throws {
        let vector = Vector("client-cancel.frames")
        let recorder = try ClientRecorder(vector)
        let session = recorder.session
        try recorder.receive(TestFrames.bytes("settings 0 000400000064"))
        let chat = MethodDescriptor<Text, Text>(service: "test.v1.S", method: "Chat", shape: .bidirectionalStreaming)
        let id = try session.open(chat, timeout: 0, metadata: Metadata())
        #expect(session.canSend(on: id))
        try session.send(text("x*200"), on: id)
        #expect(!session.canSend(on: id))
        #expect(session.http2.bufferedByteCount == 208 - 100)
        try recorder.receive(TestFrames.bytes("window \(id) 107"))
        #expect(!recorder.log.contains("writable \(id)"))
        try recorder.receive(TestFrames.bytes("window \(id) 1"))
        #expect(recorder.log.last == "writable \(id)")
        #expect(session.canSend(on: id))
    }

    @Test(
        "what the server says of a call is the peer's; what this side finds wrong with an answer is local",
        arguments: [
            (["end :status=200 content-type=application/grpc grpc-status=5"], StatusCode.notFound, RPCError.Origin.peer),
            (["end :status=503"], .unavailable, .peer),
            (["end :status=200 content-type=application/grpc"], .unknown, .local),
            ([":status=200 content-type=text/html"], .unknown, .local),
            ([":status=200 content-type=application/grpc grpc-encoding=odd"], .internal, .local),
            ([":status=200 content-type=application/grpc", "end grpc-status=0"], .unimplemented, .local),
            ([":status=200 content-type=application/grpc", "end grpc-status=14"], .unavailable, .peer),
        ])
    func origins(_ headers: [String], _ code: StatusCode, _ origin: RPCError.Origin) throws {
        let (recorder, id) = try call()
        for block in headers { try recorder.receive(TestFrames.bytes("headers \(id) \(block)")) }
        #expect(recorder.errors.map(\.code) == [code])
        #expect(recorder.errors.map(\.origin) == [origin])
    }

    @Test("a reset and a GOAWAY are the peer's, broken messages local")
    func originsOfFrames() throws {
        let head = ":status=200 content-type=application/grpc"
        let frames: [(String, RPCError.Origin)] = [("reset", .peer), ("goaway", .peer), ("data", .local), ("compressed", .local)]
        for (frame, origin) in frames {
            let (recorder, id) = try call()
            switch frame {
            case "reset": try recorder.receive(TestFrames.bytes("reset \(id) 8"))
            case "goaway":
                // Nothing is left to do on the connection, so the session reports its end.
                #expect(throws: (any Error).self) { try recorder.receive(TestFrames.bytes("goaway 0 0")) }
            case "data": try recorder.receive(TestFrames.bytes("headers \(id) \(head)") + TestFrames.bytes("data \(id) 0700000000"))
            default: try recorder.receive(TestFrames.bytes("headers \(id) \(head)") + TestFrames.bytes("data \(id) 010000000100"))
            }
            #expect(recorder.errors.count == 1, "\(frame)")
            #expect(recorder.errors.last?.origin == origin, "\(frame)")
        }
    }

    /// A connection with one unary call.
    private func call() throws -> (ClientRecorder, CallID) {
        // A vector of a server makes no calls.
        let recorder = try ClientRecorder(try #require(Vector.all.first { !$0.isClient }))
        try recorder.receive(TestFrames.bytes("settings 0"))
        let echo = MethodDescriptor<Text, Text>(service: "test.v1.S", method: "Echo", shape: .unary)
        let id = try recorder.session.send(text("x"), to: echo, timeout: 0, metadata: Metadata())
        _ = recorder.frames()
        return (recorder, id)
    }

    private static let echo = MethodDescriptor<Text, Text>(service: "test.v1.S", method: "Echo", shape: .unary)

    @Test("headers that nghttp2 cannot send are refused, whatever the server takes; others are sent")
    func longHeaders() throws {
        let (recorder, _) = try call()
        let session = recorder.session
        func send(_ byteCount: Int) throws(RPCError) -> CallID {
            var metadata = Metadata()
            metadata.append(String(repeating: "x", count: byteCount), for: "x")
            return try session.send(text("x"), to: Self.echo, timeout: 0, metadata: metadata)
        }
        for byteCount in [60 << 10, 70 << 10, 1 << 20] {
            let error = #expect(throws: RPCError.self) { try send(byteCount) }
            #expect(error?.code == .resourceExhausted)
        }
        let id = try send(59 << 10)
        // It waits to be written: no end of the call was noticed meanwhile.
        #expect(session.outputByteCount > 16 << 10)
        #expect(session.http2.isOpen(id) && !session.http2.hasEvents)
        // A server that takes less is given less.
        try recorder.receive(TestFrames.frame(4, 0, 0, [0, 6] + TestFrames.bigEndian(1024)))
        #expect(throws: RPCError.self) { try send(1024) }
        #expect(throws: Never.self) { try send(10) }
    }

    @Test("calls that cannot be sent cost a bounded amount of memory: one that ends gives its request back, and new ones are refused")
    func unsent() throws {
        let recorder = try ClientRecorder(try #require(Vector.all.first { !$0.isClient }), limits: { $0.maximumUnsentByteCount = 100_000 })
        let session = recorder.session
        // The preface.
        _ = recorder.frames()
        func send(_ request: String) throws(RPCError) -> CallID { try session.send(text(request), to: Self.echo, timeout: 0, metadata: Metadata()) }
        let first = try send("x*50000")
        // How much may wait is the caller's choice, until a call ends and the server has taken nothing.
        let ids = [try send("x*50000"), try send("x*50000")]
        session.cancel(first, atDeadline: true)
        #expect((100_000..<110_000).contains(session.http2.bufferedByteCount))
        let error = #expect(throws: RPCError.self) { try send("x") }
        #expect(error?.code == .resourceExhausted)
        for id in ids { session.cancel(id, atDeadline: true) }
        #expect(session.http2.bufferedByteCount == 0)
        // nghttp2 keeps the headers of a cancelled call, so they count.
        var count = 0
        while count < 10_000, let id = try? send("x") {
            session.cancel(id, atDeadline: true)
            count += 1
        }
        #expect(count > 100 && count < 1_000)
        try recorder.receive(TestFrames.bytes("settings 0"))
        #expect(recorder.frames().isEmpty)
        #expect(session.streams.isEmpty && session.http2.unsentByteCount == 0)
        let id = try send("x*50000")
        #expect(recorder.frames().last?.hasPrefix("data \(id) end") == true)
        #expect(session.http2.unsentByteCount == 0)
    }

    @Test(
        "calls that wait for the server's limit of streams end with its GOAWAY, and not a call whose answer comes with it", arguments: [true, false])
    func goAwayWithQueue(_ isOnePiece: Bool) throws {
        let (recorder, first) = try call()
        let session = recorder.session
        try recorder.receive(TestFrames.frame(4, 0, 0, [0, 3] + TestFrames.bigEndian(1)))
        let queued = try (0..<2).map { _ in try session.send(text("x*1000"), to: Self.echo, timeout: 0, metadata: Metadata()) }
        let before = recorder.frames().count
        let goAway = TestFrames.bytes("goaway \(first) 0")
        let answer = ["headers \(first) :status=200 content-type=application/grpc", "data \(first) 0000000000", "headers \(first) end grpc-status=0"]
            .flatMap { TestFrames.bytes($0) }
        let unprocessed = queued.map { "unprocessed \($0) UNAVAILABLE" }
        if !isOnePiece {
            try recorder.receive(goAway)
            #expect(recorder.log == ["drains"] + unprocessed)
            #expect(session.http2.bufferedByteCount == 0)
        }
        // Nothing is left to do on the connection, so the session reports its end.
        #expect(throws: ProtocolViolation.self) { try recorder.receive(isOnePiece ? goAway + answer : answer) }
        #expect(recorder.log == ["drains"] + unprocessed + ["metadata \(first)", "ok \(first)"])
        #expect(session.streams.isEmpty && session.http2.unsentByteCount == 0)
        #expect(recorder.frames().count == before)
    }

    @Test("a call that is found to have ended while output is made is reported without input")
    func endWithoutInput() throws {
        let (recorder, first) = try call()
        let session = recorder.session
        try recorder.receive(TestFrames.bytes("goaway \(first) 0"))
        // nghttp2 does not send it.
        let late = try session.send(text("x"), to: Self.echo, timeout: 0, metadata: Metadata())
        #expect(!session.hasUnreportedEvents)
        _ = recorder.frames()
        #expect(session.hasUnreportedEvents)
        #expect(recorder.log == ["drains"])
        try session.reportEvents(to: recorder)
        #expect(recorder.log == ["drains", "unprocessed \(late) UNAVAILABLE"])
        #expect(!session.hasUnreportedEvents)
        // A call that was cancelled here is forgotten without a report.
        let cancelled = try session.send(text("x"), to: Self.echo, timeout: 0, metadata: Metadata())
        session.cancel(cancelled, atDeadline: false)
        _ = recorder.frames()
        #expect(!session.hasUnreportedEvents && session.streams.keys.sorted() == [first])
    }

    @Test("a compressed request says so, and one after it need not be")
    func compression() throws {
        let recorder = try ClientRecorder(Vector("client-cancel.frames"))
        let session = recorder.session
        try recorder.receive(TestFrames.bytes("settings 0"))
        let before = recorder.frames().count
        let compression = RequestCompression(.deflate)
        let upload = MethodDescriptor<Text, Text>(service: "test.v1.S", method: "Upload", shape: .clientStreaming)
        let id = try session.open(upload, timeout: 0, options: CallOptions(requestCompression: compression))
        try session.send(text("x*1000"), on: id)
        _ = recorder.frames()
        compression.isOn = false
        try session.send(text("hi"), on: id)
        session.halfClose(id)
        let frames = Array(recorder.frames()[before...])
        #expect(frames[0].contains("grpc-encoding=deflate"))
        #expect(frames[1].hasPrefix("data \(id) 01"))
        #expect(frames[2] == "data \(id) end 00000000040a026869")
    }
}
