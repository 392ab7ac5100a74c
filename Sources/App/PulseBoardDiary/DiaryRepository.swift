import PulseBoardDomain
import PulseBoardVocabulary

/// A diary, wherever it is kept: an app that begins with one implementation takes another one later without a change (B23, B24).
///
/// | implementation | keeps entries | without a server |
/// |---|---|---|
/// | ``LocalDiaryRepository`` | in a directory | does everything |
/// | ``RemoteDiaryRepository`` | on the server | fails with `unavailable` |
/// | ``CombinedDiaryRepository`` | in a directory, and on the server as soon as it answers | does everything, and catches up later |
public protocol DiaryRepository: Sendable {
    /// Makes an entry. Making the same one again succeeds.
    /// - Throws: `diary` with `entryExists`, `imageNotStaged` for a picture that was not added; `outboxFull`.
    func save(_ content: DiaryContent, as id: DiaryEntryID) async throws(DiaryError) -> DiaryEntry

    /// Changes an entry. - Parameter etag: when given, only if the entry has it.
    /// - Throws: `diary` with `entryNotFound`, `imageNotStaged`; `etagMismatch`, `outboxFull`.
    func update(_ id: DiaryEntryID, _ change: DiaryChange, ifMatches etag: Etag?) async throws(DiaryError) -> DiaryEntry

    /// Removes an entry. One that is not there is no error (B35). - Throws: `outboxFull`.
    func delete(_ id: DiaryEntryID) async throws(DiaryError)

    /// Keeps a picture for the entries that will name it, a day long: JPEG, PNG or WebP, at most ``DiaryLimits/maximumImageBytes``. Put what it returns
    /// into ``DiaryContent/images`` or a ``DiaryChange``. The same picture again is the same picture.
    /// - Throws: `invalid` for what is no picture or too long.
    func addImage(_ bytes: [UInt8]) async throws(DiaryError) -> DiaryImage

    /// The bytes of an entry's picture, exactly as they were added.
    /// - Throws: `diary(.imageNotFound)` when they are nowhere; `unavailable` when they have to be fetched and cannot be now.
    func image(_ image: DiaryImage) async throws(DiaryError) -> [UInt8]

    /// - Throws: `diary(.entryNotFound)`.
    func entry(_ id: DiaryEntryID) async throws(DiaryError) -> DiaryEntry

    /// A page of entries: each once, the newest first, by id (descending) within one instant (X16).
    func entries(_ filter: DiaryFilter, _ page: PageRequest) async throws(DiaryError) -> DiaryPage

    /// An element for every change from now on, whoever makes it; several changes may be one element. It ends when nothing can be told any more.
    func changes() async throws(DiaryError) -> AsyncStream<Void>
}

/// A page of a list of entries.
public struct DiaryPage: Hashable, Sendable {
    public let entries: [DiaryEntry]
    /// Entries of this page that are stored and cannot be read: they are told and not left out (X17).
    public let damaged: [DiaryEntryID]
    /// `nil` on the last page.
    public let nextToken: PageToken?

    public init(entries: [DiaryEntry], damaged: [DiaryEntryID] = [], nextToken: PageToken?) {
        self.entries = entries
        self.damaged = damaged
        self.nextToken = nextToken
    }
}

/// Why a diary could not do what it was asked.
public enum DiaryError: Error, Hashable, Sendable {
    /// The diary refused; on this device or on the server.
    case diary(DiaryRefusal)
    /// The entry has changed since it was read (X6).
    case etagMismatch
    /// The request breaks rules.
    case invalid(ValidationError)
    /// So much waits for the server that no more is taken: ``DiaryFile/maximumOutboxCount`` edits or ``DiaryFile/maximumOutboxBytes`` bytes.
    case outboxFull
    /// The entry is stored on this device and cannot be read.
    case damaged(DiaryEntryID)
    /// The directory's database cannot do its work. The detail has no word of an entry.
    case storeFailed(detail: String)
    /// The directory belongs to another account.
    case otherAccount
    /// The directory belongs to no account yet.
    case notAttached
    /// Another process synchronises this directory just now.
    case busy
    /// The server cannot be reached. What is written stays on this device until it can.
    case unavailable(detail: String)
    /// The server answers, but takes no picture now: it cannot decode any, or decodes too many. Edits without pictures go on. The reason is such as
    /// IMAGE_BUSY.
    case pictureNotTaken(reason: String)
    /// The session has ended, or nobody is signed in.
    case notSignedIn
    /// The server refused for another reason.
    case refused(reason: String, message: String)
    /// The server sent something that this version does not understand.
    case answerNotUnderstood
}
