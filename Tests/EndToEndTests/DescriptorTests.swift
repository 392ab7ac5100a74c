import Foundation
import PulseBoardMessages
import RPCClient
import RPCCore
import Testing

/// A server with a low limit of descriptors.
@Suite("Descriptors, end to end", .serialized, .timeLimit(.minutes(2)))
struct DescriptorTests {
    /// The limit of descriptors.
    private static let limit = 256
    /// The reserve, and an eighth of the limit and two more for uploads.
    private static let reserved = 64 + limit / 8 + 2
    /// The maximum connections of one uid with this limit: a quarter of the descriptors that are not reserved.
    private static let share = (limit - reserved) / 4

    @Test("One uid gets its share and no more; who is one too many is closed on at once; the store works on, and room is there as soon as it is made")
    func share() async throws {
        try await Household.with { house in
            let server = try await limitedServer(in: house, "ulimit -n \(Self.limit)")
            let channel = try Channel(socketPath: house.socket)
            let admin = PBAdminServiceClient(channel: channel)
            #expect(try await admin.getServerInfo(PBGetServerInfoRequest()).connections == 1)

            let clients = try (1..<Self.share).map { _ in try RawConnection(house.socket) }
            for client in clients {
                try client.ask()
                #expect(await client.answered())
            }
            let refused = try (0..<100).map { _ in try RawConnection(house.socket) }
            for client in refused {
                #expect(await !client.answered(), "closed on, unread")
                client.close()
            }
            #expect(await server.said("warning", "refused a connection: too many of this uid"))
            #expect(try await admin.getServerInfo(PBGetServerInfoRequest()).connections == Self.share)
            #expect(try openDescriptors(of: server) < Self.limit - Self.reserved)

            // Existing connections continue, and operations that need files work.
            let session = try await PBAuthServiceClient(channel: channel).signIn(PBSignInRequest(credential: .peer(PBPeerCredential())))
            #expect(!session.token.isEmpty)
            for client in clients { client.close() }
            // The server notices the closes later. The number shows when.
            while try await admin.getServerInfo(PBGetServerInfoRequest()).connections > 1 {}
            _ = try await house.enter(as: "one", username: "first")
            await channel.close()
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test("The soft limit becomes the hard one")
    func raised() async throws {
        try await Household.with { house in
            let server = try await limitedServer(in: house, "ulimit -S -n 64; ulimit -H -n 512")
            let limits = try String(contentsOfFile: "/proc/\(server.pid)/limits", encoding: .utf8)
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
            #expect(line.split(separator: " ").dropFirst(3).prefix(2) == ["512", "512"])
        }
    }

    /// Starts a server with a limit of descriptors.
    private func limitedServer(in house: Household, _ limiting: String) async throws -> ChildProcess {
        try await house.ready(
            house.start(
                "/bin/bash",
                ["-c", limiting + "; exec \"$@\"", "bash", Programs.server, "--socket", house.socket, "--data-directory", house.data,
                 // A slow machine may need long between connecting and calling.
                 "--limit", "first-byte-seconds=3600"]))
    }

    /// How many descriptors below the limit a server has open. Higher ones were inherited from the process that runs the
    /// tests.
    private func openDescriptors(of server: ChildProcess) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.pid)/fd")
            .compactMap { Int($0) }.filter { $0 < Self.limit }.count
    }
}
