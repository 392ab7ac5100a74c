import PulseBoardMessages
import RPCCore
import Testing

@Suite("Consistency of calls") struct ConsistencyCallTests {
    @Test("what cannot be understood is CONSISTENCY_INVALID, to whom a session has proved; others learn nothing of it")
    func refused() async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            func failure(_ text: String, _ options: CallOptions) async -> String? {
                var options = options
                options.metadata.append(text, for: "pulseboard-consistency")
                do throws(RPCError) {
                    _ = try await board.profiles.getMyProfile(PBGetMyProfileRequest(), options: options)
                    return nil
                } catch {
                    return "\(error.code) \(error.reason ?? "")"
                }
            }
            for text in ["latest", "1.0.0", "1.255.9223372036854775807"] { #expect(await failure(text, kim.options) == nil) }
            for text in ["", "newest", "1.256.0", String(repeating: "x", count: 4_096)] {
                #expect(await failure(text, kim.options) == "INVALID_ARGUMENT CONSISTENCY_INVALID")
                #expect(await failure(text, CallOptions()) == "UNAUTHENTICATED NOT_AUTHENTICATED")
            }
            let state = await #expect(throws: RPCError.self) {
                try await board.auth.getAuthState(PBGetAuthStateRequest(), options: CallOptions(metadata: ["pulseboard-consistency": "soon"]))
            }
            #expect(state?.reason == "CONSISTENCY_INVALID")
        }
    }
}
