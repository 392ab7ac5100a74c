import ProtobufWellKnownTypes
import RPCCore
import TestHarness
import Testing
import WireBytes

@testable import TTRPCWire

/// Without memory, a call or a connection ends, but never the process.
@Suite struct MemoryTests {
    private let session = ServerSession(now: { 1 })
    private let events = Refuser()

    private func receive(_ bytes: [UInt8]) throws { try session.receive(bytes.span.bytes, events: events) }

    private static func header(_ id: UInt8, byteCount: Int) -> [UInt8] {
        [0, UInt8(byteCount >> 16), UInt8(byteCount >> 8 & 0xFF), UInt8(byteCount & 0xFF), 0, 0, 0, id, 1, 0]
    }

    @Test("a frame for which there is none is refused and passed over; the next call is taken", arguments: [10, 11, 100_000])
    func inbound(_ first: Int) throws {
        let frame = Self.header(1, byteCount: 1_000_000) + [UInt8](repeating: 0, count: 1_000_000)
        try AllocationLimit.$byteCount.withValue(300_000) {
            try receive(Array(frame[..<first]))
            try receive(Array(frame[first...]))
            let answer = session.outputByteCount
            #expect(answer > 0 && answer < 200 && session.heldByteCount == answer)
            try receive(Self.header(3, byteCount: 2) + [10, 0])
            #expect(session.outputByteCount > answer)
        }
        #expect(events.ended == [1] && !session.isOver)
    }

    @Test("an answer for which there is none is an error instead; a message that was encoded elsewhere ends the connection")
    func answer() throws {
        var message = Google_Protobuf_StringValue()
        message.value = String(repeating: "a", count: 1_000_000)
        AllocationLimit.$byteCount.withValue(300_000) {
            session.respond(to: 1, with: message, metadata: nil)
            #expect(session.outputByteCount < 200 && !session.isOver)
            session.send(serialized: [UInt8](repeating: 0, count: 1_000_000), on: 3, metadata: nil)
            #expect(session.isOver)
        }
        #expect(throws: ProtocolViolation.self) { try receive([0]) }
    }

    @Test("a connection that has closed gives back what was not read and what was not written, however long its handlers run")
    func closed() throws {
        try receive(Self.header(1, byteCount: 1_000_000) + [UInt8](repeating: 0, count: 500_000))
        session.send(serialized: [UInt8](repeating: 0, count: 1_000_000), on: 3, metadata: nil)
        #expect(session.heldByteCount > 1_500_000)
        #expect(session.connectionClosed().isEmpty)
        session.freeBuffers()
        #expect(session.heldByteCount == 0)
    }

    @Test("a client's message for which there is none ends the connection, because its call would wait for ever")
    func request() throws {
        let client = Caller(ClientSession())
        let method = MethodDescriptor<Google_Protobuf_StringValue, Google_Protobuf_StringValue>(
            service: "s", method: "m", shape: .bidirectionalStreaming)
        let id = try client.session.open(method, timeout: 0, metadata: Metadata())
        #expect(!client.session.hasUnreportedEvents)
        AllocationLimit.$byteCount.withValue(300_000) {
            client.session.send(serialized: [UInt8](repeating: 0, count: 1_000_000), on: id)
        }
        #expect(client.session.hasUnreportedEvents)
        #expect(throws: ProtocolViolation.self) { try client.session.reportEvents(to: client) }
    }
}

private final class Refuser: PassiveHost {
    private(set) var ended: [CallID] = []

    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? { nil }
    func wireProtocolEnded(_ id: CallID, _ code: StatusCode, unreported method: RegisteredMethod?) { ended.append(id) }
}
