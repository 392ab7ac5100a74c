import Glibc

/// A failure of a socket, its path or its event loop: the system call, its target and the system's reason.
///
///     do throws(SocketError) {
///         try await server.run(socketPath: "/run/greeter.sock")
///     } catch {
///         switch error.kind {
///         case .addressInUse(let holder?): print("process \(holder) is serving already")
///         default: print(error)       // for example `open /run/greeter.sock.lock: Permission denied`
///         }
///     }
public struct SocketError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, in the cases that a caller may handle.
    public enum Kind: Sendable, Hashable {
        /// A system call failed with this `errno`.
        case system(errno: Int32)
        /// Another running server has the socket. `holder` is its process id, if it is known.
        case addressInUse(holder: Int32?)
        /// The server at the other end runs as a uid that the client does not trust.
        case untrustedServer(uid: UInt32)
        /// The path exists and is not a socket, or its directory is not safe to use.
        case unsafePath
        /// The path is longer than a Unix socket address can hold (107 bytes on Linux).
        case pathTooLong
        /// A descriptor that was handed over is not a listening Unix stream socket with a path.
        case wrongDescriptor(Int32)
    }

    /// What went wrong, for a program.
    public let kind: Kind
    /// What was tried and why it failed, in English.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// There is no memory for a connection.
    package static let noMemory = SocketError(.system(errno: ENOMEM), "there is no memory for a connection")

    /// The failure of a system call that has just set `errno`.
    static func system(_ call: String, _ target: String = "") -> SocketError {
        let code = errno
        let reason = String(cString: strerror(code))
        return SocketError(.system(errno: code), target.isEmpty ? "\(call): \(reason)" : "\(call) \(target): \(reason)")
    }
}
