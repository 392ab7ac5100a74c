import Foundation
import Testing

/// Health and reflection of the built server, called by other clients.
@Suite("Health and reflection, end to end", .serialized, .timeLimit(.minutes(5)))
struct StandardServicesTests {
    @Test(
        "grpcio's health and reflection packages, against pulseboardd", .enabled(if: PythonPeer.isExpected, PythonPeer.absence),
        arguments: [["health_check", "health_watch", "reflection", "reflection_errors"]])
    func grpcio(_ cases: [String]) async throws {
        try await Household.withServer { house, server in
            let run = try await house.run(
                PythonPeer.interpreter(), [PythonPeer.client("standard_services_client"), house.socket] + cases,
                ["GRPC_VERBOSITY": "NONE"])
            #expect(run.exit == .status(0), "\(run)")
            #expect(run.output.split(separator: "\n").count == cases.count, "\(run)")
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test(
        "buf curl, knowing nothing of our files: the list, a unary call, a refused one and a stream",
        .enabled(if: BufPeer.isExpected, BufPeer.absence))
    func bufCurl() async throws {
        try await Household.withServer { house, _ in
            let list = try await curl(house, "", ["--list-services"])
            #expect(list.output.split(separator: "\n").contains("pulseboard.follow.v1.FollowService"), "\(list)")
            let state = try await curl(house, "/pulseboard.auth.v1.AuthService/GetAuthState", ["-d", "{}"])
            #expect(try state.document()["state"] == "STATE_SIGNED_OUT")

            let session = try await curl(house, "/pulseboard.auth.v1.AuthService/SignIn", ["-d", #"{"peer":{}}"#])
            guard case .string(let token) = try session.document()["token"] else {
                Issue.record("no token: \(session)")
                return
            }
            let signedIn = ["-H", "authorization: Bearer " + token]
            let refused = try await curl(
                house, "/pulseboard.profile.v1.ProfileService/CreateProfile", signedIn + ["-d", #"{"username":"a"}"#])
            #expect(refused.exit != .status(0), "\(refused)")
            #expect(refused.errors.contains("A username has at least 2 characters."), "\(refused)")
            let created = try await curl(
                house, "/pulseboard.profile.v1.ProfileService/CreateProfile", signedIn + ["-d", #"{"username":"minji"}"#])
            #expect(try created.document()["username"] == "minji")

            // Requests and answers both stream; the call ends with its requests.
            let questions = #"{"listServices":"*"}{"fileByFilename":"none.proto"}"#
            let stream = try await curl(house, "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", ["-d", questions])
            #expect(stream.exit == .status(0), "\(stream)")
            #expect(stream.output.contains("listServicesResponse") && stream.output.contains("errorResponse"), "\(stream)")
        }
    }

    private func curl(_ house: Household, _ path: String, _ arguments: [String]) async throws -> Run {
        try await house.run(
            BufPeer.program,
            ["curl", "--protocol", "grpc", "--http2-prior-knowledge", "--unix-socket", house.socket] + arguments
                + ["http://localhost" + path],
            ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": house.home])
    }

    @Test("A watch of the health hears NOT_SERVING when the drain begins, and does not hold it up", arguments: ["ttrpc", "grpc"])
    func drain(_ wireProtocol: String) async throws {
        try await Household.withServer { house, server in
            let watch = try house.start(
                Programs.commandLine, ["rpc", "call", "grpc.health.v1.Health/Watch", "--protocol", wireProtocol],
                ["PULSEBOARD_SOCKET": house.socket])
            let first = await watch.progress.first { $0.outputLines.isEmpty && $0.exit == nil ? nil : $0.outputText }
            #expect(first == #"{"status":"SERVING"}"# + "\n", "\(watch.progress.current.errorText)")
            server.send(SIGTERM)
            // The grace period is ten seconds, and none of it is needed.
            #expect(try await server.ended() == .status(0))
            #expect(try await watch.ended() == .unavailable)
            #expect(watch.progress.current.outputLines.last == #"{"status":"NOT_SERVING"}"#)
        }
    }
}
