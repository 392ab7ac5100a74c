import Foundation
import Testing

/// Google's gRPC client through nginx, configured as in docs/behind-a-gateway.md.
@Suite(
    "Behind a gateway, end to end", .serialized, .enabled(if: Gateway.isExpected, Gateway.absence), .timeLimit(.minutes(5)))
struct GatewayTests {
    /// Runs `body` with a server whose remote socket nginx's user can reach.
    private func withServer(
        _ arguments: [String] = [], _ body: (Household, _ remote: String, ChildProcess) async throws -> Void
    ) async throws {
        try await Household.with { house in
            #expect(chmod(house.root, 0o755) == 0)
            try FileManager.default.createDirectory(
                atPath: house.root + "/remote", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
            let remote = house.root + "/remote/board.sock"
            // nginx's user is trusted here on purpose: on the remote socket that has no effect.
            let server = try await house.startServer(
                ["--remote-socket", remote, "--remote-socket-mode", "666", "--trusted-uid", "33", "--admin-uid", "33"] + arguments)
            try await Gateway.makeCertificate(house)
            try await body(house, remote, server)
        }
    }

    private func client(_ house: Household, _ gateway: Gateway, _ name: String, _ rest: [String] = []) async throws {
        let run = try await house.run(
            PythonPeer.interpreter(),
            [PythonPeer.client("gateway_client"), Gateway.certificate(house), house.socket, gateway.socket, name] + rest,
            ["GRPC_VERBOSITY": "NONE"])
        #expect(run.exit == .status(0), "\(run)\n\(gateway.process.progress.current.errorText)")
        #expect(run.output == "\(name) ok\n")
    }

    @Test("Strangers sign in as nobody, administer nothing and learn nothing; users come and go with their tokens")
    func calls() async throws {
        try await withServer { house, remote, server in
            let gateway = try await Gateway(house, in: remote)
            try await client(house, gateway, "strangers")
            try await client(house, gateway, "user")
            #expect(server.progress.current.exit == nil)
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            #expect(access(remote, F_OK) != 0)
            try await client(house, gateway, "gone")
        }
    }

    @Test("Reflection through the gateway, where the operator asks for it; and a gateway that lets fewer methods through")
    func choices() async throws {
        try await withServer(["--remote-reflection"]) { house, remote, _ in
            try await client(house, try await Gateway(house, in: remote), "reflection")
            // As the page writes it.
            let location = #"~ ^/(pulseboard\.(account|auth|profile|follow|diary)\.v1\.|grpc\.health\.v1\.Health/)"#
            let narrow = try await Gateway(house, in: remote, location: location)
            try await client(house, narrow, "narrow")
        }
    }

    @Test("C3, C4, C8: A phone signs in with an ID token, tries again, links a second identity and drops the first, all through the gateway")
    func idToken() async throws {
        let provider = Programs.repository + "/Examples/identity-provider/provider"
        let folder = FileManager.default.temporaryDirectory.path + "/provider-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await Household.with { house in
            let made = try await house.run(provider, ["keys", folder])
            try #require(made.exit == .success, "\(made)")
        }
        try await withServer(["--oidc-config", folder + "/oidc.json"]) { house, remote, _ in
            try await client(house, try await Gateway(house, in: remote), "id_token", [provider, folder])
        }
    }

    @Test("A silent watch outlives the gateway's patience by the server's heartbeat, and dies of it without")
    func heartbeat() async throws {
        try await withServer(["--remote-heartbeat", "0.2"]) { house, remote, _ in
            let mute = (socket: house.root + "/run/mute.sock", remote: house.root + "/remote/mute.sock")
            _ = try await house.ready(
                house.start(
                    Programs.server,
                    ["--socket", mute.socket, "--data-directory", house.root + "/mute", "--remote-socket", mute.remote,
                        "--remote-socket-mode", "666", "--remote-heartbeat", "0"]))
            let living = try await Gateway(house, in: remote, patience: "2s")
            let mortal = try await Gateway(house, in: mute.remote, patience: "2s")
            try await client(house, living, "watch", [mute.socket, mortal.socket])
        }
    }
}
