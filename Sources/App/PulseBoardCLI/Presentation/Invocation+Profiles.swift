import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary

extension Invocation {
    /// An instant in the user's time zone; empty when there is none.
    func time(_ instant: Google_Protobuf_Timestamp?) -> String {
        instant.map { LocalTime(timeZone: environment.timeZone).text(seconds: $0.seconds) } ?? ""
    }

    /// One profile as a card.
    func card(_ profile: PBProfile) -> String {
        var card = Card(title: "@" + profile.username)
        for field in ProfileTextField.allCases { card.append(field.facts.label.text(in: language), profile[field]) }
        card.append(text("user id", "사용자 ID"), profile.userID)
        card.append(text("created", "가입"), time(profile.createTime))
        if profile.updateTime != profile.createTime { card.append(text("changed", "수정"), time(profile.updateTime)) }
        return card.rendered(style)
    }

    /// One profile on a line, with the time of its last change.
    func line(_ profile: PBProfile) -> String {
        let texts = Self.listedFields.map { profile[$0] }
        return ([time(profile.updateTime), "@" + profile.username] + texts)
            .filter { !$0.isEmpty }.map(\.safeForTerminal).joined(separator: "  ")
    }

    /// Profiles as a table.
    func table(_ profiles: [PBProfile]) -> String {
        let headings = Self.listedFields.map { Table.Column($0.facts.label.text(in: language).uppercased()) }
        var table = Table([.init(text("USERNAME", "사용자 이름"))] + headings)
        for profile in profiles { table.append(["@" + profile.username] + Self.listedFields.map { profile[$0] }) }
        return table.rendered(style)
    }

    /// The texts that a list has room for.
    private static let listedFields = ProfileTextField.allCases.filter(\.facts.isListed)

    /// The users of a follow list as a table.
    func table(_ users: [PBFollowUser]) -> String {
        var table = Table([
            .init(text("USERNAME", "사용자 이름")), .init(text("NAME", "이름")), .init(text("SINCE", "팔로우 시작")),
        ])
        for user in users { table.append(["@" + user.username, user.displayName, time(user.followTime)]) }
        return table.rendered(style)
    }
}
