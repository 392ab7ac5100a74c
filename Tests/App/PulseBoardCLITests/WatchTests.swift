import Foundation
import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore
import Synchronization
import Testing

@testable import PulseBoardCLI

@Suite struct WatchTests {
    /// Streams for successive attempts. The last one is repeated.
    private static func attempts(
        _ attempts: [(messages: [any Message], ending: RPCError?)]
    ) -> StubChannel.StreamHandler {
        let number = Atomic<Int>(0)
        return { _, _ in
            attempts[min(number.wrappingAdd(1, ordering: .relaxed).oldValue, attempts.count - 1)]
        }
    }

    private static let gone = RPCError(.unavailable, "the server is shutting down")

    private static func event(
        _ kind: PBFollowEvent.Kind, _ cause: PBFollowEvent.Cause, _ name: String, token: String
    ) -> PBWatchFollowsResponse {
        let event = PBFollowEvent(
            kind: kind, cause: cause, user: PBUserSummary(userID: "u-9", username: name),
            eventTime: Google_Protobuf_Timestamp(microsecondsSinceEpoch: 1_767_484_800_000_001))
        return PBWatchFollowsResponse(update: .event(event), resumeToken: token)
    }

    private static func position(_ token: String) -> PBWatchFollowsResponse {
        PBWatchFollowsResponse(update: .position(PBFollowPosition()), resumeToken: token)
    }

    private func resumeTokens(_ program: TestProgram) -> [String] {
        program.channel.calls.compactMap { ($0.request as? PBWatchFollowsRequest)?.resumeToken }
    }

    @Test("A stream has no deadline, and begins with the token it is given")
    func options() async throws {
        let program = try TestProgram(streams: ["WatchFollows": Self.attempts([([Self.position("p1")], nil)])])
        try program.signIn(token: "secret")
        #expect(try await program.run("follow", "watch", "--resume", "p0", "--timeout", "3") == 0)
        #expect(resumeTokens(program) == ["p0"])
        let call = try #require(program.channel.calls.first)
        #expect(call.options.timeout == nil)
        #expect(call.options.metadata["authorization"] == "Bearer secret")
        #expect(program.standardOutput == "")
        #expect(program.standardError.contains("Ctrl-C"))
    }

    @Test("A watch that has begun goes on after a moment with too many calls, and ends at the limit of watches")
    func tooManyCalls() async throws {
        let busy = RPCError(.resourceExhausted, "too many calls at once", origin: .peer)
        let limit = try RPCError.with(.resourceExhausted, reason: "WATCH_LIMIT")
        let program = try TestProgram(streams: [
            "WatchFollows": Self.attempts([([Self.position("p1")], Self.gone), ([], busy), ([Self.position("p2")], limit)])
        ])
        try program.signIn()
        #expect(try await program.run("follow", "watch") == 64 + StatusCode.resourceExhausted.rawValue)
        #expect(program.waits == [.milliseconds(500), .seconds(1)])
        #expect(resumeTokens(program) == ["", "p1", "p1"])
    }

    @Test("Every event is a line that says who did what, in the user's language and time zone", arguments: [
        (PBFollowEvent.Kind.followed, PBFollowEvent.Cause.follower, "You follow @kim.", "@kim을(를) 팔로우합니다."),
        (.unfollowed, .follower, "You no longer follow @kim.", "@kim을(를) 더 이상 팔로우하지 않습니다."),
        (.unfollowed, .followee, "@kim removed you as a follower.", "@kim이(가) 나를 팔로워에서 삭제했습니다."),
        (.followerGained, .follower, "@kim follows you.", "@kim이(가) 나를 팔로우합니다."),
        (.followerLost, .follower, "@kim no longer follows you.", "@kim이(가) 더 이상 나를 팔로우하지 않습니다."),
        (.followerLost, .followee, "You removed @kim as a follower.", "@kim을(를) 팔로워에서 삭제했습니다."),
    ])
    func lines(_ kind: PBFollowEvent.Kind, _ cause: PBFollowEvent.Cause, _ english: String, _ korean: String) async throws {
        let events = [Self.position("p"), Self.event(kind, cause, "kim", token: "t")]
        for (locale, sentence) in [("en_US.UTF-8", english), ("ko_KR.UTF-8", korean)] {
            let program = try TestProgram(
                streams: ["WatchFollows": Self.attempts([(events, nil)])], variables: ["LANG": locale])
            try program.signIn()
            #expect(try await program.run("follow", "watch") == 0)
            #expect(program.standardOutput == "2026-01-04 09:00:00 +09:00  \(sentence)\n")
        }
    }

    @Test("Somebody who has left has no name any more, and is named by id")
    func withdrawn() async throws {
        let events = [
            Self.event(.unfollowed, .withdrawal, "", token: "t1"), Self.event(.followerLost, .withdrawal, "", token: "t2"),
        ]
        let program = try TestProgram(streams: ["WatchFollows": Self.attempts([(events, nil)])])
        try program.signIn()
        #expect(try await program.run("follow", "watch") == 0)
        let lines = program.standardOutput.split(separator: "\n")
        #expect(lines.map { $0.dropFirst(28) } == ["u-9, whom you followed, has left.", "u-9, who followed you, has left."])
    }

    @Test("With --json each message is one document on a line, the position and its token included")
    func json() async throws {
        let events = [Self.position("p1"), Self.event(.followed, .follower, "kim", token: "t1")]
        let program = try TestProgram(streams: ["WatchFollows": Self.attempts([(events, nil)])])
        try program.signIn()
        #expect(try await program.run("follow", "watch", "--json") == 0)
        let lines = program.standardOutput.split(separator: "\n")
        #expect(lines.count == 2)
        let documents = try lines.map { try PBWatchFollowsResponse(jsonString: String($0)) }
        #expect(documents == events)
        #expect(program.standardError == "")
    }

    @Test("A server that goes away is waited for, and the watch goes on after the last event, without repeating any")
    func resume() async throws {
        let program = try TestProgram(streams: [
            "WatchFollows": Self.attempts([
                ([Self.position("p1"), Self.event(.followed, .follower, "kim", token: "t1")], Self.gone),
                ([], Self.gone), ([], Self.gone),
                ([Self.position("t1"), Self.event(.followerGained, .follower, "kim", token: "t2")], Self.gone),
                ([Self.position("t2")], nil),
            ])
        ])
        try program.signIn()
        #expect(try await program.run("follow", "watch", "--json") == 0)
        #expect(resumeTokens(program) == ["", "t1", "t1", "t1", "t2"])
        #expect(program.standardOutput.split(separator: "\n").count == 3)
        #expect(program.waits == [.milliseconds(500), .seconds(1), .seconds(2), .milliseconds(500)])
        #expect(program.standardError.components(separatedBy: "trying again").count == 3)
        #expect(program.standardError.components(separatedBy: "Connected again").count == 3)
    }

    @Test("The waits grow up to ten seconds")
    func waits() throws {
        var retries = WatchRetries()
        let early = retries.fail()
        let begun = retries.succeed()
        let waits = (1...20).compactMap { _ in retries.fail() }
        let again = retries.succeed()
        let next = retries.fail()
        #expect(early == nil)
        #expect(!begun)
        #expect(waits.prefix(6) == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(10)])
        #expect(waits.suffix(14).allSatisfy { $0 == .seconds(10) })
        #expect(again)
        #expect(next == .milliseconds(500))
    }

    @Test("A server that was never there is a failure, and so is a refusal after the stream has begun")
    func failures() async throws {
        let absent = try TestProgram(streams: ["WatchFollows": Self.attempts([([], Self.gone)])])
        try absent.signIn()
        #expect(try await absent.run("follow", "watch") == 78)
        #expect(absent.waits == [])

        let forged = try RPCError.with(.invalidArgument, reason: "RESUME_TOKEN_INVALID")
        let late = try TestProgram(streams: [
            "WatchFollows": Self.attempts([([Self.position("p")], Self.gone), ([], forged)])
        ])
        try late.signIn()
        #expect(try await late.run("follow", "watch") == 67)
        #expect(late.standardError.contains("pulseboard follow watch"))

        let signedOut = try TestProgram()
        #expect(try await signedOut.run("follow", "watch") == 80)
        #expect(try await signedOut.run("profile", "watch") == 80)
        #expect(signedOut.channel.calls.isEmpty)
    }

    @Test("A profile is a line each time it changes, not each time it is sent")
    func profile() async throws {
        @Sendable func profile(_ status: String, _ etag: String) -> PBProfile {
            PBProfile(
                userID: "u-9", username: "kim", displayName: "킴", statusMessage: status,
                createTime: Google_Protobuf_Timestamp(microsecondsSinceEpoch: 1_767_484_800_000_000),
                updateTime: Google_Protobuf_Timestamp(microsecondsSinceEpoch: 1_767_484_800_000_000), etag: etag)
        }
        @Sendable func update(_ status: String, _ etag: String) -> PBWatchProfileResponse {
            PBWatchProfileResponse(update: .profile(profile(status, etag)))
        }
        let deleted = PBWatchProfileResponse(update: .withdrawn(PBProfileWithdrawn(userID: "u-9")))
        let heartbeat = PBWatchProfileResponse(update: .heartbeat(PBProfileHeartbeat()))
        let program = try TestProgram(
            ["GetProfile": { (_, _) throws(RPCError) in profile("", "e1") }],
            streams: [
                "WatchProfile": Self.attempts([
                    ([update("", "e1"), heartbeat, update("안녕\n하세요", "e2")], Self.gone),
                    ([update("안녕\n하세요", "e2"), heartbeat, deleted], nil),
                ])
            ])
        try program.signIn()
        #expect(try await program.run("profile", "watch", "@kim") == 69)
        #expect(program.standardOutput == """
            2026-01-04 09:00:00 +09:00  @kim  킴
            2026-01-04 09:00:00 +09:00  @kim  킴  안녕 하세요

            """)
        let requests = program.channel.calls.compactMap { $0.request as? PBWatchProfileRequest }
        #expect(requests.map(\.userID) == ["u-9", "u-9"])
        #expect(program.standardError.contains("The profile is gone."))
    }

    @Test("The state is a line each time it changes, and signing out is the end, with 0")
    func auth() async throws {
        func state(_ state: PBAuthState.State) -> PBWatchAuthStateResponse {
            PBWatchAuthStateResponse(update: .state(PBAuthState(state: state, userID: "u-1")))
        }
        let unchecked = PBWatchAuthStateResponse(update: .unchecked(PBAuthStateUnchecked(reason: "DATA_LOSS")))
        let heartbeat = PBWatchAuthStateResponse(update: .heartbeat(PBHeartbeat()))
        let program = try TestProgram(streams: [
            "WatchAuthState": Self.attempts([
                ([state(.needsProfile), heartbeat, state(.ready)], Self.gone),
                ([state(.ready), unchecked, state(.signedOut)], nil),
            ])
        ])
        try program.signIn()
        #expect(try await program.run("auth", "watch") == 0)
        #expect(program.standardOutput == "signed in, without a profile\nsigned in\nsigned out\n")
        #expect(program.standardError.contains("DATA_LOSS"))

        let guest = try TestProgram(streams: ["WatchAuthState": Self.attempts([([state(.signedOut)], nil)])])
        #expect(try await guest.run("auth", "watch", "--json") == 0)
        #expect(guest.channel.calls.first?.options.metadata["authorization"] == nil)
        #expect(guest.standardOutput.contains("STATE_SIGNED_OUT"))
    }
}
