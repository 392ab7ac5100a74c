import Foundation
import GRDB
import PulseBoardDomain
import PulseBoardVocabulary
import StoreSQL

/// The result of a check of a data directory.
public struct StoreReport: Sendable, Hashable {
    /// The database file.
    public let path: String
    /// The newest migration of the database.
    public let schema: String
    /// The number of rows of each table; without those whose damage makes counting impossible.
    public let counts: [StoreTableCount]
    /// SQLite's report about damaged pages and indexes, line by line; empty if there are none. If it is not empty, ``findings`` may be incomplete.
    public let damage: [String]
    /// The rules that rows or files break.
    public let findings: [StoreFinding]

    /// Whether nothing is wrong.
    public var isSound: Bool { damage.isEmpty && findings.isEmpty }

    /// Whether a repair can do anything: every damage is one of an index, which is made again from its table.
    public var isRepairable: Bool { damage.allSatisfy { $0.contains("index") } }

    /// Whether nothing is wrong but that files of pictures are missing. A repair leaves this as it is while the whole directory of pictures is empty.
    public var lacksOnlyPictures: Bool { damage.isEmpty && findings.map(\.rule) == [StoreImageFiles.missingRule] }

    /// What a repair has mended.
    /// - Parameter after: the report after it.
    public func mended(_ after: StoreReport) -> StoreReport {
        let left = Dictionary(uniqueKeysWithValues: after.findings.map { ($0.rule, $0.count) })
        return StoreReport(
            path: path, schema: schema, counts: counts, damage: damage.filter { !after.damage.contains($0) },
            findings: findings.compactMap { finding in
                let mended = finding.count - (left[finding.rule] ?? 0)
                guard mended > 0 else { return nil }
                return StoreFinding(
                    rule: finding.rule, about: finding.about, remedy: finding.remedy, count: mended, examples: finding.examples)
            })
    }
}

/// A broken rule, and how often it is broken.
public struct StoreFinding: Sendable, Hashable {
    /// The rule's name.
    public let rule: String
    /// What is wrong.
    public let about: Phrase
    /// What a repair does about it.
    public let remedy: Phrase
    /// How many rows or files break the rule.
    public let count: Int64
    /// Some of them.
    public let examples: [String]
}

/// Checks a data directory: pages, indexes, rows that must agree, and picture files.
///
/// It only reads, with a connection that neither writes nor checkpoints, so a server may use the directory meanwhile. The rows are of one instant.
/// The files are checked afterwards, and changes made meanwhile are not reported.
public struct StoreCheck: Sendable {
    static let mostExamples = 5
    private static let mostComplaints = 20

    fileprivate let directory: String
    fileprivate let imageDirectory: String
    fileprivate var path: String { directory + "/" + SQLiteStore.fileName }

    /// - Parameters:
    ///   - directory: a data directory.
    ///   - imageDirectory: the directory of pictures; `nil` for `images` in the data directory.
    public init(directory: String, imageDirectory: String? = nil) {
        self.directory = directory
        self.imageDirectory = imageDirectory ?? directory + "/images"
    }

    /// Runs the check. It takes about as long as reading the database twice.
    /// - Throws: ``StoreOpeningError`` for a directory without a database, another program's database, or one of another version.
    public func run() throws(StoreOpeningError) -> StoreReport {
        // A repair would remove what the restoration still has to move.
        guard !StoreRestoration.isInterrupted(in: directory) else { throw StoreOpeningError.restoreInterrupted(path: directory) }
        do {
            guard let type = (try? FileManager.default.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath))?[.type] else {
                throw StoreOpeningError.directoryUnusable(path: directory, detail: .noDatabase)
            }
            // A pipe would block.
            guard type as? FileAttributeType == .typeRegular else {
                throw StoreOpeningError.failed(path: path, detail: Phrase("it is not a regular file", "일반 파일이 아닙니다"))
            }
            let database = try DatabaseQueue(path: path, configuration: ConnectionSettings.reader)
            defer { try? database.close() }
            let report = try Self.look(database, path: path)
            let files = try database.inDatabase { try StoreImageFiles(imageDirectory).findings($0) }
            return StoreReport(
                path: report.path, schema: report.schema, counts: report.counts, damage: report.damage, findings: report.findings + files)
        } catch {
            throw StoreOpeningError(thrown: error, path: path)
        }
    }

    /// The rules fit the tables of one version only.
    static func requireThisVersion(_ database: Database, _ path: String) throws {
        guard try Int64.fetchOne(database, sql: "PRAGMA application_id") == ConnectionSettings.applicationID else {
            throw StoreOpeningError.foreignDatabase(path: path)
        }
        let migrator = SQLiteSchema.migrator
        guard try !migrator.hasBeenSuperseded(database) else { throw StoreOpeningError.newerSchema(path: path) }
        guard try migrator.hasCompletedMigrations(database) else {
            throw StoreOpeningError.failed(path: path, detail: .earlierVersion)
        }
    }

    private static func look(_ queue: DatabaseQueue, path: String) throws -> StoreReport {
        var report: StoreReport?
        do {
            try queue.read { database in
                try requireThisVersion(database, path)
                report = try look(database, path: path)
            }
        } catch {
            // A reading transaction that has met a damaged page cannot be committed.
            guard let report, !report.damage.isEmpty else { throw error }
        }
        guard let report else { throw StoreOpeningError.failed(path: path, detail: .noDatabase) }
        return report
    }

    static func look(_ database: Database, path: String) throws -> StoreReport {
        let damage = try damage(database)
        guard !damage.isEmpty else {
            return StoreReport(
                path: path, schema: try DatabaseCopy.schema(database), counts: try DatabaseCopy.counts(database), damage: [],
                findings: try StoreRule.all.compactMap { try finding($0, database) })
        }
        // The damage is what matters. Tables and rules that need damaged pages are left out.
        return StoreReport(
            path: path, schema: try DatabaseCopy.schema(database),
            counts: try DatabaseCopy.tables(database).compactMap { try? DatabaseCopy.count($0, database) }, damage: damage,
            findings: StoreRule.all.compactMap { try? finding($0, database) })
    }

    /// SQLite's complaints about pages and indexes; empty if there are none.
    /// - Parameter subject: a table, or the largest number of complaints.
    fileprivate static func complaints(_ database: Database, _ subject: String) throws -> [String] {
        let lines = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(subject))")
        return lines == ["ok"] ? [] : lines
    }

    /// The complaints about all tables.
    private static func damage(_ database: Database) throws -> [String] {
        do { return try complaints(database, "\(mostComplaints)") } catch {
            // The first page of a table or index is damaged, and the whole check fails.
            let found = try DatabaseCopy.tables(database).flatMap { table -> [String] in
                do { return try complaints(database, "'\(table)'") } catch let error as DatabaseError {
                    return ["table \(table): \(error.message ?? "it cannot be read")"]
                }
            }
            guard !found.isEmpty else { throw error }
            return Array(found.prefix(mostComplaints))
        }
    }

    private static func finding(_ rule: StoreRule, _ database: Database) throws -> StoreFinding? {
        let rows = try String.fetchCursor(
            database, sql: "SELECT CAST(breach AS TEXT) FROM (WITH found(breach) AS (\(rule.breaches)) SELECT breach FROM found)")
        var count: Int64 = 0
        var examples: [String] = []
        while let row = try rows.next() {
            count += 1
            if examples.count < mostExamples { examples.append(row) }
        }
        return count == 0 ? nil : StoreFinding(rule: rule.name, about: rule.about, remedy: rule.remedy, count: count, examples: examples)
    }
}

/// Repairs what ``StoreCheck`` finds, in a data directory that no server uses.
public struct StoreRepair: Sendable {
    private let check: StoreCheck

    /// - Parameter check: the check of the same directory.
    public init(of check: StoreCheck) { self.check = check }

    /// Repairs in one transaction, or changes nothing. Surplus files are removed after it.
    ///
    /// If the directory of pictures is missing or empty, profiles keep theirs: the files are probably at another place, such as a disk that is not
    /// mounted, and not lost.
    ///
    /// Damaged indexes are rebuilt. If other pages are damaged, nothing is repaired, because their contents are unknown.
    /// - Returns: the reports before and after.
    /// - Throws: ``StoreOpeningError``: `locked` while a server uses the directory, and as ``StoreCheck/run()``.
    public func run() throws(StoreOpeningError) -> (before: StoreReport, after: StoreReport) {
        let before = try check.run()
        guard !before.isSound else { return (before, before) }
        let lock = try DirectoryLock(directory: check.directory)
        let databaseLock = try DatabaseLock(check.path)
        do {
            let database = try DatabaseQueue(path: check.path, configuration: ConnectionSettings.writer)
            defer { try? database.close() }
            try database.writeWithoutTransaction { database in
                try ConnectionSettings.prepareWriter(database)
                try StoreCheck.requireThisVersion(database, check.path)
                guard before.isRepairable, try Self.mendIndexes(database, before.damage) else { return }
                let files = StoreImageFiles(check.imageDirectory)
                let surplus = try files.surplus(database)
                try database.inTransaction(.immediate) {
                    for rule in StoreRule.all { for sql in rule.repairs { try database.execute(sql: sql) } }
                    // Counts are repaired after everything that they count.
                    for rule in StoreRule.all where rule.name == "counts" { for sql in rule.repairs { try database.execute(sql: sql) } }
                    if files.areReachable { for image in try files.incomplete(database) { try files.forget(image, database) } }
                    return .commit
                }
                try files.remove(surplus)
            }
        } catch {
            throw StoreOpeningError(thrown: error, path: check.path)
        }
        _ = consume databaseLock
        _ = consume lock
        return (before, try check.run())
    }

    /// - Returns: whether every page can be read, so that rows can be repaired.
    private static func mendIndexes(_ database: Database, _ damage: [String]) throws -> Bool {
        guard !damage.isEmpty else { return true }
        try database.execute(sql: "REINDEX")
        return try StoreCheck.complaints(database, "1").isEmpty
    }
}

/// Compares the files of pictures with the rows that name them.
struct StoreImageFiles {
    private let folder: String

    static let missingRule = "image-files-missing"

    init(_ directory: String) { folder = directory }

    /// Whether the directory is there and has anything in it.
    var areReachable: Bool { (try? FileManager.default.contentsOfDirectory(atPath: folder).isEmpty) == false }

    /// Those of users who are leaving are left out: nobody sees them, and the stored profile of such a user names its picture. If the user comes
    /// back, the next check finds what is missing.
    private static let keptImages = """
        SELECT owner, image_id FROM image WHERE state IN (\(ImageState.staged.rawValue), \(ImageState.attached.rawValue))
            AND owner NOT IN (SELECT user_id FROM pending_withdrawal)
        """

    func findings(_ database: Database) throws -> [StoreFinding] {
        let incomplete = try incomplete(database)
        let surplus = try surplus(database)
        return [
            Self.finding(
                Self.missingRule, Phrase("pictures whose files are not there", "파일이 없는 사진"),
                Phrase("the profile shows none", "사진 없음으로 변경"), incomplete.map { $0.path(.small) }),
            Self.finding(
                "image-files-unknown", Phrase("files of pictures that nothing names", "아무 데서도 쓰지 않는 사진 파일"), Phrase("removed", "삭제"), surplus),
        ].compactMap(\.self)
    }

    private static func finding(_ rule: String, _ about: Phrase, _ remedy: Phrase, _ found: [String]) -> StoreFinding? {
        found.isEmpty
            ? nil
            : StoreFinding(
                rule: rule, about: about, remedy: remedy, count: Int64(found.count), examples: Array(found.prefix(StoreCheck.mostExamples)))
    }

    /// Pictures with a missing file. Each is looked up again, because a server may have removed it meanwhile.
    func incomplete(_ database: Database) throws -> [OwnedImage] {
        var lacking: [OwnedImage] = []
        let rows = try Row.fetchCursor(database, sql: Self.keptImages)
        while let row = try rows.next() {
            guard let image = OwnedImage(row) else { continue }
            if !ImageSize.allCases.allSatisfy({ isThere(image.path($0)) }) { lacking.append(image) }
        }
        return try lacking.filter { image in
            try Row.fetchOne(
                database, sql: Self.keptImages + " AND owner = ? AND image_id = ?",
                arguments: [Data(image.owner.bits.bytes), Data(image.id.bits.bytes)]) != nil
        }
    }

    /// Pictures' files without a row, by their paths in the folder. A row is written before its files and removed after them. Other files are not the
    /// server's, so they do not count.
    func surplus(_ database: Database) throws -> [String] {
        guard let files = FileManager.default.enumerator(atPath: folder) else { return [] }
        let known = try database.makeStatement(sql: "SELECT 1 FROM image WHERE owner = ? AND image_id = ?")
        var found: [String] = []
        while let path = files.nextObject() as? String {
            guard files.fileAttributes?[.type] as? FileAttributeType == .typeRegular else { continue }
            guard let image = Self.image(path), ImageSize.allCases.contains(where: { image.path($0) == path }) else { continue }
            let arguments: StatementArguments = [Data(image.owner.bits.bytes), Data(image.id.bits.bytes)]
            if try Row.fetchOne(known, arguments: arguments) != nil { continue }
            // A server may have removed it since.
            if isThere(path) { found.append(path) }
        }
        return found.sorted()
    }

    /// Removes a picture with missing files from its profile.
    func forget(_ image: OwnedImage, _ database: Database) throws {
        let arguments: StatementArguments = [Data(image.owner.bits.bytes), Data(image.id.bits.bytes)]
        try database.execute(sql: "UPDATE profile SET image_id = NULL WHERE user_id = ? AND image_id = ?", arguments: arguments)
        try database.execute(
            sql: "UPDATE image SET state = \(ImageState.discarded.rawValue), expire_time = 0 WHERE owner = ? AND image_id = ?", arguments: arguments)
    }

    func remove(_ paths: [String]) throws {
        for path in paths { try FileManager.default.removeItem(atPath: folder + "/" + path) }
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + path) }

    /// The picture of a path such as `3d/OWNER/IMAGE-96.webp`.
    private static func image(_ path: String) -> OwnedImage? {
        let parts = path.split(separator: "/")
        guard parts.count == 3, parts[2].count > 36, let owner = UserID(text: String(parts[1])), let id = ImageID(text: String(parts[2].prefix(36)))
        else {
            return nil
        }
        return OwnedImage(owner: owner, id: id)
    }
}

extension OwnedImage {
    /// Reads the columns `owner` and `image_id`; `nil` if they are not ids.
    init?(_ row: Row) {
        guard let owner = (row[0] as Data?).flatMap({ UUIDBits(bytes: [UInt8]($0)) }),
            let id = (row[1] as Data?).flatMap({ UUIDBits(bytes: [UInt8]($0)) })
        else { return nil }
        self.init(owner: UserID(bits: owner), id: ImageID(bits: id))
    }
}

extension Phrase {
    /// A directory without a database.
    package static let noDatabase = Phrase("there is no \(SQLiteStore.fileName) in it", "\(SQLiteStore.fileName)이(가) 없습니다")

    /// A database of an earlier version, where this version's is needed.
    static let earlierVersion = Phrase(
        "it is of an earlier version; start the server once, which brings it to this one", "이전 버전의 데이터베이스입니다. 서버를 한 번 시작하면 이 버전으로 바뀝니다")
}
