import PulseBoardMessages

extension Invocation {
    /// The caller's relationship to a user, in a sentence or two.
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

extension Invocation {
    /// Says that the caller follows a user now.
    func youFollow(_ name: String) -> String { text("You follow \(name).", "\(name)을(를) 팔로우합니다.") }

    /// One event as a line for a person.
    func line(_ event: PBFollowEvent) -> String {
        time(event.eventTime) + "  " + sentence(event)
    }

    private func sentence(_ event: PBFollowEvent) -> String {
        let user = event.user ?? PBUserSummary()
        let name = (user.username.isEmpty ? user.userID : "@" + user.username).safeForTerminal
        switch (event.kind, event.cause) {
        case (.followed, _):
            return youFollow(name)
        case (.unfollowed, .followee):
            return text("\(name) removed you as a follower.", "\(name)이(가) 나를 팔로워에서 삭제했습니다.")
        case (.unfollowed, .withdrawal):
            return text("\(name), whom you followed, has left.", "내가 팔로우하던 \(name)이(가) 탈퇴했습니다.")
        case (.unfollowed, _):
            return text("You no longer follow \(name).", "\(name)을(를) 더 이상 팔로우하지 않습니다.")
        case (.followerGained, _):
            return text("\(name) follows you.", "\(name)이(가) 나를 팔로우합니다.")
        case (.followerLost, .followee):
            return text("You removed \(name) as a follower.", "\(name)을(를) 팔로워에서 삭제했습니다.")
        case (.followerLost, .withdrawal):
            return text("\(name), who followed you, has left.", "나를 팔로우하던 \(name)이(가) 탈퇴했습니다.")
        case (.followerLost, _):
            return text("\(name) no longer follows you.", "\(name)이(가) 더 이상 나를 팔로우하지 않습니다.")
        case (.unspecified, _), (.unrecognized, _):
            return text("Something unknown happened with \(name).", "\(name)에게 알 수 없는 변화가 있었습니다.")
        }
    }
}
