import CLinuxSockets
import Glibc

/// Sends datagrams to a Unix socket that perhaps nobody reads. Sending never waits.
public final class DatagramSender: Sendable {
    private let descriptor: Int32
    private let name: [UInt8]

    /// - Parameter path: of the receiving socket, or an abstract name behind `@`.
    /// - Returns: nil for a name that is too long, and where no socket can be made.
    public init?(path: String) {
        var name = Array(path.utf8)
        guard (1...SocketPath.maximumByteCount).contains(name.count) else { return nil }
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.name = name
    }

    deinit { close(descriptor) }

    /// Sends one datagram. - Returns: whether the kernel took it.
    public func send(_ bytes: [UInt8]) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        // Of an abstract name, every byte counts.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (name[0] == 0 ? 0 : 1))
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length) == bytes.count
            }
        }
    }
}

/// The process's way to tell its service manager how it is: the datagrams of sd_notify(3), which systemd and others understand.
///
/// Telling never waits and never fails: a manager that does not listen is told nothing.
public struct ServiceManagerLink: Sendable {
    private let sender: DatagramSender

    /// - Parameter environment: `NOTIFY_SOCKET` in it is the manager's socket, a path or an abstract name behind `@`.
    /// - Returns: nil where no manager wants to hear.
    public init?(environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"), let sender = DatagramSender(path: path) else {
            return nil
        }
        self.sender = sender
    }

    /// Says the given assignments, such as `READY=1` and `STATUS=…`, in one datagram.
    public func tell(_ assignments: String...) { _ = sender.send(Array(assignments.joined(separator: "\n").utf8)) }

    /// How long the manager waits for a sign of life before it ends the process; nil where it does not wait.
    /// - Parameter pid: this process's id, as `WATCHDOG_PID` may name another one.
    public static func watchdogInterval(environment: [String: String], pid: Int32) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0 else { return nil }
        if let wanted = environment["WATCHDOG_PID"], Int32(wanted) != pid { return nil }
        return .microseconds(microseconds)
    }
}
