#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import PulseBoardVocabulary

/// An exclusive lock on a data directory. It is held from `init` until the value is destroyed.
///
/// It is an advisory `flock` on the directory itself. The kernel releases it when the process ends in any way. The file `pulseboard.lock` is locked
/// too, because earlier versions use it. It contains the process id for error messages, and whether the directory has had a database. So a database
/// that is lost is not replaced by an empty one. The database file has its own lock (``DatabaseLock``).
///
/// The lock prevents a second process from writing or checkpointing the same database. With SQLite 3.40.1 that would damage the database (the
/// WAL-reset bug, docs/storage.md).
struct DirectoryLock: ~Copyable {
    static let fileName = "pulseboard.lock"
    /// The second line of the file in a directory that has had a database.
    private static let databaseMark = "has a database"

    /// Whether an earlier process has noted that the directory has a database.
    let knowsDatabase: Bool
    private let directory: FlockedFile
    private let file: FlockedFile

    /// - Throws: `locked` when another process, or another store of this process, has locked the directory.
    init(directory path: String) throws(StoreOpeningError) {
        let file = path + "/" + Self.fileName
        let held = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard let directory = try FlockedFile(held, of: path) else {
            throw .locked(path: path, holder: Self.readHolder(file))
        }
        // A link could lead to any file, and a pipe would block.
        guard let locked = try FlockedFile(open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600), of: file) else {
            throw .locked(path: path, holder: Self.readHolder(file))
        }
        self.directory = directory
        self.file = locked
        knowsDatabase = Self.hasMark(file)
        // The process id is for another process's error message. The lock works without it.
        writeContent(hasDatabase: knowsDatabase)
    }

    /// Notes that the directory has a database, for later processes.
    func noteDatabase() {
        guard !knowsDatabase else { return }
        writeContent(hasDatabase: true)
        file.sync()
    }

    /// Whether a file says that its directory has had a database.
    /// - Parameter path: the path of the file.
    static func hasMark(_ path: String) -> Bool { lines(path).dropFirst().first == databaseMark[...] }

    private func writeContent(hasDatabase: Bool) { file.replaceContent("\(getpid())\n" + (hasDatabase ? Self.databaseMark + "\n" : "")) }

    private static func readHolder(_ path: String) -> Int32? { lines(path).first.flatMap { Int32($0) } }

    private static func lines(_ path: String) -> [Substring] {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = pread(file, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n") : []
    }
}

/// An open file or directory with an exclusive `flock`, until the value is destroyed.
private struct FlockedFile: ~Copyable {
    private let descriptor: CInt

    /// Locks an open descriptor. If somebody else has locked the file, it closes the descriptor and returns `nil`.
    /// - Parameter descriptor: the result of `open`. `errno` must still be that of `open`.
    init?(_ descriptor: CInt, of path: String) throws(StoreOpeningError) {
        guard descriptor >= 0 else { throw .directoryUnusable(path: path, detail: .systemError(errno)) }
        // The property is set only after locking. If an initialiser throws after setting its last property, `deinit` runs too, and would
        // close a descriptor number that may be reused by then.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let cause = errno
            close(descriptor)
            if cause == EWOULDBLOCK { return nil }
            throw .directoryUnusable(path: path, detail: .systemError(cause))
        }
        self.descriptor = descriptor
    }

    deinit {
        // Closing alone would not unlock: a child that is being forked holds the descriptor until it executes.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    func sync() { fsync(descriptor) }

    func replaceContent(_ text: String) {
        // In this order, because a process that is killed in between must not leave an empty file.
        guard text.withCString({ pwrite(descriptor, $0, text.utf8.count, 0) }) == text.utf8.count else { return }
        _ = ftruncate(descriptor, off_t(text.utf8.count))
    }
}
