import Glibc

/// The file of a log, with the path under which it was opened. Log rotation moves the file away, and then the log opens the path
/// again.
struct LogFile: Sendable {
    let path: String
    /// The descriptors, of standard output and standard error, that refer to this file.
    private let descriptors: [Int32]

    /// The file of a descriptor; `nil` if it is not a regular file, or was deleted already.
    init?(behind descriptor: Int32) {
        guard let file = Self.identity(descriptor), let path = Self.path(of: descriptor) else { return nil }
        var status = stat()
        guard lstat(path, &status) == 0, Identity(status) == file else { return nil }
        self.path = path
        descriptors = Set([descriptor, STDOUT_FILENO]).filter { Self.identity($0) == file }
    }

    /// Opens the path again, creates the file if it is missing, and redirects the descriptors to it.
    /// - Returns: 0, or the `errno` of the failure. Then nothing has changed.
    func reopen() -> Int32 {
        let opened = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { return errno }
        defer { close(opened) }
        for descriptor in descriptors where dup2(opened, descriptor) < 0 { return errno }
        return 0
    }

    private struct Identity: Equatable {
        let device: UInt
        let inode: UInt

        init(_ status: stat) {
            device = UInt(status.st_dev)
            inode = UInt(status.st_ino)
        }
    }

    private static func identity(_ descriptor: Int32) -> Identity? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Identity(status)
    }

    private static func path(of descriptor: Int32) -> String? {
        var name = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
        guard count > 0, count < name.count else { return nil }
        return String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
