import Foundation
import GRDB
import PulseBoardDomain
import RepositoryContract
import Testing

@testable import StoreSQL
@testable import StoreSQLite

@Suite("Databases of earlier versions") struct MigrationTests {
    let directory: TemporaryDirectory
    let clock = SetClock(1_000_000)

    init() throws { directory = try TemporaryDirectory() }

    private static let people = 40
    /// The greater the number, the smaller the identifier.
    private func user(_ number: Int) -> UserID {
        UserID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0000 + UInt64(Self.people - number)))
    }

    /// The users whom a user follows, several of them since the same instant.
    private func followed(by number: Int) -> [(user: Int, time: Int64)] {
        (1...(number % 7 + 1)).map { ((number + $0) % Self.people, Int64(number * 10 + $0 / 2)) }
    }

    private func record(of number: Int) throws -> ProfileRecord {
        let draft = try ProfileDraft(
            username: "U\(number)", texts: [.displayName: "Person \(number)", .statusMessage: "away \(number)"], rules: UsernameRules())
        return ProfileRecord(
            draft, userID: user(number), version: Int64(number + 1), createTime: Timestamp(microseconds: Int64(number)),
            updateTime: Timestamp(microseconds: Int64(number) + 100))
    }

    /// Makes a database of a former version, with profiles, edges, and from the second migration on events of user 0.
    private func makeDatabase(upTo migration: String) throws {
        let queue = try DatabaseQueue(path: directory.path + "/" + SQLiteStore.fileName)
        try SQLiteSchema.migrator.migrate(queue, upTo: migration)
        try queue.write { database in
            for number in 0..<Self.people {
                let id = user(number).bits.databaseValue
                let record = try record(of: number)
                try database.execute(
                    sql: "INSERT INTO profile VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        id, record.username, record.usernameKey, record.texts[.displayName], record.texts[.statusMessage], record.version,
                        record.createTime.microseconds, record.updateTime.microseconds,
                    ])
                try database.execute(sql: "INSERT INTO username VALUES (?, ?)", arguments: ["u\(number)", id])
                try database.execute(
                    sql: "INSERT INTO follow_count (user_id, followers, following) VALUES (?, 0, 0)", arguments: [id])
            }
            for number in 0..<Self.people {
                for edge in followed(by: number) {
                    let ends = (user(number).bits.databaseValue, user(edge.user).bits.databaseValue)
                    try database.execute(
                        sql: "INSERT INTO following VALUES (?, ?, ?)", arguments: [ends.0, ends.1, edge.time])
                    try database.execute(
                        sql: "INSERT INTO follower VALUES (?, ?, ?)", arguments: [ends.1, edge.time, ends.0])
                }
            }
            try database.execute(
                sql: """
                    UPDATE follow_count SET followers = (SELECT count(*) FROM follower WHERE followee = user_id),
                        following = (SELECT count(*) FROM following WHERE follower = user_id)
                    """)
            guard migration.hasPrefix("2") else { return }
            try database.execute(
                sql: "UPDATE follow_count SET events_until = 9000000, last_event = 7, event_floor = 3, event_count = 2 WHERE user_id = ?",
                arguments: [user(0).bits.databaseValue])
            for (time, kind, other) in [(5, 1, 1), (7, 4, 2)] {
                try database.execute(
                    sql: "INSERT INTO follow_event VALUES (?, ?, ?, ?)",
                    arguments: [user(0).bits.databaseValue, time, kind, user(other).bits.databaseValue])
            }
        }
        try queue.close()
    }

    @Test("profiles, lists, counts and relationships stay what they were", arguments: ["1 accounts, profiles, follows", "2 events of follows"])
    func follows(_ migration: String) async throws {
        try makeDatabase(upTo: migration)
        let store = try SQLiteStore(directory: directory.path, clock: clock)
        var followers: [Int: [FollowCursor]] = [:]
        for number in 0..<Self.people {
            let edges = followed(by: number).map { FollowCursor(followTime: Timestamp(microseconds: $0.time), userID: user($0.user)) }
            let listed = try await store.following(of: user(number), after: nil, limit: 99)
            #expect(listed.map(\.cursor) == edges.sorted(by: >))
            for edge in followed(by: number) {
                followers[edge.user, default: []].append(
                    FollowCursor(followTime: Timestamp(microseconds: edge.time), userID: user(number)))
            }
            #expect(try await store.profile(of: user(number)) == (try record(of: number)).model())
        }
        for number in 0..<Self.people {
            let listed = try await store.followers(of: user(number), after: nil, limit: 99)
            #expect(listed.map(\.cursor) == followers[number, default: []].sorted(by: >))
            let counts = FollowCounts(followers: Int64(listed.count), following: Int64(followed(by: number).count))
            #expect(try await store.counts(of: user(number)) == counts)
        }
        let relationship = try await store.relationships(of: user(3), to: [user(4)])[user(4)]
        #expect(relationship == Relationship(
            userID: user(4), state: .followed(since: Timestamp(microseconds: 30)), isFollowedBy: false))
        let start = try await store.keepFollowEvents(of: user(4), at: clock.now())
        #expect(try await store.followEvents(of: user(4), after: start, at: clock.now(), limit: 9) == [])
        _ = try await store.unfollow(user(4), by: user(3), at: clock.now(), idempotency: nil)
        let told = try await store.followEvents(of: user(4), after: start, at: clock.now(), limit: 9)
        #expect(told.map(\.change) == [.followerLost])
        #expect(told.map(\.time.microseconds) == [clock.now().microseconds + 1])
        try store.close()
    }

    @Test("a retry across the upgrade gets the result that an earlier version remembered")
    func rememberedResults() async throws {
        let migration = "3 follows by number"
        let queue = try DatabaseQueue(path: directory.path + "/" + SQLiteStore.fileName)
        try SQLiteSchema.migrator.migrate(queue, upTo: migration)
        func hex(_ text: String) -> String { String(format: "%016x", text.utf8.count) + text.utf8.map { String(format: "%02x", $0) }.joined() }
        func hex(_ id: UserID) -> String { id.description.filter { $0 != "-" } }
        // Results as servers of that migration wrote them: a profile, a relationship, and an empty result.
        let results = [
            "profile": [
                hex(userOne), hex("One"), hex("one"), hex("Shown"), hex("away"), String(format: "%016x%016x%016x", 3, 5, 6),
            ].joined(),
            "follow": hex(userTwo) + "03" + String(format: "%016x", 7), "unfollow": hex(userTwo) + "00", "withdrawal": "",
        ]
        try await queue.write { database in
            for (name, result) in results {
                try database.execute(
                    sql: "INSERT INTO request VALUES (?, ?, ?, x'\(result)', ?)",
                    arguments: [userOne.bits.databaseValue, name, Data(repeating: 7, count: 32), 1_000_000])
            }
        }
        try queue.close()
        let store = try SQLiteStore(directory: directory.path, clock: clock)
        let (time, other) = (clock.now(), userTwo)
        let profile = try await store.updateProfile(
            of: userOne, ProfileChange(), ifMatches: nil, at: time, idempotency: try requestKey("profile"))
        #expect(profile.username.text == "One")
        #expect(profile.displayName.text == "Shown")
        #expect(profile.etag == Etag(version: 3, updateTime: profile.updateTime))
        let followed = try await store.follow(other, by: userOne, at: time, idempotency: try requestKey("follow"))
        #expect(followed == Relationship(userID: other, state: .followed(since: Timestamp(microseconds: 7)), isFollowedBy: true))
        let unfollowed = try await store.unfollow(other, by: userOne, at: time, idempotency: try requestKey("unfollow"))
        #expect(unfollowed == Relationship(userID: other, state: .unfollowed, isFollowedBy: false))
        try await store.deleteProfile(of: userOne, at: time, idempotency: try requestKey("withdrawal"))
        try store.close()
    }

    @Test("only a database of an earlier version is announced to be rewritten, and once")
    func announcement() throws {
        var announced = 0
        let empty = try TemporaryDirectory()
        for path in [empty.path, empty.path] { try SQLiteStore(directory: path) { announced += 1 }.close() }
        #expect(announced == 0)
        try makeDatabase(upTo: "2 events of follows")
        for _ in 1...2 { try SQLiteStore(directory: directory.path) { announced += 1 }.close() }
        #expect(announced == 1)
    }

    @Test("events stay and go on; a user who comes later is a new one")
    func goingOn() async throws {
        try makeDatabase(upTo: "2 events of follows")
        let store = try SQLiteStore(directory: directory.path, clock: clock)
        let start = FollowEventPosition(time: Timestamp(microseconds: 3))
        _ = try await store.follow(user(0), by: user(20), at: clock.now(), idempotency: nil)
        let told = try await store.followEvents(of: user(0), after: start, at: clock.now(), limit: 9)
        #expect(told.map(\.userID) == [user(1), user(2), user(20)])
        #expect(told.map(\.change) == [.followed, .followerLost, .followerGained])
        #expect(told.map(\.summary?.username.text) == ["U1", "U2", "U20"])
        let kept = try await store.read { connection throws(RepositoryError) in
            try integer("SELECT sum(event_count) FROM follow_count", connection)
        }
        #expect(kept == 3)
        let last = Self.people - 1
        try await store.deleteProfile(of: user(0), at: clock.now(), idempotency: nil)
        let newcomer = user(-1)
        try await store.addUser(newcomer, "new")
        #expect(try await store.counts(of: newcomer) == FollowCounts(followers: 0, following: 0))
        #expect(try await store.following(of: newcomer, after: nil, limit: 9) == [])
        _ = try await store.follow(user(last), by: newcomer, at: clock.now(), idempotency: nil)
        #expect(try await store.followers(of: user(last), after: nil, limit: 1).map(\.user.id) == [newcomer])
        let numbers = try await store.read { connection throws(RepositoryError) in
            (
                try integer("SELECT number FROM profile WHERE username_key = 'new'", connection),
                try integer("SELECT count(*) FROM profile", connection)
            )
        }
        // User 0 had the greatest number, 40.
        #expect(numbers == (41, 40))
        try store.close()
    }

    /// Makes a database with pictures and without kept names: people with these names, and a withdrawal.
    private func makeDatabase(names: [(username: String, displayName: String)]) throws {
        let queue = try DatabaseQueue(path: directory.path + "/" + SQLiteStore.fileName)
        try SQLiteSchema.migrator.migrate(queue, upTo: "5 pictures")
        try queue.write { database in
            for (number, name) in names.enumerated() {
                let id = user(number).bits.databaseValue
                let key = name.username.lowercased()
                try database.execute(
                    sql: """
                        INSERT INTO profile (user_id, username, username_key, display_name, status_message, version, create_time, update_time)
                        VALUES (?, ?, ?, ?, '', 1, ?, 0)
                        """, arguments: [id, name.username, key, name.displayName, number])
                try database.execute(sql: "INSERT INTO username VALUES (?, ?)", arguments: [key, id])
                try database.execute(sql: "INSERT INTO follow_count (number, followers, following) SELECT max(number), 0, 0 FROM profile")
                try database.execute(sql: "INSERT INTO profile_term VALUES (?, ?, 0)", arguments: [key, id])
                guard !name.displayName.isEmpty else { continue }
                try database.execute(sql: "INSERT INTO profile_term VALUES (?, ?, 1)", arguments: [name.displayName.lowercased(), id])
            }
        }
        try queue.close()
    }

    @Test("X15: names of before stay, those that look alike as well; nobody gets another one that looks like them")
    func formerNames() async throws {
        try makeDatabase(names: [("minjil", ""), ("Minji1", ""), ("MINJII", ""), ("하나", "김 민지"), ("plain", "ㄱ ㅁㅈ")])
        let store = try SQLiteStore(directory: directory.path, clock: clock)
        let names = ["minjil", "minji1", "minjii", "하나", "plain"]
        for (number, name) in names.enumerated() { #expect(try await store.profile(usernameKey: name).id == user(number)) }
        let time = Timestamp(microseconds: 9_000_000)
        let newcomer = user(-1)
        func draft(_ name: String) throws -> ProfileDraft { try ProfileDraft(username: name, texts: [:], rules: UsernameRules()) }
        for (name, error) in [("m1njil", RepositoryError.usernameConfusable), ("PLAIN", .usernameDuplicated)] {
            let draft = try draft(name)
            await #expect(throws: error) { try await store.createProfile(draft, for: newcomer, at: time, idempotency: nil) }
        }
        // Users with look-alikes may change their names at once. Remaining look-alikes prevent others from taking similar names.
        for (number, name) in [(0, "other"), (2, "another")] {
            let change = ProfileChange(username: try draft(name).username)
            _ = try await store.updateProfile(of: user(number), change, ifMatches: nil, at: time, idempotency: nil)
        }
        let lookAlike = try draft("minjil")
        await #expect(throws: RepositoryError.usernameConfusable) {
            try await store.createProfile(lookAlike, for: newcomer, at: time, idempotency: nil)
        }
        // Initial consonants find existing names. A name that equals its initials is only one term.
        for (text, numbers) in [("ㅎㄴ", [3]), ("ㄱ", [3, 4]), ("하", [3])] {
            let found = try await store.searchProfiles(NameSearch(text), after: nil, limit: 9)
            #expect(Set(found.map(\.profile.id)) == Set(numbers.map(user)), "\(text)")
        }
        // A withdrawal removes all of it.
        try await store.deleteProfile(of: user(3), at: time, idempotency: nil)
        let left = try await store.read { connection throws(RepositoryError) in
            try integer("SELECT count(*) FROM profile_term WHERE term LIKE '%ㅎ%' OR term LIKE '%하%' OR term LIKE '%ㅁㅈ%'", connection)
        }
        #expect(left == 1)
        try store.close()
    }

    @Test("an edge of a user without a profile fails the migration, which leaves the database as it was")
    func danglingEdge() throws {
        try makeDatabase(upTo: "2 events of follows")
        let queue = try DatabaseQueue(path: directory.path + "/" + SQLiteStore.fileName)
        try queue.write { database in
            try database.execute(sql: "DELETE FROM profile WHERE username_key = 'u9'")
        }
        var announced = 0
        let missing = user(9).description.filter { $0 != "-" }.uppercased()
        #expect(throws: StoreOpeningError.damaged(path: queue.path, table: "following", missingUser: missing)) {
            try SQLiteStore(directory: directory.path, clock: clock) { announced += 1 }
        }
        #expect(announced == 1)
        let (applied, edges) = try queue.read { database in
            (
                try SQLiteSchema.migrator.appliedMigrations(database),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM following WHERE typeof(follower) = 'blob'")
            )
        }
        #expect(applied == ["1 accounts, profiles, follows", "2 events of follows"])
        #expect(edges == (0..<Self.people).map { followed(by: $0).count }.reduce(0, +))
        try queue.close()
    }
}

extension UUIDBits {
    fileprivate var databaseValue: DatabaseValue { Data(bytes).databaseValue }
}
