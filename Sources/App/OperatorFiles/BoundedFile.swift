#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import PulseBoardVocabulary

/// A file that the operator has configured. It is read as a whole, up to a limit.
package struct BoundedFile {
    package let bytes: [UInt8]
    package let stamp: Stamp
    /// Whether nobody but its owner may read or write the file.
    package let isPrivate: Bool
    /// Whether its owner is root or this process's user.
    package let isOwn: Bool

    /// The identity of a file's version. It changes when the file is replaced or written.
    package struct Stamp: Sendable, Hashable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        /// Time of the last write, and of the last change of the inode, as seconds and nanoseconds since 1970.
        package let writeTime: [Int64]
        let changeTime: [Int64]

        fileprivate init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            writeTime = [Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec)]
            changeTime = [Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec)]
        }
    }

    /// Why a file could not be read, as a text for the operator.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let phrase: Phrase

        package init(phrase: Phrase) { self.phrase = phrase }

        package var description: String { phrase.english }

        /// The system's reason, by its number.
        fileprivate static func system(_ number: CInt) -> Failure { Failure(phrase: .systemError(number)) }
    }

    /// The stamp of the file at a path.
    package static func stamp(of path: String) throws(Failure) -> Stamp {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(errno) }
        return Stamp(status)
    }

    /// Reads a regular file of at most `limit` bytes.
    package init(_ path: String, limit: Int) throws(Failure) {
        // `O_NONBLOCK`, so that a pipe at this path does not block the server.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(phrase: Phrase("not a regular file", "일반 파일이 아닙니다")) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            guard count > 0 else { break }
            guard bytes.count + count <= limit else { throw Failure(phrase: Phrase("more than \(limit) bytes", "\(limit)바이트를 넘습니다")) }
            bytes += part[..<count]
        }
        self.bytes = bytes
        stamp = Stamp(status)
        isPrivate = status.st_mode & 0o077 == 0
        isOwn = [0, geteuid()].contains(status.st_uid)
    }
}
