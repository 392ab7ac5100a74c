import RPCCore
import Testing

@testable import TTRPCWire

/// A burst is processed in parts, so that its first answers do not wait for its last call.
@Suite struct PartTests {
    private func request(_ id: UInt32) -> [UInt8] { TestFrame(streamID: id, kind: 1, flags: 0, data: [0x0A, 1, 0x73, 0x12, 1, 0x6D]).bytes }

    @Test("a part ends after sixteen frames that are no messages of streams, and nothing is lost")
    func sixteen() throws {
        let recorder = ServerRecorder(Vector("none"))
        let ids = (0..<40).map { UInt32(2 * $0 + 1) }
        let cancel = TestFrame(streamID: 1, kind: 0x10, flags: 0, data: []).bytes
        let burst = ids.flatMap { cancel + request($0) }
        var taken = 0
        var parts: [Int] = []
        while taken < burst.count {
            parts.append(try recorder.session.receivePart(of: burst.span.bytes.extracting(taken..<burst.count), events: recorder))
            taken += parts.last ?? 0
        }
        let pair = cancel.count + request(1).count
        #expect(parts == Array(repeating: 8 * pair, count: 5))
        #expect(recorder.answered == ids)
    }

    @Test("a part ends with the request that passes 64 KiB, and nothing is lost")
    func bytes() throws {
        let recorder = ServerRecorder(Vector("none"))
        // The envelope has a payload of 20,000 bytes.
        let payload = [0x1A, 0xA0, 0x9C, 0x01] + [UInt8](repeating: 7, count: 20_000)
        let ids = (0..<10).map { UInt32(2 * $0 + 1) }
        let requests = ids.map { TestFrame(streamID: $0, kind: 1, flags: 0, data: [0x0A, 1, 0x73, 0x12, 1, 0x6D] + payload).bytes }
        let burst = Array(requests.joined())
        var taken = 0
        var parts: [Int] = []
        while taken < burst.count {
            parts.append(try recorder.session.receivePart(of: burst.span.bytes.extracting(taken..<burst.count), events: recorder))
            taken += parts.last ?? 0
        }
        #expect(parts == [4, 4, 2].map { $0 * requests[0].count })
        #expect(recorder.answered == ids)
    }

    @Test("a request that has come in two counts as one")
    func torn() throws {
        let recorder = ServerRecorder(Vector("none"))
        let first = request(1)
        #expect(try recorder.session.receivePart(of: first.span.bytes.extracting(0..<7), events: recorder) == 7)
        let ids = (1..<20).map { UInt32(2 * $0 + 1) }
        let rest = Array(first[7...]) + ids.flatMap(request)
        #expect(try recorder.session.receivePart(of: rest.span.bytes, events: recorder) == 16 * first.count - 7)
        #expect(recorder.answered == [1] + ids.prefix(15))
    }
}

extension ServerRecorder {
    /// The answered ids, in order. The answers are `UNIMPLEMENTED`, because there are no methods.
    fileprivate var answered: [UInt32] {
        var bytes: [UInt8] = []
        session.withOutput { output in
            bytes = array(output)
            return output.byteCount
        }
        return (TestFrame.parse(bytes) ?? []).filter { $0.kind == 2 }.map(\.streamID)
    }
}
