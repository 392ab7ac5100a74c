import PulseBoardDomain

/// What a row of `follow_event` says, as one small integer; `FollowEvent.Change` and `Cause` are what it means (B11).
///
/// The numbers are stored and never change their meaning.
enum FollowEventKind: Int64, Sendable, CaseIterable {
    case followed = 1
    case followerGained = 2
    case unfollowed = 3
    case followerLost = 4
    case unfollowedByFollowee = 5
    case followerRemoved = 6
    case unfollowedByWithdrawal = 7
    case followerLostByWithdrawal = 8

    /// Both sides of the end of an edge.
    static func end(_ cause: FollowEvent.Cause) -> (follower: FollowEventKind, followee: FollowEventKind) {
        switch cause {
        case .follower: (.unfollowed, .followerLost)
        case .followee: (.unfollowedByFollowee, .followerRemoved)
        case .withdrawal: (.unfollowedByWithdrawal, .followerLostByWithdrawal)
        }
    }

    var change: FollowEvent.Change {
        switch self {
        case .followed: .followed
        case .followerGained: .followerGained
        case .unfollowed, .unfollowedByFollowee, .unfollowedByWithdrawal: .unfollowed
        case .followerLost, .followerRemoved, .followerLostByWithdrawal: .followerLost
        }
    }

    var cause: FollowEvent.Cause {
        switch self {
        case .followed, .followerGained, .unfollowed, .followerLost: .follower
        case .unfollowedByFollowee, .followerRemoved: .followee
        case .unfollowedByWithdrawal, .followerLostByWithdrawal: .withdrawal
        }
    }

    /// How the event changes its owner's counts.
    var countChange: (followers: Int64, following: Int64) {
        switch change {
        case .followed: (0, 1)
        case .unfollowed: (0, -1)
        case .followerGained: (1, 0)
        case .followerLost: (-1, 0)
        }
    }
}
