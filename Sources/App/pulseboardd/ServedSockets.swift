import SocketTransport

/// The sockets that this process serves.
struct ServedSockets: Sendable {
    /// For the processes of this machine.
    let local: ListeningSocket
    /// For a gateway.
    let remote: ListeningSocket?

    /// Takes the sockets that were handed over, and makes the others that the settings ask for.
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

    /// Whether another process holds one of them, and so may have started this server before the one before it has ended.
    var areInherited: Bool { local.isInherited || remote?.isInherited == true }

    /// Closes the sockets if no server has taken them.
    func close() {
        local.close()
        remote?.close()
    }

    /// What the ready line says of them.
    var description: String {
        func text(_ socket: ListeningSocket) -> String { "socket \(socket.path)\(socket.isInherited ? " (handed over)" : "")" }
        return text(local) + (remote.map { ", remote \(text($0))" } ?? "")
    }
}
