#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import PulseBoardVocabulary

/// A lock on the database's own file, whatever its name. It is held from `init` until the value is destroyed.
///
/// It is a lock of the open file description (`F_OFD_SETLK`) on one byte beyond those that SQLite locks. SQLite's own locks belong to the
/// process, and the kernel drops them when the process closes *any* descriptor of the file. So this descriptor is opened before SQLite's
/// connections and closed after them, and nothing else opens the file meanwhile.
struct DatabaseLock: ~Copyable {
    /// SQLite locks 512 bytes from 1 GiB on. A page of any size that contains those ends before this byte. The file may be shorter.
    private static let lockedByte: off_t = 0x4000_0000 + 65_536

    /// `F_OFD_SETLK` of Linux's fcntl.h, which Swift's Glibc module leaves out.
    private static let setLock: CInt = 37

    private let descriptor: CInt
    let file: FileNumber

    /// Opens a file and locks it.
    /// - Parameter isNew: whether to create the file. Then it must not exist.
    /// - Throws: `locked` when another process, or another store of this process, has locked it.
    init(_ path: String, isNew: Bool = false) throws(StoreOpeningError) {
        // SQLite creates files with the same mode.
        let descriptor = open(path, O_RDWR | O_CLOEXEC | (isNew ? O_CREAT | O_EXCL : 0), 0o644)
        guard descriptor >= 0 else { throw .failed(path: path, detail: .systemError(errno)) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = Self.lockedByte
        lock.l_len = 1
        guard fcntl(descriptor, Self.setLock, &lock) == 0 else {
            let cause = errno
            close(descriptor)
            if cause == EAGAIN || cause == EACCES { throw .locked(path: path, holder: nil) }
            let words = Phrase.systemError(cause)
            throw .failed(path: path, detail: Phrase("it cannot be locked: \(words.english)", "잠글 수 없습니다: \(words.korean)"))
        }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            let cause = errno
            close(descriptor)
            throw .failed(path: path, detail: .systemError(cause))
        }
        file = FileNumber(information)
        self.descriptor = descriptor
    }

    deinit {
        // Unlock explicitly: a child that is being forked may share the open file description (``DirectoryLock``).
        var lock = flock()
        lock.l_type = Int16(F_UNLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = Self.lockedByte
        lock.l_len = 1
        _ = fcntl(descriptor, Self.setLock, &lock)
        close(descriptor)
    }

    /// The first bytes of the file itself, without the contents of a journal.
    func firstBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        return Array(bytes.prefix(max(0, pread(descriptor, &bytes, count, 0))))
    }

    /// Syncs the file to the disk.
    /// - Returns: `errno`, or 0 on success.
    func synchronize() -> CInt { fsync(descriptor) == 0 ? 0 : errno }
}

/// The identity of a file, whatever its name: the numbers of its device and inode.
struct FileNumber: Hashable, Sendable {
    let device: dev_t
    let number: ino_t

    init(_ information: stat) {
        device = information.st_dev
        number = information.st_ino
    }
}
