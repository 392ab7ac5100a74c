import Foundation
import SocketTransport

/// Holds a household's listening socket, as a service manager does, and starts servers with it.
final class SocketHolder: Sendable {
    let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let descriptor = descriptor
        let bound = try withSocketAddress(path) { bind(descriptor, $0, $1) }
        guard bound == 0, listen(descriptor, 4096) == 0 else { throw SystemError("bind \(path)", errno) }
    }

    deinit { close(descriptor) }
}

extension Household {
    /// Holds this household's socket.
    func holdSocket() throws -> SocketHolder {
        try FileManager.default.createDirectory(
            atPath: root + "/run", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try SocketHolder(socket)
    }

    /// Starts a server with a handed-over socket, without waiting.
    func launchServer(handed holder: SocketHolder, _ arguments: [String] = [], _ extra: [String: String] = [:]) throws -> ChildProcess {
        // LISTEN_PID must be the server's process id, so the shell sets it before it becomes the server.
        let become = "LISTEN_PID=$$; export LISTEN_PID; exec \"$@\""
        return try start(
            "/bin/sh", ["-c", become, "sh", Programs.server, "--data-directory", data] + arguments,
            ["LISTEN_FDS": "1"].merging(extra) { $1 }, handedOver: holder.descriptor)
    }

    /// Starts a server with a handed-over socket and waits for its ready line.
    func startServer(handed holder: SocketHolder, _ arguments: [String] = []) async throws -> ChildProcess {
        try await ready(try launchServer(handed: holder, arguments))
    }
}
