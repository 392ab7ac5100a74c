import Foundation
import Testing

/// Servers that are started with a listening socket, as by systemd.
@Suite("Socket hand-over, end to end", .serialized, .timeLimit(.minutes(2)))
struct HandOverTests {
    @Test("A socket that is handed over is served, said so, and left when the server ends")
    func served() async throws {
        try await Household.with { house in
            let holder = try house.holdSocket()
            let server = try await house.startServer(handed: holder)
            #expect(server.progress.current.outputText.contains("ready: socket \(house.socket) (handed over), store SQLite"))
            _ = try await house.enter(as: "one", username: "first")
            #expect(access(house.socket + ".lock", F_OK) != 0, "the holder decides who serves; nothing is locked")
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            #expect(access(house.socket, F_OK) == 0)
        }
    }

    @Test("A call that is made while no server runs waits for the next one")
    func callWaits() async throws {
        try await Household.with { house in
            let holder = try house.holdSocket()
            let first = try await house.startServer(handed: holder)
            first.send(SIGTERM)
            #expect(try await first.ended() == .status(0))
            let call = try house.start(Programs.commandLine, ["ping", "--socket", house.socket])
            _ = try await house.startServer(handed: holder)
            #expect(try await call.ended() == .success, "\(call.progress.current.errorText)")
        }
    }

    @Test("A server that is handed the socket waits for the one before it to leave the store; without a socket it does not")
    func waitsForTheStore() async throws {
        try await Household.with { house in
            let holder = try house.holdSocket()
            let first = try await house.startServer(handed: holder)
            let made = try await house.enter(as: "one", username: "first")
            let second = try house.launchServer(handed: holder, ["--log-level", "info", "--grace-period", "600"])
            #expect(await second.said("info", "waiting for another server", "holder.pid=\(first.pid)"))
            let stranger = try house.start(
                Programs.server, ["--socket", house.root + "/run/other.sock", "--data-directory", house.data])
            // It is refused at once.
            #expect(try await stranger.ended() == .status(EX_UNAVAILABLE))
            #expect(second.progress.current.exit == nil)
            first.send(SIGTERM)
            #expect(try await first.ended() == .status(0))
            _ = try await house.ready(second)
            #expect(try await house.answer("profile", "show", as: "one") == made)
        }
    }

    @Test("The wait for the store is bounded by the grace period and 5 s")
    func boundedWait() async throws {
        try await Household.with { house in
            let holder = try house.holdSocket()
            let first = try await house.startServer(handed: holder)
            let second = try house.launchServer(handed: holder, ["--grace-period", "0"])
            #expect(try await second.ended() == .status(EX_UNAVAILABLE))
            #expect(second.progress.current.errorText.contains("in use by process \(first.pid)"))
            #expect(first.progress.current.exit == nil)
        }
    }

    @Test("--socket may name the socket that is handed over, and no other; its mode is not the server's to set")
    func agreement() async throws {
        try await Household.with { house in
            let holder = try house.holdSocket()
            let agreeing = try await house.startServer(handed: holder, ["--socket", house.root + "/run/../run/board.sock"])
            agreeing.send(SIGTERM)
            #expect(try await agreeing.ended() == .status(0))
            let refused: [([String], [String: String], String)] = [
                (["--socket", house.root + "/other.sock"], [:], house.socket),
                ([], ["PULSEBOARD_SOCKET": house.root + "/other.sock"], house.socket),
                (["--socket-mode", "666"], [:], "SocketMode"),
            ]
            for (arguments, variables, named) in refused {
                let server = try house.launchServer(handed: holder, arguments, variables)
                #expect(try await server.ended() == .status(EX_USAGE))
                #expect(server.progress.current.errorText.contains(named), "\(server.progress.current.errorText)")
            }
            #expect(access(house.socket, F_OK) == 0)
        }
    }

    @Test("A descriptor that cannot be served is refused with its reason; a socket for another process is left alone")
    func wrongDescriptor() async throws {
        try await Household.with { house in
            let server = try house.start(
                "/bin/sh", ["-c", "LISTEN_PID=$$; export LISTEN_PID; exec \"$@\" 3</dev/null", "sh", Programs.server],
                ["LISTEN_FDS": "1"])
            #expect(try await server.ended() == .status(EX_UNAVAILABLE))
            #expect(server.progress.current.errorText.contains("handed over: descriptor 3 cannot be served: it is not a socket"))
            let other = try await house.ready(
                house.start(
                    Programs.server, ["--socket", house.socket, "--data-directory", house.data],
                    ["LISTEN_PID": "1", "LISTEN_FDS": "1"]))
            #expect(!other.progress.current.outputText.contains("handed over"))
        }
    }
}
