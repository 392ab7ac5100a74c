import PulseBoardDomain
import Synchronization

extension ContractCase {
    static let identities = [
        ContractCase("C3: a token opens one session, and its use is told from others by its hash alone") { store in
            _ = try await store.openSession(1, account: google("a"), user: user(1), using: try use(1))
            try await expectError(.idTokenRefused(.replayed)) { () async throws(RepositoryError) in
                try await store.reopen(2, google("a"), try use(1))
            }
            try await expectError(.idTokenRefused(.replayed)) { () async throws(RepositoryError) in
                try await store.reopen(2, google("a"), try use(1, request: "r", nonce: 9))
            }
            try expectEqual(try await store.sessions(of: user(1), endingAfter: epoch).map(\.id), [sessionID(1)])
            _ = try await store.openSession(3, account: google("a"), user: user(9), using: try use(2))
            try expectEqual(try await store.sessions(of: user(1), endingAfter: epoch).count, 2)
        },
        ContractCase("C3: of many sign-ins that race with one token one opens a session") { store in
            let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...16 as ClosedRange<UInt64> {
                    group.addTask {
                        do {
                            _ = try await store.openSession(number, account: google("a"), user: user(number), using: try use(1))
                            return true
                        } catch RepositoryError.idTokenRefused(.replayed) {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expectEqual(opened, 1)
            var sessions = 0
            for number in 1...16 as ClosedRange<UInt64> { sessions += try await store.sessions(of: user(number), endingAfter: epoch).count }
            try expectEqual(sessions, 1)
        },
        ContractCase("C4: the same token under the same request id ends the session that it opened, and opens another") { store in
            let token = try use(1, request: "r1", nonce: 1)
            _ = try await store.openSession(1, account: google("a"), user: user(1), using: token)
            for number in 2...4 as ClosedRange<UInt64> {
                let opened = try await store.openSession(number, account: google("a"), user: user(9), using: token)
                try expectEqual(opened.ended, [sessionID(number - 1)])
                try expectEqual(opened.session.userID, user(1))
                try expectEqual(try await store.session(tokenHash: try tokenHash(number - 1), for: .inProcess), nil)
            }
            try expectEqual(try await store.sessions(of: user(1), endingAfter: epoch).map(\.id), [sessionID(4)])
            for other in [try use(1, request: "r2", nonce: 1), try use(1, nonce: 1)] {
                try await expectError(.idTokenRefused(.replayed)) { () async throws(RepositoryError) in
                    try await store.reopen(5, google("a"), other)
                }
            }
        },
        ContractCase("C4: once the session has ended, its sign-in is a replay, and leaves nothing") { store in
            let token = try use(1, request: "r1", nonce: 1)
            func expectReplay(_ token: IDTokenUse, at time: Timestamp = epoch) async throws {
                try await expectError(.idTokenRefused(.replayed)) { () async throws(RepositoryError) in
                    try await store.reopen(9, google("a"), token, at: time)
                }
            }
            // After a sign-out everywhere.
            _ = try await store.openSession(1, account: google("a"), user: user(1), using: token)
            try await store.closeSessions(of: user(1))
            try await expectReplay(token)
            try await expectReplay(token)
            try expectEqual(try await store.sessions(of: user(1), endingAfter: epoch), [])
            // After one session was revoked, while another lasts.
            let second = try use(2, request: "r2")
            _ = try await store.openSession(2, account: google("a"), user: user(1), using: second)
            _ = try await store.openSession(3, account: google("a"), user: user(1), using: try use(3))
            _ = try await store.closeSession(sessionID(2), of: user(1), at: epoch)
            try await expectReplay(second)
            // After more sign-ins than a user has sessions.
            let third = try use(4, request: "r3")
            _ = try await store.openSession(4, account: google("a"), user: user(1), from: at(1), using: third)
            let newest = try await store.openSession(5, account: google("a"), user: user(1), from: at(2), limit: 1, using: try use(5))
            try expectEqual(Set(newest.ended), [sessionID(3), sessionID(4)])
            try await expectReplay(third)
            try expectEqual(try await store.sessions(of: user(1), endingAfter: epoch).map(\.id), [sessionID(5)])
            // After the session has expired, removed or not.
            let fourth = try use(6, request: "r4")
            _ = try await store.openSession(6, account: google("a"), user: user(1), until: at(100), using: fourth)
            try await expectReplay(fourth, at: at(100))
            let again = try await store.reopen(7, google("a"), fourth, at: at(99))
            try expectEqual(again.ended, [sessionID(6)])
        },
        ContractCase("C4: after a deletion or a withdrawal, an earlier sign-in is a replay, and makes no new user") { store in
            let first = try use(1, request: "r1")
            _ = try await store.openSession(1, account: google("a"), user: user(1), using: first)
            try await store.addUser(1)
            try await store.deleteProfile(of: user(1), at: at(5), idempotency: nil)
            try await expectError(.idTokenRefused(.replayed)) { () async throws(RepositoryError) in
                try await store.reopen(9, google("a"), first)
            }
            // The identity is not the user's any more, but the session that asked for it stays.
            let second = try use(2, request: "r2")
            _ = try await store.openSession(2, account: google("a"), user: user(1), using: second)
            _ = try await store.linkIdentity(google("b"), to: user(1), in: nil, provedBy: try use(3), at: at(6), idempotency: nil)
            _ = try await store.unlinkIdentity(google("a"), from: user(1), keeping: sessionID(2), at: at(7), idempotency: nil) { _ in }
            try await expectError(.idTokenRefused(.replayed)) { () async throws(RepositoryError) in
                try await store.reopen(9, google("a"), second)
            }
            let stranger = try await store.openSession(4, account: google("a"), user: user(2), using: try use(4))
            try expectEqual(stranger.session.userID, user(2))
            try expectEqual(try await store.sessions(of: user(9), endingAfter: epoch), [])
        },
        ContractCase("a nonce is used with one token, and a refused use leaves nothing") { store in
            _ = try await store.openSession(1, account: google("a"), user: user(1), using: try use(1, nonce: 1))
            try await expectError(.idTokenRefused(.nonce)) { () async throws(RepositoryError) in
                try await store.reopen(2, google("a"), try use(2, nonce: 1))
            }
            // Token 1 is used, so nonce 2 stays free.
            try await expectError(.idTokenRefused(.replayed)) { () async throws(RepositoryError) in
                try await store.reopen(2, google("a"), try use(1, nonce: 2))
            }
            _ = try await store.openSession(3, account: google("a"), user: user(1), using: try use(2, nonce: 2))
        },
        ContractCase("C8: linked identities reach one user, are listed oldest first, and the last one stays") { store in
            let first = try await store.openSession(1, account: .unix(uid: 1000), user: user(1))
            let linked = try await store.linkIdentity(google("a"), to: user(1), in: nil, provedBy: try use(1), at: at(5), idempotency: nil)
            try expectEqual(linked, Identity(account: google("a"), createTime: at(5)))
            try expectEqual(try await store.identities(of: user(1)).map(\.account), [.unix(uid: 1000), google("a")])
            let second = try await store.openSession(2, account: google("a"), user: user(2), using: try use(2))
            try expectEqual(second.session.userID, first.session.userID)
            let ended = try await store.unlinkIdentity(
                .unix(uid: 1000), from: user(1), keeping: sessionID(2), at: at(6), idempotency: nil) { _ in }
            try expectEqual(ended, [sessionID(1)])
            try expectEqual(try await store.session(tokenHash: try tokenHash(1), for: .inProcess), nil)
            try await expectError(.identityLast) { () async throws(RepositoryError) in
                try await store.unlinkIdentity(google("a"), from: user(1), keeping: sessionID(2), at: at(7), idempotency: nil) { _ in }
            }
            // A sign-in with an unlinked identity creates a new user.
            let stranger = try await store.openSession(3, account: .unix(uid: 1000), user: user(3))
            try expectEqual(stranger.session.userID, user(3))
        },
        ContractCase("unlinking keeps the session that asks, and tells of the others before they end") { store in
            _ = try await store.openSession(1, account: google("a"), user: user(1), using: try use(1))
            _ = try await store.openSession(2, account: google("a"), user: user(1), using: try use(2))
            _ = try await store.linkIdentity(google("b"), to: user(1), in: nil, provedBy: try use(3), at: at(5), idempotency: nil)
            let told = Told()
            let ended = try await store.unlinkIdentity(
                google("a"), from: user(1), keeping: sessionID(2), at: at(6), idempotency: try key("r")) { told.add($0) }
            try expectEqual(ended, [sessionID(1)])
            try expectEqual(told.sessions, [sessionID(1)])
            try expectEqual(try await store.sessions(of: user(1), endingAfter: epoch).map(\.id), [sessionID(2)])
            // A retry gets the first answer and ends nothing.
            let again = try await store.unlinkIdentity(
                google("a"), from: user(1), keeping: sessionID(2), at: at(7), idempotency: try key("r")) { _ in }
            try expectEqual(again, [])
        },
        ContractCase("C8: a session that has ended meanwhile links and unlinks nothing, and its token stays unused") { store in
            _ = try await store.openSession(1, account: google("a"), user: user(1), using: try use(1))
            _ = try await store.openSession(2, account: google("a"), user: user(1), using: try use(2))
            _ = try await store.linkIdentity(google("b"), to: user(1), in: sessionID(1), provedBy: try use(3), at: at(5), idempotency: nil)
            try await store.closeSessions(of: user(1))
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                try await store.linkIdentity(google("c"), to: user(1), in: sessionID(2), provedBy: try use(4), at: at(6), idempotency: nil)
            }
            try await expectError(.notAuthenticated) { () async throws(RepositoryError) in
                try await store.unlinkIdentity(google("b"), from: user(1), keeping: sessionID(2), at: at(6), idempotency: nil) { _ in }
            }
            try expectEqual(try await store.identities(of: user(1)).map(\.account), [google("a"), google("b")])
            _ = try await store.openSession(3, account: google("c"), user: user(2), using: try use(4))
        },
        ContractCase("an identity of another user cannot be linked, nor unlinked; one's own stays as it is") { store in
            _ = try await store.openSession(1, account: google("a"), user: user(1), using: try use(1))
            _ = try await store.openSession(2, account: google("b"), user: user(2), using: try use(2))
            try await expectError(.identityInUse) { () async throws(RepositoryError) in
                try await store.linkIdentity(google("b"), to: user(1), in: nil, provedBy: try use(3), at: at(5), idempotency: nil)
            }
            // The refused link did not use up its token.
            let own = try await store.linkIdentity(google("b"), to: user(2), in: nil, provedBy: try use(3), at: at(5), idempotency: nil)
            try expectEqual(own.createTime, epoch)
            try await expectError(.idTokenRefused(.replayed)) { () async throws(RepositoryError) in
                try await store.linkIdentity(google("c"), to: user(1), in: nil, provedBy: try use(3), at: at(5), idempotency: nil)
            }
            try await expectError(.identityNotFound) { () async throws(RepositoryError) in
                try await store.unlinkIdentity(google("b"), from: user(1), keeping: sessionID(1), at: at(5), idempotency: nil) { _ in }
            }
        },
        ContractCase("identities whose letters only look the same to Unicode are different ones") { store in
            // U+212A is canonically equivalent to K.
            _ = try await store.openSession(1, account: google("\u{212A}"), user: user(1), using: try use(1))
            _ = try await store.linkIdentity(google("a"), to: user(1), in: nil, provedBy: try use(2), at: at(5), idempotency: nil)
            _ = try await store.openSession(2, account: google("K"), user: user(2), using: try use(3))
            try await expectError(.identityNotFound) { () async throws(RepositoryError) in
                try await store.unlinkIdentity(google("K"), from: user(1), keeping: sessionID(1), at: at(6), idempotency: nil) { _ in }
            }
            let again = try await store.openSession(3, account: google("K"), user: user(3), using: try use(4))
            try expectEqual(again.session.userID, user(2))
        },
        ContractCase("a linking is remembered by its request id, and its token opens no session") { store in
            _ = try await store.openSession(1, account: google("a"), user: user(1), using: try use(1))
            let token = try use(2, request: "r")
            for time in [at(5), at(6)] {
                let linked = try await store.linkIdentity(google("b"), to: user(1), in: nil, provedBy: token, at: time, idempotency: try key("r"))
                try expectEqual(linked.createTime, at(5))
            }
            try await expectError(.idTokenRefused(.replayed)) { () async throws(RepositoryError) in
                try await store.reopen(2, google("b"), token)
            }
            let other = try key("r", asking: 1)
            try await expectError(.requestIDReused) { () async throws(RepositoryError) in
                try await store.linkIdentity(google("c"), to: user(1), in: nil, provedBy: try use(4), at: at(7), idempotency: other)
            }
        },
        ContractCase("a user has at most ten identities") { store in
            _ = try await store.openSession(1, account: google("1"), user: user(1), using: try use(1))
            for number in 2...10 as ClosedRange<UInt8> {
                _ = try await store.linkIdentity(
                    google("\(number)"), to: user(1), in: nil, provedBy: try use(number), at: at(Int64(number)), idempotency: nil)
            }
            try await expectError(.identityLimit) { () async throws(RepositoryError) in
                try await store.linkIdentity(google("11"), to: user(1), in: nil, provedBy: try use(11), at: at(11), idempotency: nil)
            }
            try expectEqual(try await store.identities(of: user(1)).count, 10)
            try expectEqual(try await store.identities(of: user(2)), [])
        },
        ContractCase("C3: of many linkings of one identity to different users one wins") { store in
            for number in 1...16 as ClosedRange<UInt8> {
                _ = try await store.openSession(UInt64(number), account: .unix(uid: UInt32(number)), user: user(UInt64(number)))
            }
            let users = try await withThrowingTaskGroup(of: UInt8?.self) { group in
                for number in 1...16 as ClosedRange<UInt8> {
                    group.addTask {
                        do {
                            _ = try await store.linkIdentity(
                                google("a"), to: user(UInt64(number)), in: nil, provedBy: try use(number), at: at(1), idempotency: nil)
                            return number
                        } catch RepositoryError.identityInUse {
                            return nil
                        }
                    }
                }
                return try await group.reduce(into: [UInt8]()) { if let number = $1 { $0.append(number) } }
            }
            try expectEqual(users.count, 1)
            try expectEqual(try await store.identities(of: user(UInt64(users[0]))).count, 2)
        },
    ]
}

func google(_ subject: String) -> AccountID { AccountID(issuer: "https://accounts.google.com", subject: subject) }

/// The use of a token and a nonce, determined by the numbers.
func use(_ number: UInt8, request: String = "", nonce: UInt8? = nil) throws(RepositoryError) -> IDTokenUse {
    do throws(ValidationError) {
        return IDTokenUse(
            hash: [UInt8](repeating: number, count: 32), expireTime: at(1_000), requestID: try RequestID.parse(request),
            nonce: nonce.map { IDTokenUse.NonceUse(hash: [UInt8](repeating: $0, count: 32), expireTime: at(600)) })
    } catch {
        throw .invalid(error)
    }
}

extension PulseBoardStore {
    /// Opens a session where a case expects a refusal.
    fileprivate func reopen(
        _ number: UInt8, _ account: AccountID, _ use: IDTokenUse, at time: Timestamp = epoch
    ) async throws(RepositoryError) -> OpenedSession {
        guard let hash = TokenHash(bytes: [UInt8](repeating: number, count: 32)) else { throw .notAuthenticated }
        let opening = SessionOpening(
            id: sessionID(UInt64(number)), account: account, tokenHash: hash, createTime: time, expireTime: at(1_000), idToken: use)
        return try await openSession(opening, newUserID: user(UInt64(number)), limit: 100)
    }
}

/// Records the sessions that a store is about to end.
private final class Told: Sendable {
    private let ids = Mutex<[SessionID]>([])
    func add(_ more: [SessionID]) { ids.withLock { $0 += more } }
    var sessions: [SessionID] { ids.withLock { $0 } }
}
