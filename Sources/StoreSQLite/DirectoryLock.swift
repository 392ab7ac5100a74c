#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Sole possession of a data directory, from `init` until the value is dropped.
///
/// An advisory `flock` on a file beside the database: the kernel lets go of it when the process ends, however it ends.
/// It is what keeps a second process from writing or checkpointing the same file, which SQLite 3.40.1 does not survive
/// (the WAL-reset bug, docs/architecture.md). The file stays: removing it would let two processes lock two files of one name.
struct DirectoryLock: ~Copyable {
    static let fileName = "pulseboard.lock"

    private let descriptor: CInt

    /// - Throws: `locked` when another process (or another store of this one) has the directory.
    init(directory: String) throws(StoreOpeningError) {
        let path = directory + "/" + Self.fileName
        // Kept only once it is locked: when an initialiser throws after the last property has been set, `deinit` runs too, and
        // would close a number that may be somebody else's by then.
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw .directoryUnusable(path: directory, detail: String(cString: strerror(errno)))
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let cause = errno
            let holder = Self.readHolder(file)
            close(file)
            if cause == EWOULDBLOCK { throw .locked(path: directory, holder: holder) }
            throw .directoryUnusable(path: directory, detail: String(cString: strerror(cause)))
        }
        descriptor = file
        // The process id is for the message another process shows; the lock holds without it.
        let text = "\(getpid())\n"
        _ = ftruncate(descriptor, 0)
        _ = text.withCString { pwrite(descriptor, $0, text.utf8.count, 0) }
    }

    deinit {
        // Unlocked by name, not only by closing: a child that is being forked holds the descriptor until it executes.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func readHolder(_ descriptor: CInt) -> Int32? {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: buffer.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
