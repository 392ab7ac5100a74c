import PulseBoardVocabulary

/// Stored diaries: each is its owner's alone. No method shows or changes anything of another user's.
///
/// A diary begins with the owner's first write, and goes with the owner's withdrawal at once: afterwards nobody reads anything of it, and the rows are
/// removed in steps. From an owner who has asked to leave it is kept until they come back or are purged: every method throws `withdrawing`, so that
/// nothing is written that the purge would take away. Where diaries are sealed and the key is missing, every method throws `diary(.locked)`. Every method throws `storeUnavailable` when the store fails, and `corruptRow` rather than leaving out what it cannot read (X17).
public protocol DiaryStore: Sendable {
    // MARK: Online

    /// An entry. - Throws: `diary(.entryNotFound)`.
    func diaryEntry(_ id: DiaryEntryID, of owner: UserID) async throws(RepositoryError) -> DiaryEntry

    /// Entries after a place, newest first, by id (descending) within one instant; each once (X16). A page ends after
    /// ``DiaryLimits/maximumPageBytes``, with at least one entry.
    func diaryEntries(
        of owner: UserID, _ filter: DiaryFilter, after cursor: DiaryCursor?, limit: Int
    ) async throws(RepositoryError) -> DiaryEntryPage

    /// Makes an entry. An entry of the same id and content is there already: then it is the answer, and nothing changes.
    /// - Throws: `profileRequired` when the owner has no profile; `diary` with `entryExists`, `full`, `imageNotStaged`.
    func createDiaryEntry(
        _ id: DiaryEntryID, _ content: DiaryContent, of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryEntry

    /// Changes an entry. One that has these values already stays as it is, so that a retry succeeds.
    /// - Throws: `etagMismatch`; `diary` with `entryNotFound`, `full`, `imageNotStaged`.
    func updateDiaryEntry(
        _ id: DiaryEntryID, _ change: DiaryChange, ifMatches etag: Etag?, of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryEntry

    /// Removes an entry. One that is not there is no error (B35).
    func deleteDiaryEntry(_ id: DiaryEntryID, of owner: UserID, at now: Timestamp) async throws(RepositoryError)

    // MARK: Devices

    /// Registers a device, or renames it.
    /// - Throws: `profileRequired` when the owner has no profile; `diary(.tooManyDevices)`.
    func registerDiaryDevice(
        _ device: DiaryDeviceID, name: String, of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryDevice

    /// The owner's devices, in the order of their ids.
    func diaryDevices(of owner: UserID) async throws(RepositoryError) -> [DiaryDevice]

    /// Forgets a device. What it wrote stays; what it has not sent yet is refused. One that is not there is no error.
    func deleteDiaryDevice(_ device: DiaryDeviceID, of owner: UserID) async throws(RepositoryError)

    // MARK: Pictures

    /// Keeps a picture's bytes, or keeps those that are there for longer. When it returns, they are durable. They are forgotten after
    /// ``DiaryLimits/unusedImageLifetime``, unless an entry names the picture by then; the write that makes the entry name it is the one that attaches it.
    /// - Parameter bytes: reads some of them.
    /// - Throws: `profileRequired` when the owner has no profile; `diary(.full)`; what `bytes` throws. Then nothing can be seen of the picture.
    func stageDiaryImage(
        _ image: DiaryImage, of owner: UserID, at now: Timestamp, _ bytes: @Sendable (Range<Int>) async throws(RepositoryError) -> [UInt8]
    ) async throws(RepositoryError)

    /// Which of some pictures the owner's diary does not have. It keeps the others for as long as if they came now.
    func missingDiaryImages(
        _ hashes: [DiaryImageHash], of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> [DiaryImageHash]

    /// What a diary has of pictures, in the order of their hashes, behind one of them.
    func diaryImages(of owner: UserID, after hash: DiaryImageHash?, limit: Int) async throws(RepositoryError) -> [DiaryImage]

    /// A picture whose bytes there are. - Throws: `diary(.imageNotFound)`.
    func diaryImage(_ hash: DiaryImageHash, of owner: UserID) async throws(RepositoryError) -> DiaryImage

    /// One part of a picture's bytes (``DiaryImage/range(ofPart:)``). - Throws: `diary(.imageNotFound)`.
    func diaryImagePart(_ part: Int, of hash: DiaryImageHash, of owner: UserID) async throws(RepositoryError) -> [UInt8]

    // MARK: Synchronising

    /// Applies the mutations of a device that have not been applied, in their order, all in one transaction. A mutation that was applied before gets its
    /// first result again. A mutation that can never be applied is refused alone, and counts as done.
    /// - Throws: `diary` with `deviceUnknown`, `mutationGap`, `deviceCloned`, `clockSkewed`; then nothing has changed.
    func pushDiary(_ push: DiaryPush, of owner: UserID, at now: Timestamp) async throws(RepositoryError) -> DiaryPushAnswer

    /// Rows that have changed after a position, in the order of their changes: `nil` begins with the first.
    /// - Parameter device: whose last mutation the page tells.
    /// - Throws: `diary` with `resyncRequired`, rather than leaving a gap, and `deviceUnknown`.
    func diaryChanges(
        of owner: UserID, for device: DiaryDeviceID, after position: DiaryPosition?, limit: Int
    ) async throws(RepositoryError) -> DiaryChangePage
}

/// A device that writes a diary, as the server knows it.
public struct DiaryDevice: Hashable, Sendable {
    public let id: DiaryDeviceID
    /// What its owner calls it.
    public let name: String
    /// The number of its last mutation that was applied or refused; 0 before the first.
    public let lastMutation: Int64
    /// When it was last registered or pushed.
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
    /// A mutation with what tells it from another one of the same number.
    public struct Item: Hashable, Sendable {
        public let numbered: NumberedDiaryMutation
        /// SHA-256 of the mutation's bytes.
        public let fingerprint: [UInt8]
        /// Why it is refused already, before the store is asked.
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

/// What became of a push.
public struct DiaryPushAnswer: Hashable, Sendable {
    /// The number of the device's last mutation that is done.
    public let lastMutation: Int64
    /// One for each mutation, in their order.
    public let results: [DiaryMutationResult]
    /// Whether a row has changed.
    public let hasChanges: Bool

    public init(lastMutation: Int64, results: [DiaryMutationResult], hasChanges: Bool) {
        self.lastMutation = lastMutation
        self.results = results
        self.hasChanges = hasChanges
    }
}

/// What became of one mutation.
public struct DiaryMutationResult: Hashable, Sendable {
    /// The outcome.
    public enum Outcome: Hashable, Sendable {
        /// Done; also when nothing was there to do.
        case applied
        /// Done; a value that lost is kept as a conflict.
        case conflict
        /// It can never be applied, for this reason.
        case rejected(Reason)
    }

    /// The mutation's.
    public let number: Int64
    public let outcome: Outcome

    public init(number: Int64, outcome: Outcome) {
        self.number = number
        self.outcome = outcome
    }
}

/// A place among the changes of one diary.
public struct DiaryPosition: Hashable, Sendable {
    /// The diary: another one begins when the owner returns after a withdrawal.
    public let diary: UUIDBits
    /// The last change before it.
    public let change: Int64
    /// The last change at the beginning of the checkpoint that it is in; ``change`` between two checkpoints. If a deletion that is forgotten by now is
    /// later than this, the reader may have the entry and would never hear of it.
    public let horizon: Int64

    public init(diary: UUIDBits, change: Int64, horizon: Int64) {
        self.diary = diary
        self.change = change
        self.horizon = horizon
    }
}

/// Some of the entries of a list.
public struct DiaryEntryPage: Hashable, Sendable {
    public let entries: [DiaryEntry]
    /// Where the list goes on; `nil` when these were all. A store that has looked at many entries which the filter does not choose ends a page early, also
    /// without any entry.
    public let next: DiaryCursor?

    public init(entries: [DiaryEntry], next: DiaryCursor?) {
        self.entries = entries
        self.next = next
    }

    /// - Parameter isComplete: if not, the list goes on behind the last entry.
    public init(entries: [DiaryEntry], isComplete: Bool) {
        self.init(entries: entries, next: isComplete ? nil : entries.last.map(DiaryCursor.init(after:)))
    }

    /// Whether these were all.
    public var isComplete: Bool { next == nil }
}

/// Some of the rows that have changed.
public struct DiaryChangePage: Hashable, Sendable {
    public let rows: [DiaryRowChange]
    public let next: DiaryPosition
    /// Whether these were all: with this page, what was read since the checkpoint began is the diary at one instant.
    public let isComplete: Bool
    /// The number of the device's last mutation that is in the rows.
    public let lastMutation: Int64

    public init(rows: [DiaryRowChange], next: DiaryPosition, isComplete: Bool, lastMutation: Int64) {
        self.rows = rows
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
    /// There is, or was, another entry of this id.
    case entryExists(DiaryEntryID)
    /// One of ``DiaryLimits``: entries, bytes of texts, pictures or their bytes.
    case full
    /// The entry names a picture whose bytes are not there: they never came, or nobody has named it for a day.
    case imageNotStaged
    /// The diary has no such picture.
    case imageNotFound
    /// What is written in diaries is sealed, and the server has not got the key. Nothing is lost: with the key everything is there again.
    case locked
    /// ``DiaryLimits/maximumDevices``.
    case tooManyDevices
    /// The owner has no such device.
    case deviceUnknown
    /// The first mutation is not the one after the device's last.
    case mutationGap(lastMutation: Int64)
    /// Two copies of one device write under its name: another mutation came under this number before, or the device has had its result.
    case deviceCloned
    /// The device's clock is more than ``DiaryLimits/maximumSkew`` ahead.
    case clockSkewed(serverTime: Timestamp, lastMutation: Int64)
    /// The position cannot be continued from. Begin again without one.
    case resyncRequired

    /// The reason on the wire.
    public var reason: Reason {
        switch self {
        case .entryNotFound: .diaryEntryNotFound
        case .entryExists: .diaryEntryExists
        case .full: .diaryFull
        case .imageNotStaged: .imageNotStaged
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
