import Foundation
import Testing

/// `pulseboard doctor` on real broken set-ups, as operators meet them.
@Suite("pulseboard doctor, end to end", .serialized, .timeLimit(.minutes(3)))
struct DoctorTests {
    /// The faults that the doctor finds in a household, without an option for the data directory: the topics with the next commands.
    private func faults(_ house: Household, _ extra: [String: String] = [:], _ arguments: [String] = []) async throws -> [String: String] {
        var variables = ["PULSEBOARD_SOCKET": house.socket, "XDG_CONFIG_HOME": house.root + "/config", "XDG_DATA_HOME": house.root + "/nowhere"]
        variables.merge(extra) { $1 }
        let run = try await house.run(Programs.commandLine, ["doctor", "--json"] + arguments, variables)
        let lines = try JSON(run.output).elements
        let wrong = lines.filter { $0["state"] == "fault" }
        #expect(run.exit == (wrong.isEmpty ? .success : .status(73)), "\(run)")
        return Dictionary(uniqueKeysWithValues: wrong.map { ($0["topic"].text ?? "", $0["next"].text ?? "") })
    }

    /// Starts a server, adds a user, and ends the server gracefully.
    private func leave(_ house: Household) async throws {
        let server = try await house.startServer()
        _ = try await house.enter(as: "one", username: "first")
        server.send(SIGTERM)
        _ = try await server.ended()
    }

    @Test("a server that runs with a data directory of its own is sound, and the doctor asks it where that is")
    func sound() async throws {
        try await Household.withServer { house, _ in
            let none = try await faults(house)
            #expect(none == [:])
            let run = try await house.pulseboard("doctor")
            #expect(run.output.contains(house.data), "\(run)")
        }
    }

    @Test("a server that is not there: never started, killed, its socket a file, its directory closed")
    func away() async throws {
        try await Household.with { house in
            let never = try await faults(house)
            #expect(never["socket"]?.hasPrefix("pulseboardd --socket") == true)
            let server = try await house.startServer()
            server.send(SIGKILL)
            _ = try await server.ended()
            let data = ["PULSEBOARD_DATA_DIRECTORY": house.data]
            let killed = try await faults(house, data)
            #expect(killed.keys.sorted() == ["socket"], "its socket is there and nobody listens")
            unlink(house.socket)
            try Data().write(to: URL(filePath: house.socket))
            let replaced = try await faults(house, data)
            #expect(replaced["socket"]?.hasPrefix("ls -l") == true)
        }
    }

    @Test("a server at another socket is found by its data directory")
    func otherSocket() async throws {
        try await Household.withServer { house, server in
            let other = ["PULSEBOARD_SOCKET": house.root + "/other.sock", "PULSEBOARD_DATA_DIRECTORY": house.data]
            let found = try await faults(house, other)
            #expect(found["socket"] == "ps -o pid,user,lstart,args -p \(server.pid)")
        }
    }

    @Test(
        "files that are wrong while the server is stopped",
        arguments: ["open directory", "no database", "another file", "half a restore", "no directory"])
    func files(_ fault: String) async throws {
        try await Household.with { house in
            try await leave(house)
            let database = house.data + "/pulseboard.sqlite"
            switch fault {
            case "open directory": chmod(house.data, 0o755)
            case "no database":
                unlink(database)
                try Data("log".utf8).write(to: URL(filePath: database + "-wal"))
            case "another file": try Data("not a database at all".utf8).write(to: URL(filePath: database))
            case "half a restore":
                unlink(database)
                try FileManager.default.createDirectory(atPath: house.data + "/restore.swap", withIntermediateDirectories: false)
            default: try FileManager.default.removeItem(atPath: house.data)
            }
            let found = try await faults(house, ["PULSEBOARD_DATA_DIRECTORY": house.data])
            #expect(found.keys.contains(["open directory", "no directory"].contains(fault) ? "directory" : "database"), "\(found)")
            #expect(found.values.allSatisfy { !$0.isEmpty })
        }
    }

    @Test("a configuration with which the server would not start")
    func configuration() async throws {
        try await Household.with { house in
            try await leave(house)
            let folder = house.root + "/config/pulseboard"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try "color = true\n".write(toFile: folder + "/pulseboardd.toml", atomically: true, encoding: .utf8)
            let found = try await faults(house, ["PULSEBOARD_CONFIG": folder + "/pulseboardd.toml", "PULSEBOARD_DATA_DIRECTORY": house.data])
            #expect(found["configuration"] == "pulseboardd --check-config", "\(found)")
        }
    }

    @Test("a database that was moved away under its server, and keys that are no keys")
    func running() async throws {
        try await Household.with { house in
            try "{}".write(toFile: house.root + "/keys.json", atomically: true, encoding: .utf8)
            let issuer = #"{"name":"example","issuer":"https://id.example","audiences":["app"],"algorithms":["ES256"],"jwks_file":"keys.json"}"#
            try #"{"issuers":[\#(issuer)]}"#.write(toFile: house.root + "/oidc.json", atomically: true, encoding: .utf8)
            _ = try await house.startServer(["--oidc-config", house.root + "/oidc.json"])
            let without = try await faults(house)
            #expect(without["keys"]?.contains("pulseboard-jwks@example") == true)
            try FileManager.default.moveItem(atPath: house.data + "/pulseboard.sqlite", toPath: house.data + "/moved.sqlite")
            _ = try await house.pulseboard("auth", "login")
            let found = try await faults(house)
            #expect(found["store"] == "pulseboard admin status", "\(found)")
        }
    }

    @Test("too few descriptors for a server")
    func descriptors() async throws {
        try await Household.with { house in
            let run = try await house.run(
                "/bin/sh", ["-c", "ulimit -Hn 500 -Sn 500 2>/dev/null || ulimit -n 500; exec \"$0\" doctor --json", Programs.commandLine],
                ["PULSEBOARD_SOCKET": house.socket])
            #expect(run.exit == .status(73) && run.output.contains("ulimit -Hn 65536"), "\(run)")
            // A server that runs has a limit of its own.
            _ = try await house.startServer([])
            let beside = try await house.run(
                "/bin/sh", ["-c", "ulimit -Hn 500 -Sn 500 2>/dev/null || ulimit -n 500; exec \"$0\" doctor --json", Programs.commandLine],
                ["PULSEBOARD_SOCKET": house.socket])
            #expect(!beside.output.contains("ulimit -Hn 65536"), "\(beside)")
        }
    }
}
