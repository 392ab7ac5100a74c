#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import GRDB
import PulseBoardVocabulary

/// Makes a new database under another name, and renames it when it is complete and on the disk.
///
/// So an interrupted first start never leaves half a database, only a file that nobody reads. The next start removes it.
struct NewDatabase {
    private let path: String
    private let buildingPath: String

    /// - Parameter path: the path of the database. There must be no file, or an empty one.
    init(_ path: String) {
        self.path = path
        buildingPath = path + ".new"
    }

    /// Makes the database.
    /// - Returns: the lock of its file, which was taken before the file was renamed.
    func make() throws -> DatabaseLock {
        for suffix in ["", "-journal", "-wal", "-shm"] { try Self.remove(buildingPath + suffix) }
        let lock = try DatabaseLock(buildingPath, isNew: true)
        let database = try DatabaseQueue(path: buildingPath, configuration: ConnectionSettings.writer)
        // After a failure the database is made again, so no journal is needed, and one sync at the end is enough.
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = MEMORY")
            try database.execute(sql: "PRAGMA synchronous = OFF")
        }
        try SQLiteSchema.migrator.migrate(database)
        try database.close()
        try Self.check(lock.synchronize(), path)
        // Files beside an empty database belong to no database. SQLite would take a journal as this database's and roll it back.
        for suffix in ["-journal", "-wal", "-shm"] { try Self.remove(path + suffix) }
        try Self.check(rename(buildingPath, path) == 0 ? 0 : errno, path)
        try synchronizeDirectory()
        return lock
    }

    /// Syncs the directory, because only then is the file's name on the disk.
    private func synchronizeDirectory() throws {
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try Self.check(descriptor >= 0 ? 0 : errno, path)
        defer { close(descriptor) }
        try Self.check(fsync(descriptor) == 0 ? 0 : errno, path)
    }

    private static func remove(_ path: String) throws {
        try check(unlink(path) == 0 || errno == ENOENT ? 0 : errno, path)
    }

    private static func check(_ problem: CInt, _ path: String) throws {
        guard problem == 0 else { throw StoreOpeningError.failed(path: path, detail: .systemError(problem)) }
    }
}

/// Makes the entry of a new directory durable. Otherwise a power cut may remove it with everything in it. A parent that may not be read is not
/// synced.
func syncParent(of path: String) {
    let path = path.hasSuffix("/") ? path.dropLast() : path[...]
    let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
}
