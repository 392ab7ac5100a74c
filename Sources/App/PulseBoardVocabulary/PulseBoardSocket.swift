import Glibc

/// Where PulseBoard's server listens by default, and where its clients look for it.
public enum PulseBoardSocket {
    /// `$XDG_RUNTIME_DIR/pulseboard/pulseboard.sock`; without that variable `/run/pulseboard/pulseboard.sock` for root and
    /// `/tmp/pulseboard-<uid>/pulseboard.sock` for everybody else. A server listens there.
    public static func `default`(environment: [String: String], uid: UInt32) -> String {
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            // In one form, because a client compares its path with this one before it trusts a server.
            let parts = runtime.split(separator: "/").filter { $0 != "." } + ["pulseboard", "pulseboard.sock"]
            return "/" + parts.joined(separator: "/")
        }
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
        if lstat(own, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == uid || status.st_uid == 0 { return own }
        return lstat(machine, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK ? machine : own
    }

    /// Whose server a client may believe at a default path: root's and its own. At the machine's path also that of the directory's owner, whom root
    /// has chosen: without a socket unit the service listens with its own uid.
    public static func trustedServerUIDs(at path: String, uid: UInt32, machine: String = machine) -> Set<UInt32> {
        var status = stat()
        guard path == machine, lstat(directory(of: path), &status) == 0 else { return [0, uid] }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_mode & 0o022 == 0 ? [0, uid, status.st_uid] : [0, uid]
    }

    /// The directory of an absolute path.
    private static func directory(of path: String) -> String {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return parent.isEmpty ? "/" : parent
    }
}
