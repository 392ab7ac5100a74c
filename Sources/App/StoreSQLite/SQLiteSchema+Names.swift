import GRDB
import PulseBoardDomain
import PulseBoardVocabulary

extension SQLiteSchema {
    /// Adds held and reserved names, look-alikes, and names by their initial consonants.
    ///
    /// Existing names stay, whatever they look like. Their time is 0, so their owners may change them.
    enum Names {
        static func migrate(_ database: Database) throws {
            for statement in table { try database.execute(sql: statement) }
            try addSkeletons(database)
            try database.execute(sql: "DROP TABLE former_username")
            try addInitials(database)
        }

        private static let table = [
            "ALTER TABLE username RENAME TO former_username",
            // Who has a name and why (`Usernames.Kind`), and until when unless a profile has it. Without a user it is held for nobody. `skeleton` is
            // what it looks like. `likeness` is 0, except for existing names that look like another one, and for names of one user that look alike.
            """
            CREATE TABLE username (
                username_key TEXT NOT NULL PRIMARY KEY,
                user_id BLOB,
                kind INTEGER NOT NULL,
                take_time INTEGER NOT NULL,
                expire_time INTEGER NOT NULL,
                skeleton TEXT NOT NULL,
                likeness INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE UNIQUE INDEX username_by_skeleton ON username (skeleton, likeness)",
            // For a user's names besides the present one, and for expiry. These are few rows, so the indexes leave out all others.
            "CREATE INDEX username_by_holder ON username (user_id) WHERE kind <> 0",
            "CREATE INDEX username_by_expiry ON username (expire_time) WHERE kind <> 0",
        ]

        private static func addSkeletons(_ database: Database) throws {
            let insertion = try database.makeStatement(
                sql: """
                    INSERT INTO username (username_key, user_id, kind, take_time, expire_time, skeleton, likeness)
                    SELECT ?1, ?2, 0, 0, 0, ?3, coalesce(max(likeness) + 1, 0) FROM username WHERE skeleton = ?3
                    """)
            let names = try Row.fetchCursor(database, sql: "SELECT username_key, user_id FROM former_username ORDER BY username_key")
            while let name = try names.next() {
                let key: String = name[0]
                let user: DatabaseValue = name[1]
                try insertion.execute(arguments: [key, user, key.usernameSkeleton])
            }
        }

        private static func addInitials(_ database: Database) throws {
            let insertion = try database.makeStatement(sql: "INSERT OR IGNORE INTO profile_term (term, user_id, kind) VALUES (?, ?, ?)")
            let profiles = try Row.fetchCursor(database, sql: "SELECT user_id, username_key, display_name FROM profile ORDER BY user_id")
            while let profile = try profiles.next() {
                let user: DatabaseValue = profile[0]
                // A row that cannot be read stays as it is, and is reported when somebody reads it.
                guard let key = String.fromDatabaseValue(profile[1]), let displayName = String.fromDatabaseValue(profile[2]) else { continue }
                for term in SearchTerms(usernameKey: key, displayName: displayName).all where term.kind.rawValue > 1 {
                    try insertion.execute(arguments: [term.text, user, term.kind.rawValue])
                }
            }
        }
    }
}
