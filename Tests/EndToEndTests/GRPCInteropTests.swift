import Foundation
import Testing

/// Other gRPC clients against the built server: grpcio (Google's C-core), grpclib and h2 (pure Python).
@Suite(
    "Interoperation with gRPC clients", .serialized, .enabled(if: PythonPeer.isExpected, PythonPeer.absence), .timeLimit(.minutes(10)))
struct GRPCInteropTests {
    private func run(_ client: String, _ cases: [String]) async throws {
        try await Household.with { house in
            let server = try await house.startInteropServer()
            let run = try await house.run(
                PythonPeer.interpreter(), [PythonPeer.client(client), house.root + "/interop.sock"] + cases, ["GRPC_VERBOSITY": "NONE"])
            #expect(run.exit == .status(0), "\(run)")
            #expect(run.output.split(separator: "\n").count == cases.count, "\(run)")
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test(
        "grpcio",
        arguments: [
            ["unary", "many"], ["server_stream", "client_stream", "ping_pong"], ["metadata", "context"], ["errors", "unimplemented", "cardinality"],
            ["deadline", "cancel"], ["compression", "too_large", "large_headers"], ["slow_reader"],
        ])
    func grpcio(_ cases: [String]) async throws { try await run("grpcio_client", cases) }

    @Test("grpclib", arguments: [["unary", "streams", "metadata", "errors", "deadline", "cancel"]])
    func grpclib(_ cases: [String]) async throws { try await run("grpclib_client", cases) }

    @Test("Each rule of HTTP/2's framing, broken once: GOAWAY or RST_STREAM with its code, or nothing where nothing is due")
    func violations() async throws {
        try await Household.with { house in
            let server = try await house.startInteropServer()
            let run = try await house.run(PythonPeer.interpreter(), [PythonPeer.client("h2_violations"), house.root + "/interop.sock"])
            #expect(run.exit == .status(0), "\(run)")
            #expect(run.output.split(separator: "\n").count >= 40)
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test("h2: frames that no client should send each have their answer", arguments: [["http", "windows", "ping_flood", "settings_flood", "drain"]])
    func h2(_ cases: [String]) async throws { try await run("h2_client", cases) }
}
