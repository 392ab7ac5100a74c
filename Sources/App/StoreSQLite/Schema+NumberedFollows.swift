import GRDB

extension Schema {
    /// The follow graph with users by their numbers: half the work of a follow, and two fifths of its room (docs/storage.md, An edge's room).
    ///
    /// Numbers are given in the order of the ids, so that the rows of each table come in the order of its new key, and nothing is sorted or
    /// inserted at random. An edge or event of a user without a profile, which there cannot be, becomes NULL and fails the migration, of which
    /// nothing stays then (``rowWithoutProfile(_:)`` finds it). Counts without a profile, which nobody can see, are left behind.
    static let numberedFollows = profiles + counts + edges + events

    private static let profileColumns =
        "user_id, username, username_key, display_name, status_message, version, create_time, update_time"

    private static let profiles = [
        "ALTER TABLE profile RENAME TO former_profile",
        // Still a rowid table, as rows may be long; its own number is the row's. AUTOINCREMENT: the number of a withdrawn user is not given
        // again, so that nothing that was theirs can become another's.
        """
        CREATE TABLE profile (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id BLOB NOT NULL UNIQUE,
            username TEXT NOT NULL,
            username_key TEXT NOT NULL,
            display_name TEXT NOT NULL,
            status_message TEXT NOT NULL,
            version INTEGER NOT NULL,
            create_time INTEGER NOT NULL,
            update_time INTEGER NOT NULL
        ) STRICT
        """,
        """
        INSERT INTO profile (\(profileColumns)) SELECT \(profileColumns) FROM former_profile ORDER BY user_id
        """,
        "DROP TABLE former_profile",
    ]

    private static let counts = [
        "ALTER TABLE follow_count RENAME TO former_follow_count",
        // A row for every profile; a write that makes or ends an edge changes both sides' rows anyway, so here stands too until when the
        // owner's events are kept, the instant of the newest one, that of the newest one that is gone (nobody can resume from before it), and
        // how many there are.
        """
        CREATE TABLE follow_count (
            number INTEGER PRIMARY KEY,
            followers INTEGER NOT NULL,
            following INTEGER NOT NULL,
            events_until INTEGER NOT NULL DEFAULT 0,
            last_event INTEGER NOT NULL DEFAULT 0,
            event_floor INTEGER NOT NULL DEFAULT 0,
            event_count INTEGER NOT NULL DEFAULT 0
        ) STRICT
        """,
        """
        INSERT INTO follow_count
        SELECT p.number, c.followers, c.following, c.events_until, c.last_event, c.event_floor, c.event_count
        FROM former_follow_count c JOIN profile p ON p.user_id = c.user_id ORDER BY c.user_id
        """,
        "DROP TABLE former_follow_count",
    ]

    private static let edges = [
        "ALTER TABLE following RENAME TO former_following",
        "DROP INDEX following_by_time",
        // Whom a user follows: the edge as its follower owns it, unique by key (X18), with an index in the order of the list.
        """
        CREATE TABLE following (
            follower INTEGER NOT NULL,
            followee INTEGER NOT NULL,
            follow_time INTEGER NOT NULL,
            PRIMARY KEY (follower, followee)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX following_by_time ON following (follower, follow_time, followee)",
        """
        INSERT INTO following
        SELECT \(number(of: "e.follower")), \(number(of: "e.followee")), e.follow_time
        FROM former_following e ORDER BY e.follower, e.followee
        """,
        "DROP TABLE former_following",
        "ALTER TABLE follower RENAME TO former_follower",
        // Who follows a user: the edge as its followee owns it, in the order of the list. Whether an edge exists is asked of `following`, so
        // this table needs no second tree.
        """
        CREATE TABLE follower (
            followee INTEGER NOT NULL,
            follow_time INTEGER NOT NULL,
            follower INTEGER NOT NULL,
            PRIMARY KEY (followee, follow_time, follower)
        ) STRICT, WITHOUT ROWID
        """,
        """
        INSERT INTO follower
        SELECT \(number(of: "e.followee")), e.follow_time, \(number(of: "e.follower"))
        FROM former_follower e ORDER BY e.followee, e.follow_time, e.follower
        """,
        "DROP TABLE former_follower",
    ]

    private static let events = [
        "ALTER TABLE follow_event RENAME TO former_follow_event",
        // What happened to a user's follows, in their own order: the event's instant is its position. The other side stays an identifier:
        // what was told of a user outlives the profile.
        """
        CREATE TABLE follow_event (
            owner INTEGER NOT NULL,
            event_time INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            other BLOB NOT NULL,
            PRIMARY KEY (owner, event_time)
        ) STRICT, WITHOUT ROWID
        """,
        """
        INSERT INTO follow_event
        SELECT \(number(of: "e.owner")), e.event_time, e.kind, e.other FROM former_follow_event e ORDER BY e.owner, e.event_time
        """,
        "DROP TABLE former_follow_event",
    ]

    private static func number(of id: String) -> String { "(SELECT p.number FROM profile p WHERE p.user_id = \(id))" }

    /// A row that keeps ``numberedFollows`` from being made, in a database of before: its table, and the user whom it names and who has no
    /// profile, in hexadecimal digits.
    static func rowWithoutProfile(_ database: Database) throws -> (table: String, user: String)? {
        let places = [
            ("following", "follower"), ("following", "followee"), ("follower", "followee"), ("follower", "follower"), ("follow_event", "owner"),
        ]
        for (table, column) in places {
            let user = try String.fetchOne(
                database, sql: "SELECT hex(\(column)) FROM \(table) WHERE \(column) NOT IN (SELECT user_id FROM profile) LIMIT 1")
            if let user { return (table, user) }
        }
        return nil
    }
}
