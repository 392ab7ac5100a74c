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

    @Test("A list of a server that gives one page again and again ends with an error")
    func repeatedPage() async throws {
        let program = try TestProgram([
            "ListFollowers": StubChannel.answer(PBListFollowersRequest.self) { (_, _) throws(RPCError) in
                PBListFollowersResponse(users: [PBFollowUser(user: PBUserSummary(username: "u"))], nextPageToken: "more")
            },
            "ListSessions": StubChannel.answer(PBListSessionsRequest.self) { (_, _) throws(RPCError) in
                PBListSessionsResponse(nextPageToken: "more")
            },
        ])
        try program.signIn()
        #expect(try await program.run("follow", "followers", "--all") == 77)
        #expect(try await program.run("auth", "sessions") == 77)
        #expect(program.channel.calls.count == 4)
        #expect(program.standardError.contains("the same page"))
    }
}
