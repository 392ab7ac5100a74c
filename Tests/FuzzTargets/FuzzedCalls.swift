#if DEBUG || FUZZING
import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// A server's calls on a session with an arbitrary peer. Each call is answered in some way, and no event comes before its beginning or
/// after its end.
final class FuzzedCalls: ServerCallEvents {
    private let session: any ServerWireProtocol
    /// The running calls; true for a half-closed stream.
    private var unary: Set<CallID> = []
    private var streams: [CallID: Bool] = [:]
    private var turn = 0
    /// Whether the session has ended the connection. Then nothing of its input may happen any more.
    private var hasEnded = false

    init(_ session: any ServerWireProtocol) { self.session = session }

    /// Runs an input. Its first byte is the size of the pieces in which the rest is received.
    func take(_ input: RawSpan) {
        guard input.byteCount > 1 else { return }
        let first = Int(input.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
        take(whole: input.extracting(1..<input.byteCount), piece: first == 0 ? input.byteCount : first)
    }

    func take(whole input: RawSpan, piece: Int = .max) {
        var start = 0
        do throws(ProtocolViolation) {
            while start < input.byteCount, !session.isOver {
                let end = piece < input.byteCount - start ? start + piece : input.byteCount
                // Each piece has its own memory, which is freed at once. So the sanitizer sees if a later step reads it.
                let received = input.extracting(start..<end).copied
                try workOff(received.span.bytes)
                if turn % 3 == 0 { try writeOutput() }
                start = end
            }
            if input.byteCount % 2 == 0 { try session.expireUnfinished(at: session.nextExpiry, events: self) }
        } catch { hasEnded = true }
        session.dropUnfinished(.max, RPCError(.resourceExhausted, "over"), events: self)
        require(session.heldByteCount >= 0 && session.blockedByteCount >= 0, "no less than nothing is held")
        for id in unary { session.respond(to: id, with: RPCError(.aborted, "over"), metadata: nil) }
        for id in streams.keys { session.finish(id, metadata: nil) }
        session.drain()
        session.endDrain()
        try? writeOutput()
    }

    /// Receives bytes until everything that they cause is done.
    private func workOff(_ bytes: RawSpan) throws(ProtocolViolation) {
        var taken = 0
        var rounds = 0
        while taken < bytes.byteCount || session.hasUnfinishedWork {
            let wasUnfinished = session.hasUnfinishedWork
            let count = try session.receivePart(of: bytes.extracting(taken..<bytes.byteCount), events: self)
            require(count > 0 || wasUnfinished, "a part takes something, or goes on with what it has")
            taken += count
            rounds += 1
            require(rounds < 100_000, "work without end")
        }
    }

    private func writeOutput() throws(ProtocolViolation) {
        var rounds = 0
        while session.outputByteCount > 0, rounds < 10_000 {
            session.withOutput { min($0.byteCount, 1000) }
            if session.hasUnreportedEvents { try session.reportEvents(to: self) }
            rounds += 1
        }
    }

    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? { FuzzedMethod.named(method.copied) }

    func unaryRequest(_ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, since start: Int64, metadata: Metadata) {
        require(!hasEnded, "no call begins after the end of the connection")
        require(method.shape == .unary && streams[id] == nil && unary.insert(id).inserted, "a call begins once")
        _ = payload.copied
        require(metadata.count <= 128, "more metadata than is taken")
        act(id)
    }

    func streamOpened(_ id: CallID, _ method: RegisteredMethod, timeout: Int64, metadata: Metadata) {
        require(!hasEnded, "no call begins after the end of the connection")
        require(method.shape != .unary && !unary.contains(id) && streams.updateValue(false, forKey: id) == nil, "a call begins once")
        act(id)
    }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {
        require(!hasEnded && streams[id] == false, "a message comes while its stream is open")
        _ = payload.copied
        session.consumed(byteCount, on: id)
        act(id)
    }

    func streamHalfClosed(_ id: CallID) {
        require(streams.updateValue(true, forKey: id) == false, "a stream is half-closed once, while it is open")
        act(id)
    }

    func streamWritable(_ id: CallID) { require(streams[id] != nil, "only a stream that is there is writable") }

    func wireProtocolEnded(_ id: CallID, _ code: StatusCode, unreported method: RegisteredMethod?) {
        unary.remove(id)
        streams[id] = nil
    }

    /// Performs actions in turn, the same ones for the same input.
    private func act(_ id: CallID) {
        turn += 1
        var answer = Google_Protobuf_StringValue()
        answer.value = String(repeating: "y", count: turn * 37 % 300)
        switch turn % 8 {
        case 7: session.noteRefusal()
        case 0:
            session.respond(to: id, with: RPCError(.aborted, "fuzzed"), metadata: session.makeResponseMetadata(for: id))
            forget(id)
        case 1, 2:
            guard unary.contains(id) else { fallthrough }
            try? answer.withPackable { session.respond(to: id, with: $0, metadata: nil) }
            forget(id)
        case 3 where streams[id] != nil:
            session.finish(id, metadata: nil)
            forget(id)
        case 4, 5:
            guard streams[id] != nil, session.canSend(on: id) else { return }
            if let bytes = try? answer.serializedBytes() { session.send(serialized: bytes, on: id, metadata: nil) }
        default: break
        }
    }

    private func forget(_ id: CallID) {
        unary.remove(id)
        streams[id] = nil
    }
}

/// A client's calls of all shapes on a session with an arbitrary server.
final class FuzzedAnswers: ClientCallEvents {
    private let session: any ClientWireProtocol
    private var open: Set<CallID> = []
    private var streams: Set<CallID> = []

    init(_ session: any ClientWireProtocol) {
        self.session = session
        for shape in [CallShape.unary, .serverStreaming, .clientStreaming, .bidirectionalStreaming, .unary, .bidirectionalStreaming] {
            let method = MethodDescriptor<Google_Protobuf_StringValue, Google_Protobuf_StringValue>(service: "test.v1.S", method: "m", shape: shape)
            var request = Google_Protobuf_StringValue()
            request.value = "x"
            let sendsOnce = shape == .unary || shape == .serverStreaming
            guard let id = sendsOnce
                ? try? session.send(request, to: method, timeout: 0, options: CallOptions())
                : try? session.open(method, timeout: 0, options: CallOptions())
            else { continue }
            open.insert(id)
            if shape != .unary { streams.insert(id) }
        }
    }

    func take(_ input: RawSpan) {
        guard input.byteCount > 1 else { return }
        let first = Int(input.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
        let piece = first == 0 ? input.byteCount : first
        var start = 1
        do throws(ProtocolViolation) {
            while start < input.byteCount {
                let end = piece < input.byteCount - start ? start + piece : input.byteCount
                let received = input.extracting(start..<end).copied
                try session.receive(received.span.bytes, events: self)
                start = end
            }
        } catch {}
        for id in open { session.cancel(id, atDeadline: false) }
        var rounds = 0
        while session.outputByteCount > 0, rounds < 10_000 {
            session.withOutput { min($0.byteCount, 1000) }
            if session.hasUnreportedEvents { do throws(ProtocolViolation) { try session.reportEvents(to: self) } catch { break } }
            rounds += 1
        }
    }

    func initialMetadata(_ id: CallID, _ metadata: Metadata) { require(open.contains(id), "metadata of a call that is open") }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {
        require(open.contains(id) && streams.contains(id), "a message of a stream that is open")
        _ = payload.copied
        session.consumed(byteCount, on: id)
    }

    func ended(_ id: CallID, _ end: ClientCallEnd, payload: RawSpan, trailing: Metadata) {
        // ttrpc's session does not track unary calls: the caller ignores an end that it does not wait for.
        open.remove(id)
        _ = payload.copied
    }

    func unprocessed(_ id: CallID, _ error: RPCError) { require(open.remove(id) != nil, "a call ends once") }

    func streamWritable(_ id: CallID) { require(open.contains(id), "only a stream that is open is writable") }

    func serverDrains() {}
}

/// The methods of fuzzed calls: `Watch`, `Upload` and `Chat` stream, `None` does not exist, all others are unary.
enum FuzzedMethod {
    private static let methods: [String: RegisteredMethod] = {
        let shapes: [String: CallShape] = [
            "Echo": .unary, "Watch": .serverStreaming, "Upload": .clientStreaming, "Chat": .bidirectionalStreaming,
        ]
        return shapes.reduce(into: [:]) { found, entry in
            let descriptor = MethodDescriptor<Google_Protobuf_StringValue, Google_Protobuf_StringValue>(
                service: "test.v1.S", method: entry.key, shape: entry.value)
            var router = Router()
            switch entry.value {
            case .unary: router.registerSynchronous(descriptor) { request, _ in request }
            case .serverStreaming: router.registerServerStreaming(descriptor) { _, _, _ in }
            case .clientStreaming: router.registerClientStreaming(descriptor) { _, _ in Google_Protobuf_StringValue() }
            case .bidirectionalStreaming: router.registerBidirectionalStreaming(descriptor) { _, _, _ in }
            }
            found[entry.key] = router.methodTable().methods[0]
        }
    }()

    static func named(_ name: [UInt8]) -> RegisteredMethod? {
        let name = String(decoding: name, as: UTF8.self)
        return name == "None" ? nil : methods[name] ?? methods["Echo"]
    }
}
#endif
