import SocketTransport

/// The sockets that this process serves.
struct ServedSockets: Sendable {
    /// The socket for local processes.
    let local: ListeningSocket
    /// The socket for a gateway.
    let remote: ListeningSocket?

    /// Takes the sockets that were handed over, and makes the other ones of the settings.
    /// - Throws: ``SocketError``, or the argument parser's `ValidationError` for options that contradict a socket that was handed over.
    init(_ settings: DaemonSettings, environment: [String: String]) throws {
        let handedOver = try ListeningSocket.handedOver(environment: environment)
        if let handedOver { try settings.check(agreesWith: handedOver) }
        let local = try handedOver?.local ?? ListeningSocket(path: settings.socketPath, mode: settings.socketMode)
        do {
            remote = try handedOver?.remote
                ?? settings.remoteSocketPath.map { try ListeningSocket(path: $0, mode: settings.chosenRemoteSocketMode ?? 0o600) }
        } catch {
            local.close()
            throw error
        }
        self.local = local
    }

    /// Whether another process holds one of the sockets. That process may have started this server before the former one has ended.
    var areInherited: Bool { local.isInherited || remote?.isInherited == true }

    /// Closes the sockets if no server has taken them.
    func close() {
        local.close()
        remote?.close()
    }

    /// The sockets in the ready line.
    var description: String {
        func text(_ socket: ListeningSocket) -> String { "socket \(socket.path)\(socket.isInherited ? " (handed over)" : "")" }
        return text(local) + (remote.map { ", remote \(text($0))" } ?? "")
    }
}
