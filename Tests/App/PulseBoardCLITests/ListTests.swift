import PulseBoardMessages
import RPCCore
import Testing

@testable import PulseBoardCLI

@Suite struct ListTests {
    /// Five hundred followers in pages of at most 200, as the service gives them.
    private static let handlers: [String: StubChannel.Handler] = [
        "ListFollowers": StubChannel.answer(PBListFollowersRequest.self) { (request, _) throws(RPCError) in
            let start = Int(request.pageToken) ?? 0
            let end = min(500, start + min(200, Int(request.pageSize)))
            var response = PBListFollowersResponse()
            response.users = (start..<end).map {
                PBFollowUser(user: PBUserSummary(username: "u\($0)"))
            }
            response.nextPageToken = end < 500 ? String(end) : ""
            return response
        }
    ]

    private func lines(_ arguments: [String]) async throws -> (count: Int, calls: Int, remark: String) {
        let program = try TestProgram(Self.handlers)
        try program.signIn()
        #expect(try await program.run("follow", "followers", arguments[0], arguments[1]) == 0)
        let rows = program.standardOutput.split(separator: "\n").count - 1
        return (rows, program.channel.calls.count, program.standardError)
    }

    @Test("A list is collected from as many pages as it takes, and says when there is more")
    func pages() async throws {
        let some = try await lines(["--limit", "250"])
        #expect(some.count == 250 && some.calls == 2 && some.remark.contains("--page-token 250"))
        let all = try await lines(["--all", "--timeout=5"])
        #expect(all.count == 500 && all.calls == 3 && all.remark.isEmpty)
        let rest = try await lines(["--page-token", "490"])
        #expect(rest.count == 10 && rest.calls == 1)
    }

    @Test("The median of an even number of round trips is between the middle two")
    func ping() {
        let even = PingDocument(socket: "/s", roundTripsInNanoseconds: [4000, 1000, 3000, 2000])
        #expect((even.minMicroseconds, even.medianMicroseconds, even.maxMicroseconds) == (1, 2.5, 4))
        #expect(PingDocument(socket: "/s", roundTripsInNanoseconds: [9000]).medianMicroseconds == 9)
        #expect([12.34, 0.05, 100].map(\.oneDecimal) == ["12.3", "0.1", "100.0"])
    }

    @Test("Ping calls once to connect and then as often as asked")
    func pingCalls() async throws {
        let program = try TestProgram(["GetAuthState": { (_, _) throws(RPCError) in PBAuthState() }])
        #expect(try await program.run("ping", "--count", "7") == 0)
        #expect(program.channel.calls.count == 8)
        #expect(program.standardOutput.contains(TestProgram.socket))
    }
}
