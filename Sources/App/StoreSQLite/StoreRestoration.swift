#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import CLinuxSockets
import Foundation
import GRDB
import PulseBoardDomain

/// Puts a backup into a data directory that no server uses.
///
/// The backup's files are written into a folder of their own first. Only when they are complete and checked do they take the place of what is there, which
/// is kept in another folder. A restored store begins a new **generation**: page tokens, resume tokens and positions in diaries from before are refused, since
/// what they count from may be gone. Whoever follows changes begins again from the present state.
public final class StoreRestoration {
    /// Where files are written before they are checked.
    static let partialName = "restore.partial"
    /// What the folder is called while its files take their places. A server that finds it does not start.
    static let swapName = "restore.swap"

    private let directory: String
    private let lock: DirectoryLock
    private let clock: any WallClock
    private var partial: String { directory + "/" + Self.partialName }
    private var swap: String { directory + "/" + Self.swapName }
    private var database: String { directory + "/" + SQLiteStore.fileName }

    /// What a restoration came to.
    public struct Outcome: Sendable, Hashable {
        /// Where what was there before is kept; `nil` when nothing was there.
        public let former: String?
        /// Sessions of the backup that were ended.
        public let endedSessions: Int64
        /// Accounts of the backup that what was there before did not have: of users who had left since. `nil` when it could not be asked.
        public let returnedAccounts: Int64?
    }

    /// What becomes of the backup's sessions.
    public enum Sessions: Sendable {
        /// All end, and everybody signs in again.
        case endAll
        /// Those go on that what was there before has as well. Without it, all go on, also those that were ended since the backup.
        case keep
    }

    /// Takes possession of a data directory, which is made if it is missing.
    /// - Parameters:
    ///   - replacing: whether a database that is there may be replaced.
    ///   - clock: names the folder of what was there.
    /// - Throws: ``StoreOpeningError``: `locked` while a server uses it, `occupied` when there is a database.
    public init(directory: String, replacing: Bool, clock: any WallClock = SystemWallClock()) throws(StoreOpeningError) {
        try SQLiteStore.makeDirectory(directory)
        let held = try DirectoryLock(directory: directory)
        // One that was interrupted before goes on from its beginning, and what it had put aside stays where it is.
        let isInterrupted = FileManager.default.fileExists(atPath: directory + "/" + Self.swapName)
        let isOccupied = FileManager.default.fileExists(atPath: directory + "/" + SQLiteStore.fileName)
        guard replacing || !isOccupied || isInterrupted else { throw .occupied(path: directory) }
        do {
            try? FileManager.default.removeItem(atPath: directory + "/" + Self.partialName)
            try FileManager.default.createDirectory(
                atPath: directory + "/" + Self.partialName, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreOpeningError.directoryUnusable(path: directory, detail: error.systemWords)
        }
        self.directory = directory
        self.clock = clock
        // The last: a value that is half made cannot give the lock back.
        lock = held
    }

    /// Where a file of the backup is to be written, with the folders that lead there.
    /// - Parameter path: its place in the data directory: the database, or a file below `images/`.
    /// - Throws: `failed` for any other place.
    public func place(for path: String) throws(StoreOpeningError) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isImage = parts.count == 4 && parts[0] == "images" && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }
        guard path == SQLiteStore.fileName || isImage else { throw .failed(path: path, detail: "a backup has no such file") }
        let target = partial + "/" + path
        if isImage {
            do {
                try FileManager.default.createDirectory(
                    atPath: String(target[..<target.lastIndex(of: "/")!]), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw .directoryUnusable(path: partial, detail: error.systemWords)
            }
        }
        return target
    }

    /// Brings the backup's database forward by what was committed after it, up to an instant. To be called when its file is written, and before
    /// ``finish(counts:sessions:)``, which is then given no counts.
    /// - Parameters:
    ///   - archive: the directory of `--wal-archive`.
    ///   - position: where the backup says that the archive goes on.
    ///   - until: `nil` for everything.
    /// - Throws: `failed` when the archive lacks something, or is damaged.
    public func bringForward(archive: String, position: String, until: Timestamp?) throws(StoreOpeningError) -> LogReplay {
        let path = partial + "/" + SQLiteStore.fileName
        guard let position = LogPosition(position) else { throw .failed(path: archive, detail: "the backup's position in it cannot be read") }
        do throws(LogArchiveFailure) {
            return try LogArchiveReplay(directory: archive, database: path).run(from: position, until: until)
        } catch {
            throw .failed(path: path, detail: error.description)
        }
    }

    /// Keeps the pictures that are there and that the backup does not have: the archive has none, and its rows may name them.
    /// - Returns: how many files were kept.
    public func keepPictures() throws(StoreOpeningError) -> Int {
        let files = FileManager.default
        let source = directory + "/images", target = partial + "/images"
        guard files.fileExists(atPath: source) else { return 0 }
        var kept = 0
        do {
            for path in try files.subpathsOfDirectory(atPath: source) {
                let parts = path.split(separator: "/")
                guard parts.count == 3, path.hasSuffix(".webp"), !files.fileExists(atPath: target + "/" + path) else { continue }
                try files.createDirectory(
                    atPath: target + "/" + parts.dropLast().joined(separator: "/"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try files.linkItem(atPath: source + "/" + path, toPath: target + "/" + path)
                kept += 1
            }
        } catch {
            throw .directoryUnusable(path: partial, detail: error.systemWords)
        }
        return kept
    }

    /// Forgets what was written.
    public func abandon() { try? FileManager.default.removeItem(atPath: partial) }

    /// Checks the files, begins the new generation, and puts them in their places.
    /// - Parameters:
    ///   - counts: rows of each table, as the backup says; `nil` where it was brought forward.
    ///   - sessions: what becomes of its sessions.
    /// - Throws: ``StoreOpeningError``: `failed` for a backup whose database is damaged or has other counts, `newerSchema`. The directory is as it was then.
    public func finish(counts: [StoreTableCount]?, sessions: Sessions) throws(StoreOpeningError) -> Outcome {
        let outcome: Outcome
        do {
            let former = try emptyFormerLog()
            outcome = try prepare(counts, sessions, former: former)
        } catch {
            try? FileManager.default.removeItem(atPath: partial)
            throw StoreOpeningError(thrown: error, path: partial + "/" + SQLiteStore.fileName)
        }
        do {
            return try putInPlace(outcome)
        } catch {
            throw .directoryUnusable(path: directory, detail: error.systemWords)
        }
    }

    // MARK: Steps

    /// Brings what the log of the database that is there holds into it. - Returns: whether it can be read.
    private func emptyFormerLog() throws -> Bool {
        guard FileManager.default.fileExists(atPath: database) else { return false }
        let fileLock = try DatabaseLock(database)
        // What cannot be opened is kept as it is, with its log.
        let queue = try? DatabaseQueue(path: database, configuration: ConnectionSettings.writer)
        let isRead = try? queue?.writeWithoutTransaction { database in
            try ConnectionSettings.prepareWriter(database)
            _ = try database.checkpoint(.truncate)
            return try Bool.fetchOne(database, sql: "SELECT count(*) = 3 FROM sqlite_schema WHERE name IN ('session', 'account', 'secret')")
        }
        try? queue?.close()
        _ = consume fileLock
        return isRead ?? false
    }

    private func prepare(_ counts: [StoreTableCount]?, _ sessions: Sessions, former: Bool) throws -> Outcome {
        let path = partial + "/" + SQLiteStore.fileName
        let queue = try DatabaseQueue(path: path, configuration: ConnectionSettings.writer)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction { database in
            guard try Int64.fetchOne(database, sql: "PRAGMA application_id") == ConnectionSettings.applicationID else {
                throw StoreOpeningError.foreignDatabase(path: path)
            }
            guard try !Schema.migrator.hasBeenSuperseded(database) else { throw StoreOpeningError.newerSchema(path: path) }
            let damage = try String.fetchAll(database, sql: "PRAGMA integrity_check(5)")
            guard damage == ["ok"] else { throw StoreOpeningError.failed(path: path, detail: "it is damaged: \(damage.joined(separator: "; "))") }
            if let counts, try DatabaseCopy.counts(database) != counts { throw StoreOpeningError.failed(path: path, detail: "its tables do not have the rows that the backup names") }
            try database.execute(sql: "PRAGMA secure_delete = ON")
            if former { try database.execute(sql: "ATTACH ? AS former", arguments: [self.database]) }
            let outcome = try Self.begin(sessions, former: former, database)
            if former { try database.execute(sql: "DETACH former") }
            return outcome
        }
    }

    /// Begins a new generation. Its key is made at the server's next start.
    private static func begin(_ sessions: Sessions, former: Bool, _ database: Database) throws -> Outcome {
        var ended: Int64 = 0
        var returned: Int64?
        try database.inTransaction(.immediate) {
            try database.execute(sql: "DELETE FROM secret WHERE name = 'page-token-key'")
            switch sessions {
            case .endAll: try database.execute(sql: "DELETE FROM session")
            case .keep where former:
                try database.execute(
                    sql: "DELETE FROM session WHERE token_hash NOT IN (SELECT token_hash FROM former.session)")
            case .keep: break
            }
            ended = Int64(database.changesCount)
            if case .keep = sessions, !former { ended = 0 }
            try database.execute(sql: "DELETE FROM session_token WHERE token_hash NOT IN (SELECT token_hash FROM session)")
            if former {
                returned = try Int64.fetchOne(
                    database,
                    sql: "SELECT count(*) FROM account WHERE user_id NOT IN (SELECT user_id FROM former.account)")
            }
            return .commit
        }
        return Outcome(former: nil, endedSessions: ended, returnedAccounts: returned)
    }

    /// From here on a server that starts is refused until everything is in its place.
    private func putInPlace(_ outcome: Outcome) throws -> Outcome {
        let files = FileManager.default
        try Self.synchronize(partial)
        try? files.removeItem(atPath: swap)
        try files.moveItem(atPath: partial, toPath: swap)
        try Self.synchronize(directory)
        let names = [SQLiteStore.fileName, SQLiteStore.fileName + "-wal", SQLiteStore.fileName + "-shm", "images"]
            .filter { files.fileExists(atPath: directory + "/" + $0) }
        var former: String?
        if !names.isEmpty {
            var folder = directory + "/before-restore-" + String(clock.now().microseconds / 1_000_000)
            // A second one in the same second.
            while files.fileExists(atPath: folder) { folder += "-again" }
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for name in names { try files.moveItem(atPath: directory + "/" + name, toPath: folder + "/" + name) }
            former = folder
        }
        for name in try files.contentsOfDirectory(atPath: swap) {
            try files.moveItem(atPath: swap + "/" + name, toPath: directory + "/" + name)
        }
        try Self.synchronize(directory)
        try files.removeItem(atPath: swap)
        return Outcome(former: former, endedSessions: outcome.endedSessions, returnedAccounts: outcome.returnedAccounts)
    }

    /// Waits until everything in the file system of a folder is on the disk.
    private static func synchronize(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        guard syncfs(descriptor) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }
}

extension Error {
    /// The system's words for an error of the file system.
    fileprivate var systemWords: String {
        let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? self as NSError
        return underlying.domain == NSPOSIXErrorDomain ? String(cString: strerror(CInt(underlying.code))) : "\(self)"
    }
}
