import Foundation
import PulseBoardVocabulary
import Testing

/// containerd's ttrpc client, with its own encoding, against the project's server.
@Suite(
    "Interoperation with ttrpc for Go", .serialized, .enabled(if: GoPeer.isExpected, GoPeer.absence), .timeLimit(.minutes(5)))
struct InteropTests {
    @Test("The Go client's and our CLI's answers for the same user are the same")
    func sameAnswers() async throws {
        try await Household.withServer { house, _ in
            let minji = try await house.enter(as: "minji", username: "minji", displayName: "김민지 🌿")
            let junho = try await house.enter(as: "junho", username: "junho")
            let (minjiID, junhoID) = (try #require(minji["userId"].text), try #require(junho["userId"].text))
            _ = try await house.answer("profile", "edit", "--status", "안녕하세요\n\"quoted\" \\ <b>", as: "minji")
            _ = try await house.answer("follow", "add", "@junho", as: "minji")
            let token = try #require(try await house.go("sign-in", "minji").document()["token"].text)

            let pairs = [
                (try await house.go("get-my-profile", token), try await house.answer("profile", "show", as: "minji")),
                (try await house.go("get-profile", token, "junho"), try await house.answer("profile", "show", "@junho")),
                (try await house.go("get-profile", token, junhoID), try await house.answer("profile", "show", junhoID)),
                (try await house.go("counts", token, junhoID), try await house.answer("follow", "counts", "@junho")),
                (try await house.go("relationship", token, junhoID),
                 try await house.answer("follow", "status", "@junho", as: "minji")),
                (try await house.go("followers", token, junhoID), try await house.answer("follow", "followers", "@junho")),
                (try await house.go("following", token, minjiID), try await house.answer("follow", "following", "@minji")),
                (try await house.go("search", token, "mi"), try await house.answer("profile", "search", "mi")),
                (try await house.go("check-username", token, "junho"),
                 try await house.answer("profile", "check-username", "junho", as: "minji")),
            ]
            for (go, ours) in pairs {
                #expect(try go.document().withoutNulls == ours.withoutNulls, "\(go.command)")
            }
        }
    }

    @Test("A whole life by the Go client alone: sign in, create, edit, follow, unfollow, delete, sign out")
    func life() async throws {
        try await Household.withServer { house, _ in
            let opened = try await house.go("sign-in", "gopher").document()
            #expect(opened["state"]["state"] == "STATE_NEEDS_PROFILE")
            let token = try #require(opened["token"].text)
            #expect(try await house.go("get-my-profile", token).failure()["reason"] == "USER_NOT_FOUND")
            let made = try await house.go("create-profile", token, "고퍼", "Gopher").document()
            #expect(made["username"] == "고퍼")
            #expect(made["userId"] == opened["session"]["userId"])
            #expect(try await house.go("auth-state", token).document()["state"] == "STATE_READY")
            let edited = try await house.go("set-status", token, "걷는 중", try #require(made["etag"].text)).document()
            #expect(edited["statusMessage"] == "걷는 중")
            #expect(try await house.go("set-status", token, "late", try #require(made["etag"].text)).failure()["reason"] == "ETAG_MISMATCH")

            let other = try #require(try await house.enter(as: "other", username: "other")["userId"].text)
            #expect(try await house.go("follow", token, other).document()["state"] == "STATE_FOLLOWED")
            #expect(try await house.go("counts", token, other).document()["followers"].integer == 1)
            #expect(try await house.go("unfollow", token, other).document()["state"] == "STATE_UNFOLLOWED")
            #expect(try await house.go("sessions", token).document()["sessions"].elements.count == 1)
            #expect(try await house.go("delete-my-profile", token).exit == .status(0))
            #expect(try await house.go("get-my-profile", token).failure()["code"] == 16)
            #expect(try await house.go("auth-state", token).document()["state"] == "STATE_SIGNED_OUT")
        }
    }

    @Test("Errors carry code, reason, every violation and the localised text in their details")
    func errors() async throws {
        try await Household.withServer { house, _ in
            let token = try #require(try await house.go("sign-in", "gopher").document()["token"].text)
            let displayName = String(repeating: "a", count: ProfileTextField.displayName.facts.maximumCharacters + 1)
            let refused = try await house.run(
                GoPeer.program(), ["-language", "ko", house.socket, "create-profile", token, "가", displayName])
            #expect(refused.exit == .status(1))
            let failure = try refused.failure()
            #expect(failure["code"] == 3)
            #expect(failure["name"] == "INVALID_ARGUMENT")
            #expect(failure["domain"] == "pulseboard")
            #expect(failure["violations"].elements.map { $0["field"] } == ["username", "display_name"])
            #expect(failure["locale"].text?.hasPrefix("ko") == true)
            #expect(failure["localized"].text?.unicodeScalars.contains { ("가"..."힣").contains($0) } == true)
        }
    }

    @Test("Without a token, or with a false one, a call is UNAUTHENTICATED", arguments: ["", "false", "Bearer", "日本"])
    func falseToken(token: String) async throws {
        try await Household.withServer { house, _ in
            let failure = try await house.go("get-my-profile", token).failure()
            #expect(failure["name"] == "UNAUTHENTICATED")
            #expect(failure["reason"] == "NOT_AUTHENTICATED")
        }
    }

    @Test("Text that is not UTF-8, or holds a NUL, is refused and not cut: admin\\0x is not admin")
    func foreignBytes() async throws {
        try await Household.withServer { house, _ in
            let token = try #require(try await house.go("sign-in", "gopher").document()["token"].text)
            let invalid: [[UInt8]] = [
                Array("min\0ji".utf8), [0x6d, 0xff, 0x6e], [0xed, 0xa0, 0x80, 0x61], [0xc0, 0xaf, 0x61],
            ]
            for bytes in invalid {
                let failure = try await house.go("create-profile-of-bytes", token, Data(bytes).base64EncodedString()).failure()
                #expect(failure["name"] == "INVALID_ARGUMENT", "\(bytes)")
            }
            #expect(try await house.go("get-my-profile", token).failure()["reason"] == "USER_NOT_FOUND")
            let valid = Data("민지".utf8).base64EncodedString()
            #expect(try await house.go("create-profile-of-bytes", token, valid).document()["username"] == "민지")
        }
    }

    @Test("Unknown services and methods are UNIMPLEMENTED, and the connection answers on")
    func unknownMethods() async throws {
        try await Household.withServer { house, _ in
            let unknown = [
                ["pulseboard.profile.v1.ProfileService", "Nonesuch"], ["pulseboard.nonesuch.v1.Service", "GetMyProfile"],
                ["pulseboard.profile.v1.ProfileServic", "eGetMyProfile"], ["", ""],
            ]
            for names in unknown {
                let failure = try await house.go("call", "token", names[0], names[1]).failure()
                #expect(failure["name"] == "UNIMPLEMENTED", "\(names)")
            }
        }
    }

    @Test("20,000 different calls, 64 at once on one connection: every answer belongs to its call")
    func hammer() async throws {
        try await Household.withServer { house, server in
            for number in 0..<5 { _ = try await house.enter(as: "p\(number)", username: "person\(number)") }
            let token = try #require(try await house.go("sign-in", "p0").document()["token"].text)
            let names = (0..<5).map { "person\($0)" }
            let run = try await house.run(GoPeer.program(), [house.socket, "hammer", token, "20000", "64"] + names)
            #expect(try run.document()["failed"] == 0)
            #expect(server.progress.current.exit == nil)
        }
    }

    @Test("Eight clients hammer at once, and the server ends in order afterwards")
    func manyClients() async throws {
        try await Household.withServer { house, server in
            for number in 0..<3 { _ = try await house.enter(as: "p\(number)", username: "person\(number)") }
            let token = try #require(try await house.go("sign-in", "p0").document()["token"].text)
            let arguments = [house.socket, "hammer", token, "2000", "16", "person0", "person1", "person2"]
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        let run = try await house.run(GoPeer.program(), arguments)
                        #expect(try run.document()["failed"] == 0)
                    }
                }
                try await group.waitForAll()
            }
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }
}
