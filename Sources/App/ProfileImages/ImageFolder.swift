import Glibc
import PulseBoardDomain
import struct SystemPackage.Errno
import struct SystemPackage.FileDescriptor
import struct SystemPackage.FilePath

/// Stores pictures as files beside the database (B22): `3d/OWNER/IMAGE-96.webp` in its folder. `3d` are the first two digits
/// of the owner's id, so that no folder has too many entries.
///
/// A file appears whole or not at all: it is written without a name, synced, and then linked. After a crash, the rows of the
/// database show what is left, so no folder is searched.
public struct ImageFolder: ImageStore {
    private let folder: FilePath

    /// Opens the folder. Makes it if it is missing, with access for the owner only.
    public init(path: String) throws(RepositoryError) {
        folder = FilePath(path)
        try Self.make(folder)
    }

    @concurrent
    public func store(_ variants: ImageVariants, as id: ImageID, of owner: UserID) async throws(RepositoryError) {
        let home = home(of: owner)
        try Self.make(home.removingLastComponent())
        try Self.make(home)
        try Self.attempt("storing in \(home)") {
            for size in ImageSize.allCases {
                let file = try FileDescriptor.open(
                    home, .writeOnly, options: [.withoutName, .closeOnExec], permissions: .ownerReadWrite)
                try file.closeAfter {
                    try file.writeAll(variants[size])
                    try Self.check(fsync(file.rawValue))
                    // A file without a name is linked through /proc, because AT_EMPTY_PATH would need a capability.
                    try Self.check(
                        linkat(AT_FDCWD, "/proc/self/fd/\(file.rawValue)", AT_FDCWD, path(of: id, owner, size).string, AT_SYMLINK_FOLLOW))
                }
            }
            try Self.sync(home)
            try Self.sync(home.removingLastComponent())
            try Self.sync(folder)
        }
    }

    @concurrent
    public func image(_ id: ImageID, of owner: UserID, size: ImageSize) async throws(RepositoryError) -> [UInt8]? {
        let path = path(of: id, owner, size)
        return try Self.attempt("reading \(path)") {
            let file: FileDescriptor
            do {
                file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow])
            } catch let error as Errno where error == .noSuchFileOrDirectory {
                return nil
            }
            return try file.closeAfter {
                // One byte more than permitted: a longer file was not stored here.
                let bytes = try [UInt8](unsafeUninitializedCapacity: size.maximumBytes + 1) { buffer, count in
                    count = 0
                    while count < buffer.count {
                        let more = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]))
                        if more == 0 { break }
                        count += more
                    }
                }
                guard bytes.count <= size.maximumBytes else { throw Errno.fileTooLarge }
                return bytes
            }
        }
    }

    @concurrent
    public func remove(_ id: ImageID, of owner: UserID) async throws(RepositoryError) {
        let home = home(of: owner)
        try Self.attempt("removing from \(home)") {
            for size in ImageSize.allCases {
                try Self.check(unlink(path(of: id, owner, size).string), orElse: .noSuchFileOrDirectory)
            }
            // The folder is removed with its last file.
            try Self.check(rmdir(home.string), orElse: .noSuchFileOrDirectory, .directoryNotEmpty)
        }
    }

    private func home(of owner: UserID) -> FilePath {
        folder.pushing(FilePath(OwnedImage.home(of: owner)))
    }

    private static func make(_ folder: FilePath) throws(RepositoryError) {
        try attempt("making \(folder)") {
            try check(mkdir(folder.string, S_IRWXU), orElse: .fileExists)
        }
    }

    private func path(of id: ImageID, _ owner: UserID, _ size: ImageSize) -> FilePath {
        folder.pushing(FilePath(OwnedImage(owner: owner, id: id).path(size)))
    }

    /// Makes the entries of a folder durable.
    private static func sync(_ folder: FilePath) throws {
        let descriptor = try FileDescriptor.open(folder, .readOnly, options: [.directory, .closeOnExec])
        try descriptor.closeAfter { try check(fsync(descriptor.rawValue)) }
    }

    /// Throws the error of a system call, unless it is one of the permitted ones.
    private static func check(_ result: CInt, orElse permitted: Errno...) throws {
        guard result != 0 else { return }
        let error = Errno(rawValue: errno)
        if !permitted.contains(error) { throw error }
    }

    /// Turns the error of a system call into the store's, with a text for the log about what was attempted.
    private static func attempt<Value>(_ what: String, _ body: () throws -> Value) throws(RepositoryError) -> Value {
        do {
            return try body()
        } catch {
            let failure: StoreFailure =
                switch error as? Errno {
                case .noSpace, .diskQuotaExceeded: .full
                case .ioError: .inputOutput
                case .readOnlyFileSystem, .permissionDenied: .readOnly
                default: .other
                }
            throw .storeUnavailable(failure, detail: "\(what): \(error)")
        }
    }
}

extension FileDescriptor.OpenOptions {
    /// Linux's `O_TMPFILE`, which no Swift module has: it creates a file without a name in the opened folder. ext4, xfs,
    /// btrfs and tmpfs support it.
    static var withoutName: Self { Self(rawValue: 0o20_000_000 | FileDescriptor.OpenOptions.directory.rawValue) }
}
