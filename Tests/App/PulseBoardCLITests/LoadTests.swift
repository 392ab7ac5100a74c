import RPCCore
import Testing

@testable import PulseBoardCLI

@Suite struct LoadTests {
    /// `count` people with logins that break the rules. Each follows the next two, and they follow back.
    private func plan(count: Int = 40, extraUsers: String = "", extraFollows: String = "") throws -> LoadPlan {
        let users = "id,name\n" + (0..<count).map { "\($0),login-number-\($0)\n" }.joined() + extraUsers
        let follows =
            "id_1,id_2\n" + (0..<count).flatMap { ["\($0),\(($0 + 1) % count)\n", "\($0),\(($0 + 2) % count)\n"] }.joined()
            + extraFollows
        return try LoadPlan(
            users: LoadFile(name: "users.csv", bytes: Array(users.utf8)),
            follows: LoadFile(name: "edges.csv", bytes: Array(follows.utf8)), accountPrefix: "load", isOneWay: false)
    }

    private func run(_ plan: LoadPlan, on server: MemoryServer, connections: Int = 2, inFlight: Int = 4) -> LoadRun {
        LoadRun(
            plan: plan, connections: (0..<connections).map { _ in OpenChannel(channel: server) {} }, inFlight: inFlight,
            baseOptions: CallOptions(),
            progress: LoadProgress(isShown: false, columns: 80, language: .english, write: { _ in }))
    }

    @Test("A first run creates everything, signs everybody out and calls no more at once than it may")
    func first() async throws {
        let server = MemoryServer()
        let summary = try await run(plan(), on: server).load()
        #expect(summary.people == .init(total: 40, tally(created: 40)))
        #expect(summary.follows == .init(total: 160, tally(created: 160)))
        #expect(summary.renamed == 40 && summary.refusals.isEmpty)
        #expect(summary.calls == 40 * 3 + 160)
        let state = server.state
        #expect(state.follows.count == 160 && state.sessions.isEmpty)
        #expect(Set(state.displayNames.values) == Set((0..<40).map { "login-number-\($0)" }))
        #expect(state.mostUnderWay <= 8)
    }

    @Test("The summary says how many got another username, and nothing if nobody did", arguments: [
        (0, nil), (1, "\n1 person got a username that differs from the login.\n"),
        (2_000, "\n2,000 people got a username that differs from their login.\n"),
    ])
    func renamed(_ count: Int, _ expected: String?) {
        let counts = LoadSummary.Counts(total: 1, LoadTally())
        let summary = LoadSummary(people: counts, peopleTally: LoadTally(), follows: counts, followTally: LoadTally(), renamed: count, phases: [])
        let text = summary.text(in: .english, style: TextStyle(isTerminal: false, variables: [:]))
        if let expected { #expect(text.hasSuffix(expected), "\(text)") } else { #expect(!text.contains("got a username"), "\(text)") }
    }

    @Test("A second run finds everything there and changes nothing")
    func second() async throws {
        let server = MemoryServer()
        _ = try await run(plan(), on: server).load()
        let before = server.state
        let summary = try await run(plan(), on: server).load()
        #expect(summary.people == .init(total: 40, tally(existing: 40)))
        #expect(summary.follows == .init(total: 160, tally(existing: 160)))
        let after = server.state
        #expect(after.usernames == before.usernames && after.follows == before.follows)
    }

    @Test("A run cut off at any call says so, and the next one ends where a whole run would have", arguments: [1, 25, 60, 100, 239, 260])
    func cutOff(_ calls: Int64) async throws {
        let whole = MemoryServer()
        _ = try await run(plan(), on: whole, connections: 1, inFlight: 1).load()

        let server = MemoryServer(breakAfter: calls)
        let interruption = await #expect(throws: LoadInterruption.self) { try await run(plan(), on: server).load() }
        #expect(interruption?.error.code == .unavailable)
        server.repair()
        let summary = try await run(plan(), on: server).load()
        #expect(summary.people.created + summary.people.existing == 40)
        #expect(summary.follows.created + summary.follows.existing == 160)
        #expect(named(server.state) == named(whole.state))
    }

    @Test("The summary of a cut-off run tells what was done and that running again continues")
    func message() {
        let interruption = LoadInterruption(
            phase: .follows, done: 1234, total: 578_006, error: RPCError(.unavailable, "connection reset"))
        let failure = CommandFailure(
            interruption, in: FailureContext(language: .english, socket: "/s"), command: "load --users u.csv")
        #expect(failure.exitCode == 78)
        #expect(failure.message.contains("after 1,234 of 578,006") && failure.message.contains("running it again continues"))
        #expect(failure.nextCommand == "pulseboard load --users u.csv")
    }

    @Test("Taken and reserved usernames are replaced by the next candidate, the same in every run")
    func alternatives() async throws {
        let mapped = try plan().usernames.usernames
        func load() async throws -> MemoryServer {
            let server = MemoryServer(reserved: [mapped[3].lowercased()])
            server.addStranger(username: mapped[5].uppercased())
            let summary = try await run(plan(), on: server).load()
            #expect(summary.people == .init(total: 40, tally(created: 40)))
            return server
        }
        let first = try await load().state
        let second = try await load().state
        #expect(named(first) == named(second))
        let names = named(first).names
        #expect(names["load:login-number-3"] == (try plan().usernames.alternative(at: 3, attempt: 1)))
        #expect(names["load:login-number-5"] == (try plan().usernames.alternative(at: 5, attempt: 1)))
        #expect(names["load:login-number-4"] == mapped[4])
    }

    @Test("What the server refuses is counted with its reason and does not stop the rest")
    func refusals() async throws {
        let long = String(repeating: "x", count: 55)
        let plan = try plan(extraUsers: "90,\(long)\n", extraFollows: "90,0\n7,7\n")
        let summary = try await run(plan, on: MemoryServer()).load()
        #expect(summary.people.created == 40 && summary.people.refused == 1)
        #expect(summary.follows.created == 160 && summary.follows.refused == 3)
        #expect(summary.refusals.map { "\($0.of) \($0.reason) \($0.count)" } == [
            "people DISPLAY_NAME_TOO_LONG 1", "follows PERSON_REFUSED 2", "follows SELF_FOLLOW 1",
        ])
        #expect(summary.refusals.last?.examples == ["login-number-7 → login-number-7"])
        let text = summary.text(in: .korean, style: TextStyle(isTerminal: false, variables: [:]))
        #expect(text.contains("팔로우") && text.contains("SELF_FOLLOW 자신을 팔로우할 수 없습니다."))
    }

    @Test("Calls that the server has no room for are made again")
    func exhausted() async throws {
        let server = MemoryServer(exhaustedEvery: 50)
        let summary = try await run(plan(), on: server).load()
        #expect(summary.people.created == 40 && summary.follows.created == 160)
        #expect(server.state.sessions.isEmpty)
    }

    /// The result of a run by account, because user ids depend on the order of the sign-ins.
    private func named(_ state: MemoryServer.State) -> Outcome {
        let accounts = Dictionary(uniqueKeysWithValues: state.accounts.map { ($0.value, $0.key) })
        let follows = state.follows.keys.map { key in
            key.split(separator: ">").map { accounts[String($0)] ?? "?" }.joined(separator: ">")
        }
        return Outcome(
            names: Dictionary(uniqueKeysWithValues: state.accounts.map { ($0.key, state.usernames[$0.value] ?? "") }),
            follows: Set(follows))
    }

    private struct Outcome: Equatable {
        var names: [String: String]
        var follows: Set<String>
    }

    private func tally(created: Int = 0, existing: Int = 0) -> LoadTally {
        var tally = LoadTally()
        tally.created = created
        tally.existing = existing
        return tally
    }
}
