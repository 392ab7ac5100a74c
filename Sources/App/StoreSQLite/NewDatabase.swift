#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import GRDB

/// A database that is not there yet: made under another name, and given its own when it is complete and on the disk.
///
/// So an interrupted first start leaves a file that nobody reads and the next start removes, and never half a database.
struct NewDatabase {
    private let path: String
    private let buildingPath: String

    /// - Parameter path: of the database. What is there, if anything, has no bytes.
    init(_ path: String) {
        self.path = path
        buildingPath = path + ".new"
    }

    /// Makes it. - Returns: the lock of its file, which was taken before it got its name.
    func make() throws -> DatabaseLock {
        for suffix in ["", "-journal", "-wal", "-shm"] { try Self.remove(buildingPath + suffix) }
        let lock = try DatabaseLock(buildingPath, isNew: true)
        let database = try DatabaseQueue(path: buildingPath, configuration: ConnectionSettings.writer)
        // Whatever goes wrong, it is made again: nothing needs to be undone, and the disk is waited for once, at the end.
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = MEMORY")
            try database.execute(sql: "PRAGMA synchronous = OFF")
        }
        try Schema.migrator.migrate(database)
        try database.close()
        try Self.check(lock.synchronize(), path)
        // What lies beside a database of no bytes belongs to none. SQLite would take a journal for this one's, and roll it back.
        for suffix in ["-journal", "-wal", "-shm"] { try Self.remove(path + suffix) }
        try Self.check(rename(buildingPath, path) == 0 ? 0 : errno, path)
        try synchronizeDirectory()
        return lock
    }

    /// The name itself is on the disk only once its directory is.
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
        guard problem == 0 else { throw StoreOpeningError.failed(path: path, detail: String(cString: strerror(problem))) }
    }
}
