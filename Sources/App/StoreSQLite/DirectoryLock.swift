#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Sole possession of a data directory, from `init` until the value is dropped.
///
/// It is an advisory `flock` on the directory itself. Nobody can take it away while a database is in the directory, and the kernel releases it when
/// the process ends in any way. The file `pulseboard.lock` is locked too, because earlier versions look there. It holds the process id for the
/// message; deleting it does no harm. The database file has its own lock (``DatabaseLock``).
///
/// This lock keeps a second process from writing or checkpointing the same database, which would damage it under SQLite 3.40.1 (the WAL-reset bug,
/// docs/storage.md).
struct DirectoryLock: ~Copyable {
    static let fileName = "pulseboard.lock"

    private let directory: FlockedFile
    private let file: FlockedFile

    /// - Throws: `locked` when another process (or another store of this one) has the directory.
    init(directory path: String) throws(StoreOpeningError) {
        let file = path + "/" + Self.fileName
        let held = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard let directory = try FlockedFile(held, of: path) else {
            throw .locked(path: path, holder: Self.readHolder(file))
        }
        guard let locked = try FlockedFile(open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), of: path) else {
            throw .locked(path: path, holder: Self.readHolder(file))
        }
        self.directory = directory
        self.file = locked
        // The process id is for the message another process shows; the lock holds without it.
        self.file.replaceContent("\(getpid())\n")
    }

    private static func readHolder(_ path: String) -> Int32? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: buffer.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}

/// An open file or directory under an exclusive `flock`, until the value is dropped.
private struct FlockedFile: ~Copyable {
    private let descriptor: CInt

    /// Locks what has been opened, or closes it. `nil` when somebody else has locked it.
    /// - Parameter descriptor: what `open` gave; its `errno` is still there.
    init?(_ descriptor: CInt, of path: String) throws(StoreOpeningError) {
        guard descriptor >= 0 else { throw .directoryUnusable(path: path, detail: String(cString: strerror(errno))) }
        // The property is set only once it is locked: when an initialiser throws after the last property has been set, `deinit` runs too,
        // and would close a number that may be somebody else's by then.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let cause = errno
            close(descriptor)
            if cause == EWOULDBLOCK { return nil }
            throw .directoryUnusable(path: path, detail: String(cString: strerror(cause)))
        }
        self.descriptor = descriptor
    }

    deinit {
        // Unlocked by name, not only by closing: a child that is being forked holds the descriptor until it executes.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    func replaceContent(_ text: String) {
        _ = ftruncate(descriptor, 0)
        _ = text.withCString { pwrite(descriptor, $0, text.utf8.count, 0) }
    }
}
