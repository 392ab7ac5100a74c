import Foundation
import Testing

/// `pulseboard rpc` with the built programs.
@Suite("pulseboard rpc, end to end", .serialized, .timeLimit(.minutes(5)))
struct RPCCommandTests {
    private static let auth = "pulseboard.auth.v1.AuthService"

    @Test("The server tells what it serves, and is called by what it has told", arguments: ["ttrpc", "grpc"])
    func ours(_ wireProtocol: String) async throws {
        try await Household.withServer { house, _ in
            func rpc(_ words: String...) async throws -> Run {
                try await house.run(
                    Programs.commandLine, ["rpc"] + words + ["--protocol", wireProtocol], ["PULSEBOARD_SOCKET": house.socket])
            }
            let list = try await rpc("list")
            #expect(
                list.output.split(separator: "\n") == [
                    "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection",
                    "pulseboard.account.v1.AccountService", "pulseboard.admin.v1.AdminService",
                    "pulseboard.auth.v1.AuthService", "pulseboard.diary.v1.DiaryService",
                    "pulseboard.follow.v1.FollowService", "pulseboard.profile.v1.ProfileImageService", "pulseboard.profile.v1.ProfileService",
                ], "\(list)")
            let methods = try await rpc("list", Self.auth, "--json").document()
            #expect(methods["methods"].elements.contains("pulseboard.auth.v1.AuthService/GetAuthState"))
            let description = try await rpc("describe", Self.auth + "/SignIn")
            #expect(description.output.contains("rpc SignIn(SignInRequest) returns (SignInResponse);"), "\(description)")
            #expect(description.output.contains("oneof credential {"), "\(description)")
            #expect(try await rpc("call", Self.auth + "/GetAuthState").document()["state"] == "STATE_SIGNED_OUT")

            let health = try await rpc("call", "grpc.health.v1.Health/List").document()
            #expect(health["statuses"][Self.auth]["status"] == "SERVING" && health["statuses"][""]["status"] == "SERVING")
            // No service names these types, but errors have them.
            for (name, words) in [("google.rpc.Status", "details"), ("pulseboard.errors.v1.ErrorReason", "NOT_AUTHENTICATED = 1;")] {
                let described = try await rpc("describe", name)
                #expect(described.exit == .status(0) && described.output.contains(words), "\(described)")
            }

            let unknown = try await rpc("call", Self.auth + "/NoSuch", "--json")
            #expect(unknown.exit == .notFound)
            #expect(try unknown.failure()["reason"] == "SYMBOL_NOT_FOUND")
            let unsigned = try await rpc("call", "pulseboard.profile.v1.ProfileService/GetMyProfile")
            #expect(unsigned.exit == .unauthenticated)
            #expect(unsigned.errors.contains(#""reason":"NOT_AUTHENTICATED""#), "\(unsigned)")

            _ = try await house.answer("auth", "login")
            let create = "pulseboard.profile.v1.ProfileService/CreateProfile"
            let profile = try await rpc("call", create, "--auth", "-d", #"{"username":"민지","displayName":"Minji"}"#).document()
            #expect(profile["username"] == "민지")
            #expect(try await house.answer("profile", "show")["userId"] == profile["userId"])
            let wrong = try await rpc("call", create, "--auth", "-d", #"{"user":"x"}"#)
            #expect(wrong.exit == .invalidArgument)
            #expect(wrong.errors.contains("pulseboard rpc describe pulseboard.profile.v1.CreateProfileRequest"), "\(wrong)")

            let questions = #"{"listServices":"*"} {"fileByFilename":"none"}"#
            let stream = try await rpc("call", "grpc.reflection.v1.ServerReflection/ServerReflectionInfo", "-d", questions)
            let answers = try stream.output.split(separator: "\n").map { try JSON(String($0)) }
            #expect(answers.count == 2, "\(stream)")
            #expect(answers.last?["errorResponse"]["errorCode"] == 5)
        }
    }

    @Test("Requests come from standard input, one JSON object a line or over several", arguments: ["ttrpc", "grpc"])
    func standardInput(_ wireProtocol: String) async throws {
        try await Household.withServer { house, _ in
            let input = house.home + "/questions"
            try "{\"fileByFilename\":\"a\"}\n\n{\n  \"fileByFilename\": \"}\\\"{\"\n}\n".write(
                toFile: input, atomically: true, encoding: .utf8)
            let run = try await house.run(
                "/bin/sh",
                [
                    "-c", "exec \"$0\" \"$@\" < \"$INPUT\"", Programs.commandLine, "rpc", "call",
                    "grpc.reflection.v1.ServerReflection/ServerReflectionInfo", "-d", "@", "--protocol", wireProtocol,
                ], ["PULSEBOARD_SOCKET": house.socket, "INPUT": input])
            #expect(run.exit == .success, "\(run)")
            let answers = try run.output.split(separator: "\n").map { try JSON(String($0)) }
            #expect(answers.map { $0["originalRequest"]["fileByFilename"] } == ["a", "}\"{"], "\(run)")
        }
    }

    @Test("A call that the server refuses ends at once, although its input goes on", arguments: ["ttrpc", "grpc"])
    func endlessInput(_ wireProtocol: String) async throws {
        try await Household.withServer { house, _ in
            let run = try await house.run(
                "/bin/sh",
                [
                    "-c", "mkfifo \"$INPUT\" && exec \"$0\" \"$@\" <> \"$INPUT\"", Programs.commandLine, "rpc", "call",
                    "pulseboard.profile.v1.ProfileImageService/UploadProfileImage", "-d", "@", "--protocol", wireProtocol,
                ], ["PULSEBOARD_SOCKET": house.socket, "INPUT": house.home + "/endless"])
            #expect(run.exit == .unauthenticated && run.output.isEmpty, "\(run)")
        }
    }

    @Test(
        "A server that is not ours, in all shapes, with files that exist nowhere but in it",
        .enabled(if: PythonPeer.isExpected, PythonPeer.absence))
    func foreign() async throws {
        try await Household.with { house in
            let socket = house.root + "/foreign.sock"
            _ = try await house.ready(
                try house.start(await PythonPeer.interpreter(), [PythonPeer.client("foreign_server"), socket]))
            func rpc(_ words: String...) async throws -> Run {
                try await house.run(Programs.commandLine, ["rpc"] + words + ["--protocol", "grpc", "--socket", socket])
            }
            func values(_ run: Run) throws -> [JSON] {
                #expect(run.exit == .success, "\(run)")
                return try run.output.split(separator: "\n").map { try JSON(String($0))["theValue"] }
            }
            let list = try await rpc("list")
            #expect(list.output.contains("foreign.v1.Sums\n"), "\(list)")
            let otherProtocol = try await house.run(Programs.commandLine, ["rpc", "list", "--socket", socket])
            #expect(otherProtocol.exit == .unavailable && otherProtocol.errors.contains("--protocol grpc"), "\(otherProtocol)")
            let text = try await rpc("describe", "foreign.v1.Number")
            #expect(
                text.output == """
                    // foreign/v1/sums.proto, package foreign.v1
                    message Number {
                      sfixed64 value = 1 [json_name = "theValue"];
                      optional uint32 scale = 2;
                      Old old = 3;
                      map<string, double> counts = 4;
                    }

                    """, "\(text)")
            let old = try await rpc("describe", "foreign.v1.Old")
            #expect(old.output.contains("  required sint64 needed = 1;\n  optional string note = 2 [default = \"none\"];\n"), "\(old)")

            let sent = #"{"theValue":"-5","scale":0,"old":{"needed":"0"},"counts":{"a":1.5,"b":-2}}"#
            #expect(try await rpc("call", "foreign.v1.Sums/Echo", "-d", sent).document() == JSON(sent))
            #expect(try await rpc("call", "foreign.v1.Sums/Echo").output == "{}\n")
            let lacking = try await rpc("call", "foreign.v1.Sums/Echo", "-d", #"{"old":{}}"#)
            #expect(lacking.exit == .invalidArgument && lacking.errors.contains("old.needed"), "\(lacking)")

            let numbers = #"{"value":1} {"theValue":2} {"theValue":"39"}"#
            #expect(try await rpc("call", "foreign.v1.Sums/Sum", "-d", numbers).document()["theValue"] == "42")
            #expect(try values(await rpc("call", "foreign.v1.Sums/Running", "-d", numbers)) == ["1", "3", "42"])
            let counted = try await rpc("call", "foreign.v1.Sums/Count", "-d", #"{"value":3}"#, "--emit-defaults")
            #expect(try values(counted) == ["0", "1", "2"])
            let stopped = try await rpc("call", "foreign.v1.Sums/Running", "-d", #"{"value":1} {"value":"x"}"#)
            #expect(stopped.exit == .invalidArgument && stopped.errors.contains("value"), "\(stopped)")

            let failed = try await rpc("call", "foreign.v1.Sums/Fail", "-d", #"{"theValue":"7"}"#, "--json")
            #expect(failed.exit == .failedPrecondition)
            let details = try failed.failure()["details"].elements
            #expect(details.first?["reason"] == "SUNDAY", "\(failed)")
            #expect(details.dropFirst().first?["theValue"] == "7", "\(failed)")
            #expect(details.last?["value"] == "AQI=", "\(failed)")
            #expect(try failed.failure()["message"] == "FAILED_PRECONDITION: This cannot be done in the present state. (not on Sundays)")
        }
    }

    @Test("A server without reflection, and no server, are told apart")
    func without() async throws {
        try await Household.with { house in
            let interop = try await house.startInteropServer()
            let run = try await house.run(Programs.commandLine, ["rpc", "list", "--socket", house.root + "/interop.sock", "--json"])
            #expect(run.exit == .status(64 + 12), "\(run)")
            #expect(try run.failure()["reason"] == "NO_REFLECTION")
            interop.send(SIGTERM)
            #expect(try await interop.ended() == .status(0))
            let nobody = try await house.run(Programs.commandLine, ["rpc", "list", "--socket", house.root + "/none.sock"])
            #expect(nobody.exit == .unavailable, "\(nobody)")
        }
    }
}
