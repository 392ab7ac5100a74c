import GRDB
import StoreSQL

/// The schema, as migrations. New ones are appended, and old ones never change.
///
/// It is portable to PostgreSQL and compatible databases. Identifiers have 16 bytes, and the application makes them. The owner comes first in every
/// key. Whatever must be globally unique has its own table. Each direction of a follow is a row of its owner. Instants are UTC microseconds. There
/// are no triggers and no foreign keys. The follow graph uses a shorter name for a user, `profile.number` (`UserNumber`).
enum SQLiteSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 accounts, profiles, follows") { database in
            try database.execute(sql: "PRAGMA application_id = \(ConnectionSettings.applicationID)")
            for statement in accounts + profiles + follows + bookkeeping {
                try database.execute(sql: statement)
            }
        }
        migrator.registerMigration("2 events of follows") { database in
            for statement in followEvents { try database.execute(sql: statement) }
        }
        migrator.registerMigration("3 follows by number") { database in
            for statement in NumberedFollows.statements { try database.execute(sql: statement) }
        }
        migrator.registerMigration("4 withdrawals in steps") { database in
            for statement in withdrawals { try database.execute(sql: statement) }
        }
        migrator.registerMigration("5 pictures") { database in
            for statement in images { try database.execute(sql: statement) }
        }
        migrator.registerMigration("6 devices of sessions") { database in
            for statement in devices { try database.execute(sql: statement) }
        }
        migrator.registerMigration("7 identities") { database in
            for statement in identities { try database.execute(sql: statement) }
        }
        migrator.registerMigration("8 withdrawals that can be taken back") { database in
            for statement in pendingWithdrawals { try database.execute(sql: statement) }
        }
        migrator.registerMigration("9 names that are kept", migrate: Names.migrate)
        migrator.registerMigration("10 diaries") { database in
            for statement in diaries { try database.execute(sql: statement) }
        }
        migrator.registerMigration("11 pictures of diaries") { database in
            for statement in diaryImages { try database.execute(sql: statement) }
        }
        migrator.registerMigration("12 sealed diaries") { database in
            for statement in sealedDiaries { try database.execute(sql: statement) }
        }
        migrator.registerMigration("13 indexes of removed rows") { database in
            for statement in indexesOfRemovedRows { try database.execute(sql: statement) }
        }
        return migrator
    }

    private static let accounts = [
        // The user of each identity. It is global: a sign-in knows the identity and looks for the user.
        """
        CREATE TABLE account (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            user_id BLOB NOT NULL,
            create_time INTEGER NOT NULL,
            PRIMARY KEY (issuer, subject)
        ) STRICT, WITHOUT ROWID
        """,
        // The sessions of users: small rows in one tree.
        """
        CREATE TABLE session (
            user_id BLOB NOT NULL,
            session_id BLOB NOT NULL,
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            token_hash BLOB NOT NULL,
            create_time INTEGER NOT NULL,
            expire_time INTEGER NOT NULL,
            PRIMARY KEY (user_id, session_id)
        ) STRICT, WITHOUT ROWID
        """,
        // For removing expired sessions, oldest first, in bounded steps.
        "CREATE INDEX session_by_expiry ON session (expire_time)",
        // The session of each token. It is global: a call has only the token.
        """
        CREATE TABLE session_token (
            token_hash BLOB NOT NULL PRIMARY KEY,
            user_id BLOB NOT NULL,
            session_id BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// Migration 3 replaces `profile` (`NumberedFollows`, below).
    private static let profiles = [
        // It is a rowid table, because rows may be long (a status message has up to 1,120 bytes). So the key's tree stays small.
        """
        CREATE TABLE profile (
            user_id BLOB NOT NULL PRIMARY KEY,
            username TEXT NOT NULL,
            username_key TEXT NOT NULL,
            display_name TEXT NOT NULL,
            status_message TEXT NOT NULL,
            version INTEGER NOT NULL,
            create_time INTEGER NOT NULL,
            update_time INTEGER NOT NULL
        ) STRICT
        """,
        // Makes usernames globally unique (X11). The key is the case-folded name (X15).
        """
        CREATE TABLE username (
            username_key TEXT NOT NULL PRIMARY KEY,
            user_id BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // The terms for a search by prefix: each profile's folded username (kind 0) and folded display name (kind 1,
        // absent if empty or equal to the username).
        """
        CREATE TABLE profile_term (
            term TEXT NOT NULL,
            user_id BLOB NOT NULL,
            kind INTEGER NOT NULL,
            PRIMARY KEY (term, user_id)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// Migration 3 replaces all of these.
    private static let follows = [
        // Whom a user follows: the edge as its follower owns it, unique by key (X18).
        """
        CREATE TABLE following (
            follower BLOB NOT NULL,
            followee BLOB NOT NULL,
            follow_time INTEGER NOT NULL,
            PRIMARY KEY (follower, followee)
        ) STRICT, WITHOUT ROWID
        """,
        // The list of the users whom a user follows, newest first.
        "CREATE INDEX following_by_time ON following (follower, follow_time, followee)",
        // Who follows a user: the edge as its followee owns it, in the order of the list. `following` shows whether an edge
        // exists, so this table needs no second tree.
        """
        CREATE TABLE follower (
            followee BLOB NOT NULL,
            follow_time INTEGER NOT NULL,
            follower BLOB NOT NULL,
            PRIMARY KEY (followee, follow_time, follower)
        ) STRICT, WITHOUT ROWID
        """,
        // The counts of followers and followed users. Every profile has a row.
        """
        CREATE TABLE follow_count (
            user_id BLOB NOT NULL PRIMARY KEY,
            followers INTEGER NOT NULL,
            following INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// Migration 3 replaces `follow_event`, and `follow_count` with these columns.
    private static let followEvents = [
        // The events of a user's follows, in order. The instant of an event is also its number, so a row is two
        // identifiers and two small integers, and no sequence is needed.
        """
        CREATE TABLE follow_event (
            owner BLOB NOT NULL,
            event_time INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            other BLOB NOT NULL,
            PRIMARY KEY (owner, event_time)
        ) STRICT, WITHOUT ROWID
        """,
        // A write that makes or ends an edge changes both sides' counts anyway. So this row also has the time until which events are kept, the
        // instants of the newest event and of the newest removed one (nobody can resume from before it), and the number of events.
        "ALTER TABLE follow_count ADD COLUMN events_until INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE follow_count ADD COLUMN last_event INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE follow_count ADD COLUMN event_floor INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE follow_count ADD COLUMN event_count INTEGER NOT NULL DEFAULT 0",
    ]

    private static let bookkeeping = [
        // Remembered writes: a retry gets the first result, also after a restart.
        """
        CREATE TABLE request (
            user_id BLOB NOT NULL,
            request_id TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            result BLOB NOT NULL,
            create_time INTEGER NOT NULL,
            PRIMARY KEY (user_id, request_id)
        ) STRICT, WITHOUT ROWID
        """,
        // For removing them, oldest first, in bounded steps.
        "CREATE INDEX request_by_time ON request (create_time)",
        // Keys of the deployment.
        """
        CREATE TABLE secret (
            name TEXT NOT NULL PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]
}

extension SQLiteSchema {
    /// Converts the follow graph to numbers of users. It makes a follow cheaper and its rows smaller (docs/storage.md, "The size of an edge").
    ///
    /// Numbers are assigned in the order of the ids. So the rows of each table come in the order of its new key, and nothing is sorted or inserted
    /// at random. An edge or event of a user without a profile should not exist. It would become NULL, which makes the migration fail without a
    /// change (``rowWithoutProfile(_:)`` finds the row). Counts without a profile are not copied, because nobody can see them.
    private enum NumberedFollows {
        static let statements = profiles + counts + edges + events

        private static let profileColumns =
            "user_id, username, username_key, display_name, status_message, version, create_time, update_time"

        private static let profiles = [
            "ALTER TABLE profile RENAME TO former_profile",
            // It is still a rowid table, because rows may be long; the number is the rowid. With AUTOINCREMENT the number of a removed user
            // is not used again, so that none of their rows can become another user's.
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
            // Every profile has a row. A write that makes or ends an edge changes both sides' rows anyway. So the row also has the time until
            // which events are kept, the instants of the newest event and of the newest removed one (nobody can resume from before it), and the
            // number of events.
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
            // Who follows a user: the edge as its followee owns it, in the order of the list. `following` shows whether an edge exists, so this
            // table needs no second tree.
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
            // The events of a user's follows, in order: the instant of an event is its position. The other side is an identifier, because an
            // event outlives the profile that it names.
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
    }

    /// Finds a row of an earlier version that prevents migration 3: its table, and the user without a profile whom it names, in hexadecimal
    /// digits.
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

extension SQLiteSchema {
    /// Without these, a follow reads all withdrawn users whose rows are left, and forgetting one deleted entry reads its whole diary.
    private static let indexesOfRemovedRows = [
        "CREATE INDEX withdrawal_by_user ON withdrawal (user_id)",
        "CREATE INDEX diary_tombstone ON diary_entry (diary, delete_time, entry_id) WHERE delete_time IS NOT NULL AND has_conflicts = 0",
    ]

    /// Adds what withdrawal in steps, trusted clocks and results across versions need.
    private static let withdrawals = [
        // Withdrawn users whose follows are still stored. This table hides those rows.
        """
        CREATE TABLE withdrawal (
            number INTEGER PRIMARY KEY,
            user_id BLOB NOT NULL,
            withdraw_time INTEGER NOT NULL,
            followers INTEGER NOT NULL,
            following INTEGER NOT NULL,
            is_damaged INTEGER NOT NULL,
            is_over INTEGER NOT NULL
        ) STRICT
        """,
        // The format of a result: 0 is the form from before this column (`RecordBytesReader`), 1 is the present one.
        "ALTER TABLE request ADD COLUMN format INTEGER NOT NULL DEFAULT 0",
        // Named instants that must survive a restart.
        """
        CREATE TABLE marked_time (
            name TEXT NOT NULL PRIMARY KEY,
            instant INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]
}

extension SQLiteSchema {
    private static let images = [
        // The picture of a profile; NULL for none.
        "ALTER TABLE profile ADD COLUMN image_id BLOB",
        // All pictures. The image store keeps their bytes by owner and id. `state` is an `ImageState`. A picture that is
        // not in a profile is removed at `expire_time`.
        """
        CREATE TABLE image (
            owner BLOB NOT NULL,
            image_id BLOB NOT NULL,
            state INTEGER NOT NULL,
            expire_time INTEGER NOT NULL,
            PRIMARY KEY (owner, image_id)
        ) STRICT, WITHOUT ROWID
        """,
        // For removing pictures that are not in a profile, oldest first.
        "CREATE INDEX image_by_expiry ON image (expire_time) WHERE state <> \(ImageState.attached.rawValue)",
    ]
}

extension SQLiteSchema {
    /// The device that signed in, as it described itself. All three are NULL if it did not.
    private static let devices = ["device_id", "device_name", "device_platform"].map { "ALTER TABLE session ADD COLUMN \($0) TEXT" }
}

extension SQLiteSchema {
    /// Adds what several identities of a user, and ID tokens, need.
    private static let identities = [
        // The identities of a user, oldest first.
        "CREATE INDEX account_by_user ON account (user_id, create_time)",
        // Used ID tokens, until they expire. `session_id` is the session that the token opened, empty if it linked an identity. With the same
        // `request_id` the token may open another session instead.
        """
        CREATE TABLE used_id_token (
            token_hash BLOB NOT NULL PRIMARY KEY,
            request_id TEXT NOT NULL,
            session_id BLOB NOT NULL,
            expire_time INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX used_id_token_by_expiry ON used_id_token (expire_time)",
        // Used nonces of this server, each with its token. Unused nonces are not stored.
        """
        CREATE TABLE used_nonce (
            nonce_hash BLOB NOT NULL PRIMARY KEY,
            token_hash BLOB NOT NULL,
            expire_time INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX used_nonce_by_expiry ON used_nonce (expire_time)",
    ]
}

extension SQLiteSchema {
    private static let pendingWithdrawals = [
        // Users who have asked to leave and may come back. `profile` is the former row of `profile`, encoded as a remembered `ProfileRecord`.
        // `number` is its number, which the edges still contain. Both are NULL for a user without a profile.
        """
        CREATE TABLE pending_withdrawal (
            user_id BLOB NOT NULL PRIMARY KEY,
            number INTEGER,
            profile BLOB,
            request_time INTEGER NOT NULL,
            purge_time INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE UNIQUE INDEX pending_withdrawal_by_number ON pending_withdrawal (number) WHERE number IS NOT NULL",
        "CREATE INDEX pending_withdrawal_by_time ON pending_withdrawal (purge_time)",
    ]
}
