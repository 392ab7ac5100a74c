import PulseBoardDomain
import PulseBoardVocabulary
import RPCCore

/// A diary, wherever it is stored. An app can begin with one implementation and use another one later without a change (B23, B24).
///
/// | implementation | keeps entries | without a server |
/// |---|---|---|
/// | ``LocalDiaryRepository`` | in a directory | does everything |
/// | ``RemoteDiaryRepository`` | on the server | fails with `unavailable` |
/// | ``CombinedDiaryRepository`` | in a directory, and on the server as soon as it answers | does everything, and catches up later |
///
///     func remember(_ text: String, in diary: some DiaryRepository) async throws {
///         let content = try DiaryContent(entryTime: SystemWallClock().now(), emotion: "calm", text: text)
///         _ = try await diary.save(content, as: DiaryEntryID.random(using: SystemRandomSource()))
///         for entry in try await diary.entries(.all, PageRequest(size: 20)).entries { print(entry.content.text) }
///     }
public protocol DiaryRepository: Sendable {
    /// Creates an entry. Creating the same entry again succeeds, unless somebody has edited or deleted it meanwhile, such as another device. So
    /// after a lost answer, `entryExists` may mean that the first call has made it.
    /// - Throws: `diary` with `entryExists`, `imageNotStaged` for a picture that was not added; `outboxFull`.
    func save(_ content: DiaryContent, as id: DiaryEntryID) async throws(DiaryError) -> DiaryEntry

    /// Changes an entry.
    /// - Parameter etag: if given, the change is made only if the entry has it.
    /// - Throws: `diary` with `entryNotFound`, `imageNotStaged`; `etagMismatch`, `outboxFull`.
    func update(_ id: DiaryEntryID, _ change: DiaryChange, ifMatches etag: Etag?) async throws(DiaryError) -> DiaryEntry

    /// Deletes an entry. It is no error if the entry does not exist (B35).
    /// - Throws: `outboxFull`.
    func delete(_ id: DiaryEntryID) async throws(DiaryError)

    /// Adds a picture, JPEG, PNG or WebP of at most ``DiaryLimits/maximumImageBytes``, and keeps it for a day. Put the result into
    /// ``DiaryContent/images`` or a ``DiaryChange`` within that time. Adding the same bytes again returns the same picture.
    /// - Throws: `invalid` for bytes that are not a picture or too long.
    func addImage(_ bytes: [UInt8]) async throws(DiaryError) -> DiaryImage

    /// The bytes of an entry's picture, exactly as they were added.
    /// - Throws: `diary(.imageNotFound)` if they are stored nowhere; `unavailable` if they cannot be fetched now.
    func image(_ image: DiaryImage) async throws(DiaryError) -> [UInt8]

    /// - Throws: `diary(.entryNotFound)`.
    func entry(_ id: DiaryEntryID) async throws(DiaryError) -> DiaryEntry

    /// A page of entries, each once, newest first, and by descending id within one instant (X16).
    func entries(_ filter: DiaryFilter, _ page: PageRequest) async throws(DiaryError) -> DiaryPage

    /// A stream with an element for every change from now on, by anybody. Several changes may be one element. It ends when changes cannot be
    /// reported any more.
    func changes() async throws(DiaryError) -> AsyncStream<Void>
}

/// A page of a list of entries.
public struct DiaryPage: Hashable, Sendable {
    public let entries: [DiaryEntry]
    /// Entries of this page that are stored and cannot be read. They are reported and not left out (X17).
    public let damaged: [DiaryEntryID]
    /// `nil` on the last page.
    public let nextToken: PageToken?

    public init(entries: [DiaryEntry], damaged: [DiaryEntryID] = [], nextToken: PageToken?) {
        self.entries = entries
        self.damaged = damaged
        self.nextToken = nextToken
    }
}

/// Why a diary refused a call or could not perform it.
public enum DiaryError: Error, Hashable, Sendable {
    /// The diary refused the call, on this device or on the server.
    case diary(DiaryRefusal)
    /// The entry has changed since it was read (X6).
    case etagMismatch
    /// The request breaks rules.
    case invalid(ValidationError)
    /// The outbox is full: it has ``DiaryFile/maximumOutboxCount`` edits or ``DiaryFile/maximumOutboxBytes`` bytes.
    case outboxFull
    /// The entry is stored on this device and cannot be read.
    case damaged(DiaryEntryID)
    /// The directory's database failed. The detail contains nothing of an entry.
    case storeFailed(detail: Phrase)
    /// The server cannot read the cursor of a page: it was restored from a copy since.
    case cursorRefused
    /// The directory has no such rejected edit, or it has nothing to make again.
    case notRejected
    /// The directory belongs to another account.
    case otherAccount
    /// The directory belongs to no account yet.
    case notAttached
    /// Another process is synchronizing this directory.
    case busy
    /// The server cannot be reached, or cannot do its work now. Then it gives a reason, such as `STORE_FULL`. Edits stay on this device until it can.
    case unavailable(detail: String, reason: String? = nil)
    /// The server takes no pictures now: it cannot decode or write any, or decodes too many. Or this picture did not arrive in time
    /// (`IMAGE_TOO_SLOW`). Edits without pictures are sent. The reason is, for example, `IMAGE_BUSY`.
    case pictureNotTaken(reason: String)
    /// The session has ended, or nobody is signed in.
    case notSignedIn
    /// The server refused the call for another reason. The code is that of the call's status.
    case refused(reason: String, message: String, code: StatusCode)
    /// The server sent something that this version does not understand.
    case answerNotUnderstood
}
