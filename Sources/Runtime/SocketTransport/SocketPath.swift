import Glibc

/// The rules for the path of a socket and for its directory.
public enum SocketPath {
    /// The longest path a Unix socket address holds, bytes (`sun_path` less its NUL).
    public static let maximumByteCount = 107

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
