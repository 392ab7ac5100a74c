import RPCCore
import TestHarness
import Testing

@testable import GRPCWire

/// Behaviour of a server session that no vector can express: how much a client may send, and hostile clients.
@Suite struct ServerSessionTests {
    private func open(_ id: UInt32, _ path: String, _ rest: String = "") -> [UInt8] { TestFrames.bytes("headers \(id) gRPC:\(path) \(rest)") }

    private func started(_ recorder: ServerRecorder) throws -> ServerRecorder {
        try recorder.receive(TestFrames.bytes("preface"))
        return recorder
    }

    @Test("a call that is opened and reset in one burst never starts, and is not answered (CVE-2023-44487)", arguments: ["Echo", "Chat", "None"])
    func resetInOneBurst(_ method: String) throws {
        let recorder = try started(ServerRecorder(answers: ["1 ok x", "3 ok x"]))
        let reset = open(1, "/test.v1.S/\(method)") + TestFrames.bytes("data 1 end 0000000000") + TestFrames.bytes("reset 1 8")
        try recorder.receive(reset + open(3, "/test.v1.S/Echo") + TestFrames.bytes("data 3 end 0000000000"))
        #expect(recorder.log == ["request 3 test.v1.S/Echo"])
        #expect(recorder.frames().last == "headers 3 end grpc-status=0")
        #expect(recorder.session.streams.isEmpty)
    }

    @Test("a client may reset 5,000 calls at once and 200 more each second; beyond it, it is sent away and told why")
    func rapidReset() throws {
        let clock = TestClock()
        let recorder = try started(ServerRecorder(now: { clock.now }))
        var id: UInt32 = 1
        func openAndReset(_ count: Int) throws(ProtocolViolation) {
            for _ in 0..<count {
                try recorder.receive(open(id, "/test.v1.S/Chat") + TestFrames.bytes("reset \(id) 8"))
                id += 2
            }
        }
        try openAndReset(5000)
        clock.advance(seconds: 2)
        try openAndReset(400)
        #expect(throws: ProtocolViolation.self) { try openAndReset(1) }
        #expect(recorder.frames().last == "goaway \(id) 11 too_many_resets")
    }

    @Test("SETTINGS, and frames that move nothing, without end: GOAWAY with ENHANCE_YOUR_CALM", arguments: [
        ("settings 0", 100, "too_many_settings"), ("priority 1", 6000, "too_many_glitches"), ("data 1", 6000, "too_many_glitches"),
        ("window 1 1", 6000, "too_many_glitches"),
    ])
    func floods(_ frame: String, _ count: Int, _ reason: String) throws {
        let recorder = try started(ServerRecorder())
        try recorder.receive(open(1, "/test.v1.S/Chat"))
        let flood = Array(repeatElement(TestFrames.bytes(frame), count: count).joined())
        #expect(throws: ProtocolViolation.self) { try recorder.receive(flood) }
        #expect(recorder.frames().last == "goaway 1 11 \(reason)")
    }

    @Test("a header value with NUL, CR or LF resets its stream alone (RFC 9113, 8.2.1)", arguments: [0, 13, 10] as [UInt8])
    func forbiddenValues(_ byte: UInt8) throws {
        let character = String(Unicode.Scalar(byte))
        let recorder = try started(ServerRecorder(answers: ["13 ok x"]))
        let echo = "/test.v1.S/Echo"
        let headers = [
            open(1, echo, "x-a=1\(character)2"), open(3, echo, "x-a-bin=YQ\(character)"), open(5, echo, "user-agent=\(character)"),
            open(7, echo, "grpc-timeout=1S\(character)"), open(9, echo + character), open(11, echo, "x-a=1 x-b=\(character)2"),
        ]
        for bytes in headers { try recorder.receive(bytes) }
        #expect(recorder.frames() == [1, 3, 5, 7, 9, 11].map { "reset \($0) 1" })
        try recorder.receive(open(13, echo, "x-a=1\t2") + TestFrames.bytes("data 13 end 0000000000"))
        #expect(recorder.log == ["request 13 test.v1.S/Echo x-a=1\t2"])
        #expect(recorder.frames().last == "headers 13 end grpc-status=0")
    }

    @Test("a host with a control character resets its stream alone; with a space or another script it is ignored")
    func forbiddenHosts() throws {
        let recorder = try started(ServerRecorder(answers: ["5 ok x"]))
        let pseudo = [(":method", "POST"), (":scheme", "http"), (":path", "/test.v1.S/Echo")]
        let rest = [("content-type", "application/grpc"), ("te", "trailers")]
        func begin(_ id: UInt32, _ headers: [(String, String)]) -> [UInt8] { TestFrames.frame(1, 4, id, TestFrames.headerBlock(headers)) }
        try recorder.receive(begin(1, pseudo + [(":authority", "a\tb")] + rest))
        try recorder.receive(begin(3, pseudo + rest + [("host", "a\u{7F}b")]))
        #expect(recorder.frames() == ["reset 1 1", "reset 3 1"])
        try recorder.receive(begin(5, pseudo + [(":authority", "/run/내 서버.sock")] + rest + [("host", "b")]))
        try recorder.receive(TestFrames.bytes("data 5 end 0000000000"))
        #expect(recorder.log == ["request 5 test.v1.S/Echo"])
    }

    @Test("CONTINUATION frames without end end the connection (CVE-2024-28182)")
    func continuations() throws {
        let recorder = try started(ServerRecorder())
        let begin = TestFrames.frame(1, 0, 1, TestFrames.headerBlock([(":method", "POST")]))
        let more = TestFrames.frame(9, 0, 1, TestFrames.headerBlock([("x", "y")]))
        let violation = #expect(throws: ProtocolViolation.self) {
            try recorder.receive(begin + Array(repeatElement(more, count: 1000).joined()))
            try recorder.receive(TestFrames.frame(9, 4, 1, []))
        }
        #expect(violation?.isFlood == true)
        #expect(recorder.frames().last == "goaway 1 11 too_many_continuations")
        #expect(recorder.log.isEmpty)
    }

    @Test("trailers over the limit of headers end their stream, however few bytes on the wire they are", arguments: [(4, false), (5, true)])
    func largeTrailers(_ count: Int, _ isTooMuch: Bool) throws {
        let recorder = try started(ServerRecorder())
        // A field of 3,900 bytes that enters HPACK's table. One byte names it then (RFC 7541, 6.1).
        let large = Array(TestFrames.headerBlock([("x", String(repeating: "y", count: 3_900))]).dropFirst())
        let head = [(":method", "POST"), (":scheme", "http"), (":path", "/test.v1.S/Chat"), ("content-type", "application/grpc"), ("te", "trailers")]
        try recorder.receive(TestFrames.frame(1, 4, 1, TestFrames.headerBlock(head) + [0x40] + large))
        try recorder.receive(TestFrames.frame(1, 5, 1, [UInt8](repeating: 0xBE, count: count)))
        #expect(recorder.log.last == (isTooMuch ? "ended 1" : "half-closed 1"))
        #expect(recorder.frames() == (isTooMuch ? ["reset 1 1"] : []))
    }

    @Test("headers over the limit cost the call, not the connection")
    func largeHeaders() throws {
        let recorder = try started(ServerRecorder(answers: ["3 ok x"]))
        let value = String(repeating: "v", count: 3200)
        let pairs = (0..<5).map { "x-\($0)=\(value)" }.joined(separator: " ")
        try recorder.receive(open(1, "/test.v1.S/Echo", pairs))
        try recorder.receive(open(3, "/test.v1.S/Echo") + TestFrames.bytes("data 3 end 0000000000"))
        #expect(recorder.frames().first?.contains("grpc-status=8") == true)
        #expect(recorder.log == ["request 3 test.v1.S/Echo"])
    }

    @Test("the window of a stream opens as its reader takes messages, and not before")
    func inboundWindow() throws {
        let events = try Hoarder()
        try events.receive(TestFrames.bytes("preface") + open(1, "/test.v1.S/Upload"))
        // The client acknowledges the settings. From here on the server's window applies.
        _ = events.windowUpdates(of: 1)
        try events.receive(TestFrames.frame(4, 1, 0, []))
        let frame = TestFrames.frame(0, 0, 1, [0] + TestFrames.bigEndian(10_000 - 5) + [UInt8](repeating: 0, count: 10_000 - 5))
        for _ in 0..<26 { try events.receive(frame) }
        #expect(events.unread.count == 26)
        #expect(events.windowUpdates(of: 1) == 0)
        for byteCount in events.unread { events.session.consumed(byteCount, on: 1) }
        #expect(events.windowUpdates(of: 1) >= 128 << 10)
    }

    @Test("a message of 4 MiB arrives through a window of 256 KiB, and a unary call needs nobody to read")
    func largeMessage() throws {
        for method in ["Echo", "Upload"] {
            let events = try Hoarder()
            try events.receive(TestFrames.bytes("preface") + open(1, "/test.v1.S/\(method)"))
            _ = events.windowUpdates(of: 1)
            try events.receive(TestFrames.frame(4, 1, 0, []))
            var granted = 256 << 10
            var message = [0] + TestFrames.bigEndian(4 << 20) + [UInt8](repeating: 1, count: 4 << 20)
            while !message.isEmpty {
                granted += events.windowUpdates(of: 1)
                let count = min(granted, 16_384, message.count)
                try #require(count > 0, "the window does not open")
                granted -= count
                try events.receive(TestFrames.frame(0, count == message.count ? 1 : 0, 1, Array(message.prefix(count))))
                message.removeFirst(count)
            }
            #expect(events.unread == [(4 << 20) + 5])
        }
    }

    @Test("unfinished messages of all streams together are bounded")
    func unfinishedMessages() throws {
        var limits = SessionLimits()
        limits.maximumUnfinishedByteCount = 100_000
        let recorder = try started(ServerRecorder(limits: limits))
        for id in [1, 3, 5, 7] as [UInt32] {
            try recorder.receive(open(id, "/test.v1.S/Chat"))
            try recorder.receive(TestFrames.frame(0, 0, id, [0] + TestFrames.bigEndian(1 << 20)))
            try recorder.receive(TestFrames.frame(0, 0, id, [UInt8](repeating: 0, count: 16_000)))
            try recorder.receive(TestFrames.frame(0, 0, id, [UInt8](repeating: 0, count: 14_000)))
        }
        #expect(recorder.log == ["open 1 test.v1.S/Chat", "open 3 test.v1.S/Chat", "open 5 test.v1.S/Chat", "open 7 test.v1.S/Chat", "ended 7"])
        for id in [1, 3, 5] as [UInt32] { try recorder.receive(TestFrames.bytes("reset \(id) 8")) }
        #expect(recorder.session.unfinished.byteCount == 0)
        #expect(recorder.session.streams.isEmpty)
    }

    @Test("whole requests whose calls are still open for more are bounded as they are once decompressed, and stand in nobody's way")
    func heldMessages() throws {
        var limits = SessionLimits()
        limits.maximumUnfinishedByteCount = 200_000
        let recorder = try started(ServerRecorder(answers: ["1 ok x", "5 ok x"], limits: limits))
        let compressed = try #require(MessageEncoding.gzip.compress([UInt8](repeating: 0, count: 90_000)))
        let message = [1] + TestFrames.bigEndian(UInt32(compressed.count)) + compressed
        for id in [1, 3] as [UInt32] {
            try recorder.receive(open(id, "/test.v1.S/Echo", "grpc-encoding=gzip") + TestFrames.frame(0, 0, id, message))
        }
        #expect(recorder.session.unfinished.byteCount == 180_000)
        // Little room is left, and neither of these two has more data, so the next two continue.
        for id in [5, 7] as [UInt32] {
            try recorder.receive(open(id, "/test.v1.S/Echo") + TestFrames.frame(0, 0, id, [0] + TestFrames.bigEndian(8)))
            let goesOn = recorder.session.unfinished.mayGoOn(id)
            #expect(goesOn)
            try recorder.receive(TestFrames.frame(0, 1, id, [UInt8](repeating: 0, count: 8)))
        }
        try recorder.receive(open(9, "/test.v1.S/Echo", "grpc-encoding=gzip") + TestFrames.frame(0, 0, 9, message))
        #expect(recorder.frames().contains { $0.hasPrefix("headers 9") && $0.contains("grpc-status=8") })
        #expect(recorder.session.unfinished.byteCount == 180_000)
        // Completed and dropped messages do not count any more.
        try recorder.receive(TestFrames.bytes("data 1 end"))
        #expect(recorder.session.unfinished.byteCount == 90_000)
        try recorder.receive(TestFrames.bytes("reset 3 8"))
        #expect(recorder.session.unfinished.byteCount == 0)
        #expect(recorder.log.count { $0.hasPrefix("request") } == 3)
    }

    @Test("a request that had to wait for answers to be read goes on when the socket has taken them")
    func answersLeaveWithTheSocket() throws {
        var limits = SessionLimits()
        limits.maximumBufferedByteCount = 4 << 20
        let events = try Hoarder(limits: limits)
        // 16 MiB of window for each stream, and for the connection.
        try events.receive(TestFrames.preface + TestFrames.bytes("settings 0 000401000000") + TestFrames.bytes("window 0 16777216"))
        _ = events.windowUpdates(of: 0)
        try events.receive(TestFrames.frame(4, 1, 0, []))
        // The first answer waits for the socket and blocks the second.
        for id in [1, 3] as [UInt32] {
            try events.receive(open(id, "/test.v1.S/Chat"))
            try events.session.send(text("x*4000000"), on: id, metadata: nil)
        }
        try events.receive(open(5, "/test.v1.S/Echo") + TestFrames.frame(0, 0, 5, [0] + TestFrames.bigEndian(1 << 20)))
        for _ in 0..<10 { try events.receive(TestFrames.frame(0, 0, 5, [UInt8](repeating: 0, count: 16_000))) }
        #expect(events.session.http2.bufferedByteCount > 2 << 20)
        #expect(events.windowUpdates(of: 5) >= 128 << 10)
        #expect(events.session.http2.bufferedByteCount == 0)
    }

    @Test("a client with a wide window gets a long answer piece by piece, no faster than the socket takes it, and all of it")
    func longAnswerIsSentInPieces() throws {
        let recorder = try started(ServerRecorder(answers: ["1 ok x*4000000"]))
        try recorder.receive(TestFrames.bytes("settings 0 00047fffffff") + TestFrames.bytes("window 0 16777216"))
        try recorder.receive(open(1, "/test.v1.S/Echo") + TestFrames.bytes("data 1 end 0000000000"))
        var received = 0
        while recorder.session.outputByteCount > 0 {
            #expect(recorder.session.outputByteCount <= (1 << 20) + (64 << 10))
            recorder.session.withOutput { bytes in
                received += min(bytes.byteCount, 100_000)
                return min(bytes.byteCount, 100_000)
            }
        }
        #expect(received > 4_000_000)
        #expect(recorder.session.http2.bufferedByteCount == 0)
    }

    @Test("answers for a client that opens no window are bounded, and given back with their streams")
    func answersWithoutWindow() throws {
        var limits = SessionLimits()
        limits.maximumBufferedByteCount = 100_000
        let answers = stride(from: 1, to: 40, by: 2).map { "\($0) ok x*20000" }
        let recorder = try started(ServerRecorder(answers: answers, limits: limits))
        try recorder.receive(TestFrames.bytes("settings 0 000400000000"))
        for id in stride(from: 1, to: 40, by: 2) as StrideTo<UInt32> {
            try recorder.receive(open(id, "/test.v1.S/Echo") + TestFrames.bytes("data \(id) end 0000000000"))
        }
        #expect(recorder.frames().count { $0.contains("grpc-status=8") } == 15)
        #expect(recorder.session.http2.bufferedByteCount > 100_000)
        for id in stride(from: 1, to: 40, by: 2) as StrideTo<UInt32> { try recorder.receive(TestFrames.bytes("reset \(id) 8")) }
        #expect(recorder.session.http2.bufferedByteCount == 0)
        #expect(recorder.session.streams.isEmpty)
    }

    @Test(
        "after a violation, nothing of the same input happens: its bytes are gone when output is written",
        arguments: ["priority 0", "headers 3 gRPC:/test.v1.S/Echo"])
    func inputOfViolation(_ violation: String) throws {
        let recorder = try started(ServerRecorder(answers: ["5 ok x"]))
        let call = open(5, "/test.v1.S/Echo") + TestFrames.bytes("data 5 end 0000000000")
        #expect(throws: ProtocolViolation.self) { try recorder.receive(call + TestFrames.bytes(violation)) }
        #expect(!recorder.session.hasUnreportedEvents)
        try recorder.session.reportEvents(to: recorder)
        #expect(recorder.log.isEmpty)
        #expect(recorder.frames().last?.hasPrefix("goaway") == true)
    }

    @Test("streams whose client opens no window wait while all of them together have too much to send, and go on when it is less")
    func streamsWithoutWindow() throws {
        var limits = SessionLimits()
        limits.maximumBufferedByteCount = 100_000
        let recorder = try started(ServerRecorder(limits: limits))
        let session = recorder.session
        try recorder.receive(TestFrames.bytes("settings 0 000400000000"))
        let ids = Array(stride(from: 1, to: 40, by: 2)) as [UInt32]
        for id in ids {
            try recorder.receive(open(id, "/test.v1.S/Chat"))
            if session.canSend(on: id) { session.send(serialized: [UInt8](repeating: 0, count: 20_000), on: id, metadata: nil) }
        }
        #expect(session.http2.bufferedByteCount == 5 * 20_005)
        #expect(session.blocked == Set(ids.dropFirst(5)))
        try recorder.receive(TestFrames.bytes("window 1 5"))
        #expect(session.http2.bufferedByteCount == 100_020)
        #expect(!recorder.log.contains { $0.hasPrefix("writable") })
        try recorder.receive(TestFrames.bytes("window 1 20000"))
        #expect(session.http2.bufferedByteCount == 80_020)
        #expect(recorder.log.contains("writable 39"))
        #expect(session.canSend(on: 39))
    }

    @Test("a connection that is closed before its client has answered the notice still says which call was the last that counts, once")
    func drainIsCutShort() throws {
        let recorder = try started(ServerRecorder())
        try recorder.receive(open(1, "/test.v1.S/Chat"))
        recorder.session.endDrain()
        #expect(!recorder.frames().contains { $0.hasPrefix("goaway") })
        recorder.session.drain()
        recorder.session.endDrain()
        recorder.session.endDrain()
        try recorder.receive(TestFrames.bytes("ping 0 end"))
        #expect(recorder.frames().filter { $0.hasPrefix("goaway") } == ["goaway 2147483647 0", "goaway 1 0 draining"])
    }

    @Test("a heartbeat is a ping whose answer ends no drain; without answers there are four")
    func heartbeat() throws {
        let recorder = try started(ServerRecorder())
        func pings() -> Int { recorder.frames().filter { $0 == "ping" }.count }
        try recorder.receive(open(1, "/test.v1.S/Chat"))
        for _ in 0..<10 { recorder.session.sendHeartbeat() }
        #expect(pings() == 4)
        let answer =
            "hex 00 00 08 06 01 00 00 00 00 "
            + Array("pb-beat\0".utf8).map { String($0, radix: 16).count == 1 ? "0\($0)" : String($0, radix: 16) }.joined(separator: " ")
        try recorder.receive(TestFrames.bytes(answer))
        recorder.session.drain()
        let noticed = pings()
        #expect(noticed == 5, "the drain's own")
        try recorder.receive(TestFrames.bytes(answer))
        #expect(recorder.frames().filter { $0.hasPrefix("goaway") } == ["goaway 2147483647 0"])
        recorder.session.sendHeartbeat()
        #expect(pings() == 6, "two of the four were answered")
        try recorder.receive(TestFrames.bytes("ping 0 end"))
        #expect(recorder.frames().last == "goaway 1 0 draining")
    }

    @Test("whatever arrives, in any order and damaged, is answered or ends the connection, and leaves nothing behind", arguments: 0..<40)
    func damaged(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let whole = Vector.all.map { Array($0.input.joined()) }
        for _ in 0..<60 {
            let recorder = try ServerRecorder(answers: ["1 ok x", "3.message send y", "3.closed finish"])
            var bytes = TestFrames.bytes("preface")
            for _ in 0..<Int.random(in: 1...4, using: &random) { bytes += whole.randomElement(using: &random)!.dropFirst(33) }
            for _ in 0..<Int.random(in: 0...6, using: &random) where bytes.count > 34 {
                bytes[Int.random(in: 33..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + Int.random(in: 1...200, using: &random))
                do throws(ProtocolViolation) { try recorder.receive(Array(bytes[start..<end])) } catch { break }
                start = end
            }
            _ = recorder.frames()
            let kept = recorder.session.streams.values.reduce(0) { $0 + $1.assembler.unfinishedByteCount + ($1.held?.count ?? 0) }
            #expect(recorder.session.unfinished.byteCount == kept)
            #expect(recorder.session.http2.bufferedByteCount == recorder.session.streams.values.reduce(0) { $0 + $1.body.buffer.count })
        }
    }

    @Test("when the connection has closed, the session gives away what it holds for calls, and then nothing has an effect on it")
    func connectionClosed() throws {
        let recorder = try started(ServerRecorder())
        for id: UInt32 in [1, 3, 5] { try recorder.receive(open(id, "/test.v1.S/Chat")) }
        _ = recorder.frames()
        let session = recorder.session
        // The message waits for the output.
        try session.send(text("x"), on: 1, metadata: nil)
        #expect(session.connectionClosed().count == 3)
        #expect(session.streams.isEmpty)
        session.send(serialized: [1], on: 1, metadata: nil)
        session.respond(to: 3, with: RPCError(.unavailable, "late"), metadata: nil)
        session.drain()
        session.endDrain()
        _ = session.peerClosesDrained
        #expect(recorder.frames().allSatisfy { !$0.hasPrefix("goaway") && !$0.hasPrefix("headers") && !$0.hasPrefix("data") })
    }
}
