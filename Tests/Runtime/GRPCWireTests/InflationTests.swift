import RPCCore
import TestHarness
import Testing

@testable import GRPCWire

/// Compressed requests, which can inflate to a thousand times their length.
@Suite struct InflationTests {
    private let recorder: ServerRecorder
    private var session: ServerSession { recorder.session }

    init() throws {
        recorder = try ServerRecorder()
        try recorder.receive(TestFrames.bytes("preface") + TestFrames.frame(4, 1, 0, []))
        _ = recorder.frames()
    }

    private static func headers(_ id: UInt32, _ method: String) -> [UInt8] {
        TestFrames.bytes("headers \(id) gRPC:/test.v1.S/\(method) grpc-encoding=gzip")
    }

    /// A compressed message with its prefix.
    private static func message(_ bytes: [UInt8]) throws -> [UInt8] {
        let compressed = try #require(MessageEncoding.gzip.compress(bytes))
        return [1] + TestFrames.bigEndian(UInt32(compressed.count)) + compressed
    }

    /// Receives a burst in parts. Returns the work of each: bytes read and inflated.
    private func parts(_ burst: [UInt8]) throws -> [Int] {
        var work: [Int] = []
        var taken = 0
        while taken < burst.count || session.hasUnfinishedWork {
            let read = try session.receivePart(of: burst.span.bytes.extracting(taken..<burst.count), events: recorder)
            taken += read
            work.append(read + session.inflationWork)
        }
        return work
    }

    @Test("a bomb is inflated in parts, none of which takes more than a little time, and what comes behind it waits", arguments: [1, 5])
    func inParts(_ count: Int) throws {
        let message = try Self.message([UInt8](repeating: 0, count: 900_000))
        let calls = (0..<UInt32(count)).flatMap { Self.headers(2 * $0 + 1, "Echo") + TestFrames.frame(0, 1, 2 * $0 + 1, message) }
        let last = UInt32(2 * count + 1)
        let burst = calls + TestFrames.bytes("headers \(last) gRPC:/test.v1.S/Echo") + TestFrames.frame(0, 1, last, [0, 0, 0, 0, 0])
        let work = try parts(burst)
        #expect(work.max()! <= 2 * Inflation.pieceWork + burst.count && work.count >= 3 * count, "\(work)")
        #expect(work.reduce(0, +) >= 900_000 * count)
        #expect(recorder.log.count == count + 1 && recorder.log.last == "request \(last) test.v1.S/Echo")
        #expect(recorder.log[0].utf8.count > 1_800_000)
        #expect(session.nextExpiry == .max && !session.hasUnfinishedWork)
    }

    @Test("what becomes more than a MiB and two hundred times its size is refused before it has become much more")
    func ratio() throws {
        let message = try Self.message([UInt8](repeating: 0, count: 4_000_000))
        let work = try parts(Self.headers(1, "Echo") + TestFrames.frame(0, 1, 1, message))
        #expect(work.reduce(0, +) < 1_700_000)
        #expect(recorder.frames().last?.contains("grpc-status=8") == true && recorder.log == ["ended 1"])
    }

    @Test("input that gives no output is read in parts too, and refused after 64 KiB")
    func emptyBlocks() throws {
        let blocks = [UInt8](repeatElement([0, 0, 0, 0xFF, 0xFF], count: 200_000).joined())
        let message = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + blocks
        try recorder.receive(Self.headers(1, "Echo"))
        let all = [1] + TestFrames.bigEndian(UInt32(message.count)) + message
        var work: [Int] = []
        var responses: [String] = []
        for start in stride(from: 0, to: all.count, by: 16_000) {
            let frame = TestFrames.frame(0, start + 16_000 >= all.count ? 1 : 0, 1, Array(all[start..<min(start + 16_000, all.count)]))
            var taken = 0
            while taken < frame.count || session.hasUnfinishedWork {
                taken += try session.receivePart(of: frame.span.bytes.extracting(taken..<frame.count), events: recorder)
                work.append(session.inflationWork)
            }
            responses += recorder.frames()
        }
        #expect(try #require(work.max()) <= 2 * Inflation.pieceWork)
        let inputWork = Inflation.paddingFreeByteCount * Inflation.inputWork
        #expect((inputWork..<inputWork + 2 * Inflation.pieceWork).contains(work.reduce(0, +)), "\(work)")
        #expect(responses.last?.contains("grpc-status=8") == true && recorder.log == ["ended 1"])
    }

    @Test("a message whose writer flushed after every byte is read")
    func flushed() throws {
        // Each byte is a stored block of its own.
        let text = (0..<20_000).map { UInt8(truncatingIfNeeded: $0) }
        let blocks = text.flatMap { byte -> [UInt8] in [0, 1, 0, 0xFE, 0xFF, byte] } + [1, 0, 0, 0xFF, 0xFF]
        var checksum = (UInt32(1), UInt32(0))
        for byte in text { checksum = ((checksum.0 + UInt32(byte)) % 65_521, (checksum.0 + UInt32(byte) + checksum.1) % 65_521) }
        let message = [0x78, 0x01] + blocks + TestFrames.bigEndian(checksum.1 << 16 | checksum.0)
        try recorder.receive(TestFrames.bytes("headers 1 gRPC:/test.v1.S/Echo grpc-encoding=deflate"))
        let all = [1] + TestFrames.bigEndian(UInt32(message.count)) + message
        for start in stride(from: 0, to: all.count, by: 16_000) {
            let piece = Array(all[start..<min(start + 16_000, all.count)])
            try recorder.receive(TestFrames.frame(0, start + 16_000 >= all.count ? 1 : 0, 1, piece))
            _ = recorder.frames()
        }
        #expect(recorder.log == ["request 1 test.v1.S/Echo " + TestFrames.hex(text)])
    }

    @Test("a large message that is worth its size is inflated, up to the limit")
    func large() throws {
        var random = SeededRandom(seed: 11)
        let text = (0..<1_500_000).map { _ in UInt8.random(in: 0..<16, using: &random) }
        try recorder.receive(Self.headers(1, "Echo"))
        let message = try Self.message(text)
        for start in stride(from: 0, to: message.count, by: 16_000) {
            let piece = Array(message[start..<min(start + 16_000, message.count)])
            try recorder.receive(TestFrames.frame(0, start + 16_000 >= message.count ? 1 : 0, 1, piece))
            _ = recorder.frames()
        }
        #expect(recorder.log == ["request 1 test.v1.S/Echo " + TestFrames.hex(text)])
    }

    @Test("a call that ends while its message is being inflated is forgotten with it", arguments: [true, false])
    func endsMeanwhile(_ byHost: Bool) throws {
        let burst = Self.headers(1, "Watch") + TestFrames.frame(0, 1, 1, try Self.message([UInt8](repeating: 0, count: 900_000)))
        let behind = (byHost ? [] : TestFrames.bytes("reset 1 8")) + TestFrames.bytes("headers 3 gRPC:/test.v1.S/Watch")
        var taken = 0
        while taken < burst.count, !session.hasUnfinishedWork {
            taken += try session.receivePart(of: burst.span.bytes.extracting(taken..<burst.count), events: recorder)
        }
        #expect(session.hasUnfinishedWork && session.heldByteCount > 100_000)
        if byHost { session.respond(to: 1, with: RPCError(.deadlineExceeded, ""), metadata: nil) }
        _ = try parts(Array(burst[taken...]) + behind)
        _ = recorder.frames()
        #expect(session.heldByteCount < 34_000, "\(session.heldByteCount)")
        // The client's own reset came after its message, so that message was read.
        let others = recorder.log.filter { !$0.hasPrefix("message 1") }
        let ends = byHost ? [] : ["half-closed 1", "ended 1"]
        #expect(others == ["open 1 test.v1.S/Watch"] + ends + ["open 3 test.v1.S/Watch"])
        #expect(recorder.log.contains { $0.hasPrefix("message 1") } == !byHost)
    }

    @Test("messages of any size, compressed or not, in any pieces, are the same in the same order", arguments: 0..<4)
    func anyPieces(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        var stream: [UInt8] = []
        var expected = ["open 1 test.v1.S/Chat"]
        for _ in 0..<8 {
            let count = [0, 1, 100, 70_000, 300_000].randomElement(using: &random)!
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 5_000) }
            let isPlain = count < 1000 && Bool.random(using: &random)
            stream += isPlain ? [0] + TestFrames.bigEndian(UInt32(count)) + bytes : try Self.message(bytes)
            expected.append("message 1" + (count > 0 ? " " + TestFrames.hex(bytes) : ""))
        }
        var burst = Self.headers(1, "Chat")
        while !stream.isEmpty {
            let piece = stream.prefix(Int.random(in: 1...2000, using: &random))
            stream.removeFirst(piece.count)
            burst += TestFrames.frame(0, stream.isEmpty ? 1 : 0, 1, Array(piece))
        }
        while !burst.isEmpty {
            let piece = Array(burst.prefix(Int.random(in: 1...5000, using: &random)))
            burst.removeFirst(piece.count)
            try recorder.receive(piece)
            _ = recorder.frames()
        }
        #expect(recorder.log == expected + ["half-closed 1"])
    }

    @Test("the session does not inflate a message of a stream: it is inflated by whoever takes it, within the same limits")
    func whereTaken() throws {
        let messages = try [900_000, 4_000_000].map { try Self.message([UInt8](repeating: 0, count: $0)) }
        let host = TakingHost()
        let burst = Self.headers(1, "Chat") + TestFrames.frame(0, 0, 1, messages.reduce([], +))
        try session.receive(burst.span.bytes, events: host)
        #expect(session.inflationWork == 0 && !session.hasUnfinishedWork && session.heldByteCount < 34_000)
        #expect(host.messages.map(\.byteCount) == messages.map(\.count))
        let inflated = host.messages.map { message in
            Result { () throws(RPCError) in try message.decompressor.decompress(message.payload, mostWork: .max)?.count }
        }
        let first = try inflated.first?.get()
        #expect(first == 900_000 && inflated.count == 2)
        #expect(throws: RPCError.notInflated(.bomb)) { _ = try inflated.last?.get() }
        // Who has little time gives up.
        for mostWork in [16, 64 << 10, 450_000] {
            let given = try host.messages[0].decompressor.decompress(host.messages[0].payload, mostWork: mostWork)
            #expect(given == nil)
        }
        // The window opens again when they are taken.
        session.consumed(messages.reduce(0) { $0 + $1.count }, on: 1)
    }

    /// Keeps compressed messages as they come.
    private final class TakingHost: PassiveHost {
        var messages: [(payload: [UInt8], byteCount: Int, decompressor: any MessageDecompressor)] = []

        func compressedStreamMessage(_ id: CallID, payload: RawSpan, byteCount: Int, decompressor: any MessageDecompressor) -> RPCError? {
            messages.append((payload.withUnsafeBytes { Array($0) }, byteCount, decompressor))
            return nil
        }

        func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? { testMethod("test.v1.S", "Chat") }
    }
}
