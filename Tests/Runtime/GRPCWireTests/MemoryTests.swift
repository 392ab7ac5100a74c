import RPCCore
import TestHarness
import Testing
import WireBytes

@testable import GRPCWire

/// Without memory, a call or a connection ends, but never the process.
@Suite struct MemoryTests {
    private let recorder = ServerRecorder()
    private var session: ServerSession { recorder.session }
    private static let limit = 300_000

    init() throws {
        try recorder.receive(TestFrames.bytes("preface") + TestFrames.frame(4, 1, 0, []) + TestFrames.bytes("window 0 1000000000"))
        _ = recorder.frames()
    }

    private func send(_ id: UInt32, byteCount: Int) throws {
        for _ in 0..<(byteCount / 10_000) {
            try recorder.receive(TestFrames.frame(0, 0, id, [UInt8](repeating: 0, count: 10_000)))
            _ = session.outputByteCount
            session.withOutput { $0.byteCount }
        }
    }

    @Test("a message for which there is none ends its call; the others go on")
    func inbound() throws {
        try AllocationLimit.$byteCount.withValue(Self.limit) {
            try recorder.receive(TestFrames.bytes("headers 1 gRPC:/test.v1.S/Echo") + TestFrames.bytes("headers 3 gRPC:/test.v1.S/Echo"))
            try recorder.receive(TestFrames.bytes("data 1 0000100000"))
            try send(1, byteCount: 600_000)
            #expect(recorder.log == ["ended 1"])
            try recorder.receive(TestFrames.bytes("data 3 end 0000000000"))
        }
        #expect(recorder.log == ["ended 1", "request 3 test.v1.S/Echo"])
    }

    @Test("a compressed message for which there is none ends its call")
    func inflated() throws {
        let compressed = try #require(MessageEncoding.gzip.compress([UInt8](repeating: 0, count: 900_000)))
        let message = [1] + TestFrames.bigEndian(UInt32(compressed.count)) + compressed
        try AllocationLimit.$byteCount.withValue(Self.limit) {
            try recorder.receive(TestFrames.bytes("headers 1 gRPC:/test.v1.S/Echo grpc-encoding=gzip") + TestFrames.frame(0, 1, 1, message))
        }
        #expect(recorder.log == ["ended 1"])
        #expect(recorder.frames().last?.contains("grpc-status=8") == true)
    }

    @Test("an answer for which there is none is an error instead")
    func answer() throws {
        try recorder.receive(TestFrames.bytes("headers 1 gRPC:/test.v1.S/Echo") + TestFrames.bytes("data 1 end 0000000000"))
        AllocationLimit.$byteCount.withValue(Self.limit) { session.respond(to: 1, with: text("a*1000000"), metadata: nil) }
        #expect(recorder.frames().last?.contains("grpc-status=8") == true)
    }

    @Test("an answer that was encoded elsewhere and cannot be kept ends the connection")
    func serialized() throws {
        try recorder.receive(TestFrames.bytes("headers 1 gRPC:/test.v1.S/Chat"))
        #expect(!session.isOver)
        AllocationLimit.$byteCount.withValue(Self.limit) { session.send(serialized: [UInt8](repeating: 0, count: 1_000_000), on: 1, metadata: nil) }
        #expect(session.isOver)
    }

    @Test("a buffer that cannot grow stays as it is")
    func buffer() {
        var buffer = ByteBuffer()
        [1, 2, 3].withUnsafeBytes { buffer.append($0) }
        let before = Array(buffer.bytes)
        let grows = [buffer.tryReserve(.max / 4), AllocationLimit.$byteCount.withValue(Self.limit) { buffer.tryReserve(400_000) }]
        #expect(grows == [false, false] && Array(buffer.bytes) == before)
        let growsLittle = AllocationLimit.$byteCount.withValue(Self.limit) { buffer.tryReserve(200_000) }
        #expect(growsLittle && Array(buffer.bytes) == before)
    }
}
