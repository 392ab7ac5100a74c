import ProtobufWellKnownTypes
import PulseBoardMessages

extension Invocation {
    /// An instant in the user's time zone; empty when there is none.
    func time(_ instant: Google_Protobuf_Timestamp?) -> String {
        instant.map { LocalTime(timeZone: environment.timeZone).text(seconds: $0.seconds) } ?? ""
    }

    /// One profile as a card.
    func card(_ profile: PBProfile) -> String {
        var card = Card(title: "@" + profile.username)
        card.append(text("name", "이름"), profile.displayName)
        card.append(text("status", "상태 메시지"), profile.statusMessage)
        card.append(text("user id", "사용자 ID"), profile.userID)
        card.append(text("created", "가입"), time(profile.createTime))
        if profile.updateTime != profile.createTime { card.append(text("changed", "수정"), time(profile.updateTime)) }
        return card.rendered(style)
    }

    /// One profile on a line, with the time of its last change.
    func line(_ profile: PBProfile) -> String {
        [time(profile.updateTime), "@" + profile.username, profile.displayName, profile.statusMessage]
            .filter { !$0.isEmpty }.map(\.safeForTerminal).joined(separator: "  ")
    }

    /// Profiles as a table.
    func table(_ profiles: [PBProfile]) -> String {
        var table = Table([
            .init(text("USERNAME", "사용자 이름")), .init(text("NAME", "이름")), .init(text("STATUS", "상태 메시지")),
        ])
        for profile in profiles { table.append(["@" + profile.username, profile.displayName, profile.statusMessage]) }
        return table.rendered(style)
    }

    /// The users of a follow list as a table.
    func table(_ users: [PBFollowUser]) -> String {
        var table = Table([
            .init(text("USERNAME", "사용자 이름")), .init(text("NAME", "이름")), .init(text("SINCE", "팔로우 시작")),
        ])
        for user in users { table.append(["@" + user.username, user.displayName, time(user.followTime)]) }
        return table.rendered(style)
    }
}
