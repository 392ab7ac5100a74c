import DiarySealing
import PulseBoardDomain
import PulseBoardVocabulary
import StoreSQL

extension PostgreSQLSchema {
    /// The number of the advisory lock: the bytes of "PulseBrd", which no other application should use.
    private static let lock = 0x5075_6C73_6542_7264
    /// How long to wait for another server that migrates the database.
    private static let patience = Duration.seconds(60)
    private static let pause = Duration.milliseconds(100)
    /// How long the database may say nothing during a migration. An index of a large table takes minutes.
    private static let silence = Duration.seconds(3_600)
    /// How often a transaction is tried, if the locks of running servers are in its way. The tries take longer together than a client that is gone
    /// holds its locks.
    private static let tries = 20

    /// Makes the tables, or migrates those of an earlier version. If several servers start at once, one of them does it.
    /// - Parameter migrations: all migrations of a version; by default those of this version.
    /// - Returns: PostgreSQL's version, the vault that seals diaries, what is stored about the clock, and the maximum number of connections.
    static func prepare(
        _ connect: () throws(PostgreSQLFailure) -> PostgreSQLSession, _ diaryKeys: DiaryKeys, clock: any WallClock,
        migrations: [Migration] = migrations
    ) throws(PostgreSQLOpeningError) -> (version: String, vault: DiaryVault, marks: ClockMarks, isUnfinishedCopy: Bool, allowed: Int) {
        do {
            let session = try connect()
            let encoding = session.connection.parameter("server_encoding") ?? "unknown"
            guard encoding == "UTF8" else { throw PostgreSQLOpeningError.wrongEncoding(encoding) }
            try migrate(session, migrations, clock)
            let version = session.connection.parameter("server_version") ?? ""
            // It waits for the housekeeping of running servers.
            let vault = try afterConflicts { try inTransaction(session) { connection in try DiaryVault.open(diaryKeys, connection) } }
            let (marks, isUnfinishedCopy) = try inTransaction(session) { connection in
                (try ClockMarks(connection), try SQLStore.hasUnfinishedCopy(connection))
            }
            let allowed = try inTransaction(session) { connection in try ConnectionAllowance.read(connection) }
            return (version.split(separator: " ").first.map(String.init) ?? "of an unknown version", vault, marks, isUnfinishedCopy, allowed)
        } catch let failure as PostgreSQLFailure {
            throw PostgreSQLOpeningError(failure)
        } catch let failure as PostgreSQLOpeningError {
            throw failure
        } catch {
            throw .failed(detail: Phrase(untranslated: "\(error)"))
        }
    }

    /// Runs a write transaction, and commits it unless it throws.
    private static func inTransaction<Value>(_ session: PostgreSQLSession, _ body: (borrowing SQLConnection) throws -> Value) throws -> Value {
        try session.begin(.write)
        let value: Value
        do {
            value = try body(SQLConnection(session))
        } catch {
            let failure = session.failure
            session.abandon()
            throw failure ?? error
        }
        switch session.end() {
        case .committed: return value
        case .rolledBack(let failure), .unknown(let failure): throw failure
        }
    }

    /// Runs a body again after conflicts.
    private static func afterConflicts<Value>(_ body: () throws -> Value) throws -> Value {
        var conflicts = 0
        while true {
            do { return try body() } catch PostgreSQLFailure.conflict(let detail, _) {
                conflicts += 1
                guard conflicts < tries else { throw PostgreSQLFailure.conflict(detail: detail) }
                _ = CloseSignal().pause(pause)
            }
        }
    }

    private enum Step { case made, none, othersMigrate }

    /// Makes all missing migrations.
    private static func migrate(_ session: PostgreSQLSession, _ migrations: [Migration], _ clock: any WallClock) throws {
        defer { session.permit(nil) }
        var end = ContinuousClock.now + patience
        var conflicts = 0
        while true {
            do {
                switch try step(session, migrations, clock.now()) {
                case .none: return
                case .made: end = .now + patience
                case .othersMigrate:
                    guard ContinuousClock.now < end else {
                        throw PostgreSQLOpeningError.failed(
                            detail: Phrase(
                                "another server has been changing the schema for more than \(patience)", "다른 서버가 \(patience) 넘게 스키마를 바꾸고 있습니다"))
                    }
                    _ = CloseSignal().pause(pause)
                }
            } catch PostgreSQLFailure.conflict(let detail, _) {
                conflicts += 1
                guard conflicts < tries else { throw PostgreSQLFailure.conflict(detail: detail) }
                _ = CloseSignal().pause(pause)
            }
        }
    }

    /// Makes the first missing migration, in a transaction of its own.
    private static func step(_ session: PostgreSQLSession, _ migrations: [Migration], _ now: Timestamp) throws -> Step {
        try inTransaction(session) { connection in
            guard try value("SELECT CASE WHEN pg_try_advisory_xact_lock(\(lock)) THEN 1 ELSE 0 END", connection) == 1 else { return .othersMigrate }
            let done = try version(connection, atMost: migrations.count)
            guard done < migrations.count else { return .none }
            session.permit(silence)
            try session.limitStatements(to: silence)
            try apply(migrations[done], version: done + 1, now, connection)
            return .made
        }
    }

    private static func apply(
        _ migration: Migration, version: Int, _ now: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        for statement in migration.statements { try connection.run(statement) }
        var note = try connection.statement("INSERT INTO pulseboard_schema (version, name, apply_time) VALUES (?, ?, ?)")
        try note.bind(Int64(version))
        try note.bind(migration.name)
        try note.bind(now)
        try note.run()
    }

    /// How many migrations the database has. In an empty database it makes their table.
    private static func version(_ connection: borrowing SQLConnection, atMost newest: Int) throws -> Int {
        if try value("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'pulseboard_schema'", connection) == 0 {
            let tables = try connection.statement("SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() LIMIT 1")
            if try tables.step() { throw PostgreSQLOpeningError.foreignDatabase(tables.text(0) ?? "") }
            try connection.run(
                "CREATE TABLE pulseboard_schema (version BIGINT PRIMARY KEY, name TEXT COLLATE \"C\" NOT NULL, apply_time BIGINT NOT NULL)")
            return 0
        }
        let version = try value("SELECT coalesce(max(version), 0) FROM pulseboard_schema", connection)
        guard version <= newest else { throw PostgreSQLOpeningError.newerSchema(version: version) }
        return Int(version)
    }

    private static func value(_ sql: String, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Int64 {
        let statement = try connection.statement(sql)
        guard try statement.step(), let value = statement.integer(0) else { throw .emptyValue(table: "pulseboard_schema", key: "version") }
        return value
    }
}

extension PostgreSQLOpeningError {
    init(_ failure: PostgreSQLFailure) {
        switch failure {
        case .lost(let detail), .conflict(let detail, _), .refused(_, _, let detail): self = .failed(detail: Phrase(untranslated: detail))
        case .yielded: self = .failed(detail: Phrase(untranslated: "it has given way to others"))
        }
    }
}
