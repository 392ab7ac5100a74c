import PulseBoardVocabulary
import StoreSQL

/// A rule for the rows of a database that SQLite itself does not enforce. There is one for each way in which two rows can disagree.
///
/// A rule has SQL that finds the rows that break it, and may have SQL that repairs them. A repair never removes what users have made: an edge that
/// only one side has is given to the other, counts are counted again, and only unreachable rows are removed.
public struct StoreRule: Sendable {
    /// The name. It never changes, because scripts use it.
    public let name: String
    /// What is wrong with the rows that break it.
    public let about: Phrase
    /// What a repair does about them.
    public let remedy: Phrase
    /// SQL that selects one text for each row that breaks the rule.
    let breaches: String
    /// SQL that repairs all of them, in this order.
    let repairs: [String]

    /// The numbers of users with a profile, and of users who have asked to leave.
    private static let numbers = "SELECT number FROM profile UNION ALL SELECT number FROM pending_withdrawal WHERE number IS NOT NULL"
    /// ``numbers``, and those of users whose follows are still being removed.
    private static let knownNumbers = numbers + " UNION ALL SELECT number FROM withdrawal"
    private static let gone = "(SELECT number FROM withdrawal)"

    private static let followers = """
        ((SELECT count(*) FROM follower f WHERE f.followee = c.number AND f.follower NOT IN \(gone))
            + (SELECT count(*) FROM withdrawal w CROSS JOIN following f WHERE f.follower = w.number AND f.followee = c.number))
        """
    private static let following = """
        ((SELECT count(*) FROM following f WHERE f.follower = c.number AND f.followee NOT IN \(gone))
            + (SELECT count(*) FROM withdrawal w CROSS JOIN following f WHERE f.follower = c.number AND f.followee = w.number))
        """
    private static let orphanEdge = "follower NOT IN (\(knownNumbers)) OR followee NOT IN (\(knownNumbers))"

    /// All rules in the order of repair: a later one may depend on an earlier one.
    public static let all = [
        StoreRule(
            name: "follow-unknown", about: Phrase("follows of users who do not exist", "존재하지 않는 사용자의 팔로우"),
            remedy: Phrase("removed", "삭제"),
            breaches: """
                SELECT 'following ' || follower || '→' || followee FROM following WHERE \(orphanEdge)
                UNION ALL SELECT 'follower ' || follower || '→' || followee FROM follower WHERE \(orphanEdge)
                """,
            repairs: ["DELETE FROM following WHERE \(orphanEdge)", "DELETE FROM follower WHERE \(orphanEdge)"]),
        StoreRule(
            name: "follow-times", about: Phrase("follows of which both sides have another time", "양쪽 시각이 다른 팔로우"),
            remedy: Phrase("the followed side takes the follower's time", "팔로우한 쪽의 시각으로 맞춤"),
            breaches: """
                SELECT f.follower || '→' || f.followee FROM follower f JOIN following g ON g.follower = f.follower AND g.followee = f.followee
                WHERE g.follow_time <> f.follow_time
                """,
            repairs: [
                """
                DELETE FROM follower WHERE (followee, follow_time, follower) IN (
                    SELECT f.followee, f.follow_time, f.follower
                    FROM follower f JOIN following g ON g.follower = f.follower AND g.followee = f.followee WHERE g.follow_time <> f.follow_time)
                """,
                "INSERT OR IGNORE INTO follower (followee, follow_time, follower) SELECT followee, follow_time, follower FROM following",
            ]),
        StoreRule(
            name: "follow-without-follower", about: Phrase("follows that the followed side does not have", "팔로우된 쪽에 없는 팔로우"),
            remedy: Phrase("added to the followed side", "팔로우된 쪽에 추가"),
            breaches: """
                SELECT g.follower || '→' || g.followee FROM following g
                WHERE g.follower NOT IN \(gone) AND g.followee NOT IN \(gone) AND NOT EXISTS (
                    SELECT 1 FROM follower f WHERE f.followee = g.followee AND f.follow_time = g.follow_time AND f.follower = g.follower)
                """,
            repairs: [
                """
                INSERT OR IGNORE INTO follower (followee, follow_time, follower)
                SELECT g.followee, g.follow_time, g.follower FROM following g WHERE g.follower NOT IN \(gone) AND g.followee NOT IN \(gone)
                """
            ]),
        StoreRule(
            name: "follower-without-follow", about: Phrase("follows that the follower's side does not have", "팔로우한 쪽에 없는 팔로우"),
            remedy: Phrase("added to the follower's side", "팔로우한 쪽에 추가"),
            breaches: """
                SELECT f.follower || '→' || f.followee FROM follower f
                WHERE f.follower NOT IN \(gone) AND f.followee NOT IN \(gone) AND NOT EXISTS (
                    SELECT 1 FROM following g WHERE g.follower = f.follower AND g.followee = f.followee)
                """,
            repairs: [
                """
                INSERT OR IGNORE INTO following (follower, followee, follow_time)
                SELECT f.follower, f.followee, f.follow_time FROM follower f WHERE f.follower NOT IN \(gone) AND f.followee NOT IN \(gone)
                """
            ]),
        StoreRule(
            name: "counts-missing", about: Phrase("users without counts of follows", "팔로우 수가 없는 사용자"),
            remedy: Phrase("counted", "다시 계산"),
            breaches: "SELECT number FROM (\(numbers)) WHERE number NOT IN (SELECT number FROM follow_count)",
            repairs: [
                "INSERT OR IGNORE INTO follow_count (number, followers, following) SELECT number, 0, 0 FROM (\(numbers))",
            ]),
        StoreRule(
            name: "counts-unknown", about: Phrase("counts of users who do not exist", "존재하지 않는 사용자의 팔로우 수"),
            remedy: Phrase("removed", "삭제"),
            breaches: "SELECT number FROM follow_count WHERE number NOT IN (\(numbers))",
            repairs: ["DELETE FROM follow_count WHERE number NOT IN (\(numbers))"]),
        StoreRule(
            name: "counts", about: Phrase("counts that are not those of the follows", "실제 팔로우와 다른 팔로우 수"),
            remedy: Phrase("counted again", "다시 계산"),
            breaches: """
                SELECT c.number || ': ' || c.followers || '/' || c.following FROM follow_count c
                WHERE c.followers <> \(followers) OR c.following <> \(following)
                """,
            repairs: [
                "UPDATE follow_count AS c SET followers = \(followers), following = \(following) WHERE followers <> \(followers) OR following <> \(following)"
            ]),
        StoreRule(
            name: "event-unknown", about: Phrase("events of users who do not exist", "존재하지 않는 사용자의 이벤트"),
            remedy: Phrase("removed", "삭제"),
            breaches: "SELECT DISTINCT owner FROM follow_event WHERE owner NOT IN (\(knownNumbers))",
            repairs: ["DELETE FROM follow_event WHERE owner NOT IN (\(knownNumbers))"]),
        StoreRule(
            name: "username-unknown", about: Phrase("usernames of profiles that do not exist", "존재하지 않는 프로필의 사용자 이름"),
            remedy: Phrase("set free", "해제"),
            breaches: "SELECT hex(user_id) FROM username WHERE \(orphanName)", repairs: ["DELETE FROM username WHERE \(orphanName)"]),
        StoreRule(
            name: "username-missing", about: Phrase("profiles whose username is not theirs", "사용자 이름이 등록되지 않은 프로필"),
            remedy: Phrase("none: the owner chooses another name", "없음: 본인이 새 이름을 정해야 함"),
            breaches: """
                SELECT hex(p.user_id) FROM profile p
                WHERE NOT EXISTS (SELECT 1 FROM username u WHERE u.username_key = p.username_key AND u.user_id = p.user_id AND u.kind = 0)
                """,
            repairs: []),
        StoreRule(
            name: "term-unknown", about: Phrase("search terms of profiles that do not exist", "존재하지 않는 프로필의 검색어"),
            remedy: Phrase("removed", "삭제"),
            breaches: "SELECT hex(user_id) FROM profile_term WHERE user_id NOT IN (SELECT user_id FROM profile)",
            repairs: ["DELETE FROM profile_term WHERE user_id NOT IN (SELECT user_id FROM profile)"]),
        StoreRule(
            name: "term-missing", about: Phrase("profiles that no search finds by their username", "사용자 이름으로 검색되지 않는 프로필"),
            remedy: Phrase("added", "추가"),
            breaches: "SELECT hex(p.user_id) FROM profile p WHERE \(unfound)",
            repairs: [
                "INSERT OR IGNORE INTO profile_term (term, user_id, kind) SELECT p.username_key, p.user_id, 0 FROM profile p WHERE \(unfound)"
            ]),
        StoreRule(
            name: "session", about: Phrase("sessions and tokens without each other", "서로 짝이 없는 세션과 토큰"),
            remedy: Phrase("ended", "종료"),
            breaches: """
                SELECT 'token of ' || hex(user_id) FROM session_token t WHERE \(loneToken)
                UNION ALL SELECT 'session of ' || hex(user_id) FROM session s WHERE \(loneSession)
                """,
            repairs: ["DELETE FROM session_token AS t WHERE \(loneToken)", "DELETE FROM session AS s WHERE \(loneSession)"]),
        StoreRule(
            name: "image-missing", about: Phrase("profiles with a picture that is not there", "사진 정보가 없는 프로필"),
            remedy: Phrase("the profile shows none", "사진 없음으로 변경"),
            breaches: "SELECT hex(p.user_id) FROM profile p WHERE \(noImage)",
            repairs: ["UPDATE profile AS p SET image_id = NULL WHERE \(noImage)"]),
        StoreRule(
            name: "image-unknown", about: Phrase("pictures of no profile", "프로필이 없는 사진"),
            remedy: Phrase("removed by the server's next sweep", "서버가 다음 정리 때 삭제"),
            breaches: "SELECT hex(i.owner) FROM image i WHERE \(loneImage)",
            repairs: ["UPDATE image AS i SET state = \(ImageState.discarded.rawValue), expire_time = 0 WHERE \(loneImage)"]),
        StoreRule(
            name: "diary-unknown", about: Phrase("entries of diaries that do not exist", "존재하지 않는 일기장의 일기"),
            remedy: Phrase("removed by the server's housekeeping", "서버가 정리 작업으로 삭제"),
            breaches: "SELECT DISTINCT hex(diary) FROM diary_entry WHERE \(loneEntry)",
            repairs: ["INSERT OR IGNORE INTO discarded_diary (diary) SELECT DISTINCT diary FROM diary_entry WHERE \(loneEntry)"]),
        StoreRule(
            name: "diary-counts", about: Phrase("counts that are not those of the entries", "실제 일기와 다른 일기 수"),
            remedy: Phrase("counted again", "다시 계산"),
            breaches: "SELECT hex(owner) FROM diary AS d WHERE entry_count <> \(entries) OR row_count <> \(rows)",
            repairs: ["UPDATE diary AS d SET entry_count = \(entries), row_count = \(rows) WHERE entry_count <> \(entries) OR row_count <> \(rows)"]),
        StoreRule(
            name: "diary-image-counts", about: Phrase("counts that are not those of the diary's pictures", "실제 일기 사진과 다른 사진 수"),
            remedy: Phrase("counted again", "다시 계산"),
            breaches: "SELECT hex(owner) FROM diary AS d WHERE image_count <> \(images) OR image_byte_count <> \(imageBytes)",
            repairs: [
                """
                UPDATE diary AS d SET image_count = \(images), image_byte_count = \(imageBytes)
                WHERE image_count <> \(images) OR image_byte_count <> \(imageBytes)
                """
            ]),
    ]

    private static let orphanName = """
        kind = 0 AND NOT EXISTS (SELECT 1 FROM profile p WHERE p.user_id = username.user_id AND p.username_key = username.username_key)
        AND user_id NOT IN (SELECT user_id FROM pending_withdrawal)
        """
    private static let unfound =
        "NOT EXISTS (SELECT 1 FROM profile_term t WHERE t.term = p.username_key AND t.user_id = p.user_id)"
    private static let loneToken =
        "NOT EXISTS (SELECT 1 FROM session s WHERE s.user_id = t.user_id AND s.session_id = t.session_id AND s.token_hash = t.token_hash)"
    private static let loneSession = "NOT EXISTS (SELECT 1 FROM session_token t WHERE t.token_hash = s.token_hash)"
    private static let attached = ImageState.attached.rawValue
    private static let noImage = """
        p.image_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM image i WHERE i.owner = p.user_id AND i.image_id = p.image_id AND i.state = \(attached))
        """
    private static let loneImage = """
        i.state = \(attached) AND NOT EXISTS (SELECT 1 FROM profile p WHERE p.user_id = i.owner AND p.image_id = i.image_id)
        AND i.owner NOT IN (SELECT user_id FROM pending_withdrawal)
        """
    private static let loneEntry = "diary NOT IN (SELECT diary FROM diary UNION ALL SELECT diary FROM discarded_diary)"
    private static let entries = "(SELECT count(*) FROM diary_entry e WHERE e.diary = d.diary AND e.is_deleted = 0)"
    private static let rows = "(SELECT count(*) FROM diary_entry e WHERE e.diary = d.diary)"
    private static let images = "(SELECT count(*) FROM diary_image i WHERE i.diary = d.diary)"
    private static let imageBytes = "(SELECT coalesce(sum(byte_count), 0) FROM diary_image i WHERE i.diary = d.diary)"
}
