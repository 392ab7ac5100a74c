import Foundation
import PulseBoardMessages
import RPCClient
import RPCCore
import TestHarness
import Testing

/// Signals at any time, and a log that nobody reads.
@Suite("Signals and the log, end to end", .serialized, .timeLimit(.minutes(2)))
struct SignalTests {
    @Test("SIGTERM as soon as the socket is there ends the start with status 0, and no socket is left", arguments: 0..<10)
    func duringStart(_ round: Int) async throws {
        try await Household.with { house in
            let server = try house.launchServer()
            // In a tight loop, so that SIGTERM comes within microseconds.
            while access(house.socket, F_OK) != 0, server.progress.current.exit == nil { await Task.yield() }
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0), "\(server.progress.current.errorText)")
            #expect(access(house.socket, F_OK) != 0)
            let next = try await house.startServer()
            _ = try await house.enter(as: "one", username: "first")
            next.send(SIGTERM)
            #expect(try await next.ended() == .status(0))
        }
    }

    @Test("from the first moment of its own on, a server ignores SIGHUP, and SIGTERM and SIGINT end it with status 0", arguments: [SIGTERM, SIGINT])
    func firstMoment(_ signal: Int32) async throws {
        try await Household.with { house in
            let server = try house.launchServer()
            // The kernel lists the ignored signals of a process, one bit each.
            while server.progress.current.exit == nil {
                let status = (try? String(contentsOfFile: "/proc/\(server.pid)/status", encoding: .utf8)) ?? ""
                let ignored = status.firstMatch(of: /SigIgn:\s+([0-9a-f]+)/).flatMap { UInt64($0.1, radix: 16) } ?? 0
                if ignored & 1 << (SIGHUP - 1) != 0 { break }
            }
            server.send(SIGHUP)
            server.send(signal)
            #expect(try await server.ended() == .status(0), "\(server.progress.current.errorText)")
            #expect(access(house.socket, F_OK) != 0)
        }
    }

    @Test("SIGTERM and SIGINT end a server that waits for another to leave the data directory", arguments: [SIGTERM, SIGINT])
    func whileWaiting(_ signal: Int32) async throws {
        try await Household.with { house in
            let holder = try house.holdSocket()
            let first = try await house.startServer(handed: holder)
            let second = try house.launchServer(handed: holder, ["--log-level", "info", "--grace-period", "600"])
            #expect(await second.said("info", "waiting for another server"))
            second.send(SIGHUP)
            #expect(await second.said("notice", "SIGHUP"))
            second.send(signal)
            #expect(try await second.ended() == .status(0))
            #expect(await second.said("info", "stopped during the start"))
            #expect(access(house.socket, F_OK) == 0, "it is its holder's")
            _ = try await house.enter(as: "one", username: "first")
            #expect(first.progress.current.exit == nil)
        }
    }

    @Test("SIGHUP and SIGPIPE end nothing")
    func harmless() async throws {
        try await Household.withServer { house, server in
            server.send(SIGPIPE)
            server.send(SIGHUP)
            #expect(await server.said("notice", "SIGHUP: the log goes to no file"))
            _ = try await house.enter(as: "one", username: "first")
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    /// Starts a server with a shell's redirections of its descriptors.
    private func start(_ house: Household, _ descriptors: String, _ arguments: [String] = []) throws -> ChildProcess {
        try house.start(
            "/bin/sh",
            ["-c", descriptors + "; exec \"$@\"", "sh", Programs.server, "--socket", house.socket, "--data-directory", house.data] + arguments)
    }

    @Test("SIGHUP opens a log file again that was moved away")
    func movedLog() async throws {
        try await Household.with { house in
            let log = house.root + "/log"
            let server = try await house.ready(start(house, "exec 2>>\(log)", ["--log-level", "debug"]))
            try FileManager.default.moveItem(atPath: log, toPath: log + ".1")
            server.send(SIGHUP)
            await until { access(log, F_OK) == 0 || server.progress.current.exit != nil }
            _ = try await house.enter(as: "one", username: "first")
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            #expect(try String(contentsOfFile: log, encoding: .utf8).contains("ProfileService/CreateProfile"))
            #expect(try !String(contentsOfFile: log + ".1", encoding: .utf8).contains("ProfileService/CreateProfile"))
        }
    }

    @Test("A configuration that has become a pipe holds no SIGTERM up")
    func configurationPipe() async throws {
        try await Household.with { house in
            let path = house.root + "/pulseboardd.toml"
            try "log-level = \"info\"\n".write(toFile: path, atomically: true, encoding: .utf8)
            let server = try await house.ready(start(house, "true", ["--config", path]))
            try FileManager.default.removeItem(atPath: path)
            #expect(mkfifo(path, 0o600) == 0)
            server.send(SIGHUP)
            _ = try await house.enter(as: "one", username: "first")
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            #expect(server.progress.current.errorText.contains("not a regular file"))
        }
    }

    /// Calls that each write a line of a hundred bytes and more at `debug`.
    private func chatter(_ house: Household, _ count: Int) async throws {
        let channel = try Channel(socketPath: house.socket)
        let auth = PBAuthServiceClient(channel: channel)
        for _ in 0..<count { _ = try await auth.getAuthState(PBGetAuthStateRequest()) }
        await channel.close()
    }

    @Test("A log that nobody reads holds no call up, and no SIGTERM")
    func unreadLog() async throws {
        try await Household.with { house in
            let pipe = house.root + "/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            // The pipe has a reader that never reads: the server itself.
            let server = try await house.ready(start(house, "exec 9<>\(pipe) 2>\(pipe)", ["--log-level", "trace"]))
            // About 600 KB, for a pipe of 64 KiB and a buffer of 256 KiB.
            try await chatter(house, 5000)
            server.send(SIGHUP)
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test("A log whose reader is gone ends no server")
    func readerGone() async throws {
        try await Household.with { house in
            let pipe = house.root + "/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            let server = try await house.ready(start(house, "exec 9<>\(pipe) 2>\(pipe) 9>&-", ["--log-level", "trace"]))
            try await chatter(house, 10)
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }
}
