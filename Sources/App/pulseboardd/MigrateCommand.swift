import ArgumentParser
import Glibc
import PulseBoardDomain
import SocketTransport
import StorePostgreSQL
import StoreSQL
import StoreSQLite

/// `pulseboardd migrate`: moves a deployment from one database to another.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Copy everything from one store into another, and compare the two.",
        discussion: """
            A store is sqlite:DIRECTORY, with the data directory of a server, or the address of a PostgreSQL database as --store takes it. The target must \
            be empty, or an unfinished copy: then the copy goes on where it ended. No server may run on either meanwhile. Profiles' pictures are \
            files, and stay where they are. Sealed diaries are copied as they are, without their keys.
            """)

    @Option(help: ArgumentHelp("The store that is copied. It stays as it is.", valueName: "store"))
    var from: String

    @Option(help: ArgumentHelp("The store that gets everything.", valueName: "store"))
    var to: String

    func validate() throws {
        for store in [from, to] where !store.hasPrefix(Self.sqlite) && !PostgreSQLStore.takes(address: store) {
            throw ArgumentParser.ValidationError("A store is sqlite:DIRECTORY or postgresql://…, not '\(store)'.")
        }
        guard from != to else { throw ArgumentParser.ValidationError("A store cannot be copied into itself.") }
    }

    func run() async throws {
        umask(0o077)
        do {
            let source = try Self.open(from), target = try Self.open(to)
            defer { for store in [source, target] { try? store.close() } }
            print("\(source) → \(target)")
            try await StoreCopy(from: source, to: target).run(at: SystemWallClock().now()) { table in
                print("\(table.name): \(table.rows) rows, checksum \(String(table.checksum, radix: 16))")
            }
            print("Everything is the same in both. Start the servers on \(target) with the --image-directory of before.")
        } catch let error as StoreCopy.Failure {
            try fail(error.description)
        } catch let error as StoreOpeningError {
            try fail(error.description)
        } catch let error as PostgreSQLOpeningError {
            try fail(error.description)
        }
    }

    private static let sqlite = "sqlite:"

    private static func open(_ store: String) throws -> any ServedStore & SQLStore {
        guard store.hasPrefix(sqlite) else { return try PostgreSQLStore(address: store) }
        return try SQLiteStore(directory: String(store.dropFirst(sqlite.count)))
    }

    private func fail(_ why: String) throws -> Never {
        LineOutput(descriptor: STDERR_FILENO).write("pulseboardd migrate: \(why)\n")
        throw ExitCode(EX_UNAVAILABLE)
    }
}
