import RPCCore
import TestHarness
import Testing

@testable import GRPCWire

/// Makes a vector's calls through a client session and records their events.
final class ClientRecorder: ClientCallEvents {
    let session: ClientSession
    private(set) var log: [String] = []
    /// How calls failed.
    private(set) var errors: [RPCError] = []
    private let output = FrameLog()

    init(_ vector: Vector, limits change: (inout SessionLimits) -> Void = { _ in }, now: @escaping () -> Int64 = { 0 }) throws {
        var limits = SessionLimits()
        limits.maximumMessageByteCount = vector.limit
        change(&limits)
        session = try #require(ClientSession(limits: limits, now: now))
        for call in vector.calls { make(call) }
    }

    /// The sent frames, without settings and windows.
    func frames() -> [String] {
        while session.outputByteCount > 0 {
            session.withOutput { bytes in
                let piece = Array(array(bytes).prefix(1000))
                output.append(piece)
                return piece.count
            }
        }
        return output.lines
    }

    func receive(_ bytes: [UInt8]) throws(ProtocolViolation) { try session.receive(bytes.span.bytes, events: self) }

    /// `unary|watch <text> [<timeout>] [name=value …]`, `upload|chat` with the same and then no message, or `send|close|cancel <id> [<text>]`.
    private func make(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        let request = text(words.count > 2 && words[0] == "send" ? words[2] : words[1])
        var metadata = Metadata()
        for pair in words.dropFirst(2) where pair.contains("=") {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            metadata.append(parts[1], for: parts[0])
        }
        let timeout = words.count > 2 ? Int64(words[2]) ?? 0 : 0
        do throws(RPCError) {
            switch words[0] {
            case "unary": _ = try session.send(request, to: Self.method("Echo", .unary), timeout: timeout, metadata: metadata)
            case "watch": _ = try session.send(request, to: Self.method("Watch", .serverStreaming), timeout: timeout, metadata: metadata)
            case "upload": _ = try session.open(Self.method("Upload", .clientStreaming), timeout: timeout, metadata: metadata)
            case "chat": _ = try session.open(Self.method("Chat", .bidirectionalStreaming), timeout: timeout, metadata: metadata)
            case "send": try session.send(request, on: CallID(words[1])!)
            case "close": session.halfClose(CallID(words[1])!)
            case "cancel": session.cancel(CallID(words[1])!, atDeadline: false)
            default: preconditionFailure("no call: \(line)")
            }
        } catch {
            log.append("not sent: \(error.code)")
        }
    }

    private static func method(_ name: String, _ shape: CallShape) -> MethodDescriptor<Text, Text> {
        MethodDescriptor(service: "test.v1.S", method: name, shape: shape)
    }

    // MARK: Events

    func initialMetadata(_ id: CallID, _ metadata: Metadata) { log.append("metadata \(id)" + Self.pairs(metadata)) }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {
        log.append("message \(id) " + TestFrames.hex(array(payload)))
        session.consumed(byteCount, on: id)
    }

    func ended(_ id: CallID, _ end: ClientCallEnd, payload: RawSpan, trailing: Metadata) {
        switch end {
        case .success: log.append("ok \(id)" + (payload.byteCount > 0 ? " " + TestFrames.hex(array(payload)) : "") + Self.pairs(trailing))
        case .failure(let error):
            errors.append(error)
            let details = error.details.map { " \($0.typeURL):\(TestFrames.hex($0.value))" }.joined()
            log.append("\(error.code.name) \(id)" + details + Self.pairs(trailing))
        }
    }

    func unprocessed(_ id: CallID, _ error: RPCError) {
        errors.append(error)
        log.append("unprocessed \(id) \(error.code.name)")
    }

    func streamWritable(_ id: CallID) { log.append("writable \(id)") }

    func serverDrains() { log.append("drains") }

    private static func pairs(_ metadata: Metadata) -> String { metadata.map { " \($0.key)=\($0.value)" }.joined() }
}
