import ProtobufWellKnownTypes
import RPCCore
import TestHarness

@testable import TTRPCWire

/// A client session and a server session, connected by two pipes, with the rules that must hold for every call.
final class SimulatedConnection {
    /// The implementations at the two ends.
    enum Ends: CaseIterable {
        case ours, foreignClient, foreignServer
    }

    /// How far the project's ends let a peer be ahead of the reader, in bytes. One message may exceed it.
    static let window = 256 << 10
    static let names: [CallShape: String] = [
        .unary: "Echo", .serverStreaming: "Watch", .clientStreaming: "Upload", .bidirectionalStreaming: "Chat",
    ]
    private static let methods: [String: RegisteredMethod] = Dictionary(
        uniqueKeysWithValues: names.values.map { ($0, testMethod("test.v1.S", $0)!) })

    let ends: Ends
    let serverLimit: Int
    let client = ClientSession()
    let server: ServerSession
    var toServer: SimulatedPipe
    var toClient: SimulatedPipe
    var random: SeededRandom
    var calls: [CallID: SimulatedCall] = [:]
    /// Calls that have not ended on both sides.
    var open: [SimulatedCall] = []
    private(set) var drainNotices = 0
    /// How often a writer reached the end of its window.
    var waits = 0
    /// Which session receives bytes now, because both report here.
    private var receivesOnServer = false
    /// The violated rules.
    private(set) var violations: [String] = []

    init(_ ends: Ends, serverLimit: Int, random: SeededRandom) {
        self.ends = ends
        self.serverLimit = serverLimit
        self.random = random
        server = ServerSession(maximumMessageByteCount: serverLimit, now: { 1 })
        toServer = SimulatedPipe(
            kinds: [1, 3, 0x10, 0x11], habit: ends == .ours ? nil : ForeignHabits.client(ends == .foreignClient))
        toClient = SimulatedPipe(
            kinds: ends == .ours ? [2, 3, 0x11, 0x12] : [2, 3], habit: ends == .foreignServer ? ForeignHabits.server : nil)
    }

    func check(_ condition: Bool, _ what: @autoclosure () -> String) {
        if !condition { violations.append(what()) }
    }

    func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    // MARK: The wire

    /// Moves at most `count` bytes of each session's output into its pipe.
    func write(_ count: Int) {
        if let wrong = toServer.enter(Self.take(count, client.withOutput), &random) { check(false, "client: \(wrong)") }
        check(client.outputByteCount > 0 || toServer.isWhole, "the client's output ends within a frame")
        if let wrong = toClient.enter(Self.take(count, server.withOutput), &random) { check(false, "server: \(wrong)") }
        check(server.outputByteCount > 0 || toClient.isWhole, "the server's output ends within a frame")
    }

    private static func take(_ count: Int, _ output: ((RawSpan) -> Int) -> Void) -> [UInt8] {
        var taken: [UInt8] = []
        output { bytes in
            bytes.withUnsafeBytes { taken = Array($0.prefix(count)) }
            return taken.count
        }
        return taken
    }

    func deliverToServer(_ count: Int) {
        let piece = toServer.leave(count)
        receivesOnServer = true
        do { try server.receive(piece.span.bytes, events: self) } catch { check(false, "the server gave the connection up: \(error)") }
    }

    func deliverToClient(_ count: Int) {
        let piece = toClient.leave(count)
        receivesOnServer = false
        do { try client.receive(piece.span.bytes, events: self) } catch { check(false, "the client gave the connection up: \(error)") }
    }

    func closeIfOver(_ call: SimulatedCall) {
        if call.clientEnded, call.serverEnded { open.removeAll { $0 === call } }
    }
}

extension SimulatedConnection: ServerCallEvents {
    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? {
        method.withUnsafeBytes { Self.methods[String(decoding: $0, as: UTF8.self)] }
    }

    private func begin(_ id: CallID, _ method: RegisteredMethod, _ metadata: Metadata) -> SimulatedCall? {
        guard let call = calls[id] else {
            check(false, "call \(id) was never made")
            return nil
        }
        check(!call.serverKnows, "call \(id) began twice")
        check(method.shape == call.shape && metadata.count == 0, "call \(id) is \(method.shape), with \(metadata.count) pairs")
        call.serverKnows = true
        return call
    }

    func unaryRequest(_ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, since start: Int64, metadata: Metadata) {
        guard let call = begin(id, method, metadata) else { return }
        check(SimulatedMessage.number(payload) == 0, "the request of \(id) is another one's")
        call.serverHalfClosed = true
    }

    func streamOpened(_ id: CallID, _ method: RegisteredMethod, timeout: Int64, metadata: Metadata) {
        _ = begin(id, method, metadata)
    }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {
        guard let call = calls[id] else { return check(false, "a message of \(id), which was never made") }
        if receivesOnServer {
            check(call.serverKnows && !call.serverEnded && !call.serverHalfClosed, "a request of \(id) outside of its time")
            check(SimulatedMessage.number(payload) == call.serverReceived, "request \(call.serverReceived) of \(id) is another one")
            call.serverReceived += 1
            call.serverUnread.append(byteCount)
        } else {
            check(!call.clientEnded && call.serverStreams, "a response of \(id) outside of its time")
            check(SimulatedMessage.number(payload) == call.clientReceived, "response \(call.clientReceived) of \(id) is another one")
            call.clientReceived += 1
            call.clientUnread.append(byteCount)
        }
    }

    func streamHalfClosed(_ id: CallID) {
        guard let call = calls[id] else { return check(false, "a half-close of \(id), which was never made") }
        check(call.serverKnows && !call.serverEnded && !call.serverHalfClosed, "a half-close of \(id) outside of its time")
        check(call.serverReceived == call.clientSent, "\(call.clientSent - call.serverReceived) requests of \(id) were lost")
        call.serverHalfClosed = true
    }

    func streamWritable(_ id: CallID) {
        guard let call = calls[id] else { return check(false, "\(id) was never made") }
        if receivesOnServer {
            check(!call.serverEnded && call.serverIsBlocked && server.canSend(on: id), "the server may write \(id), which did not wait")
            call.serverIsBlocked = false
        } else {
            check(!call.clientEnded && call.clientIsBlocked && client.canSend(on: id), "the client may write \(id), which did not wait")
            call.clientIsBlocked = false
        }
    }

    func wireProtocolEnded(_ id: CallID, _ code: StatusCode, unreported method: RegisteredMethod?) {
        guard let call = calls[id], !call.serverEnded else { return }
        check(call.clientGaveUp || serverLimit < TTRPCLimits.maximumDataLength, "\(id) broke a rule")
        call.serverEnded = true
        closeIfOver(call)
    }
}

extension SimulatedConnection: ClientCallEvents {
    func initialMetadata(_ id: CallID, _ metadata: Metadata) { check(false, "ttrpc has no response metadata") }

    func serverDrains() { drainNotices += 1 }

    func ended(_ id: CallID, _ end: ClientCallEnd, payload: RawSpan, trailing: Metadata) {
        guard let call = calls[id] else { return check(false, "an end of \(id), which was never made") }
        let code: StatusCode = if case .failure(let error) = end { error.code } else { .ok }
        if call.clientEnded {
            // The session does not track unary calls. So answers that cross a Cancel, and refusals of frames that crossed an end, are
            // reported here.
            check(call.clientGaveUp || [.invalidArgument, .resourceExhausted].contains(code), "\(id) ended twice")
            return
        }
        call.clientEnded = true
        check(call.serverEnded, "\(id) ended \(code) at the client alone")
        check(call.clientReceived == call.serverSent, "\(call.serverSent - call.clientReceived) responses of \(id) were lost")
        if let answer = call.answer { check(answer == code, "\(id) ended \(code), and was answered \(answer)") }
        if code == .ok, !call.serverStreams { check(SimulatedMessage.number(payload) == 0, "the answer of \(id) is another one's") }
        closeIfOver(call)
    }
}
