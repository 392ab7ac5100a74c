import Foundation
import GRDB
import PulseBoardDomain
import PulseBoardVocabulary
import StoreSQL

/// What a check of a data directory has found.
public struct StoreReport: Sendable, Hashable {
    /// The database file.
    public let path: String
    /// The newest migration of the database.
    public let schema: String
    /// Rows of each table.
    public let counts: [StoreTableCount]
    /// SQLite's lines about damaged pages and indexes; empty when it finds none.
    public let damage: [String]
    /// The rules that rows and files break.
    public let findings: [StoreFinding]

    /// Whether nothing is wrong.
    public var isSound: Bool { damage.isEmpty && findings.isEmpty }
}

/// One rule that is broken, and how often.
public struct StoreFinding: Sendable, Hashable {
    /// The rule's name.
    public let rule: String
    /// What is wrong.
    public let about: Phrase
    /// What a repair does about it.
    public let remedy: Phrase
    /// Rows or files that break the rule.
    public let count: Int64
    /// Some of them.
    public let examples: [String]
}

/// Checks a data directory: pages, indexes, rows that must agree, and the files of pictures.
///
/// It only reads, through a connection that neither writes nor checkpoints. So a server may be at work on the directory. The rows are of one instant.
/// The files are looked at afterwards, and what has changed meanwhile is no finding.
public struct StoreCheck: Sendable {
    static let mostExamples = 5
    private static let mostComplaints = 20

    private let directory: String
    private let imageDirectory: String
    private var path: String { directory + "/" + SQLiteStore.fileName }

    /// - Parameters:
    ///   - directory: a data directory.
    ///   - imageDirectory: where the pictures are; `nil` for `images` in the data directory.
    public init(directory: String, imageDirectory: String? = nil) {
        self.directory = directory
        self.imageDirectory = imageDirectory ?? directory + "/images"
    }

    /// Reads everything. It takes about as long as reading the database twice.
    /// - Throws: ``StoreOpeningError`` for a directory without a database, another program's database, or one of another version.
    public func run() throws(StoreOpeningError) -> StoreReport {
        do {
            guard FileManager.default.fileExists(atPath: path) else { throw StoreOpeningError.directoryUnusable(path: directory, detail: "there is no \(SQLiteStore.fileName)") }
            let database = try DatabaseQueue(path: path, configuration: ConnectionSettings.reader)
            defer { try? database.close() }
            let report = try database.read { database in
                try Self.requireThisVersion(database, path)
                return try Self.look(database, path: path)
            }
            let files = try database.inDatabase { try StoreImageFiles(imageDirectory).findings($0) }
            return StoreReport(
                path: report.path, schema: report.schema, counts: report.counts, damage: report.damage, findings: report.findings + files)
        } catch {
            throw StoreOpeningError(thrown: error, path: path)
        }
    }

    /// Rules are about the tables of one version.
    static func requireThisVersion(_ database: Database, _ path: String) throws {
        guard try Int64.fetchOne(database, sql: "PRAGMA application_id") == ConnectionSettings.applicationID else {
            throw StoreOpeningError.foreignDatabase(path: path)
        }
        let migrator = Schema.migrator
        guard try !migrator.hasBeenSuperseded(database) else { throw StoreOpeningError.newerSchema(path: path) }
        guard try migrator.hasCompletedMigrations(database) else {
            throw StoreOpeningError.failed(path: path, detail: "it is of an earlier version; start the server once, which brings it to this one")
        }
    }

    static func look(_ database: Database, path: String) throws -> StoreReport {
        let damage = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(mostComplaints))")
        return StoreReport(
            path: path, schema: try DatabaseCopy.schema(database), counts: try DatabaseCopy.counts(database),
            damage: damage == ["ok"] ? [] : damage, findings: try StoreRule.all.compactMap { try finding($0, database) })
    }

    private static func finding(_ rule: StoreRule, _ database: Database) throws -> StoreFinding? {
        let rows = try String.fetchCursor(database, sql: "SELECT CAST(breach AS TEXT) FROM (WITH found(breach) AS (\(rule.breaches)) SELECT breach FROM found)")
        var count: Int64 = 0
        var examples: [String] = []
        while let row = try rows.next() {
            count += 1
            if examples.count < mostExamples { examples.append(row) }
        }
        return count == 0 ? nil : StoreFinding(rule: rule.name, about: rule.about, remedy: rule.remedy, count: count, examples: examples)
    }
}

/// Mends what ``StoreCheck`` finds, in a data directory that no server uses.
public struct StoreRepair: Sendable {
    private let directory: String
    private let imageDirectory: String
    private var path: String { directory + "/" + SQLiteStore.fileName }

    /// - Parameters:
    ///   - directory: a data directory.
    ///   - imageDirectory: where the pictures are; `nil` for `images` in the data directory.
    public init(directory: String, imageDirectory: String? = nil) {
        self.directory = directory
        self.imageDirectory = imageDirectory ?? directory + "/images"
    }

    /// Mends in one transaction, or changes nothing; files go after it.
    ///
    /// Profiles keep their pictures if the pictures' directory is not there: it is more likely to be elsewhere than lost.
    ///
    /// Indexes are made again. Pages that are damaged otherwise are left as they are, and so are the rows then: nobody can tell what they were.
    /// - Returns: what was found before, and what there is now.
    /// - Throws: ``StoreOpeningError``: `locked` while a server uses the directory, and as ``StoreCheck/run()``.
    public func run() throws(StoreOpeningError) -> (before: StoreReport, after: StoreReport) {
        let check = StoreCheck(directory: directory, imageDirectory: imageDirectory)
        let before = try check.run()
        guard !before.isSound else { return (before, before) }
        let lock = try DirectoryLock(directory: directory)
        let databaseLock = try DatabaseLock(path)
        do {
            let database = try DatabaseQueue(path: path, configuration: ConnectionSettings.writer)
            defer { try? database.close() }
            try database.writeWithoutTransaction { database in
                try ConnectionSettings.prepareWriter(database)
                try StoreCheck.requireThisVersion(database, path)
                guard try Self.mendIndexes(database, before.damage) else { return }
                let files = StoreImageFiles(imageDirectory)
                let surplus = try files.surplus(database)
                try database.inTransaction(.immediate) {
                    for rule in StoreRule.all { for sql in rule.repairs { try database.execute(sql: sql) } }
                    // Counts come after everything that they count.
                    for rule in StoreRule.all where rule.name == "counts" { for sql in rule.repairs { try database.execute(sql: sql) } }
                    if files.areReachable { for image in try files.incomplete(database) { try files.forget(image, database) } }
                    return .commit
                }
                try files.remove(surplus)
            }
        } catch {
            throw StoreOpeningError(thrown: error, path: path)
        }
        _ = consume databaseLock
        _ = consume lock
        return (before, try check.run())
    }

    /// - Returns: whether every page can be read, and so the rows be mended.
    private static func mendIndexes(_ database: Database, _ damage: [String]) throws -> Bool {
        guard !damage.isEmpty else { return true }
        guard damage.allSatisfy({ $0.contains("index") }) else { return false }
        try database.execute(sql: "REINDEX")
        return try String.fetchAll(database, sql: "PRAGMA integrity_check(1)") == ["ok"]
    }
}

/// The files of pictures beside the rows that name them.
struct StoreImageFiles {
    private let folder: String

    init(_ directory: String) { folder = directory }

    /// Whether the directory is there.
    var areReachable: Bool { FileManager.default.fileExists(atPath: folder) }

    private static let keptImages =
        "SELECT owner, image_id FROM image WHERE state IN (\(ImageState.staged.rawValue), \(ImageState.attached.rawValue))"

    func findings(_ database: Database) throws -> [StoreFinding] {
        let incomplete = try incomplete(database)
        let surplus = try surplus(database)
        return [
            Self.finding(
                "image-files-missing", Phrase("pictures whose files are not there", "파일이 없는 사진"),
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

    /// Pictures that are kept and lack a file. Each is looked up again, as a server may have removed it meanwhile.
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

    /// Files that no row names, by their places in the folder. A row comes before its files and goes after them.
    func surplus(_ database: Database) throws -> [String] {
        guard let files = FileManager.default.enumerator(atPath: folder) else { return [] }
        let known = try database.makeStatement(sql: "SELECT 1 FROM image WHERE owner = ? AND image_id = ?")
        var found: [String] = []
        while let path = files.nextObject() as? String {
            guard files.fileAttributes?[.type] as? FileAttributeType == .typeRegular else { continue }
            if let image = Self.image(path), ImageSize.allCases.contains(where: { image.path($0) == path }) {
                let arguments: StatementArguments = [Data(image.owner.bits.bytes), Data(image.id.bits.bytes)]
                if try Row.fetchOne(known, arguments: arguments) != nil { continue }
                // A server may have removed it since.
                if !isThere(path) { continue }
            }
            found.append(path)
        }
        return found.sorted()
    }

    /// A picture that cannot be shown is shown no more.
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

    /// The picture that `3d/OWNER/IMAGE-96.webp` is of.
    private static func image(_ path: String) -> OwnedImage? {
        let parts = path.split(separator: "/")
        guard parts.count == 3, parts[2].count > 36, let owner = UserID(text: String(parts[1])), let id = ImageID(text: String(parts[2].prefix(36))) else {
            return nil
        }
        return OwnedImage(owner: owner, id: id)
    }
}

extension OwnedImage {
    /// Reads the columns `owner` and `image_id`; `nil` when they hold no ids.
    init?(_ row: Row) {
        guard let owner = (row[0] as Data?).flatMap({ UUIDBits(bytes: [UInt8]($0)) }), let id = (row[1] as Data?).flatMap({ UUIDBits(bytes: [UInt8]($0)) })
        else { return nil }
        self.init(owner: UserID(bits: owner), id: ImageID(bits: id))
    }
}
