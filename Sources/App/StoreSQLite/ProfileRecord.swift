import PulseBoardDomain

/// A profile as it is stored; `Profile` is what it means (B11).
struct ProfileRecord: Hashable, Sendable {
    var userID: UserID
    var username: String
    var usernameKey: String
    var displayName: String
    var statusMessage: String
    /// Counts the writes of the profile from 1; the etag is made of it.
    var version: Int64
    var createTime: Timestamp
    var updateTime: Timestamp

    /// The columns `init(row:)` reads, of a table named or aliased `p`.
    static let columns = """
        p.user_id, p.username, p.username_key, p.display_name, p.status_message, p.version, p.create_time, p.update_time
        """

    init(_ draft: ProfileDraft, userID: UserID, version: Int64, createTime: Timestamp, updateTime: Timestamp) {
        self.userID = userID
        username = draft.username.text
        usernameKey = draft.username.key
        displayName = draft.displayName.text
        statusMessage = draft.statusMessage.text
        self.version = version
        self.createTime = createTime
        self.updateTime = updateTime
    }

    /// Reads the columns from `first` on; `nil` when one of them cannot be what it should.
    init?(row: borrowing SQLStatement, first: CInt = 0) {
        guard
            let userID = row.identifier(first, as: UserID.self), let username = row.text(first + 1),
            let usernameKey = row.text(first + 2), let displayName = row.text(first + 3),
            let statusMessage = row.text(first + 4), let version = row.integer(first + 5),
            let createTime = row.time(first + 6), let updateTime = row.time(first + 7)
        else { return nil }
        self.userID = userID
        self.username = username
        self.usernameKey = usernameKey
        self.displayName = displayName
        self.statusMessage = statusMessage
        self.version = version
        self.createTime = createTime
        self.updateTime = updateTime
    }

    /// The stored profile in the domain's terms; `nil` when it breaks what the domain relies on (X17).
    func model() -> Profile? {
        guard let username = Username(storedText: username, storedKey: usernameKey), version >= 1 else { return nil }
        return Profile(
            id: userID, username: username, displayName: DisplayName(stored: displayName),
            statusMessage: StatusMessage(stored: statusMessage), createTime: createTime, updateTime: updateTime,
            etag: Etag(version: version, createTime: createTime))
    }

    /// The stored row as a profile.
    /// - Throws: `corruptRow`, naming the row, when it cannot be read.
    static func model(row: borrowing SQLStatement, first: CInt = 0) throws(RepositoryError) -> Profile {
        guard let profile = ProfileRecord(row: row, first: first)?.model() else {
            throw .corruptRow(table: "profile", key: row.key(first))
        }
        return profile
    }
}

extension ProfileRecord: RememberedResult {
    func encode(into writer: inout RecordFieldsWriter) {
        writer.put(userID, as: 1)
        writer.put(username, as: 2)
        writer.put(usernameKey, as: 3)
        writer.put(displayName, as: 4)
        writer.put(statusMessage, as: 5)
        writer.put(version, as: 6)
        writer.put(createTime.microseconds, as: 7)
        writer.put(updateTime.microseconds, as: 8)
    }

    init?(_ fields: RecordFields) {
        guard
            let userID = fields.identifier(1, as: UserID.self), let username = fields.text(2), let usernameKey = fields.text(3),
            let displayName = fields.text(4), let statusMessage = fields.text(5), let version = fields.integer(6),
            let createTime = fields.integer(7), let updateTime = fields.integer(8)
        else { return nil }
        self.userID = userID
        self.username = username
        self.usernameKey = usernameKey
        self.displayName = displayName
        self.statusMessage = statusMessage
        self.version = version
        self.createTime = Timestamp(microseconds: createTime)
        self.updateTime = Timestamp(microseconds: updateTime)
    }

    init?(from reader: inout RecordBytesReader) {
        guard
            let id = reader.fixed(16).flatMap({ UUIDBits(bytes: $0) }), let username = reader.text(),
            let usernameKey = reader.text(), let displayName = reader.text(), let statusMessage = reader.text(),
            let version = reader.integer(), let createTime = reader.integer(), let updateTime = reader.integer()
        else { return nil }
        self.userID = UserID(bits: id)
        self.username = username
        self.usernameKey = usernameKey
        self.displayName = displayName
        self.statusMessage = statusMessage
        self.version = version
        self.createTime = Timestamp(microseconds: createTime)
        self.updateTime = Timestamp(microseconds: updateTime)
    }
}
