import CNGHTTP2
import Glibc
import RPCCore
import TestHarness
import Testing
import WireBytes

@testable import GRPCWire

/// Without memory, a call or a connection ends, but never the process.
@Suite struct MemoryTests {
    private let recorder: ServerRecorder
    private var session: ServerSession { recorder.session }
    private static let limit = 300_000

    init() throws {
        recorder = try ServerRecorder()
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

    @Test(
        "there is no session if nghttp2 gets no memory at any step of its beginning, and nothing leaks",
        arguments: [HTTP2Session.Role.server, .client])
    func beginning(_ role: HTTP2Session.Role) {
        var stepCount = 0
        while true {
            let memory = ScarceMemory(allocations: stepCount)
            let exists = HTTP2Session(role, SessionLimits(), memory: memory.functions) != nil
            #expect(memory.blockCount == 0, "after \(stepCount) allocations")
            if exists { break }
            stepCount += 1
        }
        #expect(stepCount > 5)
    }

    @Test("what nghttp2 holds for a connection is counted: HPACK's table of tiny entries, and the table of many former streams")
    func counted() throws {
        let memory = ScarceMemory(allocations: .max)
        let session = try #require(HTTP2Session(.server, SessionLimits(), memory: memory.functions))
        func expectCounted(_ state: Comment) {
            #expect(memory.byteCount <= session.sessionByteCount + 4_000, state)
            #expect(memory.byteCount >= session.sessionByteCount / 3, state)
        }
        func receive(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try session.receive($0) } }
        expectCounted("the beginning")
        try receive(TestFrames.bytes("preface"))
        // Literals of three bytes that enter HPACK's table (RFC 7541, 6.2.1).
        let tiny = (0..<120).flatMap { _ in [0x40, 1, UInt8(ascii: "x"), 0] as [UInt8] }
        let request = TestFrames.headerBlock([(":method", "POST"), (":scheme", "http"), (":path", "/a")])
        try receive(TestFrames.frame(1, 4, 1, request + tiny))
        expectCounted("a full table")
        for id in (1..<900).map({ UInt32(2 * $0 + 1) }) { try receive(TestFrames.frame(1, 4, id, request)) }
        for id in (0..<900).map({ UInt32(2 * $0 + 1) }) { try receive(TestFrames.bytes("reset \(id) 8")) }
        while session.takeEvent() != nil {}
        expectCounted("900 former streams")
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

    @Test("a connection that has closed gives back what was not written, however long its handlers run")
    func closed() throws {
        try recorder.receive(TestFrames.bytes("headers 1 gRPC:/test.v1.S/Echo") + TestFrames.bytes("data 1 end 0000000000"))
        session.respond(to: 1, with: text("a*100000"), metadata: nil)
        #expect(session.outputByteCount > 50_000 && session.http2.output.heldByteCount > 50_000)
        _ = session.connectionClosed()
        session.freeBuffers()
        #expect(session.outputByteCount == 0 && session.http2.output.heldByteCount == 0)
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

/// Memory for nghttp2 that lasts for a number of allocations.
private final class ScarceMemory {
    private var allocations: Int
    /// The bytes of the blocks that are in use.
    private var byteCounts: [UnsafeMutableRawPointer: Int] = [:]
    var blockCount: Int { byteCounts.count }
    var byteCount: Int { byteCounts.values.reduce(0, +) }
    let functions = UnsafeMutablePointer<nghttp2_mem>.allocate(capacity: 1)

    init(allocations: Int) {
        self.allocations = allocations
        functions.initialize(
            to: nghttp2_mem(
                mem_user_data: nil,
                malloc: { count, memory in ScarceMemory.of(memory).take(malloc(count), count) },
                free: { block, memory in ScarceMemory.of(memory).giveBack(block) },
                calloc: { count, size, memory in ScarceMemory.of(memory).take(calloc(count, size), count * size) },
                realloc: { block, count, memory in
                    let memory = ScarceMemory.of(memory)
                    guard memory.lasts() else { return nil }
                    if let block { memory.byteCounts[block] = nil }
                    let grown = realloc(block, count)
                    if let grown { memory.byteCounts[grown] = count }
                    return grown
                }))
        functions.pointee.mem_user_data = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit { functions.deallocate() }

    private static func of(_ userData: UnsafeMutableRawPointer?) -> ScarceMemory {
        Unmanaged<ScarceMemory>.fromOpaque(userData.unsafelyUnwrapped).takeUnretainedValue()
    }

    private func lasts() -> Bool {
        allocations -= 1
        return allocations >= 0
    }

    private func take(_ block: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
        guard lasts() else {
            free(block)
            return nil
        }
        if let block { byteCounts[block] = count }
        return block
    }

    private func giveBack(_ block: UnsafeMutableRawPointer?) {
        if let block { byteCounts[block] = nil }
        free(block)
    }
}
