import class Foundation.FileManager
import Glibc
import PulseBoardDomain
import SocketTransport
import struct SystemPackage.Errno
import struct SystemPackage.FileDescriptor
import struct SystemPackage.FilePath

/// Stores pictures as files beside the database (B22): `3d/OWNER/IMAGE-96.webp` in its folder. `3d` are the first two digits
/// of the owner's id, so that no folder has too many entries.
///
/// A file appears whole or not at all: it is written without a name, synced, and then linked. After a crash, the rows of the
/// database show what is left, so no folder is searched.
///
/// Two pictures are read at a time, and two are written or removed, on threads of their own. A read waits for no write.
public struct ImageFolder: ImageStore {
    private let folder: FilePath
    /// Whether pictures can be written.
    public let health: ImageFolderHealth
    private let reads: BlockingTaskExecutor
    private let writes: BlockingTaskExecutor
    /// Its thread asks for the free bytes. A question that hangs takes no thread from reads and writes.
    private let questions = BlockingTaskExecutor(label: "images.room", threads: 1)

    /// Opens the folder. Makes it if it is missing, with access for the owner only.
    public init(path: String, health: ImageFolderHealth = ImageFolderHealth()) throws(RepositoryError) {
        try self.init(
            path: path, health: health,
            reads: BlockingTaskExecutor(label: "images.reads", threads: 2), writes: BlockingTaskExecutor(label: "images.writes", threads: 2))
    }

    init(
        path: String, health: ImageFolderHealth = ImageFolderHealth(), reads: BlockingTaskExecutor, writes: BlockingTaskExecutor
    ) throws(RepositoryError) {
        folder = FilePath(path)
        self.health = health
        self.reads = reads
        self.writes = writes
        try attempt("making \(folder)") { try Self.make(folder) }
        health.hasFree(Self.freeBytes(in: folder))
    }

    /// The present status. It does not ask the file system: the free bytes are those of the last ``lookAtRoom()``, or of the start.
    public var status: ImageDirectoryStatus {
        ImageDirectoryStatus(path: folder.string, freeBytes: health.freeBytes, trouble: health.trouble)
    }

    /// Asks the file system for the free bytes of ``status``, on a thread of its own. Returns at once. While an earlier question has no answer, such
    /// as from a server of files that is gone, it does nothing.
    public func lookAtRoom() {
        guard health.beginsQuestion() else { return }
        Task(executorPreference: questions) { health.hasFree(Self.freeBytes(in: folder)) }
    }

    private static func freeBytes(in folder: FilePath) -> Int64? {
        var information = statvfs()
        guard statvfs(folder.string, &information) == 0 else { return nil }
        return Int64(clamping: UInt64(information.f_bavail).multipliedReportingOverflow(by: UInt64(information.f_frsize)).partialValue)
    }

    /// While pictures cannot be written, tries it with a file without a name, as large as a picture in every size.
    public func check() async {
        guard health.trouble != nil else { return }
        await writes.run { tryWriting() }
    }

    private func tryWriting() {
        // A write to the folder in which the disk is mounted says nothing about the disk.
        if health.isMissing, (try? Self.isEmpty(folder)) ?? true { return }
        let bytes = [UInt8](repeating: 0, count: ImageSize.allCases.reduce(0) { $0 + $1.maximumBytes })
        do {
            let file = try FileDescriptor.open(folder, .writeOnly, options: [.withoutName, .closeOnExec], permissions: .ownerReadWrite)
            try file.closeAfter {
                try file.writeAll(bytes)
                try Self.check(fsync(file.rawValue))
            }
            health.recovered()
        } catch {
            // It is as before.
        }
    }

    public func store(_ variants: ImageVariants, as id: ImageID, of owner: UserID) async throws(RepositoryError) {
        try await writes.run { () throws(RepositoryError) in try write(variants, as: id, of: owner) }
    }

    private func write(_ variants: ImageVariants, as id: ImageID, of owner: UserID) throws(RepositoryError) {
        let home = home(of: owner)
        try attempt("storing in \(home)") {
            do {
                try link(variants, as: id, of: owner, in: home)
            } catch let error as Errno where error == .noSuchFileOrDirectory {
                // A sweep has removed the owner's last picture, and the folder with it, before the first file was linked.
                try link(variants, as: id, of: owner, in: home)
            }
            try Self.sync(home)
            try Self.sync(home.removingLastComponent())
            try Self.sync(folder)
        }
    }

    /// Makes the folder of an owner and the files of a picture in it.
    private func link(_ variants: ImageVariants, as id: ImageID, of owner: UserID, in home: FilePath) throws {
        try Self.make(home.removingLastComponent())
        try Self.make(home)
        for size in ImageSize.allCases {
            let file = try FileDescriptor.open(home, .writeOnly, options: [.withoutName, .closeOnExec], permissions: .ownerReadWrite)
            try file.closeAfter {
                try file.writeAll(variants[size])
                try Self.check(fsync(file.rawValue))
                // A file without a name is linked through /proc, because AT_EMPTY_PATH would need a capability.
                try Self.check(
                    linkat(AT_FDCWD, "/proc/self/fd/\(file.rawValue)", AT_FDCWD, path(of: id, owner, size).string, AT_SYMLINK_FOLLOW))
            }
        }
    }

    public func image(_ id: ImageID, of owner: UserID, size: ImageSize) async throws(RepositoryError) -> [UInt8]? {
        try await reads.run { () throws(RepositoryError) in try read(id, of: owner, size: size) }
    }

    private func read(_ id: ImageID, of owner: UserID, size: ImageSize) throws(RepositoryError) -> [UInt8]? {
        let path = path(of: id, owner, size)
        return try Self.touching("reading \(path)") {
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

    public func remove(_ id: ImageID, of owner: UserID) async throws(RepositoryError) {
        try await writes.run { () throws(RepositoryError) in try unlink(id, of: owner) }
    }

    private func unlink(_ id: ImageID, of owner: UserID) throws(RepositoryError) {
        let home = home(of: owner)
        try Self.touching("removing from \(home)") {
            for size in ImageSize.allCases {
                try Self.check(Glibc.unlink(path(of: id, owner, size).string), orElse: .noSuchFileOrDirectory)
            }
            // The folder is removed with its last file.
            try Self.check(rmdir(home.string), orElse: .noSuchFileOrDirectory, .directoryNotEmpty)
            // The row is removed next. After a power cut no file may come back without it.
            for changed in [home, home.removingLastComponent(), folder] {
                do { return try Self.sync(changed) } catch let error as Errno where error == .noSuchFileOrDirectory { continue }
            }
        }
    }

    public func isEmpty() async throws(RepositoryError) -> Bool {
        try await reads.run { () throws(RepositoryError) in try attempt("looking into \(folder)") { try Self.isEmpty(folder) } }
    }

    public func notePictures(missing: String?) { health.notePictures(missing: missing) }

    private static func isEmpty(_ folder: FilePath) throws -> Bool { try FileManager.default.contentsOfDirectory(atPath: folder.string).isEmpty }

    private func home(of owner: UserID) -> FilePath {
        folder.pushing(FilePath(OwnedImage.home(of: owner)))
    }

    private static func make(_ folder: FilePath) throws {
        try check(mkdir(folder.string, S_IRWXU), orElse: .fileExists)
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

    /// Does something that shows whether the folder can be used, and records its failure. The text is for the log and for the operator.
    private func attempt<Value>(_ what: String, _ body: () throws -> Value) throws(RepositoryError) -> Value {
        do {
            return try body()
        } catch {
            health.failed(error, "\(what): \(error)")
            throw .storeUnavailable(StoreFailure(error), detail: "\(what): \(error)")
        }
    }

    /// Does something that needs no room. Its failure concerns one picture.
    private static func touching<Value>(_ what: String, _ body: () throws -> Value) throws(RepositoryError) -> Value {
        do { return try body() } catch { throw .storeUnavailable(StoreFailure(error), detail: "\(what): \(error)") }
    }
}

extension FileDescriptor.OpenOptions {
    /// Linux's `O_TMPFILE`, which no Swift module has: it creates a file without a name in the opened folder. ext4, xfs,
    /// btrfs and tmpfs support it.
    static var withoutName: Self { Self(rawValue: 0o20_000_000 | FileDescriptor.OpenOptions.directory.rawValue) }
}
