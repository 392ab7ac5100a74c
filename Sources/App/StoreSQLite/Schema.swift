import GRDB

/// The schema, as migrations that are only ever appended to.
///
/// Portable to PostgreSQL and its distributed relatives: identifiers are 16-byte values made by the application, the owner
/// comes first in every key, what must be globally unique has its own table, both directions of a follow are rows of
/// their owner, instants are UTC microseconds, and there are no triggers or foreign keys. Within the one file the follow graph
/// has a shorter name for a user, `profile.number` (`UserNumber`).
enum Schema {
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
            for statement in numberedFollows { try database.execute(sql: statement) }
        }
        migrator.registerMigration("4 withdrawals in steps") { database in
            for statement in withdrawals { try database.execute(sql: statement) }
        }
        return migrator
    }

    private static let accounts = [
        // Who a proven identity is. Global: sign-in knows the identity and asks for the user.
        """
        CREATE TABLE account (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            user_id BLOB NOT NULL,
            create_time INTEGER NOT NULL,
            PRIMARY KEY (issuer, subject)
        ) STRICT, WITHOUT ROWID
        """,
        // A user's sessions; small rows in one tree.
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
        // For removing what has expired, oldest first, in bounded steps.
        "CREATE INDEX session_by_expiry ON session (expire_time)",
        // Which session a token proves. Global: a call brings a token and nothing else.
        """
        CREATE TABLE session_token (
            token_hash BLOB NOT NULL PRIMARY KEY,
            user_id BLOB NOT NULL,
            session_id BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// Migration 3 replaces `profile` (Schema+NumberedFollows.swift).
    private static let profiles = [
        // Rows may be long (a status message has up to 1,120 bytes), hence a rowid table: the key's tree stays small.
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
        // Global uniqueness of usernames (X11); the key is the case-folded name (X15).
        """
        CREATE TABLE username (
            username_key TEXT NOT NULL PRIMARY KEY,
            user_id BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // What a prefix search looks through: each profile's folded username (kind 0) and folded display name (kind 1,
        // absent when empty or equal to the username).
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
        // The list of whom a user follows, newest first.
        "CREATE INDEX following_by_time ON following (follower, follow_time, followee)",
        // Who follows a user: the edge as its followee owns it, in the order of the list. Whether an edge exists is asked of
        // `following`, so this table needs no second tree.
        """
        CREATE TABLE follower (
            followee BLOB NOT NULL,
            follow_time INTEGER NOT NULL,
            follower BLOB NOT NULL,
            PRIMARY KEY (followee, follow_time, follower)
        ) STRICT, WITHOUT ROWID
        """,
        // How many of each; a row for every profile.
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
        // What happened to a user's follows, in their own order: the event's instant is its number too, so that a row is
        // two identifiers and two small integers, and there is no sequence to draw from.
        """
        CREATE TABLE follow_event (
            owner BLOB NOT NULL,
            event_time INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            other BLOB NOT NULL,
            PRIMARY KEY (owner, event_time)
        ) STRICT, WITHOUT ROWID
        """,
        // A write that makes or ends an edge touches both sides' counts anyway: there stands until when the owner's events are
        // kept, the instant of the newest one, that of the newest one that is gone (nobody can resume from before it), and
        // how many there are.
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
        // For forgetting them, oldest first, in bounded steps.
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
