import PulseBoardDomain
import PulseBoardVocabulary

/// A stored profile. `Profile` is its form in the domain (B11).
///
/// Its texts are those of ``ProfileTextField``, and their columns have the names of the paths. All SQL about a profile's row is made here,
/// once.
struct ProfileRecord: Hashable, Sendable {
    var userID: UserID
    var username: String
    var usernameKey: String
    var texts: ProfileTexts
    var image: ImageID?
    /// The number of the profile's writes, from 1. The etag is made from it.
    var version: Int64
    var createTime: Timestamp
    var updateTime: Timestamp

    init(_ draft: ProfileDraft, userID: UserID, version: Int64, createTime: Timestamp, updateTime: Timestamp) {
        self.userID = userID
        username = draft.username.text
        usernameKey = draft.username.key
        texts = draft.texts
        image = draft.image
        self.version = version
        self.createTime = createTime
        self.updateTime = updateTime
    }

    /// Converts the record to a `Profile`; `nil` if it violates what the domain relies on (X17).
    func model() -> Profile? {
        guard let username = Username(storedText: username, storedKey: usernameKey), version >= 1 else { return nil }
        return Profile(
            id: userID, username: username, texts: texts, image: image, createTime: createTime, updateTime: updateTime,
            etag: Etag(version: version, updateTime: updateTime))
    }

    /// The search terms of the profile.
    var terms: SearchTerms { SearchTerms(usernameKey: usernameKey, displayName: texts[.displayName]) }
}

// MARK: Rows

extension ProfileRecord {
    private static let textColumns = ProfileTextField.allCases.map(\.facts.path)
    private static let allColumns = ["user_id", "username", "username_key"] + textColumns + ["version", "create_time", "update_time", "image_id"]

    /// The columns that `init(row:)` reads, of a table named or aliased `p`.
    static let columns = allColumns.map { "p.\($0)" }.joined(separator: ", ")

    private static let insertion = Query(
        """
        INSERT INTO profile (\(allColumns.joined(separator: ", "))) VALUES (\(allColumns.map { _ in "?" }.joined(separator: ", ")))
        """)

    private static let change = Query(
        """
        UPDATE profile SET username = ?, username_key = ?, \(textColumns.map { "\($0) = ?" }.joined(separator: ", ")), version = ?,
            update_time = ?, image_id = ? WHERE user_id = ?
        """)

    /// Reads the columns from `first` on; `nil` if one of them is invalid.
    /// - Parameter repairing: reads what it can of a damaged row. U+FFFD stands for what is not UTF-8. A damaged id of a picture is left out.
    init?(row: borrowing SQLStatement, first: CInt = 0, repairing: Bool = false) {
        var texts = ProfileTexts()
        var column = first + 3
        for field in ProfileTextField.allCases {
            guard let text = row.text(column, repairing: repairing) else { return nil }
            texts[field] = text
            column += 1
        }
        guard
            let userID = row.identifier(first, as: UserID.self), let username = row.text(first + 1, repairing: repairing),
            let usernameKey = row.text(first + 2, repairing: repairing), let version = row.integer(column), let createTime = row.time(column + 1),
            let updateTime = row.time(column + 2)
        else { return nil }
        if !row.isNull(column + 3) {
            image = row.identifier(column + 3)
            guard image != nil || repairing else { return nil }
        }
        self.userID = userID
        self.username = username
        self.usernameKey = usernameKey
        self.texts = texts
        self.version = version
        self.createTime = createTime
        self.updateTime = updateTime
    }

    /// The stored row as a profile.
    /// - Throws: `corruptRow`, naming the row, when it cannot be read.
    static func model(row: borrowing SQLStatement, first: CInt = 0) throws(RepositoryError) -> Profile {
        guard let profile = ProfileRecord(row: row, first: first)?.model() else {
            throw .corruptRow(table: "profile", key: row.key(first))
        }
        return profile
    }

    /// Inserts the row.
    func insert(_ connection: borrowing SQLConnection) throws(RepositoryError) {
        var statement = try connection.statement(Self.insertion)
        try statement.bind(userID)
        try statement.bind(username)
        try statement.bind(usernameKey)
        for field in ProfileTextField.allCases { try statement.bind(texts[field]) }
        try statement.bind(version)
        try statement.bind(createTime)
        try statement.bind(updateTime)
        try statement.bind(image)
        try statement.run()
    }

    /// Updates the user's row, except its creation time.
    func update(_ connection: borrowing SQLConnection) throws(RepositoryError) {
        var statement = try connection.statement(Self.change)
        try statement.bind(username)
        try statement.bind(usernameKey)
        for field in ProfileTextField.allCases { try statement.bind(texts[field]) }
        try statement.bind(version)
        try statement.bind(updateTime)
        try statement.bind(image)
        try statement.bind(userID)
        try statement.run()
    }
}

// MARK: Remembered results

extension ProfileRecord: RememberedResult {
    /// The tags of fields that are not texts. Those of texts are ``ProfileTextField/Facts/tag``.
    enum Tag {
        static let userID: UInt8 = 1
        static let username: UInt8 = 2
        static let usernameKey: UInt8 = 3
        static let version: UInt8 = 6
        static let createTime: UInt8 = 7
        static let updateTime: UInt8 = 8
        static let image: UInt8 = 9
        static let all = [userID, username, usernameKey, version, createTime, updateTime, image]
    }

    func encode(into writer: inout RecordFieldsWriter) {
        writer.put(userID, as: Tag.userID)
        writer.put(username, as: Tag.username)
        writer.put(usernameKey, as: Tag.usernameKey)
        for field in ProfileTextField.allCases where field.facts.isOriginal || !texts[field].isEmpty {
            writer.put(texts[field], as: field.facts.tag)
        }
        writer.put(version, as: Tag.version)
        writer.put(createTime.microseconds, as: Tag.createTime)
        writer.put(updateTime.microseconds, as: Tag.updateTime)
        if let image { writer.put(image, as: Tag.image) }
    }

    init?(_ fields: RecordFields) {
        var texts = ProfileTexts()
        for field in ProfileTextField.allCases {
            // A result of an earlier version lacks newer fields.
            guard field.facts.isOriginal || fields.has(field.facts.tag) else { continue }
            guard let text = fields.text(field.facts.tag) else { return nil }
            texts[field] = text
        }
        guard
            let userID = fields.identifier(Tag.userID, as: UserID.self), let username = fields.text(Tag.username),
            let usernameKey = fields.text(Tag.usernameKey), let version = fields.integer(Tag.version),
            let createTime = fields.integer(Tag.createTime), let updateTime = fields.integer(Tag.updateTime)
        else { return nil }
        if fields.has(Tag.image) {
            guard let image = fields.identifier(Tag.image, as: ImageID.self) else { return nil }
            self.image = image
        }
        self.userID = userID
        self.username = username
        self.usernameKey = usernameKey
        self.texts = texts
        self.version = version
        self.createTime = Timestamp(microseconds: createTime)
        self.updateTime = Timestamp(microseconds: updateTime)
    }

    init?(from reader: inout RecordBytesReader) {
        guard
            let id = reader.fixed(16).flatMap({ UUIDBits(bytes: $0) }), let username = reader.text(), let usernameKey = reader.text()
        else { return nil }
        var texts = ProfileTexts()
        for field in ProfileTextField.allCases where field.facts.isOriginal {
            guard let text = reader.text() else { return nil }
            texts[field] = text
        }
        guard let version = reader.integer(), let createTime = reader.integer(), let updateTime = reader.integer() else { return nil }
        self.userID = UserID(bits: id)
        self.username = username
        self.usernameKey = usernameKey
        self.texts = texts
        self.version = version
        self.createTime = Timestamp(microseconds: createTime)
        self.updateTime = Timestamp(microseconds: updateTime)
    }
}

extension UserSummary {
    /// The columns that `init(row:first:)` reads, of a table named or aliased `p`.
    static let columns = "p.user_id, p.username, p.username_key, p.display_name, p.image_id"

    /// Reads the columns from `first` on.
    /// - Throws: `corruptRow`, naming the row, when it cannot be read.
    init(row: borrowing SQLStatement, first: CInt) throws(RepositoryError) {
        let image = row.isNull(first + 4) ? nil : row.identifier(first + 4, as: ImageID.self)
        guard
            let id = row.identifier(first, as: UserID.self), let text = row.text(first + 1), let key = row.text(first + 2),
            let displayName = row.text(first + 3), let username = Username(storedText: text, storedKey: key),
            row.isNull(first + 4) || image != nil
        else { throw .corruptRow(table: "profile", key: row.key(first)) }
        self.init(id: id, username: username, displayName: DisplayName(stored: displayName), image: image)
    }
}
