import RPCCore
import SocketTransport
import TTRPC

/// One connection to a server: joins the socket, the wire protocol and the calls that wait. Loop-bound.
final class ClientConnection: ConnectionHandler {
    let session: ClientSession
    private(set) var connection: Connection?
    private var waiting: [CallID: any PendingCall] = [:]
    private var isRetired = false

    init(_ configuration: Channel.Configuration) {
        session = ClientSession(
            maximumMessageByteCount: configuration.maximumMessageByteCount, renewalStreamID: configuration.renewalStreamID)
    }

    /// Joins the handler to its socket, once.
    func attach(_ connection: Connection) { self.connection = connection }

    var isOpen: Bool { connection.map { !$0.isClosed } ?? false }

    /// Notes a call that was sent and waits for its end.
    func wait(_ call: any PendingCall, id: CallID) {
        waiting[id] = call
        connection?.outputIsReady()
    }

    /// Forgets a call that has ended here; a late answer to it is dropped.
    func forget(_ id: CallID?) {
        if let id { waiting[id] = nil }
        closeIfIdle()
    }

    /// Takes no more calls: closes when the last one has ended.
    func retire() {
        isRetired = true
        closeIfIdle()
    }

    private func closeIfIdle() {
        if isRetired, waiting.isEmpty { connection?.close() }
    }

    // MARK: Socket

    var outputByteCount: Int { session.outputByteCount }

    func withOutput(_ write: (RawSpan) -> Int) { session.withOutput(write) }

    func received(_ bytes: RawSpan, on connection: Connection) {
        session.receive(bytes) { id, end, payload in
            guard let call = waiting.removeValue(forKey: id) else { return }
            call.end(end, payload: payload)
        }
    }

    func closed(_ connection: Connection) {
        let lost = waiting.values
        waiting.removeAll()
        for call in lost { call.end(RPCError(.unavailable, "the connection was lost before the answer came")) }
    }
}
