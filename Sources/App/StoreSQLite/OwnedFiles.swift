#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Foundation

/// Gives files that root has made in a directory to the directory's owner, so that the owner's server can open them.
///
/// The owner may change names at the same time. So files are opened by descriptors, and links are not followed. Only files of root with
/// one name are given away. A file from another place is never given away.
struct OwnedFiles {
    private let owner: uid_t
    private let group: gid_t

    /// Returns `nil` if the caller is not root, or root is the owner.
    init?(of directory: String) throws {
        var status = stat()
        guard lstat(directory, &status) == 0 else { throw Self.failure }
        guard geteuid() == 0, status.st_uid != 0 else { return nil }
        owner = status.st_uid
        group = status.st_gid
    }

    /// Gives away a file, or a folder with its contents. A missing file is skipped.
    func give(_ path: String) throws { try give(path, in: AT_FDCWD) }

    private func give(_ name: String, in folder: Int32) throws {
        let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT || errno == ELOOP else { throw Self.failure }
            return
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure }
        guard status.st_uid == 0 else { return }
        switch status.st_mode & S_IFMT {
        // A folder is given away after its contents. Until then nobody else can change them.
        case S_IFDIR:
            for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(descriptor)") { try give(entry, in: descriptor) }
        case S_IFREG where status.st_nlink == 1: break
        default: return
        }
        guard fchown(descriptor, owner, group) == 0 else { throw Self.failure }
    }

    private static var failure: POSIXError { POSIXError(.init(rawValue: errno) ?? .EIO) }
}
