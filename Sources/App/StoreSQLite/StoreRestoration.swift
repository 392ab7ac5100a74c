#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Foundation
import GRDB
import PulseBoardDomain
import PulseBoardVocabulary

/// Restores a backup into a data directory that no server uses.
///
/// The backup's files are first written into a separate folder. When they are complete and checked, they replace the present files, which are kept in
/// another folder. A restored store begins a new **generation**: earlier page tokens, resume tokens and diary positions are refused, because what
/// they refer to may be gone. Watchers begin again from the present state.
///
/// Use it with the rights of the directory's owner, whose server has to open the files.
public final class StoreRestoration {
    /// The folder for files that are not checked yet.
    static let partialName = "restore.partial"
    /// The name of the folder while its files are moved. A server that finds it does not start.
    public static let swapName = "restore.swap"

    /// Whether a restoration into a directory was interrupted while it moved files. Then the files there are of two states.
    public static func isInterrupted(in directory: String) -> Bool { access(directory + "/" + swapName, F_OK) == 0 }

    let directory: String
    /// The directory of pictures, if it is not `images` in the data directory, or if that is a mount point, which cannot be moved.
    let picturesElsewhere: String?
    private let lock: DirectoryLock
    let clock: any WallClock
    var partial: String { directory + "/" + Self.partialName }
    var swap: String { directory + "/" + Self.swapName }
    var database: String { directory + "/" + SQLiteStore.fileName }
    /// Called before each step of the move. A test that throws here leaves the files as a killed process would.
    var willStep: () throws -> Void = {}

    /// The result of a restoration.
    public struct Outcome: Sendable, Hashable {
        /// The folder of the former files; `nil` if there were none.
        public let former: String?
        /// Whether there was a former database that could not be read. Then all sessions were ended, and ID tokens that were used since the backup
        /// can be used again until they expire.
        public let isFormerUnreadable: Bool
        /// How many sessions of the backup were ended.
        public let endedSessions: Int64
        /// What users had given up since the backup, and have again. `nil` if there was no former database that can be read.
        public let returned: Returned?
    }

    /// How much the backup has that the former database had not: what users have to give up again.
    public struct Returned: Sendable, Hashable {
        /// Accounts of users who had left.
        public let accounts: Int64
        /// Users who had asked to leave.
        public let leaving: Int64
        /// Profiles that were deleted, of users who are still there.
        public let profiles: Int64
        /// Identities that were unlinked, of users who are still there. They sign in again.
        public let identities: Int64

        public init(accounts: Int64 = 0, leaving: Int64 = 0, profiles: Int64 = 0, identities: Int64 = 0) {
            self.accounts = accounts
            self.leaving = leaving
            self.profiles = profiles
            self.identities = identities
        }
    }

    /// How long after a restoration a user who had asked to leave can change their mind, at least. The backup does not know who has done so
    /// since, and a purge is for good.
    static let timeToStay = Timestamp.Interval.days(7)

    /// What to do with the backup's sessions.
    public enum Sessions: Sendable {
        /// End all, so that everybody has to sign in again.
        case endAll
        /// Keep those that the former database has too. Without a former database, keep all, even those that were ended since the backup. If there is
        /// a former database that cannot be read, end all: nobody knows which of them had ended.
        case keep
    }

    /// Locks a data directory. Creates it if it is missing.
    /// - Parameters:
    ///   - imageDirectory: where the server keeps pictures. The backup's pictures are added there, and those that are there stay. Default: `images`
    ///     in the data directory, which is replaced like the database.
    ///   - replacing: whether an existing database may be replaced.
    ///   - clock: the time of day, for the name of the folder of former files.
    /// - Throws: ``StoreOpeningError``: `locked` while a server uses the directory, `occupied` if there is a database that must not be replaced.
    public init(
        directory: String, imageDirectory: String? = nil, replacing: Bool, clock: any WallClock = SystemWallClock()
    ) throws(StoreOpeningError) {
        try SQLiteStore.makeDirectory(directory)
        let held = try DirectoryLock(directory: directory)
        // An interrupted restoration starts over. It was permitted to replace the database.
        let isInterrupted = Self.isInterrupted(in: directory)
        // A link that leads nowhere counts too, because its target may come back. So does a log with writes.
        let path = directory + "/" + SQLiteStore.fileName
        let isOccupied = Self.isThere(path) || Self.byteCount(path + "-wal") > 0
        guard replacing || !isOccupied || isInterrupted else { throw .occupied(path: directory) }
        self.directory = directory
        self.clock = clock
        let pictures = imageDirectory ?? directory + "/images"
        let isOrdinary =
            Self.resolved(pictures) == Self.resolved(directory) + "/images" && !Self.isLink(Self.resolved(pictures)) && !Self.isMountPoint(pictures)
        picturesElsewhere = isOrdinary ? nil : pictures
        // This must be the last property: a partly initialised value cannot release the lock.
        lock = held
        do {
            if isInterrupted { try settleMove() }
            try? FileManager.default.removeItem(atPath: partial)
            try FileManager.default.createDirectory(atPath: partial, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreOpeningError.directoryUnusable(path: directory, detail: error.causeForPeople)
        }
    }

    /// Checks that a path is that of the database or of a picture.
    /// - Throws: `failed`.
    public static func requireFile(of path: String) throws(StoreOpeningError) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isImage = parts.count == 4 && parts[0] == "images" && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }
        guard path == SQLiteStore.fileName || isImage else {
            throw .failed(path: path, detail: Phrase("a backup has no such file", "백업에 있을 수 없는 파일입니다"))
        }
    }

    /// Returns where to write a file of the backup, and creates its folders.
    /// - Parameter path: its path in the data directory: the database, or a file below `images/`.
    /// - Throws: `failed` for any other path.
    public func place(for path: String) throws(StoreOpeningError) -> String {
        try Self.requireFile(of: path)
        let target = partial + "/" + path
        if path != SQLiteStore.fileName {
            do {
                try FileManager.default.createDirectory(
                    atPath: String(target[..<target.lastIndex(of: "/")!]), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw .directoryUnusable(path: partial, detail: error.causeForPeople)
            }
        }
        return target
    }

    /// Brings the backup's database forward by later commits. Call it after its file is written and before
    /// ``finish(counts:sessions:)``, and pass no counts there.
    /// - Parameters:
    ///   - archive: the directory of `--wal-archive`.
    ///   - position: the archive's position as the backup has it.
    /// - Throws: `failed` if the archive is incomplete before `end`, or damaged.
    public func bringForward(archive: String, position: String, to end: LogReplayEnd) throws(StoreOpeningError) -> LogReplay {
        let path = partial + "/" + SQLiteStore.fileName
        guard let position = LogPosition(position) else {
            throw .failed(path: archive, detail: Phrase("the backup's position in it cannot be read", "백업에 적힌 위치를 읽을 수 없습니다"))
        }
        do throws(LogArchiveFailure) {
            return try LogArchiveReplay(directory: archive, database: path).run(from: position, to: end)
        } catch {
            throw .failed(path: path, detail: error.phrase)
        }
    }

    /// Keeps existing pictures that the backup does not have, because the archive contains no pictures and its rows may name them.
    /// - Returns: how many files were kept.
    public func keepPictures() throws(StoreOpeningError) -> Int {
        guard picturesElsewhere == nil else { return 0 }
        do {
            return try Self.addPictures(of: directory + "/images", to: partial + "/images") {
                try FileManager.default.linkItem(atPath: $0, toPath: $1)
            }
        } catch {
            throw .directoryUnusable(path: partial, detail: error.causeForPeople)
        }
    }

    /// Puts the pictures of a directory that another one lacks into that one. A picture's name is never used again, so no file is replaced.
    /// - Parameter put: makes the second path a file with the contents of the first.
    /// - Returns: how many files were added.
    private static func addPictures(of source: String, to target: String, _ put: (String, String) throws -> Void) throws -> Int {
        let files = FileManager.default
        guard files.fileExists(atPath: source) else { return 0 }
        var added = 0
        for path in try files.subpathsOfDirectory(atPath: source) {
            let parts = path.split(separator: "/")
            guard parts.count == 3, path.hasSuffix(".webp"), !files.fileExists(atPath: target + "/" + path) else { continue }
            try files.createDirectory(
                atPath: target + "/" + parts.dropLast().joined(separator: "/"), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try put(source + "/" + path, target + "/" + path)
            added += 1
        }
        return added
    }

    /// Copies the backup's pictures into the directory of pictures, if that is elsewhere. If the restoration then fails, they are only files
    /// without a row.
    private func placePicturesElsewhere() throws(StoreOpeningError) {
        guard let target = picturesElsewhere else { return }
        let files = FileManager.default
        do {
            _ = try Self.addPictures(of: partial + "/images", to: target) { source, target in
                // A crash must not leave a part of a picture under its name.
                let unfinished = target + ".restored"
                try? files.removeItem(atPath: unfinished)
                try files.copyItem(atPath: source, toPath: unfinished)
                try files.moveItem(atPath: unfinished, toPath: target)
            }
            if files.fileExists(atPath: target) { try Self.synchronize(target) }
            if files.fileExists(atPath: partial + "/images") { try files.removeItem(atPath: partial + "/images") }
        } catch {
            throw .directoryUnusable(path: target, detail: error.causeForPeople)
        }
    }

    /// The path without links, also of a file that does not exist in a directory that does.
    private static func resolved(_ path: String) -> String {
        let url = URL(filePath: path)
        guard let real = realpath(url.deletingLastPathComponent().path, nil) else { return url.path }
        defer { free(real) }
        return String(cString: real) + "/" + url.lastPathComponent
    }

    private static func isLink(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether another file system, or another directory, is mounted at a path (proc_pid_mountinfo(5)).
    private static func isMountPoint(_ path: String) -> Bool {
        guard let real = realpath(path, nil), let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8) else { return false }
        defer { free(real) }
        // Spaces, tabs, line ends and backslashes are written as octal numbers.
        let name = [("\\", "\\134"), (" ", "\\040"), ("\t", "\\011"), ("\n", "\\012")].reduce(String(cString: real)) {
            $0.replacingOccurrences(of: $1.0, with: $1.1)
        }
        return mounts.split(separator: "\n").contains { $0.split(separator: " ").dropFirst(4).first == name[...] }
    }

    /// Removes what was written.
    public func abandon() { try? FileManager.default.removeItem(atPath: partial) }

    /// Checks the files, begins the new generation, and moves the files to their places.
    /// - Parameters:
    ///   - counts: the number of rows of each table according to the backup; `nil` if it was brought forward.
    ///   - sessions: what to do with the backup's sessions.
    /// - Throws: ``StoreOpeningError``: `failed` if the backup's database is damaged or has other counts; `newerSchema`. Then the directory is
    ///   unchanged.
    public func finish(counts: [StoreTableCount]?, sessions: Sessions) throws(StoreOpeningError) -> Outcome {
        let outcome: Outcome
        do {
            // First, because a server may still need the former log as it is.
            try withBackup { try requireSound($0, counts) }
            outcome = try prepare(sessions, try emptyFormerLog())
        } catch {
            try? FileManager.default.removeItem(atPath: partial)
            throw StoreOpeningError(thrown: error, path: partial + "/" + SQLiteStore.fileName)
        }
        do {
            try placePicturesElsewhere()
        } catch {
            abandon()
            throw error
        }
        do {
            return try putInPlace(outcome)
        } catch {
            throw .directoryUnusable(path: directory, detail: error.causeForPeople)
        }
    }

    // MARK: Steps

    /// What the database that is replaced can tell.
    private enum FormerDatabase {
        /// There is none with sessions: no file, another program's database, or one of the first versions.
        case absent
        case readable, unreadable
    }

    /// Copies the log of the former database into it.
    private func emptyFormerLog() throws -> FormerDatabase {
        guard Self.isThere(database) else { return .absent }
        do {
            try ForeignDatabases.refuse(database)
        } catch {
            // Another program's database is put aside as it is.
            if case .foreignDatabase? = error as? StoreOpeningError { return .absent }
            return .unreadable
        }
        let fileLock = try DatabaseLock(database)
        defer { withExtendedLifetime(fileLock) {} }
        do {
            let queue = try DatabaseQueue(path: database, configuration: ConnectionSettings.writer)
            defer { try? queue.close() }
            let hasSessions = try queue.writeWithoutTransaction { database in
                try ConnectionSettings.prepareWriter(database)
                _ = try database.checkpoint(.truncate)
                return try Bool.fetchOne(database, sql: "SELECT count(*) = 3 FROM sqlite_schema WHERE name IN ('session', 'account', 'secret')")
            }
            return hasSessions == true ? .readable : .absent
        } catch let error as DatabaseError where Self.isDamage(error) {
            // It is kept as it is, with its log.
            return .unreadable
        } catch {
            // A program that reads it, or a full disk, says nothing about it.
            throw StoreOpeningError(thrown: error, path: database)
        }
    }

    /// Whether an error shows that a database cannot be read, now and later.
    private static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_ERROR].contains(error.resultCode)
    }

    private func prepare(_ sessions: Sessions, _ former: FormerDatabase) throws -> Outcome {
        guard former == .readable else { return try withBackup { try Self.begin(sessions, former, $0) } }
        do {
            return try withBackup { database in
                try database.execute(sql: "ATTACH ? AS former", arguments: [self.database])
                return try Self.begin(sessions, .readable, database)
            }
        } catch let error as DatabaseError where Self.isDamage(error) {
            // A page of the former database may be damaged. That does not show before the page is read, and is no fault of the backup. The
            // transaction was rolled back.
            return try withBackup { try Self.begin(sessions, .unreadable, $0) }
        }
    }

    /// Opens the backup's database, and closes it afterwards.
    private func withBackup<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let queue = try DatabaseQueue(path: partial + "/" + SQLiteStore.fileName, configuration: ConnectionSettings.writer)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction(body)
    }

    /// Checks the backup's database.
    private func requireSound(_ database: Database, _ counts: [StoreTableCount]?) throws {
        let path = partial + "/" + SQLiteStore.fileName
        guard try Int64.fetchOne(database, sql: "PRAGMA application_id") == ConnectionSettings.applicationID else {
            throw StoreOpeningError.foreignDatabase(path: path)
        }
        guard try !SQLiteSchema.migrator.hasBeenSuperseded(database) else { throw StoreOpeningError.newerSchema(path: path) }
        let damage = try String.fetchAll(database, sql: "PRAGMA integrity_check(5)")
        guard damage == ["ok"] else {
            let words = damage.joined(separator: "; ")
            throw StoreOpeningError.failed(path: path, detail: Phrase("it is damaged: \(words)", "손상되었습니다: \(words)"))
        }
        if let counts, try DatabaseCopy.counts(database) != counts {
            throw StoreOpeningError.failed(
                path: path, detail: Phrase("its tables do not have the rows that the backup names", "테이블의 행 수가 백업에 적힌 것과 다릅니다"))
        }
    }

    /// Begins a new generation. The next start of the server makes its key.
    private static func begin(_ sessions: Sessions, _ former: FormerDatabase, _ database: Database) throws -> Outcome {
        var ended: Int64 = 0
        var returned: Returned?
        try database.execute(sql: "PRAGMA secure_delete = ON")
        try database.inTransaction(.immediate) {
            try database.execute(sql: "DELETE FROM secret WHERE name = 'page-token-key'")
            switch (sessions, former) {
            case (.endAll, _), (.keep, .unreadable):
                try database.execute(sql: "DELETE FROM main.session")
                ended = Int64(database.changesCount)
            case (.keep, .readable):
                try database.execute(sql: "DELETE FROM main.session WHERE token_hash NOT IN (SELECT token_hash FROM former.session)")
                ended = Int64(database.changesCount)
            case (.keep, .absent): break
            }
            try database.execute(sql: "DELETE FROM session_token WHERE token_hash NOT IN (SELECT token_hash FROM session)")
            if former == .readable {
                try keepUsedTokens(database)
                returned = Self.returned(database)
            }
            if try database.tableExists("pending_withdrawal", in: "main") {
                let now = SystemWallClock().now()
                try database.execute(
                    sql: "UPDATE main.pending_withdrawal SET purge_time = max(purge_time, ?)", arguments: [now.advanced(by: timeToStay).microseconds])
            }
            return .commit
        }
        return Outcome(former: nil, isFormerUnreadable: former == .unreadable, endedSessions: ended, returned: returned)
    }

    private static func returned(_ database: Database) -> Returned {
        // An earlier version does not have all of these tables. Then nobody can have done this.
        func count(_ sql: String) -> Int64 { (try? Int64.fetchOne(database, sql: "SELECT count(*) FROM \(sql)")) ?? 0 }
        return Returned(
            accounts: count("main.account WHERE user_id NOT IN (SELECT user_id FROM former.account)"),
            leaving: count(
                """
                former.pending_withdrawal WHERE user_id NOT IN (SELECT user_id FROM main.pending_withdrawal)
                AND user_id IN (SELECT user_id FROM main.account)
                """),
            profiles: count(
                """
                main.profile WHERE user_id NOT IN (SELECT user_id FROM former.profile) AND user_id IN (SELECT user_id FROM former.account)
                AND user_id NOT IN (SELECT user_id FROM former.pending_withdrawal)
                """),
            identities: count(
                """
                main.account AS a WHERE user_id IN (SELECT user_id FROM former.account)
                AND NOT EXISTS (SELECT 1 FROM former.account AS f WHERE f.issuer = a.issuer AND f.subject = a.subject AND f.user_id = a.user_id)
                """))
    }

    /// Adds the former database's used ID tokens and nonces, so that none can be used again. An earlier version has no such tables.
    private static func keepUsedTokens(_ database: Database) throws {
        for (table, columns) in [
            ("used_id_token", "token_hash, request_id, session_id, expire_time"), ("used_nonce", "nonce_hash, token_hash, expire_time"),
        ] {
            let tables = try Int.fetchOne(
                database,
                sql: "SELECT (SELECT count(*) FROM main.sqlite_schema WHERE name = ?1) + (SELECT count(*) FROM former.sqlite_schema WHERE name = ?1)",
                arguments: [table])
            guard tables == 2 else { continue }
            try database.execute(sql: "INSERT OR IGNORE INTO main.\(table) (\(columns)) SELECT \(columns) FROM former.\(table)")
        }
    }
}
