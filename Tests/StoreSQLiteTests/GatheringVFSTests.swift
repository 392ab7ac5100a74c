import Foundation
import GRDB
import Testing

@testable import StoreSQLite

@Suite("The VFS that gathers the frames of the WAL") struct GatheringVFSTests {
    /// A WAL's own header, and a frame of one page with its header.
    private static let headerBytes = 32, frameBytes = 24 + 4_096

    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/odd name?100%#é.sqlite"
    }

    private func open() throws -> DatabaseQueue {
        let database = try DatabaseQueue(
            path: ConnectionSettings.writerName(of: path), configuration: ConnectionSettings.writer)
        try database.writeWithoutTransaction { database in
            try ConnectionSettings.prepareWriter(database)
            try database.execute(sql: "CREATE TABLE page (content BLOB)")
        }
        return database
    }

    private func bytesOnDisk() throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
    }

    private func insert(_ count: Int, _ database: Database) throws {
        try database.inTransaction {
            for _ in 0..<count { try database.execute(sql: "INSERT INTO page VALUES (randomblob(4000))") }
            return .commit
        }
    }

    @Test("a name with characters that mean something in a URI is the file's name all the same")
    func names() throws {
        try open().close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).contains("odd name?100%#é.sqlite"))
    }

    @Test("after a COMMIT that syncs, every frame is in the file", arguments: [1, 20, 29, 30, 100])
    func written(rows: Int) throws {
        let database = try open()
        let pages = try database.writeWithoutTransaction { database in
            try insert(rows, database)
            let frames = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")?[1] as Int?
            return try #require(frames)
        }
        #expect(pages > rows)
        #expect(try bytesOnDisk() == Self.headerBytes + pages * Self.frameBytes)
        let copy = try DatabaseQueue(path: path)
        #expect(try copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM page") } == rows)
        #expect(try copy.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test("frames wait for the sync, and the connection that wrote them reads them")
    func gathered() throws {
        let database = try open()
        try database.writeWithoutTransaction { database in
            // Nothing is synced, so nothing need be written.
            try database.execute(sql: "PRAGMA synchronous = OFF")
            let before = try bytesOnDisk()
            try insert(3, database)
            #expect(try bytesOnDisk() == before)
            // The pages are not in memory any more, and have to be read from the log.
            try database.execute(sql: "PRAGMA shrink_memory")
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM page WHERE length(content) = 4000") == 3)
            #expect(try bytesOnDisk() >= before + 3 * Self.frameBytes)
        }
    }

    @Test("a transaction that outgrows the page cache is rolled back and forgotten, and the next one is whole")
    func spilled() throws {
        let database = try open()
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA cache_size = 10")
            try database.inTransaction {
                for _ in 0..<200 { try database.execute(sql: "INSERT INTO page VALUES (randomblob(4000))") }
                return .rollback
            }
            try insert(5, database)
        }
        let copy = try DatabaseQueue(path: path)
        #expect(try copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM page") } == 5)
        #expect(try copy.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }
}
