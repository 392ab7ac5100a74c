import PulseBoardMessages

extension Invocation {
    /// How the caller stands to a user, in a sentence or two.
    func sentence(_ relationship: PBRelationship, with user: UserReference) -> String {
        let name = user.text.safeForTerminal
        switch relationship.state {
        case .personal:
            return text("\(name) is you.", "\(name)은(는) 본인입니다.") + "\n"
        case .followed:
            let since = time(relationship.followTime)
            return text("You follow \(name) since \(since).", "\(name)을(를) 팔로우하고 있습니다(\(since)부터).")
                + followedBy(relationship) + "\n"
        case .unfollowed:
            return text("You do not follow \(name).", "\(name)을(를) 팔로우하고 있지 않습니다.") + followedBy(relationship) + "\n"
        case .unspecified, .unrecognized:
            return text("The server says nothing known about \(name).", "\(name)과(와)의 관계를 알 수 없습니다.") + "\n"
        }
    }

    private func followedBy(_ relationship: PBRelationship) -> String {
        relationship.followedBy
            ? text(" They follow you.", " 상대방도 나를 팔로우합니다.") : text(" They do not follow you.", " 상대방은 나를 팔로우하지 않습니다.")
    }
}
