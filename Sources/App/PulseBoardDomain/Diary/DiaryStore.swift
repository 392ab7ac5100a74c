import PulseBoardVocabulary

/// Stores diaries. A diary belongs to its owner alone: no method reads or changes data of another user.
///
/// A diary begins with the owner's first write. A withdrawal hides it at once, and its rows are removed in steps. While an owner has asked to leave,
/// the diary is kept and every method throws `withdrawing`: a write would be lost by the purge. Where diaries are sealed and the key is missing,
/// every method throws `diary(.locked)`. Every method throws `storeUnavailable` when the store fails, and `corruptRow` for a row that it cannot read
/// (X17); it never leaves a row out.
public protocol DiaryStore: Sendable {
    // MARK: Online

    // A write of an entry with a `session` is refused if that session has ended meanwhile: the write may have waited for others. `nil` is for a
    // program that has no sessions.

    /// Reads an entry.
    /// - Throws: `diary(.entryNotFound)`.
    func diaryEntry(_ id: DiaryEntryID, of owner: UserID) async throws(RepositoryError) -> DiaryEntry

    /// Reads the entries after a place, newest first, and by descending id within one instant. Each comes once (X16). A
    /// page ends after ``DiaryLimits/maximumPageBytes``, with at least one entry.
    func diaryEntries(
        of owner: UserID, _ filter: DiaryFilter, after cursor: DiaryCursor?, limit: Int
    ) async throws(RepositoryError) -> DiaryEntryPage

    /// Creates an entry. If an entry with the same id and content exists, it is returned and nothing changes. So a retry succeeds, unless somebody
    /// has edited or deleted the entry meanwhile: then it throws `entryExists`.
    /// - Throws: `profileRequired` when the owner has no profile; `diary` with `entryExists`, `full`, `imageNotStaged`, `imageDiffers`;
    ///   `notAuthenticated`.
    func createDiaryEntry(
        _ id: DiaryEntryID, _ content: DiaryContent, of owner: UserID, in session: SessionID?, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryEntry

    /// Changes an entry. An entry that has these values already stays as it is, so a retry succeeds.
    /// - Throws: `etagMismatch`; `diary` with `entryNotFound`, `full`, `imageNotStaged`, `imageDiffers`; `notAuthenticated`.
    func updateDiaryEntry(
        _ id: DiaryEntryID, _ change: DiaryChange, ifMatches etag: Etag?, of owner: UserID, in session: SessionID?, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryEntry

    /// Deletes an entry. It is no error if the entry does not exist (B35).
    /// - Throws: `notAuthenticated`.
    func deleteDiaryEntry(_ id: DiaryEntryID, of owner: UserID, in session: SessionID?, at now: Timestamp) async throws(RepositoryError)

    // MARK: Devices

    /// Registers a device, or renames it.
    /// - Throws: `profileRequired` when the owner has no profile; `diary(.tooManyDevices)`.
    func registerDiaryDevice(
        _ device: DiaryDeviceID, name: String, of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryDevice

    /// The owner's devices, in the order of their ids.
    func diaryDevices(of owner: UserID) async throws(RepositoryError) -> [DiaryDevice]

    /// Forgets a device. What it wrote stays; what it sends later is refused. It is no error if the device does not exist.
    func deleteDiaryDevice(_ device: DiaryDeviceID, of owner: UserID) async throws(RepositoryError)

    // MARK: Pictures

    /// Stores a picture's bytes, or extends the time for which stored ones are kept. When it returns, they are durable. They are removed after
    /// ``DiaryLimits/unusedImageLifetime`` unless an entry names the picture by then. The write that adds the name to an entry attaches the picture.
    /// - Parameter bytes: reads a range of the picture's bytes.
    /// - Throws: `profileRequired` when the owner has no profile; `diary(.full)`; what `bytes` throws. Then the picture is not stored.
    func stageDiaryImage(
        _ image: DiaryImage, of owner: UserID, at now: Timestamp, _ bytes: @Sendable (Range<Int>) async throws(RepositoryError) -> [UInt8]
    ) async throws(RepositoryError)

    /// Returns which of these pictures the owner's diary lacks. The others are kept as long as if they had been stored now.
    func missingDiaryImages(
        _ hashes: [DiaryImageHash], of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> [DiaryImageHash]

    /// Reads the diary's pictures after a hash, in the order of their hashes.
    func diaryImages(of owner: UserID, after hash: DiaryImageHash?, limit: Int) async throws(RepositoryError) -> [DiaryImage]

    /// Reads the description of a stored picture.
    /// - Throws: `diary(.imageNotFound)`.
    func diaryImage(_ hash: DiaryImageHash, of owner: UserID) async throws(RepositoryError) -> DiaryImage

    /// Reads one part of a picture's bytes (``DiaryImage/range(ofPart:)``).
    /// - Throws: `diary(.imageNotFound)`.
    func diaryImagePart(_ part: Int, of hash: DiaryImageHash, of owner: UserID) async throws(RepositoryError) -> [UInt8]

    // MARK: Synchronizing

    /// Applies those mutations of a device that are not applied yet, in their order and in one transaction. A mutation that was applied before gets
    /// its first result again. A mutation that can never be applied is rejected alone, and counts as done.
    ///
    /// After ``DiaryLimits/maximumTransactionBytes`` the transaction ends, and the answer has the results until there. It has at least one. Push the
    /// remaining mutations again.
    /// - Throws: `diary` with `deviceUnknown`, `mutationGap`, `deviceCloned`, `clockSkewed`; `notAuthenticated`; then nothing has changed.
    func pushDiary(
        _ push: DiaryPush, of owner: UserID, in session: SessionID?, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryPushAnswer

    /// Reads the rows that have changed after a position, in the order of their changes. `nil` begins with the first change.
    /// - Parameter device: the page reports the last mutation of this device. `nil` reads for no device: an owner without a diary then has an empty
    ///   page.
    /// - Throws: `diary` with `resyncRequired`, rather than leaving a gap, and `deviceUnknown`.
    func diaryChanges(
        of owner: UserID, for device: DiaryDeviceID?, after position: DiaryPosition?, limit: Int
    ) async throws(RepositoryError) -> DiaryChangePage
}

/// A device that writes a diary, as the server knows it.
public struct DiaryDevice: Hashable, Sendable {
    public let id: DiaryDeviceID
    /// The name that its owner gave it.
    public let name: String
    /// The number of its last mutation that was applied or refused; 0 before the first.
    public let lastMutation: Int64
    /// When it last registered or pushed.
    public let seenTime: Timestamp

    public init(id: DiaryDeviceID, name: String, lastMutation: Int64, seenTime: Timestamp) {
        self.id = id
        self.name = name
        self.lastMutation = lastMutation
        self.seenTime = seenTime
    }
}

/// Mutations of one device on their way to the server.
public struct DiaryPush: Hashable, Sendable {
    /// A mutation with its fingerprint, which distinguishes it from another one of the same number.
    public struct Item: Hashable, Sendable {
        public let numbered: NumberedDiaryMutation
        /// SHA-256 of the mutation's bytes.
        public let fingerprint: [UInt8]
        /// Why it was rejected before it came to the store; `nil` for a valid mutation.
        public let refusal: Reason?

        public init(numbered: NumberedDiaryMutation, fingerprint: [UInt8], refusal: Reason? = nil) {
            self.numbered = numbered
            self.fingerprint = fingerprint
            self.refusal = refusal
        }
    }

    public let device: DiaryDeviceID
    /// In the order of their numbers, without gaps.
    public let items: [Item]
    /// The device has the results up to this number.
    public let confirmed: Int64

    public init(device: DiaryDeviceID, items: [Item], confirmed: Int64) {
        self.device = device
        self.items = items
        self.confirmed = confirmed
    }
}

/// The answer to a push.
public struct DiaryPushAnswer: Hashable, Sendable {
    /// The number of the device's last mutation that is done.
    public let lastMutation: Int64
    /// One for each mutation that is done, in their order.
    public let results: [DiaryMutationResult]
    /// Whether a row has changed.
    public let hasChanges: Bool
    /// The places before and after the push; `nil` unless all its mutations were new and were done in one transaction.
    public let span: Span?

    public init(lastMutation: Int64, results: [DiaryMutationResult], hasChanges: Bool, span: Span? = nil) {
        self.lastMutation = lastMutation
        self.results = results
        self.hasChanges = hasChanges
        self.span = span
    }

    /// Two places between which there are only the changes of one push.
    public struct Span: Hashable, Sendable {
        public let before: DiaryPosition
        public let after: DiaryPosition

        public init(before: DiaryPosition, after: DiaryPosition) {
            self.before = before
            self.after = after
        }
    }
}

/// The result of one mutation.
public struct DiaryMutationResult: Hashable, Sendable {
    /// The outcome.
    public enum Outcome: Hashable, Sendable {
        /// Done, or there was nothing to do.
        case applied
        /// Done; a value that lost is kept as a conflict.
        case conflict
        /// It can never be applied, for this reason.
        case rejected(Reason)
    }

    /// The number of the mutation.
    public let number: Int64
    public let outcome: Outcome

    public init(number: Int64, outcome: Outcome) {
        self.number = number
        self.outcome = outcome
    }
}

/// A place among the changes of one diary.
public struct DiaryPosition: Hashable, Sendable {
    /// The id of the diary. An owner who returns after a withdrawal begins a new one.
    public let diary: UUIDBits
    /// The number of the last change before this place.
    public let change: Int64
    /// The last change when the current checkpoint began; equal to ``change`` between two checkpoints. If a forgotten deletion is later than this,
    /// the reader may still have the entry and would never learn of the deletion.
    public let horizon: Int64

    public init(diary: UUIDBits, change: Int64, horizon: Int64) {
        self.diary = diary
        self.change = change
        self.horizon = horizon
    }
}

/// One page of a list of entries.
public struct DiaryEntryPage: Hashable, Sendable {
    public let entries: [DiaryEntry]
    /// Where the list continues; `nil` on the last page. A store ends a page early, even an empty one, when it has looked at many entries that the
    /// filter does not select.
    public let next: DiaryCursor?

    public init(entries: [DiaryEntry], next: DiaryCursor?) {
        self.entries = entries
        self.next = next
    }

    /// - Parameter isComplete: whether this is the last page. If not, the list continues after the last entry.
    public init(entries: [DiaryEntry], isComplete: Bool) {
        self.init(entries: entries, next: isComplete ? nil : entries.last.map(DiaryCursor.init(after:)))
    }

    /// Whether this is the last page.
    public var isComplete: Bool { next == nil }
}

/// One page of changed rows.
public struct DiaryChangePage: Hashable, Sendable {
    public let rows: [DiaryRowChange]
    /// Bytes of the rows, with a sum for each conflict (``DiaryRow/pageByteCount``).
    public let byteCount: Int
    /// The position after this page.
    public let next: DiaryPosition
    /// Whether this is the last page of the checkpoint. Then all pages since the checkpoint began are the diary's state at one instant.
    public let isComplete: Bool
    /// The number of the device's last mutation that the rows contain.
    public let lastMutation: Int64

    public init(rows: [DiaryRowChange], byteCount: Int, next: DiaryPosition, isComplete: Bool, lastMutation: Int64) {
        self.rows = rows
        self.byteCount = byteCount
        self.next = next
        self.isComplete = isComplete
        self.lastMutation = lastMutation
    }
}

/// A row that has changed.
public struct DiaryRowChange: Hashable, Sendable {
    public let id: DiaryEntryID
    public let row: DiaryRow

    public init(id: DiaryEntryID, row: DiaryRow) {
        self.id = id
        self.row = row
    }
}

/// Why a diary refused a call.
public enum DiaryRefusal: Error, Hashable, Sendable {
    case entryNotFound(DiaryEntryID)
    /// Another entry has or had this id.
    case entryExists(DiaryEntryID)
    /// One of ``DiaryLimits`` is reached: entries, bytes of texts, pictures, or bytes of pictures.
    case full
    /// The entry names a picture whose bytes are not stored: they never came, or no entry named it within ``DiaryLimits/unusedImageLifetime``.
    case imageNotStaged
    /// The entry names a picture with another type or length than the stored one has.
    case imageDiffers
    /// The diary has no such picture.
    case imageNotFound
    /// Diaries are sealed, and the server does not have the key. Nothing is lost: with the key, everything can be read again.
    case locked
    /// The owner has ``DiaryLimits/maximumDevices`` already.
    case tooManyDevices
    /// The owner has no such device.
    case deviceUnknown
    /// The first mutation is not the one after the device's last.
    case mutationGap(lastMutation: Int64)
    /// Two copies of one device write under its id: another mutation came with this number before, or its result was confirmed already.
    case deviceCloned
    /// The device's clock is more than ``DiaryLimits/maximumSkew`` ahead.
    case clockSkewed(serverTime: Timestamp, lastMutation: Int64)
    /// Reading cannot continue from this position. Begin again without one.
    case resyncRequired

    /// The reason that is sent to the client.
    public var reason: Reason {
        switch self {
        case .entryNotFound: .diaryEntryNotFound
        case .entryExists: .diaryEntryExists
        case .full: .diaryFull
        case .imageNotStaged: .imageNotStaged
        case .imageDiffers: .diaryImageDiffers
        case .imageNotFound: .imageNotFound
        case .locked: .diaryLocked
        case .tooManyDevices: .diaryTooManyDevices
        case .deviceUnknown: .diaryDeviceUnknown
        case .mutationGap: .diaryMutationGap
        case .deviceCloned: .diaryDeviceCloned
        case .clockSkewed: .diaryClockSkewed
        case .resyncRequired: .diaryResyncRequired
        }
    }
}

extension DiaryStore {
    /// Creates an entry, for a program that has no sessions.
    public func createDiaryEntry(
        _ id: DiaryEntryID, _ content: DiaryContent, of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryEntry {
        try await createDiaryEntry(id, content, of: owner, in: nil, at: now)
    }

    /// Changes an entry, for a program that has no sessions.
    public func updateDiaryEntry(
        _ id: DiaryEntryID, _ change: DiaryChange, ifMatches etag: Etag?, of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryEntry {
        try await updateDiaryEntry(id, change, ifMatches: etag, of: owner, in: nil, at: now)
    }

    /// Deletes an entry, for a program that has no sessions.
    public func deleteDiaryEntry(_ id: DiaryEntryID, of owner: UserID, at now: Timestamp) async throws(RepositoryError) {
        try await deleteDiaryEntry(id, of: owner, in: nil, at: now)
    }

    /// Applies mutations, for a program that has no sessions.
    public func pushDiary(_ push: DiaryPush, of owner: UserID, at now: Timestamp) async throws(RepositoryError) -> DiaryPushAnswer {
        try await pushDiary(push, of: owner, in: nil, at: now)
    }
}
