import PulseBoardDomain

extension ContractCase {
    static let sessions = [
        ContractCase("an account is one user, whoever signs in to it and however often") { store in
            let first = try await store.openSession(1, user: user(1))
            let second = try await store.openSession(2, user: user(2))
            let other = try await store.openSession(3, account: .unix(uid: 1001), user: user(3))
            try expectEqual(first.session.userID, user(1))
            try expectEqual(second.session.userID, user(1))
            try expectEqual(other.session.userID, user(3))
            try expectEqual(first.hasProfile, false)
        },
        ContractCase("racing to sign in to a new account makes one user") { store in
            let users = try await withThrowingTaskGroup(of: UserID.self) { group in
                for number in 1...16 as ClosedRange<UInt64> {
                    group.addTask { try await store.openSession(number, user: user(number)).session.userID }
                }
                return try await group.reduce(into: Set<UserID>()) { $0.insert($1) }
            }
            try expectEqual(users.count, 1)
        },
        ContractCase("a session is found by its token's hash and by nothing else") { store in
            let opened = try await store.openSession(1, user: user(1))
            try expectEqual(try await store.session(tokenHash: try tokenHash(1), for: .inProcess), opened.session)
            try expectEqual(try await store.session(tokenHash: try tokenHash(2), for: .inProcess), nil)
        },
        ContractCase("signing in says whether there is a profile") { store in
            _ = try await store.openSession(1, user: user(1))
            _ = try await store.createProfile(try draft("name"), for: user(1), at: at(1), idempotency: nil)
            try expectEqual(try await store.openSession(2, user: user(9)).hasProfile, true)
        },
        ContractCase("sessions are listed newest first, without the ended ones") { store in
            _ = try await store.openSession(1, user: user(1), from: at(1), until: at(50))
            _ = try await store.openSession(2, user: user(1), from: at(2), until: at(100))
            _ = try await store.openSession(3, user: user(1), from: at(3), until: at(100))
            try expectEqual(
                try await store.sessions(of: user(1), endingAfter: at(50)).map(\.id), [sessionID(3), sessionID(2)])
            try expectEqual(try await store.sessions(of: user(2), endingAfter: at(50)), [])
        },
        ContractCase("a session is ended by its user only, and only once") { store in
            _ = try await store.openSession(1, user: user(1))
            try expectEqual(try await store.closeSession(sessionID(1), of: user(2), at: epoch), false)
            try expect(try await store.session(tokenHash: try tokenHash(1), for: .inProcess) != nil, "still signed in")
            try expectEqual(try await store.closeSession(sessionID(1), of: user(1), at: epoch), true)
            try expectEqual(try await store.session(tokenHash: try tokenHash(1), for: .inProcess), nil)
            try expectEqual(try await store.closeSession(sessionID(1), of: user(1), at: epoch), false)
        },
        ContractCase("whoever ends a session that has expired is told that there is none, although its row is still there") { store in
            _ = try await store.openSession(1, user: user(1), from: at(1), until: at(50))
            _ = try await store.openSession(2, user: user(1), from: at(1), until: at(51))
            try expectEqual(try await store.closeSession(sessionID(1), of: user(1), at: at(50)), false)
            try expectEqual(try await store.closeSession(sessionID(2), of: user(1), at: at(50)), true)
        },
        ContractCase("all sessions of a user end together, and nobody else's") { store in
            _ = try await store.openSession(1, user: user(1))
            _ = try await store.openSession(2, user: user(1))
            _ = try await store.openSession(3, account: .unix(uid: 1001), user: user(2))
            try await store.closeSessions(of: user(1))
            try expectEqual(try await store.session(tokenHash: try tokenHash(1), for: .inProcess), nil)
            try expectEqual(try await store.session(tokenHash: try tokenHash(2), for: .inProcess), nil)
            try expect(try await store.session(tokenHash: try tokenHash(3), for: .inProcess) != nil, "the other user is signed in")
        },
        ContractCase("signing in beyond the limit ends the oldest session") { store in
            for number in 1...3 as ClosedRange<UInt64> {
                let opened = try await store.openSession(number, user: user(1), from: at(Int64(number)), limit: 2)
                try expectEqual(opened.ended, number == 3 ? [sessionID(1)] : [])
            }
            try expectEqual(try await store.session(tokenHash: try tokenHash(1), for: .inProcess), nil)
            try expectEqual(try await store.sessions(of: user(1), endingAfter: epoch).count, 2)
        },
        ContractCase("a new session stays, also if all others were opened while the clock was ahead") { store in
            for number in 1...2 as ClosedRange<UInt64> {
                _ = try await store.openSession(number, user: user(1), from: at(1_000 + Int64(number)), limit: 2)
            }
            let opened = try await store.openSession(3, user: user(1), from: at(5), limit: 2)
            try expectEqual(opened.ended, [sessionID(1)])
            try expect(try await store.session(tokenHash: try tokenHash(3), for: .inProcess) != nil, "the new session is open")
        },
        ContractCase("a secret is made once and then stays") { store in
            let first = try await store.secret(named: "a", orStore: [1, 2, 3])
            let second = try await store.secret(named: "a", orStore: [4, 5, 6])
            let other = try await store.secret(named: "b", orStore: [7, 8, 9])
            try expectEqual(first, [1, 2, 3])
            try expectEqual(second, [1, 2, 3])
            try expectEqual(other, [7, 8, 9])
        },
    ]
}
