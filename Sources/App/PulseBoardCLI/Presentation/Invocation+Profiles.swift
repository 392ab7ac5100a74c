import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary

extension Invocation {
    /// An instant in the user's time zone; empty when there is none.
    func time(_ instant: Google_Protobuf_Timestamp?) -> String {
        instant.map { LocalTime(timeZone: environment.timeZone).text(seconds: $0.seconds) } ?? ""
    }

    /// One profile as a card.
    /// - Parameter pictureBytes: the length of the picture, if known.
    func card(_ profile: PBProfile, pictureBytes: Int? = nil) -> String {
        var card = Card(title: "@" + profile.username)
        for field in ProfileTextField.allCases { card.append(field.facts.label.text(in: language), profile[field]) }
        card.append(
            text(Phrase.Word.picture),
            (profile.image?.path ?? "") + (pictureBytes.map { text(" (\($0.grouped) bytes)", " (\($0.grouped)바이트)") } ?? ""))
        card.append(text("user id", "사용자 ID"), profile.userID)
        card.append(text("created", "가입"), time(profile.createTime))
        if profile.updateTime != profile.createTime { card.append(text("changed", "수정"), time(profile.updateTime)) }
        return card.rendered(style)
    }

    /// One profile on a line, with the time of its last change: what a watch prints.
    func line(_ profile: PBProfile) -> String {
        let texts = Self.watchedFields.map { profile[$0] }
        return ([time(profile.updateTime), "@" + profile.username] + texts)
            .filter { !$0.isEmpty }.map(\.safeForTerminal).joined(separator: "  ")
    }

    /// Users as a table.
    func table(_ users: [PBUserSummary]) -> String {
        var table = Table([
            .init(text(Phrase.Word.username.heading)), .init(text("NAME", "표시 이름")),
            .init(text("USER ID", "사용자 ID"), isOptional: true, isWhole: true),
        ])
        for user in users { table.append(["@" + user.username, user.displayName, user.userID]) }
        return table.rendered(style)
    }

    /// The texts in the line of a watch.
    private static let watchedFields = ProfileTextField.allCases.filter(\.facts.isInWatchLine)

    /// The users of a follow list as a table.
    func table(_ users: [PBFollowUser]) -> String {
        var table = Table([
            .init(text(Phrase.Word.username.heading)), .init(text("NAME", "표시 이름")), .init(text("SINCE", "팔로우 시작"), isOptional: true, isWhole: true),
        ])
        for user in users {
            table.append(["@" + (user.user?.username ?? ""), user.user?.displayName ?? "", time(user.followTime)])
        }
        return table.rendered(style)
    }
}
