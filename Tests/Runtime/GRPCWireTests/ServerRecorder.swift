import ProtobufC
import ProtobufWellKnownTypes
import RPCCore
import TestHarness
import Testing

@testable import GRPCWire

typealias Text = Google_Protobuf_StringValue

/// Records the events of a server session, and answers each call at once according to the vector.
final class ServerRecorder: ServerCallEvents {
    let session: ServerSession
    private(set) var log: [String] = []
    /// Unary calls that ended before any event.
    private(set) var unreported: [String] = []
    private let output = FrameLog()
    /// The actions, in order, by the event's name: an id, `<id>.message` or `<id>.closed`.
    private let answers: [String: [[String]]]

    init(
        answers lines: [String] = [], limits: SessionLimits = SessionLimits(), drains: Bool = false, now: @escaping () -> Int64 = { 1 }
    ) throws {
        session = try #require(ServerSession(limits: limits, now: now))
        answers = Dictionary(grouping: lines) { String($0.prefix { $0 != " " }) }.mapValues { lines in
            lines.map { $0.split(separator: " ", maxSplits: 2).dropFirst().map(String.init) }
        }
        if drains { session.drain() }
    }

    convenience init(_ vector: Vector) throws {
        var limits = SessionLimits()
        limits.maximumMessageByteCount = vector.limit
        try self.init(answers: vector.answers, limits: limits, drains: vector.drains)
    }

    /// The sent frames, without settings and windows.
    func frames() -> [String] {
        session.drainOutput(into: output)
        return output.lines
    }

    func receive(_ bytes: [UInt8]) throws(ProtocolViolation) { try session.receive(bytes.span.bytes, events: self) }

    // MARK: Events

    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? {
        testMethod(String(decoding: array(service), as: UTF8.self), String(decoding: array(method), as: UTF8.self))
    }

    func unaryRequest(_ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, since start: Int64, metadata: Metadata) {
        log.append("request \(id) \(method.path)" + Self.hex(payload) + Self.rest(timeout, metadata))
        for answer in answers["\(id)"] ?? [] { give(answer, to: id) }
    }

    func streamOpened(_ id: CallID, _ method: RegisteredMethod, timeout: Int64, metadata: Metadata) {
        log.append("open \(id) \(method.path)" + Self.rest(timeout, metadata))
        for answer in answers["\(id)"] ?? [] { give(answer, to: id) }
    }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {
        log.append("message \(id)" + Self.hex(payload))
        session.consumed(byteCount, on: id)
        for answer in answers["\(id).message"] ?? [] { give(answer, to: id) }
    }

    func streamHalfClosed(_ id: CallID) {
        log.append("half-closed \(id)")
        for answer in answers["\(id).closed"] ?? [] { give(answer, to: id) }
    }

    func streamWritable(_ id: CallID) { log.append("writable \(id)") }

    func wireProtocolEnded(_ id: CallID, _ code: StatusCode, unreported method: RegisteredMethod?) {
        log.append("ended \(id)")
        if let method { unreported.append("\(method.path) \(code)") }
    }

    private static func hex(_ payload: RawSpan) -> String { payload.byteCount > 0 ? " " + TestFrames.hex(array(payload)) : "" }

    private static func rest(_ timeout: Int64, _ metadata: Metadata) -> String {
        var text = timeout != 0 ? " timeout=\(timeout)" : ""
        for entry in metadata { text += " \(entry.key)=\(entry.value)" }
        return text
    }

    /// Performs a line of the vector's `answers`.
    private func give(_ answer: [String], to id: CallID) {
        let words = answer.count > 1 ? answer[1] : ""
        switch answer[0] {
        case "ok": session.respond(to: id, with: text(words), metadata: nil)
        case "send":
            do throws(RPCError) {
                try session.send(text(words), on: id, metadata: nil)
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
}

extension ServerSession {
    /// Reads the output a few bytes at a time, like a slow socket.
    func drainOutput(into log: FrameLog) {
        while outputByteCount > 0 {
            withOutput { bytes in
                let piece = Array(array(bytes).prefix(1000))
                log.append(piece)
                return piece.count
            }
        }
    }
}

func array(_ bytes: RawSpan) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }

func text(_ value: String) -> Text {
    var text = Text()
    // `text*count` repeats.
    let parts = value.split(separator: "*")
    text.value = parts.count == 2 ? String(repeating: String(parts[0]), count: Int(parts[1]) ?? 0) : value
    return text
}

/// The methods of the tests, all of service `test.v1.S`: these three stream, `None` does not exist, and all others are unary.
private let shapes: [String: CallShape] = ["Watch": .serverStreaming, "Upload": .clientStreaming, "Chat": .bidirectionalStreaming]

func testMethod(_ service: String, _ method: String) -> RegisteredMethod? {
    guard service == "test.v1.S", method != "None", method != "" else { return nil }
    let descriptor = MethodDescriptor<Text, Text>(service: service, method: method, shape: shapes[method] ?? .unary)
    var router = Router()
    switch descriptor.shape {
    case .unary: router.registerSynchronous(descriptor) { request, _ in request }
    case .serverStreaming: router.registerServerStreaming(descriptor) { _, _, _ in }
    case .clientStreaming: router.registerClientStreaming(descriptor) { _, _ in Text() }
    case .bidirectionalStreaming: router.registerBidirectionalStreaming(descriptor) { _, _, _ in }
    }
    return router.methodTable().methods[0]
}
