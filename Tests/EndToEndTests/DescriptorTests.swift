import Foundation
import PulseBoardMessages
import RPCClient
import RPCCore
import Testing

/// A server that runs out of descriptors.
@Suite("Out of descriptors, end to end", .serialized, .timeLimit(.minutes(2)))
struct DescriptorTests {
    /// What the server may open in all; its own files and loops take about half of it.
    private static let limit = 64
    /// How many clients come: more than it can take.
    private static let clients = 100
    /// How many rests the server's CPU time is watched over.
    private static let rests = 20

    /// CPU time that a process has used, in clock ticks of 10 ms (proc(5), stat: utime and stime).
    private func ticks(_ pid: pid_t) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // The second field is the program's name in brackets; what follows it starts with the third.
        let fields = try #require(text.split(separator: ")").last).split(separator: " ")
        return try #require(Int(fields[11])) + #require(Int(fields[12]))
    }

    private static func rests(in log: String) -> Int { log.components(separatedBy: "still out of descriptors").count - 1 }

    @Test("Out of descriptors the server rests instead of spinning, serves who is there, and takes the others when there is room")
    func exhausted() async throws {
        try await Household.with { house in
            let server = try await limitedServer(in: house)
            let channel = try Channel(socketPath: house.socket)
            let admin = PBAdminServiceClient(channel: channel)
            #expect(try await admin.getServerInfo(PBGetServerInfoRequest()).connections == 1)

            let clients = try (0..<Self.clients).map { _ in try RawConnection(house.socket) }
            for client in clients { try client.ask() }
            #expect(await server.said("warning", "out of descriptors: new connections wait"))
            #expect(try openDescriptors(of: server) == Self.limit)

            let (startTicks, startRests) = (try ticks(server.pid), Self.rests(in: server.progress.current.errorText))
            let enough = startRests + Self.rests
            let hasRested = await server.progress.first { Self.rests(in: $0.errorText) >= enough || $0.exit != nil ? true : nil }
            #expect(hasRested == true && server.progress.current.exit == nil)
            let used = try ticks(server.pid) - startTicks
            #expect(used <= Self.rests, "a rest takes 10 ticks of time and next to none of CPU; a loop that spins takes all it gets")

            let served = Int(try await admin.getServerInfo(PBGetServerInfoRequest()).connections) - 1
            #expect(served > 0 && served < Self.clients)
            for client in clients[..<served] { #expect(await client.answered(), "whoever was accepted is served") }
            // Clients are accepted in the order in which they came. Room for all that wait, in as many turns as it takes.
            for (number, client) in clients.enumerated() {
                if number >= served { #expect(await client.answered(), "client \(number) is served when there is room") }
                client.close()
            }
            #expect(await server.said("notice", "connections are accepted again"))
            #expect(try await admin.getServerInfo(PBGetServerInfoRequest()).pid == server.pid)
            await channel.close()
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test("Whoever takes the last descriptor leaves nobody waiting; the rest ends with the first that is given back")
    func lastDescriptor() async throws {
        try await Household.with { house in
            let server = try await limitedServer(in: house)
            let seen = Observed((answers: 0, isWarned: false))
            let warning = Task {
                let isWarned = await server.said("warning", "out of descriptors: new connections wait")
                seen.change { $0.isWarned = isWarned }
            }
            // One after the other, so that the table is full when somebody was accepted and before somebody waits.
            var clients: [RawConnection] = []
            // The server's table is asked itself: its warning may be read here only after one client more was made to wait.
            while !seen.current.isWarned, server.progress.current.exit == nil, try openDescriptors(of: server) < Self.limit {
                let client = try RawConnection(house.socket)
                clients.append(client)
                try client.ask()
                Task { if await client.answered() { seen.change { $0.answers += 1 } } }
                let count = clients.count
                _ = await seen.first { $0.isWarned || $0.answers == count ? true : nil }
            }
            await warning.value
            let count = clients.count
            #expect(await seen.first { $0.answers == count ? true : nil } == true, "nobody waits")
            for client in clients { client.close() }
            #expect(await server.said("notice", "connections are accepted again"))
        }
    }

    /// Starts a server that may open only so many files.
    private func limitedServer(in house: Household) async throws -> ChildProcess {
        try await house.ready(
            house.start(
                "/bin/bash",
                ["-c", "ulimit -n \(Self.limit); exec \"$@\"", "bash", Programs.server, "--socket", house.socket,
                 "--data-directory", house.data, "--log-level", "debug"]))
    }

    /// How many descriptors a server has open below the limit; one from above it is what whoever runs the tests has left open.
    private func openDescriptors(of server: ChildProcess) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.pid)/fd")
            .compactMap { Int($0) }.filter { $0 < Self.limit }.count
    }
}
