import ProtobufC
import ProtobufWellKnownTypes
import RPCCore
import TestHarness

@testable import TTRPCWire

/// Records the events of a server session, and answers each request at once according to the vector.
final class ServerRecorder: ServerCallEvents {
    let session: ServerSession
    private(set) var log: [String] = []
    /// The actions, in order, by the event's name: an id, `<id>.message` or `<id>.closed`.
    private let answers: [String: [[String]]]

    init(_ vector: Vector) {
        session = ServerSession(maximumMessageByteCount: vector.limit, now: { 1 })
        answers = Dictionary(grouping: vector.answers) { String($0.prefix { $0 != " " }) }.mapValues { lines in
            lines.map { $0.split(separator: " ", maxSplits: 2).dropFirst().map(String.init) }
        }
        if vector.drains { session.drain() }
    }

    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? {
        testMethod(text(service), text(method))
    }

    func unaryRequest(
        _ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, since start: Int64, metadata: Metadata
    ) {
        var line = "request \(id) \(method.path)"
        if payload.byteCount > 0 { line += " payload=\(Vector.hex(array(payload)))" }
        log.append(line + Self.rest(timeout, metadata))
        for answer in answers["\(id)"] ?? [] { give(answer, to: id) }
    }

    func streamOpened(_ id: CallID, _ method: RegisteredMethod, timeout: Int64, metadata: Metadata) {
        log.append("open \(id) \(method.path)" + Self.rest(timeout, metadata))
        for answer in answers["\(id)"] ?? [] { give(answer, to: id) }
    }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {
        log.append("message \(id)" + (payload.byteCount > 0 ? " \(Vector.hex(array(payload)))" : " empty"))
        session.consumed(byteCount, on: id)
        for answer in answers["\(id).message"] ?? [] { give(answer, to: id) }
    }

    func streamHalfClosed(_ id: CallID) {
        log.append("half-closed \(id)")
        for answer in answers["\(id).closed"] ?? [] { give(answer, to: id) }
    }

    func streamWritable(_ id: CallID) { log.append("writable \(id)") }

    private static func rest(_ timeout: Int64, _ metadata: Metadata) -> String {
        var text = timeout != 0 ? " timeout=\(timeout)" : ""
        for entry in metadata { text += " \(entry.key)=\(entry.value)" }
        return text
    }

    /// Performs a line of the vector's `answers`.
    private func give(_ answer: [String], to id: CallID) {
        let words = answer.count > 1 ? answer[1] : ""
        var message = Google_Protobuf_StringValue()
        message.value = words == "-" ? "" : words
        switch answer[0] {
        case "ok": session.respond(to: id, with: message, metadata: nil)
        case "send":
            do throws(RPCError) {
                try session.send(message, on: id, metadata: nil)
            } catch {
                log.append("not sent: \(error.code)")
            }
            if !session.canSend(on: id) { log.append("must wait \(id)") }
        case "finish": session.finish(id, metadata: nil)
        default:
            let code = StatusCode.allCases.first { $0.name == answer[0] }!
            session.respond(to: id, with: RPCError(code, words), metadata: nil)
        }
    }

    func wireProtocolEnded(_ id: CallID, _ code: StatusCode, unreported method: RegisteredMethod?) { log.append("ended \(id)") }

    /// The output in the vectors' format.
    func frames() -> [String] {
        let bytes = session.drainOutput()
        guard let frames = TestFrame.parse(bytes) else { return ["not whole frames: \(Vector.hex(bytes))"] }
        return frames.map { frame in
            guard frame.kind == 2, frame.flags == 0 else { return Vector.hex(frame.bytes) }
            return frame.statusCode.map { "\(frame.streamID) \($0.name)" }
                ?? (frame.data.isEmpty ? "\(frame.streamID) ok" : "\(frame.streamID) ok \(Vector.hex(frame.data))")
        }
    }
}

/// Makes a vector's calls through a client session and records how they end.
final class ClientRecorder: ClientCallEvents {
    let session: ClientSession
    private(set) var log: [String] = []
    let sent: [UInt8]

    init(_ vector: Vector) {
        session = ClientSession(maximumMessageByteCount: vector.limit)
        var failures: [String] = []
        for call in vector.calls {
            let words = call.split(separator: " ").map(String.init)
            var request = Google_Protobuf_StringValue()
            request.value = words[2] == "-" ? "" : words[2]
            var metadata = Metadata()
            for pair in words.dropFirst(4) {
                let parts = pair.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
                metadata.append(parts[1], for: parts[0])
            }
            let shape = shapes[words[1]] ?? .unary
            let method = MethodDescriptor<Google_Protobuf_StringValue, Google_Protobuf_StringValue>(
                service: words[0], method: words[1], shape: shape)
            do throws(RPCError) {
                if shape == .unary || shape == .serverStreaming {
                    _ = try session.send(request, to: method, timeout: Int64(words[3]) ?? 0, metadata: metadata)
                } else {
                    let id = try session.open(method, timeout: Int64(words[3]) ?? 0, metadata: metadata)
                    if words[2] != "-" { try session.send(request, on: id) }
                }
            } catch {
                failures.append("not sent: \(error.code)")
            }
        }
        for line in vector.then {
            let words = line.split(separator: " ").map(String.init)
            let id = CallID(words[1])!
            switch words[0] {
            case "close": session.halfClose(id)
            case "cancel", "expire": session.cancel(id, atDeadline: words[0] == "expire")
            default:
                var request = Google_Protobuf_StringValue()
                request.value = words[2] == "-" ? "" : words[2]
                do throws(RPCError) { try session.send(request, on: id) } catch { failures.append("not sent: \(error.code)") }
            }
        }
        log = failures
        sent = session.drainOutput()
    }

    func receive(_ bytes: [UInt8]) throws { try session.receive(bytes.span.bytes, events: self) }

    func initialMetadata(_ id: CallID, _ metadata: Metadata) { log.append("metadata \(id)") }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {
        log.append("message \(id)" + (payload.byteCount > 0 ? " \(Vector.hex(array(payload)))" : " empty"))
        session.consumed(byteCount, on: id)
    }

    func ended(_ id: CallID, _ end: ClientCallEnd, payload: RawSpan, trailing: Metadata) {
        switch end {
        case .success:
            log.append(payload.byteCount == 0 ? "\(id) ok" : "\(id) ok \(Vector.hex(array(payload)))")
        case .failure(let error):
            var line = "\(id) \(error.code.name)"
            for detail in error.details { line += " \(detail.typeURL)=\(Vector.hex(detail.value))" }
            log.append(line)
        }
    }

    func streamWritable(_ id: CallID) { log.append("writable \(id)") }

    func serverDrains() { log.append("drains") }

    /// The frames that were sent after the calls.
    func answerFrames() -> [String] {
        let bytes = session.drainOutput()
        guard let frames = TestFrame.parse(bytes) else { return ["not whole frames: \(Vector.hex(bytes))"] }
        return frames.map { Vector.hex($0.bytes) }
    }

    func frames() -> [String] {
        guard let frames = TestFrame.parse(sent) else { return ["not whole frames: \(Vector.hex(sent))"] }
        return frames.map { Vector.hex($0.bytes) }
    }
}

/// The methods of the vectors, all of service `test.v1.S`: these three stream, `None` does not exist, and all others are unary.
private let shapes: [String: CallShape] = ["Watch": .serverStreaming, "Upload": .clientStreaming, "Chat": .bidirectionalStreaming]

func testMethod(_ service: String, _ method: String) -> RegisteredMethod? {
    guard service == "test.v1.S", method != "None", method != "" else { return nil }
    let descriptor = MethodDescriptor<Google_Protobuf_StringValue, Google_Protobuf_StringValue>(
        service: service, method: method, shape: shapes[method] ?? .unary)
    var router = Router()
    switch descriptor.shape {
    case .unary: router.registerSynchronous(descriptor) { request, _ in request }
    case .serverStreaming: router.registerServerStreaming(descriptor) { _, _, _ in }
    case .clientStreaming: router.registerClientStreaming(descriptor) { _, _ in Google_Protobuf_StringValue() }
    case .bidirectionalStreaming: router.registerBidirectionalStreaming(descriptor) { _, _, _ in }
    }
    return router.methodTable().methods[0]
}

extension ServerSession {
    /// Reads the output a few bytes at a time, like a slow socket.
    func drainOutput() -> [UInt8] {
        var all: [UInt8] = []
        while outputByteCount > 0 {
            withOutput { bytes in
                let count = min(bytes.byteCount, 1000)
                all += array(bytes).prefix(count)
                return count
            }
        }
        return all
    }
}

extension ClientSession {
    func drainOutput() -> [UInt8] {
        var all: [UInt8] = []
        while outputByteCount > 0 {
            withOutput { bytes in
                let count = min(bytes.byteCount, 1000)
                all += array(bytes).prefix(count)
                return count
            }
        }
        return all
    }
}

func array(_ bytes: RawSpan) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }

private func text(_ bytes: RawSpan) -> String { String(decoding: array(bytes), as: UTF8.self) }
