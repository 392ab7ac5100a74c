import CLinuxSockets
import Glibc

/// Sends datagrams to a Unix socket that may have no reader. Sending never waits.
public final class DatagramSender: Sendable {
    private let descriptor: Int32
    private let name: [UInt8]

    /// - Parameter path: the path of the receiving socket, or `@` and an abstract name.
    /// - Returns: nil for a name that is too long, or if no socket can be made.
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

    /// Sends one datagram.
    /// - Returns: whether the kernel took it.
    public func send(_ bytes: [UInt8]) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        // Every byte of an abstract name counts.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (name[0] == 0 ? 0 : 1))
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length) == bytes.count
            }
        }
    }
}

/// Reports the state of the process to its service manager, with the datagrams of sd_notify(3), which systemd and others understand.
///
/// Reporting never waits and never fails. If the manager does not listen, the report is lost.
public struct ServiceManagerLink: Sendable {
    private let sender: DatagramSender

    /// - Parameter environment: its `NOTIFY_SOCKET` is the manager's socket, a path, or `@` and an abstract name.
    /// - Returns: nil if there is no such variable.
    public init?(environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"), let sender = DatagramSender(path: path) else {
            return nil
        }
        self.sender = sender
    }

    /// Sends assignments such as `READY=1` and `STATUS=…` in one datagram.
    public func tell(_ assignments: String...) { _ = sender.send(Array(assignments.joined(separator: "\n").utf8)) }

    /// How long the manager waits for a watchdog report before it ends the process; nil without a watchdog.
    /// - Parameter pid: this process's id. `WATCHDOG_PID` may name another process.
    public static func watchdogInterval(environment: [String: String], pid: Int32) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0 else { return nil }
        if let wanted = environment["WATCHDOG_PID"], Int32(wanted) != pid { return nil }
        return .microseconds(microseconds)
    }
}
