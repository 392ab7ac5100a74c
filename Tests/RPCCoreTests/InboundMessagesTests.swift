import ProtobufC
import ProtobufWellKnownTypes
import Synchronization
import Testing

@testable import RPCCore

/// What a stream may keep of messages that its handler has not taken.
@Suite struct InboundMessagesTests {
    private typealias Text = Google_Protobuf_StringValue

    @Test("messages that came compressed count for the budgets as what they have become, and for the peer's window as what they were")
    func compressed() async throws {
        let upload = MethodDescriptor<Text, Text>(service: "test.v1.S", method: "Upload", shape: .clientStreaming)
        var router = Router()
        router.registerClientStreaming(upload) { requests, _ in
            var answer = Text()
            for try await request in requests { answer.value = "\(answer.value)\(request.value.utf8.count) " }
            return answer
        }
        let link = Link()
        let connection = InboundBudget(limit: 150_000)
        let end = router.methodTable().methods[0].makeServerEnd(
            link: link, budgets: StreamBudgets(streamByteCount: 200_000, reportEvery: 1, connection: connection))
        var text = Text()
        text.value = String(repeating: "x", count: 80_000)
        let bytes = try text.serializedBytes()
        for _ in 0..<2 { #expect(end.receive(bytes.span.bytes, byteCount: 100) == nil) }
        #expect(connection.usedByteCount > 90_000)
        #expect(end.receive(bytes.span.bytes, byteCount: 100)?.code == .resourceExhausted)
        end.halfClose()
        try await end.run(CallContext(peer: nil, metadata: Metadata(), deadline: .never, method: upload.path))
        #expect(link.consumedByteCount == 200)
        #expect(connection.usedByteCount == 0)
    }
}

/// A link that is always on its loop and notes what was taken.
private final class Link: StreamLink {
    private let consumed = Mutex(0)
    var consumedByteCount: Int { consumed.withLock { $0 } }

    var isOnLoop: Bool { true }
    var maximumMessageByteCount: Int { 1 << 20 }
    var notEncodableCode: StatusCode { .internal }
    func execute(_ work: @escaping @Sendable () -> Void) { work() }
    func maySend() -> Bool { true }
    func send(_ message: borrowing PackableMessage) throws(RPCError) {}
    func send(serialized message: [UInt8]) {}
    func consumed(_ byteCount: Int) { consumed.withLock { $0 += byteCount } }
    func waitingTaskCancelled() {}
}
