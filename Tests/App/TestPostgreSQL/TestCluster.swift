import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server of this test process: in a temporary folder, on a Unix socket, without TCP and without sync. It ends with the
/// process.
///
/// PostgreSQL refuses to run as root, so tests that run as root start it as `postgres`, the user of Debian's package.
public final class TestCluster: Sendable {
    public struct Missing: Error, CustomStringConvertible {
        public let description: String
    }

    /// The cluster, started at its first use.
    public static let shared: Result<TestCluster, Missing> = Result { () throws(Missing) in try TestCluster() }

    /// Debian has a folder for the programs of each version. The newest is used.
    private static let programs: String = {
        let all = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: all)) ?? []).compactMap { Int($0) }
        return "\(all)/\(versions.max() ?? 15)/bin"
    }()
    /// The folder of its socket.
    public let folder: String
    /// Only this process has this end. When the process ends in any way, the server ends too.
    private let lifeline: Int32
    private let databases = Atomic(0)

    /// - Parameter prepare: makes the data in a folder of the server.
    private init(
        named name: String = "pg\(getpid())",
        _ prepare: (_ data: String) throws -> Void = { data in
            try TestCluster.run(
                TestCluster.programs + "/initdb",
                ["-D", data, "-U", "pulseboard", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"], asServer: true)
        }
    ) throws(Missing) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        self.folder = folder
        let life: (reading: Int32, writing: Int32)
        do throws(ChildProgram.Failure) { life = try ChildProgram.pipe() } catch { throw Missing(description: error.description) }
        lifeline = life.writing
        defer { close(life.reading) }
        guard access(Self.programs + "/initdb", X_OK) == 0 else {
            throw Missing(description: "there is no \(Self.programs)/initdb: `Scripts/setup test` installs Debian's postgresql")
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            if getuid() == 0 { try Self.run("/bin/chown", ["postgres", folder]) }
            try prepare(folder + "/data")
            // The shell waits for the end of its input, which this process holds, and then ends the server.
            let script = "read -r line; '\(Self.programs)/pg_ctl' -D '\(folder)/data' -m immediate stop; rm -rf '\(folder)'"
            let (program, arguments) = Self.asServer("/bin/sh", ["-c", script])
            let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
            defer { close(output) }
            _ = try ChildProgram(program, arguments, input: life.reading, output: output)
            let settings = [
                "listen_addresses=", "fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=400", "shared_buffers=64MB",
                // A copy of the cluster must find the log of its time, also on a slow machine.
                "wal_keep_size=2GB",
                "log_min_messages=fatal",
            ]
            let options = "-k '\(folder)' " + settings.map { "-c " + $0 }.joined(separator: " ")
            try Self.run(
                Self.programs + "/pg_ctl", ["-D", folder + "/data", "-l", folder + "/log", "-w", "-t", "60", "-s", "-o", options, "start"],
                asServer: true)
        } catch {
            throw Missing(description: "no PostgreSQL could be started: \(error)")
        }
    }

    /// A copy of this cluster that was promoted. It has every database and write of before, and the next timeline.
    public func promotedCopy() throws -> TestCluster {
        let copy = try TestCluster(named: "pg\(getpid())-\(databases.wrappingAdd(1, ordering: .relaxed).newValue)") { data in
            try Self.run(Self.programs + "/pg_basebackup", ["-h", folder, "-U", "pulseboard", "-D", data, "-c", "fast", "-N"], asServer: true)
            try Self.run("/usr/bin/touch", [data + "/standby.signal"], asServer: true)
        }
        try Self.run(Self.programs + "/pg_ctl", ["-D", copy.folder + "/data", "-w", "-t", "60", "-s", "promote"], asServer: true)
        return copy
    }

    /// A new, empty database. - Returns: its address.
    public func makeDatabase(encoding: String = "UTF8") throws -> String {
        let name = "test\(databases.wrappingAdd(1, ordering: .relaxed).newValue)"
        try Self.run(Self.programs + "/createdb", ["-h", folder, "-U", "pulseboard", "-T", "template0", "-E", encoding, name])
        return "postgresql://pulseboard@/\(name)?host=\(folder)"
    }

    /// Makes a role that may use the database, with a connection limit. - Returns: its name, and the database's address with it.
    public func makeUser(of address: String, connections: Int) throws -> (name: String, address: String) {
        let name = "user\(databases.wrappingAdd(1, ordering: .relaxed).newValue)"
        try psql(address, "CREATE ROLE \(name) LOGIN CONNECTION LIMIT \(connections); GRANT ALL ON SCHEMA public TO \(name)")
        return (name, address.replacing("//pulseboard@", with: "//\(name)@"))
    }

    /// Runs a statement with psql. - Returns: the output, without padding.
    @discardableResult
    public func psql(_ address: String, _ sql: String) throws -> String {
        try Self.run(Self.programs + "/psql", ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", sql])
    }

    private static func asServer(_ program: String, _ arguments: [String]) -> (String, [String]) {
        getuid() == 0 ? ("/sbin/runuser", ["-u", "postgres", "--", program] + arguments) : (program, arguments)
    }

    @discardableResult
    private static func run(_ program: String, _ arguments: [String], asServer: Bool = false) throws -> String {
        let (program, arguments) = asServer ? Self.asServer(program, arguments) : (program, arguments)
        // The output goes to a file and not to a pipe, because a program that another test starts meanwhile could keep a pipe open.
        let path = FileManager.default.temporaryDirectory.path + "/pg-output-\(UUID().uuidString)"
        let output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw Missing(description: "no file for what \(program) says") }
        defer {
            close(output)
            unlink(path)
        }
        let status = try ChildProgram(program, arguments, output: output).wait()
        let said = try String(contentsOfFile: path, encoding: .utf8)
        guard status == 0 else { throw Missing(description: "\(program) failed: \(said)") }
        return said.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
