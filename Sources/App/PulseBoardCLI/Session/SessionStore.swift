import Foundation

/// Keeps session tokens, in one file for each socket that only the owner can read.
///
/// A file is 0600 from its first instant and is replaced as a whole. Its directory is 0700. A file or directory that others could have read or
/// written is refused. It is neither used nor repaired, because others may already know its token.
struct SessionStore: Sendable {
    /// `…/pulseboard/sessions`, absolute.
    let directory: String
    /// The uid that must own the files.
    let owner: uid_t

    /// The store in `$XDG_STATE_HOME`, or else in `~/.local/state`, as the XDG base directory specification has it (a
    /// relative `XDG_STATE_HOME` is ignored).
    init(variables: [String: String], owner: uid_t) {
        let home = variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
        let state = variables["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/state"
        self.init(directory: state + "/pulseboard/sessions", owner: owner)
    }

    init(directory: String, owner: uid_t) {
        self.directory = directory
        self.owner = owner
    }

    /// The file that holds the sessions of a socket.
    func path(forSocket socket: String) -> String { directory + "/" + Self.fileName(forSocket: socket) }

    /// The saved sessions of a socket; none when there is no file.
    func sessions(forSocket socket: String) throws(SessionStoreError) -> SavedSessions {
        let path = path(forSocket: socket)
        guard let bytes = try readPrivateFile(path) else { return SavedSessions(socket: socket) }
        guard let saved = try? JSONDecoder().decode(SavedSessions.self, from: Data(bytes)), saved.socket == socket else {
            throw SessionStoreError(path: path, problem: .damaged)
        }
        return saved
    }

    /// Changes the saved sessions of a socket, one process at a time. When none are left, the file is removed.
    func update(forSocket socket: String, _ change: (inout SavedSessions) -> Void) throws(SessionStoreError) {
        let lock = try lockedDirectory()
        defer { close(lock) }
        var saved = try sessions(forSocket: socket)
        change(&saved)
        let path = path(forSocket: socket)
        if saved.sessions.isEmpty {
            guard unlink(path) == 0 || errno == ENOENT else { throw SessionStoreError(path: path, problem: .system(errno)) }
        } else {
            try replacePrivateFile(path, with: Self.encoded(saved, path: path))
        }
    }

    /// The id of this machine among a user's devices: made once, from `candidate`, and kept for all sockets.
    func deviceID(orNew candidate: String) throws(SessionStoreError) -> String {
        let path = directory + "/device-id"
        if let bytes = try readPrivateFile(path) { return try Self.deviceID(bytes, path) }
        let lock = try lockedDirectory()
        defer { close(lock) }
        // Another process may have made it meanwhile.
        if let bytes = try readPrivateFile(path) { return try Self.deviceID(bytes, path) }
        try replacePrivateFile(path, with: Array(candidate.utf8))
        return candidate
    }

    /// What an unfinished `pulseboard onboard` has kept under a name; `nil` when there is nothing.
    func draft(forSocket name: String) throws(SessionStoreError) -> [UInt8]? { try readPrivateFile(draftPath(name)) }

    /// Keeps that, or removes it.
    func keepDraft(_ bytes: [UInt8]?, forSocket name: String) throws(SessionStoreError) {
        guard let bytes else {
            unlink(draftPath(name))
            return
        }
        let lock = try lockedDirectory()
        defer { close(lock) }
        try replacePrivateFile(draftPath(name), with: bytes)
    }

    private func draftPath(_ name: String) -> String { directory + "/onboarding-" + Self.fileName(forSocket: name) }

    private static func deviceID(_ bytes: [UInt8], _ path: String) throws(SessionStoreError) -> String {
        guard (1...64).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SessionStoreError(path: path, problem: .damaged)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func encoded(_ sessions: SavedSessions, path: String) throws(SessionStoreError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { return [UInt8](try encoder.encode(sessions)) } catch { throw SessionStoreError(path: path, problem: .damaged) }
    }

    /// A socket path as one file name: everything but letters, digits, `.`, `_` and `-` percent-escaped. A name too long for
    /// a file system keeps its start and gets a hash of the whole (FNV-1a); the file itself tells which socket it is for.
    static func fileName(forSocket socket: String) -> String {
        var name = ""
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in socket.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                name += byte < 16 ? "%0" + String(byte, radix: 16) : "%" + String(byte, radix: 16)
            }
        }
        if name.utf8.count > 200 { name = name.prefix(180) + "~" + String(hash, radix: 16) }
        return name + ".json"
    }
}

/// What kept the session file from being used.
struct SessionStoreError: Error, Sendable, Hashable {
    enum Problem: Sendable, Hashable {
        /// Others than the owner may read or write it; holds the permission bits.
        case openToOthers(mode: mode_t)
        /// Somebody else owns it; holds that uid.
        case foreignOwner(uid_t)
        /// It is a link, a directory or something else.
        case notAFile
        /// Its content is not what this program writes.
        case damaged
        /// The operating system refused; holds `errno`.
        case system(Int32)
    }

    let path: String
    let problem: Problem
}

extension SessionStore {
    /// The content of a file that is private to the owner, or nil if there is none.
    ///
    /// The opened file is checked, so nobody can replace it between check and use.
    private func readPrivateFile(_ path: String) throws(SessionStoreError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw SessionStoreError(path: path, problem: .notAFile)
            default: throw SessionStoreError(path: path, problem: .system(errno))
            }
        }
        defer { close(descriptor) }
        try checkPrivate(descriptor, path, kind: S_IFREG)
        return try readAll(descriptor, path)
    }

    /// Writes a file beside the old one, private from its first instant, makes it durable and puts it in the old one's place.
    private func replacePrivateFile(_ path: String, with bytes: [UInt8]) throws(SessionStoreError) {
        let temporary = path + ".new"
        // Whatever lies there was left by a run that was killed: the directory's lock is held here.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SessionStoreError(path: temporary, problem: .system(errno)) }
        var failure: Int32 = 0
        var written = 0
        while written < bytes.count, failure == 0 {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, bytes.count - written) }
            if count >= 0 { written += count } else if errno != EINTR { failure = errno }
        }
        if failure == 0, fsync(descriptor) != 0 { failure = errno }
        close(descriptor)
        if failure == 0, rename(temporary, path) != 0 { failure = errno }
        if failure != 0 {
            unlink(temporary)
            throw SessionStoreError(path: path, problem: .system(failure))
        }
    }

    /// Opens the directory, made with its parents if need be, and locks it against other processes of this program until
    /// the returned descriptor is closed.
    private func lockedDirectory() throws(SessionStoreError) -> Int32 {
        try makeDirectories()
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw SessionStoreError(path: directory, problem: .system(errno)) }
        do throws(SessionStoreError) {
            try checkPrivate(descriptor, directory, kind: S_IFDIR)
        } catch {
            close(descriptor)
            throw error
        }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let failure = errno
                close(descriptor)
                throw SessionStoreError(path: directory, problem: .system(failure))
            }
        }
        return descriptor
    }

    /// Makes every missing directory on the way, each 0700.
    private func makeDirectories() throws(SessionStoreError) {
        var path = ""
        for name in directory.split(separator: "/") {
            path += "/" + name
            guard mkdir(path, 0o700) == 0 || errno == EEXIST || access(path, F_OK) == 0 else {
                throw SessionStoreError(path: path, problem: .system(errno))
            }
        }
    }

    private func checkPrivate(_ descriptor: Int32, _ path: String, kind: mode_t) throws(SessionStoreError) {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw SessionStoreError(path: path, problem: .system(errno)) }
        guard information.st_mode & S_IFMT == kind else { throw SessionStoreError(path: path, problem: .notAFile) }
        guard information.st_uid == owner else {
            throw SessionStoreError(path: path, problem: .foreignOwner(information.st_uid))
        }
        guard information.st_mode & 0o077 == 0 else {
            throw SessionStoreError(path: path, problem: .openToOthers(mode: information.st_mode & 0o777))
        }
    }

    private func readAll(_ descriptor: Int32, _ path: String) throws(SessionStoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += chunk[..<count]
            } else if errno != EINTR {
                throw SessionStoreError(path: path, problem: .system(errno))
            }
        }
    }
}

/// One session that a sign-in left on this machine.
struct SavedSession: Codable, Sendable, Hashable {
    /// The account named at sign-in; empty for the account of the user's own Unix identity.
    var account: String
    /// The secret for `authorization: Bearer`.
    var token: String
    /// The account's id: lower-case UUID text.
    var userID: String
    /// Names the session for `auth sessions --revoke`.
    var sessionID: String
    /// When the session expires, in seconds since 1970; nil if the server did not say.
    var expireTime: Int64?
}

/// The sessions at one socket.
struct SavedSessions: Codable, Sendable, Hashable {
    /// The socket's path, kept beside the tokens so that a token is never sent to another server's socket.
    let socket: String
    /// The account used when none is named: the last one signed in, or the one that was chosen since.
    private(set) var currentAccount: String?
    /// In order of sign-in, each account once.
    private(set) var sessions: [SavedSession] = []

    init(socket: String) { self.socket = socket }

    /// The session of an account, or of the current one.
    func session(for account: String?) -> SavedSession? {
        guard let account = account ?? currentAccount else { return nil }
        return sessions.first { $0.account == account }
    }

    /// Adds a session, replaces the account's former one, and makes it current.
    mutating func add(_ session: SavedSession) {
        sessions.removeAll { $0.account == session.account }
        sessions.append(session)
        currentAccount = session.account
    }

    /// Makes a saved account the current one; without a session of it nothing changes.
    mutating func makeCurrent(_ account: String) {
        if session(for: account) != nil { currentAccount = account }
    }

    /// Removes all sessions that `shouldRemove` accepts. If the current one goes, the last one signed in becomes current.
    mutating func removeAll(where shouldRemove: (SavedSession) -> Bool) {
        sessions.removeAll(where: shouldRemove)
        if session(for: nil) == nil { currentAccount = sessions.last?.account }
    }
}
