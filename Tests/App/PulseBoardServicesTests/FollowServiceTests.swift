import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("FollowService") struct FollowServiceTests {
    let bench: Bench
    var follows: FollowService { bench.services.follows }

    init() async throws { bench = try await Bench() }

    @Test("B25, X18, X20: following and unfollowing say what shall be, however often")
    func idempotent() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        let first = try await follows.follow(two.userID, one)
        #expect(first.followTime != nil)
        #expect(try await follows.follow(two.userID, one) == first)
        #expect(try await follows.counts(of: two.userID, one) == FollowCounts(followers: 1, following: 0))
        for _ in 1...2 {
            #expect(try await follows.unfollow(two.userID, one).state == .unfollowed)
            #expect(try await follows.counts(of: two.userID, one) == FollowCounts(followers: 0, following: 0))
        }
    }

    @Test("B26: oneself is personal, and no store is asked")
    func personal() async throws {
        let one = try await bench.member(1000, "one")
        bench.counted.resetCalls()
        #expect(try await follows.relationship(to: one.userID, one) == .personal(one.userID))
        #expect(try await follows.relationships(to: [one.userID], one).relationships == [.personal(one.userID)])
        #expect(try await follows.unfollow(one.userID, one) == .personal(one.userID))
        #expect(try await follows.removeFollower(one.userID, one) == .personal(one.userID))
        #expect(bench.counted.calls() == 0)
    }

    @Test("B26: the state tells both sides")
    func relationship() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        let followed = try await follows.follow(two.userID, one)
        #expect(try await follows.relationship(to: two.userID, one) == followed)
        let other = try await follows.relationship(to: one.userID, two)
        #expect(other == Relationship(userID: one.userID, state: .unfollowed, isFollowedBy: true))
    }

    @Test("X19: following oneself is refused without asking the store")
    func selfFollow() async throws {
        let one = try await bench.member(1000, "one")
        bench.counted.resetCalls()
        await #expect(throws: RepositoryError.selfFollow) { try await follows.follow(one.userID, one) }
        #expect(bench.counted.calls() == 0)
    }

    @Test("X19, B15: the target must have a profile, and so must the caller")
    func missing() async throws {
        let one = try await bench.member(1000, "one")
        let guest = try await bench.caller(1001)
        await #expect(throws: RepositoryError.userNotFound) { try await follows.follow(guest.userID, one) }
        await #expect(throws: RepositoryError.profileRequired) { try await follows.follow(one.userID, guest) }
        for list in [follows.followers, follows.following] {
            await #expect(throws: RepositoryError.profileRequired) { _ = try await list(guest.userID, PageRequest(), guest) }
        }
        await #expect(throws: RepositoryError.profileRequired) { try await follows.counts(of: guest.userID, guest) }
        await #expect(throws: RepositoryError.userNotFound) { try await follows.relationship(to: guest.userID, one) }
        await #expect(throws: RepositoryError.userNotFound) { try await follows.counts(of: guest.userID, one) }
        #expect(try await follows.counts(of: one.userID, guest) == FollowCounts(followers: 0, following: 0))
    }

    @Test("relationships of many keep their order and name the missing")
    func batch() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        let nobody = UserID(bits: UUIDBits(high: 9, low: 9))
        let batch = try await follows.relationships(to: [two.userID, nobody, one.userID], one)
        #expect(batch.relationships.map(\.userID) == [two.userID, one.userID])
        #expect(batch.relationships.map(\.state) == [.unfollowed, .personal])
        #expect(batch.missing == [nobody])
        let repeated = try await follows.relationships(to: [nobody, two.userID, one.userID, nobody, two.userID, one.userID], one)
        #expect(repeated.relationships.map(\.userID) == [two.userID, one.userID, two.userID, one.userID])
        #expect(repeated.missing == [nobody, nobody])
        #expect(bench.counted.askedIDs == [nobody, two.userID])
        let unknown = try await follows.relationships(to: [nobody, nobody], one)
        #expect(unknown.relationships.isEmpty && unknown.missing == [nobody, nobody])
        await #expect(
            throws: RepositoryError.invalid(ValidationError(field: "user_ids", reason: .tooManyItems, limit: 100))
        ) {
            try await follows.relationships(to: [UserID](repeating: nobody, count: 101), one)
        }
    }

    @Test("a follower is removed by the one who is followed")
    func removeFollower() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        _ = try await follows.follow(two.userID, one)
        let left = try await follows.removeFollower(one.userID, two)
        #expect(left == Relationship(userID: one.userID, state: .unfollowed, isFollowedBy: false))
        #expect(try await follows.counts(of: two.userID, one) == FollowCounts(followers: 0, following: 0))
    }

    @Test("X13: request ids make retries harmless and are tied to their request")
    func requestIDs() async throws {
        let one = try await bench.member(1000, "one")
        let two = try await bench.member(1001, "two")
        let first = try await follows.follow(two.userID, requestID: "r1", one)
        _ = try await follows.unfollow(two.userID, one)
        #expect(try await follows.follow(two.userID, requestID: "r1", one) == first)
        #expect(try await follows.relationship(to: two.userID, one).state == .unfollowed)
        await #expect(throws: RepositoryError.requestIDReused) {
            try await follows.unfollow(two.userID, requestID: "r1", one)
        }
        await #expect(
            throws: RepositoryError.invalid(ValidationError(field: "request_id", reason: .requestIDInvalid, limit: 64))
        ) {
            try await follows.follow(two.userID, requestID: "a b", one)
        }
        // Also for oneself: the form of the request comes first.
        await #expect(
            throws: RepositoryError.invalid(ValidationError(field: "request_id", reason: .requestIDInvalid, limit: 64))
        ) {
            try await follows.follow(one.userID, requestID: "a b", one)
        }
    }

    @Test("X19: lists run newest first in pages, and a token fits its own list only")
    func lists() async throws {
        let star = try await bench.member(1000, "star")
        var fans: [Caller] = []
        for number in 1...5 as ClosedRange<UInt32> {
            let fan = try await bench.member(1000 + number, "fan\(number)")
            _ = try await follows.follow(star.userID, fan)
            fans.append(fan)
        }
        var names: [String] = []
        var token = ""
        repeat {
            let page = try await follows.followers(of: star.userID, PageRequest(size: 2, token: token), star)
            #expect(page.items.count <= 2)
            names += page.items.map(\.user.username.text)
            token = page.nextToken?.text ?? ""
        } while !token.isEmpty
        #expect(names == ["fan5", "fan4", "fan3", "fan2", "fan1"])

        let page = try await follows.followers(of: star.userID, PageRequest(size: 2), star)
        let borrowed = try #require(page.nextToken).text
        await #expect(throws: RepositoryError.invalidPageToken) {
            try await follows.following(of: star.userID, PageRequest(token: borrowed), star)
        }
        await #expect(throws: RepositoryError.invalidPageToken) {
            try await follows.followers(of: fans[0].userID, PageRequest(token: borrowed), star)
        }
        // A token of one viewer is not valid for another.
        await #expect(throws: RepositoryError.invalidPageToken) {
            try await follows.followers(of: star.userID, PageRequest(token: borrowed), fans[0])
        }
        // The last page is exactly full, and no empty page follows.
        let whole = try await follows.followers(of: star.userID, PageRequest(size: 5), star)
        #expect(whole.items.count == 5)
        #expect(whole.nextToken == nil)
    }

    @Test("a page token with any one bit changed is refused")
    func tampering() async throws {
        let sealer = PageTokenSealer(key: [UInt8](repeating: 3, count: 32))
        let list = PageTokenSealer.List.followers(
            of: UserID(bits: UUIDBits(high: 1, low: 1)), viewer: UserID(bits: UUIDBits(high: 1, low: 2)))
        let cursor = FollowCursor(followTime: Timestamp(microseconds: 77), userID: UserID(bits: UUIDBits(high: 2, low: 3)))
        let token = sealer.seal(cursor, in: list)
        #expect(try sealer.openFollowCursor(token, in: list) == cursor)
        let bytes = try #require(Base64URL.decode(token.text))
        for bit in 0..<(bytes.count * 8) {
            var forged = bytes
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            let text = Base64URL.encode(forged)
            #expect(throws: RepositoryError.invalidPageToken) {
                try sealer.openFollowCursor(PageToken(text: text), in: list)
            }
        }
        let stranger = PageTokenSealer(key: [UInt8](repeating: 4, count: 32))
        #expect(throws: RepositoryError.invalidPageToken) { try stranger.openFollowCursor(token, in: list) }
        for text in ["", "A", "!!", token.text + "A", String(token.text.dropLast())] {
            #expect(throws: RepositoryError.invalidPageToken) {
                try sealer.openFollowCursor(PageToken(text: text), in: list)
            }
        }
    }

    @Test("page tokens outlive a restart")
    func tokensOutliveRestart() async throws {
        let star = try await bench.member(1000, "star")
        for number in 1...2 as ClosedRange<UInt32> {
            _ = try await follows.follow(star.userID, try await bench.member(1000 + number, "fan\(number)"))
        }
        let page = try await follows.followers(of: star.userID, PageRequest(size: 1), star)
        let token = try #require(page.nextToken).text
        try bench.store.close()
        let second = try await Bench(directory: bench.directory)
        let caller = try await second.caller(1000)
        let rest = try await second.services.follows.followers(
            of: star.userID, PageRequest(size: 1, token: token), caller)
        #expect(rest.items.map(\.user.username.text) == ["fan1"])
        try second.store.close()
    }
}
