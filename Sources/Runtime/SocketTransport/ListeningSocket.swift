import CLinuxSockets
import Glibc

/// A bound, listening Unix socket. This process made it, with a lock for its path, or another process handed it over.
///
///     let socket = try ListeningSocket(path: "/run/greeter/greeter.sock", mode: 0o666)
///     try await Server(services: [GreeterService()]).run(on: socket)
///
/// The lock is an `flock` on `<path>.lock`. The kernel releases it when the process ends. So a socket file without a locked lock file is stale
/// and may be replaced, and a running server keeps its socket. The lock file stays, because removing it would race with the next start. A socket that
/// was handed over has no lock, because its owner decides who serves it.
public final class ListeningSocket: Sendable {
    /// The lock and the file of a socket that this process has made.
    private struct Ownership {
        let lock: Int32
        /// The inode of the socket file, so that only this file is removed.
        let inode: UInt
    }

    public let path: String
    let descriptor: Int32
    private let ownership: Ownership?

    /// Whether another process made the socket and handed it over. It stays usable for that process when this one closes it.
    public var isInherited: Bool { ownership == nil }

    /// Binds and listens.
    /// - Parameters:
    ///   - path: absolute or relative. Its directory is made with mode 0700 if it is missing.
    ///   - mode: the socket's permission bits, from its first instant. Connecting needs write permission: with 0600 only this uid and root may
    ///     connect, with 0660 a group too, with 0666 everybody.
    /// - Throws: ``SocketError``: `addressInUse` with the holder's pid, `unsafePath`, `pathTooLong`, or the system's error.
    public init(path: String, mode: UInt32 = 0o600) throws(SocketError) {
        // First, so that a refused path leaves no files behind.
        _ = try withSocketAddress(path) { _, _ in }
        guard !path.hasSuffix("/") else { throw SocketError(.unsafePath, "\(path) is the path of a directory, not of a socket") }
        try SocketPath.prepareDirectory(of: path)
        let lock = try Self.takeLock(path)
        do throws(SocketError) {
            try Self.clearStaleSocket(path)
            descriptor = try Self.bind(path, mode)
        } catch {
            Self.releaseLock(lock)
            throw error
        }
        var status = stat()
        ownership = Ownership(lock: lock, inode: lstat(path, &status) == 0 ? UInt(status.st_ino) : 0)
        self.path = path
    }

    /// A checked socket of another process; see ``init(inherited:)``.
    init(checked descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
        ownership = nil
    }

    /// Stops listening, removes the socket file if it is still this socket's, and releases the lock. Call once.
    ///
    /// If the socket was handed over, only this process's descriptor is closed. The file stays, and clients that connect wait in the queue for the
    /// next server.
    public func close() {
        guard let ownership else {
            Glibc.close(descriptor)
            return
        }
        removeFile()
        Glibc.close(descriptor)
        Self.releaseLock(ownership.lock)
    }

    /// Removes the socket file if it is still this socket's. Connected clients stay in the queue, and nobody finds it by its
    /// name any more.
    func removeFile() {
        var status = stat()
        if let ownership, lstat(path, &status) == 0, UInt(status.st_ino) == ownership.inode { unlink(path) }
    }

    private static func takeLock(_ path: String) throws(SocketError) -> Int32 {
        let lockPath = path + ".lock"
        try refusePlanted(lockPath)
        let lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw .system("open", lockPath) }
        do throws(SocketError) {
            // Check the opened file again, because it may have been replaced in between.
            var status = stat()
            guard fstat(lock, &status) == 0 else { throw .system("fstat", lockPath) }
            try refusePlanted(status, lockPath)
        } catch {
            Glibc.close(lock)
            throw error
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno == EWOULDBLOCK ? inUse(path, by: readHolder(lock)) : SocketError.system("flock", lockPath)
            Glibc.close(lock)
            throw error
        }
        let holder = Array("\(getpid())\n".utf8)
        ftruncate(lock, 0)
        _ = pwrite(lock, holder, holder.count, 0)
        return lock
    }

    /// In a directory that others may write to, another user could make and lock our lock file, and write any process id into it.
    private static func refusePlanted(_ lockPath: String) throws(SocketError) {
        var status = stat()
        if lstat(lockPath, &status) == 0 { try refusePlanted(status, lockPath) }
    }

    private static func refusePlanted(_ status: stat, _ lockPath: String) throws(SocketError) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SocketError(.unsafePath, "\(lockPath) is no regular file; it was left alone")
        }
        guard SocketPath.isOurs(status, lockPath) else {
            throw SocketError(.unsafePath, "\(lockPath) belongs to uid \(status.st_uid), who could keep the socket from us")
        }
    }

    private static func releaseLock(_ lock: Int32) {
        // Unlock explicitly, because a child that is being forked holds the descriptor until it executes.
        flock(lock, LOCK_UN)
        Glibc.close(lock)
    }

    private static func readHolder(_ lock: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(lock, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self))
    }

    private static func inUse(_ path: String, by holder: Int32?) -> SocketError {
        let name = holder.map { "process \($0)" } ?? "another process"
        return SocketError(.addressInUse(holder: holder), "\(path) is served by \(name)")
    }

    /// Removes a socket file that no process listens on. Anything else at the path is refused and not changed.
    private static func clearStaleSocket(_ path: String) throws(SocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SocketError(.unsafePath, "\(path) exists and is not a socket; it was left alone")
        }
        // A server without this lock may be listening.
        let probe = try makeSocket()
        defer { Glibc.close(probe) }
        let failure = try withSocketAddress(path) { connect(probe, $0, $1) == 0 ? 0 : errno }
        // If the queue is full, or the socket has another type, a process listens too.
        if failure == 0 || failure == EAGAIN || failure == EPROTOTYPE { throw inUse(path, by: SocketPeer(of: probe)?.pid) }
        guard failure == ECONNREFUSED || failure == ENOENT else {
            errno = failure
            throw .system("connect", path)
        }
        guard unlink(path) == 0 || errno == ENOENT else { throw .system("unlink", path) }
    }

    private static func bind(_ path: String, _ mode: UInt32) throws(SocketError) -> Int32 {
        let descriptor = try makeSocket()
        let bound = try bindOnly(descriptor, path, mode)
        guard bound == 0, chmod(path, mode_t(mode)) == 0, listen(descriptor, 4096) == 0 else {
            let error = SocketError.system("bind", path)
            Glibc.close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Binds, and returns the result of `bind`. Closes the descriptor if the path cannot be an address.
    static func bindOnly(_ descriptor: Int32, _ path: String, _ mode: UInt32) throws(SocketError) -> Int32 {
        // The kernel makes the socket file with the descriptor's own mode, less the umask. So the file is never wider than this, not even between
        // bind and chmod. The chmod restores what the umask removed.
        fchmod(descriptor, mode_t(mode))
        do throws(SocketError) {
            return try withSocketAddress(path) { Glibc.bind(descriptor, $0, $1) }
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }
}
