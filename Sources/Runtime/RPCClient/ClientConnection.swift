import GRPCWire
import ProtobufC
import RPCCore
import SocketTransport
import TTRPCWire

/// One connection to a server. It connects the socket, the wire protocol and the waiting calls. Loop-bound.
final class ClientConnection: ConnectionHandler {
    let wire: any ClientWireProtocol
    private var reportIsDue = false
    private(set) var connection: Connection?
    private var waiting: [CallID: any PendingCall] = [:]
    /// Calls that may be made again, because no answer has come yet and the protocol can say that a call has not begun.
    private var repeatable: [CallID: ChannelConnection.QueuedCall] = [:]
    private let keepsRepeatable: Bool
    /// Called with a call that its server has not begun.
    var onUnprocessed: ((ChannelConnection.QueuedCall, RPCError, Unprocessed) -> Void)?
    /// Called once, when the server has answered something to a call.
    var onFirstAnswer: (() -> Void)?
    /// Whether the server has sent something that is this protocol, and all that a server sends first.
    private var hasGreeted = false

    /// Why a server has not begun a call.
    enum Unprocessed {
        /// It was sent, and the server has refused it.
        case refused
        /// It never left this side.
        case neverLeft(serverGreeted: Bool)
    }

    /// Streams that wait until the server has read the output.
    private var waitingForOutput = OutputWaiters()
    private var isRetired = false
    /// Bytes that the socket has taken.
    private var writtenByteCount = 0
    private let loop: EventLoop

    /// Nil if there is no memory for it.
    init?(_ configuration: Channel.Configuration, loop: EventLoop) {
        self.loop = loop
        keepsRepeatable = configuration.wireProtocol == .grpc
        switch configuration.wireProtocol {
        case .ttrpc:
            wire = TTRPCWire.ClientSession(
                maximumMessageByteCount: configuration.maximumMessageByteCount, renewalStreamID: configuration.renewalStreamID,
                maximumUnsentByteCount: configuration.maximumUnsentByteCount)
        case .grpc:
            guard
                let session = GRPCWire.ClientSession(
                    limits: configuration.sessionLimits, renewalStreamID: configuration.renewalStreamID, now: MonotonicClock.now)
            else { return nil }
            wire = session
        }
    }

    /// Connects the handler with its socket, once.
    func attach(_ connection: Connection) { self.connection = connection }

    /// Whether new calls may be made here.
    var takesCalls: Bool { !isRetired && (connection.map { !$0.isClosed } ?? false) }

    // MARK: Calls

    /// Adds a call that was sent and waits for its end.
    func wait(for queued: ChannelConnection.QueuedCall, id: CallID) {
        waiting[id] = queued.call
        if keepsRepeatable, queued.call.isWhole {
            var queued = queued
            queued.writtenBefore = writtenByteCount
            repeatable[id] = queued
        }
        connection?.outputIsReady()
    }

    /// Forgets a call that has ended, and drops a late answer to it.
    /// - Parameter error: why this side has ended the call; nil if the server has.
    func forget(_ id: CallID, endedHereBy error: RPCError?) {
        let wasWaiting = waiting.removeValue(forKey: id) != nil
        isNoLongerRepeatable(id)
        waitingForOutput.remove(id)
        if let error, wasWaiting, connection?.isClosed == false {
            wire.cancel(id, atDeadline: error.code == .deadlineExceeded)
            connection?.outputIsReady()
        }
        closeIfIdle()
    }

    /// Takes no more calls, and closes when the last one has ended.
    func retire() {
        isRetired = true
        closeIfIdle()
    }

    private func closeIfIdle() {
        // Unwritten output belongs to calls that are over, so it is not needed.
        if isRetired, waiting.isEmpty { connection?.close() }
    }

    /// The server has answered something to the call, so it has begun.
    private func isNoLongerRepeatable(_ id: CallID) {
        if !repeatable.isEmpty { repeatable[id] = nil }
    }

    // MARK: Streams

    func send(_ message: borrowing PackableMessage, on id: CallID) throws(RPCError) {
        guard waiting[id] != nil else { return }
        try wire.send(message, on: id)
        connection?.outputIsReady()
    }

    func send(serialized message: [UInt8], on id: CallID) {
        guard waiting[id] != nil else { return }
        wire.send(serialized: message, on: id)
        connection?.outputIsReady()
    }

    func halfClose(_ id: CallID) {
        wire.halfClose(id)
        connection?.outputIsReady()
    }

    func consumed(_ byteCount: Int, on id: CallID) {
        wire.consumed(byteCount, on: id)
        if outputByteCount > 0 { connection?.outputIsReady() }
    }

    /// Whether the server has room for a message of a stream. If not, the stream is resumed later.
    func maySend(on id: CallID) -> Bool {
        waitingForOutput.mayWrite(id, unwritten: outputByteCount) && wire.canSend(on: id)
    }

    private func resumeStreamsWaitingForOutput() {
        let ready = waitingForOutput.takeReady(unwritten: outputByteCount) + wire.takeWritable()
        guard !ready.isEmpty else { return }
        // Not from within a write.
        let bound = LoopBound(self, to: loop)
        loop.execute { for id in ready { bound.value.streamWritable(id) } }
    }

    // MARK: Socket

    var outputByteCount: Int {
        let count = wire.outputByteCount
        if wire.hasUnreportedEvents { reportEventsSoon() }
        return count
    }

    private func reportEventsSoon() {
        guard !reportIsDue else { return }
        reportIsDue = true
        // Not from within a write.
        let bound = LoopBound(self, to: loop)
        loop.execute { bound.value.reportEvents() }
    }

    private func reportEvents() {
        reportIsDue = false
        guard let connection, !connection.isClosed else { return }
        do throws(ProtocolViolation) {
            try wire.reportEvents(to: self)
            connection.outputIsReady()
        } catch {
            connection.close()
        }
    }

    func withOutput(_ write: (RawSpan) -> Int) {
        wire.withOutput { bytes in
            let count = write(bytes)
            writtenByteCount += count
            return count
        }
        resumeStreamsWaitingForOutput()
    }

    func received(_ bytes: RawSpan, on connection: Connection) {
        do throws(ProtocolViolation) {
            try wire.receive(bytes, events: self)
            hasGreeted = wire.hasGreeted
        } catch {
            connection.close()
        }
    }

    func closed(_ connection: Connection) {
        let lost = waiting
        let unheard = repeatable
        waiting.removeAll()
        repeatable.removeAll()
        let error = RPCError(.unavailable, "the connection was lost before the answer came")
        for (id, call) in lost {
            // Nothing of the call was sent: it waits in the protocol, or nothing at all was written since then.
            if let queued = unheard[id], queued.writtenBefore == writtenByteCount || wire.isQueued(id), let onUnprocessed {
                onUnprocessed(queued, error, .neverLeft(serverGreeted: hasGreeted))
            } else {
                call.connectionLost(error)
            }
        }
    }
}

extension Channel.Configuration {
    /// The limits of a gRPC connection.
    var sessionLimits: SessionLimits {
        var limits = SessionLimits()
        limits.maximumMessageByteCount = maximumMessageByteCount
        limits.maximumUnsentByteCount = maximumUnsentByteCount
        // A message within its own limit must not be over this one.
        limits.maximumUnfinishedByteCount = max(limits.maximumUnfinishedByteCount, maximumMessageByteCount)
        return limits
    }
}

extension ClientConnection: ClientCallEvents {
    /// The server has answered something to a call.
    private func isAnswered(_ id: CallID) {
        isNoLongerRepeatable(id)
        guard let onFirstAnswer else { return }
        self.onFirstAnswer = nil
        onFirstAnswer()
    }

    func initialMetadata(_ id: CallID, _ metadata: Metadata) {
        isAnswered(id)
        waiting[id]?.receive(initial: metadata)
    }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {
        isAnswered(id)
        waiting[id]?.receive(payload, byteCount: byteCount)
    }

    func compressedStreamMessage(_ id: CallID, payload: RawSpan, byteCount: Int, decompressor: any MessageDecompressor) -> RPCError? {
        waiting[id]?.receive(compressed: payload, byteCount: byteCount, decompressor)
        return nil
    }

    func unexpectedData(_ id: CallID) { waiting[id]?.end(.streamInsteadOfAnswer) }

    func ended(_ id: CallID, _ end: ClientCallEnd, payload: RawSpan, trailing: Metadata) {
        isAnswered(id)
        var end = end
        if case .failure(var error) = end, trailing.count > 0 {
            error.trailingMetadata = trailing
            end = .failure(error)
        }
        waiting.removeValue(forKey: id)?.end(end, payload: payload, trailing: trailing)
    }

    func unprocessed(_ id: CallID, _ error: RPCError) {
        guard let call = waiting.removeValue(forKey: id) else { return }
        if let queued = repeatable.removeValue(forKey: id), let onUnprocessed {
            onUnprocessed(queued, error, wire.isQueued(id) ? .neverLeft(serverGreeted: true) : .refused)
        } else {
            call.end(error)
        }
        closeIfIdle()
    }

    func streamWritable(_ id: CallID) {
        if let call = waiting[id], maySend(on: id) { call.resume() }
    }

    func serverDrains() { retire() }
}
