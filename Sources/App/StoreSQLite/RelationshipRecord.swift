import PulseBoardDomain

/// What a write of a follow led to, as it is remembered; `Relationship` is what it means (B11).
struct RelationshipRecord: Hashable, Sendable {
    var userID: UserID
    /// `nil` when the user is not followed.
    var followTime: Timestamp?
    var isFollowedBy: Bool

    func model() -> Relationship {
        Relationship(
            userID: userID, state: followTime.map { .followed(since: $0) } ?? .unfollowed, isFollowedBy: isFollowedBy)
    }
}

extension RelationshipRecord: RememberedResult {
    func encode(into writer: inout RecordFieldsWriter) {
        writer.put(userID, as: 1)
        if let followTime { writer.put(followTime.microseconds, as: 2) }
        if isFollowedBy { writer.put(1, as: 3) }
    }

    init?(_ fields: RecordFields) {
        guard let userID = fields.identifier(1, as: UserID.self) else { return nil }
        let followTime = fields.integer(2), followedBy = fields.integer(3)
        // A field that is there holds what it must.
        guard fields.has(2) == (followTime != nil), fields.has(3) == (followedBy == 1) else { return nil }
        self.userID = userID
        self.followTime = followTime.map(Timestamp.init(microseconds:))
        isFollowedBy = followedBy == 1
    }

    init?(from reader: inout RecordBytesReader) {
        guard let id = reader.fixed(16).flatMap({ UUIDBits(bytes: $0) }), let flags = reader.byte(), flags < 4 else {
            return nil
        }
        userID = UserID(bits: id)
        isFollowedBy = flags & 2 != 0
        if flags & 1 != 0 {
            guard let time = reader.integer() else { return nil }
            followTime = Timestamp(microseconds: time)
        }
    }
}
