import CLinuxSockets
import Glibc

/// Socket activation as in systemd (sd_listen_fds(3)). A process that has a listening socket starts the server with it as descriptor 3. So
/// clients can connect and wait while no server runs.
extension ListeningSocket {
    /// The first descriptor that is handed over (`SD_LISTEN_FDS_START`).
    public static let firstInheritedDescriptor: Int32 = 3

    /// The sockets that this process was started with, or nil.
    ///
    /// `LISTEN_PID` says for which process the sockets are; sockets for another process are ignored. The variables are always removed from the
    /// process's environment, so that a child does not take them for its own.
    /// - Parameter environment: the variables as they were when the process started.
    /// - Throws: ``SocketError`` of kind `wrongDescriptor` for two sockets with the same role, a count that is not a number, a different number of
    ///   names and sockets, and everything that ``init(inherited:)`` refuses.
    public static func handedOver(environment: [String: String]) throws(SocketError) -> HandedOverSockets? {
        for variable in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID"] { unsetenv(variable) }
        guard let process = environment["LISTEN_PID"], process == String(getpid()) else { return nil }
        guard let text = environment["LISTEN_FDS"] else { return nil }
        guard let count = Int(text), (0...1000).contains(count) else {
            throw SocketError(.wrongDescriptor(firstInheritedDescriptor), "LISTEN_FDS is a number of sockets, not '\(text)'")
        }
        guard count > 0 else { return nil }
        return try HandedOverSockets(names: names(environment["LISTEN_FDNAMES"], count: count))
    }

    /// The name of each socket. Empty for sockets without names.
    private static func names(_ text: String?, count: Int) throws(SocketError) -> [Substring] {
        guard let text, !text.isEmpty else { return [Substring](repeating: "", count: count) }
        let names = text.split(separator: ":", omittingEmptySubsequences: false)
        guard names.count == count else {
            throw SocketError(
                .wrongDescriptor(firstInheritedDescriptor), "LISTEN_FDNAMES has \(names.count) names for \(count) sockets")
        }
        return names
    }

    /// Takes over a descriptor of a listening Unix stream socket that another process has bound.
    ///
    /// The kernel gives its path. The descriptor is set to close on exec again. The socket becomes non-blocking for all processes that have it,
    /// because this is a property of the socket and not of a descriptor. In the same way, the kernel refuses descriptors that clients pass, if it
    /// can (Linux 6.16).
    /// - Throws: ``SocketError`` of kind `wrongDescriptor`, with the reason: the descriptor is closed, not a socket, not a Unix stream socket, not
    ///   listening, or without a path. The descriptor is then unchanged.
    public convenience init(inherited descriptor: Int32) throws(SocketError) {
        func refuse(_ reason: String) -> SocketError {
            SocketError(.wrongDescriptor(descriptor), "descriptor \(descriptor) cannot be served: \(reason)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw refuse("it is not open") }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw refuse("it is not a socket") }
        guard Self.option(SO_DOMAIN, of: descriptor) == AF_UNIX, Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue)
        else { throw refuse("it is not a Unix stream socket") }
        guard Self.option(SO_ACCEPTCONN, of: descriptor) == 1 else { throw refuse("it is not listening") }
        guard let path = Self.boundPath(of: descriptor) else {
            throw refuse("it is bound to no path, so no file's permissions say who may connect")
        }
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
        else { throw .system("fcntl", path) }
        PassedDescriptors.refuse(on: descriptor)
        self.init(checked: descriptor, path: path)
    }

    /// Whether a path leads to this socket's file, also through a link.
    public func isServed(at other: String) -> Bool {
        if path == other { return true }
        var (ours, theirs) = (stat(), stat())
        guard stat(path, &ours) == 0, stat(other, &theirs) == 0 else { return false }
        return ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    /// The path a socket is bound to; nil for one without an address or with an abstract one, which starts with a zero byte.
    private static func boundPath(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        let used = Int(size) - MemoryLayout<sa_family_t>.size
        guard result == 0, used > 0 else { return nil }
        let bytes = withUnsafeBytes(of: &address.sun_path) { Array($0.prefix(used).prefix { $0 != 0 }) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

/// The listening sockets that another process has handed over.
///
///     let handedOver = try ListeningSocket.handedOver(environment: ProcessInfo.processInfo.environment)
///     let socket = try handedOver?.local ?? ListeningSocket(path: "/run/greeter.sock")
///     if let gateway = handedOver?.remote { server.start(on: gateway, as: .remote) }
///     await server.run(on: socket)
public struct HandedOverSockets: Sendable {
    /// The name of a socket for a gateway (`FileDescriptorName=` of a systemd socket unit). A socket with another name, or none, is for local
    /// clients.
    public static let remoteName = "remote"

    /// The socket for processes of this machine.
    public let local: ListeningSocket?
    /// The socket for a gateway.
    public let remote: ListeningSocket?

    /// Takes over the descriptors with these names, from ``ListeningSocket/firstInheritedDescriptor`` on.
    init(names: [Substring]) throws(SocketError) {
        let descriptors = try Self.descriptors(names: names)
        local = if let descriptor = descriptors.local { try ListeningSocket(inherited: descriptor) } else { nil }
        remote = if let descriptor = descriptors.remote { try ListeningSocket(inherited: descriptor) } else { nil }
    }

    /// The descriptors of the local and the remote socket.
    static func descriptors(names: [Substring]) throws(SocketError) -> (local: Int32?, remote: Int32?) {
        func descriptor(isRemote: Bool) throws(SocketError) -> Int32? {
            let indices = names.indices.filter { (names[$0] == Self.remoteName) == isRemote }
            guard indices.count < 2 else {
                let kind = isRemote ? "named '\(Self.remoteName)'" : "not named '\(Self.remoteName)'"
                throw SocketError(
                    .wrongDescriptor(ListeningSocket.firstInheritedDescriptor + Int32(indices[1])),
                    "LISTEN_FDS hands over \(indices.count) sockets \(kind); one can be served")
            }
            return indices.first.map { ListeningSocket.firstInheritedDescriptor + Int32($0) }
        }
        return (local: try descriptor(isRemote: false), remote: try descriptor(isRemote: true))
    }
}
