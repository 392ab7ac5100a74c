import GRPCWire
import Logging
import RPCCore
import SocketTransport
import TTRPCWire

/// Waits for a connection's first bytes, which show the protocol, and gives the connection to its handler. Loop-bound.
final class ProtocolSniffer: ConnectionHandler {
    /// First byte of every ttrpc connection: the top byte of a frame length that is at most 4 MiB.
    private static let ttrpcFirstByte: UInt8 = 0x00
    /// First byte of every HTTP/2 connection: the `P` of the client's preface.
    private static let http2FirstByte: UInt8 = 0x50
    /// How long a draining connection without any input is kept, nanoseconds, because its first request may be on its way.
    private static let unusedNanoseconds: Int64 = 100_000_000
    /// How long an overdue connection with unread bytes is kept, nanoseconds, because they wait for a turn of its user.
    private static let patience: Int64 = 1_000_000_000

    private let shared: ServerShared
    private let peer: ConnectionPeer
    private let account: UserAccount
    /// The timer for the first bytes; nil after they have come.
    private var firstByte: LoopTimer?
    /// Set when the time for the first bytes was over while bytes were still to be read.
    private var isOverdue = false
    /// The socket until it is handed over or closes.
    private var connection: Connection?
    private var isDraining = false
    /// The first bytes, until they show the protocol; ten bytes at most.
    private var beginning: [UInt8] = []

    init(shared: ServerShared, peer: ConnectionPeer, account: UserAccount) {
        self.shared = shared
        self.peer = peer
        self.account = account
    }

    /// Connects the handler with its socket, once, before anything is read.
    func attach(_ connection: Connection) {
        self.connection = connection
        let due = Deadline(now: MonotonicClock.now(), timeoutNanoseconds: shared.limits.all.firstByteTimeout.wholeNanoseconds)
        waitForFirstBytes(until: due.nanoseconds, on: connection)
    }

    private func waitForFirstBytes(until due: Int64, on connection: Connection) {
        firstByte = connection.schedule(at: due) { [weak self] in self?.giveUp() }
    }

    private func giveUp() {
        firstByte = nil
        guard let connection else { return }
        // Bytes that have come meanwhile are read first. Only once, because a client may send them one by one, or out of band.
        if !isOverdue, connection.askForUnreadInput() {
            isOverdue = true
            return waitForFirstBytes(until: MonotonicClock.now() + Self.patience, on: connection)
        }
        account.count(.firstByteSeconds)
        shared.logger.debug("closed a connection that said nothing", metadata: peer.origin.logMetadata)
        connection.close()
    }

    private func stopWaiting(on loop: EventLoop) {
        if let firstByte { loop.cancel(firstByte) }
        firstByte = nil
    }

    /// There is no output before the protocol is known.
    var outputByteCount: Int { 0 }

    func withOutput(_ write: (RawSpan) -> Int) {}

    func received(_ bytes: RawSpan, on connection: Connection) {
        let before = beginning
        beginning += bytes.extracting(first: FirstFrame.byteCount - before.count).withUnsafeBytes { Array($0) }
        guard Self.isPossible(beginning) else {
            shared.logger.debug("closed a connection of no known protocol", metadata: peer.origin.logMetadata)
            return connection.close()
        }
        // A ttrpc frame is longer.
        guard beginning.count == FirstFrame.byteCount else { return }
        stopWaiting(on: connection.loop)
        guard let wire = makeWireProtocol() else {
            shared.logger.warning("closed a connection: there is no memory for it", metadata: peer.origin.logMetadata)
            return connection.close()
        }
        let next = ServerConnection(wire, on: connection, of: peer, account, shared: shared)
        connection.handOver(to: next)
        self.connection = nil
        shared.handedOver(self, to: next, on: connection.loop)
        if !before.isEmpty { next.received(before.span.bytes, on: connection) }
        if !connection.isClosed { next.received(bytes, on: connection) }
        // Not earlier, because a drain closes a connection on which nothing runs.
        if isDraining, !connection.isClosed { next.drain() }
    }

    func closed(_ connection: Connection) {
        self.connection = nil
        stopWaiting(on: connection.loop)
        shared.connectionClosed(self, on: connection.loop, account)
    }

    /// Whether these can be the first bytes of a protocol that the server speaks.
    private static func isPossible(_ beginning: [UInt8]) -> Bool {
        beginning[0] == http2FirstByte || beginning[0] == ttrpcFirstByte && FirstFrame.isPossible(beginning.span.bytes)
    }

    /// Nil if there is no memory for it.
    private func makeWireProtocol() -> (any ServerWireProtocol)? {
        let limits = shared.limits.all
        return beginning[0] == Self.http2FirstByte
            ? GRPCWire.ServerSession(limits: limits.grpc, now: MonotonicClock.now)
            : TTRPCWire.ServerSession(
                maximumMessageByteCount: limits.maximumMessageByteCount, frameTimeout: limits.unfinishedTimeout,
                maximumGlitchCount: limits.maximumGlitchCount, now: MonotonicClock.now)
    }
}

extension ProtocolSniffer: DrainableConnection {
    func drain() {
        isDraining = true
        closeSoonIfUnused()
    }

    private func closeSoonIfUnused() {
        _ = connection?.schedule(at: MonotonicClock.now() + Self.unusedNanoseconds) { [weak self] in self?.closeIfUnused() }
    }

    func endDrain() { connection?.close() }

    var holder: AccountHolder { peer.holder }

    /// Never idle: the timer for the first bytes closes it.
    var idleSince: Int64? { nil }

    func retire() {}

    private func closeIfUnused() {
        // Bytes that have come meanwhile are read first. The timer for the first bytes limits how often.
        guard let connection, !connection.askForUnreadInput() else { return closeSoonIfUnused() }
        connection.close()
    }
}
