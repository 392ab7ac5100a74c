import ArgumentParser
import CommandHelp
import Glibc
import PulseBoardDomain
import PulseBoardVocabulary
import SocketTransport
import StorePostgreSQL
import StoreSQL
import StoreSQLite

/// `pulseboardd migrate`: moves a deployment from one database to another.
struct MigrateCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "migrate",
            abstract: Phrase(
                "Copy everything from one store into another, and compare the two.", "한 저장소의 모든 것을 다른 저장소로 복사하고 둘을 비교합니다."),
            discussion: Phrase(
                """
                A store is sqlite:DIRECTORY, with the data directory of a server, or the address of a PostgreSQL database as --store takes it. The \
                target must be empty, or an unfinished copy: then the copy goes on where it ended. No server may run on either meanwhile. Profiles' \
                pictures are files, and stay where they are. Sealed diaries are copied as they are, without their keys. If root types it, it \
                works with the rights of the owner of the directories.
                """,
                """
                저장소는 서버의 데이터 디렉터리를 적은 sqlite:디렉터리이거나, --store에 쓰는 PostgreSQL 데이터베이스 주소입니다. 대상은 비어 있거나 끝나지 않은 \
                복사본이어야 하며, 끝나지 않은 복사는 멈춘 곳에서 이어집니다. 그동안 어느 쪽에서도 서버가 실행되면 안 됩니다. 프로필 사진은 파일이므로 \
                제자리에 남습니다. 봉인된 일기는 키 없이 그대로 복사됩니다. root가 실행하면 디렉터리 소유자의 권한으로 작업합니다.
                """))
    }

    @Option(help: ArgumentHelp(Phrase("The store that is copied. Its data stay.", "복사할 저장소. 데이터는 그대로 남습니다."), valueName: "store"))
    var from: String

    @Option(help: ArgumentHelp(Phrase("The store that gets everything.", "모든 것을 받을 저장소."), valueName: "store"))
    var to: String

    func validate() throws {
        for store in [from, to] where !store.hasPrefix(Self.sqlite) && !PostgreSQLStore.takes(address: store) {
            throw ArgumentParser.ValidationError(
                Phrase("A store is sqlite:DIRECTORY or postgresql://…, not '\(store)'.", "저장소는 sqlite:디렉터리나 postgresql://…이어야 합니다: '\(store)'"))
        }
        guard from != to else { throw ArgumentParser.ValidationError(
                Phrase("A store cannot be copied into itself.", "저장소를 자기 자신으로 복사할 수 없습니다.")) }
    }

    func run() async throws {
        umask(0o077)
        do {
            try Self.requireDatabase(in: from)
            // The server of a directory's owner must be able to use the files that the command makes there.
            try DirectoryOwner.become(in: [from, to].compactMap(Self.directory))
            let source = try Self.open(from)
            defer { try? source.close() }
            // A refused copy must not make the target.
            try await Self.requireNoServer(on: [source])
            let target = try Self.open(to)
            defer { try? target.close() }
            print("\(source) → \(target)")
            try await Self.requireNoServer(on: [target])
            try await StoreTransfer(from: source, to: target).run(at: SystemWallClock().now()) { table in
                let checksum = String(table.checksum, radix: 16)
                say(Phrase("\(table.name): \(table.rows) rows, checksum \(checksum)", "\(table.name): 행 \(table.rows)개, 체크섬 \(checksum)"))
            }
            try await Self.requireNoServer(on: [source, target])
            say(Phrase(
                "Everything is the same in both. Start the servers on \(target) with the --image-directory of before.",
                "양쪽이 모두 같습니다. 이전과 같은 --image-directory로 \(target)에서 서버를 시작하세요."))
        } catch let error as StoreTransfer.Failure {
            try fail(error.phrase)
        } catch let error as StoreOpeningError {
            try fail(error.phrase)
        } catch let error as PostgreSQLOpeningError {
            try fail(error.phrase)
        } catch let error as RepositoryError {
            try fail(error.reason.text())
        }
    }

    private static let sqlite = "sqlite:"

    private static func open(_ store: String) throws -> any ServedStore & SQLStore {
        guard let directory = directory(store) else { return try PostgreSQLStore(address: store, for: .migration) }
        return try SQLiteStore(directory: directory)
    }

    /// Refuses a store on PostgreSQL that a server uses. One on SQLite cannot be opened twice.
    private static func requireNoServer(on stores: [any ServedStore & SQLStore]) async throws {
        for case let store as PostgreSQLStore in stores where try await store.hasServer() { throw PostgreSQLOpeningError.inUse }
    }

    /// Refuses a source on SQLite without a database. To open it would make an empty one.
    private static func requireDatabase(in source: String) throws(StoreOpeningError) {
        guard let directory = directory(source) else { return }
        let path = directory + "/" + SQLiteStore.fileName
        guard access(path, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR else {
            throw .failed(path: directory, detail: .noDatabase)
        }
    }

    /// The directory of a store on SQLite.
    private static func directory(_ store: String) -> String? { store.hasPrefix(sqlite) ? String(store.dropFirst(sqlite.count)) : nil }

    private func say(_ phrase: Phrase) { print(phrase.text(in: HelpLanguage.current)) }

    private func fail(_ why: Phrase) throws -> Never {
        let errors = LineOutput(descriptor: STDERR_FILENO)
        errors.write("pulseboardd migrate: \(why.text(in: HelpLanguage.current))\n")
        errors.flush(within: .seconds(1))
        throw ExitCode(EX_UNAVAILABLE)
    }
}
