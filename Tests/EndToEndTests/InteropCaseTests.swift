import Foundation
import Testing

/// gRPC's interoperability cases: the project's client against its server, each of them against grpcio, and over ttrpc as far as
/// possible.
@Suite("gRPC's interoperability cases", .serialized, .timeLimit(.minutes(5)))
struct InteropCaseTests {
    /// All cases, in the order in which the client runs them.
    private static let cases = [
        "empty_unary", "large_unary", "client_streaming", "server_streaming", "ping_pong", "empty_stream", "client_compressed_unary",
        "server_compressed_unary", "client_compressed_streaming", "server_compressed_streaming", "custom_metadata", "status_code_and_message",
        "special_status_message", "unimplemented_method", "unimplemented_service", "cancel_after_begin", "cancel_after_first_response",
        "timeout_on_sleeping_server",
    ]
    /// Cases that ttrpc cannot express: compression, and response metadata.
    private static let beyondTTRPC: Set = [
        "client_compressed_unary", "server_compressed_unary", "client_compressed_streaming", "server_compressed_streaming", "custom_metadata",
    ]
    /// grpcio's handlers do not know whether a request was compressed, so a grpcio server cannot refuse an uncompressed one.
    private static let beyondPythonServer: Set = ["client_compressed_unary", "client_compressed_streaming"]

    /// Cases of Java's suite besides these.
    private static let javaCases = ["half_duplex"]

    private static func report(_ cases: [String]) -> [String] { cases.map { "\($0): ok" } }

    @Test("Our client and our server", arguments: ["grpc", "ttrpc"])
    func ours(_ wireProtocol: String) async throws {
        try await Household.with { house in
            let server = try await house.startInteropServer()
            let run = try await house.run(
                Programs.interopClient, ["--socket", house.root + "/interop.sock", "--test-case", "all", "--protocol", wireProtocol])
            #expect(run.exit == .status(0), "\(run)")
            let expected = Self.cases.filter { wireProtocol == "grpc" || !Self.beyondTTRPC.contains($0) }
            #expect(run.output.split(separator: "\n").map(String.init) == Self.report(expected))
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test("A server that does not do what a case asks for fails it")
    func failure() async throws {
        try await Household.withServer { house, _ in
            let run = try await house.run(Programs.interopClient, ["--socket", house.socket, "--test-case", "empty_unary"])
            #expect(run.exit == .status(1))
            #expect(run.output.hasPrefix("empty_unary: UNIMPLEMENTED"))
        }
    }

    @Test("grpcio's client and our server", .enabled(if: PythonPeer.isExpected, PythonPeer.absence))
    func pythonClient() async throws {
        try await Household.with { house in
            let server = try await house.startInteropServer()
            let run = try await house.run(
                PythonPeer.interpreter(), [PythonPeer.client("grpcio_interop_client"), house.root + "/interop.sock"] + Self.cases + Self.javaCases,
                ["GRPC_VERBOSITY": "NONE"])
            #expect(run.exit == .status(0), "\(run)")
            #expect(run.output.split(separator: "\n").map(String.init) == Self.report(Self.cases + Self.javaCases))
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test("gRPC for C++'s client and our server", .enabled(if: CppPeer.isExpected, CppPeer.absence))
    func cppClient() async throws {
        try await Household.with { house in
            let server = try await house.startInteropServer()
            let run = try await house.run(CppPeer.program(), [house.root + "/interop.sock"] + Self.cases)
            #expect(run.exit == .status(0), "\(run)")
            #expect(run.output.split(separator: "\n").map(String.init) == Self.report(Self.cases))
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test("Our client and grpcio's server", .enabled(if: PythonPeer.isExpected, PythonPeer.absence))
    func pythonServer() async throws {
        try await Household.with { house in
            let socket = house.root + "/interop.sock"
            let server = try await house.ready(
                house.start(PythonPeer.interpreter(), [PythonPeer.client("grpcio_interop_server"), socket], ["GRPC_VERBOSITY": "NONE"]))
            for each in Self.cases where !Self.beyondPythonServer.contains(each) {
                let run = try await house.run(Programs.interopClient, ["--socket", socket, "--test-case", each])
                #expect(run.exit == .status(0) && run.output == "\(each): ok\n", "\(run)")
            }
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }
}
