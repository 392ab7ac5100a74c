import Dispatch
import Foundation
import Glibc
import ProtobufC
import ProtobufWellKnownTypes
import RPCClient
import RPCCore
import SocketTransport

/// One call of the recorded conversation: the messages in both directions, without frames.
struct RecordedCall: Sendable {
    var method: String
    /// The token in `authorization`; empty for none.
    var token: String
    /// The request; more than one for a stream of requests.
    var requests: [[UInt8]]
    /// Whether the client sends a stream.
    var streamsRequests = false
    var code = 0
    var reason = ""
    /// The answer, or the first message of a stream.
    var answer: [UInt8] = []

    /// Reads a file of calls. It does not say which calls have a stream of requests.
    static func read(_ file: URL) throws -> [RecordedCall] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 6, let code = Int(fields[3]), let answer = bytes(fields[5]) else { throw DamagedVector(line: String(line)) }
            let requests = try fields[2].split(separator: ",", omittingEmptySubsequences: false).map { text in
                guard let request = bytes(String(text)) else { throw DamagedVector(line: String(line)) }
                return request
            }
            return RecordedCall(method: fields[0], token: fields[1], requests: requests, code: code, reason: fields[4], answer: answer)
        }
    }

    static func write(_ calls: [RecordedCall], _ file: URL) throws {
        let lines = calls.map {
            [
                $0.method, $0.token, $0.requests.map(hexadecimal).joined(separator: ","), String($0.code), $0.reason, hexadecimal($0.answer),
            ].joined(separator: "\t")
        }
        let head = "# A conversation in version 1 of the API (FrozenAPITests): method, token, request, code, reason, answer, separated by tabs.\n"
            + "# A stream of requests is separated by commas.\n"
        try (head + lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { (($0 < 16 ? "0" : "") + String($0, radix: 16)) }.joined()
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high * 16 + low))
        }
        return bytes
    }
}

/// ttrpc's frames, encoded and decoded here by hand, without the project's own client.
private enum RawFrame {
    /// What a client sends: a Request with the flag for the end of the stream, or one that opens a stream, and a Data frame for each message.
    static func all(of call: RecordedCall) -> [UInt8] {
        guard call.streamsRequests else { return frame(type: 1, flags: 1, envelope(of: call, field(3, call.requests[0]))) }
        let data = call.requests.enumerated().flatMap { frame(type: 3, flags: $0 == call.requests.count - 1 ? 1 : 0, $1) }
        return frame(type: 1, flags: 2, envelope(of: call, [])) + data
    }

    /// A frame of stream 1.
    private static func frame(type: UInt8, flags: UInt8, _ payload: [UInt8]) -> [UInt8] {
        bigEndian(UInt32(payload.count)) + bigEndian(1) + [type, flags] + payload
    }

    private static func envelope(of call: RecordedCall, _ payload: [UInt8]) -> [UInt8] {
        let name = call.method.split(separator: "/").map { Array($0.utf8) }
        var envelope = field(1, name[0]) + field(2, name[1]) + payload
        if !call.token.isEmpty {
            envelope += field(5, field(1, Array("authorization".utf8)) + field(2, Array("Bearer \(call.token)".utf8)))
        }
        return envelope
    }

    private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] { [number << 3 | 2] + varint(bytes.count) + bytes }

    private static func varint(_ value: Int) -> [UInt8] {
        var value = value
        var bytes: [UInt8] = []
        while value >= 0x80 {
            bytes.append(UInt8(value & 0x7F) | 0x80)
            value >>= 7
        }
        return bytes + [UInt8(value)]
    }

    /// The fields of a message that hold bytes or numbers.
    static func fields(_ message: [UInt8]) -> [(number: Int, bytes: [UInt8], value: Int)] {
        var rest = message[...]
        func number() -> Int {
            var value = 0
            var shift = 0
            while let byte = rest.popFirst() {
                value |= Int(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            return value
        }
        var fields: [(Int, [UInt8], Int)] = []
        while !rest.isEmpty {
            let tag = number()
            if tag & 7 == 2 {
                let length = number()
                fields.append((tag >> 3, Array(rest.prefix(length)), 0))
                rest = rest.dropFirst(length)
            } else {
                fields.append((tag >> 3, [], number()))
            }
        }
        return fields
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
}

/// The answer: the first message, or the code and the reason in its details.
struct RecordedAnswer: Sendable {
    var code = 0
    var reason = ""
    var message: [UInt8] = []

    /// Reads a google.rpc.Status: code 1, details 3, each an Any with value 2; the first one is the ErrorInfo.
    fileprivate mutating func take(status: [UInt8]) throws {
        for field in RawFrame.fields(status) {
            if field.number == 1 { code = field.value }
            if field.number == 3, reason.isEmpty {
                let value = RawFrame.fields(field.bytes).first { $0.number == 2 }?.bytes ?? []
                reason = try Google_Rpc_ErrorInfo(serializedBytes: value).reason
            }
        }
    }
}

/// A connection for one call. It blocks its thread.
private struct RawConnection: ~Copyable {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let descriptor = descriptor
        guard try withSocketAddress(path, { connect(descriptor, $0, $1) }) == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    /// Sends the call and reads the Response (type 2) with status and payload, or the Data frame (type 3) with the first message of a stream.
    func exchange(_ call: RecordedCall) throws -> RecordedAnswer {
        try send(RawFrame.all(of: call))
        let header = try receive(10)
        let payload = try receive(Int(header[0]) << 24 | Int(header[1]) << 16 | Int(header[2]) << 8 | Int(header[3]))
        if header[8] == 3 { return RecordedAnswer(message: payload) }
        var answer = RecordedAnswer()
        for field in RawFrame.fields(payload) {
            if field.number == 2 { answer.message = field.bytes }
            if field.number == 1 { try answer.take(status: field.bytes) }
        }
        return answer
    }

    private func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw POSIXError(.EPIPE) }
            rest = rest.dropFirst(count)
        }
    }

    private func receive(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + filled, count - filled, 0) }
            guard read > 0 else { throw POSIXError(.ECONNRESET) }
            filled += read
        }
        return bytes
    }
}

extension TestBoard {
    /// Makes a recorded call over ttrpc by hand.
    func exchange(_ call: RecordedCall) async throws -> RecordedAnswer {
        let path = socket
        return try await withCheckedThrowingContinuation { continuation in
            // It blocks, so it uses a separate thread.
            DispatchQueue(label: "recorded call").async {
                continuation.resume(with: Result { try RawConnection(path).exchange(call) })
            }
        }
    }

    /// Makes a recorded call over gRPC, without knowing its messages.
    func exchangeOverGRPC(_ call: RecordedCall, streamsResponses: Bool) async throws -> RecordedAnswer {
        var configuration = Channel.Configuration(socketPath: socket)
        configuration.wireProtocol = .grpc
        let channel = try Channel(configuration)
        let name = call.method.split(separator: "/").map(String.init)
        let shape: CallShape =
            switch (call.streamsRequests, streamsResponses) {
            case (false, false): .unary
            case (false, true): .serverStreaming
            case (true, false): .clientStreaming
            case (true, true): .bidirectionalStreaming
            }
        let method = MethodDescriptor<OpaqueMessage, OpaqueMessage>(service: name[0], method: name[1], shape: shape)
        var options = CallOptions()
        if !call.token.isEmpty { options.metadata.append("Bearer " + call.token, for: "authorization") }
        let requests = try call.requests.map { try OpaqueMessage(serializedBytes: $0) }
        var answer = RecordedAnswer()
        do throws(RPCError) {
            switch shape {
            case .unary: answer.message = try await channel.unary(method, requests[0], options: options).wireBytes
            case .serverStreaming:
                var messages = channel.serverStream(method, requests[0], options: options).makeAsyncIterator()
                answer.message = try await messages.next()?.wireBytes ?? []
            case .clientStreaming:
                let stream = channel.clientStream(method, options: options)
                // A refused call ends while its client still sends. The answer says why.
                for request in requests { try? await stream.write(request) }
                answer.message = try await stream.finish().wireBytes
            case .bidirectionalStreaming:
                let stream = channel.bidirectionalStream(method, options: options)
                for request in requests { try? await stream.write(request) }
                var messages = stream.responses.makeAsyncIterator()
                answer.message = try await messages.next()?.wireBytes ?? []
            }
        } catch {
            answer.code = Int(error.code.rawValue)
            answer.reason = error.reason ?? ""
        }
        await channel.close()
        return answer
    }
}
