import Foundation
import Testing

/// `pulseboard load` with a small generated network. Most logins break the username rules on purpose.
@Suite("Load, end to end", .serialized, .timeLimit(.minutes(5)))
struct LoadTests {
    /// A generated network, the same in every run.
    private struct Network {
        let logins: [String]
        /// Mutual follows as pairs of indices into `logins`, each pair once.
        let edges: [(Int, Int)]

        init(people: Int, edges count: Int) {
            logins = (0..<people).map { number in
                switch number % 6 {
                case 0: "a-login.too-long-\(number)"
                case 1: "user_\(number)"
                case 2: "USER-\(number - 1)"  // its legal part is another's name in another letter case
                case 3: "사용자이름\(number)"
                case 4: "Ünïcode \(number)"
                default: "~\(number)~"
                }
            }
            var seen: Set<[Int]> = []
            var edges: [(Int, Int)] = []
            var state: UInt64 = 42
            func next(below bound: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33) % bound
            }
            while edges.count < count {
                // Low numbers are chosen more often, so that some people have many follows.
                let (a, b) = (next(below: people), next(below: next(below: people) + 1))
                if a != b, seen.insert([min(a, b), max(a, b)]).inserted { edges.append((a, b)) }
            }
            self.edges = edges
        }

        func neighbours(of person: Int) -> Set<String> {
            Set(edges.compactMap { $0.0 == person ? logins[$0.1] : $0.1 == person ? logins[$0.0] : nil })
        }

        /// The people with the most follows, in descending order.
        func hubs(_ count: Int) -> [Int] {
            logins.indices.sorted { (neighbours(of: $1).count, $0) < (neighbours(of: $0).count, $1) }.prefix(count).map { $0 }
        }

        func write(to house: Household) throws -> (users: String, follows: String) {
            let paths = (users: house.root + "/users.csv", follows: house.root + "/edges.csv")
            let users = logins.enumerated().map { "\($0.offset),\($0.element)\n" }.joined()
            try ("id,name\n" + users).write(toFile: paths.users, atomically: false, encoding: .utf8)
            let follows = edges.map { "\($0.0),\($0.1)\n" }.joined()
            try ("id_1,id_2\n" + follows).write(toFile: paths.follows, atomically: false, encoding: .utf8)
            return paths
        }
    }

    /// Compares counts and lists of the people with the most follows with the network.
    private func expectLoaded(_ network: Network, in house: Household) async throws {
        _ = try await house.answer("auth", "login", as: "reader")
        for hub in network.hubs(5) {
            let login = network.logins[hub]
            let found = try await house.answer("profile", "search", login, as: "reader")["users"].elements
            let person = try #require(found.first { $0["displayName"].text == login }, "\(login) was not loaded")
            let id = try #require(person["userId"].text)
            let neighbours = network.neighbours(of: hub)
            let counts = try await house.answer("follow", "counts", id, as: "reader")
            #expect(counts["followers"].integer == neighbours.count)
            #expect(counts["following"].integer == neighbours.count)
            for direction in ["followers", "following"] {
                let listed = try await house.answer("follow", direction, id, "--all", as: "reader")["users"].elements
                #expect(listed.count == neighbours.count)
                #expect(Set(listed.compactMap { $0["user"]["displayName"].text }) == neighbours)
            }
        }
    }

    @Test("Loading twice is loading once")
    func idempotent() async throws {
        try await Household.withServer { house, _ in
            let network = Network(people: 150, edges: 700)
            let files = try network.write(to: house)
            let first = try await house.answer("load", "--users", files.users, "--follows", files.follows)
            #expect(first["people"]["created"] == 150)
            #expect(first["follows"]["created"] == 1400)
            #expect(first["refusals"] == .array([]))
            try await expectLoaded(network, in: house)

            let second = try await house.answer("load", "--users", files.users, "--follows", files.follows)
            #expect(second["people"]["created"] == 0)
            #expect(second["people"]["existing"] == 150)
            #expect(second["follows"]["created"] == 0)
            #expect(second["follows"]["existing"] == 1400)
            try await expectLoaded(network, in: house)
        }
    }

    @Test("A load keeps the lengths of usernames that the server permits", arguments: ["3-5", "10-20"])
    func usernameLength(_ length: String) async throws {
        try await Household.withServer(["--username-length", length]) { house, _ in
            let network = Network(people: 30, edges: 60)
            let files = try network.write(to: house)
            let summary = try await house.answer("load", "--users", files.users, "--follows", files.follows)
            #expect(summary["people"]["created"] == 30)
            #expect(summary["refusals"] == .array([]))
            try await expectLoaded(network, in: house)
        }
    }

    @Test("A load cut off by kill -9 of the server is completed by running it again")
    func cutOff() async throws {
        try await Household.withServer { house, server in
            let network = Network(people: 600, edges: 4000)
            let files = try network.write(to: house)
            let load = try house.start(
                Programs.commandLine, ["load", "--users", files.users, "--follows", files.follows, "--timeout", "5"],
                ["PULSEBOARD_SOCKET": house.socket])
            // The server is killed while follows are loaded, unless the load ends first.
            try await waitForFollows(in: house, network)
            server.send(SIGKILL)
            #expect(try await server.ended() == .signal(SIGKILL))
            let interrupted = try await load.ended()
            _ = try await house.startServer()
            if interrupted != .status(0) {
                #expect(load.progress.current.errorText.contains("pulseboard load"), "the next command is not named")
            }
            let again = try await house.answer("load", "--users", files.users, "--follows", files.follows)
            #expect(again["people"]["refused"] == 0)
            #expect(again["follows"]["refused"] == 0)
            #expect((again["people"]["created"].integer ?? 0) + (again["people"]["existing"].integer ?? 0) == 600)
            try await expectLoaded(network, in: house)
        }
    }

    /// Reads the counts of the first of these people until there is a follower, one call after another without pauses.
    private func waitForFollows(in house: Household, _ network: Network) async throws {
        let login = network.logins[network.hubs(1)[0]]
        _ = try await house.answer("auth", "login", as: "watcher")
        while !Task.isCancelled {
            let found = try await house.answer("profile", "search", login, as: "watcher")["users"].elements
            guard let id = found.first(where: { $0["displayName"].text == login })?["userId"].text else { continue }
            if try await house.answer("follow", "counts", id, as: "watcher")["followers"].integer != 0 { return }
        }
        throw CancellationError()
    }

    @Test("A file that cannot be loaded is refused with its line, before anything is stored")
    func brokenFile() async throws {
        try await Household.withServer { house, _ in
            let users = house.root + "/users.csv"
            try "id,name\n1,one\n2,two\n1,three\n".write(toFile: users, atomically: false, encoding: .utf8)
            let refused = try await house.pulseboard("load", "--users", users)
            #expect(refused.exit == .invalidArgument)
            #expect(refused.errors.contains("users.csv:4"))
            _ = try await house.answer("auth", "login", as: "reader")
            #expect(try await house.answer("profile", "search", "one", as: "reader")["users"].elements.isEmpty)
        }
    }
}
