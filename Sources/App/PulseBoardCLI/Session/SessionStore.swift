import Foundation

/// Keeps session tokens in one file per socket that only their owner can read.
///
/// A file is 0600 from its first instant and replaced as a whole; its directory is 0700. A file or directory that others
/// could have read or written is refused rather than used or repaired, because its token may already be known to them.
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
