import Crypto
import PulseBoardDomain

/// Makes page tokens. A token is valid for one list only, and nobody else can make one.
///
/// A token is base64url of a format byte (1), a 16-byte tag, and the cursor. The tag is HMAC-SHA256, cut to 128 bits,
/// over the list's identity and the cursor. The store keeps the key, so tokens survive a restart. A token that is
/// forged, damaged or from another list is `invalidPageToken`.
struct PageTokenSealer: Sendable {
    /// The identity of a list, as bytes. Each viewer's view is a list of its own.
    struct List {
        fileprivate let identity: [UInt8]

        static func followers(of id: UserID, viewer: UserID) -> List { List(identity: [1] + id.bits.bytes + viewer.bits.bytes) }
        static func following(of id: UserID, viewer: UserID) -> List { List(identity: [2] + id.bits.bytes + viewer.bits.bytes) }
        static func search(foldedQuery: String, viewer: UserID) -> List {
            List(identity: [3] + viewer.bits.bytes + Array(foldedQuery.utf8))
        }
        static func events(of id: UserID) -> List { List(identity: [4] + id.bits.bytes) }
        static func sessions(of id: UserID) -> List { List(identity: [5] + id.bits.bytes) }
        static func diary(of id: UserID, _ filter: DiaryFilter) -> List {
            // Each part of the filter is tagged, so that different filters have different bytes.
            let parts = [filter.times.map { "\($0.lowerBound.microseconds)-\($0.upperBound.microseconds)" }, filter.emotion, filter.text]
            return List(identity: [6] + id.bits.bytes + parts.flatMap { part in part.map { [1] + Array($0.utf8) + [0] } ?? [0] })
        }
        static func diaryChanges(of id: UserID) -> List { List(identity: [7] + id.bits.bytes) }
    }

    /// The name under which the store keeps the key.
    static let secretName = "page-token-key"
    static let keyByteCount = 32
    private static let format: UInt8 = 1
    private static let tagByteCount = 16
    /// Longest token that is read, in bytes. Tokens that are made are shorter.
    private static let maximumTokenBytes = 2_048

    /// An HMAC that has read the key and nothing else. Each tag begins with a copy of it, because reading the key costs half of a tag.
    private let keyed: HMAC<SHA256>

    init(key: [UInt8]) {
        keyed = HMAC<SHA256>(key: SymmetricKey(data: key))
    }

    func seal(_ cursor: FollowCursor, in list: List) -> PageToken { seal(cursor.followTime, cursor.userID.bits, in: list) }

    func seal(_ cursor: SessionCursor, in list: List) -> PageToken { seal(cursor.createTime, cursor.id.bits, in: list) }

    private func seal(_ time: Timestamp, _ bits: UUIDBits, in list: List) -> PageToken {
        seal(time.microseconds.bigEndianBytes + bits.bytes, in: list)
    }

    func seal(_ cursor: SearchCursor, in list: List) -> PageToken {
        seal(cursor.userID.bits.bytes + Array(cursor.term.utf8), in: list)
    }

    /// Seals a place in one user's events, like a page token. Another user cannot use it.
    func seal(_ position: FollowEventPosition, of owner: UserID) -> ResumeToken {
        ResumeToken(text: seal(position.time.microseconds.bigEndianBytes, in: .events(of: owner)).text)
    }

    /// - Throws: `invalidResumeToken`.
    func openEventPosition(_ token: ResumeToken, of owner: UserID) throws(RepositoryError) -> FollowEventPosition {
        let position: [UInt8]
        do {
            position = try open(PageToken(text: token.text), in: .events(of: owner))
        } catch {
            throw .invalidResumeToken
        }
        guard position.count == 8 else { throw .invalidResumeToken }
        return FollowEventPosition(time: Timestamp(microseconds: Self.integer(position[...])))
    }

    func openFollowCursor(_ token: PageToken, in list: List) throws(RepositoryError) -> FollowCursor {
        let (time, bits) = try openTimeAndID(token, in: list)
        return FollowCursor(followTime: time, userID: UserID(bits: bits))
    }

    func openSessionCursor(_ token: PageToken, in list: List) throws(RepositoryError) -> SessionCursor {
        let (time, bits) = try openTimeAndID(token, in: list)
        return SessionCursor(createTime: time, id: SessionID(bits: bits))
    }

    private func openTimeAndID(_ token: PageToken, in list: List) throws(RepositoryError) -> (Timestamp, UUIDBits) {
        let cursor = try open(token, in: list)
        guard cursor.count == 24, let bits = UUIDBits(bytes: Array(cursor[8...])) else { throw .invalidPageToken }
        return (Timestamp(microseconds: Self.integer(cursor[..<8])), bits)
    }

    func openSearchCursor(_ token: PageToken, in list: List) throws(RepositoryError) -> SearchCursor {
        let cursor = try open(token, in: list)
        guard
            let bits = UUIDBits(bytes: Array(cursor.prefix(16))),
            let term = String(validating: cursor.dropFirst(16), as: UTF8.self)
        else { throw .invalidPageToken }
        return SearchCursor(term: term, userID: UserID(bits: bits))
    }

    func seal(_ cursor: DiaryCursor, in list: List) -> PageToken {
        seal(cursor.entryTime, cursor.id.bits, in: list)
    }

    /// - Throws: `invalidPageToken`.
    func openDiaryCursor(_ token: PageToken, in list: List) throws(RepositoryError) -> DiaryCursor {
        let (time, bits) = try openTimeAndID(token, in: list)
        return DiaryCursor(entryTime: time, id: DiaryEntryID(bits: bits))
    }

    /// Seals a place in the changes of one owner's diary. Another owner cannot use it.
    func seal(_ position: DiaryPosition, of owner: UserID) -> String {
        seal(position.diary.bytes + position.change.bigEndianBytes + position.horizon.bigEndianBytes, in: .diaryChanges(of: owner)).text
    }

    /// - Throws: `invalid` for the field `cursor`.
    func openDiaryPosition(_ text: String, of owner: UserID) throws(RepositoryError) -> DiaryPosition {
        guard let bytes = try? open(PageToken(text: text), in: .diaryChanges(of: owner)), bytes.count == 32,
            let diary = UUIDBits(bytes: Array(bytes[..<16]))
        else { throw .invalid("cursor", .invalidPageToken) }
        return DiaryPosition(diary: diary, change: Self.integer(bytes[16..<24]), horizon: Self.integer(bytes[24...]))
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }

    private func seal(_ cursor: [UInt8], in list: List) -> PageToken {
        PageToken(text: Base64URL.encode([Self.format] + tag(cursor, in: list) + cursor))
    }

    private func open(_ token: PageToken, in list: List) throws(RepositoryError) -> [UInt8] {
        guard
            token.text.utf8.count <= Self.maximumTokenBytes, let bytes = Base64URL.decode(token.text), bytes.count > 1 + Self.tagByteCount,
            bytes[0] == Self.format
        else { throw .invalidPageToken }
        let cursor = Array(bytes[(1 + Self.tagByteCount)...])
        let expected = tag(cursor, in: list)
        // The comparison takes constant time, so that its duration does not help a forger.
        let difference = zip(expected, bytes[1...]).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        guard difference == 0 else { throw .invalidPageToken }
        return cursor
    }

    private func tag(_ cursor: [UInt8], in list: List) -> [UInt8] {
        var code = keyed
        // In one call of `update`, because each call costs as much as these bytes.
        code.update(data: withUnsafeBytes(of: UInt64(list.identity.count).littleEndian) { [UInt8]($0) } + list.identity + cursor)
        return Array(code.finalize().prefix(Self.tagByteCount))
    }
}
