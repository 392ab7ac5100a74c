import Glibc

/// The default path of a PulseBoard socket, and the rules for its directory.
public enum SocketPath {
    /// The longest path a Unix socket address holds, bytes (`sun_path` less its NUL).
    public static let maximumByteCount = 107

    /// `$XDG_RUNTIME_DIR/pulseboard/pulseboard.sock`; without that variable `/run/pulseboard/pulseboard.sock` for root and
    /// `/tmp/pulseboard-<uid>/pulseboard.sock` for everybody else. A server listens there.
    public static func `default`(environment: [String: String], uid: UInt32) -> String {
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") { return "\(runtime)/pulseboard/pulseboard.sock" }
        return uid == 0 ? machine : "/tmp/pulseboard-\(uid)/pulseboard.sock"
    }

    /// The socket of the machine's own service. Only root makes directories in `/run`.
    public static let machine = "/run/pulseboard/pulseboard.sock"

    /// Where a client connects by default: to the user's own server if its socket is there, else to the machine's if that is there.
    ///
    /// In `/tmp` everybody can make a socket at this user's default path. Only one of this user or of root counts.
    public static func defaultForClients(environment: [String: String], uid: UInt32, machine: String = machine) -> String {
        let own = `default`(environment: environment, uid: uid)
        var status = stat()
        if lstat(own, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == uid || isRoots(status) { return own }
        return lstat(machine, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK ? machine : own
    }

    /// Whose server a client may believe at a default path: root's and its own. At the machine's path also that of the directory's owner, whom root
    /// has chosen: without a socket unit the service listens with its own uid.
    public static func trustedServerUIDs(at path: String, uid: UInt32, machine: String = machine) -> Set<UInt32> {
        var status = stat()
        guard path == machine, lstat(parent(of: path), &status) == 0 else { return [0, uid] }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_mode & 0o022 == 0 ? [0, uid, status.st_uid] : [0, uid]
    }

    /// Makes the socket's directory with mode 0700 if it is missing. Refuses a directory in which another user could replace the socket.
    ///
    /// An existing directory must belong to us or to root. Nobody else may be able to write to it, unless it is sticky as `/tmp` is.
    static func prepareDirectory(of path: String) throws(SocketError) {
        let directory = parent(of: path)
        var status = stat()
        if lstat(directory, &status) != 0 {
            guard errno == ENOENT else { throw .system("lstat", directory) }
            if directory != parent(of: directory) { try createAncestors(of: directory) }
            guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw .system("mkdir", directory) }
            guard lstat(directory, &status) == 0 else { throw .system("lstat", directory) }
        }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard isOurs(status, nil) || isRoots(status) else {
                throw SocketError(.unsafePath, "\(directory) is a link of uid \(status.st_uid), who could point it elsewhere")
            }
            guard stat(directory, &status) == 0 else { throw .system("stat", directory) }
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SocketError(.unsafePath, "\(directory) is not a directory") }
        guard isOurs(status, directory) || isRoots(status) else {
            throw SocketError(.unsafePath, "\(directory) belongs to uid \(status.st_uid), who could replace the socket")
        }
        guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
            throw SocketError(.unsafePath, "\(directory) is writable by others, who could replace the socket")
        }
    }

    /// Whether a file belongs to the uid of this process.
    ///
    /// If this uid has no number in the user namespace, all such uids look the same. Then the function sets the file's mode to its present value,
    /// which only the file's owner may do (chmod(2)).
    /// - Parameter path: the path of the file for chmod(2); nil for a file without a mode.
    static func isOurs(_ status: stat, _ path: String?) -> Bool {
        guard status.st_uid == getuid() else { return false }
        if UserNamespace.current.identifies(status.st_uid) { return true }
        guard let path else { return false }
        return chmod(path, status.st_mode & 0o7777) == 0
    }

    private static func isRoots(_ status: stat) -> Bool { status.st_uid == 0 }

    private static func createAncestors(of directory: String) throws(SocketError) {
        let parent = parent(of: directory)
        guard access(parent, F_OK) != 0, parent != directory else { return }
        try createAncestors(of: parent)
        guard mkdir(parent, 0o755) == 0 || errno == EEXIST else { throw .system("mkdir", parent) }
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
