import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages

extension PBRelationship {
    init(_ relationship: Relationship) {
        let state: PBRelationship.State =
            switch relationship.state {
            case .personal: .personal
            case .followed: .followed
            case .unfollowed: .unfollowed
            }
        self.init(
            userID: relationship.userID.description, state: state, followedBy: relationship.isFollowedBy,
            followTime: relationship.followTime.map(Google_Protobuf_Timestamp.init))
    }
}

extension PBFollowUser {
    init(_ entry: FollowListEntry) {
        self.init(
            userID: entry.userID.description, username: entry.username.text, displayName: entry.displayName.text,
            followTime: Google_Protobuf_Timestamp(entry.followTime))
    }
}
