import PulseBoardDomain
import Synchronization
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// A refused write that had changed something would make the store perform the whole batch again, with everybody else's writes in it.
@Suite("Refused writes") struct RefusedWriteTests {
    let directory: TemporaryDirectory
    let store: SQLiteStore

    private let own = AccountID.unix(uid: 1)
    private let other = AccountID.unix(uid: 2)

    init() throws {
        directory = try TemporaryDirectory()
        store = try SQLiteStore(directory: directory.path)
    }

    private func use(_ number: UInt8, request: String? = nil, nonce: UInt8? = nil) throws -> IDTokenUse {
        let end = Timestamp(microseconds: 9_000_000_000_000_000)
        return IDTokenUse(
            hash: [UInt8](repeating: number, count: 32), expireTime: end, requestID: try request.flatMap { try RequestID.parse($0) },
            nonce: nonce.map { IDTokenUse.NonceUse(hash: [UInt8](repeating: $0, count: 32), expireTime: end) })
    }

    private func opening(_ number: UInt8, _ account: AccountID, _ use: IDTokenUse) throws -> SessionOpening {
        SessionOpening(
            id: SessionID(bits: UUIDBits(high: 1, low: UInt64(number))), account: account,
            tokenHash: try #require(TokenHash(bytes: [UInt8](repeating: number, count: 32))), createTime: Timestamp(microseconds: 1),
            expireTime: Timestamp(microseconds: 9_000_000_000_000_000), idToken: use)
    }

    /// Performs a refused write in one batch with another's.
    /// - Returns: how often the other's was performed.
    private func performances(
        besides refused: @escaping @Sendable (SQLiteStore) async throws(RepositoryError) -> Void, _ error: RepositoryError
    ) async throws -> Int {
        let writer = await HeldWriter(of: store), performed = Atomic(0)
        let others = Task.immediate { @Sendable [store] in
            try await store.write { _ throws(RepositoryError) -> Void in performed.add(1, ordering: .relaxed) }
        }
        let task = Task.immediate { @Sendable [store] in try await refused(store) }
        #expect(store.queuedWrites == 2)
        writer.release()
        await #expect(throws: error) { try await task.value }
        try await others.value
        return performed.load(ordering: .relaxed)
    }

    private func performances(signingIn opening: SessionOpening, _ error: RepositoryError) async throws -> Int {
        try await performances(
            besides: { store throws(RepositoryError) in _ = try await store.openSession(opening, newUserID: userThree, limit: 9) }, error)
    }

    @Test("C4: a refused repeated sign-in changes nothing")
    func replays() async throws {
        let replayed = RepositoryError.idTokenRefused(.replayed)
        let token = try use(1, request: "r1", nonce: 1)
        _ = try await store.openSession(opening(1, own, token), newUserID: userOne, limit: 9)
        try await store.closeSessions(of: userOne)
        // The session has ended.
        #expect(try await performances(signingIn: opening(2, own, token), replayed) == 1)
        // The identity has gone, and no new user is made.
        try await store.tamper("DELETE FROM account")
        #expect(try await performances(signingIn: opening(2, own, token), replayed) == 1)
        // The token has another nonce or request id than before.
        #expect(try await performances(signingIn: opening(2, own, try use(1, request: "r1", nonce: 2)), replayed) == 1)
        #expect(try await performances(signingIn: opening(2, own, try use(1, request: "r2", nonce: 1)), replayed) == 1)
        // The nonce is another token's.
        #expect(try await performances(signingIn: opening(2, own, try use(2, nonce: 1)), .idTokenRefused(.nonce)) == 1)
    }

    @Test("C8: a refused link of an identity changes nothing")
    func links() async throws {
        func performances(linking account: AccountID, _ use: IDTokenUse, _ error: RepositoryError) async throws -> Int {
            try await self.performances(
                besides: { store throws(RepositoryError) in
                    _ = try await store.linkIdentity(account, to: userOne, in: nil, provedBy: use, at: Timestamp(microseconds: 5), idempotency: nil)
                }, error)
        }
        _ = try await store.openSession(opening(1, own, use(1, nonce: 1)), newUserID: userOne, limit: 9)
        _ = try await store.openSession(opening(2, other, use(2)), newUserID: userTwo, limit: 9)
        #expect(try await performances(linking: other, use(3), .identityInUse) == 1)
        #expect(try await performances(linking: other, use(2), .idTokenRefused(.replayed)) == 1)
        #expect(try await performances(linking: other, use(3, nonce: 1), .idTokenRefused(.nonce)) == 1)
        for number in 10..<(10 + UInt8(Identity.maximumCount) - 1) {
            _ = try await store.linkIdentity(
                .unix(uid: UInt32(number)), to: userOne, in: nil, provedBy: use(number), at: Timestamp(microseconds: 5), idempotency: nil)
        }
        #expect(try await performances(linking: .unix(uid: 99), use(3), .identityLimit) == 1)
        // The refused token was not used up.
        try await store.tamper("DELETE FROM account WHERE subject = '10'")
        _ = try await store.linkIdentity(.unix(uid: 99), to: userOne, in: nil, provedBy: use(3), at: Timestamp(microseconds: 6), idempotency: nil)
    }

    @Test("an entry that is refused for its picture changes nothing, in a diary and without one")
    func pictures() async throws {
        try await store.addUser(userOne, "one")
        let hash = try #require(DiaryImageHash(bytes: [UInt8](repeating: 1, count: 32))), time = Timestamp(microseconds: 5)
        let picture = DiaryImage(hash: hash, contentType: "image/png", byteCount: 10)
        let content = try DiaryContent(entryTime: time, emotion: "", text: "text", images: [picture])
        let (first, second) = (DiaryEntryID(bits: UUIDBits(high: 1, low: 1)), DiaryEntryID(bits: UUIDBits(high: 1, low: 2)))
        for _ in 0..<2 {
            let count = try await performances(
                besides: { store throws(RepositoryError) in _ = try await store.createDiaryEntry(second, content, of: userOne, at: time) },
                .diary(.imageNotStaged))
            #expect(count == 1)
            // The second time there is a diary.
            _ = try await store.createDiaryEntry(
                first, DiaryContent(entryTime: time, emotion: "", text: "text"), of: userOne, at: time)
        }
        let change = try DiaryChange(images: [picture])
        let updates = try await performances(
            besides: { store throws(RepositoryError) in
                _ = try await store.updateDiaryEntry(first, change, ifMatches: nil, of: userOne, at: time)
            }, .diary(.imageNotStaged))
        #expect(updates == 1)
    }
}
