import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

@testable import TTRPC

/// Writes down what a server session reports, and answers each request at once as the vector says.
final class ServerRecorder: ServerCallEvents {
    let session: ServerSession
    private(set) var log: [String] = []
    private let answers: [String: [String]]

    init(_ vector: Vector) {
        session = ServerSession(maximumMessageByteCount: vector.limit)
        answers = Dictionary(
            vector.answers.map { line in
                let words = line.split(separator: " ", maxSplits: 2).map(String.init)
                return (words[0], Array(words[1...]))
            }, uniquingKeysWith: { first, _ in first })
    }

    func unaryRequest(
        _ id: CallID, service: RawSpan, method: RawSpan, payload: RawSpan, timeout: Int64, metadata: Metadata
    ) {
        var line = "request \(id) \(text(service))/\(text(method))"
        if payload.byteCount > 0 { line += " payload=\(Vector.hex(array(payload)))" }
        if timeout != 0 { line += " timeout=\(timeout)" }
        for entry in metadata { line += " \(entry.key)=\(entry.value)" }
        log.append(line)
        guard let answer = answers["\(id)"] else { return }
        let words = answer.count > 1 ? answer[1] : ""
        if answer[0] == "ok" {
            var response = Google_Protobuf_StringValue()
            response.value = words
            session.respond(to: id, with: response)
        } else {
            let code = StatusCode.allCases.first { $0.name == answer[0] }!
            session.respond(to: id, with: RPCError(code, words))
        }
    }

    func wireProtocolEnded(_ id: CallID) { log.append("ended \(id)") }

    /// The output as the vectors write it.
    func frames() -> [String] {
        let bytes = session.drainOutput()
        guard let frames = TestFrame.parse(bytes) else { return ["not whole frames: \(Vector.hex(bytes))"] }
        return frames.map { frame in
            guard frame.kind == 2, frame.flags == 0 else { return "not a response: \(frame)" }
            return frame.statusCode.map { "\(frame.streamID) \($0.name)" }
                ?? (frame.data.isEmpty ? "\(frame.streamID) ok" : "\(frame.streamID) ok \(Vector.hex(frame.data))")
        }
    }
}

/// Sends a vector's calls through a client session and writes down how they end.
final class ClientRecorder {
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
            do throws(RPCError) {
                _ = try session.sendUnary(
                    service: words[0], method: words[1], request: request, timeout: Int64(words[3]) ?? 0, metadata: metadata)
            } catch {
                failures.append("not sent: \(error.code)")
            }
        }
        log = failures
        sent = session.drainOutput()
    }

    func receive(_ bytes: [UInt8]) {
        session.receive(bytes.span.bytes) { id, end, payload in
            switch end {
            case .success:
                log.append(payload.byteCount == 0 ? "\(id) ok" : "\(id) ok \(Vector.hex(array(payload)))")
            case .failure(let error):
                var line = "\(id) \(error.code.name)"
                for detail in error.details { line += " \(detail.typeURL)=\(Vector.hex(detail.value))" }
                log.append(line)
            }
        }
    }

    func frames() -> [String] {
        guard let frames = TestFrame.parse(sent) else { return ["not whole frames: \(Vector.hex(sent))"] }
        return frames.map { Vector.hex($0.bytes) }
    }
}

extension ServerSession {
    /// Takes the output, a few bytes at a time, as a slow socket would.
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
