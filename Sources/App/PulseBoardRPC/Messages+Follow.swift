import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices

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

extension PBFollowEvent {
    init(_ update: FollowUpdate) {
        guard let event = update.event else {
            self.init(kind: .position, resumeToken: update.resumeToken.text)
            return
        }
        self.init(
            kind: Kind(event.change), cause: Cause(event.cause), userID: event.userID.description,
            username: event.names?.username.text ?? "", displayName: event.names?.displayName.text ?? "",
            eventTime: Google_Protobuf_Timestamp(event.time), resumeToken: update.resumeToken.text)
    }
}

extension PBFollowEvent.Kind {
    init(_ change: FollowEvent.Change) {
        switch change {
        case .followed: self = .followed
        case .unfollowed: self = .unfollowed
        case .followerGained: self = .followerGained
        case .followerLost: self = .followerLost
        }
    }
}

extension PBFollowEvent.Cause {
    init(_ cause: FollowEvent.Cause) {
        switch cause {
        case .follower: self = .follower
        case .followee: self = .followee
        case .withdrawal: self = .withdrawal
        }
    }
}
