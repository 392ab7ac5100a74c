import PulseBoardMessages
import RPCCore
import Synchronization
import Testing

@testable import PulseBoardCLI

@Suite("The guided flow without a terminal") struct OnboardingTests {
    @Test("a server whose state never changes is asked a few times, with pauses, and then the flow gives up")
    func stuck() async throws {
        let calls = Mutex(0)
        let program = try TestProgram(
            ["CreateProfile": { (_, _) throws(RPCError) in
                let count = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                // Without an end, the test would have none either.
                if count > 20 { throw RPCError(.internal, "too many calls") }
                return PBProfile(userID: "u-1", username: "minji")
            }],
            streams: ["WatchAuthState": { _, _ in
                ([PBWatchAuthStateResponse(update: .state(PBAuthState(state: .needsProfile, userID: "u-1")))], nil)
            }])
        try program.signIn()
        #expect(try await program.run("onboard", "--username", "minji") == 73)
        #expect(calls.withLock { $0 } == 3)
        #expect(program.waits == [.seconds(1), .seconds(1)])
        #expect(program.standardError.contains("your account's state stays the same"))
    }
}
