import ProtobufWellKnownTypes
import RPCCore
import TestHarness
import Testing

@testable import TTRPCWire

/// Makes unary calls on a client session and records how they end.
final class Caller: ClientCallEvents {
    let session: ClientSession
    private(set) var ends: [(id: CallID, end: ClientCallEnd, payload: [UInt8])] = []
    /// Whether it makes another call at each end.
    var callsAgain = false

    init(_ session: ClientSession) { self.session = session }

    @discardableResult
    func call() throws(RPCError) -> CallID {
        let method = MethodDescriptor<Google_Protobuf_StringValue, Google_Protobuf_StringValue>(
            service: "s", method: "m", shape: .unary)
        return try session.send(Google_Protobuf_StringValue(), to: method, timeout: 0, metadata: Metadata())
    }

    func ended(_ id: CallID, _ end: ClientCallEnd, payload: RawSpan, trailing: Metadata) {
        ends.append((id, end, array(payload)))
        if callsAgain { _ = try? call() }
    }

    func serverDrains() {}

    func initialMetadata(_ id: CallID, _ metadata: Metadata) { Issue.record("ttrpc has none") }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) { Issue.record("no stream is open") }

    func streamWritable(_ id: CallID) { Issue.record("no stream is open") }
}
