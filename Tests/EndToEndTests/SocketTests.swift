import Foundation
import PulseBoardVocabulary
import Testing

/// The server's socket on the file system, and the server's start and end.
@Suite("Socket and lifecycle, end to end", .serialized, .timeLimit(.minutes(2)))
struct SocketTests {
    private func mode(_ path: String) throws -> mode_t {
        var information = stat()
        guard lstat(path, &information) == 0 else { throw SystemError("lstat \(path)", errno) }
        return information.st_mode
    }

    @Test("The socket is 0600 in a directory 0700")
    func modes() async throws {
        try await Household.withServer { house, _ in
            let (socket, directory) = (try mode(house.socket), try mode(house.root + "/run"))
            #expect(socket & S_IFMT == S_IFSOCK)
            #expect(socket & 0o7777 == 0o600)
            #expect(directory & 0o7777 == 0o700)
        }
    }

    /// A library that moves the environment away from the arguments, as some preloaded libraries do.
    private static let mover = """
        #include <stdlib.h>
        #include <string.h>
        extern char **environ;
        __attribute__((constructor)) static void move(void) {
            size_t count = 0;
            while (environ[count]) count++;
            char **copy = calloc(count + 1, sizeof *copy);
            for (size_t index = 0; index < count; index++) copy[index] = strdup(environ[index]);
            environ = copy;
        }
        """

    @Test("The options hold although a preloaded library has moved the environment")
    func movedEnvironment() async throws {
        try await Household.with { house in
            try Data(Self.mover.utf8).write(to: URL(filePath: house.root + "/mover.c"))
            let compiled = try await house.run("/usr/bin/cc", ["-shared", "-fPIC", "-o", house.root + "/mover.so", house.root + "/mover.c"])
            try #require(compiled.exit == .success, "\(compiled)")
            let variables = ["LD_PRELOAD": house.root + "/mover.so"]
            let server = try await house.run(Programs.server, ["--check-config", "--socket", house.root + "/mine.sock"], variables)
            #expect(server.exit == .success && server.output.contains(house.root + "/mine.sock"), "\(server)")
            let client = try await house.run(Programs.commandLine, ["--version"], variables)
            #expect(client.exit == .success && client.output == pulseBoardVersion + "\n", "\(client)")
        }
    }

    @Test("A command line that is not valid UTF-8 is refused, because a part of its text would be lost")
    func invalidArguments() async throws {
        try await Household.with { house in
            let run = try await house.run("/bin/sh", ["-c", "exec \"$0\" ping \"$(printf 'caf\\351')\"", Programs.commandLine])
            #expect(run.exit == .invalidArgument && run.errors == "Error: The command line is not valid UTF-8.\n", "\(run)")
        }
    }

    @Test("A data directory that other users may write into gets a warning")
    func openDataDirectory() async throws {
        try await Household.with { house in
            try FileManager.default.createDirectory(atPath: house.data, withIntermediateDirectories: false)
            #expect(chmod(house.data, 0o777) == 0)
            let server = try await house.startServer()
            #expect(await server.said("warning", "other users may write into a directory of the server", "mode=777"))
        }
    }

    @Test("SIGTERM and SIGINT end the server with status 0 and remove its socket", arguments: [SIGTERM, SIGINT])
    func termination(signal: Int32) async throws {
        try await Household.withServer { house, server in
            _ = try await house.enter(as: "one", username: "first")
            server.send(signal)
            #expect(try await server.ended() == .status(0))
            #expect(access(house.socket, F_OK) != 0)
            let late = try await house.pulseboard("ping")
            #expect(late.exit == .unavailable)
            #expect(late.errors.contains(house.socket))
        }
    }

    @Test("A second server on the same socket says who holds it and exits non-zero; the first goes on")
    func secondServer() async throws {
        try await Household.withServer { house, server in
            let second = try house.start(
                Programs.server, ["--socket", house.socket, "--data-directory", house.root + "/other-data"])
            let exit = try await second.ended()
            #expect(exit != .status(0))
            guard case .status = exit else {
                Issue.record("the second server was ended by a signal: \(exit)")
                return
            }
            let said = second.progress.current.outputText + second.progress.current.errorText
            #expect(said.contains(house.socket))
            #expect(said.contains(String(server.pid)), "the holder's pid is not named: \(said)")
            #expect(server.progress.current.exit == nil)
            _ = try await house.enter(as: "one", username: "first")
        }
    }

    @Test("A second server on the same data, by another socket, is refused too")
    func secondServerOnData() async throws {
        try await Household.withServer { house, _ in
            let second = try house.start(
                Programs.server, ["--socket", house.root + "/run/other.sock", "--data-directory", house.data])
            let exit = try await second.ended()
            #expect(exit != .status(0))
            #expect(access(house.root + "/run/other.sock", F_OK) != 0)
            _ = try await house.enter(as: "one", username: "first")
        }
    }

    @Test("A stale socket, left by a killed server, is replaced")
    func staleSocket() async throws {
        try await Household.withServer { house, server in
            let made = try await house.enter(as: "one", username: "first")
            server.send(SIGKILL)
            #expect(try await server.ended() == .signal(SIGKILL))
            let left = try mode(house.socket)
            #expect(left & S_IFMT == S_IFSOCK)
            _ = try await house.startServer()
            #expect(try await house.answer("profile", "show", as: "one") == made)
        }
    }

    @Test("Of many servers started at once on a stale socket exactly one serves")
    func racingServers() async throws {
        try await Household.withServer { house, server in
            server.send(SIGKILL)
            _ = try await server.ended()
            let racers = try (0..<4).map { number in
                try house.start(
                    Programs.server, ["--socket", house.socket, "--data-directory", house.root + "/data\(number)"])
            }
            let losers = try await withThrowingTaskGroup(of: Exit.self) { group in
                for racer in racers { group.addTask { try await racer.ended() } }
                var exits: [Exit] = []
                while exits.count < racers.count - 1, let exit = try await group.next() { exits.append(exit) }
                group.cancelAll()
                return exits
            }
            #expect(losers.count == 3)
            #expect(!losers.contains(.status(0)))
            // The others end when it holds the lock, but it may not listen yet.
            let winner = try await house.ready(#require(racers.first { $0.progress.current.exit == nil }))
            _ = try await house.enter(as: "one", username: "first")
            winner.send(SIGTERM)
            #expect(try await winner.ended() == .status(0))
        }
    }

    @Test("A path that is not a socket is refused and left as it is")
    func notASocket() async throws {
        try await Household.with { house in
            let directory = house.root + "/run"
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try Data("precious".utf8).write(to: URL(filePath: house.socket))
            let server = try house.launchServer()
            #expect(try await server.ended() != .status(0))
            #expect((server.progress.current.outputText + server.progress.current.errorText).contains(house.socket))
            #expect(try String(contentsOfFile: house.socket, encoding: .utf8) == "precious")
        }
    }

    @Test("--socket-mode widens the socket")
    func widerMode() async throws {
        try await Household.with { house in
            _ = try await house.startServer(["--socket-mode", "0660"])
            let socket = try mode(house.socket)
            #expect(socket & 0o7777 == 0o660)
        }
    }

    @Test("Logs never carry tokens or profile text")
    func quietLogs() async throws {
        try await Household.with { house in
            let server = try await house.startServer(["--log-level", "trace"])
            _ = try await house.enter(as: "one", username: "secrecy", displayName: "Whispered Name")
            _ = try await house.answer("profile", "edit", "--status", "murmured words", as: "one")
            let sessions = try #require(
                FileManager.default.enumerator(atPath: house.home)?.compactMap { $0 as? String }.first { $0.hasSuffix(".json") })
            let saved = try JSON(String(contentsOfFile: house.home + "/" + sessions, encoding: .utf8))
            let token = try #require(saved["sessions"].elements.first?["token"].text)
            server.send(SIGTERM)
            _ = try await server.ended()
            let logs = server.progress.current.outputText + server.progress.current.errorText
            for secret in [token, "Whispered Name", "murmured words"] { #expect(!logs.contains(secret)) }
        }
    }
}
