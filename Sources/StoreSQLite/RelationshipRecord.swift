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
    func encode(into writer: inout RecordBytesWriter) {
        writer.putFixed(userID.bits.bytes)
        var flags: UInt8 = 0
        if followTime != nil { flags |= 1 }
        if isFollowedBy { flags |= 2 }
        writer.put(flags)
        if let followTime { writer.put(followTime.microseconds) }
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
