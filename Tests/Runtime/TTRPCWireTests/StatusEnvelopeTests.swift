import ProtobufC
import ProtobufWellKnownTypes
import RPCCore
import TestHarness
import Testing
import WireBytes

@testable import TTRPCWire

/// The encoded status of a failure.
@Suite struct StatusEnvelopeTests {
    private func frame(_ error: RPCError, limit: Int) throws -> TestFrame {
        let session = ServerSession(maximumMessageByteCount: limit, now: { 1 })
        session.respond(to: 1, with: error, metadata: nil)
        let frames = try #require(TestFrame.parse(session.drainOutput()))
        #expect(frames.count == 1)
        return frames[0]
    }

    @Test("protobuf-c reads what we write: code, text and details in their order")
    func readByProtobuf() throws {
        let error = RPCError(
            .failedPrecondition, "세션이 없음",
            details: [StatusDetail(typeURL: "t/a", value: [1, 2]), StatusDetail(typeURL: "", value: []), StatusDetail(typeURL: "t/b", value: [3])])
        let status = try #require(try frame(error, limit: 4 << 20).status)
        #expect(status.code == StatusCode.failedPrecondition.rawValue)
        #expect(status.message == error.message)
        #expect(status.details.map(\.typeURL) == ["t/a", "", "t/b"])
        #expect(status.details.map(\.value) == [[1, 2], [], [3]])
    }

    @Test("a failure never exceeds the limit of a frame: its details go first, then its text is cut between characters",
        arguments: [40, 64, 100, 1000, 1 << 20, 4 << 20])
    func fits(_ limit: Int) throws {
        // One grapheme of 6 MB: a text cut by graphemes would not become shorter.
        let text = "e" + String(repeating: "\u{301}", count: 3 << 20)
        let error = RPCError(.notFound, text, details: [StatusDetail(typeURL: "t", value: [UInt8](repeating: 0, count: 2 << 20))])
        let frame = try frame(error, limit: limit)
        #expect(frame.data.count <= limit)
        let status = try #require(frame.status)
        #expect(status.code == StatusCode.notFound.rawValue)
        #expect(status.details.isEmpty)
        #expect(!status.message.isEmpty)
        #expect(text.unicodeScalars.starts(with: status.message.unicodeScalars))
    }

    @Test("details that fit are kept up to the last byte of the limit, and the code fits any limit")
    func boundary() throws {
        let detail = StatusDetail(typeURL: "t", value: [UInt8](repeating: 9, count: 900))
        #expect(try frame(RPCError(.aborted, "m", details: [detail]), limit: 1000).status?.details.count == 1)
        #expect(try frame(RPCError(.aborted, "m", details: [detail]), limit: 950).status?.details.count == 0)
        #expect(try frame(RPCError(.aborted, "some text"), limit: 1).statusCode == .aborted)
    }

    @Test("a detail that does not fit is left out alone, and those before and after it stay")
    func leftOutAlone() throws {
        let details = [100, 5_000, 200].map { StatusDetail(typeURL: "t/\($0)", value: [UInt8](repeating: 7, count: $0)) }
        let status = try #require(try frame(RPCError(.aborted, "m", details: details), limit: 3_072).status)
        #expect(status.details.map(\.typeURL) == ["t/100", "t/200"])
    }

    @Test("what a server writes, a client reads as the same error")
    func roundTrip() throws {
        let error = RPCError(.dataLoss, "gone", details: [StatusDetail(typeURL: "t/a", value: [0, 255])])
        let client = Caller(ClientSession())
        let id = try client.call()
        try client.session.receive(try frame(error, limit: 4 << 20).bytes.span.bytes, events: client)
        #expect(client.ends.map(\.id) == [id])
        guard case .failure(let read) = client.ends.first?.end else { throw error }
        #expect(read == error)
    }
}
