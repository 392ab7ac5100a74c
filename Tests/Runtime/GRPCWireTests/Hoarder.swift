import ProtobufC
import ProtobufWellKnownTypes
import RPCCore
import TestHarness
import Testing
import WireBytes

@testable import GRPCWire

/// Receives messages and never reports them as read.
final class Hoarder: PassiveHost {
    let session: ServerSession
    /// The length of each message on the wire.
    private(set) var unread: [Int] = []

    init(limits: SessionLimits = SessionLimits()) throws { session = try #require(ServerSession(limits: limits, now: { 1 })) }

    func receive(_ bytes: [UInt8]) throws(ProtocolViolation) { try session.receive(bytes.span.bytes, events: self) }

    /// The window that was opened since the last call, in bytes.
    func windowUpdates(of id: UInt32) -> Int {
        var output: [UInt8] = []
        while session.outputByteCount > 0 {
            session.withOutput { bytes in
                output += array(bytes)
                return bytes.byteCount
            }
        }
        var total = 0
        while output.count >= 9 {
            let length = Int(output[0]) << 16 | Int(output[1]) << 8 | Int(output[2])
            let stream = output[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if output[3] == 8, stream == id { total += output[9..<13].reduce(0) { $0 << 8 | Int($1) } }
            output.removeFirst(9 + length)
        }
        return total
    }

    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? {
        testMethod(String(decoding: array(service), as: UTF8.self), String(decoding: array(method), as: UTF8.self))
    }

    func unaryRequest(_ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, since start: Int64, metadata: Metadata) {
        unread.append(payload.byteCount + 5)
    }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) { unread.append(byteCount) }
}
