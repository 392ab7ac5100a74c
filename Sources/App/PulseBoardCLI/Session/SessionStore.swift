import Foundation
import PulseBoardDomain

/// Stores session tokens: one file for each socket, which only the owner can read.
///
/// A file has mode 0600 from the beginning and is replaced as a whole. Its directory has mode 0700. A file or directory that others could have
/// read or written is refused: it is neither used nor repaired, because others may know its tokens already.
struct SessionStore: Sendable {
    /// The absolute path of `…/pulseboard/sessions`.
    let directory: String
    /// The uid that must own the files.
    let owner: uid_t

    /// The store in ``stateFolder(_:)``, or below the home directory of the system.
    init(variables: [String: String], owner: uid_t) {
        self.init(directory: (Self.stateFolder(variables) ?? NSHomeDirectory() + "/.local/state/pulseboard") + "/sessions", owner: owner)
    }

    /// The folder for the program's state: `pulseboard` in `$XDG_STATE_HOME`, or else in `~/.local/state`, as in the XDG Base
    /// Directory Specification (a relative path is ignored). `nil` if neither variable has an absolute path.
    static func stateFolder(_ variables: [String: String]) -> String? {
        func path(_ variable: String) -> String? { variables[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return (path("XDG_STATE_HOME") ?? path("HOME").map { $0 + "/.local/state" }).map { $0 + "/pulseboard" }
    }

    init(directory: String, owner: uid_t) {
        self.directory = directory
        self.owner = owner
    }

    /// The file that holds the sessions of a socket.
    func path(forSocket socket: String) -> String { directory + "/" + Self.fileName(forSocket: socket) }

    /// The saved sessions of a socket; none if there is no file.
    func sessions(forSocket socket: String) throws(SessionStoreError) -> SavedSessions {
        let path = path(forSocket: socket)
        guard let bytes = try readPrivateFile(path) else { return SavedSessions(socket: socket) }
        guard let saved = try? JSONDecoder().decode(SavedSessions.self, from: Data(bytes)), saved.socket == socket else {
            throw SessionStoreError(path: path, problem: .damaged)
        }
        return saved
    }

    /// Changes the saved sessions of a socket, one process at a time. If none are left, the file is removed.
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

    /// The id of this machine among a user's devices. It is set once to `candidate`, and kept for all sockets.
    func deviceID(orNew candidate: String) throws(SessionStoreError) -> String {
        let path = directory + "/device-id"
        if let bytes = try readPrivateFile(path) { return try Self.deviceID(bytes, path) }
        let lock = try lockedDirectory()
        defer { close(lock) }
        // Another process may have written it meanwhile.
        if let bytes = try readPrivateFile(path) { return try Self.deviceID(bytes, path) }
        try replacePrivateFile(path, with: Array(candidate.utf8))
        return candidate
    }

    /// The draft of an unfinished `pulseboard onboard`; `nil` if there is none.
    func draft(forSocket name: String) throws(SessionStoreError) -> [UInt8]? { try readPrivateFile(draftPath(name)) }

    /// Saves the draft; `nil` removes it.
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

    /// A socket path as one file name: everything but letters, digits, `.`, `_` and `-` is percent-escaped. A name that is
    /// too long for a file system is cut and gets a hash of the whole. The file contains the socket's path.
    static func fileName(forSocket socket: String) -> String {
        var name = ""
        for byte in socket.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                name += byte < 16 ? "%0" + String(byte, radix: 16) : "%" + String(byte, radix: 16)
            }
        }
        if name.utf8.count > 200 { name = name.prefix(180) + "~" + String(FNV1aHash.value(of: socket.utf8), radix: 16) }
        return name + ".json"
    }
}

/// Why the session file could not be used.
struct SessionStoreError: Error, Sendable, Hashable {
    enum Problem: Sendable, Hashable {
        /// Other users may read or write it. `mode` is its permission bits.
        case openToOthers(mode: mode_t)
        /// Another user owns it. The value is that uid.
        case foreignOwner(uid_t)
        /// It is a link, a directory or something else.
        case notAFile
        /// Its contents were not written by this program.
        case damaged
        /// A system call failed. The value is `errno`.
        case system(Int32)
    }

    let path: String
    let problem: Problem
}

extension SessionStore {
    /// The contents of a private file, or `nil` if there is none.
    ///
    /// The check is on the opened file, so nobody can replace the file between check and use.
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

    /// Writes a new private file, syncs it, and renames it over the old one.
    private func replacePrivateFile(_ path: String, with bytes: [UInt8]) throws(SessionStoreError) {
        let temporary = path + ".new"
        // An existing file was left by a killed run, because this process holds the directory's lock.
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

    /// Opens the directory, and locks it against other processes of this program until the returned descriptor is
    /// closed. Makes the directory and its parents if they are missing.
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

    /// Makes every missing directory of the path, each with mode 0700.
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

/// One saved session.
struct SavedSession: Codable, Sendable, Hashable {
    /// The account named at sign-in; empty for the account of the user's own Unix identity.
    var account: String
    /// The secret for `authorization: Bearer`.
    var token: String
    /// The account's id: lower-case UUID text.
    var userID: String
    /// The id of the session, for `auth sessions --revoke`.
    var sessionID: String
    /// When the session expires, in seconds since 1970; `nil` if the server did not say.
    var expireTime: Int64?
    /// Whether an ID token opened it. `nil` in a file of an earlier version.
    var isFromIDToken: Bool?
}

/// The sessions at one socket.
struct SavedSessions: Codable, Sendable, Hashable {
    /// The socket's path. It is stored with the tokens, so that a token is never sent to another socket.
    let socket: String
    /// The account that is used if none is named: the last one that signed in, or that was chosen since. `nil` after its sign-out, if the Unix user
    /// is not signed in.
    private(set) var currentAccount: String?
    /// The sessions in the order of sign-in, each account once.
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

    /// Makes a saved account the current one. Without a session of it nothing changes.
    mutating func makeCurrent(_ account: String) {
        if session(for: account) != nil { currentAccount = account }
    }

    /// Removes all sessions that `shouldRemove` accepts. If the current one goes, the Unix user's becomes current. No other account does: the next
    /// command may delete something, and nobody has chosen that account for it.
    /// - Parameter mayFallBack: false if nobody is to be current then.
    mutating func removeAll(mayFallBack: Bool = true, where shouldRemove: (SavedSession) -> Bool) {
        sessions.removeAll(where: shouldRemove)
        if session(for: nil) == nil { currentAccount = mayFallBack ? session(for: "")?.account : nil }
    }

    /// The name for a user who signs in with an identity provider and chooses none: the one that the user has already, or the provider's, with a
    /// number if another user has it.
    func name(of userID: String, with provider: String) -> String {
        func isNumbered(_ name: String) -> Bool { name.hasPrefix(provider + "-") && Int(name.dropFirst(provider.count + 1)) != nil }
        let own = sessions.first { $0.userID == userID && $0.isFromIDToken == true && ($0.account == provider || isNumbered($0.account)) }
        if let own { return own.account }
        var name = provider
        var number = 2
        while let other = session(for: name), other.userID != userID {
            name = "\(provider)-\(number)"
            number += 1
        }
        return name
    }
}
