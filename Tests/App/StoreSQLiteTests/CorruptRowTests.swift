import PulseBoardDomain
import RepositoryContract
import TestHarness
import Testing

@testable import StoreSQL
@testable import StoreSQLite

@Suite("X17: a row that cannot be read is reported, never passed over") struct CorruptRowTests {
    let directory: TemporaryDirectory
    let store: SQLiteStore

    init() async throws {
        directory = try TemporaryDirectory()
        // The clock stands still: otherwise the housekeeping could remove old remembered results during a test.
        store = try SQLiteStore(directory: directory.path, clock: ContractCase.clock)
        try await store.addUser(userOne, "one")
        try await store.addUser(userTwo, "two")
        _ = try await store.follow(userTwo, by: userOne, at: Timestamp(microseconds: 5), idempotency: nil)
    }

    static let damages: [(name: String, sql: String)] = [
        ("a name outside the alphabet", "UPDATE profile SET username = 't o' WHERE username_key = 'two'"),
        ("a key that is not the name's", "UPDATE profile SET username_key = 'tow' WHERE username_key = 'two'"),
        ("text that is not UTF-8", "UPDATE profile SET status_message = CAST(x'FF' AS TEXT) WHERE username_key = 'two'"),
        ("an impossible version", "UPDATE profile SET version = 0 WHERE username_key = 'two'"),
    ]

    @Test("a damaged profile is corruptRow with its table and key", arguments: damages)
    func profile(_ damage: (name: String, sql: String)) async throws {
        try await store.tamper(damage.sql)
        let expected = RepositoryError.corruptRow(table: "profile", key: userTwo.description)
        await #expect(throws: expected) { try await store.profile(of: userTwo) }
        await #expect(throws: expected) { try await store.profiles(of: [userOne, userTwo]) }
        await #expect(throws: expected) { try await store.searchProfiles(NameSearch("t"), after: nil, limit: 9) }
        // The rows beside it can still be read.
        #expect(try await store.profile(of: userOne).username.text == "one")
    }

    @Test("the owner of a profile whose name has no row chooses another name")
    func missingUsername() async throws {
        try await store.tamper("DELETE FROM username WHERE username_key = 'two'")
        let draft = try ProfileDraft(username: "zwei", texts: [.displayName: "", .statusMessage: ""], rules: UsernameRules())
        let changed = try await store.updateProfile(
            of: userTwo, ProfileChange(username: draft.username), ifMatches: nil, at: Timestamp(microseconds: 6), idempotency: nil)
        #expect(changed.username.text == "zwei")
        try await store.tamper("UPDATE profile SET version = \(Int64.max) WHERE username_key = 'zwei'")
        await #expect(throws: RepositoryError.corruptRow(table: "profile", key: userTwo.description)) {
            try await store.updateProfile(
                of: userTwo, ProfileChange(texts: [.statusMessage: "x"]), ifMatches: nil, at: Timestamp(microseconds: 7), idempotency: nil)
        }
    }

    @Test("a damaged name is reported by a list that shows it")
    func list() async throws {
        try await store.tamper("UPDATE profile SET username = '' WHERE username_key = 'two'")
        await #expect(throws: RepositoryError.corruptRow(table: "profile", key: userTwo.description)) {
            try await store.following(of: userOne, after: nil, limit: 9)
        }
    }

    @Test("a damaged identifier is reported by a list that shows its owner")
    func listedIdentifier() async throws {
        try await store.tamper("UPDATE profile SET user_id = x'0102' WHERE username_key = 'two'")
        await #expect(throws: RepositoryError.corruptRow(table: "profile", key: "2")) {
            try await store.following(of: userOne, after: nil, limit: 9)
        }
    }

    @Test("B12: an edge to a profile that is not there is emptyValue")
    func danglingEdge() async throws {
        try await store.tamper("DELETE FROM profile WHERE username_key = 'two'")
        await #expect(throws: RepositoryError.emptyValue(table: "profile", key: "2")) {
            try await store.following(of: userOne, after: nil, limit: 9)
        }
        let expected = RepositoryError.emptyValue(table: "profile", key: userTwo.description)
        await #expect(throws: expected) { try await store.profile(usernameKey: "two") }
        await #expect(throws: expected) { try await store.searchProfiles(NameSearch("two"), after: nil, limit: 9) }
    }

    @Test("negative counts are corruptRow")
    func counts() async throws {
        try await store.tamper("UPDATE follow_count SET followers = -1")
        await #expect(throws: RepositoryError.corruptRow(table: "follow_count", key: userOne.description)) {
            try await store.counts(of: userOne)
        }
    }

    @Test("B12: a profile without counts is emptyValue, and not a user who is missing")
    func missingCounts() async throws {
        try await store.tamper("DELETE FROM follow_count WHERE number = 1")
        let expected = RepositoryError.emptyValue(table: "follow_count", key: userOne.description)
        let time = Timestamp(microseconds: 6)
        await #expect(throws: expected) { try await store.counts(of: userOne) }
        await #expect(throws: expected) { try await store.follow(userOne, by: userTwo, at: time, idempotency: nil) }
        await #expect(throws: expected) { try await store.unfollow(userTwo, by: userOne, at: time, idempotency: nil) }
        await #expect(throws: expected) { try await store.keepFollowEvents(of: userOne, at: time) }
        await #expect(throws: expected) {
            try await store.followEvents(of: userOne, after: FollowEventPosition(time: time), at: time, limit: 9)
        }
    }

    @Test("B12: an edge that only one side has is emptyValue")
    func halfAnEdge() async throws {
        try await store.tamper("DELETE FROM follower")
        await #expect(throws: RepositoryError.emptyValue(table: "follower", key: "2 1")) {
            try await store.unfollow(userTwo, by: userOne, at: Timestamp(microseconds: 6), idempotency: nil)
        }
    }

    /// Damages of user two's rows and of the edge from user one, and whether user one's counts can still be read.
    static let damagesOfAUser: [(name: String, sql: String, hasCounts: Bool)] = damages.map { (name: $0.name, sql: $0.sql, hasCounts: true) } + [
        ("no counts of the user", "DELETE FROM follow_count WHERE number = 2", true),
        ("no counts of the other side", "DELETE FROM follow_count WHERE number = 1", false),
        ("negative counts", "UPDATE follow_count SET followers = -1 WHERE number = 2", true),
        ("counts of the other side that are too small", "UPDATE follow_count SET following = 0 WHERE number = 1", true),
        ("no username", "DELETE FROM username WHERE username_key = 'two'", true),
        ("a username under another key", "UPDATE username SET username_key = 'tow' WHERE username_key = 'two'", true),
        ("no terms", "DELETE FROM profile_term", true),
        ("a term that is not the profile's", "UPDATE profile_term SET term = 'twa' WHERE term = 'two'", true),
        ("half an edge, the follower's", "DELETE FROM follower", true),
        ("half an edge, the followee's", "DELETE FROM following", true),
        ("an edge of two times", "UPDATE follower SET follow_time = 6", true),
    ]

    @Test("withdrawal works on damage, and leaves nothing of it to be found", arguments: damagesOfAUser)
    func withdrawal(_ damage: (name: String, sql: String, hasCounts: Bool)) async throws {
        try await store.tamper(damage.sql)
        try await store.deleteProfile(of: userTwo, at: Timestamp(microseconds: 6), idempotency: nil)
        await #expect(throws: RepositoryError.userNotFound) { try await store.profile(of: userTwo) }
        await #expect(throws: RepositoryError.profileRequired) {
            try await store.deleteProfile(of: userTwo, at: Timestamp(microseconds: 7), idempotency: nil)
        }
        for name in ["two", "tow"] { #expect(try await store.owner(ofKey: name) == nil) }
        #expect(try await store.searchProfiles(NameSearch("t"), after: nil, limit: 9) == [])
        #expect(try await store.following(of: userOne, after: nil, limit: 9) == [])
        if damage.hasCounts { #expect(try await store.counts(of: userOne) == FollowCounts(followers: 0, following: 0)) }
        #expect(store.housekeepingFailure == nil)
        // The name is free, and its next owner has no data of the former one.
        try await store.addUser(userTwo, "two")
        #expect(try await store.followers(of: userTwo, after: nil, limit: 9) == [])
        #expect(try await store.counts(of: userTwo) == FollowCounts(followers: 0, following: 0))
    }

    @Test("B6: who has damage can ask to leave and come back, and finds what can be read", arguments: damagesOfAUser)
    func leaving(_ damage: (name: String, sql: String, hasCounts: Bool)) async throws {
        try await store.tamper(damage.sql)
        let before = try? await store.profile(of: userTwo)
        let time = ContractCase.clock.now(), purgeTime = time.advanced(by: .hours(1))
        #expect(try await store.requestWithdrawal(of: userTwo, at: time, purging: purgeTime) == purgeTime)
        await #expect(throws: RepositoryError.userNotFound) { try await store.profile(of: userTwo) }
        #expect(try await store.searchProfiles(NameSearch("t"), after: nil, limit: 9) == [])
        #expect(try await store.following(of: userOne, after: nil, limit: 9) == [])
        try await store.cancelWithdrawal(of: userTwo)
        if damage.name == "text that is not UTF-8" {
            #expect(try await store.profile(of: userTwo).texts[.statusMessage] == "\u{FFFD}")
        } else if let before {
            #expect(try await store.profile(of: userTwo) == before)
        } else {
            let expected = RepositoryError.corruptRow(table: "profile", key: userTwo.description)
            await #expect(throws: expected, "it is as it was") { try await store.profile(of: userTwo) }
        }
    }

    /// Damages of what was kept of a profile whose user has asked to leave.
    static let damagesOfALeaver = ["UPDATE pending_withdrawal SET profile = x'00'", "UPDATE pending_withdrawal SET profile = NULL"]

    @Test("B6: a user who has left is purged, whatever was damaged of what was kept", arguments: damagesOfALeaver)
    func purge(_ damage: String) async throws {
        let time = ContractCase.clock.now()
        _ = try await store.requestWithdrawal(of: userTwo, at: time, purging: time)
        try await store.tamper(damage)
        let expected = RepositoryError.corruptRow(table: "pending_withdrawal", key: userTwo.description)
        await #expect(throws: expected, "nothing is lost before the purge") { try await store.cancelWithdrawal(of: userTwo) }
        #expect(try await store.dueWithdrawals(at: time, limit: 9) == [userTwo])
        try await store.purge(userTwo, at: time)
        #expect(try await store.dueWithdrawals(at: time, limit: 9) == [])
        #expect(try await store.counts(of: userOne) == FollowCounts(followers: 0, following: 0))
        #expect(try await store.owner(ofKey: "two") == nil)
        #expect(store.housekeepingFailure == nil)
        try await store.addUser(userThree, "two")
        #expect(try await store.followers(of: userThree, after: nil, limit: 9) == [])
    }

    @Test("B6: a damaged id of the other side stops no removal; a tombstone whose own id is damaged is reported, and stops no other")
    func damagedIdentifiers() async throws {
        try await store.tamper("UPDATE profile SET user_id = x'0102' WHERE username_key = 'one'")
        try await store.tamper(
            """
            INSERT INTO withdrawal (number, user_id, withdraw_time, followers, following, is_damaged, is_over)
            VALUES (0, x'0a', 1, 0, 0, 0, 0)
            """)
        try await store.deleteProfile(of: userTwo, at: Timestamp(microseconds: 6), idempotency: nil)
        await until { store.housekeepingFailure == RepositoryError.corruptRow(table: "withdrawal", key: "0") }
        let left = try await store.read { connection throws(RepositoryError) in
            try integer(
                "SELECT (SELECT count(*) FROM following) + (SELECT count(*) FROM follower) + (SELECT count(*) FROM withdrawal WHERE number <> 0)",
                connection)
        }
        #expect(left == 0)
    }

    @Test("a row of nobody who has asked to leave is reported, and keeps no user")
    func leaverWithoutID() async throws {
        let time = ContractCase.clock.now()
        _ = try await store.requestWithdrawal(of: userTwo, at: time, purging: time)
        try await store.tamper("INSERT INTO pending_withdrawal VALUES (x'0a', NULL, NULL, 1, 1)")
        #expect(try await store.dueWithdrawals(at: time, limit: 9) == [userTwo])
        try await store.purge(userTwo, at: time)
        await #expect(throws: RepositoryError.corruptRow(table: "pending_withdrawal", key: "0a")) {
            try await store.dueWithdrawals(at: time, limit: 9)
        }
    }

    @Test("a row of a picture that names nobody is reported, and keeps no other picture")
    func pictureOfNobody() async throws {
        let time = ContractCase.clock.now()
        let picture = DiscardedImage(id: ImageID(bits: UUIDBits(high: 1, low: 1)), owner: userOne)
        try await store.beginImage(picture.id, of: picture.owner, expiring: time)
        try await store.tamper("INSERT INTO image VALUES (x'0a', x'0b', 3, 1)")
        #expect(try await store.discardedImages(at: time, limit: 9) == [picture])
        try await store.forgetImage(picture)
        await #expect(throws: RepositoryError.corruptRow(table: "image", key: "0b")) { try await store.discardedImages(at: time, limit: 9) }
    }

    @Test("withdrawal works where the follower has the damage")
    func withdrawalOfFollower() async throws {
        for damage in ["DELETE FROM following", "UPDATE follower SET follow_time = 6"] {
            try await store.tamper(damage)
            try await store.deleteProfile(of: userOne, at: Timestamp(microseconds: 7), idempotency: nil)
            #expect(try await store.followers(of: userTwo, after: nil, limit: 9) == [])
            try await store.addUser(userOne, "one")
            _ = try await store.follow(userTwo, by: userOne, at: Timestamp(microseconds: 8), idempotency: nil)
            #expect(try await store.followers(of: userTwo, after: nil, limit: 9).map(\.user.id) == [userOne])
        }
    }

    @Test("a damaged remembered result is corruptRow, and the write is not done twice")
    func rememberedResult() async throws {
        let key = try requestKey("r1")
        let now = ContractCase.clock.now()
        _ = try await store.unfollow(userTwo, by: userOne, at: now, idempotency: key)
        for damage in ["x''", "result || x'00'", "substr(result, 1, 10)"] {
            try await store.tamper("UPDATE request SET result = CAST(\(damage) AS BLOB)")
            await #expect(throws: RepositoryError.corruptRow(table: "request", key: "\(userOne) r1")) {
                try await store.unfollow(userTwo, by: userOne, at: now, idempotency: key)
            }
        }
    }

    @Test("a token without its session is emptyValue")
    func danglingToken() async throws {
        let hash = try #require(TokenHash(bytes: [UInt8](repeating: 9, count: 32)))
        let opening = SessionOpening(
            id: SessionID(bits: UUIDBits(high: 1, low: 1)), account: .unix(uid: 1), tokenHash: hash,
            createTime: Timestamp(microseconds: 1), expireTime: Timestamp(microseconds: .max))
        _ = try await store.openSession(opening, newUserID: userOne, limit: 9)
        try await store.tamper("DELETE FROM session")
        await #expect(throws: RepositoryError.emptyValue(table: "session", key: "\(userOne) \(opening.id)")) {
            try await store.session(tokenHash: hash, for: .inProcess)
        }
    }
}
